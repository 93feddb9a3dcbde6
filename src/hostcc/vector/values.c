/* Where values live, and the small builders that all vector code is made of. Owns
   nothing beyond the function that is written. */
#include "hostcc/vector/vector.h"

#include <stddef.h>

/* -- Types -- */

cc_type cc_flat(cc_vec *e, cc_type t)
{
    return cc_kind(t) == LLVMPointerTypeKind ? e->unit->ptr : t;
}

unsigned cc_members(cc_type t)
{
    return cc_kind(t) == LLVMStructTypeKind  ? LLVMCountStructElementTypes(t)
           : cc_kind(t) == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(t)
                                             : 0;
}

cc_type cc_member(cc_type t, unsigned k)
{
    return cc_kind(t) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(t, k)
                                            : LLVMGetElementType(t);
}

cc_type cc_wide(cc_vec *e, cc_type t)
{
    unsigned n = cc_members(t);
    if (!n)
        return LLVMVectorType(cc_flat(e, t), e->width);
    cc_type *fields = cc_alloc(n * sizeof *fields);
    for (unsigned k = 0; k < n; k++)
        fields[k] = cc_wide(e, cc_member(t, k));
    return LLVMStructTypeInContext(e->unit->context, fields, n, 0);
}

/* -- Building blocks -- */

cc_value cc_stack(cc_vec *e, cc_type t, const char *name)
{
    return LLVMBuildAlloca(e->entry, t, name);
}

cc_block cc_new_block(cc_vec *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->unit->context, e->function, name);
}

cc_value cc_frame_field(cc_vec *e, cc_builder b, cc_value base, size_t offset,
                        cc_type t)
{
    return cc_fixed_load(e->unit, b, t, cc_offset(e->unit, b, base, offset), 0);
}

cc_value cc_record(cc_vec *e, size_t offset)
{
    cc_value all = cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, exchange),
                                  e->unit->ptr);
    cc_value at =
        LLVMBuildMul(e->entry, LLVMBuildZExt(e->entry, e->vector, e->unit->i64, ""),
                     cc_int(e->unit->i64, sizeof(hc_exchange)), "");
    cc_value mine = LLVMBuildInBoundsGEP2(e->entry, e->unit->i8, all, &at, 1, "record");
    return cc_offset(e->unit, e->entry, mine, offset);
}

cc_value cc_lane_numbers(cc_vec *e, cc_type t)
{
    cc_value number[HC_LANES];
    for (unsigned l = 0; l < e->width; l++)
        number[l] = cc_int(t, l);
    return LLVMConstVector(number, e->width);
}

static cc_value splat_at(cc_vec *e, cc_builder b, cc_value scalar)
{
    cc_type t = LLVMTypeOf(scalar);
    if (cc_members(t)) {
        cc_value all = LLVMGetPoison(cc_wide(e, t));
        for (unsigned k = 0; k < cc_members(t); k++) {
            cc_value field = splat_at(e, b, LLVMBuildExtractValue(b, scalar, k, ""));
            all = LLVMBuildInsertValue(b, all, field, k, "");
        }
        return all;
    }
    if (LLVMIsConstant(scalar) && !LLVMIsAGlobalValue(scalar)) {
        cc_value same[HC_LANES];
        for (unsigned l = 0; l < e->width; l++)
            same[l] = scalar;
        return LLVMConstVector(same, e->width);
    }
    cc_type wide = LLVMVectorType(t, e->width);
    cc_value one = LLVMBuildInsertElement(b, LLVMGetPoison(wide), scalar,
                                          cc_int(e->unit->i32, 0), "");
    cc_value zeros = LLVMConstNull(LLVMVectorType(e->unit->i32, e->width));
    return LLVMBuildShuffleVector(b, one, LLVMGetPoison(wide), zeros, "");
}

cc_value cc_splat(cc_vec *e, cc_value scalar)
{
    return splat_at(e, e->b, scalar);
}

cc_value cc_permute(cc_vec *e, cc_value a, cc_value b, const unsigned *from, unsigned n)
{
    cc_value order[2 * HC_LANES];
    cc_type i32 = e->unit->i32;
    for (unsigned l = 0; l < n; l++)
        order[l] = from[l] == CC_NOWHERE ? LLVMGetPoison(i32) : cc_int(i32, from[l]);
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(order, n), "");
}

cc_value cc_concatenate(cc_vec *e, const cc_value *part, unsigned n)
{
    unsigned from[2 * HC_LANES];
    if (n == 1)
        return *part;
    cc_value a = cc_concatenate(e, part, n / 2),
             b = cc_concatenate(e, part + n / 2, n / 2);
    unsigned all = 2 * LLVMGetVectorSize(LLVMTypeOf(a));
    for (unsigned l = 0; l < all; l++)
        from[l] = l;
    return cc_permute(e, a, b, from, all);
}

cc_value cc_blend(cc_vec *e, cc_value mask, cc_value then, cc_value otherwise)
{
    cc_type t = LLVMTypeOf(then);
    if (!cc_members(t))
        return LLVMBuildSelect(e->b, mask, then, otherwise, "");
    cc_value all = LLVMGetPoison(t);
    for (unsigned k = 0; k < cc_members(t); k++) {
        cc_value field = cc_blend(e, mask, LLVMBuildExtractValue(e->b, then, k, ""),
                                  LLVMBuildExtractValue(e->b, otherwise, k, ""));
        all = LLVMBuildInsertValue(e->b, all, field, k, "");
    }
    return all;
}

cc_value cc_intrinsic(cc_vec *e, const char *name, const cc_type *overload, unsigned n,
                      cc_value *args, unsigned nargs)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id)
        cc_refuse("this LLVM has no '%s'", name);
    cc_value f =
        LLVMGetIntrinsicDeclaration(e->unit->module, id, (cc_type *)overload, n);
    cc_type t = LLVMIntrinsicGetType(e->unit->context, id, (cc_type *)overload, n);
    return LLVMBuildCall2(e->b, t, f, args, nargs, "");
}

void cc_at_line_of(cc_vec *e, cc_value i)
{
    LLVMSetCurrentDebugLocation2(e->b, LLVMInstructionGetDebugLoc(i));
}

/* Loads from the launch, made once in the entry. */
cc_value cc_block_dim(cc_vec *e, unsigned dim)
{
    cc_value *cached = &e->block_dim[dim];
    if (!*cached)
        *cached = cc_block_dimension(e->unit, e->entry, e->launch, dim);
    return *cached;
}

/* threadIdx in the linear layout, from the number of the vector's first thread. */
static void linear_threads(cc_vec *e)
{
    cc_builder b = e->entry;
    cc_type i32 = e->unit->i32;
    cc_value first = LLVMBuildMul(b, e->vector, cc_int(i32, e->width), "");
    cc_value number =
        LLVMBuildAdd(b, splat_at(e, b, first), cc_lane_numbers(e, i32), "thread");
    cc_value nx = splat_at(e, b, cc_block_dim(e, 0));
    cc_value ny = splat_at(e, b, cc_block_dim(e, 1));
    cc_value row = LLVMBuildUDiv(b, number, nx, "");
    e->thread[0] = LLVMBuildSub(b, number, LLVMBuildMul(b, row, nx, ""), "tid.x");
    e->thread[2] = LLVMBuildUDiv(b, row, ny, "tid.z");
    e->thread[1] = LLVMBuildSub(b, row, LLVMBuildMul(b, e->thread[2], ny, ""), "tid.y");
}

cc_value cc_thread_index(cc_vec *e, unsigned dim)
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

static cc_value constant(cc_vec *e, cc_value v)
{
    cc_type t = LLVMTypeOf(v);
    if (cc_kind(t) == LLVMPointerTypeKind && t != e->unit->ptr)
        return LLVMConstPointerCast(v, e->unit->ptr);
    return v;
}

static cc_value argument(cc_vec *e, cc_value v)
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
    cc_type t = cc_flat(e, LLVMTypeOf(v)), memory = cc_stored(e->unit, t);
    if (e->kernel->by_value[k])
        return e->argument[k] = cc_offset(e->unit, e->entry, e->params, offset);
    cc_value load = cc_frame_field(e, e->entry, e->params, offset, memory);
    return e->argument[k] = memory == t ? load : LLVMBuildTrunc(e->entry, load, t, "");
}

static cc_known *known(cc_vec *e, unsigned number)
{
    cc_known *k = &e->known[number];
    if (k->epoch != e->epoch)
        *k = (cc_known){NULL, NULL, e->epoch};
    return k;
}

static cc_value home(cc_vec *e, cc_value *homes, unsigned number, cc_type t)
{
    if (!homes[number]) {
        /* Inlined into a loop, the slot must not seem to carry a value from one vector
         * to the next. */
        homes[number] = cc_stack(e, t, "");
        LLVMBuildStore(e->entry, LLVMGetPoison(t), homes[number]);
    }
    return homes[number];
}

cc_value cc_phi_home(cc_vec *e, cc_value phi, bool lanes)
{
    unsigned number = (unsigned)cc_map_get(e->uniformity->numbers, phi);
    cc_type t = LLVMTypeOf(phi);
    return lanes ? home(e, e->home_lanes, number, cc_wide(e, t))
                 : home(e, e->home_scalar, number, cc_flat(e, t));
}

cc_value cc_scalar(cc_vec *e, cc_value v)
{
    if (LLVMIsAArgument(v))
        return argument(e, v);
    int number = cc_map_get(e->uniformity->numbers, v);
    if (number < 0)
        return constant(e, v);
    cc_known *k = known(e, (unsigned)number);
    cc_type t = cc_flat(e, LLVMTypeOf(v));
    if (!k->scalar)
        k->scalar =
            LLVMBuildLoad2(e->b, t, home(e, e->home_scalar, (unsigned)number, t), "");
    return k->scalar;
}

cc_value cc_spread(cc_vec *e, cc_value base, int64_t stride)
{
    cc_type t = LLVMTypeOf(base);
    bool pointer = cc_kind(t) == LLVMPointerTypeKind;
    cc_type number = pointer ? e->unit->i64 : t;
    cc_value step[HC_LANES];
    for (unsigned l = 0; l < e->width; l++)
        step[l] = cc_int(number, (uint64_t)stride * l);
    cc_value steps = LLVMConstVector(step, e->width);
    if (pointer)
        return LLVMBuildGEP2(e->b, e->unit->i8, base, &steps, 1, "");
    return LLVMBuildAdd(e->b, cc_splat(e, base), steps, "");
}

cc_value cc_lanes(cc_vec *e, cc_value v)
{
    int number = cc_map_get(e->uniformity->numbers, v);
    if (number < 0)
        return cc_splat(e, cc_scalar(e, v));
    cc_known *k = known(e, (unsigned)number);
    if (k->lanes)
        return k->lanes;
    cc_uniformity s = e->uniformity->of[number];
    if (cc_uniform(s))
        k->lanes = cc_splat(e, cc_scalar(e, v));
    else if (s.kind == CC_AFFINE && !s.inexact)
        k->lanes = cc_spread(e, cc_scalar(e, v), s.stride);
    else {
        cc_type t = cc_wide(e, LLVMTypeOf(v));
        k->lanes =
            LLVMBuildLoad2(e->b, t, home(e, e->home_lanes, (unsigned)number, t), "");
    }
    return k->lanes;
}

/* A value that another block or a phi reads must reach its home, and so must one that
   is asked about. */
static bool leaves_block(const cc_vec *e, cc_value v)
{
    if (e->asked[cc_map_get(e->uniformity->numbers, v)])
        return true;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        cc_value user = LLVMGetUser(u);
        if (LLVMIsAPHINode(user) ||
            LLVMGetInstructionParent(user) != LLVMGetInstructionParent(v))
            return true;
    }
    return false;
}

bool cc_is_known(cc_vec *e, cc_value v)
{
    int number = cc_map_get(e->uniformity->numbers, v);
    cc_known *k = number < 0 ? NULL : known(e, (unsigned)number);
    return !k || k->scalar || k->lanes;
}

bool cc_is_at_hand(cc_vec *e, cc_value v)
{
    return cc_is_known(e, v) || leaves_block(e, v);
}

void cc_define(cc_vec *e, cc_value v, cc_value scalar, cc_value lanes)
{
    unsigned number = (unsigned)cc_map_get(e->uniformity->numbers, v);
    cc_known *k = known(e, number);
    k->scalar = scalar;
    k->lanes = lanes;
    if (!leaves_block(e, v))
        return;
    cc_uniformity s = e->uniformity->of[number];
    if (scalar && s.kind == CC_AFFINE)
        LLVMBuildStore(e->b, scalar,
                       home(e, e->home_scalar, number, LLVMTypeOf(scalar)));
    if (lanes && (s.kind == CC_VARYING || s.inexact))
        LLVMBuildStore(e->b, lanes, home(e, e->home_lanes, number, LLVMTypeOf(lanes)));
}
