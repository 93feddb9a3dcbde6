/* What may be shared memory. Every pointer may whose origin is not known. */
#include "hostcc/check/check.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/pseudo.h"

bool cc_is_shared_variable(cc_value v)
{
    return LLVMIsAGlobalVariable(v) && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 3;
}

static bool may_be(cc_unit *u, cc_value v, cc_map *seen)
{
    if (LLVMIsAGlobalVariable(v))
        return cc_is_shared_variable(v);
    if (LLVMIsAConstantExpr(v))
        return may_be(u, LLVMGetOperand(v, 0), seen);
    if (LLVMIsAArgument(v)) /* of a function that is not inlined: anything */
        return !cc_is_kernel(u, LLVMGetParamParent(v));
    if (!LLVMIsAInstruction(v) || cc_map_get(seen, v) >= 0)
        return false;
    cc_map_put(seen, v, 1);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAlloca:
        return false;
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMFreeze:
        return may_be(u, LLVMGetOperand(v, 0), seen);
    case LLVMSelect:
        return may_be(u, LLVMGetOperand(v, 1), seen) ||
               may_be(u, LLVMGetOperand(v, 2), seen);
    case LLVMPHI:
        for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
            if (may_be(u, LLVMGetIncomingValue(v, k), seen))
                return true;
        return false;
    default: /* loaded from memory, or made of numbers */
        return true;
    }
}

bool cc_may_be_shared(cc_unit *u, cc_value pointer)
{
    return may_be(u, pointer, cc_map_new());
}

static bool names_shared(cc_value v, unsigned depth)
{
    if (LLVMIsAGlobalVariable(v))
        return cc_is_shared_variable(v);
    for (int k = 0; LLVMIsAConstantExpr(v) && k < LLVMGetNumOperands(v); k++)
        if (depth < 8 && names_shared(LLVMGetOperand(v, (unsigned)k), depth + 1))
            return true;
    return false;
}

bool cc_uses_shared(cc_value function)
{
    CC_EACH_INST_OF(i, function) {
        if (cc_function_of(i) == CC_FN_SHARED)
            return true;
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            if (names_shared(LLVMGetOperand(i, k), 0))
                return true;
    }
    return false;
}
