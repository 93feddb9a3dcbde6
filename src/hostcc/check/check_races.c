/* Race checks: in front of each access that may be one to shared memory, a call of
   hc.race; behind atomic operations and fences, by which threads tell each other
   something, one of hc.race.sign. Finds the size of a kernel's granules, the smallest
   of those accesses: the records of two threads never share a granule. */
#include "hostcc/check/check.h"
#include "hostcc/ir/pseudo.h"

typedef struct {
    cc_unit *unit;
    cc_kernel *kernel;
    cc_builder b;
    unsigned granule;
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

static void put_race(inserter *s, const cc_access *a)
{
    cc_unit *u = s->unit;
    cc_root root = cc_root_of(u, s->kernel, a->pointer);
    bool known = root.kind == CC_ROOT_VARIABLE;
    hc_access facts = {.space = HC_SPACE_SHARED};
    cc_value start = LLVMConstNull(u->ptr);
    unsigned least = a->alignment < a->bytes ? a->alignment : a->bytes;
    if (root.kind == CC_ROOT_PARAMETER)
        return;
    while (s->granule > least)
        s->granule /= 2;
    if (known) {
        start = LLVMConstAddrSpaceCast(root.origin, u->ptr);
        facts.size = cc_sizeof(u, LLVMGlobalGetValueType(root.origin));
    }
    LLVMPositionBuilderBefore(s->b, a->at);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(a->at));
    cc_value args[] = {a->pointer, cc_int(u->i32, kinds_of(a) | a->bytes << 8),
                       cc_access_row(u, a, &facts, known ? cc_name(root.origin) : ""),
                       number(s, a->at), start};
    cc_call_function(u, s->b, CC_FN_RACE, u->none, args);
}

static void check_kernel(inserter *s)
{
    cc_value f = s->kernel->function;
    CC_EACH_INST_OF(i, f) {
        cc_access a;
        bool found = cc_find_access(s->unit, i, &a), atomic = a.kind == HC_ATOMIC;
        for (; found && !cc_is_of_textures(s->unit, i); found = cc_next_access(&a))
            if (a.kind != HC_FREE && cc_may_be_shared(a.pointer))
                put_race(s, &a);
        if (atomic || LLVMIsAFenceInst(i)) {
            LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(i));
            cc_call_function(s->unit, s->b, CC_FN_RACE_SIGN, s->unit->none, NULL);
        }
    }
}

void cc_check_races(cc_unit *u)
{
    inserter s = {.unit = u, .b = LLVMCreateBuilderInContext(u->context)};
    if (!(u->options->checks & HC_CHECK_RACE))
        return;
    for (unsigned k = 0; k < u->nkernels; k++) {
        s.kernel = &u->kernels[k];
        s.granule = 8;
        if (cc_uses_shared(s.kernel->function))
            check_kernel(&s);
        s.kernel->granule_shift = (unsigned)__builtin_ctz(s.granule);
    }
}
