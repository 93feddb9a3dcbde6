/* Checks that what is read was written: in front of each access to global or shared
   memory, a call that wants or sets the marks of its bytes (vector/written_code.c).
   What a copy within a kernel reads is not looked at, for nobody writes the padding of
   structures; an exchange whose result nobody uses is a write. An access through a
   pointer that was wanted or set in the same block, for as many bytes, is known to be
   written.
   */
#include "hostcc/check/check.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/pseudo.h"

typedef struct {
    cc_unit *unit;
    const cc_kernel *kernel; /* NULL: a function that is not inlined */
    cc_builder b;
    cc_map *known; /* pointer -> bytes, in this block */
} inserter;

static const char *name_of(inserter *s, cc_root root)
{
    const char *name = root.origin ? cc_name(root.origin) : "";
    if (root.kind == CC_ROOT_PARAMETER)
        for (unsigned k = 0; k < s->kernel->nparams; k++)
            if (s->kernel->params[k].offset / 8 <= root.word)
                name = cc_name(LLVMGetParam(s->kernel->function, k));
    return root.kind == CC_ROOT_UNKNOWN ? "" : name;
}

/* Memory that has marks. */
static bool is_marked(inserter *s, cc_value pointer)
{
    cc_root root = cc_root_of(s->unit, s->kernel, pointer);
    return root.kind == CC_ROOT_PARAMETER || root.kind == CC_ROOT_UNKNOWN ||
           (root.kind == CC_ROOT_VARIABLE && cc_is_shared_variable(root.origin));
}

static bool reads(const cc_access *a)
{
    if (a->kind == HC_ATOMIC && LLVMIsAAtomicRMWInst(a->at))
        return LLVMGetAtomicRMWBinOp(a->at) != LLVMAtomicRMWBinOpXchg ||
               LLVMGetFirstUse(a->at);
    return a->kind != HC_WRITE;
}

static void put(inserter *s, const cc_access *a, cc_function_id f)
{
    cc_unit *u = s->unit;
    cc_root root = cc_root_of(u, s->kernel, a->pointer);
    bool shared = root.kind == CC_ROOT_VARIABLE && cc_is_shared_variable(root.origin);
    hc_access facts = {.space = shared ? HC_SPACE_SHARED : HC_SPACE_GLOBAL,
                       .bounds = root.word};
    cc_value args[] = {
        a->pointer, cc_int(u->i32, a->bytes),
        cc_int(u->i1, root.kind != CC_ROOT_PARAMETER && cc_may_be_shared(a->pointer)),
        cc_access_row(u, a, &facts, name_of(s, root))};
    LLVMPositionBuilderBefore(s->b, a->at);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(a->at));
    cc_call_function(u, s->b, f, u->none, args);
}

static void check_function(inserter *s, cc_value function)
{
    CC_EACH_BLOCK(block, function) {
        s->known = cc_map_new();
        CC_EACH_INST(i, block) {
            cc_access a;
            if (!cc_find_access(s->unit, i, &a) || a.kind == HC_FREE ||
                cc_is_of_textures(s->unit, i) || !is_marked(s, a.pointer) ||
                cc_map_get(s->known, a.pointer) >= (int)a.bytes)
                continue;
            if (reads(&a) && !LLVMIsACallInst(i))
                put(s, &a, CC_FN_WRITTEN_NEED);
            if (a.kind != HC_READ)
                put(s, &a, CC_FN_WRITTEN_SET);
            cc_map_put(s->known, a.pointer, a.bytes);
        }
    }
}

/* Whether all that the kernel writes can be marked: not what functions write that are
   not inlined, nor copies of a length that is known at run time. Hostcuda takes a
   kernel for one that writes all that its parameters point into. */
static bool can_mark(cc_value function)
{
    bool can = true;
    CC_EACH_INST_OF(i, function) {
        cc_value f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        if (!f)
            continue;
        const char *name = cc_callee(i);
        bool copies = cc_prefixed(name, "llvm.memcpy.") ||
                      cc_prefixed(name, "llvm.memmove.") ||
                      cc_prefixed(name, "llvm.memset.");
        can &= LLVMIsAFunction(f) && LLVMIsDeclaration(f) &&
               !(copies && !LLVMIsAConstantInt(LLVMGetOperand(i, 2)));
    }
    return can;
}

void cc_check_written(cc_unit *u)
{
    inserter s = {.unit = u, .b = LLVMCreateBuilderInContext(u->context)};
    for (unsigned k = 0; k < u->nkernels; k++) {
        s.kernel = &u->kernels[k];
        u->kernels[k].checks = u->options->checks;
        if (!(u->options->checks & HC_CHECK_INIT))
            continue;
        if (can_mark(s.kernel->function))
            check_function(&s, s.kernel->function);
        else
            u->kernels[k].checks &= ~HC_CHECK_INIT;
    }
}
