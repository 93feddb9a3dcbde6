/* Cutting blocks and edges in two: where a thread suspends, where a branch is put in.
 */
#include "hostcc/ir/clone.h"

/* Splits after `end_of_head`; NULL: before all. The head is a new block; the tail keeps
   the old one, so that the phis of its successors, which LLVM-C cannot change, still
   name the right block. Returns the head. */
block cc_split_block(cc_unit *u, block tail, val end_of_head)
{
    block head = LLVMInsertBasicBlockInContext(u->context, tail, "head");
    builder b = LLVMCreateBuilderInContext(u->context);
    /* Without its end, the tail has no part in the phis of its successors. */
    val end = LLVMGetBasicBlockTerminator(tail);
    LLVMInstructionRemoveFromParent(end);
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(tail), LLVMBasicBlockAsValue(head));
    LLVMPositionBuilderAtEnd(b, tail);
    LLVMInsertIntoBuilder(b, end);
    LLVMPositionBuilderAtEnd(b, head);
    for (bool last = !end_of_head; !last;) {
        val first = LLVMGetFirstInstruction(tail);
        last = first == end_of_head;
        LLVMInstructionRemoveFromParent(first);
        LLVMInsertIntoBuilder(b, first);
    }
    LLVMBuildBr(b, tail);
    return head;
}

block cc_split_after(cc_unit *u, val i)
{
    return cc_split_block(u, LLVMGetInstructionParent(i), i);
}

/* A new block on the edge from -> to. */
block cc_split_edge(cc_unit *u, block from, block to)
{
    block middle = LLVMInsertBasicBlockInContext(u->context, to, "resume");
    builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(b, middle);
    LLVMBuildBr(b, to);
    val t = LLVMGetBasicBlockTerminator(from);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++)
        if (LLVMGetSuccessor(t, k) == to)
            LLVMSetSuccessor(t, k, middle);
    CC_EACH_INST(i, to) {
        if (!LLVMIsAPHINode(i))
            break;
        LLVMPositionBuilderBefore(b, i);
        val phi = LLVMBuildPhi(b, LLVMTypeOf(i), "");
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            val v = LLVMGetIncomingValue(i, k);
            block source = LLVMGetIncomingBlock(i, k);
            source = source == from ? middle : source;
            LLVMAddIncoming(phi, &v, &source, 1);
        }
        LLVMReplaceAllUsesWith(i, phi);
        LLVMInstructionEraseFromParent(i);
    }
    return middle;
}
