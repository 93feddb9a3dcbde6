/* What differs evenly from thread to thread of a row, as an index does that counts with
   threadIdx.x: by how much, and what it is for the row's first thread, computed anew in
   front of the loop over the row's vectors. */
#include "hostcc/back/back.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/pseudo.h"

#include <stddef.h>

#define MOST_NODES 32 /* of an expression that is computed again for a row */

/* The parameter of which v is a member (front/parameters.c), or NULL. */
static cc_value structure_of(cc_value v)
{
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(v)),
                                             CC_INVARIANT, strlen(CC_INVARIANT));
    cc_value p =
        LLVMIsALoadInst(v) && LLVMGetMetadata(v, kind) ? LLVMGetOperand(v, 0) : NULL;
    while (p && LLVMIsAGetElementPtrInst(p)) {
        for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(p); k++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(p, k)))
                return NULL;
        p = LLVMGetOperand(p, 0);
    }
    return p && LLVMIsAArgument(p) ? p : NULL;
}

static bool growth(cc_value v, unsigned *nodes, int64_t *n);

/* Of the operands of v. */
static bool none_grows(cc_value v, unsigned *nodes)
{
    int64_t n;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
        if (!growth(LLVMGetOperand(v, k), nodes, &n) || n)
            return false;
    return true;
}

static bool growth(cc_value v, unsigned *nodes, int64_t *n)
{
    int64_t a, b = 0;
    unsigned dim;
    *n = 0;
    if (++*nodes > MOST_NODES || cc_kind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        return false;
    if (LLVMIsAConstantInt(v))
        return true;
    if (LLVMIsAArgument(v))
        return LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 8;
    if (!LLVMIsAInstruction(v))
        return false;
    if (cc_is_block_value(v))
        return true;
    if (structure_of(v))
        return LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 8;
    if (*cc_register(v)) {
        cc_register_id which = cc_register_of(v, &dim);
        *n = which == CC_TID && dim == 0;
        return which != CC_NO_REGISTER;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMSelect || op == LLVMICmp)
        return none_grows(v, nodes);
    bool binary = LLVMGetNumOperands(v) == 2;
    if ((!LLVMIsABinaryOperator(v) && op != LLVMZExt && op != LLVMSExt &&
         op != LLVMTrunc) ||
        !growth(LLVMGetOperand(v, 0), nodes, &a) ||
        (binary && !growth(LLVMGetOperand(v, 1), nodes, &b)))
        return false;
    cc_value by = binary ? LLVMGetOperand(v, 1) : NULL;
    bool by_constant = by && LLVMIsAConstantInt(by);
    if (op == LLVMOr && LLVMGetIsDisjoint(v))
        op = LLVMAdd;
    switch (op) {
    case LLVMAdd:
        return !__builtin_add_overflow(a, b, n);
    case LLVMSub:
        return !__builtin_sub_overflow(a, b, n);
    case LLVMMul:
        if (a && by_constant)
            return !__builtin_mul_overflow(a, LLVMConstIntGetSExtValue(by), n);
        return !a && !b;
    case LLVMZExt:
    case LLVMSExt: /* of a thread's number, which does not wrap around */
        *n = a;
        return !a || *cc_register(LLVMGetOperand(v, 0));
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMTrunc:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return !a && !b;
    default:
        return false;
    }
}

bool cc_growth_in_row(cc_value v, int64_t *n)
{
    unsigned nodes = 0;
    return growth(v, &nodes, n);
}

static cc_value launch_field(cc_unit *u, const cc_thread_row *r, cc_type t, size_t at)
{
    return cc_fixed_load(u, r->b, t, cc_offset(u, r->b, r->launch, at), 0);
}

/* `bytes` behind the start of a parameter; v is that, or what is loaded there. */
static cc_value parameter(cc_unit *u, const cc_kernel *k, const cc_thread_row *r,
                          cc_value parameter, uint64_t bytes, cc_value v)
{
    unsigned p = 0;
    while (LLVMGetParam(LLVMGetParamParent(parameter), p) != parameter)
        p++;
    cc_value params = cc_fixed_load(
        u, r->b, u->ptr, cc_offset(u, r->b, r->launch, offsetof(hc_launch, params)),
        k->param_bytes);
    return cc_fixed_load(u, r->b, LLVMTypeOf(v),
                         cc_offset(u, r->b, params, k->params[p].offset + bytes), 0);
}

static cc_value member(cc_unit *u, const cc_kernel *k, const cc_thread_row *r,
                       cc_value v)
{
    uint64_t bytes = 0;
    for (cc_value p = LLVMGetOperand(v, 0); LLVMIsAGetElementPtrInst(p);
         p = LLVMGetOperand(p, 0))
        cc_address_parts(u, p, cc_add_constant, &bytes);
    return parameter(u, k, r, structure_of(v), bytes, v);
}

static cc_value special_register(cc_unit *u, const cc_thread_row *r, cc_value v)
{
    unsigned dim;
    cc_value thread[] = {cc_int(u->i32, 0), r->y, r->z};
    switch (cc_register_of(v, &dim)) {
    case CC_TID:
        return thread[dim];
    case CC_NTID:
        return r->block_dim[dim];
    case CC_CTAID:
        return r->index[dim];
    default:
        return launch_field(u, r, u->i32, offsetof(hc_launch, grid) + 4 * dim);
    }
}

static cc_value block_value(cc_unit *u, const cc_thread_row *r, cc_value v)
{
    cc_value args[4];
    for (unsigned k = 0; k < 4; k++)
        args[k] = LLVMGetOperand(LLVMGetOperand(v, 0), k);
    cc_value at = cc_call_function(u, r->b, CC_FN_FUSED, u->ptr, args);
    return LLVMBuildLoad2(r->b, LLVMTypeOf(v), at, "");
}

/* What v is for the row's first thread. Without the flags that make some results
   poison, as shifts by too much do: perhaps this thread never computes v. */
cc_value cc_of_row(cc_unit *u, const cc_kernel *k, const cc_thread_row *r, cc_value v)
{
    if (LLVMIsAConstantInt(v))
        return v;
    if (LLVMIsAArgument(v))
        return parameter(u, k, r, v, 0, v);
    if (cc_is_block_value(v))
        return block_value(u, r, v);
    if (structure_of(v))
        return member(u, k, r, v);
    if (*cc_register(v))
        return special_register(u, r, v);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    unsigned n = (unsigned)LLVMGetNumOperands(v);
    cc_value a[3];
    for (unsigned j = 0; j < n; j++)
        a[j] = cc_of_row(u, k, r, LLVMGetOperand(v, j));
    if (n == 1)
        return LLVMBuildCast(r->b, op, a[0], LLVMTypeOf(v), "");
    if (op == LLVMSelect)
        return LLVMBuildSelect(r->b, a[0], a[1], a[2], "");
    if (op == LLVMICmp)
        return LLVMBuildICmp(r->b, LLVMGetICmpPredicate(v), a[0], a[1], "");
    cc_value result = LLVMBuildBinOp(r->b, op, a[0], a[1], "");
    bool shifts = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
    return shifts && !LLVMIsAConstantInt(a[1]) ? LLVMBuildFreeze(r->b, result, "")
                                               : result;
}
