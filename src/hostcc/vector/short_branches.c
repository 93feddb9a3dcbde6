/* Branches around a block or two that meet behind them. Under masks, a way with effects
   costs a test of whether some lane takes it. Where all lanes take the same way, a
   branch is enough; where the ways are a few steps without effects, all lanes may as
   well take both. And loops that are left at their end alone, by all lanes at once. */
#include "hostcc/vector/vector.h"

#define MOST_LIGHT 8 /* instructions */

/* Whether masked code branches at this node as scalar code does: the condition is the
   same in all lanes, and a way has effects, so that masks would be asked anyway. */
bool cc_branches_together(const cc_vec *e, unsigned at)
{
    const cc_cfg *g = e->cfg;
    const cc_node *node = &g->node[at];
    unsigned join = cc_join_of_arms(g, at);
    bool effects = false;
    if (join == g->n || node->succ[0] == node->succ[1] ||
        !cc_same(e, LLVMGetCondition(node->terminator)))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        unsigned arm = node->succ[k];
        effects |= arm != join && cc_has_effects(e, arm);
        if (arm != join && e->tail[arm])
            return false;
    }
    return effects;
}

/* Whether the stretch from a branch to where lanes meet again is a few steps, which all
   lanes are better taken through than asked about. */
bool cc_is_light(const cc_vec *e, unsigned at)
{
    const cc_cfg *g = e->cfg;
    const cc_node *node = &g->node[at];
    unsigned stop = node->reconvergence, n = 0;
    if (stop == g->n || g->node[stop].loop != node->loop ||
        cc_join_of_arms(g, at) != stop)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        unsigned arm = node->succ[k];
        if (arm != stop && cc_has_effects(e, arm))
            return false;
        CC_EACH_INST(i, g->node[arm].ref)
            n += arm != stop && !LLVMIsATerminatorInst(i);
    }
    return n <= MOST_LIGHT;
}

/* Whether masked code goes around this loop as scalar code does, whichever lanes are in
   it: all that enter it go around as often. */
bool cc_loops_together(const cc_vec *e, int loop)
{
    const cc_cfg *g = e->cfg;
    const cc_loop *l = &g->loop[loop];
    const cc_node *latch = &g->node[l->latch];
    for (unsigned i = 0; i < g->n; i++) {
        const cc_node *node = &g->node[i];
        for (unsigned k = 0; k < node->nsucc; k++)
            if (i != l->latch && cc_loop_contains(g, loop, i) &&
                !cc_loop_contains(g, loop, node->succ[k]))
                return false;
    }
    return !l->divergent && e->few[loop] == 0 && !e->alone[l->latch] &&
           latch->nsucc == 2 && latch->succ[0] != latch->succ[1] &&
           cc_same(e, LLVMGetCondition(latch->terminator));
}
