/* Race checks: in front of each access to memory that threads share, a call of hc.race;
   behind atomic operations, volatile accesses and fences, by which threads tell each
   other something, one of hc.race.sign. Finds the size of a kernel's granules, the
   smallest of those accesses: the records of two threads never share a granule. Finds
   which parameters the kernel writes through, too: what nobody writes may be read by
   all, which hostcuda decides for each launch, since parameters may lead to the same
   memory. */
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/intrinsic_table.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/pseudo.h"

typedef struct {
    cc_unit *unit;
    cc_kernel *kernel; /* NULL: a function that is not inlined */
    cc_builder b;
    unsigned granule, global;
    bool shares;     /* it has shared memory, perhaps */
    bool writes_all; /* perhaps */
    cc_map *written; /* variables */
} inserter;

/* -- The calls -- */

/* What is written, as a number; 0 of what is none. */
static cc_value number(inserter *s, cc_value i)
{
    cc_unit *u = s->unit;
    cc_value v = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : cc_int(u->i64, 0);
    cc_type t = LLVMTypeOf(v);
    unsigned bytes = cc_sizeof(u, t);
    if (cc_kind(t) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(s->b, v, u->i64, "");
    if (bytes > 8 || (!cc_is_float(t) && cc_kind(t) != LLVMIntegerTypeKind))
        return cc_int(u->i64, 0);
    if (cc_is_float(t))
        v = LLVMBuildBitCast(s->b, v, LLVMIntTypeInContext(u->context, 8 * bytes), "");
    return LLVMBuildZExtOrBitCast(s->b, v, u->i64, "");
}

/* A read whose value compare-and-swap is tried with, as the guide does it: that sees
   whether the value has changed. */
static bool starts_exchange(const cc_access *a)
{
    bool found = false;
    for (LLVMUseRef use = LLVMGetFirstUse(a->pointer); use && !found;
         use = LLVMGetNextUse(use))
        found = LLVMIsAAtomicCmpXchgInst(LLVMGetUser(use));
    return a->kind == HC_READ && found;
}

static unsigned kinds_of(const cc_access *a)
{
    unsigned kinds = (a->kind != HC_READ ? HC_RACE_WRITES : 0) |
                     (a->kind == HC_ATOMIC || starts_exchange(a) ? HC_RACE_ATOMIC : 0);
    if (LLVMIsAStoreInst(a->at))
        kinds |= HC_RACE_VALUE;
    if (cc_is_access(a->at) && LLVMGetVolatile(a->at))
        kinds |= HC_RACE_VOLATILE;
    if (cc_is_access(a->at) && LLVMGetOrdering(a->at) != LLVMAtomicOrderingNotAtomic)
        kinds |= HC_RACE_ATOMIC;
    return kinds;
}

/* The largest granule that whole ones of make up the access, at most `granule`. */
static unsigned granule_of(const cc_access *a, unsigned granule)
{
    while (a->alignment % granule || a->bytes % granule)
        granule /= 2;
    return granule;
}

static bool is_constant(cc_value variable)
{
    return LLVMIsAGlobalVariable(variable) &&
           (LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == 4 ||
            LLVMIsGlobalConstant(variable));
}

static hc_space space_of(const inserter *s, const cc_access *a, cc_root root)
{
    if (root.kind == CC_ROOT_VARIABLE && cc_is_shared_variable(root.origin))
        return HC_SPACE_SHARED;
    if (root.kind == CC_ROOT_LOCAL ||
        (root.kind == CC_ROOT_VARIABLE && !LLVMIsAGlobalVariable(root.origin)))
        return HC_SPACE_LOCAL;
    if (root.kind == CC_ROOT_VARIABLE)
        return is_constant(root.origin) ? HC_SPACE_CONSTANT : HC_SPACE_GLOBAL;
    return root.kind == CC_ROOT_UNKNOWN && s->shares &&
                   cc_may_be_shared(s->unit, a->pointer)
               ? HC_SPACE_UNKNOWN
               : HC_SPACE_GLOBAL;
}

static const char *name_of(const inserter *s, cc_root root)
{
    const char *name = root.kind == CC_ROOT_VARIABLE ? cc_name(root.origin) : "";
    if (root.kind == CC_ROOT_PARAMETER)
        for (unsigned k = 0; k < s->kernel->nparams; k++)
            if (s->kernel->params[k].offset / 8 <= root.word)
                name = cc_name(LLVMGetParam(s->kernel->function, k));
    return name;
}

static void put_race(inserter *s, const cc_access *a)
{
    cc_unit *u = s->unit;
    cc_root root = cc_root_of(u, s->kernel, a->pointer);
    hc_access facts = {.space = space_of(s, a, root)};
    cc_value start = LLVMConstNull(u->ptr);
    int word = root.kind == CC_ROOT_PARAMETER ? (int)root.word : -1;
    if (facts.space == HC_SPACE_LOCAL || facts.space == HC_SPACE_CONSTANT)
        return;
    if (facts.space == HC_SPACE_GLOBAL && root.kind == CC_ROOT_VARIABLE &&
        !s->writes_all && cc_map_get(s->written, root.origin) < 0)
        return;
    if (facts.space != HC_SPACE_GLOBAL)
        s->granule = granule_of(a, s->granule);
    if (facts.space != HC_SPACE_SHARED)
        s->global = granule_of(a, s->global ? s->global : 16);
    if (facts.space == HC_SPACE_SHARED) {
        start = LLVMConstAddrSpaceCast(root.origin, u->ptr);
        facts.size = cc_sizeof(u, LLVMGlobalGetValueType(root.origin));
    }
    LLVMPositionBuilderBefore(s->b, a->at);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(a->at));
    cc_value row = cc_access_row(u, a, &facts, name_of(s, root));
    if (a->length) {
        uint64_t ask = HC_ASK_RACE | HC_ASK_START | (uint64_t)kinds_of(a) << 42;
        cc_ask_copy(u, s->b, a, ask, row, start);
        return;
    }
    cc_value args[] = {a->pointer, cc_int(u->i64, CC_RACE(kinds_of(a), a->bytes, word)),
                       row, number(s, a->at), start};
    cc_call_function(u, s->b, CC_FN_RACE, u->none, args);
}

/* -- Signs -- */

static LLVMAtomicOrdering ordering_of(cc_value i)
{
    if (LLVMIsAAtomicCmpXchgInst(i))
        return LLVMGetCmpXchgSuccessOrdering(i);
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAFenceInst(i) || cc_is_access(i))
        return LLVMGetOrdering(i);
    return LLVMAtomicOrderingNotAtomic;
}

/* What is written before is seen by whoever sees what this does. An exchange by CUDA's
   function is not meant to be, as strong as it is made. */
static bool releases(inserter *s, cc_value i)
{
    LLVMAtomicOrdering o = ordering_of(i);
    bool exchanges = LLVMIsAAtomicRMWInst(i) &&
                     LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg &&
                     cc_is_of_file(s->unit, i, "atomics");
    return !exchanges &&
           (o == LLVMAtomicOrderingRelease || o == LLVMAtomicOrderingAcquireRelease ||
            o == LLVMAtomicOrderingSequentiallyConsistent);
}

static void put_sign(inserter *s, cc_value before, unsigned what)
{
    cc_value kind = cc_int(s->unit->i32, what);
    LLVMPositionBuilderBefore(s->b, before);
    cc_call_function(s->unit, s->b, CC_FN_RACE_SIGN, s->unit->none, &kind);
}

static void put_signs(inserter *s, cc_value i)
{
    bool is_volatile =
        cc_is_access(i) && LLVMGetVolatile(i) &&
        !cc_is_shared_variable(cc_root_of(s->unit, s->kernel, cc_pointer_of(i)).origin);
    if (releases(s, i))
        put_sign(s, i, HC_RACE_FENCE);
    if (ordering_of(i) != LLVMAtomicOrderingNotAtomic || is_volatile)
        put_sign(s, LLVMGetNextInstruction(i), 0);
}

/* -- A kernel -- */

static unsigned line_of(cc_value i)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    return location ? LLVMDILocationGetLine(location) : 0;
}

/* A read whose line goes on to write to the same place at once: what conflicts with the
   read does so with the write. */
static bool is_in_update(cc_unit *u, const cc_access *a)
{
    cc_value i = a->at;
    if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i) || kinds_of(a) & HC_RACE_ATOMIC)
        return false;
    while ((i = LLVMGetNextInstruction(i))) {
        cc_access b;
        cc_function_id f = cc_function_of(i);
        bool pure = f == CC_FN_NONE ? !LLVMIsACallInst(i) || cc_is_check(i) ||
                                          cc_intrinsic_is_pure(cc_callee(i))
                                    : cc_is_check(i) || cc_functions[f].again;
        if (!pure || LLVMIsAFenceInst(i))
            return false;
        if (!cc_find_access(u, i, &b) || b.kind == HC_READ)
            continue;
        if (b.kind == HC_ATOMIC || !LLVMIsAStoreInst(i))
            return false;
        if (b.pointer == a->pointer && b.bytes == a->bytes && !LLVMGetVolatile(i))
            return line_of(i) == line_of(a->at);
    }
    return false;
}

/* What it writes: parameters, variables, or perhaps anything. */
static void find_writes(inserter *s, bool calls)
{
    cc_kernel *k = s->kernel;
    s->written = cc_map_new();
    s->writes_all = calls;
    k->writes = cc_alloc(k->param_bytes / 8 + 1);
    CC_EACH_INST_OF(i, k->function) {
        cc_access a;
        if (!cc_find_access(s->unit, i, &a) || a.kind == HC_READ || a.kind == HC_FREE)
            continue;
        cc_root root = cc_root_of(s->unit, k, a.pointer);
        s->writes_all |= root.kind == CC_ROOT_UNKNOWN;
        if (root.kind == CC_ROOT_PARAMETER)
            k->writes[root.word] = 1;
        if (root.kind == CC_ROOT_VARIABLE)
            cc_map_put(s->written, root.origin, 1);
    }
    if (s->writes_all)
        k->writes = NULL;
}

static void check_function(inserter *s, cc_value f)
{
    CC_EACH_INST_OF(i, f) {
        cc_access a;
        bool found = cc_find_access(s->unit, i, &a);
        for (; found && !cc_is_of_textures(s->unit, i); found = cc_next_access(&a))
            if (a.kind != HC_FREE && !is_in_update(s->unit, &a))
                put_race(s, &a);
        put_signs(s, i);
    }
}

static bool calls_functions(cc_value f)
{
    CC_EACH_INST_OF(i, f)
        if (LLVMIsACallInst(i) && cc_is_thread_function(i))
            return true;
    return false;
}

void cc_check_races(cc_unit *u)
{
    inserter s = {.unit = u,
                  .b = LLVMCreateBuilderInContext(u->context),
                  .granule = 16,
                  .written = cc_map_new(),
                  .shares = true,
                  .writes_all = true};
    if (!(u->options->checks & HC_CHECK_RACE))
        return;
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!cc_is_kernel(u, f) && !LLVMIsDeclaration(f))
            check_function(&s, f);
    unsigned least = s.granule, global = s.global; /* any kernel may call these */
    for (unsigned k = 0; k < u->nkernels; k++) {
        s.kernel = &u->kernels[k];
        bool calls = calls_functions(s.kernel->function);
        s.granule = calls ? least : 16;
        s.global = calls ? global : 0;
        s.shares = calls || cc_uses_shared(s.kernel->function);
        find_writes(&s, calls);
        check_function(&s, s.kernel->function);
        s.kernel->granule_shift = (unsigned)__builtin_ctz(s.granule);
        s.kernel->global_shift =
            s.global ? (unsigned)__builtin_ctz(s.global) : HC_UNRACED;
    }
}
