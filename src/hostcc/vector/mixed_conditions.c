/* Conditions of which a part is the same in all lanes, such as `x < width && y <
   height`, where y is the row's. As one mask they are computed for each vector anew.
   Here the uniform part is asked first, by a branch that all lanes take together; what
   is left for the mask is the same for vectors above one another, and LLVM takes it out
   of the loop over rows (back/vector_loops.c).

   LLVM hides such conditions: `x >= 0 && y >= 0` becomes the sign of x | y, and a
   second condition behind a branch a phi (split/joined_conditions.c).

   Runs on regions of kernels that wait, before they are vectorized. Elsewhere rows are
   not inside of columns, and one test of a mask is as good as a branch and a test. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/clone.h"

#define MOST_BRANCHES 64 /* in a region */
#define MOST_TERMS 12    /* of a condition */

/* -- The terms of a condition -- */

typedef struct {
    cc_value v;   /* the term; or a number, and the term is about its sign */
    bool is_sign; /* v >= 0 of a conjunction, v < 0 of a disjunction */
    bool guarded; /* not asked where a term in front of it decides */
    bool uniform;
} term;

typedef struct {
    const cc_uniformity_info *uniformity;
    cc_value branch, condition;
    bool all; /* the terms of a conjunction; else of a disjunction */
    unsigned n;
    term term[MOST_TERMS];
} terms;

static bool add_term(terms *t, cc_value v, bool is_sign, bool guarded)
{
    if (t->n == MOST_TERMS)
        return false;
    bool uniform = cc_uniform(cc_uniformity_of(t->uniformity, v));
    t->term[t->n++] = (term){v, is_sign, guarded, uniform};
    return true;
}

static bool is_number(cc_value v, int64_t n)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) == n;
}

/* x | y where the comparison is about its sign, of which one is uniform; or NULL. */
static cc_value signs_of(const terms *t, cc_value v)
{
    if (!LLVMIsAICmpInst(v) ||
        LLVMGetICmpPredicate(v) != (t->all ? LLVMIntSGT : LLVMIntSLT) ||
        !is_number(LLVMGetOperand(v, 1), t->all ? -1 : 0))
        return NULL;
    cc_value both = LLVMGetOperand(v, 0);
    if (!LLVMIsAInstruction(both) || LLVMGetInstructionOpcode(both) != LLVMOr)
        return NULL;
    bool uniform = false, varies = false;
    for (unsigned k = 0; k < 2; k++) {
        bool same =
            cc_uniform(cc_uniformity_of(t->uniformity, LLVMGetOperand(both, k)));
        uniform |= same;
        varies |= !same;
    }
    return uniform && varies ? both : NULL;
}

/* False: there are too many. */
static bool add_terms(terms *t, cc_value v, bool guarded)
{
    cc_value signs, part[2];
    if (cc_is_joined(v, t->all, part))
        return add_terms(t, part[0], guarded) &&
               add_terms(t, part[1], guarded || LLVMIsASelectInst(v));
    if ((signs = signs_of(t, v)))
        return add_term(t, LLVMGetOperand(signs, 0), true, guarded) &&
               add_term(t, LLVMGetOperand(signs, 1), true, guarded);
    return add_term(t, v, false, guarded);
}

static bool find_terms(const cc_uniformity_info *s, cc_value branch, bool all, terms *t)
{
    bool uniform = false, varies = false;
    *t = (terms){.uniformity = s, .branch = branch, .all = all};
    t->condition = LLVMGetCondition(branch);
    if (!LLVMIsAInstruction(t->condition) || !add_terms(t, t->condition, false))
        return false;
    for (unsigned k = 0; k < t->n; k++) {
        uniform |= t->term[k].uniform;
        varies |= !t->term[k].uniform;
    }
    return uniform && varies;
}

/* -- The branch in two -- */

/* The uniform terms or the others as one. A term that was guarded may not be known
   where it is asked now. */
static cc_value join(const terms *t, cc_builder b, bool uniform)
{
    cc_value sum = NULL;
    for (unsigned k = 0; k < t->n; k++) {
        cc_value v = t->term[k].v;
        if (t->term[k].uniform != uniform)
            continue;
        if (t->term[k].is_sign)
            v = LLVMBuildICmp(b, t->all ? LLVMIntSGT : LLVMIntSLT, v,
                              cc_int(LLVMTypeOf(v), t->all ? ~0ull : 0), "");
        if (uniform && t->term[k].guarded)
            v = LLVMBuildFreeze(b, v, "");
        cc_value decided = cc_int(LLVMTypeOf(v), !t->all);
        if (!sum)
            sum = v;
        else if (t->all)
            sum = LLVMBuildSelect(b, sum, v, decided, "");
        else
            sum = LLVMBuildSelect(b, sum, decided, v, "");
    }
    return sum;
}

static void ask_in_turn(cc_unit *u, const terms *t)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(t->condition));
    cc_value same = join(t, b, true), rest = join(t, b, false), decided, all;
    decided = cc_int(u->i1, !t->all);
    all = t->all ? LLVMBuildSelect(b, same, rest, decided, "")
                 : LLVMBuildSelect(b, same, decided, rest, "");
    LLVMReplaceAllUsesWith(t->condition, all);

    cc_block tail = LLVMGetInstructionParent(t->branch);
    cc_block other = LLVMGetSuccessor(t->branch, t->all);
    cc_block head = cc_split_block(u, tail, LLVMGetPreviousInstruction(t->branch));
    LLVMSetCondition(t->branch, rest);
    cc_value end = LLVMGetBasicBlockTerminator(head);
    LLVMPositionBuilderBefore(b, end);
    LLVMBuildCondBr(b, same, t->all ? tail : other, t->all ? other : tail);
    LLVMInstructionEraseFromParent(end);
    CC_EACH_INST(phi, other) {
        if (!LLVMIsAPHINode(phi))
            break;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
            if (LLVMGetIncomingBlock(phi, k) == tail) {
                cc_value v = LLVMGetIncomingValue(phi, k);
                LLVMAddIncoming(phi, &v, &head, 1);
                break;
            }
    }
}

static bool has_accesses(cc_block b)
{
    CC_EACH_INST(i, b) {
        if (cc_is_access(i) || (LLVMIsACallInst(i) && !*cc_register(i)))
            return true;
    }
    return false;
}

/* A varying branch forward, in its loop, around more than arithmetic. */
static bool is_worthwhile(const cc_cfg *g, unsigned at)
{
    const cc_node *node = &g->node[at];
    bool found = false;
    if (!node->varying_branch || node->succ[0] == node->succ[1])
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const cc_node *to = &g->node[node->succ[k]];
        if (node->succ[k] <= at || to->loop != node->loop)
            return false;
        found |= has_accesses(to->ref);
    }
    return found;
}

void cc_ask_uniform_part_first(cc_unit *u, cc_value region, cc_uniformity_rules rules)
{
    cc_cfg *g = cc_cfg_build(region);
    cc_uniformity_info *s = cc_uniformity_infer(g, rules);
    terms *found = cc_alloc(MOST_BRANCHES * sizeof *found);
    unsigned n = 0;
    for (unsigned i = 0; i < g->n && n < MOST_BRANCHES; i++)
        if (is_worthwhile(g, i) &&
            (find_terms(s, g->node[i].terminator, true, &found[n]) ||
             find_terms(s, g->node[i].terminator, false, &found[n])))
            n++;
    for (unsigned i = 0; i < n; i++)
        ask_in_turn(u, &found[i]);
}
