/* Values that every vector of a block has saved alike, such as a loop counter at a
   barrier of the loop (split/state_machine.c says which they are). Each vector saves
   its own, since masked code runs vectors one by one. Full code finds them in memory of
   the pass, which reads them here, from the context of one vector, before it runs any:
   what is computed of them then need not be computed for each vector. */
#include "hostcc/back/loop_builder.h"
#include "hostcc/ir/pseudo.h"

#include <stddef.h>

static bool is_block_value(cc_value i)
{
    cc_function_id f = cc_function_of(i);
    return (f == CC_FN_SLOT || f == CC_FN_FUSED) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3));
}

void cc_read_block_values(emitter *m, cc_value vector)
{
    cc_unit *u = m->unit;
    cc_value context = NULL, vectors = NULL;
    CC_EACH_INST_OF(i, m->region) {
        cc_value args[4];
        if (!is_block_value(i))
            continue;
        for (unsigned k = 0; k < 4; k++)
            args[k] = LLVMGetOperand(i, k);
        if (!context) {
            context = pointer_field(m, offsetof(hc_frame, context));
            vectors = cc_vectors_of_block(u, m->b, m->block_dim, m->width, m->linear);
            vectors = LLVMBuildZExt(m->b, vectors, u->i64, "");
            vector = LLVMBuildZExt(m->b, vector, u->i64, "");
        }
        cc_value offset = LLVMBuildZExt(m->b, args[0], u->i64, ""),
                 bytes = LLVMBuildZExt(m->b, args[2], u->i64, "");
        cc_value at = LLVMBuildAdd(m->b, LLVMBuildMul(m->b, vectors, offset, ""),
                                   LLVMBuildMul(m->b, vector, bytes, ""), "");
        cc_value from = LLVMBuildInBoundsGEP2(m->b, u->i8, context, &at, 1, ""),
                 to = cc_call_function(u, m->b, CC_FN_FUSED, u->ptr, args);
        cc_type t = LLVMIntTypeInContext(
            u->context, 8 * (unsigned)LLVMConstIntGetZExtValue(args[2]));
        LLVMBuildStore(m->b, LLVMBuildLoad2(m->b, t, from, ""), to);
    }
}
