/* Values that may as well be computed again, elsewhere, and by lanes that have no use
   for them: without effects, of values alone, and quickly. */
#include "hostcc/split/split.h"
#include "hostcc/ir/intrinsic_table.h"

bool cc_is_pure(cc_value i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        return *cc_register(i) || cc_functions[cc_function_of(i)].again ||
               (cc_intrinsic_find(cc_callee(i)) &&
                cc_kind(LLVMTypeOf(i)) == LLVMIntegerTypeKind);
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
    case LLVMFDiv:
    case LLVMFRem:
        return false;
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
        return true;
    default:
        return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}
