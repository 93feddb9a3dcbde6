/* Coverage: code for hc.count. Counters are memory of the worker (hc_frame.counters,
   abi/coverage.h), so nothing is atomic. Where all lanes run, how many they are need
   not be counted. In a loop the count is a variable of the function, which LLVM keeps
   in a register; it is added to the counter when the function returns. */
#include "hostcc/vector/vector.h"
#include "hostcc/check/check.h"

#include <stddef.h>
#include <stdlib.h>

typedef enum { FULL, LANES, VECTORS, PARTS } part;

static const size_t offset_of[PARTS] = {
    [FULL] = offsetof(hc_counter, full),
    [LANES] = offsetof(hc_counter, lanes),
    [VECTORS] = offsetof(hc_counter, vectors),
};

static void add(cc_vec *e, cc_builder b, cc_value at, cc_value n)
{
    cc_value old = LLVMBuildLoad2(b, e->unit->i64, at, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, old, n, ""), at);
}

/* In the worker's memory. */
static cc_value counter_at(cc_vec *e, cc_builder b, uint64_t counter, part p)
{
    if (!e->counters)
        e->counters = cc_frame_field(e, e->entry, e->frame,
                                     offsetof(hc_frame, counters), e->unit->ptr);
    return cc_offset(e->unit, b, e->counters,
                     counter * sizeof(hc_counter) + offset_of[p]);
}

/* The variable that counts in loops of this function. */
static cc_value variable_of(cc_vec *e, uint64_t counter, part p)
{
    for (unsigned k = 0; k < e->ncounts; k++)
        if (e->counts[k].counter == counter && e->counts[k].part == p)
            return e->counts[k].variable;
    cc_value variable = cc_stack(e, e->unit->i64, "count");
    LLVMBuildStore(e->entry, cc_int(e->unit->i64, 0), variable);
    e->counts = realloc(e->counts, (e->ncounts + 1) * sizeof *e->counts);
    if (!e->counts)
        cc_refuse("out of memory");
    e->counts[e->ncounts++] = (cc_count){counter, p, variable};
    return variable;
}

static void count(cc_vec *e, uint64_t counter, part p, cc_value n, bool in_loop)
{
    add(e, e->b, in_loop ? variable_of(e, counter, p) : counter_at(e, e->b, counter, p),
        n);
}

cc_value cc_emit_count(cc_vec *e, cc_value i)
{
    cc_type i64 = e->unit->i64;
    uint64_t counter = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    unsigned node = cc_cfg_node(e->cfg, LLVMGetInstructionParent(i));
    bool in_loop = e->cfg->node[node].loop >= 0;
    if (!e->mask) {
        count(e, counter, FULL, cc_int(i64, 1), in_loop);
        return NULL;
    }
    cc_value bits = cc_mask_bits(e, e->mask);
    cc_type t = LLVMTypeOf(bits);
    cc_value lanes = cc_intrinsic(e, "llvm.ctpop", &t, 1, &bits, 1);
    count(e, counter, LANES, LLVMBuildZExt(e->b, lanes, i64, ""), in_loop);
    cc_value any = cc_any(e, e->mask);
    count(e, counter, VECTORS, LLVMBuildZExt(e->b, any, i64, ""), in_loop);
    return NULL;
}

void cc_count_access(cc_vec *e, cc_value i, cc_value p, unsigned size)
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, p);
    bool even = s.kind == CC_AFFINE;
    int64_t apart = s.stride < 0 ? -s.stride : s.stride;
    if (!e->unit->coverage || (e->linear && e->kernel->layout[0].nstates))
        return; /* or an exception: rows of threads are the rule */
    cc_note_access(e->unit, i, !LLVMIsALoadInst(i),
                   !even           ? CC_ANYWHERE
                   : !apart        ? CC_SAME_PLACE
                   : apart == size ? CC_CONSECUTIVE
                                   : CC_STRIDED);
}

void cc_write_counts(cc_vec *e)
{
    cc_block b = e->ncounts ? LLVMGetFirstBasicBlock(e->function) : NULL;
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        cc_value end = LLVMGetBasicBlockTerminator(b);
        if (!end || !LLVMIsAReturnInst(end))
            continue;
        LLVMPositionBuilderBefore(e->b, end);
        for (unsigned k = 0; k < e->ncounts; k++)
            add(e, e->b, counter_at(e, e->b, e->counts[k].counter, e->counts[k].part),
                LLVMBuildLoad2(e->b, e->unit->i64, e->counts[k].variable, ""));
    }
}
