/* Regions in which all lanes do the same: nothing in them depends on threadIdx.x, and
   what they do to memory, one store is enough for. Full code of such a region is right
   for any lanes of a vector, so there is no masked code. Kernels for one thread are so,
   and may be long. */
#include "hostcc/back/back.h"
#include "hostcc/ir/intrinsic_table.h"
#include "hostcc/ir/pseudo.h"

#define LONG 200 /* instructions: less is inlined */

static bool all_uniform(const cc_uniformity_info *s, cc_value call)
{
    for (unsigned k = 0; k < cc_nargs(call); k++)
        if (!cc_uniform(cc_uniformity_of(s, LLVMGetOperand(call, k))))
            return false;
    return true;
}

/* Whether the call has no effect, and full code makes it once if lanes are alike. */
static bool is_known(cc_value call)
{
    cc_function_id f = cc_function_of(call);
    return f == CC_FN_LIBM || f == CC_FN_STACK || f == CC_FN_SLOT;
}

static bool is_alike(const cc_uniformity_info *s, cc_value i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
    case LLVMSwitch:
    case LLVMRet:
    case LLVMUnreachable:
        return true; /* conditions are values */
    case LLVMStore:
        return !cc_is_ordered(i) &&
               cc_uniform(cc_uniformity_of(s, LLVMGetOperand(i, 0))) &&
               cc_uniform(cc_uniformity_of(s, LLVMGetOperand(i, 1)));
    case LLVMCall:
        if (cc_is_fill_or_copy(i))
            return all_uniform(s, i);
        if (!*cc_register(i) && !cc_intrinsic_is_pure(cc_callee(i)) && !is_known(i))
            return false;
        break;
    default:
        break;
    }
    return cc_uniform(cc_uniformity_of(s, i));
}

cc_value cc_code_of_any_lanes(cc_value region, cc_uniformity_rules rules, cc_value full)
{
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    if (cc_instructions(region) < LONG)
        return NULL;
    const cc_uniformity_info *s = cc_uniformity_infer(cc_cfg_build(region), rules);
    CC_EACH_INST_OF(i, region)
        if (!is_alike(s, i))
            return NULL;
    LLVMRemoveEnumAttributeAtIndex(full, LLVMAttributeFunctionIndex, always);
    return full;
}
