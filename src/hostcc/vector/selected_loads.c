/* Accesses to selected addresses. Of two kinds of address LLVM makes
   one that is anywhere in memory, so a gather, although lanes are mostly neighbours:

   `c ? a[i] : b[0]` becomes one load from a selected address or index. Where one arm is
   the same in all lanes or evenly spaced, it becomes a branch around two loads again;
   lanes seldom diverge there.

   `a[max(i - 1, 0)]`, and what people write in its place, becomes a maximum, a
   saturating difference or a condition as a number: a clamp. One test for the vector,
   whether no lane clamps, leads to the load without the clamp, else to the gather.

   A store to a clamped address is treated likewise: a scatter costs more yet.

   Runs on regions, after the last pass that would merge loads once more. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/clone.h"
#include "hostcc/ir/intrinsic_table.h"
#include "hostcc/split/split.h"

#define MOST_BRANCHES 64 /* in a region */
#define MOST_STEPS 8     /* from the load back to the choice */
#define MOST_TOGETHER 8  /* loads of one branch */
#define MOST_BETWEEN 48  /* instructions from the first of them to the last */
#define FAR 4            /* elements from lane to lane, as in interleave.c */

/* -- Choices: values that are one of two -- */

static cc_uniformity_kind kind(const cc_uniformity_info *s, cc_value v)
{
    return cc_uniformity_of(s, v).kind;
}

/* Of lanes that are evenly spaced. */
static bool are_compared(const cc_uniformity_info *s, cc_value a, cc_value b)
{
    return kind(s, a) == CC_AFFINE && kind(s, b) == CC_AFFINE;
}

/* The comparison that is taken for a number; or NULL. */
static cc_value flag_of(cc_value v)
{
    cc_value c = LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) ? LLVMGetOperand(v, 0) : NULL;
    return c && LLVMIsAICmpInst(c) ? c : NULL;
}

/* Whether v varies and is one of two values that do not both. */
static bool is_choice(const cc_uniformity_info *s, cc_value v)
{
    if (kind(s, v) != CC_VARYING)
        return false;
    if (LLVMIsASelectInst(v))
        return kind(s, LLVMGetOperand(v, 1)) == CC_AFFINE ||
               kind(s, LLVMGetOperand(v, 2)) == CC_AFFINE;
    cc_value pair = flag_of(v) ? flag_of(v) : cc_intrinsic_order(v) ? v : NULL;
    return pair && are_compared(s, LLVMGetOperand(pair, 0), LLVMGetOperand(pair, 1));
}

/* -- From a load to its choice -- */

/* The one operand that makes v vary from lane to lane, where v is made of it by adding,
   scaling or clamping; else their number. */
static unsigned only_varying(const cc_uniformity_info *s, cc_value v)
{
    unsigned found = 0, n = (unsigned)LLVMGetNumOperands(v), at = 0;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool scales = op == LLVMMul || op == LLVMShl;
    if (!LLVMIsAGetElementPtrInst(v) && !LLVMIsACastInst(v) && op != LLVMAdd &&
        op != LLVMSub && !(op == LLVMOr && LLVMGetIsDisjoint(v)) &&
        !(scales && LLVMIsConstant(LLVMGetOperand(v, 1))) && !cc_intrinsic_order(v))
        return n;
    for (unsigned k = 0; k < n; k++)
        if (kind(s, LLVMGetOperand(v, k)) == CC_VARYING) {
            at = k;
            found++;
        }
    bool from = at == 1 && cc_prefixed(cc_callee(v), "llvm.usub.sat.");
    return found == 1 && !from ? at : n;
}

static unsigned step_from(const cc_uniformity_info *s, cc_value v)
{
    if (LLVMIsALoadInst(v))
        return 0;
    return LLVMIsAStoreInst(v) ? 1 : only_varying(s, v);
}

/* The choice that makes an address vary; or NULL. */
static cc_value find_choice(const cc_uniformity_info *s, cc_value v, unsigned depth)
{
    if (!LLVMIsAInstruction(v) || depth > MOST_STEPS)
        return NULL;
    if (is_choice(s, v))
        return v;
    if (LLVMIsASelectInst(v))
        return NULL;
    unsigned at = only_varying(s, v);
    return at < (unsigned)LLVMGetNumOperands(v)
               ? find_choice(s, LLVMGetOperand(v, at), depth + 1)
               : NULL;
}

/* -- What a clamp is if it does not clamp -- */

/* x of the maximum of x and the uniform 0, and so on. */
static unsigned free_operand(const cc_uniformity_info *s, cc_value clamp)
{
    return cc_uniform(cc_uniformity_of(s, LLVMGetOperand(clamp, 0))) &&
           !cc_prefixed(cc_callee(clamp), "llvm.usub.sat.");
}

static cc_uniformity unclamped(const cc_uniformity_info *s, cc_value clamp)
{
    if (flag_of(clamp))
        return (cc_uniformity){CC_AFFINE, false, 1, 0};
    cc_uniformity a =
        cc_uniformity_of(s, LLVMGetOperand(clamp, free_operand(s, clamp)));
    if (cc_prefixed(cc_callee(clamp), "llvm.usub.sat."))
        a.stride -= cc_uniformity_of(s, LLVMGetOperand(clamp, 1)).stride;
    return a;
}

/* The same of what is made of it, if clamps on the way do not clamp either. */
static cc_uniformity if_unclamped(cc_uniformity_info *s, cc_value v, cc_value clamp)
{
    if (v == clamp)
        return unclamped(s, clamp);
    cc_value from = LLVMGetOperand(v, only_varying(s, v));
    cc_uniformity as = if_unclamped(s, from, clamp);
    return cc_intrinsic_order(v) ? as : cc_uniformity_if(s, v, from, as);
}

/* A clamp pays where lanes are neighbours without it, or nearly so. */
static bool pays(cc_unit *u, cc_uniformity_info *s, cc_value access, cc_value choice)
{
    bool stores = LLVMIsAStoreInst(access) != NULL;
    if (LLVMIsASelectInst(choice))
        return !stores;
    cc_uniformity at = if_unclamped(s, cc_pointer_of(access), choice);
    cc_value v = stores ? LLVMGetOperand(access, 0) : access;
    int64_t most = (int64_t)cc_sizeof(u, LLVMTypeOf(v)) * FAR;
    return at.kind == CC_AFFINE && at.stride <= most && at.stride >= -most;
}

static bool is_plain_load(cc_value i)
{
    return LLVMIsALoadInst(i) && !cc_is_ordered(i);
}

static bool is_plain_store(cc_value i)
{
    return LLVMIsAStoreInst(i) && !cc_is_ordered(i);
}

/* That makes the access a gather or scatter for no need; or NULL. A load without a use
   is gone. */
static cc_value choice_of(cc_unit *u, cc_uniformity_info *s, cc_value i)
{
    if (!is_plain_store(i) && (!is_plain_load(i) || !LLVMGetFirstUse(i)))
        return NULL;
    cc_value choice = find_choice(s, cc_pointer_of(i), 0);
    return choice && pays(u, s, i, choice) ? choice : NULL;
}

/* -- Loads that share a branch -- */

typedef struct {
    cc_value choice, load[MOST_TOGETHER]; /* or one store */
    unsigned n;
} group;

/* Whether v is computed from the first load of the group on, and before `end`. */
static bool comes_later(const group *g, cc_value v, cc_value end)
{
    for (cc_value i = g->load[0]; i != end; i = LLVMGetNextInstruction(i))
        if (i == v)
            return true;
    return false;
}

/* Whether all that makes the address of a load, beside the choice, is there where the
   first load stands. */
static bool can_move_up(const cc_uniformity_info *s, const group *g, cc_value load)
{
    for (cc_value v = load; v != g->choice;) {
        unsigned at = step_from(s, v);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
            if (k != at && comes_later(g, LLVMGetOperand(v, k), load))
                return false;
        v = LLVMGetOperand(v, at);
    }
    return true;
}

static void find_group(cc_unit *u, cc_uniformity_info *s, group *g)
{
    unsigned between = 0;
    for (cc_value i = LLVMGetNextInstruction(g->load[0]);
         i && g->n < MOST_TOGETHER && between < MOST_BETWEEN && !cc_may_write(i);
         i = LLVMGetNextInstruction(i), between++)
        if (choice_of(u, s, i) == g->choice && can_move_up(s, g, i))
            g->load[g->n++] = i;
}

/* -- The branch -- */

/* Copies of the steps from the choice to addresses, with something else in its place.
 */
typedef struct {
    cc_unit *unit;
    const cc_uniformity_info *uniformity;
    const group *group;
    cc_builder b;
    enum { THEN, OTHERWISE, UNCLAMPED, CLAMPED } way;
    cc_value condition; /* of UNCLAMPED: no lane clamps */
    unsigned n;
    struct {
        cc_value of, copy;
    } made[MOST_TOGETHER * (MOST_STEPS + 3)];
} copies;

static void add_condition(copies *c, cc_value comparison)
{
    cc_value every =
        cc_call_function(c->unit, c->b, CC_FN_EVERY, c->unit->i1, &comparison);
    c->condition = c->condition ? LLVMBuildAnd(c->b, c->condition, every, "") : every;
}

/* x of the maximum of x and y, if all lanes of x are at least y; `at` is the number of
   x. Where both are equal, x is right, too. */
static cc_value copy_unclamped(copies *c, cc_value clamp, unsigned at, cc_value x)
{
    LLVMIntPredicate order = cc_intrinsic_order(clamp);
    cc_value y = LLVMGetOperand(clamp, !at);
    bool upwards = order == LLVMIntSGT || order == LLVMIntUGT;
    bool is_signed = order == LLVMIntSGT || order == LLVMIntSLT;
    order = upwards     ? is_signed ? LLVMIntSGE : LLVMIntUGE
            : is_signed ? LLVMIntSLE
                        : LLVMIntULE;
    add_condition(c, LLVMBuildICmp(c->b, order, x, y, ""));
    return cc_prefixed(cc_callee(clamp), "llvm.usub.sat.")
               ? LLVMBuildNUWSub(c->b, x, y, "")
               : x;
}

/* A comparison as a number: all lanes differ, or are in order. */
static cc_value copy_flag(copies *c, cc_value flag)
{
    cc_value comparison = flag_of(flag);
    LLVMIntPredicate order = LLVMGetICmpPredicate(comparison);
    bool equal = order == LLVMIntEQ;
    if (equal)
        comparison = LLVMBuildICmp(c->b, LLVMIntNE, LLVMGetOperand(comparison, 0),
                                   LLVMGetOperand(comparison, 1), "");
    add_condition(c, comparison);
    return cc_int(LLVMTypeOf(flag), equal ? 0 : LLVMIsAZExtInst(flag) ? 1 : ~0ull);
}

static cc_value copy_choice(copies *c, cc_value choice)
{
    if (c->way == CLAMPED)
        return choice;
    if (LLVMIsASelectInst(choice))
        return LLVMGetOperand(choice, c->way == THEN ? 1 : 2);
    if (flag_of(choice))
        return copy_flag(c, choice);
    unsigned at = free_operand(c->uniformity, choice);
    return copy_unclamped(c, choice, at, LLVMGetOperand(choice, at));
}

static cc_value copy_of(copies *c, cc_value v)
{
    for (unsigned k = 0; k < c->n; k++)
        if (c->made[k].of == v)
            return c->made[k].copy;
    cc_value copy;
    if (v == c->group->choice) {
        copy = copy_choice(c, v);
    } else {
        unsigned at = step_from(c->uniformity, v);
        cc_value from = copy_of(c, LLVMGetOperand(v, at));
        if (cc_intrinsic_order(v) && c->way == UNCLAMPED) {
            copy = copy_unclamped(c, v, at, from);
        } else {
            copy = LLVMInstructionClone(v);
            LLVMSetOperand(copy, at, from);
            LLVMInsertIntoBuilder(c->b, copy);
        }
    }
    c->made[c->n].of = v;
    c->made[c->n++].copy = copy;
    return copy;
}

static cc_value access_at(cc_builder b, cc_value access, cc_value pointer)
{
    cc_value copy = LLVMInstructionClone(access);
    LLVMSetOperand(copy, LLVMIsAStoreInst(access) ? 1 : 0, pointer);
    LLVMInsertIntoBuilder(b, copy);
    return copy;
}

static void branch(cc_unit *u, const cc_uniformity_info *s, const group *g)
{
    cc_block head = cc_split_after(u, LLVMGetPreviousInstruction(g->load[0]));
    cc_block tail = LLVMGetInstructionParent(g->load[0]), arm[2];
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_value each[MOST_TOGETHER][2], pointer[MOST_TOGETHER];
    bool clamps = !LLVMIsASelectInst(g->choice);
    copies c = {.unit = u, .uniformity = s, .group = g, .b = b, .way = UNCLAMPED};
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(head));
    for (unsigned l = 0; l < g->n && clamps; l++)
        pointer[l] = copy_of(&c, cc_pointer_of(g->load[l]));
    for (unsigned k = 0; k < 2; k++) {
        copies way = {.unit = u, .uniformity = s, .group = g, .b = b};
        way.way = clamps ? CLAMPED : k ? OTHERWISE : THEN;
        arm[k] = LLVMInsertBasicBlockInContext(u->context, tail, "arm");
        LLVMPositionBuilderAtEnd(b, arm[k]);
        for (unsigned l = 0; l < g->n; l++) {
            cc_value p =
                clamps && !k ? pointer[l] : copy_of(&way, cc_pointer_of(g->load[l]));
            each[l][k] = access_at(b, g->load[l], p);
        }
        LLVMBuildBr(b, tail);
    }
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(b, head);
    LLVMBuildCondBr(b, clamps ? c.condition : LLVMGetOperand(g->choice, 0), arm[0],
                    arm[1]);
    if (LLVMIsAStoreInst(g->load[0]))
        return;
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(tail));
    for (unsigned l = 0; l < g->n; l++) {
        cc_value phi = LLVMBuildPhi(b, LLVMTypeOf(g->load[l]), "");
        LLVMAddIncoming(phi, each[l], arm, 2);
        LLVMReplaceAllUsesWith(g->load[l], phi);
    }
}

void cc_branch_to_loads(cc_unit *u, cc_value region, cc_uniformity_rules rules)
{
    cc_uniformity_info *s = cc_uniformity_infer(cc_cfg_build(region), rules);
    cc_value store[MOST_BRANCHES];
    unsigned n = 0, stores = 0;
    for (unsigned k = 0; k < s->count && n < MOST_BRANCHES; k++) {
        group g = {.n = 1, .load = {s->value[k]}};
        g.choice = choice_of(u, s, s->value[k]);
        if (!g.choice || !LLVMGetPreviousInstruction(s->value[k]))
            continue;
        if (LLVMIsAStoreInst(g.load[0]))
            store[stores++] = g.load[0];
        else
            find_group(u, s, &g);
        branch(u, s, &g);
        n++;
    }
    /* Not before: the map knows them. */
    for (unsigned k = 0; k < s->count; k++)
        if (is_plain_load(s->value[k]) && !LLVMGetFirstUse(s->value[k]))
            LLVMInstructionEraseFromParent(s->value[k]);
    for (unsigned k = 0; k < stores; k++)
        LLVMInstructionEraseFromParent(store[k]);
}
