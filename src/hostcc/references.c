/* Texture and surface references: variables of 64 bits that the driver writes the
   address of a record to. clang annotates them, and reads a copy of one by an
   intrinsic. The device library reads them by __hostcc_texture, whose arguments are the
   type that a texture was declared with: that goes to the image's table, and a plain
   load stays. */
#include "hostcc.h"

#include <stddef.h>

typedef struct {
    const char *key;
    hc_global_kind kind;
} reference_kind;
static const reference_kind kinds[] = {{"texture", HC_TEXTURE},
                                       {"surface", HC_SURFACE}};

/* The row of that global in !nvvm.annotations = {global, "texture", 1}. */
static const reference_kind *kind_of(cc_unit *u, val global)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(u->module, "nvvm.annotations"), length;
    val *row = cc_alloc((n + 1) * sizeof *row), field[3];
    LLVMGetNamedMetadataOperands(u->module, "nvvm.annotations", row);
    for (unsigned i = 0; i < n; i++) {
        if (LLVMGetMDNodeNumOperands(row[i]) != 3)
            continue;
        LLVMGetMDNodeOperands(row[i], field);
        for (unsigned k = 0; field[0] == global && k < 2; k++)
            if (!strcmp(LLVMGetMDString(field[1], &length), kinds[k].key))
                return &kinds[k];
    }
    return NULL;
}

static void replace_by_load(cc_unit *u, val call, val reference)
{
    builder b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(b, u->i64, reference, ""));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

void cc_find_references(cc_unit *u)
{
    const char *copy = "llvm.nvvm.texsurf.handle.internal";
    for (val g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g) || !kind_of(u, g))
            continue;
        LLVMSetInitializer(g, cc_int(u->i64, 0));
        LLVMSetLinkage(g, LLVMExternalLinkage);
    }
    for (val f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        while (cc_prefixed(cc_name(f), copy) && LLVMGetFirstUse(f)) {
            val call = LLVMGetUser(LLVMGetFirstUse(f));
            replace_by_load(u, call, LLVMGetOperand(call, 0));
        }
}

/* What a texture was declared as lives on the variable, as metadata of that name. */
static const char declared[] = "hc.texture";

static void note_type(cc_unit *u, val reference, val call)
{
    hc_global type = {0};
    type.format = (uint8_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
    type.channels = (uint8_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    type.as_is = (uint8_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3));
    uint64_t words[2];
    _Static_assert(sizeof type - offsetof(hc_global, kind) == 8, "one word");
    memcpy(words, (char *)&type + offsetof(hc_global, kind), 8);
    LLVMMetadataRef word = LLVMValueAsMetadata(cc_int(u->i64, words[0]));
    unsigned kind = LLVMGetMDKindIDInContext(u->context, declared, strlen(declared));
    LLVMGlobalSetMetadata(reference, kind, LLVMMDNodeInContext2(u->context, &word, 1));
}

void cc_load_references(cc_unit *u)
{
    val f = LLVMGetNamedFunction(u->module, "__hostcc_texture");
    while (f && LLVMGetFirstUse(f)) {
        val call = LLVMGetUser(LLVMGetFirstUse(f)), reference = LLVMGetOperand(call, 0);
        while (LLVMIsAConstantExpr(reference))
            reference = LLVMGetOperand(reference, 0);
        if (LLVMIsAGlobalVariable(reference))
            note_type(u, reference, call);
        replace_by_load(u, call, reference);
    }
}

/* The last word of the global's row: hc_global.kind and what follows. */
uint64_t cc_global_kind(cc_unit *u, val global, bool is_constant)
{
    const reference_kind *reference = kind_of(u, global);
    size_t n;
    if (!reference)
        return is_constant ? HC_CONSTANT : HC_VARIABLE;
    unsigned kind = LLVMGetMDKindIDInContext(u->context, declared, strlen(declared));
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    uint64_t word = 0;
    for (unsigned k = 0; k < n; k++) {
        val node = LLVMMetadataAsValue(u->context,
                                       LLVMValueMetadataEntriesGetMetadata(entries, k)),
            v;
        if (LLVMValueMetadataEntriesGetKind(entries, k) != kind)
            continue;
        LLVMGetMDNodeOperands(node, &v);
        word = LLVMConstIntGetZExtValue(v);
    }
    return word | reference->kind;
}
