/* What differs evenly from thread to thread of a row, as an index does that counts with
   threadIdx.x: by how much, and what it is for the row's first thread, computed anew in
   front of the loop over the row's vectors. */
#include "hostcc/back/back.h"
#include "hostcc/ir/pseudo.h"

#include <stddef.h>

#define MOST_NODES 32 /* of an expression that is computed again for a row */

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
    if (*cc_register(v)) {
        cc_register_id which = cc_register_of(v, &dim);
        *n = which == CC_TID && dim == 0;
        return which != CC_NO_REGISTER;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
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
    case LLVMShl: /* by a number that is not too large */
    case LLVMLShr:
    case LLVMAShr:
        return !a && by_constant;
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

static cc_value argument(cc_unit *u, const cc_kernel *k, const cc_thread_row *r,
                         cc_value v)
{
    unsigned p = 0;
    while (LLVMGetParam(LLVMGetParamParent(v), p) != v)
        p++;
    cc_value params = cc_fixed_load(
        u, r->b, u->ptr, cc_offset(u, r->b, r->launch, offsetof(hc_launch, params)),
        k->param_bytes);
    return cc_fixed_load(u, r->b, LLVMTypeOf(v),
                         cc_offset(u, r->b, params, k->params[p].offset), 0);
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
   poison: perhaps this thread never computes v. */
cc_value cc_of_row(cc_unit *u, const cc_kernel *k, const cc_thread_row *r, cc_value v)
{
    if (LLVMIsAConstantInt(v))
        return v;
    if (LLVMIsAArgument(v))
        return argument(u, k, r, v);
    if (cc_is_block_value(v))
        return block_value(u, r, v);
    if (*cc_register(v))
        return special_register(u, r, v);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    cc_value a = cc_of_row(u, k, r, LLVMGetOperand(v, 0));
    if (LLVMGetNumOperands(v) == 1)
        return LLVMBuildCast(r->b, op, a, LLVMTypeOf(v), "");
    return LLVMBuildBinOp(r->b, op, a, cc_of_row(u, k, r, LLVMGetOperand(v, 1)), "");
}
