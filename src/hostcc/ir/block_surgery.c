/* Cutting blocks and edges in two: where a thread suspends, where a branch is put in.
 */
#include "hostcc/ir/clone.h"

/* Splits after `end_of_head`; NULL: before all. The head is a new block; the tail keeps
   the old one, so that the phis of its successors, which LLVM-C cannot change, still
   name the right block. Returns the head. */
cc_block cc_split_block(cc_unit *u, cc_block tail, cc_value end_of_head)
{
    cc_block head = LLVMInsertBasicBlockInContext(u->context, tail, "head");
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    /* Without its end, the tail has no part in the phis of its successors. */
    cc_value end = LLVMGetBasicBlockTerminator(tail);
    LLVMInstructionRemoveFromParent(end);
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(tail), LLVMBasicBlockAsValue(head));
    LLVMPositionBuilderAtEnd(b, tail);
    LLVMInsertIntoBuilder(b, end);
    LLVMPositionBuilderAtEnd(b, head);
    for (bool last = !end_of_head; !last;) {
        cc_value first = LLVMGetFirstInstruction(tail);
        last = first == end_of_head;
        LLVMInstructionRemoveFromParent(first);
        LLVMInsertIntoBuilder(b, first);
    }
    LLVMBuildBr(b, tail);
    return head;
}

cc_block cc_split_after(cc_unit *u, cc_value i)
{
    return cc_split_block(u, LLVMGetInstructionParent(i), i);
}

/* A new block on the edge from -> to. */
cc_block cc_split_edge(cc_unit *u, cc_block from, cc_block to)
{
    cc_block middle = LLVMInsertBasicBlockInContext(u->context, to, "resume");
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(b, middle);
    LLVMBuildBr(b, to);
    cc_value t = LLVMGetBasicBlockTerminator(from);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++)
        if (LLVMGetSuccessor(t, k) == to)
            LLVMSetSuccessor(t, k, middle);
    CC_EACH_INST(i, to) {
        if (!LLVMIsAPHINode(i))
            break;
        LLVMPositionBuilderBefore(b, i);
        cc_value phi = LLVMBuildPhi(b, LLVMTypeOf(i), "");
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            cc_value v = LLVMGetIncomingValue(i, k);
            cc_block source = LLVMGetIncomingBlock(i, k);
            source = source == from ? middle : source;
            LLVMAddIncoming(phi, &v, &source, 1);
        }
        LLVMReplaceAllUsesWith(i, phi);
        LLVMInstructionEraseFromParent(i);
    }
    return middle;
}
