/* Straight-line code: one vector instruction for each scalar one; one scalar
   instruction where the result is the same in all lanes, or evenly spaced. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/intrinsic_table.h"

/* -- Division: a zero divisor must not trap, on a GPU it does not -- */

/* Up to 32 bits: exact in double precision; vectors of doubles can be divided. */
static cc_value divide_by_floats(cc_vec *e, cc_value n, cc_value d, bool is_signed,
                                 bool remainder)
{
    cc_type t = LLVMTypeOf(n), f = LLVMVectorType(e->unit->f64, e->width);
    cc_type i = LLVMVectorType(e->unit->i32, e->width);
    LLVMOpcode to = is_signed ? LLVMSIToFP : LLVMUIToFP;
    LLVMOpcode from = is_signed ? LLVMFPToSI : LLVMFPToUI;
    cc_value q = LLVMBuildFDiv(e->b, LLVMBuildCast(e->b, to, n, f, ""),
                               LLVMBuildCast(e->b, to, d, f, ""), "");
    q = LLVMBuildFreeze(e->b, LLVMBuildCast(e->b, from, q, i, ""), "");
    q = LLVMBuildIntCast2(e->b, q, t, is_signed, "");
    return remainder ? LLVMBuildSub(e->b, n, LLVMBuildMul(e->b, q, d, ""), "") : q;
}

static cc_value divide(cc_vec *e, LLVMOpcode op, cc_value n, cc_value d)
{
    bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    bool remainder = op == LLVMSRem || op == LLVMURem;
    cc_type t = LLVMTypeOf(n);
    bool wide = cc_kind(t) == LLVMVectorTypeKind;
    cc_type element = wide ? LLVMGetElementType(t) : t;
    cc_value c = LLVMIsAConstantDataVector(d) ? LLVMGetAggregateElement(d, 0) : d;
    if (LLVMIsAConstantInt(c) && LLVMConstIntGetSExtValue(c) + 1ull > 1)
        return LLVMBuildBinOp(e->b, op, n, d, "");
    if (wide && LLVMGetIntTypeWidth(element) <= 32)
        return divide_by_floats(e, n, d, is_signed, remainder);
    cc_value one = cc_int(element, 1), zero = LLVMConstNull(t),
             ones = LLVMConstAllOnes(t);
    one = wide ? cc_splat(e, one) : one;
    cc_value bad = LLVMBuildICmp(e->b, LLVMIntEQ, d, zero, "");
    cc_value minus = is_signed ? LLVMBuildICmp(e->b, LLVMIntEQ, d, ones, "") : NULL;
    if (minus)
        bad = LLVMBuildOr(e->b, bad, minus, "");
    if (wide && e->mask)
        bad = LLVMBuildOr(e->b, bad, LLVMBuildNot(e->b, e->mask, ""), "");
    cc_value safe = LLVMBuildSelect(e->b, bad, one, LLVMBuildFreeze(e->b, d, ""), "");
    cc_value r = LLVMBuildBinOp(e->b, op, LLVMBuildFreeze(e->b, n, ""), safe, "");
    if (minus)
        r = LLVMBuildSelect(e->b, minus, remainder ? zero : LLVMBuildNeg(e->b, n, ""),
                            r, "");
    return r;
}

/* -- One instruction, scalar or wide -- */

static cc_value operand(cc_vec *e, cc_value v, bool wide)
{
    if (wide && !cc_same(e, v))
        return cc_lanes(e, v);
    return wide ? cc_splat(e, cc_scalar(e, v)) : cc_scalar(e, v);
}

static cc_value rebuild_address(cc_vec *e, cc_value i, bool wide)
{
    unsigned n = (unsigned)LLVMGetNumOperands(i);
    cc_value *index = cc_alloc(n * sizeof *index);
    for (unsigned k = 0; k < n; k++) {
        cc_value v = LLVMGetOperand(i, k);
        index[k] = wide && !cc_same(e, v) ? cc_lanes(e, v) : cc_scalar(e, v);
    }
    return LLVMBuildGEP2(e->b, LLVMGetGEPSourceElementType(i), index[0], index + 1,
                         n - 1, "");
}

static cc_value extract_member(cc_vec *e, cc_value i, bool wide)
{
    const unsigned *path = LLVMGetIndices(i);
    cc_value v = operand(e, LLVMGetOperand(i, 0), wide);
    for (unsigned k = 0; k < LLVMGetNumIndices(i); k++)
        v = LLVMBuildExtractValue(e->b, v, path[k], "");
    return v;
}

/* As of a pointer to a member function, of which clang copies the two numbers. */
static cc_value insert_member(cc_vec *e, cc_value i, bool wide)
{
    const unsigned *path = LLVMGetIndices(i);
    unsigned last = LLVMGetNumIndices(i) - 1;
    cc_value *whole = cc_alloc((last + 1) * sizeof *whole);
    whole[0] = operand(e, LLVMGetOperand(i, 0), wide);
    for (unsigned k = 0; k < last; k++)
        whole[k + 1] = LLVMBuildExtractValue(e->b, whole[k], path[k], "");
    cc_value v = operand(e, LLVMGetOperand(i, 1), wide);
    for (unsigned k = last + 1; k-- > 0;)
        v = LLVMBuildInsertValue(e->b, whole[k], v, path[k], "");
    return v;
}

/* The base of a widened affine integer. Where adding the lanes wraps (unsigned i - 1 at
   thread 0), the lanes that are accessed are those after the wrap: take the base as
   negative. */
static cc_value widen_base(cc_vec *e, cc_value i)
{
    cc_value from = LLVMGetOperand(i, 0), base = cc_scalar(e, from);
    cc_uniformity s = cc_uniformity_of(e->uniformity, from);
    cc_type t = LLVMTypeOf(i);
    if (LLVMIsAZExtInst(i) && LLVMGetNNeg(i))
        return LLVMBuildSExt(e->b, base, t, "");
    cc_value plain = LLVMBuildCast(e->b, LLVMGetInstructionOpcode(i), base, t, "");
    if (!LLVMIsAZExtInst(i) || s.stride < 0 || !s.stride ||
        cc_uniformity_of(e->uniformity, i).inexact == s.inexact)
        return plain;
    cc_value last = LLVMBuildAdd(
        e->b, base, cc_int(LLVMTypeOf(base), (uint64_t)s.stride * (e->width - 1)), "");
    cc_value wraps = LLVMBuildICmp(e->b, LLVMIntULT, last, base, "");
    return LLVMBuildSelect(e->b, wraps, LLVMBuildSExt(e->b, base, t, ""), plain, "");
}

#define SMALL 4096

/* An index and a small constant, which do not overflow. Where lane 0 runs, its own sum
   may say so, and LLVM counts in addresses. Other sums may be those of hashes. */
static bool is_step(LLVMOpcode op, cc_value i)
{
    cc_value by = LLVMGetOperand(i, 1);
    if ((op != LLVMAdd && op != LLVMSub) || !LLVMIsAConstantInt(by) || !LLVMGetNSW(i) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64)
        return false;
    long long n = LLVMConstIntGetSExtValue(by);
    return n > -SMALL && n < SMALL;
}

/* The same instruction on scalars or, wide, on vectors: one switch over LLVM's opcodes.
 */
static cc_value rebuild(cc_vec *e, cc_value i, bool wide)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    cc_type t = wide ? cc_wide(e, LLVMTypeOf(i)) : cc_flat(e, LLVMTypeOf(i));
    cc_uniformity s = cc_uniformity_of(e->uniformity, i);
    cc_value x, y, r;
    switch (op) {
    case LLVMGetElementPtr:
        return rebuild_address(e, i, wide);
    case LLVMExtractValue:
        return extract_member(e, i, wide);
    case LLVMInsertValue:
        return insert_member(e, i, wide);
    case LLVMSelect:
        x = LLVMGetOperand(i, 0);
        x = cc_same(e, x) ? cc_scalar(e, x) : cc_lanes(e, x);
        r = cc_blend(e, x, operand(e, LLVMGetOperand(i, 1), wide),
                     operand(e, LLVMGetOperand(i, 2), wide));
        break;
    case LLVMFreeze:
        return LLVMBuildFreeze(e->b, operand(e, LLVMGetOperand(i, 0), wide), "");
    case LLVMFNeg:
        r = LLVMBuildFNeg(e->b, operand(e, LLVMGetOperand(i, 0), wide), "");
        break;
    case LLVMICmp:
        return LLVMBuildICmp(e->b, LLVMGetICmpPredicate(i),
                             operand(e, LLVMGetOperand(i, 0), wide),
                             operand(e, LLVMGetOperand(i, 1), wide), "");
    case LLVMFCmp:
        r = LLVMBuildFCmp(e->b, LLVMGetFCmpPredicate(i),
                          operand(e, LLVMGetOperand(i, 0), wide),
                          operand(e, LLVMGetOperand(i, 1), wide), "");
        break;
    case LLVMAddrSpaceCast:
        return operand(e, LLVMGetOperand(i, 0), wide);
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        return divide(e, op, operand(e, LLVMGetOperand(i, 0), wide),
                      operand(e, LLVMGetOperand(i, 1), wide));
    default:
        if (LLVMIsACastInst(i)) {
            x = operand(e, LLVMGetOperand(i, 0), wide);
            return LLVMBuildCast(e->b, op, x, t, "");
        }
        if (op == LLVMExtractElement && !wide) /* of a parameter */
            return LLVMBuildExtractElement(e->b, cc_scalar(e, LLVMGetOperand(i, 0)),
                                           cc_scalar(e, LLVMGetOperand(i, 1)), "");
        if (!LLVMIsABinaryOperator(i))
            cc_refuse("instruction '%s' in '%s' is not supported",
                      LLVMPrintValueToString(i), e->kernel->name);
        x = operand(e, LLVMGetOperand(i, 0), wide);
        y = operand(e, LLVMGetOperand(i, 1), wide);
        if (op == LLVMOr && LLVMGetIsDisjoint(i) && s.kind == CC_AFFINE && s.stride)
            op = LLVMAdd; /* lanes that do not run may share bits */
        r = LLVMBuildBinOp(e->b, op, x, y, "");
        if (!wide && !e->mask && is_step(op, i) && LLVMIsABinaryOperator(r))
            LLVMSetNSW(r, 1);
    }
    if (LLVMIsAInstruction(r) && LLVMCanValueUseFastMathFlags(i) &&
        LLVMCanValueUseFastMathFlags(r))
        LLVMSetFastMathFlags(r, LLVMGetFastMathFlags(i));
    return r;
}

static void instruction(cc_vec *e, cc_value i)
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        cc_load(e, i);
        return;
    case LLVMStore:
        cc_store(e, i);
        return;
    case LLVMCall:
        cc_call(e, i);
        return;
    case LLVMAtomicRMW:
        cc_atomic(e, i);
        return;
    case LLVMAtomicCmpXchg:
        cc_lane_by_lane(e, i);
        return;
    case LLVMFence:
        LLVMBuildFence(e->b, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
        return;
    default:
        break;
    }
    if (s.kind == CC_VARYING)
        cc_define(e, i, NULL, rebuild(e, i, true));
    else if (!s.stride)
        cc_define(e, i, rebuild(e, i, false), NULL);
    else {
        bool widens = LLVMIsAZExtInst(i) || LLVMIsASExtInst(i);
        cc_value base = widens ? widen_base(e, i) : rebuild(e, i, false);
        cc_define(e, i, base, s.inexact ? rebuild(e, i, true) : NULL);
    }
}

/* Leaves the builder at the line of the node's end. */
void cc_node_body(cc_vec *e, unsigned node, cc_value mask)
{
    e->mask = mask;
    CC_EACH_INST(i, e->cfg->node[node].ref) {
        if (LLVMIsAPHINode(i))
            continue;
        cc_at_line_of(e, i);
        if (!LLVMIsATerminatorInst(i))
            instruction(e, i);
    }
    e->mask = NULL;
}

/* Whether a node must not run without lanes: touches memory, may trap, costs much. */
bool cc_has_effects(const cc_vec *e, unsigned node)
{
    unsigned cost = 0;
    CC_EACH_INST(i, e->cfg->node[node].ref) {
        if (LLVMIsAPHINode(i))
            continue;
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (op == LLVMLoad || op == LLVMStore || op == LLVMAtomicRMW ||
            op == LLVMAtomicCmpXchg || op == LLVMFence || op == LLVMSDiv ||
            op == LLVMUDiv || op == LLVMSRem || op == LLVMURem || op == LLVMRet ||
            op == LLVMUnreachable)
            return true;
        if (op == LLVMCall && !cc_intrinsic_is_pure(cc_callee(i)) &&
            cc_function_of(i) != CC_FN_COUNTER)
            return true;
        cost += op == LLVMCall ? 4 : 1;
    }
    return cost > 8;
}
