/* Tables of the image as constants: structs of src/abi. Every field goes to the offset
   that the C struct has, in words of eight bytes: the layout stands nowhere else. */
#include "hostcc/ir/tables.h"

#include <stddef.h>

cc_row cc_row_new(cc_unit *u, size_t bytes)
{
    cc_row w = {u, (unsigned)(bytes / 8), NULL};
    w.word = cc_alloc((w.n + 1) * sizeof *w.word);
    for (unsigned k = 0; k < w.n; k++)
        w.word[k] = cc_int(u->i64, 0);
    return w;
}

void cc_row_put32(cc_row *w, size_t offset, uint32_t v)
{
    uint64_t old = LLVMConstIntGetZExtValue(w->word[offset / 8]);
    w->word[offset / 8] = cc_int(w->unit->i64, old | (uint64_t)v << (offset % 8 * 8));
}

void cc_row_put(cc_row *w, size_t offset, cc_value v)
{
    cc_type t = LLVMTypeOf(v);
    if (cc_kind(t) == LLVMPointerTypeKind && t != w->unit->ptr)
        v = LLVMConstAddrSpaceCast(v, w->unit->ptr);
    w->word[offset / 8] = v;
}

cc_value cc_row_constant(const cc_row *w)
{
    return LLVMConstStructInContext(w->unit->context, w->word, w->n, 0);
}

cc_value cc_constant(cc_unit *u, cc_value initializer, const char *name)
{
    cc_value g = LLVMAddGlobal(u->module, LLVMTypeOf(initializer), name);
    LLVMSetInitializer(g, initializer);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, 1);
    LLVMSetAlignment(g, 8);
    return g;
}

cc_value cc_text(cc_unit *u, const char *s)
{
    return cc_constant(u, LLVMConstStringInContext2(u->context, s, strlen(s), 0),
                       "text");
}

/* A text that stands in many rows, once. */
static cc_value file_text(cc_unit *u, const char *file)
{
    const char *name = cc_format("file.%s", file);
    cc_value known = LLVMGetNamedGlobal(u->module, name);
    if (known)
        return known;
    known = cc_text(u, file);
    LLVMSetValueName2(known, name, strlen(name));
    return known;
}

void cc_row_put_site(cc_row *w, size_t offset, const cc_place *place)
{
    if (!place->file)
        return;
    cc_row_put(w, offset + offsetof(hc_site, file), file_text(w->unit, place->file));
    cc_row_put32(w, offset + offsetof(hc_site, line), place->line);
    cc_row_put32(w, offset + offsetof(hc_site, column), place->column);
}
