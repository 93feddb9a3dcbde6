/* Values that every vector of a block has saved alike, such as a loop counter at a
   barrier of the loop (split/state_machine.c says which they are). Each vector saves
   its own, since masked code runs vectors one by one. Full code finds them in memory of
   the pass, which reads them here, from the context of one vector, before it runs any:
   what is computed of them then need not be computed for each vector. */
#include "hostcc/back/loop_builder.h"
#include "hostcc/ir/pseudo.h"

#include <stddef.h>

/* Whether i is the address of one. */
static bool is_place(cc_value i)
{
    cc_function_id f = cc_function_of(i);
    return (f == CC_FN_SLOT || f == CC_FN_FUSED) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3));
}

bool cc_is_block_value(cc_value i)
{
    return LLVMIsALoadInst(i) && is_place(LLVMGetOperand(i, 0));
}

void cc_read_block_values(emitter *m, cc_value vector)
{
    cc_unit *u = m->unit;
    cc_value context = NULL, vectors = NULL;
    CC_EACH_INST_OF(i, m->region) {
        cc_value args[4];
        if (!is_place(i))
            continue;
        for (unsigned k = 0; k < 4; k++)
            args[k] = LLVMGetOperand(i, k);
        if (!context) {
            context = pointer_field(m, offsetof(hc_frame, context));
            vectors = cc_vectors_of_block(u, m->b, m->block_dim, m->width, m->linear);
        }
        uint64_t offset = LLVMConstIntGetZExtValue(args[0]),
                 bytes = LLVMConstIntGetZExtValue(args[2]);
        cc_type t = LLVMIntTypeInContext(u->context, 8 * (unsigned)bytes);
        cc_value from =
                     cc_slot_address(u, m->b, context, vectors, vector, offset, bytes),
                 to = cc_call_function(u, m->b, CC_FN_FUSED, u->ptr, args);
        LLVMBuildStore(m->b, LLVMBuildLoad2(m->b, t, from, ""), to);
    }
}
