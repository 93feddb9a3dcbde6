/* Suspension points: where a thread may have to wait for others, so that its vector
   must be able to leave the kernel and come back: at barriers; at warp functions where
   some of the warp's lanes may be elsewhere (a question, hc.suspend, keeps the common
   case, all lanes here, inline); in each iteration of a loop whose end depends on an
   atomic or volatile access, to let other threads run. Splits blocks so that every
   point is an edge between two blocks of its own. */
#include "hostcc/split/split.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/clone.h"

#include <stdlib.h>

/* From the end of `before` to `resume`. */
static void add_point(cc_suspension_points *p, cc_suspension_point point,
                      cc_block before, cc_block resume)
{
    point.before = before;
    point.resume = resume;
    p->point = realloc(p->point, (p->n + 1) * sizeof *p->point);
    p->point[p->n++] = point;
}

/* -- Barriers -- */

/* HC_ENTRY: it does not wait. */
static hc_state_kind kind_of(cc_value i)
{
    return cc_functions[cc_function_of(i)].state;
}

static void split_barrier(cc_unit *u, cc_suspension_points *p, cc_value i,
                          hc_state_kind kind)
{
    cc_block head = cc_split_after(u, i),
             tail = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(head), 0);
    cc_block resume = cc_split_edge(u, head, tail);
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_place place = cc_place_of(u, i);
    if (kind != HC_BARRIER) {
        cc_value flag = LLVMGetOperand(i, 0);
        LLVMPositionBuilderBefore(b, i);
        cc_call_function(u, b, CC_FN_PUT_FLAG, u->none, &flag);
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(resume));
        LLVMReplaceAllUsesWith(
            i, cc_call_function(u, b, CC_FN_BARRIER_VALUE, u->i32, NULL));
    }
    LLVMInstructionEraseFromParent(i);
    add_point(p, (cc_suspension_point){kind, .place = place}, head, resume);
}

/* -- Warp functions -- */

/* Of a source five bits count (PTX ISA, shfl.sync). */
cc_value cc_shuffle_argument(cc_unit *u, cc_builder b, cc_value i)
{
    cc_value source = LLVMGetOperand(i, 2), width = LLVMGetOperand(i, 3);
    cc_value low = LLVMBuildAnd(b, source, cc_int(u->i32, 31), "");
    return LLVMBuildOr(b, low, LLVMBuildShl(b, width, cc_int(u->i32, 16), ""), "");
}

/* Whether some store behind v in its block writes it as it is. */
static bool is_stored(cc_value v)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        bool same = LLVMGetInstructionParent(user) == LLVMGetInstructionParent(v);
        if ((LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v && same) ||
            (LLVMIsACastInst(user) && same && is_stored(user)))
            return true;
    }
    return false;
}

/* before: if (hc.suspend(mask)) { put operands; wait; result } else { the call }
   `always`: never inline. */
static void split_warp_call(cc_unit *u, cc_suspension_points *p, cc_value i,
                            bool always)
{
    hc_warp_op op = cc_functions[cc_function_of(i)].op;
    unsigned stored = is_stored(i) ? HC_WARP_STORED : 0;
    cc_block head = cc_split_after(u, i),
             tail = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(head), 0);
    cc_block here = LLVMInsertBasicBlockInContext(u->context, tail, "here");
    cc_block wait = LLVMInsertBasicBlockInContext(u->context, tail, "wait");
    cc_block resume = LLVMInsertBasicBlockInContext(u->context, tail, "resume");
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_type t = LLVMTypeOf(i);
    cc_value mask = LLVMGetOperand(i, 0), zero = cc_int(u->i32, 0);
    unsigned n = cc_nargs(i);

    LLVMInstructionRemoveFromParent(i);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(b, head);
    cc_value s =
        always ? cc_int(u->i1, 1) : cc_call_function(u, b, CC_FN_SUSPEND, u->i1, &mask);
    LLVMBuildCondBr(b, s, wait, here);
    LLVMPositionBuilderAtEnd(b, here);
    LLVMInsertIntoBuilder(b, i);
    LLVMBuildBr(b, tail);

    LLVMPositionBuilderAtEnd(b, wait);
    cc_value v = n > 1 ? LLVMBuildZExtOrBitCast(b, LLVMGetOperand(i, 1), u->i64, "")
                       : cc_int(u->i64, 0);
    bool shuffles = op >= HC_SHUFFLE_INDEX && op <= HC_SHUFFLE_XOR;
    cc_value args[] = {v, mask, shuffles ? cc_shuffle_argument(u, b, i) : zero};
    cc_call_function(u, b, CC_FN_PUT, u->none, args);
    LLVMBuildBr(b, resume);

    LLVMPositionBuilderAtEnd(b, resume);
    if (cc_kind(t) == LLVMVoidTypeKind) {
        LLVMBuildBr(b, tail);
    } else {
        cc_value r = cc_call_function(u, b, CC_FN_RESULT, u->i64, NULL);
        r = LLVMBuildTruncOrBitCast(b, r, t, "");
        LLVMBuildBr(b, tail);
        cc_value first = LLVMGetFirstInstruction(tail);
        LLVMPositionBuilderBefore(b, first);
        cc_value phi = LLVMBuildPhi(b, t, "");
        LLVMReplaceAllUsesWith(i, phi);
        LLVMAddIncoming(phi, (cc_value[]){i, r}, (cc_block[]){here, resume}, 2);
    }
    cc_suspension_point point = {HC_WARP, op | stored, cc_place_of(u, i)};
    point.question = always ? NULL : head;
    point.waited = !always;
    add_point(p, point, wait, resume);
}

/* latch -> (all lanes here? -> suspend) -> header */
static void split_lockstep(cc_unit *u, cc_suspension_points *p, cc_block latch,
                           cc_block header, bool blocks)
{
    cc_block join = cc_split_edge(u, latch, header),
             ask = cc_split_edge(u, latch, join);
    cc_block resume = LLVMInsertBasicBlockInContext(u->context, join, "resume");
    cc_block before = LLVMInsertBasicBlockInContext(u->context, resume, "step");
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(ask));
    LLVMPositionBuilderAtEnd(b, ask);
    cc_value across = cc_int(u->i1, blocks);
    LLVMBuildCondBr(b, cc_call_function(u, b, CC_FN_LOCKSTEP, u->i1, &across), before,
                    join);
    LLVMPositionBuilderAtEnd(b, before);
    LLVMBuildBr(b, resume);
    LLVMPositionBuilderAtEnd(b, resume);
    LLVMBuildBr(b, join);
    add_point(p, (cc_suspension_point){HC_LOCKSTEP, blocks}, before, resume);
}

/* -- Cuts: regions that end -- */

/* A region goes on over later points that need not suspend, so code would grow with the
   square of their number. No path through a region passes more points than these; fewer
   where loops wait, whose lanes leave them at different times anyway. */
enum { MOST_INLINE = 24, MOST_INLINE_WAITING = 8 };

typedef enum { NO_LOOP, WAITS, STRIDES_THREADS, STRIDES_BLOCKS } loop_kind;

/* The points of a function before its blocks are split. */
typedef struct {
    unsigned n;
    struct {
        cc_value call;
        bool always; /* it ends the region */
    } *call;
    unsigned nloops;
    struct {
        cc_block latch, header;
        loop_kind kind;
        cc_place place; /* where it waits */
        unsigned flags; /* HC_YIELD_... */
        bool cut;       /* who enters the loop ends the region */
    } *loop;
    unsigned ncuts;
    cc_block *cut; /* where paths join and regions end although no thread has to wait */
} plan;

/* Whether a turn of a loop around waits for other threads. hostcuda takes what suspends
   otherwise for progress, and would not let the others run. */
static bool is_in_waiting_turn(const cc_cfg *g, int l)
{
    for (l = g->loop[l].parent; l >= 0; l = g->loop[l].parent) {
        bool barrier = false;
        for (unsigned i = 0; i < g->n && !barrier; i++)
            barrier = cc_loop_contains(g, l, i) && cc_has_barrier(g, i);
        if (!barrier && cc_loop_waits(g, l))
            return true;
    }
    return false;
}

static loop_kind kind_of_loop(const cc_cfg *g, int l)
{
    if (cc_loop_waits(g, l))
        return WAITS;
    bool steps = cc_is_held_up_by_memory(g, l) && !is_in_waiting_turn(g, l);
    unsigned over = steps ? cc_loop_strides(g, l) : 0;
    return over & CC_BLOCKS ? STRIDES_BLOCKS : over ? STRIDES_THREADS : NO_LOOP;
}

/* Decides where regions end: `since` counts the points since the last end, on the way
   that has most of them. */
static plan make_plan(cc_unit *u, const cc_cfg *g, const cc_uniformity_info *uniformity,
                      const loop_kind *kind, bool diverged, unsigned most)
{
    plan p = {.call = cc_alloc((uniformity->count + 1) * sizeof *p.call),
              .loop = cc_alloc((g->nloops + 1) * sizeof *p.loop),
              .cut = cc_alloc((g->n + 1) * sizeof *p.cut)};
    bool checked = u->options->checks & HC_CHECK_SYNC; /* by hostcuda's scheduler */
    unsigned *since = cc_alloc((g->n + 1) * sizeof *since);
    for (unsigned i = 0; i < g->n; i++) {
        const cc_node *node = &g->node[i];
        int l = node->loop;
        bool header = l >= 0 && g->loop[l].header == i;
        unsigned passed = 0;
        for (unsigned k = 0; k < node->npred; k++)
            if (node->pred[k] < i && since[node->pred[k]] > passed)
                passed = since[node->pred[k]];
        bool full = passed >= most;
        if (header && kind[l] != NO_LOOP && (kind[l] == WAITS || !full)) {
            p.loop[p.nloops].latch = g->node[g->loop[l].latch].ref;
            p.loop[p.nloops].header = node->ref;
            p.loop[p.nloops].kind = kind[l];
            if (kind[l] == WAITS) {
                p.loop[p.nloops].place = cc_place_of(u, cc_loop_waits_at(g, l));
                p.loop[p.nloops].flags = cc_loop_idles(g, l);
            }
            p.loop[p.nloops++].cut = full;
            passed = full ? 0 : passed + 1;
        } else if (full && !header && node->npred > 1) {
            p.cut[p.ncuts++] = node->ref;
            passed = 0;
        }
        CC_EACH_INST(v, node->ref) {
            hc_state_kind what = kind_of(v);
            if (what == HC_ENTRY || (what == HC_WARP && !diverged && !checked))
                continue;
            bool always = what != HC_WARP || checked || passed >= most;
            p.call[p.n].call = v;
            p.call[p.n++].always = always;
            passed = always ? 0 : passed + 1;
        }
        since[i] = passed;
    }
    return p;
}

/* A point where every way into the block ends its region. */
static void split_start(cc_unit *u, cc_suspension_points *p, cc_block at,
                        cc_suspension_point point)
{
    cc_value last_phi = NULL;
    for (cc_value i = LLVMGetFirstInstruction(at); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        last_phi = i;
    cc_block head = cc_split_block(u, at, last_phi);
    add_point(p, point, head, cc_split_edge(u, head, at));
}

/* A point at the end of each turn of a loop that waits. */
static void split_latch(cc_unit *u, cc_suspension_points *p, cc_block latch,
                        cc_block header, cc_suspension_point point)
{
    cc_block resume = cc_split_edge(u, latch, header);
    /* The point's edge must be the only one of its first block. */
    add_point(p, point, cc_split_edge(u, latch, resume), resume);
}

/* -- All of them -- */

cc_suspension_points cc_suspension_points_find(cc_unit *u, cc_value function,
                                               cc_uniformity_rules rules)
{
    cc_cfg *g = cc_cfg_build(function);
    cc_uniformity_info *uniformity = cc_uniformity_infer(g, rules);
    cc_suspension_points p = {0, NULL, false};
    loop_kind *kind = cc_alloc((g->nloops + 1) * sizeof *kind);

    /* Once lanes have diverged at a point they go on in groups, so that no later warp
       function can count on all of them. */
    bool diverged = false;
    for (unsigned l = 0; l < g->nloops; l++) {
        kind[l] = kind_of_loop(g, (int)l);
        diverged |= kind[l] == WAITS;
    }
    unsigned most = diverged ? MOST_INLINE_WAITING : MOST_INLINE;
    for (unsigned k = 0; k < uniformity->count; k++) {
        cc_value v = uniformity->value[k];
        diverged |= kind_of(v) == HC_WARP &&
                    g->node[cc_cfg_node(g, LLVMGetInstructionParent(v))].divergent;
    }
    plan made = make_plan(u, g, uniformity, kind, diverged, most);
    p.diverged = made.ncuts > 0;
    add_point(&p, (cc_suspension_point){HC_ENTRY}, NULL, NULL);
    for (unsigned k = 0; k < made.nloops; k++) {
        cc_block latch = made.loop[k].latch, header = made.loop[k].header;
        loop_kind is = made.loop[k].kind;
        cc_suspension_point wait = {HC_YIELD, made.loop[k].flags, made.loop[k].place,
                                    .waited = is == WAITS && !made.loop[k].cut};
        p.diverged |= is == WAITS;
        if (made.loop[k].cut)
            split_start(u, &p, header, wait);
        else if (is == WAITS)
            split_latch(u, &p, latch, header, wait);
        else
            split_lockstep(u, &p, latch, header, is == STRIDES_BLOCKS);
    }
    for (unsigned k = 0; k < made.ncuts; k++)
        split_start(u, &p, made.cut[k], (cc_suspension_point){HC_LOCKSTEP});
    for (unsigned k = 0; k < made.n; k++) {
        hc_state_kind what = kind_of(made.call[k].call);
        if (what == HC_WARP)
            split_warp_call(u, &p, made.call[k].call, made.call[k].always);
        else
            split_barrier(u, &p, made.call[k].call, what);
        p.diverged |= what == HC_WARP;
    }
    return p;
}

/* -- A region -- */

/* Who had to wait at a point that others pass inline seldom meets them before the next:
   the i-th such region ends at the next multiple of 8, at one of them behind as many
   points as its lowest bit says. Three ends at most are in the way of those who do,
   and code does not grow with the square. Fewer points are left alone. */
enum { POINTS_TOGETHER = 8 };

static unsigned points_behind(const cc_suspension_points *p, unsigned number)
{
    unsigned i = 0;
    while (number > i && p->point[number - i].question)
        i++;
    if (!i || p->n <= POINTS_TOGETHER)
        return p->n;
    unsigned over = i % POINTS_TOGETHER;
    return over ? POINTS_TOGETHER - over : i & -i;
}

cc_value cc_copy_region(cc_unit *u, const cc_suspension_points *points,
                        cc_value function, unsigned number)
{
    cc_block start =
        number ? points->point[number].resume : LLVMGetEntryBasicBlock(function);
    unsigned n = points->n, inside = points_behind(points, number);
    cc_block *here = cc_alloc(n * sizeof *here);
    /* The questions behind lead to `before` alone while the region is copied. */
    for (unsigned k = number + 1; k < n; k++) {
        const cc_suspension_point *p = &points->point[k];
        if (!p->question || (inside && --inside))
            continue;
        cc_value end = LLVMGetBasicBlockTerminator(p->question);
        here[k] = LLVMGetSuccessor(end, 1);
        LLVMSetSuccessor(end, 1, p->before);
    }
    cc_value copy =
        cc_copy_from(u, start, cc_format("%s.region.%u", cc_name(function), number),
                     cc_int(u->i32, HC_EXITED));
    for (unsigned k = 0; k < n; k++)
        if (here[k])
            LLVMSetSuccessor(LLVMGetBasicBlockTerminator(points->point[k].question), 1,
                             here[k]);
    return copy;
}
