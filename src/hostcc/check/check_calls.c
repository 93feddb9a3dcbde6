/* What all memory checks are made of: which instructions access memory, and the calls
   of hc.check... that say what such an access must be like. */
#include "hostcc/check/check.h"
#include "hostcc/ir/addresses.h"

/* -- Accesses -- */

static bool find_copy(cc_value i, cc_access *a)
{
    const char *name = cc_callee(i);
    bool sets = cc_prefixed(name, "llvm.memset.");
    if (!sets && !cc_prefixed(name, "llvm.memcpy.") &&
        !cc_prefixed(name, "llvm.memmove."))
        return false;
    cc_value length = LLVMGetOperand(i, 2);
    uint64_t bytes =
        LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : UINT64_MAX;
    a->kind = HC_WRITE;
    a->length = bytes < CC_DEMAND_MOST ? NULL : length;
    a->bytes = bytes < CC_DEMAND_MOST ? (unsigned)bytes : 1;
    a->alignment = cc_promised_alignment(i, 0);
    a->pointer = LLVMGetOperand(i, 0);
    a->source = sets ? NULL : LLVMGetOperand(i, 1);
    return a->bytes > 0;
}

static bool find_call(cc_value i, cc_access *a)
{
    cc_function_id f = cc_function_of(i);
    if (f != CC_FN_FREE && f != CC_FN_OBJECT_USED && f != CC_FN_PLACE_USED)
        return find_copy(i, a);
    a->kind = f == CC_FN_FREE ? HC_FREE : HC_READ;
    a->pointer = LLVMGetOperand(i, 0);
    a->bytes = a->alignment = 1;
    if (f == CC_FN_PLACE_USED) {
        a->bytes = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
        if (LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)))
            a->kind = HC_WRITE;
    }
    return true;
}

bool cc_find_access(cc_unit *u, cc_value i, cc_access *a)
{
    *a = (cc_access){.at = i};
    cc_type t = LLVMTypeOf(i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        a->kind = HC_READ;
        break;
    case LLVMStore:
        a->kind = HC_WRITE;
        t = LLVMTypeOf(LLVMGetOperand(i, 0));
        break;
    case LLVMAtomicRMW:
        a->kind = HC_ATOMIC;
        break;
    case LLVMAtomicCmpXchg:
        a->kind = HC_ATOMIC;
        t = LLVMTypeOf(LLVMGetOperand(i, 1));
        break;
    case LLVMCall:
        return find_call(i, a);
    default:
        return false;
    }
    a->bytes = (unsigned)LLVMStoreSizeOfType(u->layout, t);
    a->pointer = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
    a->alignment = LLVMGetAlignment(i);
    return a->bytes > 0;
}

bool cc_next_access(cc_access *a)
{
    if (!a->source)
        return false;
    a->pointer = a->source;
    a->alignment = cc_promised_alignment(a->at, 1);
    a->source = NULL;
    a->kind = HC_READ;
    return true;
}

static unsigned checked_note(cc_unit *u)
{
    return LLVMGetMDKindIDInContext(u->context, "hc.checked", 10);
}

void cc_mark_checked(cc_unit *u, cc_value i)
{
    LLVMSetMetadata(
        i, checked_note(u),
        LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, NULL, 0)));
}

bool cc_is_checked(cc_unit *u, cc_value i)
{
    return LLVMGetMetadata(i, checked_note(u));
}

/* -- What is known -- */

bool cc_is_always_right(const cc_access *a, cc_value distance, uint64_t size)
{
    if (!LLVMIsAConstantInt(distance))
        return false;
    uint64_t at = LLVMConstIntGetZExtValue(distance);
    return at <= size && size - at >= a->bytes && at % a->alignment == 0;
}

bool cc_is_at_constant(cc_unit *u, const cc_access *a, cc_value origin, uint64_t size)
{
    uint64_t at = 0;
    cc_value p = a->pointer;
    while (p != origin) {
        bool constant = LLVMIsAConstantExpr(p);
        LLVMOpcode op = constant                ? LLVMGetConstOpcode(p)
                        : LLVMIsAInstruction(p) ? LLVMGetInstructionOpcode(p)
                                                : LLVMRet;
        if (op == LLVMGetElementPtr && !cc_address_parts(u, p, cc_add_constant, &at))
            return false;
        if (op != LLVMGetElementPtr && op != LLVMAddrSpaceCast)
            return false;
        p = LLVMGetOperand(p, 0);
    }
    return size != HC_DYNAMIC && cc_is_always_right(a, cc_int(u->i64, at), size);
}

/* -- Calls -- */

cc_value cc_demand(cc_unit *u, const cc_access *a, bool look)
{
    unsigned shift = look ? (unsigned)__builtin_ctz(a->alignment) : 0;
    unsigned root = look ? 0 : (unsigned)__builtin_ctz(a->alignment);
    return cc_int(u->i32, CC_DEMAND(a->bytes, shift, root));
}

void cc_check_distance(cc_unit *u, cc_builder b, const cc_access *a, cc_variable v,
                       cc_value distance)
{
    hc_access facts = {.way = HC_BY_SIZE, .space = v.space, .size = v.size};
    bool look =
        v.alignment >= a->alignment && !cc_keeps_alignment(u, a->pointer, a->alignment);
    cc_value size = cc_int(u->i64, v.size);
    cc_access known = *a;
    if (v.alignment < a->alignment) /* whatever its place is, it is right */
        known.alignment = 1;
    if (v.size == HC_DYNAMIC)
        size = cc_call_function(u, b, CC_FN_DYNAMIC_SHARED, u->i64, NULL);
    cc_value args[] = {distance, size, cc_demand(u, &known, look),
                       cc_access_row(u, &known, &facts, cc_name(v.origin))};
    cc_value call = cc_call_function(u, b, v.check, u->none, args);
    /* Reads and writes nothing that others do: the optimizer may go on around it. */
    if (v.check == CC_FN_CHECK_LOCAL)
        cc_param_attribute(u, LLVMGetCalledValue(call),
                           (unsigned)LLVMAttributeFunctionIndex, "memory", 3 << 2);
}

cc_value cc_thread_number(cc_unit *u, cc_builder b)
{
    cc_value n = cc_read_register(u, b, "tid.z");
    n = LLVMBuildMul(b, n, cc_read_register(u, b, "ntid.y"), "");
    n = LLVMBuildAdd(b, n, cc_read_register(u, b, "tid.y"), "");
    n = LLVMBuildMul(b, n, cc_read_register(u, b, "ntid.x"), "");
    return LLVMBuildAdd(b, n, cc_read_register(u, b, "tid.x"), "");
}

void cc_ask_copy(cc_unit *u, cc_builder b, const cc_access *a, uint64_t ask,
                 cc_value row, cc_value value)
{
    cc_value bytes =
        a->length ? LLVMBuildZExt(b, a->length, u->i64, "") : cc_int(u->i64, a->bytes);
    cc_value args[] = {a->pointer, bytes, cc_int(u->i64, ask), cc_thread_number(u, b),
                       row,        value};
    cc_call_function(u, b, CC_FN_COPY, u->none, args);
}
