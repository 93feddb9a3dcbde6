/* Fetches from textures. What the device library does for one, whatever the texture, is
   some hundred instructions of vector code, and each version of a kernel would have it
   for each fetch. So the functions that do it are not inlined: vector code calls them
   (vector/vector_calls.c), and there is one for each kind of fetch and type. Only a
   kernel's one fetch is, as far as it is quick. With coverage, for debuggers and
   without optimization all functions are inlined, or none. */
#include "hostcc/front/front.h"
#include "hostcc/ir/pseudo.h"

/* In the names of the functions, and of those that are quick: texture.h. */
#define SAMPLE "__hc_sample_"
#define QUICK "__hc_sample_quick"

bool cc_keep_fetch(cc_unit *u, cc_value f)
{
    const cc_options *o = u->options;
    if (!strstr(cc_name(f), SAMPLE) || o->coverage || !o->level || cc_for_debuggers(u))
        return false;
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, /* of cold ones */
                                   LLVMGetEnumAttributeKindForName("optsize", 7));
    cc_text_attribute(u, f, CC_OF_VECTORS, "");
    cc_attribute(u, f, "nounwind");
    cc_attribute(u, f, "willreturn");
    cc_param_attribute(u, f, (unsigned)LLVMAttributeFunctionIndex, "memory", CC_READS);
    return true;
}

/* The only quick fetch of a function; NULL: none, or several. */
static cc_value only_fetch(cc_value f)
{
    cc_value found = NULL;
    CC_EACH_INST_OF(i, f) {
        if (!cc_is_vector_call(i) || !strstr(cc_callee(i), QUICK))
            continue;
        if (found)
            return NULL;
        found = i;
    }
    return found;
}

void cc_inline_fetches(cc_unit *u)
{
    bool found = false;
    LLVMAttributeRef inlined = LLVMCreateEnumAttribute(
        u->context, LLVMGetEnumAttributeKindForName("alwaysinline", 12), 0);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        cc_value fetch = only_fetch(f);
        if (fetch)
            LLVMAddCallSiteAttribute(fetch, LLVMAttributeFunctionIndex, inlined);
        found |= fetch != NULL;
    }
    if (found)
        cc_passes(u, "always-inline,globaldce");
}
