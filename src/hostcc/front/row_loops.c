/* Loops in which each thread goes along a row of its own:

       for (int k = 0; k < n; k++)
           sum += x[i * n + k];

   Several of their iterations become one, as many as the elements of a row that are
   loaded together (vector/lane_rows.c): sums of rows of 4 KB took a quarter of the
   time. Only where nothing is stored: a row may be what another thread writes. */
#include "hostcc/front/front.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/intrinsic_table.h"
#include "hostcc/ir/uniformity.h"

#define MOST_CODE 256 /* instructions of a loop afterwards */

typedef struct {
    cc_unit *unit;
    const cc_cfg *cfg;
    const cc_uniformity_info *uniformity;
    int loop;
} loops;

static bool changes(const loops *l, cc_value v)
{
    return cc_loop_computes(l->cfg, l->loop, v);
}

static bool is_innermost(const loops *l)
{
    for (unsigned k = 0; k < l->cfg->nloops; k++)
        if (l->cfg->loop[k].parent == l->loop)
            return false;
    return true;
}

/* What v grows by in each iteration, if it is the loop's counter; else 0. */
static int64_t step(const loops *l, cc_value v)
{
    const cc_loop *loop = &l->cfg->loop[l->loop];
    if (!LLVMIsAPHINode(v) ||
        LLVMGetInstructionParent(v) != l->cfg->node[loop->header].ref ||
        LLVMCountIncoming(v) != 2)
        return 0;
    unsigned k = LLVMGetIncomingBlock(v, 1) == l->cfg->node[loop->latch].ref;
    cc_value next = LLVMGetIncomingValue(v, k);
    if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd ||
        LLVMGetOperand(next, 0) != v || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
        return 0;
    return LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
}

/* The size of an element, if a load goes along a row of each lane's; else 0. */
static unsigned along_row(const loops *l, cc_value load)
{
    cc_value p = cc_pointer_of(load);
    cc_uniformity lanes = cc_uniformity_of(l->uniformity, p);
    cc_address_sum sum = cc_address_sum_of(l->unit, p);
    unsigned size = cc_sizeof(l->unit, LLVMTypeOf(load));
    int64_t by = 0, apart = lanes.stride < 0 ? -lanes.stride : lanes.stride;
    if (!size || size >= CC_ROW_BYTES || cc_is_ordered(load) || changes(l, sum.root) ||
        (lanes.kind == CC_AFFINE && apart <= CC_INTERLEAVED * (int64_t)size))
        return 0;
    for (unsigned k = 0; k < sum.n; k++) {
        int64_t one = step(l, sum.term[k].number);
        if (!one && changes(l, sum.term[k].number))
            return 0;
        by += one * (int64_t)sum.term[k].scale;
    }
    return by == size ? size : 0;
}

/* How many iterations to make one of; 0: none. */
static unsigned turns(const loops *l)
{
    unsigned smallest = 0, n = 0;
    const cc_loop *loop = &l->cfg->loop[l->loop];
    if (loop->divergent || !is_innermost(l) || l->cfg->node[loop->latch].nsucc != 2)
        return 0;
    for (unsigned k = 0; k < l->cfg->n; k++) {
        if (!cc_loop_contains(l->cfg, l->loop, k))
            continue;
        CC_EACH_INST(i, l->cfg->node[k].ref) {
            const char *callee = cc_callee(i);
            unsigned size = LLVMIsALoadInst(i) ? along_row(l, i) : 0;
            if (LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAFenceInst(i) ||
                LLVMIsAAtomicCmpXchgInst(i) ||
                (LLVMIsACallInst(i) && !cc_intrinsic_is_pure(callee) &&
                 !cc_prefixed(callee, CC_LIBM)))
                return 0;
            if (size && (!smallest || size < smallest))
                smallest = size;
            n++;
        }
    }
    unsigned count = smallest ? CC_ROW_BYTES / smallest : 0;
    while (count * n > MOST_CODE)
        count /= 2;
    return count > 1 ? count : 0;
}

void cc_unroll_rows(cc_unit *u)
{
    cc_uniformity_rules rules = {cc_lanes_in(u, 1), false};
    bool found = false;
    if (u->options->level == 0 || u->options->checks)
        return;
    for (unsigned k = 0; k < u->nkernels; k++) {
        cc_cfg *g = cc_cfg_build(u->kernels[k].function);
        loops l = {u, g, g->nloops ? cc_uniformity_infer(g, rules) : NULL, 0};
        for (; l.loop < (int)g->nloops; l.loop++) {
            unsigned n = turns(&l);
            if (n)
                cc_unroll(u, g->node[g->loop[l.loop].latch].terminator, n);
            found |= n > 0;
        }
    }
    if (!found)
        return;
    cc_passes(u, "function(loop-unroll<no-partial;no-runtime;no-peeling;no-upperbound;"
                 "full-unroll-max=0;O2>,early-cse)");
    cc_canonical(u);
}
