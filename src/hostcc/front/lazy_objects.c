/* Objects of lazy loading: of one a kernel, or a layout of it, at a time is compiled,
   when it is asked for, and the image of the source carries it. Variables, and
   constants whose addresses mean something, are that image's: each has a name by which
   the kernels that come later find it (back/lazy_loading.c). */
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/pseudo.h"

#define WORTH_KEEPING 1500 /* instructions of clang's, which are not optimized */

static bool is_variable(cc_value g)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
    LLVMLinkage linkage = LLVMGetLinkage(g);
    return !LLVMIsDeclaration(g) && (space == 0 || space == 1 || space == 4) &&
           linkage != LLVMAppendingLinkage && linkage != LLVMAvailableExternallyLinkage;
}

static bool is_written(cc_value g)
{
    return LLVMIsExternallyInitialized(g) || !LLVMIsGlobalConstant(g);
}

/* What an initializer names: a function; a variable that has a name. */
enum { NAMES_FUNCTION = 1, NAMES_COMMON = 2 };

static unsigned names(cc_value constant)
{
    unsigned found = 0;
    if (LLVMIsAFunction(constant))
        return NAMES_FUNCTION;
    if (LLVMIsAGlobalVariable(constant))
        return LLVMGetLinkage(constant) == LLVMExternalLinkage ? NAMES_COMMON : 0;
    for (int k = 0; k < LLVMGetNumOperands(constant); k++)
        found |= names(LLVMGetOperand(constant, (unsigned)k));
    return found;
}

/* Of a constant whose address means nothing each kernel may have one of its own, unless
   it holds addresses that mean something. Tables of functions stay as they are: where
   one is used in the end, kernels are not compiled by themselves. */
static bool is_common(cc_value g)
{
    unsigned named = is_written(g) ? 0 : names(LLVMGetInitializer(g));
    return is_written(g) || (!(named & NAMES_FUNCTION) &&
                             (LLVMGetUnnamedAddress(g) == LLVMNoUnnamedAddr || named));
}

/* All kernels find one and the same of a common variable, by its name, whoever may know
   it else. Nobody knows the value of one that is written, or who uses it. */
static void name_common(cc_unit *u)
{
    u->hidden = cc_map_new();
    for (bool more = true; more;) {
        more = false;
        for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
            if (!is_variable(g) || LLVMGetLinkage(g) == LLVMExternalLinkage ||
                !is_common(g))
                continue;
            if (is_written(g))
                LLVMSetExternallyInitialized(g, 1);
            LLVMSetLinkage(g, LLVMExternalLinkage);
            LLVMSetComdat(g, NULL);
            cc_map_put(u->hidden, g, 1);
            more = true;
        }
    }
}

/* Leaves the kernel of that name and what it uses. */
void cc_leave_kernel(cc_unit *u, const char *name)
{
    bool found = false;
    name_common(u);
    for (cc_value f = LLVMGetFirstFunction(u->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!cc_annotation(u, f, "kernel"))
            continue;
        found = found || !strcmp(cc_name(f), name);
        if (strcmp(cc_name(f), name)) {
            LLVMReplaceAllUsesWith(f, LLVMGetPoison(LLVMTypeOf(f)));
            LLVMDeleteFunction(f);
        }
    }
    if (!found)
        cc_refuse("%s: no kernel '%s'", u->options->source[0], name);
    for (cc_value g = LLVMGetFirstGlobal(u->module), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (LLVMGetLinkage(g) == LLVMAppendingLinkage) /* llvm.used */
            LLVMDeleteGlobal(g);
    }
    cc_passes(u, "globaldce");
}

/* Whether a kernel's vectors may have to be warps (split/state_machine.c), before
   anything is inlined, and inline PTX is known. */
static bool may_need_warps(cc_value f)
{
    CC_EACH_INST_OF(i, f) {
        cc_function_id called = cc_function_of(i);
        if (cc_functions[called].state == HC_WARP || called == CC_FN_LANE ||
            called == CC_FN_ACTIVEMASK || cc_is_assembly(i) ||
            (cc_is_access(i) && LLVMGetVolatile(i)))
            return true;
    }
    return false;
}

static bool may_wait(cc_unit *u)
{
    const cc_options *o = u->options;
    unsigned kernels = 0;
    size_t instructions = 0;
    bool warps = false;
    if (o->lazy_loading == CC_LAZY_NEVER || o->checks || o->coverage ||
        cc_for_debuggers(u) || !cc_options_text(o))
        return false;
    for (cc_value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        if (cc_annotation(u, g, "texture") || cc_annotation(u, g, "surface"))
            return false; /* only calls tell of what type it is */
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        kernels += cc_annotation(u, f, "kernel") != 0;
        instructions += cc_instructions(f);
        warps = warps || may_need_warps(f);
    }
    return kernels > 0 && (o->lazy_loading == CC_LAZY_ALL || warps ||
                           (kernels > 1 && instructions >= WORTH_KEEPING));
}

void cc_keep_object(cc_unit *u)
{
    if (!may_wait(u))
        return;
    name_common(u);
    u->bitcode = LLVMWriteBitcodeToMemoryBuffer(u->module);
}
