/* Cutting blocks and edges in two: where a thread suspends, where a branch is put in,
   where a function ends in one way or another. */
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

static void redirect(cc_block from, cc_block to, cc_block instead)
{
    cc_value t = LLVMGetBasicBlockTerminator(from);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++)
        if (LLVMGetSuccessor(t, k) == to)
            LLVMSetSuccessor(t, k, instead);
}

/* A new block on the edge from -> to. */
cc_block cc_split_edge(cc_unit *u, cc_block from, cc_block to)
{
    cc_block middle = LLVMInsertBasicBlockInContext(u->context, to, "resume");
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(b, middle);
    LLVMBuildBr(b, to);
    redirect(from, to, middle);
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

/* The phi that is all that a block returns; or NULL. */
static cc_value returned_phi(cc_block at)
{
    cc_value phi = LLVMGetFirstInstruction(at), end = LLVMGetBasicBlockTerminator(at);
    bool only = LLVMIsAPHINode(phi) && LLVMGetNextInstruction(phi) == end &&
                LLVMIsAReturnInst(end) && LLVMGetOperand(end, 0) == phi;
    return only ? phi : NULL;
}

/* Moves the ways on which the phi is v to a block of their own. Returns the phi of the
   others. */
static cc_value split_return(cc_unit *u, cc_value phi, cc_value v)
{
    cc_block at = LLVMGetInstructionParent(phi),
             own = LLVMInsertBasicBlockInContext(u->context, at, "return");
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(b, own);
    LLVMBuildRet(b, v);
    LLVMPositionBuilderBefore(b, phi);
    cc_value rest = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        cc_value one = LLVMGetIncomingValue(phi, k);
        cc_block from = LLVMGetIncomingBlock(phi, k);
        if (one == v)
            redirect(from, at, own);
        else
            LLVMAddIncoming(rest, &one, &from, 1);
    }
    LLVMReplaceAllUsesWith(phi, rest);
    LLVMInstructionEraseFromParent(phi);
    return rest;
}

/* A constant that the phi is on some way, other than what it is on the first; NULL. */
static cc_value other_constant(cc_value phi)
{
    for (unsigned k = 1; k < LLVMCountIncoming(phi); k++) {
        cc_value v = LLVMGetIncomingValue(phi, k);
        if (v != LLVMGetIncomingValue(phi, 0) && LLVMIsAConstantInt(v))
            return v;
    }
    return NULL;
}

static bool is_one_constant(cc_value phi)
{
    bool same = LLVMIsAConstantInt(LLVMGetIncomingValue(phi, 0));
    for (unsigned k = 1; k < LLVMCountIncoming(phi); k++)
        same &= LLVMGetIncomingValue(phi, k) == LLVMGetIncomingValue(phi, 0);
    return same;
}

void cc_split_returns(cc_unit *u, cc_value function)
{
    CC_EACH_BLOCK(at, function) {
        cc_value phi = returned_phi(at), v;
        while (phi && (v = other_constant(phi)))
            phi = split_return(u, phi, v);
        if (phi && is_one_constant(phi)) {
            LLVMReplaceAllUsesWith(phi, LLVMGetIncomingValue(phi, 0));
            LLVMInstructionEraseFromParent(phi);
        }
    }
}
