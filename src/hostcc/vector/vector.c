/* Vector code for straight-line scalar code: where values live, and one vector
   instruction for each scalar one. Owns nothing beyond the function it writes;
   control_flow.c drives it node by node. */
#include "hostcc/vector/vector.h"
#include "hostcc/front/front.h"

#include <stddef.h>

/* -- Types -- */

type cc_flat(cc_vec *e, type t)
{
    return cc_kind(t) == LLVMPointerTypeKind ? e->unit->ptr : t;
}

unsigned cc_parts(type t)
{
    return cc_kind(t) == LLVMStructTypeKind  ? LLVMCountStructElementTypes(t)
           : cc_kind(t) == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(t)
                                             : 0;
}

type cc_part(type t, unsigned k)
{
    return cc_kind(t) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(t, k)
                                            : LLVMGetElementType(t);
}

type cc_wide(cc_vec *e, type t)
{
    unsigned n = cc_parts(t);
    if (!n)
        return LLVMVectorType(cc_flat(e, t), e->width);
    type *fields = cc_alloc(n * sizeof *fields);
    for (unsigned k = 0; k < n; k++)
        fields[k] = cc_wide(e, cc_part(t, k));
    return LLVMStructTypeInContext(e->unit->context, fields, n, 0);
}

/* -- What every block needs -- */

val cc_stack(cc_vec *e, type t, const char *name)
{
    return LLVMBuildAlloca(e->entry, t, name);
}

block cc_new_block(cc_vec *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->unit->context, e->function, name);
}

val cc_frame_field(cc_vec *e, builder b, val base, size_t offset, type t)
{
    return cc_fixed_load(e->unit, b, t, cc_offset(e->unit, b, base, offset), 0);
}

val cc_record(cc_vec *e, size_t offset)
{
    val all = cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, exchange),
                             e->unit->ptr);
    val at =
        LLVMBuildMul(e->entry, LLVMBuildZExt(e->entry, e->vector, e->unit->i64, ""),
                     cc_int(e->unit->i64, sizeof(hc_exchange)), "");
    val mine = LLVMBuildInBoundsGEP2(e->entry, e->unit->i8, all, &at, 1, "record");
    return cc_offset(e->unit, e->entry, mine, offset);
}

val cc_lane_numbers(cc_vec *e, type t)
{
    val number[HC_LANES];
    for (unsigned l = 0; l < e->width; l++)
        number[l] = cc_int(t, l);
    return LLVMConstVector(number, e->width);
}

val cc_splat(cc_vec *e, val scalar)
{
    type t = LLVMTypeOf(scalar);
    if (cc_parts(t)) {
        val all = LLVMGetPoison(cc_wide(e, t));
        for (unsigned k = 0; k < cc_parts(t); k++) {
            val field = cc_splat(e, LLVMBuildExtractValue(e->b, scalar, k, ""));
            all = LLVMBuildInsertValue(e->b, all, field, k, "");
        }
        return all;
    }
    if (LLVMIsConstant(scalar) && !LLVMIsAGlobalValue(scalar)) {
        val same[HC_LANES];
        for (unsigned l = 0; l < e->width; l++)
            same[l] = scalar;
        return LLVMConstVector(same, e->width);
    }
    type wide = LLVMVectorType(t, e->width);
    val one = LLVMBuildInsertElement(e->b, LLVMGetPoison(wide), scalar,
                                     cc_int(e->unit->i32, 0), "");
    val zeros = LLVMConstNull(LLVMVectorType(e->unit->i32, e->width));
    return LLVMBuildShuffleVector(e->b, one, LLVMGetPoison(wide), zeros, "");
}

val cc_blend(cc_vec *e, val mask, val then, val otherwise)
{
    type t = LLVMTypeOf(then);
    if (!cc_parts(t))
        return LLVMBuildSelect(e->b, mask, then, otherwise, "");
    val all = LLVMGetPoison(t);
    for (unsigned k = 0; k < cc_parts(t); k++) {
        val field = cc_blend(e, mask, LLVMBuildExtractValue(e->b, then, k, ""),
                             LLVMBuildExtractValue(e->b, otherwise, k, ""));
        all = LLVMBuildInsertValue(e->b, all, field, k, "");
    }
    return all;
}

/* Loads from the launch, made once in the entry. */
val cc_block_dim(cc_vec *e, unsigned dim)
{
    val *cached = &e->block_dim[dim];
    if (!*cached)
        *cached = cc_block_dimension(e->unit, e->entry, e->launch, dim);
    return *cached;
}

/* threadIdx in the linear layout, from the number of the vector's first thread. */
static void linear_threads(cc_vec *e)
{
    builder b = e->b;
    e->b = e->entry;
    type i32 = e->unit->i32;
    val first = LLVMBuildMul(e->b, e->vector, cc_int(i32, e->width), "");
    val number =
        LLVMBuildAdd(e->b, cc_splat(e, first), cc_lane_numbers(e, i32), "thread");
    val nx = cc_splat(e, cc_block_dim(e, 0)), ny = cc_splat(e, cc_block_dim(e, 1));
    val row = LLVMBuildUDiv(e->b, number, nx, "");
    e->thread[0] = LLVMBuildSub(e->b, number, LLVMBuildMul(e->b, row, nx, ""), "tid.x");
    e->thread[2] = LLVMBuildUDiv(e->b, row, ny, "tid.z");
    e->thread[1] =
        LLVMBuildSub(e->b, row, LLVMBuildMul(e->b, e->thread[2], ny, ""), "tid.y");
    e->b = b;
}

val cc_thread_index(cc_vec *e, unsigned dim)
{
    if (e->linear) {
        if (!e->thread[0])
            linear_threads(e);
        return e->thread[dim];
    }
    if (dim)
        return cc_splat(e, dim == 1 ? e->y : e->z);
    return LLVMBuildAdd(e->b, cc_splat(e, e->x0), cc_lane_numbers(e, e->unit->i32), "");
}

/* -- Values -- */

static val constant(cc_vec *e, val v)
{
    type t = LLVMTypeOf(v);
    if (cc_kind(t) == LLVMPointerTypeKind && t != e->unit->ptr)
        return LLVMConstPointerCast(v, e->unit->ptr);
    return v;
}

static val argument(cc_vec *e, val v)
{
    unsigned k = 0;
    while (LLVMGetParam(e->cfg->function, k) != v)
        k++;
    if (e->argument[k])
        return e->argument[k];
    if (!e->params)
        e->params = cc_fixed_load(
            e->unit, e->entry, e->unit->ptr,
            cc_offset(e->unit, e->entry, e->launch, offsetof(hc_launch, params)),
            e->kernel->param_bytes);
    unsigned offset = e->kernel->params[k].offset;
    type t = cc_flat(e, LLVMTypeOf(v)), memory = cc_stored(e->unit, t);
    if (e->kernel->by_value[k])
        return e->argument[k] = cc_offset(e->unit, e->entry, e->params, offset);
    val load = cc_frame_field(e, e->entry, e->params, offset, memory);
    return e->argument[k] = memory == t ? load : LLVMBuildTrunc(e->entry, load, t, "");
}

static cc_known *known(cc_vec *e, unsigned number)
{
    cc_known *k = &e->known[number];
    if (k->epoch != e->epoch)
        *k = (cc_known){NULL, NULL, e->epoch};
    return k;
}

static val home(cc_vec *e, val *homes, unsigned number, type t)
{
    if (!homes[number]) {
        /* Inlined into a loop, the slot must not seem to carry a value from one vector
         * to the next. */
        homes[number] = cc_stack(e, t, "");
        LLVMBuildStore(e->entry, LLVMGetPoison(t), homes[number]);
    }
    return homes[number];
}

val cc_phi_home(cc_vec *e, val phi, bool lanes)
{
    unsigned number = (unsigned)cc_map_get(e->shapes->numbers, phi);
    type t = LLVMTypeOf(phi);
    return lanes ? home(e, e->home_lanes, number, cc_wide(e, t))
                 : home(e, e->home_scalar, number, cc_flat(e, t));
}

val cc_scalar(cc_vec *e, val v)
{
    if (LLVMIsAArgument(v))
        return argument(e, v);
    int number = cc_map_get(e->shapes->numbers, v);
    if (number < 0)
        return constant(e, v);
    cc_known *k = known(e, (unsigned)number);
    type t = cc_flat(e, LLVMTypeOf(v));
    if (!k->scalar)
        k->scalar =
            LLVMBuildLoad2(e->b, t, home(e, e->home_scalar, (unsigned)number, t), "");
    return k->scalar;
}

val cc_spread(cc_vec *e, val base, int64_t stride)
{
    type t = LLVMTypeOf(base);
    bool pointer = cc_kind(t) == LLVMPointerTypeKind;
    type number = pointer ? e->unit->i64 : t;
    val step[HC_LANES];
    for (unsigned l = 0; l < e->width; l++)
        step[l] = cc_int(number, (uint64_t)stride * l);
    val steps = LLVMConstVector(step, e->width);
    if (pointer)
        return LLVMBuildGEP2(e->b, e->unit->i8, base, &steps, 1, "");
    return LLVMBuildAdd(e->b, cc_splat(e, base), steps, "");
}

val cc_lanes(cc_vec *e, val v)
{
    int number = cc_map_get(e->shapes->numbers, v);
    if (number < 0)
        return cc_splat(e, cc_scalar(e, v));
    cc_known *k = known(e, (unsigned)number);
    if (k->lanes)
        return k->lanes;
    cc_shape s = e->shapes->shape[number];
    if (cc_uniform(s))
        k->lanes = cc_splat(e, cc_scalar(e, v));
    else if (s.kind == CC_AFFINE && !s.inexact)
        k->lanes = cc_spread(e, cc_scalar(e, v), s.stride);
    else {
        type t = cc_wide(e, LLVMTypeOf(v));
        k->lanes =
            LLVMBuildLoad2(e->b, t, home(e, e->home_lanes, (unsigned)number, t), "");
    }
    return k->lanes;
}

/* A value that another block or a phi reads must reach its home. */
static bool leaves_block(val v)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        val user = LLVMGetUser(u);
        if (LLVMIsAPHINode(user) ||
            LLVMGetInstructionParent(user) != LLVMGetInstructionParent(v))
            return true;
    }
    return false;
}

bool cc_is_known(cc_vec *e, val v)
{
    int number = cc_map_get(e->shapes->numbers, v);
    cc_known *k = number < 0 ? NULL : known(e, (unsigned)number);
    return !k || k->scalar || k->lanes;
}

bool cc_is_at_hand(cc_vec *e, val v)
{
    return cc_is_known(e, v) || leaves_block(v);
}

void cc_define(cc_vec *e, val v, val scalar, val lanes)
{
    unsigned number = (unsigned)cc_map_get(e->shapes->numbers, v);
    cc_known *k = known(e, number);
    k->scalar = scalar;
    k->lanes = lanes;
    if (!leaves_block(v))
        return;
    cc_shape s = e->shapes->shape[number];
    if (scalar && s.kind == CC_AFFINE)
        LLVMBuildStore(e->b, scalar,
                       home(e, e->home_scalar, number, LLVMTypeOf(scalar)));
    if (lanes && (s.kind == CC_VARYING || s.inexact))
        LLVMBuildStore(e->b, lanes, home(e, e->home_lanes, number, LLVMTypeOf(lanes)));
}

/* -- Division: a zero divisor must not trap, on a GPU it does not -- */

/* Up to 32 bits: exact in double precision; vectors of doubles can be divided. */
static val divide_by_floats(cc_vec *e, val n, val d, bool is_signed, bool remainder)
{
    type t = LLVMTypeOf(n), f = LLVMVectorType(e->unit->f64, e->width);
    type i = LLVMVectorType(e->unit->i32, e->width);
    LLVMOpcode to = is_signed ? LLVMSIToFP : LLVMUIToFP;
    LLVMOpcode from = is_signed ? LLVMFPToSI : LLVMFPToUI;
    val q = LLVMBuildFDiv(e->b, LLVMBuildCast(e->b, to, n, f, ""),
                          LLVMBuildCast(e->b, to, d, f, ""), "");
    q = LLVMBuildFreeze(e->b, LLVMBuildCast(e->b, from, q, i, ""), "");
    q = LLVMBuildIntCast2(e->b, q, t, is_signed, "");
    return remainder ? LLVMBuildSub(e->b, n, LLVMBuildMul(e->b, q, d, ""), "") : q;
}

static val divide(cc_vec *e, LLVMOpcode op, val n, val d)
{
    bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    bool remainder = op == LLVMSRem || op == LLVMURem;
    type t = LLVMTypeOf(n);
    bool wide = cc_kind(t) == LLVMVectorTypeKind;
    type element = wide ? LLVMGetElementType(t) : t;
    val c = LLVMIsAConstantDataVector(d) ? LLVMGetAggregateElement(d, 0) : d;
    if (LLVMIsAConstantInt(c) && LLVMConstIntGetSExtValue(c) + 1ull > 1)
        return LLVMBuildBinOp(e->b, op, n, d, "");
    if (wide && LLVMGetIntTypeWidth(element) <= 32)
        return divide_by_floats(e, n, d, is_signed, remainder);
    val one = cc_int(element, 1), zero = LLVMConstNull(t), ones = LLVMConstAllOnes(t);
    one = wide ? cc_splat(e, one) : one;
    val bad = LLVMBuildICmp(e->b, LLVMIntEQ, d, zero, "");
    val minus = is_signed ? LLVMBuildICmp(e->b, LLVMIntEQ, d, ones, "") : NULL;
    if (minus)
        bad = LLVMBuildOr(e->b, bad, minus, "");
    if (wide && e->mask)
        bad = LLVMBuildOr(e->b, bad, LLVMBuildNot(e->b, e->mask, ""), "");
    val safe = LLVMBuildSelect(e->b, bad, one, LLVMBuildFreeze(e->b, d, ""), "");
    val r = LLVMBuildBinOp(e->b, op, LLVMBuildFreeze(e->b, n, ""), safe, "");
    if (minus)
        r = LLVMBuildSelect(e->b, minus, remainder ? zero : LLVMBuildNeg(e->b, n, ""),
                            r, "");
    return r;
}

/* -- One instruction, scalar or wide -- */

static val operand(cc_vec *e, val v, bool wide)
{
    if (wide && !cc_same(e, v))
        return cc_lanes(e, v);
    return wide ? cc_splat(e, cc_scalar(e, v)) : cc_scalar(e, v);
}

static val rebuild_address(cc_vec *e, val i, bool wide)
{
    unsigned n = (unsigned)LLVMGetNumOperands(i);
    val *index = cc_alloc(n * sizeof *index);
    for (unsigned k = 0; k < n; k++) {
        val v = LLVMGetOperand(i, k);
        index[k] = wide && !cc_same(e, v) ? cc_lanes(e, v) : cc_scalar(e, v);
    }
    return LLVMBuildGEP2(e->b, LLVMGetGEPSourceElementType(i), index[0], index + 1,
                         n - 1, "");
}

static val extract_member(cc_vec *e, val i, bool wide)
{
    const unsigned *path = LLVMGetIndices(i);
    val v = operand(e, LLVMGetOperand(i, 0), wide);
    for (unsigned k = 0; k < LLVMGetNumIndices(i); k++)
        v = LLVMBuildExtractValue(e->b, v, path[k], "");
    return v;
}

/* The base of a widened affine integer. Where adding the lanes wraps (unsigned i - 1 at
   thread 0), the lanes that are accessed are those after the wrap: take the base as
   negative. */
static val widen_base(cc_vec *e, val i)
{
    val from = LLVMGetOperand(i, 0), base = cc_scalar(e, from);
    cc_shape s = cc_shape_of(e->shapes, from);
    type t = LLVMTypeOf(i);
    if (LLVMIsAZExtInst(i) && LLVMGetNNeg(i))
        return LLVMBuildSExt(e->b, base, t, "");
    val plain = LLVMBuildCast(e->b, LLVMGetInstructionOpcode(i), base, t, "");
    if (!LLVMIsAZExtInst(i) || s.stride < 0 || !s.stride ||
        cc_shape_of(e->shapes, i).inexact == s.inexact)
        return plain;
    val last = LLVMBuildAdd(
        e->b, base, cc_int(LLVMTypeOf(base), (uint64_t)s.stride * (e->width - 1)), "");
    val wraps = LLVMBuildICmp(e->b, LLVMIntULT, last, base, "");
    return LLVMBuildSelect(e->b, wraps, LLVMBuildSExt(e->b, base, t, ""), plain, "");
}

static val rebuild(cc_vec *e, val i, bool wide)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    type t = wide ? cc_wide(e, LLVMTypeOf(i)) : cc_flat(e, LLVMTypeOf(i));
    cc_shape s = cc_shape_of(e->shapes, i);
    val x, y, r;
    switch (op) {
    case LLVMGetElementPtr:
        return rebuild_address(e, i, wide);
    case LLVMExtractValue:
        return extract_member(e, i, wide);
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
    }
    if (LLVMIsAInstruction(r) && LLVMCanValueUseFastMathFlags(i) &&
        LLVMCanValueUseFastMathFlags(r))
        LLVMSetFastMathFlags(r, LLVMGetFastMathFlags(i));
    return r;
}

static void instruction(cc_vec *e, val i)
{
    cc_shape s = cc_shape_of(e->shapes, i);
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
        cc_lane_by_lane(e, i, NULL);
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
        val base = widens ? widen_base(e, i) : rebuild(e, i, false);
        cc_define(e, i, base, s.inexact ? rebuild(e, i, true) : NULL);
    }
}

void cc_at_line_of(cc_vec *e, val i)
{
    LLVMSetCurrentDebugLocation2(e->b, LLVMInstructionGetDebugLoc(i));
}

/* Leaves the builder at the line of the node's end. */
void cc_node_body(cc_vec *e, unsigned node)
{
    CC_EACH_INST(i, e->cfg->node[node].ref) {
        if (LLVMIsAPHINode(i))
            continue;
        cc_at_line_of(e, i);
        if (!LLVMIsATerminatorInst(i))
            instruction(e, i);
    }
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
        if (op == LLVMCall && !cc_intrinsic_is_pure(cc_callee(i)))
            return true;
        cost += op == LLVMCall ? 4 : 1;
    }
    return cost > 8;
}

/* -- Function -- */

type cc_vector_type(cc_unit *u)
{
    type t[CC_NPARAMS];
    for (unsigned k = 0; k < CC_NPARAMS; k++)
        t[k] = k <= CC_FRAME ? u->ptr : u->i32;
    return LLVMFunctionType(u->i32, t, CC_NPARAMS, 0);
}

val cc_vectorize(cc_unit *u, const cc_kernel *k, unsigned layout, unsigned state,
                 bool masked)
{
    cc_vec *e = cc_alloc(sizeof *e);
    val region = k->layout[layout].region[state];
    cc_cfg *cfg = cc_cfg_build(region);
    e->unit = u;
    e->kernel = k;
    e->cfg = cfg;
    e->width = k->width;
    e->linear = layout == 1;
    e->masked = masked;
    e->layout = &k->layout[layout];
    e->suspends = e->layout->nstates > 1;
    e->shapes = cc_shapes_infer(cfg, (cc_shape_rules){k->width, e->linear});
    const char *name = cc_format("%s.%s", cc_name(region), masked ? "masked" : "full");
    e->function = LLVMAddFunction(u->module, name, cc_vector_type(u));
    LLVMSetLinkage(e->function, LLVMInternalLinkage);
    cc_target_attributes(u, e->function);
    cc_attribute(u, e->function,
                 masked || cc_for_debuggers(u) ? "noinline" : "alwaysinline");
    cc_readable_param(u, e->function, CC_LAUNCH + 1, sizeof(hc_launch));
    cc_readable_param(u, e->function, CC_FRAME + 1, sizeof(hc_frame));
    e->launch = LLVMGetParam(e->function, CC_LAUNCH);
    e->frame = LLVMGetParam(e->function, CC_FRAME);
    for (unsigned d = 0; d < 3; d++)
        e->index[d] = LLVMGetParam(e->function, CC_BX + d);
    e->x0 = LLVMGetParam(e->function, CC_X0);
    e->y = LLVMGetParam(e->function, CC_Y);
    e->z = LLVMGetParam(e->function, CC_Z);
    e->vector = LLVMGetParam(e->function, CC_VECTOR);
    e->entry_mask = LLVMGetParam(e->function, CC_MASK);

    size_t values = (e->shapes->count + 1) * sizeof(val);
    e->home_scalar = cc_alloc(values);
    e->home_lanes = cc_alloc(values);
    e->known = cc_alloc((e->shapes->count + 1) * sizeof *e->known);
    e->argument = cc_alloc((k->nparams + 1) * sizeof(val));
    e->home_mask = cc_alloc((cfg->n + 1) * sizeof(val));
    e->full = cc_alloc((cfg->n + 1) * sizeof(block));
    e->epoch = 1;

    block entry = LLVMAppendBasicBlockInContext(u->context, e->function, "entry");
    block start = LLVMAppendBasicBlockInContext(u->context, e->function, "start");
    e->b = LLVMCreateBuilderInContext(u->context);
    e->entry = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(e->entry, entry);
    LLVMPositionBuilderBefore(e->entry, LLVMBuildBr(e->entry, start));
    LLVMPositionBuilderAtEnd(e->b, start);
    if (masked)
        cc_emit_masked(e);
    else
        cc_emit_full(e);
    return e->function;
}
