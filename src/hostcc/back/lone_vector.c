/* Blocks that are one vector, such as those of 16 threads: nobody else arrives at their
   barriers. One function runs all regions in turn, as the vector goes from one to the
   next, and what lives across barriers stays in registers.

   That is each region's full code once more. It is made for kernels that look as if
   they were launched so: with a shared array that has a row of as many elements as a
   vector has lanes, or a few more, as borders and padding take; and only where all
   lanes go the same way to the same barrier, so that there is nothing to tell the
   scheduler. */
#include "hostcc/back/back.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/split/split.h"
#include "hostcc/vector/vector.h"

#include <stddef.h>

#define BORDER 2           /* elements of a row beside the lanes' own */
#define MOST_CONTEXT 16384 /* bytes of a vector that move to the stack */

static bool has_row_of_lanes(cc_type t, unsigned width)
{
    while (cc_kind(t) == LLVMArrayTypeKind) {
        uint64_t n = LLVMGetArrayLength2(t);
        if (n >= width && n <= width + BORDER)
            return true;
        t = LLVMGetElementType(t);
    }
    return false;
}

static bool accesses_rows_of_lanes(cc_value region, unsigned width)
{
    CC_EACH_INST_OF(i, region) {
        if (LLVMIsAGetElementPtrInst(i) && cc_is_shared(i) &&
            has_row_of_lanes(LLVMGetGEPSourceElementType(i), width))
            return true;
    }
    return false;
}

bool cc_is_for_lone_vectors(const cc_unit *u, const cc_kernel *k, const cc_value *full)
{
    const cc_layout *l = &k->layout[0];
    bool looks = false;
    if (u->options->level == 0 || u->options->checks || l->nstates < 2 ||
        l->context_bytes > MOST_CONTEXT)
        return false;
    for (unsigned s = 0; s < l->nstates; s++) {
        if ((s && l->states[s].kind != HC_BARRIER) || cc_reads_rows(l->region[s]) ||
            !cc_ends_together(full[s]))
            return false;
        looks |= accesses_rows_of_lanes(l->region[s], k->width);
    }
    return looks;
}

cc_value cc_lone_vector(cc_unit *u, const cc_kernel *k)
{
    const cc_layout *l = &k->layout[0];
    cc_type params[] = {u->ptr, u->ptr};
    cc_value f = LLVMAddFunction(u->module, cc_format("%s.lone", k->name),
                                 LLVMFunctionType(u->i32, params, 2, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    cc_target_attributes(u, f);
    cc_readable_param(u, f, 1, sizeof(hc_launch));
    cc_readable_param(u, f, 2, sizeof(hc_frame));
    cc_attribute(u, f, "noinline");
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_block *state = cc_alloc(l->nstates * sizeof *state);
    cc_value zero = cc_int(u->i32, 0), all = cc_int(u->i32, ~0u),
             frame = LLVMGetParam(f, 1), index[3];
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(u->context, f, "entry"));
    for (unsigned d = 0; d < 3; d++)
        index[d] = cc_fixed_load(
            u, b, u->i32, cc_offset(u, b, frame, offsetof(hc_frame, index) + 4 * d), 0);
    for (unsigned s = 0; s < l->nstates; s++)
        state[s] = LLVMAppendBasicBlockInContext(u->context, f, "state");
    LLVMBuildBr(b, state[0]);
    cc_block end = LLVMAppendBasicBlockInContext(u->context, f, "end");
    for (unsigned s = 0; s < l->nstates; s++) {
        cc_keep_slots_in_registers(u, l->region[s]);
        cc_value region =
            cc_vectorize(u, k, 0, s, false, (cc_uniformity_rules){.width = k->width});
        cc_value args[CC_NPARAMS] = {LLVMGetParam(f, 0),
                                     frame,
                                     index[0],
                                     index[1],
                                     index[2],
                                     zero,
                                     zero,
                                     zero,
                                     zero,
                                     all};
        LLVMPositionBuilderAtEnd(b, state[s]);
        cc_value next =
            LLVMBuildCall2(b, cc_vector_type(u), region, args, CC_NPARAMS, "");
        cc_value to = LLVMBuildSwitch(b, next, end, l->nstates - 1);
        for (unsigned t = 1; t < l->nstates; t++)
            LLVMAddCase(to, cc_int(u->i32, t), state[t]);
    }
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRet(b, cc_int(u->i32, HC_EXITED));
    return f;
}
