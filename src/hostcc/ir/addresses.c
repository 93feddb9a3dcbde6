/* The components of an address: root, index, offset. */
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/pseudo.h"

/* Follows a pointer to its origin; true if that is certainly shared memory. Only one
   thread of the machine runs a block, so no other thread can see it. */
static bool from_shared(cc_value v, unsigned depth)
{
    if (!LLVMIsAInstruction(v) || depth > 16)
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMCall:
        return cc_function_of(v) == CC_FN_SHARED_AT;
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
        return from_shared(LLVMGetOperand(v, 0), depth + 1);
    case LLVMSelect:
        return from_shared(LLVMGetOperand(v, 1), depth + 1) &&
               from_shared(LLVMGetOperand(v, 2), depth + 1);
    default:
        return false;
    }
}

bool cc_is_shared(cc_value pointer)
{
    return from_shared(pointer, 0);
}

bool cc_is_own(cc_value pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    cc_function_id f = cc_function_of(pointer);
    return LLVMIsAAllocaInst(pointer) || f == CC_FN_SLOT || f == CC_FN_FUSED ||
           f == CC_FN_STACK;
}

bool cc_address_parts(cc_unit *u, cc_value gep, cc_each_part *f, void *data)
{
    cc_type t = LLVMGetGEPSourceElementType(gep);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++) {
        cc_value index = LLVMGetOperand(gep, k);
        if (k > 1 && cc_kind(t) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            if (!f(data, NULL, LLVMOffsetOfElement(u->layout, t, field)))
                return false;
            t = LLVMStructGetTypeAtIndex(t, field);
            continue;
        }
        if (k > 1)
            t = LLVMGetElementType(t);
        uint64_t scale = LLVMABISizeOfType(u->layout, t);
        bool known = LLVMIsAConstantInt(index);
        if (!f(data, known ? NULL : index,
               known ? scale * (uint64_t)LLVMConstIntGetSExtValue(index) : scale))
            return false;
    }
    return true;
}

bool cc_add_constant(void *sum, cc_value index, uint64_t scale)
{
    *(uint64_t *)sum += scale;
    return !index;
}

unsigned cc_promised_alignment(cc_value call, unsigned k)
{
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(
        call, k + 1, LLVMGetEnumAttributeKindForName("align", 5));
    return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}
