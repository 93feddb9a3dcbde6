/* Phis of one computation. Where an expression is needed on some ways only and again
   behind them, LLVM computes it on each way and merges the results: in scalar code that
   saves an instruction. Here lanes go both ways, and what merges is different in every
   lane for all that anybody can tell: thread numbers would become numbers of no order,
   and accesses with them gathers. So

       i = phi(zext tid, zext tid)       becomes   i = zext tid

   And a loop that counts by phi(ntid, ntid) is one that strides over the block. */
#include "hostcc/front/front.h"
#include "hostcc/ir/pseudo.h"

#define DEEPEST 4 /* instructions above each other */

/* Integers and addresses, of operands alone. */
static bool is_computation(cc_value v)
{
    if (!LLVMIsAInstruction(v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
    case LLVMGetElementPtr:
        return true;
    default:
        return false;
    }
}

/* What makes a result undefined; and of addresses, what indices count in. */
static bool same_flags(cc_value a, cc_value b)
{
    switch (LLVMGetInstructionOpcode(a)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return LLVMGetNSW(a) == LLVMGetNSW(b) && LLVMGetNUW(a) == LLVMGetNUW(b);
    case LLVMLShr:
    case LLVMAShr:
        return LLVMGetExact(a) == LLVMGetExact(b);
    case LLVMOr:
        return LLVMGetIsDisjoint(a) == LLVMGetIsDisjoint(b);
    case LLVMZExt:
        return LLVMGetNNeg(a) == LLVMGetNNeg(b);
    case LLVMGetElementPtr:
        return LLVMGEPGetNoWrapFlags(a) == LLVMGEPGetNoWrapFlags(b) &&
               LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b);
    default:
        return true;
    }
}

/* threadIdx, blockDim, blockIdx or gridDim, of one dimension. */
static bool are_one_register(cc_value a, cc_value b)
{
    unsigned of_a, of_b;
    cc_register_id is = cc_register_of(a, &of_a);
    return is != CC_NO_REGISTER && is == cc_register_of(b, &of_b) && of_a == of_b;
}

static bool are_equal(cc_value a, cc_value b, unsigned depth)
{
    if (a == b || are_one_register(a, b))
        return true;
    if (depth == 0 || !is_computation(a) || !is_computation(b) ||
        LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        LLVMTypeOf(a) != LLVMTypeOf(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b) || !same_flags(a, b))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(a); k++)
        if (!are_equal(LLVMGetOperand(a, k), LLVMGetOperand(b, k), depth - 1))
            return false;
    return true;
}

bool cc_are_equal(cc_value a, cc_value b)
{
    return are_equal(a, b, DEEPEST);
}

cc_value cc_last_effect(cc_block from, cc_block to)
{
    cc_value i = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsABranchInst(i) || LLVMIsConditional(i) || LLVMGetSuccessor(i, 0) != to)
        return NULL;
    do
        i = LLVMGetPreviousInstruction(i);
    while (i && (LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsACmpInst(i) ||
                 LLVMIsAGetElementPtrInst(i) || LLVMIsASelectInst(i)));
    return i;
}

cc_value cc_compute_once(cc_builder at, cc_value a, cc_value b)
{
    if (a == b)
        return a; /* it is there at the end of each way, so behind them */
    cc_value copy = LLVMInstructionClone(a);
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(a); k++)
        LLVMSetOperand(copy, k,
                       cc_compute_once(at, LLVMGetOperand(a, k), LLVMGetOperand(b, k)));
    LLVMInsertIntoBuilder(at, copy);
    return copy;
}

/* Of two ways: more than that, LLVM does not make. */
static bool is_of_one_computation(cc_value phi)
{
    if (LLVMCountIncoming(phi) != 2)
        return false;
    cc_value a = LLVMGetIncomingValue(phi, 0), b = LLVMGetIncomingValue(phi, 1);
    return a != phi && b != phi && a != b && cc_are_equal(a, b);
}

static void merge(cc_builder b, cc_value phi)
{
    cc_value after = phi;
    while (LLVMIsAPHINode(after))
        after = LLVMGetNextInstruction(after);
    LLVMPositionBuilderBefore(b, after);
    cc_value once =
        cc_compute_once(b, LLVMGetIncomingValue(phi, 0), LLVMGetIncomingValue(phi, 1));
    LLVMReplaceAllUsesWith(phi, once);
    LLVMInstructionEraseFromParent(phi);
}

void cc_merge_equal_phis(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        CC_EACH_BLOCK(at, f) {
            for (cc_value i = LLVMGetFirstInstruction(at), next; i && LLVMIsAPHINode(i);
                 i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_of_one_computation(i))
                    merge(b, i);
            }
        }
}
