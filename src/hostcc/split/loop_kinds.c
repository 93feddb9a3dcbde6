/* Loops of two kinds suspend although they hold no barrier: those that wait for other
   threads, which must let them run, and those that stride over the block or the grid,
   whose vectors go in step. */
#include "hostcc/split/split.h"
#include "hostcc/ir/addresses.h"

/* -- Loops that try again -- */

static cc_value without_casts(cc_value v)
{
    while (LLVMIsABitCastInst(v) || LLVMIsAFreezeInst(v) || LLVMIsAIntToPtrInst(v) ||
           LLVMIsAPtrToIntInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static bool is_member(cc_value swap, cc_value v, unsigned member)
{
    return LLVMIsAExtractValueInst(v) && LLVMGetOperand(v, 0) == swap &&
           LLVMGetIndices(v)[0] == member;
}

/* Whether v tells that the exchange was made. */
static bool is_success(cc_value swap, cc_value v)
{
    return is_member(swap, v, 1);
}

/* Whether v is what was in memory; clang writes exchanged ? expected : seen, too. */
static bool is_seen(cc_value swap, cc_value v)
{
    return is_member(swap, v, 0) ||
           (LLVMIsASelectInst(v) && is_success(swap, LLVMGetOperand(v, 0)) &&
            LLVMGetOperand(v, 1) == LLVMGetOperand(swap, 1) &&
            is_member(swap, LLVMGetOperand(v, 2), 0));
}

static bool is_inside(const cc_cfg *g, int loop, cc_block b)
{
    return cc_loop_contains(g, loop, cc_cfg_node(g, b));
}

/* Whether v, which is expected to be in memory still, was seen there in this turn of
   the loop, or by the exchange of the turn before. */
static bool was_just_seen(const cc_cfg *g, int loop, cc_value swap, cc_value v,
                          cc_map *seen)
{
    v = without_casts(v);
    if (is_seen(swap, v))
        return true;
    if (!LLVMIsAInstruction(v) || !is_inside(g, loop, LLVMGetInstructionParent(v)))
        return false;
    if (LLVMIsALoadInst(v))
        return LLVMGetOperand(v, 0) == LLVMGetOperand(swap, 0);
    if (!LLVMIsAPHINode(v))
        return false;
    if (cc_map_get(seen, v) >= 0)
        return true;
    cc_map_put(seen, v, 1);
    bool all = true;
    for (unsigned k = 0; k < LLVMCountIncoming(v) && all; k++)
        all = !is_inside(g, loop, LLVMGetIncomingBlock(v, k)) ||
              was_just_seen(g, loop, swap, LLVMGetIncomingValue(v, k), seen);
    return all;
}

static bool compares_result(cc_value swap, cc_value compare)
{
    cc_value expected = without_casts(LLVMGetOperand(swap, 1));
    for (unsigned k = 0; k < 2; k++)
        if (is_seen(swap, without_casts(LLVMGetOperand(compare, k))))
            return without_casts(LLVMGetOperand(compare, 1 - k)) == expected;
    return false;
}

static bool is_constant(cc_value v, bool value)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == value;
}

/* Whether the exchange has failed where the condition has this value. (Of numbers that
   are compared as floats this is not true of NaN; who does that loops for ever.) */
static bool tells_failure(cc_value swap, cc_value condition, bool value)
{
    cc_value a, b;
    if (is_success(swap, condition))
        return !value;
    if (LLVMIsAICmpInst(condition) && compares_result(swap, condition))
        return LLVMGetICmpPredicate(condition) == (value ? LLVMIntNE : LLVMIntEQ);
    if (LLVMIsAFCmpInst(condition) && compares_result(swap, condition)) {
        LLVMRealPredicate p = LLVMGetFCmpPredicate(condition);
        return value ? p == LLVMRealUNE || p == LLVMRealONE
                     : p == LLVMRealOEQ || p == LLVMRealUEQ;
    }
    if (!LLVMIsAInstruction(condition))
        return false;
    switch (LLVMGetInstructionOpcode(condition)) {
    case LLVMAnd:
    case LLVMOr:
        a = LLVMGetOperand(condition, 0);
        b = LLVMGetOperand(condition, 1);
        return (LLVMGetInstructionOpcode(condition) == LLVMAnd) == value
                   ? tells_failure(swap, a, value) || tells_failure(swap, b, value)
                   : tells_failure(swap, a, value) && tells_failure(swap, b, value);
    case LLVMXor:
        return is_constant(LLVMGetOperand(condition, 1), true) &&
               tells_failure(swap, LLVMGetOperand(condition, 0), !value);
    case LLVMSelect: /* a && b, a || b */
        a = LLVMGetOperand(condition, 0);
        b = LLVMGetOperand(condition, value ? 1 : 2);
        return is_constant(LLVMGetOperand(condition, value ? 2 : 1), !value) &&
               (tells_failure(swap, a, value) || tells_failure(swap, b, value));
    default:
        return false;
    }
}

/* Whether each turn begins where the exchange of the one before has failed. */
static bool turns_by_failure(const cc_cfg *g, int loop, cc_value swap)
{
    unsigned header = g->loop[loop].header;
    for (unsigned i = g->loop[loop].latch;; i = g->node[i].idom) {
        const cc_node *n = &g->node[i];
        for (unsigned k = 0; n->loop == loop && n->nsucc == 2 && k < 2; k++)
            if (!cc_loop_contains(g, loop, n->succ[k]) &&
                tells_failure(swap, LLVMGetCondition(n->terminator), k == 1))
                return true;
        if (i == header)
            return false;
    }
}

/* do { expected = seen; seen = atomicCAS(p, expected, f(expected)); }
   while (seen != expected), and the like. A turn follows another only if somebody else
   has changed *p in between. So somebody gets on, and nobody waits: to let others run
   after each turn makes more threads fail. */
static bool tries_again(const cc_cfg *g, int loop)
{
    for (unsigned i = 0; i < g->n; i++) {
        if (g->node[i].loop != loop)
            continue;
        CC_EACH_INST(v, g->node[i].ref) {
            if (LLVMIsAAtomicCmpXchgInst(v) &&
                was_just_seen(g, loop, v, LLVMGetOperand(v, 1), cc_map_new()) &&
                turns_by_failure(g, loop, v))
                return true;
        }
    }
    return false;
}

/* -- Loops that wait for other threads -- */

/* Not what a thread alone can change, as the counter of `for (volatile int k = 0;
   ...)`, by which people spend time. */
static bool sees_others(cc_value i)
{
    bool may = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
               (LLVMIsALoadInst(i) && cc_is_ordered(i));
    return may && !cc_is_own(LLVMGetOperand(i, 0));
}

static cc_value access_behind(const cc_cfg *g, int loop, cc_value v, cc_map *seen);

static bool post_dominates(const cc_cfg *g, unsigned a, unsigned b)
{
    while (b != a && b < g->n)
        b = g->node[b].ipdom;
    return a == b;
}

/* The access of others' memory that decides whether a thread at `top` comes to `node`,
   or leaves it by which way; both in the loop. */
static cc_value access_of_way(const cc_cfg *g, int loop, unsigned top, unsigned node,
                              cc_map *seen)
{
    cc_value found = NULL;
    for (unsigned i = node; !found; i = g->node[i].idom) {
        const cc_node *n = &g->node[i];
        if (n->nsucc == 2 && (i == node || !post_dominates(g, node, i)))
            found = access_behind(g, loop, LLVMGetCondition(n->terminator), seen);
        if (i == top || i == g->loop[loop].header)
            break;
    }
    return found;
}

/* The same for which of its values a phi has. */
static cc_value access_of_choice(const cc_cfg *g, int loop, cc_value phi, cc_map *seen)
{
    unsigned at = cc_cfg_node(g, LLVMGetInstructionParent(phi));
    cc_value found = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(phi) && !found; k++) {
        unsigned from = cc_cfg_node(g, LLVMGetIncomingBlock(phi, k));
        unsigned top = cc_dominates(g, at, from) ? at : g->node[at].idom;
        if (cc_loop_contains(g, loop, from))
            found = access_of_way(g, loop, top, from, seen);
    }
    return found;
}

/* The access of others' memory in the loop that v depends on, or NULL. */
static cc_value access_behind(const cc_cfg *g, int loop, cc_value v, cc_map *seen)
{
    if (!LLVMIsAInstruction(v) || cc_map_get(seen, v) >= 0)
        return NULL;
    int at = cc_map_get(g->numbers, LLVMGetInstructionParent(v));
    if (at < 0 || !cc_loop_contains(g, loop, (unsigned)at))
        return NULL;
    cc_map_put(seen, v, 1);
    if (sees_others(v))
        return v;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++) {
        cc_value found = access_behind(g, loop, LLVMGetOperand(v, k), seen);
        if (found)
            return found;
    }
    return LLVMIsAPHINode(v) ? access_of_choice(g, loop, v, seen) : NULL;
}

/* The same of the conditions of this node, if it may leave the loop. */
static cc_value access_of_exit(const cc_cfg *g, int loop, unsigned node)
{
    const cc_node *n = &g->node[node];
    if (n->nsucc < 2 || (cc_loop_contains(g, loop, n->succ[0]) &&
                         cc_loop_contains(g, loop, n->succ[1])))
        return NULL;
    return access_of_way(g, loop, g->loop[loop].header, node, cc_map_new());
}

static bool lets_others_run(cc_value v)
{
    return LLVMIsAFenceInst(v) || cc_function_of(v) == CC_FN_PAUSE;
}

bool cc_loop_waits(const cc_cfg *g, int loop)
{
    if (tries_again(g, loop))
        return false;
    for (unsigned i = 0; i < g->n; i++) {
        if (!cc_loop_contains(g, loop, i))
            continue;
        CC_EACH_INST(v, g->node[i].ref) {
            if (lets_others_run(v))
                return g->node[i].loop == loop;
        }
        if (access_of_exit(g, loop, i))
            return true;
    }
    return false;
}

cc_value cc_loop_waits_at(const cc_cfg *g, int loop)
{
    cc_value found = NULL;
    for (unsigned i = 0; i < g->n && !found; i++)
        if (cc_loop_contains(g, loop, i))
            found = access_of_exit(g, loop, i);
    for (unsigned i = 0; i < g->n && !found; i++)
        if (cc_loop_contains(g, loop, i))
            CC_EACH_INST(v, g->node[i].ref) {
                if (!found && lets_others_run(v))
                    found = v;
            }
    return found;
}

/* Volatile accesses in a loop that waits are signs that threads give each other, and
   those elsewhere to the same variable of shared memory: race checks take them for
   atomic. */
static void mark_sign(cc_unit *u, cc_value access)
{
    cc_value i = LLVMGetPreviousInstruction(access);
    while (i && !cc_is_access(i) && cc_function_of(i) != CC_FN_RACE)
        i = LLVMGetPreviousInstruction(i);
    if (i && !cc_is_access(i)) {
        uint64_t what = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
        LLVMSetOperand(i, 1, cc_int(u->i64, what | HC_RACE_ATOMIC));
    }
    if (cc_function_of(LLVMGetNextInstruction(access)) == CC_FN_RACE_SIGN)
        return;
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(access));
    cc_value none = cc_int(u->i32, 0);
    cc_call_function(u, b, CC_FN_RACE_SIGN, u->none, &none);
}

static bool is_in_waiting_loop(const cc_cfg *g, cc_value i)
{
    bool waits = false;
    int l = g->node[cc_cfg_node(g, LLVMGetInstructionParent(i))].loop;
    for (; l >= 0 && !waits; l = g->loop[l].parent)
        waits = cc_loop_waits(g, l);
    return waits;
}

/* Where the variable of shared memory is that is accessed; NULL: not known. */
static cc_value variable_of(cc_value access)
{
    cc_value p = cc_pointer_of(access);
    while (LLVMIsAGetElementPtrInst(p))
        p = LLVMGetOperand(p, 0);
    return cc_function_of(p) == CC_FN_SHARED_AT ? LLVMGetOperand(p, 0) : NULL;
}

void cc_mark_signs(cc_unit *u, cc_value function)
{
    cc_cfg *g = cc_cfg_build(function);
    cc_map *variables = cc_map_new();
    CC_EACH_INST_OF(i, function) {
        if (cc_is_access(i) && LLVMGetVolatile(i) && variable_of(i) &&
            is_in_waiting_loop(g, i))
            cc_map_put(variables, variable_of(i), 1);
    }
    CC_EACH_INST_OF(i, function) {
        if (cc_is_access(i) && LLVMGetVolatile(i) &&
            (is_in_waiting_loop(g, i) ||
             (variable_of(i) && cc_map_get(variables, variable_of(i)) >= 0)))
            mark_sign(u, i);
    }
}

/* -- Loops in step -- */

/* What v counts: a product or sum of blockDim and gridDim, or a part of one. What is
   divided by them, chosen by them or loaded from there is no distance between vectors.
 */
static unsigned counts(cc_value v, unsigned depth)
{
    unsigned dim;
    cc_register_id reg = cc_register_of(v, &dim);
    if (*cc_register(v))
        return reg == CC_NTID ? CC_THREADS : reg == CC_NCTAID ? CC_BLOCKS : 0;
    if (!LLVMIsAInstruction(v) || depth > 8)
        return 0;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMMul:
        return counts(LLVMGetOperand(v, 0), depth + 1) |
               counts(LLVMGetOperand(v, 1), depth + 1);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMAnd:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFreeze:
        return counts(LLVMGetOperand(v, 0), depth + 1);
    default:
        return 0;
    }
}

/* for (i = ...; i < n; i += blockDim.x * gridDim.x): neighbours in memory belong to the
   next vector, not to the next iteration. All vectors of the block do an iteration
   before any does the next; where it strides over CC_BLOCKS, so do neighbouring blocks.
 */
unsigned cc_loop_strides(const cc_cfg *g, int loop)
{
    const cc_loop *l = &g->loop[loop];
    bool accesses = false;
    unsigned over = 0;
    for (unsigned i = 0; i < g->n; i++)
        CC_EACH_INST(v, g->node[i].ref) {
            accesses |= cc_loop_contains(g, loop, i) && cc_is_access(v);
        }
    CC_EACH_INST(phi, g->node[l->header].ref) {
        if (!accesses || !LLVMIsAPHINode(phi))
            return over;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            cc_value next = LLVMGetIncomingValue(phi, k);
            bool adds = LLVMIsAInstruction(next) &&
                        (LLVMGetInstructionOpcode(next) == LLVMAdd ||
                         LLVMGetInstructionOpcode(next) == LLVMGetElementPtr);
            if (!adds || LLVMGetIncomingBlock(phi, k) != g->node[l->latch].ref)
                continue;
            for (unsigned j = 0; j < 2; j++) /* x + stride, with nothing more to it */
                if (LLVMGetOperand(next, j) == phi)
                    over |= counts(LLVMGetOperand(next, 1 - j), 0);
        }
    }
    return over;
}

bool cc_has_barrier(const cc_cfg *g, unsigned node)
{
    CC_EACH_INST(v, g->node[node].ref) {
        hc_state_kind state = cc_functions[cc_function_of(v)].state;
        if (state != HC_ENTRY && state != HC_WARP)
            return true;
    }
    return false;
}

/* Where barriers keep a block's vectors together, a turn with more instructions for
   each of its accesses is not in step with other blocks: it computes for so long, and
   loops in step are code once more for each region that leads to one. Vectors that
   nothing keeps together need it even so: one that runs alone takes another page each
   turn, and a loop of 60 instructions an access took four times as long. But where
   loops inside of this one access nothing, and have so much code that it matters
   whether there is more of it, the time goes there. */
#define INSTRUCTIONS_AN_ACCESS 32
#define LONG_LOOPS 100 /* instructions */

bool cc_is_held_up_by_memory(const cc_cfg *g, int loop)
{
    unsigned accesses = 0, instructions = 0, computing = 0;
    bool barrier = false, *has_access = cc_alloc(g->nloops + 1);
    unsigned *size = cc_alloc((g->nloops + 1) * sizeof *size); /* without inner loops */
    for (unsigned i = 0; i < g->n; i++) {
        if (!cc_loop_contains(g, loop, i))
            continue;
        unsigned before = accesses;
        barrier |= cc_has_barrier(g, i);
        CC_EACH_INST(v, g->node[i].ref) {
            size[g->node[i].loop]++;
            accesses += cc_is_access(v) && !cc_is_shared(cc_pointer_of(v)) &&
                        !cc_is_own(cc_pointer_of(v));
        }
        for (int l = g->node[i].loop; accesses > before && l >= 0;
             l = g->loop[l].parent)
            has_access[l] = true;
    }
    for (unsigned l = 0; l < g->nloops; l++) {
        instructions += size[l];
        computing += has_access[l] || (int)l == loop ? 0 : size[l];
    }
    bool computes = barrier ? instructions >= INSTRUCTIONS_AN_ACCESS * accesses
                            : computing >= LONG_LOOPS && computing >= 4 * accesses;
    return accesses && !computes;
}

bool cc_strides_over_threads(cc_value function)
{
    cc_cfg *g = cc_cfg_build(function);
    for (unsigned l = 0; l < g->nloops; l++)
        if (cc_loop_strides(g, (int)l) && !cc_loop_waits(g, (int)l))
            return true;
    return false;
}
