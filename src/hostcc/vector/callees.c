/* Calls: who makes vector code of each. */
#include "hostcc/vector/vector.h"
#include "hostcc/front/front.h"

#include <stddef.h>

static cc_emitter *const emitters[CC_FN_COUNT] = {
#define CC_FUNCTION(id, name, arguments, uniformity, again, state, op, emit) \
    [CC_FN_##id] = cc_emit_##emit,
#include "hostcc/ir/pseudo.def"
#undef CC_FUNCTION
};

static bool special_register(cc_vec *e, cc_value i)
{
    unsigned dim;
    cc_value v = NULL, lanes = NULL;
    switch (cc_register_of(i, &dim)) {
    case CC_TID:
        v = dim == 0 ? e->x0 : dim == 1 ? e->y : e->z;
        lanes = e->linear ? cc_thread_index(e, dim) : NULL;
        break;
    case CC_NTID:
        v = cc_block_dim(e, dim);
        break;
    case CC_CTAID:
        v = e->index[dim];
        break;
    case CC_NCTAID:
        v = cc_frame_field(e, e->entry, e->launch, offsetof(hc_launch, grid) + 4 * dim,
                           e->unit->i32);
        break;
    case CC_NO_REGISTER:
        return false;
    }
    cc_define(e, i, lanes ? NULL : v, lanes);
    return true;
}

void cc_call(cc_vec *e, cc_value i)
{
    cc_emitter *emit = emitters[cc_function_of(i)];
    if (emit) {
        cc_value v = emit(e, i);
        if (v)
            cc_define(e, i, v, NULL);
        return;
    }
    if (special_register(e, i) || cc_vector_call(e, i))
        return;
    cc_refuse_ptx(i, e->kernel->name);
    if (cc_copy_row(e, i))
        return;
    if (!cc_prefixed(cc_callee(i), "llvm.") || !cc_intrinsic_call(e, i))
        cc_lane_by_lane(e, i);
}
