/* Checks that what is read was written: in front of each access to global or shared
   memory, a call that wants or sets the marks of its bytes (vector/written_code.c).
   A copy within a kernel takes marks along as it takes bytes, for nobody writes the
   padding of structures: what it reads is wanted only if all of it is unwritten. An
   exchange whose result nobody uses is a write. An access through a
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

static cc_value row_of(inserter *s, const cc_access *a)
{
    cc_root root = cc_root_of(s->unit, s->kernel, a->pointer);
    bool shared = root.kind == CC_ROOT_VARIABLE && cc_is_shared_variable(root.origin);
    hc_access facts = {.space = shared ? HC_SPACE_SHARED : HC_SPACE_GLOBAL,
                       .bounds = root.word};
    return cc_access_row(s->unit, a, &facts, name_of(s, root));
}

static void put(inserter *s, const cc_access *a, cc_function_id f)
{
    cc_unit *u = s->unit;
    cc_root root = cc_root_of(u, s->kernel, a->pointer);
    cc_value args[] = {a->pointer, cc_int(u->i32, a->bytes),
                       cc_int(u->i1, root.kind != CC_ROOT_PARAMETER &&
                                         cc_may_be_shared(u, a->pointer)),
                       row_of(s, a)};
    cc_call_function(u, s->b, f, u->none, args);
}

static void put_copy(inserter *s, cc_access *to)
{
    cc_unit *u = s->unit;
    cc_access from = *to;
    cc_value none = LLVMConstNull(u->ptr);
    bool marked = is_marked(s, to->pointer);
    if (!cc_next_access(&from)) {
        if (marked)
            cc_ask_copy(u, s->b, to, HC_ASK_SET, row_of(s, to), none);
        return;
    }
    cc_value other = marked ? to->pointer : none;
    cc_ask_copy(u, s->b, &from, HC_ASK_SOME | (marked ? HC_ASK_COPY : 0),
                row_of(s, &from), other);
}

static void check_access(inserter *s, cc_access *a)
{
    LLVMPositionBuilderBefore(s->b, a->at);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(a->at));
    if (LLVMIsACallInst(a->at)) {
        put_copy(s, a);
        return;
    }
    if (!is_marked(s, a->pointer) || cc_map_get(s->known, a->pointer) >= (int)a->bytes)
        return;
    if (reads(a))
        put(s, a, CC_FN_WRITTEN_NEED);
    if (a->kind != HC_READ)
        put(s, a, CC_FN_WRITTEN_SET);
    cc_map_put(s->known, a->pointer, a->bytes);
}

static void check_function(inserter *s, cc_value function)
{
    CC_EACH_BLOCK(block, function) {
        s->known = cc_map_new();
        CC_EACH_INST(i, block) {
            cc_access a;
            if (cc_find_access(s->unit, i, &a) && a.kind != HC_FREE &&
                !cc_is_of_textures(s->unit, i))
                check_access(s, &a);
        }
    }
}

void cc_check_written(cc_unit *u)
{
    inserter s = {.unit = u, .b = LLVMCreateBuilderInContext(u->context)};
    for (unsigned k = 0; k < u->nkernels; k++)
        u->kernels[k].checks = u->options->checks;
    if (!(u->options->checks & HC_CHECK_INIT))
        return;
    for (unsigned k = 0; k < u->nkernels; k++) {
        s.kernel = &u->kernels[k];
        check_function(&s, s.kernel->function);
    }
    s.kernel = NULL;
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!cc_is_kernel(u, f) && !LLVMIsDeclaration(f))
            check_function(&s, f);
}
