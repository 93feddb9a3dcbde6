/* Loops over the grid that do the same whichever thread runs an iteration:

       int step = gridDim.x * blockDim.x;
       for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
           z[i] = a * x[i] + b * y[i];

   Each vector of threads goes along elements that lie one behind the other, and the
   next one begins where it ends, so that a block is one stream through each array. With
   the iterations that its threads have in CUDA, a vector would read strips that lie a
   grid apart: a power of two, mostly, so that all of them fall in one set of a cache.
   Nobody can tell the difference where nothing but the counter depends on the thread,
   and no iteration reads or writes what another one writes. As far as the second is a
   question of pointers, the kernel asks when it runs, and else goes on as written. */
#include "hostcc/front/front.h"
#include "hostcc/ir/addresses.h"
#include "hostcc/ir/cfg.h"
#include "hostcc/ir/intrinsic_table.h"
#include "hostcc/ir/pseudo.h"

#define MOST_ARRAYS 8
#define MOST_PAIRS 12 /* of arrays that must not overlap */
#define MOST_PARTS 8  /* of what a thread begins with */

/* What iterations access by way of one pointer: `low` to `high` bytes behind it, and
   `scale` more in each iteration. */
typedef struct {
    cc_value root;
    int64_t scale, low, high;
    bool written;
} array;

typedef struct {
    cc_unit *unit;
    const cc_cfg *cfg;
    int loop;
    cc_value counter, next, step, end; /* i, i + step, step, n */
    bool is_signed;                    /* i and n */
    cc_value first;                    /* i in a thread's first iteration */
    cc_value blocks;                   /* what of that comes of blockIdx.x */
    cc_value guard, again; /* whether a thread has any iteration, another one */
    unsigned nparts;
    cc_value part[MOST_PARTS]; /* of `first`, that differ from thread to thread */
    unsigned narrays;
    array array[MOST_ARRAYS];
    cc_builder b;
} grid_loop;

static bool is_inside(const grid_loop *l, cc_value v)
{
    return cc_loop_computes(l->cfg, l->loop, v);
}

static bool is_operation(cc_value v, LLVMOpcode op)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

static bool is_extension(cc_value v)
{
    return LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
}

/* -- Where threads begin, and how far they step ------------------------------------ */

static bool add_part(grid_loop *l, cc_value v)
{
    if (l->nparts == MOST_PARTS)
        return false;
    l->part[l->nparts++] = v;
    return true;
}

static bool is_register(grid_loop *l, cc_value v, cc_register_id which)
{
    bool differs = which == CC_TID || which == CC_CTAID;
    unsigned dim;
    for (; is_extension(v); v = LLVMGetOperand(v, 0))
        if (differs && !add_part(l, v))
            return false;
    return cc_register_of(v, &dim) == which && dim == 0 && (!differs || add_part(l, v));
}

/* blockDim.x times that. */
static bool is_product(grid_loop *l, cc_value v, cc_register_id which)
{
    bool differs = which == CC_CTAID;
    for (; is_extension(v); v = LLVMGetOperand(v, 0))
        if (differs && !add_part(l, v))
            return false;
    if (!is_operation(v, LLVMMul) || (differs && !add_part(l, v)))
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (is_register(l, LLVMGetOperand(v, 1 - k), CC_NTID))
            return is_register(l, LLVMGetOperand(v, k), which);
    return false;
}

static bool find_first(grid_loop *l, cc_value start)
{
    l->nparts = 0;
    l->first = start;
    cc_value sum = is_extension(start) ? LLVMGetOperand(start, 0) : start;
    if (!is_operation(sum, LLVMAdd) || (sum != start && !add_part(l, sum)))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        unsigned parts = l->nparts;
        l->blocks = LLVMGetOperand(sum, k);
        if (is_register(l, LLVMGetOperand(sum, 1 - k), CC_TID) &&
            is_product(l, l->blocks, CC_CTAID))
            return true;
        l->nparts = parts;
    }
    return false;
}

/* -- The loop ---------------------------------------------------------------------- */

/* Whether `test`, being as `wanted`, says that i is below an end that never changes. */
static bool is_below(grid_loop *l, cc_value test, cc_value i, bool wanted)
{
    if (!LLVMIsAICmpInst(test))
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    unsigned at = LLVMGetOperand(test, 1) == i;
    cc_value end = LLVMGetOperand(test, !at);
    bool is_signed =
        p == LLVMIntSLT || p == LLVMIntSGE || p == LLVMIntSGT || p == LLVMIntSLE;
    LLVMIntPredicate below =
        is_signed ? (at ? LLVMIntSGT : LLVMIntSLT) : (at ? LLVMIntUGT : LLVMIntULT);
    LLVMIntPredicate not_below =
        is_signed ? (at ? LLVMIntSLE : LLVMIntSGE) : (at ? LLVMIntULE : LLVMIntUGE);
    if (LLVMGetOperand(test, at) != i || p != (wanted ? below : not_below) ||
        is_inside(l, end) || (l->end && (l->end != end || l->is_signed != is_signed)))
        return false;
    l->end = end;
    l->is_signed = is_signed;
    return true;
}

static bool has_one_use(cc_value v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    return use && !LLVMGetNextUse(use);
}

static unsigned header(const grid_loop *l)
{
    return l->cfg->loop[l->loop].header;
}

/* The branch that only threads with an iteration pass. */
static bool find_guard(grid_loop *l)
{
    const cc_cfg *g = l->cfg;
    for (LLVMUseRef use = LLVMGetFirstUse(l->first); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        if (user == l->counter)
            continue;
        if (l->guard || !LLVMIsAICmpInst(user) || !has_one_use(user))
            return false;
        l->guard = user;
    }
    if (!l->guard)
        return false;
    unsigned at = cc_cfg_node(g, LLVMGetInstructionParent(l->guard));
    const cc_node *node = &g->node[at];
    if (node->nsucc != 2 || LLVMGetCondition(node->terminator) != l->guard)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        unsigned way = node->succ[k];
        if (g->node[way].npred == 1 && cc_dominates(g, way, header(l)))
            return is_below(l, l->guard, l->first, k == 0);
    }
    return false;
}

/* One counter, and one way out, at the end. */
static bool find_counter(grid_loop *l)
{
    const cc_cfg *g = l->cfg;
    const cc_loop *loop = &g->loop[l->loop];
    cc_value phi = LLVMGetFirstInstruction(g->node[loop->header].ref);
    const cc_node *latch = &g->node[loop->latch];
    if (loop->parent >= 0 || !LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2 ||
        LLVMIsAPHINode(LLVMGetNextInstruction(phi)) || latch->nsucc != 2)
        return false;
    unsigned again = LLVMGetIncomingBlock(phi, 1) == latch->ref;
    l->counter = phi;
    l->next = LLVMGetIncomingValue(phi, again);
    if (!is_operation(l->next, LLVMAdd) ||
        !find_first(l, LLVMGetIncomingValue(phi, !again)))
        return false;
    unsigned at = LLVMGetOperand(l->next, 1) == phi;
    l->step = LLVMGetOperand(l->next, !at);
    l->again = LLVMGetCondition(latch->terminator);
    return LLVMGetOperand(l->next, at) == phi && !is_inside(l, l->step) &&
           is_product(l, l->step, CC_NCTAID) && find_guard(l) &&
           has_one_use(l->again) &&
           is_below(l, l->again, l->next, latch->succ[0] == loop->header);
}

static bool is_part(const grid_loop *l, cc_value v)
{
    for (unsigned k = 0; k < l->nparts; k++)
        if (l->part[k] == v)
            return true;
    return v == l->first;
}

/* Whether threads and blocks of a row differ in nothing but where they begin. */
static bool is_all_that_differs(const grid_loop *l)
{
    CC_EACH_INST_OF(i, l->cfg->function) {
        unsigned dim;
        cc_register_id reg = cc_register_of(i, &dim);
        bool part = is_part(l, i);
        if (*cc_register(i) && reg == CC_NO_REGISTER)
            return false;
        if ((reg == CC_TID || reg == CC_CTAID) && dim == 0 && !part)
            return false;
        if (!part || i == l->first)
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
            if (!is_part(l, LLVMGetUser(use)))
                return false;
    }
    return true;
}

/* -- What iterations access -------------------------------------------------------- */

static bool add_access(grid_loop *l, cc_value access)
{
    cc_address_sum s = cc_address_sum_of(l->unit, cc_pointer_of(access));
    bool writes = LLVMIsAStoreInst(access);
    cc_value what = writes ? LLVMGetOperand(access, 0) : access, base = s.root;
    int64_t size = (int64_t)cc_sizeof(l->unit, LLVMTypeOf(what)), scale = 0;
    while (LLVMIsAGetElementPtrInst(base))
        base = LLVMGetOperand(base, 0);
    unsigned guard = cc_cfg_node(l->cfg, LLVMGetInstructionParent(l->guard));
    if (cc_is_ordered(access) || s.n > 1 ||
        (LLVMIsAInstruction(s.root) &&
         !cc_dominates(l->cfg, cc_cfg_node(l->cfg, LLVMGetInstructionParent(s.root)),
                       guard)) ||
        (!LLVMIsAArgument(base) && !LLVMIsAGlobalVariable(base) &&
         !LLVMIsALoadInst(base)))
        return false;
    if (s.n == 1) {
        scale = (int64_t)s.term[0].scale;
        if (s.term[0].number != l->counter || scale <= 0 || scale > INT16_MAX)
            return false;
    }
    if (s.offset < INT16_MIN || s.offset > INT16_MAX)
        return false;
    array *a = l->array;
    while (a < l->array + l->narrays && (a->root != s.root || a->scale != scale))
        a++;
    if (a == l->array + MOST_ARRAYS)
        return false;
    if (a == l->array + l->narrays) {
        l->narrays++;
        *a = (array){s.root, scale, s.offset, s.offset + size, false};
    }
    a->low = s.offset < a->low ? s.offset : a->low;
    a->high = s.offset + size > a->high ? s.offset + size : a->high;
    a->written |= writes;
    return true;
}

/* Whether iterations touch parts of the array that lie apart. */
static bool are_apart(const array *a, const array *b)
{
    int64_t low = a->low < b->low ? a->low : b->low,
            high = a->high > b->high ? a->high : b->high;
    return a->scale == b->scale && high - low <= a->scale;
}

/* Whether other loads and stores, and other values, tell nobody anything. */
static bool has_no_effects(const grid_loop *l, cc_value i)
{
    bool calls = LLVMIsACallInst(i) && !cc_intrinsic_is_pure(cc_callee(i)) &&
                 !cc_prefixed(cc_callee(i), CC_LIBM);
    if (calls || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
        LLVMIsAFenceInst(i) || LLVMIsAAllocaInst(i))
        return false;
    if (!is_inside(l, i))
        return !LLVMIsAStoreInst(i) && !(LLVMIsALoadInst(i) && cc_is_ordered(i));
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
        if (!is_inside(l, LLVMGetUser(use)))
            return false;
    return true;
}

static bool leaves_at_end_only(const grid_loop *l)
{
    const cc_loop *loop = &l->cfg->loop[l->loop];
    for (unsigned k = 0; k < l->cfg->n; k++) {
        const cc_node *node = &l->cfg->node[k];
        if (!cc_loop_contains(l->cfg, l->loop, k) || k == loop->latch)
            continue;
        for (unsigned s = 0; s < node->nsucc; s++)
            if (!cc_loop_contains(l->cfg, l->loop, node->succ[s]))
                return false;
    }
    return true;
}

/* Whether iterations write, and what one writes may be what others access only as far
   as pointers tell when the kernel runs. */
static bool are_arrays_apart(const grid_loop *l)
{
    unsigned pairs = 0;
    bool writes = false;
    for (unsigned i = 0; i < l->narrays; i++) {
        const array *a = &l->array[i];
        writes |= a->written;
        if (a->written && !are_apart(a, a))
            return false;
        for (const array *b = l->array; b < a; b++)
            if ((a->written || b->written) &&
                (a->root == b->root || ++pairs > MOST_PAIRS))
                return false;
    }
    return writes;
}

static bool find_arrays(grid_loop *l)
{
    CC_EACH_INST_OF(i, l->cfg->function) {
        if (!has_no_effects(l, i) ||
            (cc_is_access(i) && is_inside(l, i) && !add_access(l, i)))
            return false;
    }
    return leaves_at_end_only(l) && are_arrays_apart(l);
}

/* -- Another order ----------------------------------------------------------------- */

static cc_value as(grid_loop *l, cc_value v, cc_type t)
{
    unsigned from = LLVMGetIntTypeWidth(LLVMTypeOf(v)), to = LLVMGetIntTypeWidth(t);
    return from == to  ? v
           : from < to ? LLVMBuildZExt(l->b, v, t, "")
                       : LLVMBuildTrunc(l->b, v, t, "");
}

/* Whether all that iterations access of `a` ends before all that they access of `b`. */
static cc_value ends_before(grid_loop *l, const array *a, const array *b, cc_value last)
{
    cc_type i64 = l->unit->i64;
    cc_value scale = cc_int(i64, (uint64_t)a->scale);
    cc_value end = LLVMBuildPtrToInt(l->b, a->root, i64, "");
    end = LLVMBuildAdd(l->b, end, LLVMBuildMul(l->b, last, scale, ""), "");
    end = LLVMBuildAdd(l->b, end, cc_int(i64, (uint64_t)a->high), "");
    cc_value begin = LLVMBuildPtrToInt(l->b, b->root, i64, "");
    begin = LLVMBuildAdd(l->b, begin, cc_int(i64, (uint64_t)b->low), "");
    return LLVMBuildICmp(l->b, LLVMIntULE, end, begin, "");
}

static cc_value no_overlap(grid_loop *l, const array *a, const array *b, cc_value last)
{
    cc_value before = ends_before(l, a, b, last), behind = ends_before(l, b, a, last);
    cc_value apart = LLVMBuildOr(l->b, before, behind, "");
    if (!are_apart(a, b))
        return apart;
    cc_value same = LLVMBuildICmp(l->b, LLVMIntEQ, a->root, b->root, "");
    return LLVMBuildOr(l->b, apart, same, "");
}

/* Whether the other order does the same: nothing wraps around, no arrays overlap. */
static cc_value may_change(grid_loop *l, cc_value n, cc_value step, uint64_t most)
{
    cc_value max = cc_int(l->unit->i64, most);
    cc_value left = LLVMBuildSub(l->b, max, step, "");
    cc_value may = LLVMBuildICmp(l->b, LLVMIntULE, step, max, "");
    may = LLVMBuildAnd(l->b, may, LLVMBuildICmp(l->b, LLVMIntULE, n, left, ""), "");
    cc_value last = LLVMBuildSub(l->b, n, cc_int(l->unit->i64, 1), "");
    for (const array *a = l->array; a < l->array + l->narrays; a++)
        for (const array *b = l->array; b < a; b++)
            if (a->written || b->written)
                may = LLVMBuildAnd(l->b, may, no_overlap(l, a, b, last), "");
    return may;
}

/* How many iterations each thread of the grid has at most, where the order may change;
   else 1. */
static cc_value count_turns(grid_loop *l, cc_value may, cc_value n, cc_value step)
{
    cc_value one = cc_int(LLVMTypeOf(n), 1);
    cc_value by = LLVMBuildSelect(l->b, may, step, one, "");
    cc_value up = LLVMBuildAdd(l->b, n, LLVMBuildSub(l->b, by, one, ""), "");
    return LLVMBuildSelect(l->b, may, LLVMBuildUDiv(l->b, up, by, ""), one, "");
}

/* At the loop's end, with another step and end. The iteration itself may ask for its
   own i + step, and whether that is below n. */
static void go_on(grid_loop *l, unsigned latch, cc_value step, cc_value end)
{
    cc_value next = LLVMBuildAdd(l->b, l->counter, step, "");
    LLVMSetNUW(next, LLVMGetNUW(l->next));
    LLVMSetNSW(next, LLVMGetNSW(l->next));
    LLVMSetOperand(l->counter, latch, next);
    unsigned at = LLVMGetOperand(l->again, 1) == l->end;
    LLVMInstructionRemoveFromParent(l->again);
    LLVMInsertIntoBuilder(l->b, l->again);
    LLVMSetOperand(l->again, at, end);
    LLVMSetOperand(l->again, !at, next);
}

/* A vector has as many elements as its threads have iterations, and begins behind those
   of all threads before its first one: at `turns` times its number. */
static void change(grid_loop *l, unsigned width)
{
    cc_unit *u = l->unit;
    cc_builder b = l->b;
    const cc_node *latch = &l->cfg->node[l->cfg->loop[l->loop].latch];
    cc_value sum = is_extension(l->first) ? LLVMGetOperand(l->first, 0) : l->first;
    cc_type i32 = u->i32, i64 = u->i64, t = LLVMTypeOf(l->counter),
            begins = LLVMTypeOf(sum);
    LLVMPositionBuilderBefore(
        b, LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(l->guard)));
    cc_value threads = cc_read_register(u, b, "ntid.x"),
             blocks = cc_read_register(u, b, "nctaid.x");
    cc_value grid = LLVMBuildMul(b, as(l, threads, i64), as(l, blocks, i64), "");
    cc_value n = l->is_signed && t != i64 ? LLVMBuildSExt(b, l->end, i64, "")
                                          : as(l, l->end, i64);
    uint64_t most = begins == i64 && t == i64 ? (uint64_t)1 << 47 : INT32_MAX;
    cc_type number = most > INT32_MAX ? i64 : i32;
    cc_value may = may_change(l, n, grid, most);
    cc_value turns = count_turns(l, may, as(l, n, number), as(l, grid, number));

    cc_value lane = cc_call_function(u, b, CC_FN_OWN_LANE, i32, NULL);
    cc_value start = LLVMBuildSub(b, cc_read_register(u, b, "tid.x"), lane, "");
    cc_value left = LLVMBuildSub(b, threads, start, ""), all = cc_int(i32, width);
    cc_value part = LLVMBuildICmp(b, LLVMIntULT, left, all, "");
    cc_value lanes = LLVMBuildSelect(b, part, left, all, "");
    cc_value base = LLVMBuildAdd(b, l->blocks, as(l, start, begins), "");
    base = LLVMBuildMul(b, base, as(l, turns, begins), "");
    cc_value first = LLVMBuildAdd(b, base, as(l, lane, begins), "");
    LLVMSetNUW(first, LLVMGetNUW(sum));
    LLVMSetNSW(first, LLVMGetNSW(sum));
    if (sum != l->first)
        first = LLVMBuildCast(b, LLVMGetInstructionOpcode(l->first), first, t, "");
    LLVMReplaceAllUsesWith(l->first, first);

    cc_value stop = LLVMBuildMul(b, as(l, lanes, t), as(l, turns, t), "");
    stop = LLVMBuildAdd(b, as(l, base, t), stop, "");
    cc_value sooner = LLVMBuildICmp(b, LLVMIntULT, stop, l->end, "");
    cc_value end =
        LLVMBuildSelect(b, LLVMBuildAnd(b, may, sooner, ""), stop, l->end, "");
    LLVMInstructionRemoveFromParent(l->guard);
    LLVMInsertIntoBuilder(b, l->guard);
    LLVMSetOperand(l->guard, LLVMGetOperand(l->guard, 1) == l->end, end);

    unsigned enters = LLVMGetIncomingBlock(l->counter, 0) == latch->ref;
    LLVMPositionBuilderBefore(
        b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(l->counter, enters)));
    cc_value step = LLVMBuildSelect(b, may, as(l, lanes, t), l->step, "");
    turns = as(l, turns, i32); /* in front of the loop: stores ask for it */
    LLVMPositionBuilderBefore(b, latch->terminator);
    go_on(l, !enters, step, end);
    cc_call_function(u, b, CC_FN_TURNS, u->none, &turns);
}

void cc_order_grid_loops(cc_unit *u)
{
    if (u->options->level == 0 || u->options->checks || u->options->coverage)
        return;
    for (unsigned k = 0; k < u->nkernels; k++) {
        cc_kernel *kernel = &u->kernels[k];
        const cc_cfg *g = cc_cfg_build(kernel->function);
        for (int n = 0; n < (int)g->nloops && !kernel->width; n++) {
            grid_loop l = {.unit = u, .cfg = g, .loop = n};
            if (!find_counter(&l) || !is_all_that_differs(&l) || !find_arrays(&l))
                continue;
            l.b = LLVMCreateBuilderInContext(u->context);
            kernel->width = cc_lanes_in(u, 2); /* as where loops keep in step */
            change(&l, kernel->width);
        }
    }
}
