/* Loops of threads that only wait: memory alone decides whether they go on, and another
   turn changes nothing that an earlier one has not changed. If every thread of the
   device is in one and a turn of all has ended none, they wait for ever: nothing that
   is read will change. hostcuda asks for that when nobody else could write
   (run/idle.c).

   A turn leads from the state at the loop's latch back to it. It may leave the loop and
   come again by way of a loop around it, so all code on such ways counts, but for ways
   on which the thread surely waits in another state, at a barrier, in between. */
#include "hostcc/split/split.h"
#include "hostcc/ir/intrinsic_table.h"

#include <stdlib.h>

typedef struct {
    const cc_cfg *cfg;
    int loop;
    bool *turn; /* by node: it may be part of a turn */
} search;

/* -- The nodes of a turn -- */

/* Marks nodes of the loops around, from `node` on, that no barrier parts from it.
   Returns whether the loop's header is among those that follow. */
static bool comes_back(const search *s, int around, unsigned node, bool *seen)
{
    const cc_cfg *g = s->cfg;
    bool found = false;
    if (node == g->loop[s->loop].header)
        return true;
    if (seen[node] || !cc_loop_contains(g, around, node) || cc_has_barrier(g, node))
        return false;
    seen[node] = true;
    for (unsigned k = 0; k < g->node[node].nsucc; k++)
        found |= comes_back(s, around, g->node[node].succ[k], seen);
    return found;
}

static void find_turn(search *s)
{
    const cc_cfg *g = s->cfg;
    bool *seen = cc_alloc(g->n + 1), again = false;
    int around = s->loop;
    while (g->loop[around].parent >= 0)
        around = g->loop[around].parent;
    for (unsigned i = 0; i < g->n; i++)
        s->turn[i] = cc_loop_contains(g, s->loop, i);
    for (unsigned i = 0; i < g->n && around != s->loop; i++)
        for (unsigned k = 0; k < g->node[i].nsucc && s->turn[i]; k++)
            if (!s->turn[g->node[i].succ[k]])
                again |= comes_back(s, around, g->node[i].succ[k], seen);
    for (unsigned i = 0; i < g->n && again; i++)
        s->turn[i] |= seen[i];
}

static bool in_turn(const search *s, cc_value v)
{
    int at = LLVMIsAInstruction(v)
                 ? cc_map_get(s->cfg->numbers, LLVMGetInstructionParent(v))
                 : -1;
    return at >= 0 && s->turn[at];
}

/* -- What a turn does -- */

static bool is_zero(cc_value v)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 0;
}

/* An atomic operation that has no effect when it is repeated. */
static bool settles(const search *s, cc_value i)
{
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++)
        if (in_turn(s, LLVMGetOperand(i, k)))
            return false;
    if (LLVMIsAAtomicCmpXchgInst(i))
        return true;
    switch (LLVMGetAtomicRMWBinOp(i)) {
    case LLVMAtomicRMWBinOpXchg:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
        return true;
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpXor:
        return is_zero(LLVMGetOperand(i, 1));
    default:
        return false;
    }
}

static bool is_idle_call(cc_value i)
{
    cc_function_id f = cc_function_of(i);
    const char *name = cc_name(LLVMGetCalledValue(i));
    return *cc_register(i) || cc_functions[f].again || f == CC_FN_PAUSE ||
           f == CC_FN_COUNTER || f == CC_FN_RACE || f == CC_FN_RACE_SIGN ||
           f == CC_FN_GRID_ARRIVED || f == CC_FN_SHARED || f == CC_FN_SHARED_BYTES ||
           cc_functions[f].state == HC_WARP || cc_intrinsic_is_pure(cc_callee(i)) ||
           cc_prefixed(name, "llvm.lifetime.") || cc_prefixed(name, "llvm.assume");
}

static bool is_idle(const search *s, cc_value i)
{
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return settles(s, i);
    if (LLVMIsACallInst(i))
        return is_idle_call(i);
    return !LLVMIsAStoreInst(i);
}

/* Whether v is the same in every turn as long as memory is: it does not depend on what
   a turn leaves to the next. */
static bool is_constant(const search *s, cc_value v, cc_map *seen)
{
    if (!in_turn(s, v) || cc_map_get(seen, v) >= 0)
        return true;
    cc_map_put(seen, v, 1);
    unsigned at = cc_cfg_node(s->cfg, LLVMGetInstructionParent(v));
    int loop = s->cfg->node[at].loop;
    if (LLVMIsAPHINode(v) && loop >= 0 && s->cfg->loop[loop].header == at)
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
        if (!is_constant(s, LLVMGetOperand(v, k), seen))
            return false;
    return true;
}

static bool node_is_idle(const search *s, unsigned node)
{
    CC_EACH_INST(i, s->cfg->node[node].ref) {
        if (!is_idle(s, i))
            return false;
        bool atomic = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
        if (atomic && !is_constant(s, LLVMGetOperand(i, 0), cc_map_new()))
            return false;
    }
    cc_value end = s->cfg->node[node].terminator;
    return s->cfg->node[node].nsucc < 2 ||
           is_constant(s, LLVMGetCondition(end), cc_map_new());
}

unsigned cc_loop_idles(const cc_cfg *g, int loop)
{
    search s = {g, loop, cc_alloc(g->n + 1)};
    cc_value at = cc_loop_waits_at(g, loop);
    unsigned flags = HC_YIELD_IDLE;
    find_turn(&s);
    for (unsigned i = 0; i < g->n; i++)
        if (s.turn[i] && !node_is_idle(&s, i))
            flags = 0;
    if (at && LLVMIsALoadInst(at) &&
        cc_function_of(LLVMGetOperand(at, 0)) == CC_FN_GRID_ARRIVED)
        flags |= HC_YIELD_GRID;
    return flags;
}
