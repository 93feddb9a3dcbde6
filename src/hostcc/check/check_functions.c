/* Checks in functions that are not inlined, and of copies of any length. Both are made
   for one thread at a time, and hostcuda is asked each time: such functions are slow
   anyhow, and nobody knows of a copy before it runs how far it goes. The stage comes
   when shared variables have their places, and before functions lose their thread. */
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"

#include <stddef.h>

static cc_value field(cc_unit *u, cc_builder b, cc_value base, size_t offset, cc_type t)
{
    return LLVMBuildLoad2(b, t, cc_offset(u, b, base, offset), "");
}

/* Of the thread that the function runs for. */
static cc_value of_thread(cc_unit *u, cc_builder b, size_t offset, cc_type t)
{
    return field(u, b, cc_thread_record(u), offset, t);
}

static cc_value as_number(cc_unit *u, cc_builder b, cc_value v)
{
    return cc_kind(LLVMTypeOf(v)) == LLVMPointerTypeKind
               ? LLVMBuildPtrToInt(b, v, u->i64, "")
               : v;
}

static void call_service(cc_unit *u, cc_builder b, cc_value table, size_t service,
                         cc_value *args, unsigned n)
{
    cc_type t[6];
    for (unsigned k = 0; k < n; k++)
        t[k] = LLVMTypeOf(args[k]);
    LLVMBuildCall2(b, LLVMFunctionType(u->none, t, n, 0),
                   field(u, b, table, service, u->ptr), args, n, "");
}

/* hc_services.access; `ask`: without the thread. */
static void ask_access(cc_unit *u, cc_builder b, const cc_asked *by, cc_value row,
                       cc_value at, cc_value bytes, cc_value ask, cc_value value)
{
    cc_value thread = LLVMBuildZExt(b, by->thread, u->i64, "");
    thread = LLVMBuildShl(b, thread, cc_int(u->i64, 32), "");
    ask = LLVMBuildOr(b, ask, thread, "");
    cc_value args[] = {by->frame, row, at, bytes, ask, value};
    call_service(u, b, by->table, offsetof(hc_services, access), args, 6);
}

void cc_ask_of_copy(cc_unit *u, cc_builder b, cc_asked by, cc_function_id f,
                    cc_value *v)
{
    if (f == CC_FN_COPY) {
        by.thread = v[3];
        ask_access(u, b, &by, v[4], v[0], v[1], v[2], as_number(u, b, v[5]));
    } else {
        cc_value args[] = {by.frame, v[3], v[2], v[0], v[1]};
        call_service(u, b, by.table, offsetof(hc_services, check_thread), args, 5);
    }
}

/* HC_ASK_... of a race check, with where the variable begins in shared memory. */
static cc_value race_of(cc_unit *u, cc_value what, cc_value start)
{
    uint64_t place = cc_function_of(start) == CC_FN_SHARED_AT
                         ? LLVMConstIntGetZExtValue(LLVMGetOperand(start, 0))
                         : 0;
    uint64_t kinds = LLVMConstIntGetZExtValue(what) & HC_RACE_KINDS;
    return cc_int(u->i64, HC_ASK_RACE | kinds << 42 | place << 46);
}

static void check_call(cc_unit *u, cc_builder b, cc_value i)
{
    cc_type i64 = u->i64;
    cc_value launch = of_thread(u, b, offsetof(hc_thread, launch), u->ptr), v[6];
    cc_asked by = {of_thread(u, b, offsetof(hc_thread, frame), u->ptr),
                   field(u, b, launch, offsetof(hc_launch, services), u->ptr),
                   cc_thread_number(u, b)};
    cc_function_id f = cc_function_of(i);
    for (unsigned k = 0; k < cc_nargs(i); k++)
        v[k] = LLVMGetOperand(i, k);
    if (f == CC_FN_CHECK_COPY || f == CC_FN_COPY) {
        cc_ask_of_copy(u, b, by, f, v);
    } else if (f == CC_FN_RACE_SIGN) {
        cc_value args[] = {by.frame, LLVMBuildOr(b, by.thread, v[0], "")};
        call_service(u, b, by.table, offsetof(hc_services, race_sign), args, 2);
    } else if (f == CC_FN_RACE) {
        uint64_t bytes = CC_RACE_BYTES(LLVMConstIntGetZExtValue(v[1]));
        ask_access(u, b, &by, v[2], v[0], cc_int(i64, bytes), race_of(u, v[1], v[4]),
                   v[3]);
    } else if (f == CC_FN_WRITTEN_NEED || f == CC_FN_WRITTEN_SET) {
        uint64_t bytes = LLVMConstIntGetZExtValue(v[1]);
        ask_access(u, b, &by, v[3], v[0], cc_int(i64, bytes),
                   cc_int(i64, f == CC_FN_WRITTEN_NEED ? HC_ASK_NEED : HC_ASK_SET),
                   cc_int(i64, 0));
    } else {
        uint64_t demand = LLVMConstIntGetZExtValue(v[2]);
        cc_value args[] = {by.frame, v[3], by.thread, as_number(u, b, v[0]),
                           cc_int(i64, CC_DEMAND_BYTES(demand))};
        call_service(u, b, by.table, offsetof(hc_services, check_thread), args, 5);
    }
}

void cc_check_functions(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (cc_is_kernel(u, f) || LLVMIsDeclaration(f))
            continue;
        CC_EACH_INST_OF(i, f) {
            if (!cc_is_check(i) && cc_function_of(i) != CC_FN_RACE_SIGN)
                continue;
            LLVMPositionBuilderBefore(b, i);
            check_call(u, b, i);
            LLVMInstructionEraseFromParent(i);
        }
    }
}
