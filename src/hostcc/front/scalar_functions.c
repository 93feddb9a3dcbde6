/* Device functions that are not inlined: recursive ones, those called through pointers,
   and large ones of kernels that inlining makes too large. They stay scalar; kernels
   call them lane by lane. Where threads run one at a time, for debuggers, so do all
   functions, and kernels themselves (split/threads.c). Such a function finds out which
   thread it runs for in a record in thread-local storage, which the caller fills
   (lane_loops.c). It cannot wait for other threads. */
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"
#include "hostcc/ir/pseudo.h"

#include <stddef.h>

/* -- Who is inlined -- */

bool cc_is_address_taken(cc_value f)
{
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return true;
        for (unsigned k = 0; k < cc_nargs(user); k++)
            if (LLVMGetOperand(user, k) == f)
                return true;
    }
    return false;
}

/* Whether `from` calls `to`, directly or through others. */
static bool reaches(cc_value from, cc_value to, cc_map *seen)
{
    if (cc_map_get(seen, from) >= 0)
        return false;
    cc_map_put(seen, from, 1);
    CC_EACH_INST_OF(i, from) {
        cc_value f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        if (!f || !LLVMIsAFunction(f))
            continue;
        if (f == to || (!LLVMIsDeclaration(f) && reaches(f, to, seen)))
            return true;
    }
    return false;
}

/* For debuggers: it is compiled as it stands, a call of it is one. */
static void keep_apart(cc_unit *u, cc_value f)
{
    static const char *const against[] = {"alwaysinline", "inlinehint", "minsize",
                                          "optsize"};
    for (unsigned k = 0; k < sizeof against / sizeof *against; k++)
        LLVMRemoveEnumAttributeAtIndex(
            f, LLVMAttributeFunctionIndex,
            LLVMGetEnumAttributeKindForName(against[k], strlen(against[k])));
    cc_attribute(u, f, "noinline");
    cc_attribute(u, f, "optnone");
    cc_param_attribute(u, f, (unsigned)LLVMAttributeFunctionIndex, "uwtable", 2);
    cc_text_attribute(u, f, "frame-pointer", "all");
}

static const cc_service services[CC_FN_COUNT] = {
    [CC_FN_PRINT] = {true, false, offsetof(hc_services, print)},
    [CC_FN_MALLOC] = {true, false, offsetof(hc_services, allocate)},
    [CC_FN_FREE] = {true, false, offsetof(hc_services, release)},
    [CC_FN_ASSERT_FAIL] = {true, true, offsetof(hc_services, assert_fail)},
    [CC_FN_TRAP] = {true, true, offsetof(hc_services, trap)},
    [CC_FN_DEBUGTRAP] = {true, true, offsetof(hc_services, trap)},
};

const cc_service *cc_service_of(cc_value call)
{
    return &services[cc_function_of(call)];
}

/* -- Kernels that inlining makes too large -- */

/* Of functions that call the next one twice each, a kernel gets 2^n copies. */
enum { LARGE_KERNEL = 1 << 18, LARGE_FUNCTION = 4096 }; /* instructions */

static bool has_attribute(cc_value f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
}

/* A recursive function may be told both by its source. */
static bool is_inlined(cc_value f)
{
    return LLVMIsAFunction(f) && !LLVMIsDeclaration(f) &&
           has_attribute(f, "alwaysinline") && !has_attribute(f, "noinline");
}

/* Whether f, or a function that it calls, does what scalar code cannot, or may wait for
   another thread of its vector, such as the owner of a lock. */
static bool needs_vectors(cc_value f, cc_map *seen)
{
    if (cc_map_get(seen, f) >= 0)
        return false;
    cc_map_put(seen, f, 1);
    CC_EACH_INST_OF(i, f) {
        if (LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAAtomicRMWInst(i) ||
            (LLVMIsALoadInst(i) && LLVMGetVolatile(i)))
            return true;
        cc_value callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        if (!callee || !LLVMIsAFunction(callee))
            continue;
        const char *name = cc_callee(i);
        bool service = cc_service_of(i)->known ||
                       cc_function_of(i) == CC_FN_DYNAMIC_SHARED ||
                       cc_function_of(i) == CC_FN_PRODUCTS;
        if (!LLVMIsDeclaration(callee) ? needs_vectors(callee, seen)
            : cc_prefixed(name, "__hostcc_")
                ? !cc_prefixed(name, CC_LIBM) && !service
                : cc_prefixed(name, "llvm.nvvm.") && !*cc_register(i))
            return true;
    }
    return false;
}

static bool has_several_uses(cc_value f)
{
    LLVMUseRef first = LLVMGetFirstUse(f);
    return first && LLVMGetNextUse(first);
}

/* How many instructions f has after inlining. Functions above `most` that are called
   from several places become calls. */
static unsigned inlined_size(cc_unit *u, cc_value f, unsigned most, cc_map *sizes)
{
    int known = cc_map_get(sizes, f);
    if (known >= 0)
        return (unsigned)known;
    unsigned size = 0;
    CC_EACH_INST_OF(i, f) {
        cc_value callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        size += callee && is_inlined(callee) ? inlined_size(u, callee, most, sizes) : 1;
        size = size < LARGE_KERNEL + 1 ? size : LARGE_KERNEL + 1;
    }
    if (size > most && is_inlined(f) && has_several_uses(f) &&
        !needs_vectors(f, cc_map_new())) {
        LLVMRemoveEnumAttributeAtIndex(
            f, LLVMAttributeFunctionIndex,
            LLVMGetEnumAttributeKindForName("alwaysinline", 12));
        cc_attribute(u, f, "noinline");
        size = 1;
    }
    cc_map_put(sizes, f, size);
    return size;
}

/* A kernel's size is bounded by that of its functions then, not by their product. */
static void bound_inlining(cc_unit *u)
{
    for (unsigned k = 0; k < u->nkernels; k++) {
        cc_value kernel = u->kernels[k].function;
        if (inlined_size(u, kernel, LARGE_KERNEL + 1, cc_map_new()) > LARGE_KERNEL)
            inlined_size(u, kernel, LARGE_FUNCTION, cc_map_new());
    }
}

void cc_mark_inlining(cc_unit *u)
{
    cc_value exit = LLVMGetNamedFunction(u->module, "__hostcc_exit");
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        bool ends_thread = exit && reaches(f, exit, cc_map_new()); /* by a return */
        if (cc_by_thread(u) &&
            (cc_is_kernel(u, f) || (cc_is_users_function(u, f) && !ends_thread)))
            keep_apart(u, f);
        else if (cc_is_kernel(u, f))
            continue;
        else if (cc_keep_fetch(u, f))
            continue;
        else if (!cc_is_address_taken(f) && !reaches(f, f, cc_map_new()))
            cc_attribute(u, f, "alwaysinline");
        else
            cc_attribute(u, f, "noinline");
    }
    if (!cc_by_thread(u))
        bound_inlining(u);
}

bool cc_is_thread_function(cc_value call)
{
    cc_value f = LLVMGetCalledValue(call);
    return !LLVMIsAFunction(f) || (!LLVMIsDeclaration(f) && !cc_is_vector_call(call));
}

/* -- The record -- */

cc_value cc_thread_record(cc_unit *u)
{
    cc_value record = LLVMGetNamedGlobal(u->module, "hc.thread");
    if (record)
        return record;
    cc_type t = LLVMArrayType2(u->i8, sizeof(hc_thread));
    record = LLVMAddGlobal(u->module, t, "hc.thread");
    LLVMSetInitializer(record, LLVMConstNull(t));
    LLVMSetLinkage(record, LLVMInternalLinkage);
    LLVMSetThreadLocal(record, 1);
    LLVMSetAlignment(record, 8);
    return record;
}

static cc_value field(cc_unit *u, cc_builder b, cc_value base, size_t offset, cc_type t)
{
    return LLVMBuildLoad2(b, t, cc_offset(u, b, base, offset), "");
}

cc_value cc_thread_field(cc_unit *u, cc_builder b, size_t offset, cc_type t)
{
    return field(u, b, cc_thread_record(u), offset, t);
}

cc_value cc_thread_launch(cc_unit *u, cc_builder b)
{
    return cc_thread_field(u, b, offsetof(hc_thread, launch), u->ptr);
}

cc_value cc_thread_frame(cc_unit *u, cc_builder b)
{
    return cc_thread_field(u, b, offsetof(hc_thread, frame), u->ptr);
}

cc_value cc_thread_service(cc_unit *u, cc_builder b, size_t offset)
{
    cc_value table =
        field(u, b, cc_thread_launch(u, b), offsetof(hc_launch, services), u->ptr);
    return field(u, b, table, offset, u->ptr);
}

/* -- Calls that mean something -- */

static cc_value special_register(cc_unit *u, cc_builder b, cc_value i)
{
    unsigned dim;
    cc_register_id reg = cc_register_of(i, &dim);
    switch (reg) {
    case CC_TID:
        return field(u, b, cc_thread_record(u), offsetof(hc_thread, index) + 4 * dim,
                     u->i32);
    case CC_NTID:
        return field(u, b, cc_thread_launch(u, b), offsetof(hc_launch, block) + 4 * dim,
                     u->i32);
    case CC_CTAID:
        return field(u, b, cc_thread_frame(u, b), offsetof(hc_frame, index) + 4 * dim,
                     u->i32);
    case CC_NCTAID:
        return field(u, b, cc_thread_launch(u, b), offsetof(hc_launch, grid) + 4 * dim,
                     u->i32);
    case CC_NO_REGISTER:
        break;
    }
    return NULL;
}

static cc_value service_call(cc_unit *u, cc_builder b, cc_value i,
                             const cc_service *service)
{
    cc_type t[8] = {u->ptr, u->ptr};
    cc_value args[8] = {cc_thread_frame(u, b)};
    unsigned n = 1;
    if (service->fatal)
        args[n++] = cc_offset(u, b, cc_thread_record(u), offsetof(hc_thread, index));
    for (unsigned k = 0; k < cc_nargs(i); k++, n++) {
        args[n] = LLVMGetOperand(i, k);
        t[n] = LLVMTypeOf(args[n]);
    }
    cc_type ft = LLVMFunctionType(LLVMTypeOf(i), t, n, 0);
    return LLVMBuildCall2(b, ft, cc_thread_service(u, b, service->offset), args, n, "");
}

/* hc.count: one lane of a vector, whose lanes come one after the other. */
static cc_value count_call(cc_unit *u, cc_builder b, cc_value i)
{
    static const size_t both[] = {offsetof(hc_counter, lanes),
                                  offsetof(hc_counter, vectors)};
    cc_value all =
        field(u, b, cc_thread_frame(u, b), offsetof(hc_frame, counters), u->ptr);
    size_t at = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) * sizeof(hc_counter);
    cc_value store = NULL;
    for (unsigned k = 0; k < 2; k++) {
        cc_value one = cc_offset(u, b, all, at + both[k]);
        cc_value n = LLVMBuildLoad2(b, u->i64, one, "");
        store = LLVMBuildStore(b, LLVMBuildAdd(b, n, cc_int(u->i64, 1), ""), one);
    }
    return store;
}

cc_value cc_products_of_halves(cc_builder b, cc_value x, cc_value y, cc_value sixteen)
{
    cc_value low[] = {LLVMBuildShl(b, x, sixteen, ""), LLVMBuildShl(b, y, sixteen, "")};
    cc_value sum = LLVMBuildMul(b, LLVMBuildAShr(b, low[0], sixteen, ""),
                                LLVMBuildAShr(b, low[1], sixteen, ""), "");
    cc_value high = LLVMBuildMul(b, LLVMBuildAShr(b, x, sixteen, ""),
                                 LLVMBuildAShr(b, y, sixteen, ""), "");
    return LLVMBuildAdd(b, sum, high, "");
}

static cc_value lower_call(cc_unit *u, cc_builder b, cc_value i, cc_value f)
{
    const char *name = cc_callee(i);
    if (*cc_register(i))
        return special_register(u, b, i);
    if (cc_function_of(i) == CC_FN_SHARED_AT) {
        cc_value by = LLVMBuildZExt(b, LLVMGetOperand(i, 0), u->i64, "");
        cc_value base =
            field(u, b, cc_thread_frame(u, b), offsetof(hc_frame, shared), u->ptr);
        return LLVMBuildInBoundsGEP2(b, u->i8, base, &by, 1, "");
    }
    if (cc_function_of(i) == CC_FN_COUNTER)
        return count_call(u, b, i);
    if (cc_function_of(i) == CC_FN_PRODUCTS)
        return cc_products_of_halves(b, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1),
                                     cc_int(u->i32, 16));
    if (cc_function_of(i) == CC_FN_DYNAMIC_SHARED)
        return LLVMBuildZExt(b,
                             field(u, b, cc_thread_launch(u, b),
                                   offsetof(hc_launch, dynamic_shared), u->i32),
                             u->i64, "");
    const cc_service *service = cc_service_of(i);
    if (service->known)
        return service_call(u, b, i, service);
    if (cc_prefixed(name, "__hostcc_") && !cc_prefixed(name, CC_LIBM))
        cc_refuse("'%s' is recursive or called through a pointer, so it cannot use %s",
                  cc_name(f),
                  cc_prefixed(name, "__hostcc_barrier") ? "__syncthreads" : name + 9);
    return NULL;
}

void cc_lower_scalar_functions(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if ((cc_is_kernel(u, f) && !cc_by_thread(u)) || LLVMIsDeclaration(f))
            continue;
        CC_EACH_INST_OF(i, f) {
            if (!LLVMIsACallInst(i))
                continue;
            LLVMPositionBuilderBefore(b, i);
            cc_value r = lower_call(u, b, i, f);
            if (!r) {
                cc_refuse_ptx(i, cc_name(f));
                continue;
            }
            LLVMReplaceAllUsesWith(i, r);
            LLVMInstructionEraseFromParent(i);
        }
    }
}
