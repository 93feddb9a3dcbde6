/* Passes one after the other. While a whole block goes the same way, hostcuda has
   nothing to do at a barrier but to call the next pass, which takes as long as a pass
   does in which threads only add two numbers. So the pass calls it. Only the ones
   ahead: in a circle nobody would ask whether the block should end. */
#include "hostcc/back/back.h"
#include "hostcc/split/split.h"

/* Where a pass ends of which all vectors have reached the barrier of that state. */
static void go_on(cc_unit *u, cc_builder b, const cc_layout *l, cc_value end,
                  unsigned state)
{
    cc_value f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(end)),
             args[] = {LLVMGetParam(f, 0), LLVMGetParam(f, 1), l->masked[state]};
    LLVMPositionBuilderBefore(b, end);
    cc_value next =
        LLVMBuildCall2(b, LLVMGlobalGetValueType(f), l->pass[state], args, 3, "");
    LLVMSetTailCall(next, 1);
    LLVMSetOperand(end, 0, next);
}

void cc_chain_passes(cc_unit *u, const cc_layout *l)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    if (u->options->level == 0 || u->options->checks)
        return; /* who checks is told of each barrier */
    for (unsigned s = 0; s < l->nstates && l->nstates > 1; s++)
        CC_EACH_INST_OF(i, l->pass[s]) {
            cc_value v = LLVMIsAReturnInst(i) ? LLVMGetOperand(i, 0) : NULL;
            uint64_t to = v && LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
            if (to > s && to < l->nstates && l->states[to].kind == HC_BARRIER)
                go_on(u, b, l, i, (unsigned)to);
        }
}
