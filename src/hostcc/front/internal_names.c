/* Names of what is static. C++ tells internal linkage by a letter in front of the name,
   `_ZL1kPi`, `_ZL5table`; nvcc makes one program of a source, names kernels as if they
   were seen from outside, and variables in no namespace as the source does: by these
   names clients ask for them, and may write what a variable holds. */
#include "hostcc/front/front.h"

#include <ctype.h>
#include <stdlib.h>

/* In name: the letter of the name that a length follows, or NULL. Namespaces stand in
   front of it. */
static const char *internal_letter(const char *name)
{
    if (!cc_prefixed(name, "_Z"))
        return NULL;
    bool is_nested = name[2] == 'N';
    name += is_nested ? 3 : 2;
    while (is_nested && isdigit(*name)) {
        char *start;
        size_t length = strtoul(name, &start, 10);
        if (strlen(start) < length)
            return NULL;
        name = start + length;
    }
    return name[0] == 'L' && isdigit(name[1]) ? name : NULL;
}

static void set_name(cc_unit *u, cc_value v, const char *name)
{
    if (!LLVMGetNamedFunction(u->module, name) && !LLVMGetNamedGlobal(u->module, name))
        LLVMSetValueName2(v, name, strlen(name));
}

static void name_kernel(cc_unit *u, cc_value f)
{
    const char *name = cc_name(f), *letter = internal_letter(name);
    if (letter && cc_annotation(u, f, "kernel"))
        set_name(u, f, cc_format("%.*s%s", (int)(letter - name), name, letter + 1));
}

static void name_variable(cc_unit *u, cc_value g)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
    const char *name = cc_name(g), *letter = internal_letter(name);
    char *start;
    if (LLVMIsGlobalConstant(g) || (space != 1 && space != 4) || letter != name + 2 ||
        strtoul(letter + 1, &start, 10) != strlen(start))
        return;
    set_name(u, g, cc_format("%s", start));
    LLVMSetLinkage(g, LLVMExternalLinkage);
    LLVMSetExternallyInitialized(g, 1);
}

void cc_name_internals(cc_unit *u)
{
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        name_kernel(u, f);
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        name_variable(u, g);
}
