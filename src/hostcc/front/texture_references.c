/* Texture and surface references: variables of 64 bits that the driver writes the
   address of a record to. clang annotates them. The device library reads them by
   __hostcc_texture, whose arguments are the type that a texture was declared with: that
   goes to the image's table, and a plain load stays. */
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/pseudo.h"

#include <stddef.h>

_Static_assert(offsetof(hc_global, format) == offsetof(hc_global, kind) + 4 &&
                   offsetof(hc_global, as_is) == offsetof(hc_global, format) + 2,
               "one word");

static hc_global_kind kind_of(cc_unit *u, cc_value global)
{
    return cc_annotation(u, global, "texture")   ? HC_TEXTURE
           : cc_annotation(u, global, "surface") ? HC_SURFACE
                                                 : HC_VARIABLE;
}

void cc_find_references(cc_unit *u)
{
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g) || kind_of(u, g) == HC_VARIABLE)
            continue;
        LLVMSetInitializer(g, cc_int(u->i64, 0));
        LLVMSetLinkage(g, LLVMExternalLinkage);
    }
}

/* The declared type of a texture: the second half of the last word of its row. */
static void note_type(cc_unit *u, cc_value reference, cc_value call)
{
    unsigned type = 0;
    for (unsigned k = 3; k > 0; k--) /* format, channels, as_is */
        type = type << 8 | (uint8_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, k));
    cc_map_put(u->textures, reference, type);
}

void cc_load_references(cc_unit *u)
{
    cc_value f = LLVMGetNamedFunction(u->module, cc_functions[CC_FN_TEXTURE].name);
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    u->textures = cc_map_new();
    while (f && LLVMGetFirstUse(f)) {
        cc_value call = LLVMGetUser(LLVMGetFirstUse(f)),
                 reference = LLVMGetOperand(call, 0);
        while (LLVMIsAConstantExpr(reference))
            reference = LLVMGetOperand(reference, 0);
        if (LLVMIsAGlobalVariable(reference))
            note_type(u, reference, call);
        LLVMPositionBuilderBefore(b, call);
        LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(b, u->i64, reference, ""));
        LLVMInstructionEraseFromParent(call);
    }
}

/* The last word of the global's row: hc_global.kind and the fields after it. */
uint64_t cc_global_kind(cc_unit *u, cc_value global, bool is_constant)
{
    hc_global_kind kind = kind_of(u, global);
    int type = cc_map_get(u->textures, global);
    if (kind == HC_VARIABLE && is_constant)
        kind = HC_CONSTANT;
    return (type < 0 ? 0 : (uint64_t)type << 32) | kind;
}
