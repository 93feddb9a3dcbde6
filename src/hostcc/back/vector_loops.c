/* The loops over the vectors of a block, of which each runs what it is given: rows
   after rows, of each the vectors in front of its end, on the sides of a constant, or
   inside and outside of the row's interior. */
#include "hostcc/back/loop_builder.h"

/* Instructions of full code of which several vectors are taken at a time where a row
   has no sides: a scan's last region has 37. */
#define BRIEF 38

/* The lanes of a vector that are threads below limit: one or more. */
static cc_value lanes_below(emitter *m, cc_value start, cc_value limit)
{
    cc_type i32 = m->unit->i32;
    cc_value n = LLVMBuildSub(m->b, limit, start, ""), all = cc_int(i32, 32);
    n = LLVMBuildSelect(m->b, LLVMBuildICmp(m->b, LLVMIntULT, n, all, ""), n, all, "");
    return LLVMBuildLShr(m->b, cc_int(i32, ~0u), LLVMBuildSub(m->b, all, n, ""), "");
}

static void step_vector(emitter *m)
{
    LLVMBuildStore(m->b, counted(m, m->vector, 1), m->vector);
}

/* The vectors in front of the guard's end, and the one around it. Those behind it do
   nothing, unless what is compared wraps around. */
static void each_in_guarded_row(emitter *m, cc_value limit, cc_value y, cc_value z,
                                cc_each *f, void *data)
{
    cc_value start = slot(m, m->unit->i32, cc_int(m->unit->i32, 0)), wraps;
    cc_thread_row row = {m->b, m->launch, m->index, m->block_dim, y, z};
    cc_value threads = cc_row_guard_threads(m->unit, m->guard, &row, &wraps);
    loop sure = loop_begin(m, start, threads, m->width, m->width);
    f(m, data, get(m, start), y, z, NULL);
    loop_end(m, &sure);
    cc_value end = LLVMBuildSelect(m->b, wraps, limit, threads, "");
    cc_block rest = new_block(m, "rest"), done = new_block(m, "done");
    cc_value x0 = get(m, start), some = LLVMBuildICmp(m->b, LLVMIntULT, x0, end, "");
    cc_mark_seldom(m->unit, LLVMBuildCondBr(m->b, some, rest, done));
    LLVMPositionBuilderAtEnd(m->b, rest);
    x0 = get(m, start);
    f(m, data, x0, y, z, lanes_below(m, x0, limit));
    LLVMBuildStore(m->b, counted(m, start, m->width), start);
    some = LLVMBuildICmp(m->b, LLVMIntULT, get(m, start), end, "");
    LLVMBuildCondBr(m->b, some, rest, done);
    LLVMPositionBuilderAtEnd(m->b, done);
}

/* ~0u: no bound. */
static cc_value least(emitter *m, cc_value v, unsigned bound)
{
    cc_value other = cc_int(m->unit->i32, bound);
    if (bound == ~0u)
        return v;
    return LLVMBuildSelect(m->b, LLVMBuildICmp(m->b, LLVMIntULT, v, other, ""), v,
                           other, "");
}

/* A whole vector of a row, and the slot `start` counts on. */
static void one_whole(emitter *m, cc_value start, cc_value y, cc_value z, cc_each *f,
                      void *data)
{
    cc_value x0 = get(m, start);
    if (m->next) /* the row is the block */
        LLVMBuildStore(m->b, LLVMBuildExactUDiv(m->b, x0, width_of(m), ""), m->vector);
    f(m, data, x0, y, z, NULL);
    if (!m->next)
        step_vector(m);
    LLVMBuildStore(m->b, counted(m, start, m->width), start);
}

/* Whether a vector of the interior starts at `start`. */
static cc_value is_inside(emitter *m, cc_value start)
{
    cc_value from = LLVMBuildSub(m->b, get(m, start), m->inside[0], "");
    return LLVMBuildICmp(m->b, LLVMIntULT, from, m->inside[1], "");
}

/* The vectors of the interior, in a loop of their own, if `start` has come to it. */
static void each_inside(emitter *m, const loop *whole, cc_value y, cc_value z,
                        cc_each *f, void *data)
{
    emitter in = *m;
    cc_block body = new_block(m, "interior"), end = new_block(m, "behind"),
             border = new_block(m, "border");
    in.full = m->interior->full;
    LLVMBuildCondBr(m->b, is_inside(m, whole->variable), body, border);
    LLVMPositionBuilderAtEnd(m->b, body);
    one_whole(&in, whole->variable, y, z, f, data);
    LLVMBuildCondBr(m->b, is_inside(m, whole->variable), body, end);
    LLVMPositionBuilderAtEnd(m->b, end);
    LLVMBuildCondBr(m->b, more(m, whole), border, whole->end);
    LLVMPositionBuilderAtEnd(m->b, border);
}

/* The whole vectors of a row from `start`, a slot, that end at `stop` or before. */
static void each_up_to(emitter *m, cc_value start, cc_value stop, cc_value y,
                       cc_value z, cc_each *f, void *data)
{
    loop whole = loop_begin(m, start, stop, m->width, m->width);
    if (m->interior)
        each_inside(m, &whole, y, z, f, data);
    one_whole(m, start, y, z, f, data);
    loop_turn(m, &whole);
}

/* Whether no vector that runs the code asks anything. */
static bool is_straight(cc_value full)
{
    for (cc_block b = LLVMGetFirstBasicBlock(full); b; b = LLVMGetNextBasicBlock(b)) {
        cc_value end = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsASwitchInst(end) ||
            (LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
             !LLVMIsAConstantInt(LLVMGetCondition(end))))
            return false;
    }
    return true;
}

/* Of a block that is one row: those from thread `stop` on that end at `start`, a slot,
   or before, from the last to the first. */
static void each_down_to(emitter *m, cc_value start, unsigned stop, cc_each *f,
                         void *data)
{
    cc_value zero = cc_int(m->unit->i32, 0), some,
             full = cc_int(m->unit->i32, stop + m->width);
    cc_block body = new_block(m, "body"), end = new_block(m, "end");
    some = LLVMBuildICmp(m->b, LLVMIntUGE, get(m, start), full, "");
    LLVMBuildCondBr(m->b, some, body, end);
    LLVMPositionBuilderAtEnd(m->b, body);
    cc_value x0 = LLVMBuildNUWSub(m->b, get(m, start), width_of(m), "");
    LLVMSetNSW(x0, 1);
    LLVMBuildStore(m->b, x0, start);
    LLVMBuildStore(m->b, LLVMBuildExactUDiv(m->b, x0, width_of(m), ""), m->vector);
    f(m, data, x0, zero, zero, NULL);
    if (m->once) {
        LLVMBuildBr(m->b, end);
    } else {
        some = LLVMBuildICmp(m->b, LLVMIntUGE, get(m, start), full, "");
        cc_value again = LLVMBuildCondBr(m->b, some, body, end);
        tell_unrolling(m, again, true);
    }
    LLVMPositionBuilderAtEnd(m->b, end);
}

/* All whole vectors: those below the sides' start, those around, those above. */
static void each_whole(emitter *m, cc_value start, cc_value limit, cc_value y,
                       cc_value z, cc_each *f, void *data)
{
    const cc_row_sides *s = m->sides, *of_next = m->sides_of_next;
    unsigned bound[] = {0, s ? s->start : 0, s ? s->end : 0, ~0u};
    emitter part = *m;
    if (m->down)
        LLVMBuildStore(m->b, limit, start);
    part.whole = m->whole && !s;
    for (unsigned n = 0; n < 3; n++) {
        unsigned k = m->down ? 2 - n : n;
        if (bound[k] == bound[k + 1])
            continue;
        if (s)
            part.full = k == 0 ? s->below : k == 1 ? m->full : s->above;
        if (s && m->next)
            part.next = k == 0 ? of_next->below : k == 1 ? m->next : of_next->above;
        part.once = bound[k + 1] - bound[k] <= m->width;
        part.unrolled = m->unrolled && (s || cc_instructions(part.full) <= BRIEF) &&
                        is_straight(part.full) &&
                        (!part.next || is_straight(part.next));
        if (m->down)
            each_down_to(&part, start, bound[k], f, data);
        else
            each_up_to(&part, start, least(m, limit, bound[k + 1]), y, z, f, data);
    }
}

/* Threads start, start + 1, ... below limit, in whole vectors and a short one. */
void cc_each_in_row(emitter *m, cc_value limit, cc_value y, cc_value z, cc_each *f,
                    void *data)
{
    cc_type i32 = m->unit->i32;
    cc_value start = slot(m, i32, cc_int(i32, 0));
    cc_thread_row row = {m->b, m->launch, m->index, m->block_dim, y, z};
    if (m->interior)
        cc_interior_of_row(m->unit, m->interior, &row, m->region, m->width, m->inside);
    each_whole(m, start, limit, y, z, f, data);
    if (m->whole)
        return;
    cc_block rest = new_block(m, "rest"), done = new_block(m, "done");
    cc_value x0 = get(m, start);
    LLVMBuildCondBr(m->b, LLVMBuildICmp(m->b, LLVMIntULT, x0, limit, ""), rest, done);
    LLVMPositionBuilderAtEnd(m->b, rest);
    f(m, data, x0, y, z, lanes_below(m, x0, limit));
    step_vector(m);
    LLVMBuildBr(m->b, done);
    LLVMPositionBuilderAtEnd(m->b, done);
}

/* Rows inside, chunks of them outside: what is the same for vectors above one another,
   such as a mask that threadIdx.x makes, LLVM takes out of the inner loop. */
void cc_each_column(emitter *m, cc_each *f, void *data)
{
    cc_type i32 = m->unit->i32;
    cc_value zero = cc_int(i32, 0), z = slot(m, i32, zero);
    cc_value chunks =
        LLVMBuildExactUDiv(m->b, m->block_dim[0], cc_int(i32, m->width), "");
    loop planes = loop_begin(m, z, m->block_dim[2], 1, 1);
    cc_value start = slot(m, i32, zero);
    loop columns = loop_begin(m, start, m->block_dim[0], m->width, m->width);
    cc_value row = LLVMBuildNUWMul(m->b, get(m, z), m->block_dim[1], ""),
             at = LLVMBuildExactUDiv(m->b, get(m, start), cc_int(i32, m->width), "");
    at = LLVMBuildNUWAdd(m->b, LLVMBuildNUWMul(m->b, row, chunks, ""), at, "");
    LLVMBuildStore(m->b, at, m->vector);
    cc_value y = slot(m, i32, zero);
    loop rows = loop_begin(m, y, m->block_dim[1], 1, 1);
    f(m, data, get(m, start), get(m, y), get(m, z), NULL);
    at = LLVMBuildNUWAdd(m->b, get(m, m->vector), chunks, "");
    LLVMBuildStore(m->b, at, m->vector);
    loop_end(m, &rows);
    loop_end(m, &columns);
    loop_end(m, &planes);
}

void cc_each_vector(emitter *m, cc_each *f, void *data)
{
    cc_type i32 = m->unit->i32;
    cc_value zero = cc_int(i32, 0);
    LLVMBuildStore(m->b, zero, m->vector);
    if (m->linear) {
        cc_value n = LLVMBuildMul(m->b, m->block_dim[0], m->block_dim[1], "");
        cc_each_in_row(m, LLVMBuildMul(m->b, n, m->block_dim[2], ""), zero, zero, f,
                       data);
        return;
    }
    cc_value z = slot(m, i32, zero);
    loop planes = loop_begin(m, z, m->block_dim[2], 1, 1);
    cc_value y = slot(m, i32, zero);
    loop rows = loop_begin(m, y, m->block_dim[1], 1, 1);
    (m->guard ? each_in_guarded_row : cc_each_in_row)(m, m->block_dim[0], get(m, y),
                                                      get(m, z), f, data);
    loop_end(m, &rows);
    loop_end(m, &planes);
}
