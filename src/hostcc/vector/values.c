/* Where values live, and the small builders that all vector code is made of. Owns
   nothing beyond the function that is written. */
#include "hostcc/vector/vector.h"

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

val cc_intrinsic(cc_vec *e, const char *name, const type *overload, unsigned n,
                 val *args, unsigned nargs)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id)
        cc_refuse("this LLVM has no '%s'", name);
    val f = LLVMGetIntrinsicDeclaration(e->unit->module, id, (type *)overload, n);
    type t = LLVMIntrinsicGetType(e->unit->context, id, (type *)overload, n);
    return LLVMBuildCall2(e->b, t, f, args, nargs, "");
}

void cc_at_line_of(cc_vec *e, val i)
{
    LLVMSetCurrentDebugLocation2(e->b, LLVMInstructionGetDebugLoc(i));
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
