/* Instructions without a vector form run lane by lane: operands are stored in memory, a
   loop over the lanes that run does the scalar instruction, results are collected the
   same way. */
#include "hostcc/vector/vector.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/intrinsic_table.h"

#include <stddef.h>
#include <stdlib.h>

/* -- Arrays of lanes -- */

#define MOST_REGISTERS 2 /* of a vector of lanes */

cc_lane_array cc_lane_array_new(cc_vec *e, cc_type t)
{
    cc_lane_array a = {cc_flat(e, t), cc_members(t), false, NULL, NULL};
    if (a.nfields) {
        a.fields = cc_alloc(a.nfields * sizeof *a.fields);
        for (unsigned k = 0; k < a.nfields; k++)
            a.fields[k] = cc_lane_array_new(e, cc_member(t, k));
        return a;
    }
    a.array = cc_stack(e, LLVMArrayType2(cc_stored(e->unit, a.t), e->width), "each");
    LLVMSetAlignment(a.array, 64);
    return a;
}

/* Who reads a vector whose lanes have just been stored one by one waits until they are
   in the cache, behind all that was stored before: a breadth-first search, whose stores
   miss the caches, took 1.5 times as long. */
cc_lane_array cc_lane_vector_new(cc_vec *e, cc_type t)
{
    cc_lane_array a = {cc_flat(e, t), cc_members(t), true, NULL, NULL};
    cc_type stored = cc_stored(e->unit, a.t);
    if (a.nfields || cc_sizeof(e->unit, stored) * e->width >
                         MOST_REGISTERS * e->unit->vector_bits / 8)
        return cc_lane_array_new(e, t);
    a.array = cc_stack(e, LLVMVectorType(stored, e->width), "each");
    return a;
}

void cc_lane_array_store_all(cc_vec *e, const cc_lane_array *a, cc_value lanes)
{
    for (unsigned k = 0; k < a->nfields; k++)
        cc_lane_array_store_all(e, &a->fields[k],
                                LLVMBuildExtractValue(e->b, lanes, k, ""));
    if (a->nfields)
        return;
    cc_type stored = cc_stored(e->unit, a->t);
    if (stored != a->t)
        lanes = LLVMBuildZExt(e->b, lanes, LLVMVectorType(stored, e->width), "");
    LLVMBuildStore(e->b, lanes, a->array);
}

cc_value cc_lane_array_load_all(cc_vec *e, const cc_lane_array *a)
{
    cc_type wide = cc_wide(e, a->t);
    if (a->nfields) {
        cc_value all = LLVMGetPoison(wide);
        for (unsigned k = 0; k < a->nfields; k++)
            all = LLVMBuildInsertValue(e->b, all,
                                       cc_lane_array_load_all(e, &a->fields[k]), k, "");
        return all;
    }
    cc_type stored = cc_stored(e->unit, a->t);
    cc_value v = LLVMBuildLoad2(e->b, LLVMVectorType(stored, e->width), a->array, "");
    return stored != a->t ? LLVMBuildTrunc(e->b, v, wide, "") : v;
}

static cc_value array_at(cc_vec *e, const cc_lane_array *a, cc_value lane)
{
    cc_value index[] = {cc_int(e->unit->i64, 0), lane};
    cc_type array = LLVMArrayType2(cc_stored(e->unit, a->t), e->width);
    return LLVMBuildInBoundsGEP2(e->b, array, a->array, index, 2, "");
}

cc_value cc_lane_array_get(cc_vec *e, const cc_lane_array *a, cc_value lane)
{
    cc_value all = LLVMGetPoison(a->t);
    for (unsigned k = 0; k < a->nfields; k++) {
        cc_value field = cc_lane_array_get(e, &a->fields[k], lane);
        all = LLVMBuildInsertValue(e->b, all, field, k, "");
    }
    if (a->nfields)
        return all;
    cc_type stored = cc_stored(e->unit, a->t);
    cc_value v = LLVMBuildLoad2(e->b, stored, array_at(e, a, lane), "");
    return stored != a->t ? LLVMBuildTrunc(e->b, v, a->t, "") : v;
}

void cc_lane_array_set(cc_vec *e, const cc_lane_array *a, cc_value lane, cc_value v)
{
    for (unsigned k = 0; k < a->nfields; k++)
        cc_lane_array_set(e, &a->fields[k], lane,
                          LLVMBuildExtractValue(e->b, v, k, ""));
    if (a->nfields)
        return;
    cc_type stored = cc_stored(e->unit, a->t);
    if (stored != a->t)
        v = LLVMBuildZExt(e->b, v, stored, "");
    if (!a->is_vector) {
        LLVMBuildStore(e->b, v, array_at(e, a, lane));
        return;
    }
    cc_type i32 = e->unit->i32;
    cc_value number = cc_splat(e, LLVMBuildTrunc(e->b, lane, i32, ""));
    cc_value is = LLVMBuildICmp(e->b, LLVMIntEQ, cc_lane_numbers(e, i32), number, "");
    cc_value old = LLVMBuildLoad2(e->b, LLVMVectorType(stored, e->width), a->array, "");
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, is, cc_splat(e, v), old, ""), a->array);
}

/* -- The loop -- */

/* In full code a count, under masks the mask's bits from the lowest: in order. */
cc_lane_loop cc_lane_loop_begin(cc_vec *e)
{
    cc_unit *u = e->unit;
    cc_lane_loop loop = {.head = cc_new_block(e, "each.lane"),
                         .done = cc_new_block(e, "each.done")};
    loop.bits = cc_stack(e, u->i64, "todo");
    cc_value todo = cc_int(u->i64, 0);
    if (e->mask)
        todo = LLVMBuildZExt(e->b, cc_bits32(e, e->mask), u->i64, "");
    LLVMBuildStore(e->b, todo, loop.bits);
    LLVMBuildBr(e->b, loop.head);
    LLVMPositionBuilderAtEnd(e->b, loop.head);
    cc_value now = LLVMBuildLoad2(e->b, u->i64, loop.bits, "");
    cc_value args[] = {now, cc_int(u->i1, 1)};
    loop.lane = e->mask ? cc_intrinsic(e, "llvm.cttz", &u->i64, 1, args, 2) : now;
    return loop;
}

/* The same under a mask whose lanes are neighbours mostly: bits in a row are counted
   through, so that what differs by a distance from lane to lane is counted along. */
cc_lane_loop cc_lane_runs_begin(cc_vec *e)
{
    cc_type i64 = e->unit->i64;
    cc_lane_loop loop = {.head = cc_new_block(e, "each.run"),
                         .done = cc_new_block(e, "each.done"),
                         .in_run = cc_new_block(e, "each.lane"),
                         .bits = cc_stack(e, i64, "todo")};
    cc_value at = cc_stack(e, i64, "lane");
    LLVMBuildStore(e->b, LLVMBuildZExt(e->b, cc_bits32(e, e->mask), i64, ""),
                   loop.bits);
    LLVMBuildBr(e->b, loop.head);
    LLVMPositionBuilderAtEnd(e->b, loop.head);
    cc_value todo = LLVMBuildLoad2(e->b, i64, loop.bits, ""),
             args[] = {todo, cc_int(e->unit->i1, 1)};
    cc_value first = cc_intrinsic(e, "llvm.cttz", &i64, 1, args, 2);
    args[0] = LLVMBuildNot(e->b, LLVMBuildLShr(e->b, todo, first, ""), "");
    cc_value n = cc_intrinsic(e, "llvm.cttz", &i64, 1, args, 2);
    loop.end = LLVMBuildNUWAdd(e->b, first, n, "");
    /* The carry runs through the bits in a row. */
    cc_value lowest = LLVMBuildShl(e->b, cc_int(i64, 1), first, "");
    cc_value rest = LLVMBuildAnd(e->b, todo, LLVMBuildAdd(e->b, todo, lowest, ""), "");
    LLVMBuildStore(e->b, rest, loop.bits);
    LLVMBuildStore(e->b, first, at);
    LLVMBuildBr(e->b, loop.in_run);
    LLVMPositionBuilderAtEnd(e->b, loop.in_run);
    loop.lane = LLVMBuildLoad2(e->b, i64, at, "");
    loop.at = at;
    return loop;
}

static void next_in_run(cc_vec *e, const cc_lane_loop *loop)
{
    cc_block next = cc_new_block(e, "next.run");
    cc_value now = LLVMBuildLoad2(e->b, e->unit->i64, loop->at, "");
    now = LLVMBuildNUWAdd(e->b, now, cc_int(e->unit->i64, 1), "");
    LLVMBuildStore(e->b, now, loop->at);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, now, loop->end, ""),
                    loop->in_run, next);
    LLVMPositionBuilderAtEnd(e->b, next);
    cc_value todo = LLVMBuildLoad2(e->b, e->unit->i64, loop->bits, "");
    LLVMBuildCondBr(e->b, cc_nonzero(e, todo), loop->head, loop->done);
    LLVMPositionBuilderAtEnd(e->b, loop->done);
}

void cc_lane_loop_end(cc_vec *e, cc_lane_loop loop)
{
    cc_unit *u = e->unit;
    if (loop.in_run) {
        next_in_run(e, &loop);
        return;
    }
    cc_value now = LLVMBuildLoad2(e->b, u->i64, loop.bits, ""), next, more;
    if (e->mask) {
        next =
            LLVMBuildAnd(e->b, now, LLVMBuildSub(e->b, now, cc_int(u->i64, 1), ""), "");
        more = LLVMBuildICmp(e->b, LLVMIntNE, next, cc_int(u->i64, 0), "");
    } else {
        next = LLVMBuildNUWAdd(e->b, now, cc_int(u->i64, 1), "");
        more = LLVMBuildICmp(e->b, LLVMIntNE, next, cc_int(u->i64, e->width), "");
    }
    LLVMBuildStore(e->b, next, loop.bits);
    LLVMBuildCondBr(e->b, more, loop.head, loop.done);
    LLVMPositionBuilderAtEnd(e->b, loop.done);
}

/* -- One instruction -- */

static bool is_callee(cc_value i, unsigned operand)
{
    return LLVMIsACallInst(i) && operand == (unsigned)LLVMGetNumOperands(i) - 1;
}

/* The scalar instruction for one lane. It is cloned: LLVM-C cannot build every kind of
   atomic, and how a call passes structures is said by its attributes. */
static cc_value cloned(cc_vec *e, cc_value i, cc_value *operand, unsigned n, void *data)
{
    (void)data;
    cc_value copy = LLVMInstructionClone(i);
    for (unsigned k = 0; k < n; k++)
        LLVMSetOperand(copy, k, operand[k]);
    LLVMInsertIntoBuilder(e->b, copy);
    return copy;
}

/* A called function finds its thread in thread-local storage (scalar_functions.c). */
static void announce_thread(cc_vec *e, const cc_lane_array *index, cc_value lane)
{
    cc_value thread = cc_thread_record(e->unit);
    cc_value field = cc_offset(e->unit, e->b, thread, offsetof(hc_thread, launch));
    LLVMBuildStore(e->b, e->launch, field);
    LLVMBuildStore(e->b, e->frame,
                   cc_offset(e->unit, e->b, thread, offsetof(hc_thread, frame)));
    for (unsigned d = 0; d < 3; d++) {
        field = cc_offset(e->unit, e->b, thread, offsetof(hc_thread, index) + 4 * d);
        LLVMBuildStore(e->b, cc_lane_array_get(e, &index[d], lane), field);
    }
}

void cc_each_lane(cc_vec *e, cc_value i, cc_one_lane *one, void *data)
{
    unsigned n = (unsigned)LLVMGetNumOperands(i);
    cc_value *operand = cc_alloc((n + 1) * sizeof *operand);
    cc_lane_array *each = cc_alloc((n + 1) * sizeof *each), result, index[3];
    cc_type t = LLVMTypeOf(i);
    bool gives = cc_kind(t) != LLVMVoidTypeKind;
    bool announces = LLVMIsACallInst(i) && cc_is_thread_function(i);
    bool once = gives ? cc_same(e, i) : cc_is_fill_or_copy(i);

    for (unsigned k = 0; k < n; k++) {
        cc_value v = LLVMGetOperand(i, k);
        if (is_callee(i, k) && LLVMIsAFunction(v)) {
            operand[k] = v;
        } else if (cc_same(e, v)) {
            operand[k] = cc_scalar(e, v);
        } else {
            once &= gives;
            each[k] = cc_lane_array_new(e, LLVMTypeOf(v));
            cc_lane_array_store_all(e, &each[k], cc_lanes(e, v));
        }
    }
    for (unsigned d = 0; announces && d < 3; d++) {
        index[d] = cc_lane_array_new(e, e->unit->i32);
        cc_lane_array_store_all(e, &index[d], cc_thread_index(e, d));
    }
    if (once) { /* does for all */
        cc_value r = one(e, i, operand, n, data);
        if (gives)
            cc_define(e, i, r, NULL);
        return;
    }
    if (gives)
        result = cc_lane_array_new(e, t);
    cc_lane_loop loop = cc_lane_loop_begin(e);
    for (unsigned k = 0; k < n; k++)
        if (each[k].t)
            operand[k] = cc_lane_array_get(e, &each[k], loop.lane);
    if (announces)
        announce_thread(e, index, loop.lane);
    cc_value r = one(e, i, operand, n, data);
    if (gives)
        cc_lane_array_set(e, &result, loop.lane, r);
    cc_lane_loop_end(e, loop);
    if (gives)
        cc_define(e, i, NULL, cc_lane_array_load_all(e, &result));
}

void cc_lane_by_lane(cc_vec *e, cc_value i)
{
    cc_each_lane(e, i, cloned, NULL);
}
