/* Control flow of vector code.

   Full code follows the scalar graph block by block while all lanes run. At a branch on
   a varying condition it looks at the lanes: all one way or all the other goes on as
   full code; else the nodes up to where the lanes reconverge are walked under masks,
   and full code goes on there.

   Masked code runs the nodes of such a stretch in reverse post-order, whichever lanes
   are in them. An edge adds its lanes to the pending mask of its target and blends
   the target's phis. A loop repeats while lanes come back to its header. Nodes with
   effects are skipped if no lane is in them.

   Where threads diverge that do not meet again before the region ends, the masked code
   from there on is one for all such branches, the tail: each would have to walk all the
   rest of the region otherwise.

   A loop can be entered under masks only at its header. So where threads leave a loop
   from another block than its latch, the whole loop is walked under masks from the
   start. */
#include "hostcc/vector/vector.h"

#include <stddef.h>
#include <stdlib.h>

/* -- Edges -- */

/* The phis of a node and their incoming values on one edge. */
typedef struct {
    unsigned n;
    struct {
        cc_value phi, scalar, lanes;
    } *move;
} phi_moves;

/* Reads all values before any is written: a phi may be the value of another, or of a
   phi on the branch's other edge. */
static phi_moves read_phis(cc_vec *e, unsigned from, unsigned to)
{
    phi_moves m = {0, NULL};
    CC_EACH_INST(i, e->cfg->node[to].ref)
        m.n += LLVMIsAPHINode(i) != NULL;
    m.move = cc_alloc((m.n + 1) * sizeof *m.move);
    cc_value phi = LLVMGetFirstInstruction(e->cfg->node[to].ref);
    for (unsigned n = 0; n < m.n; n++, phi = LLVMGetNextInstruction(phi)) {
        cc_value v = NULL;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
            if (LLVMGetIncomingBlock(phi, k) == e->cfg->node[from].ref)
                v = LLVMGetIncomingValue(phi, k);
        cc_uniformity s = cc_uniformity_of(e->uniformity, phi);
        m.move[n].phi = phi;
        if (s.kind == CC_AFFINE && !LLVMIsUndef(v))
            m.move[n].scalar = cc_scalar(e, v);
        if ((s.kind == CC_VARYING || s.inexact) && !LLVMIsUndef(v))
            m.move[n].lanes = cc_lanes(e, v);
    }
    return m;
}

/* In the lanes of `mask`; NULL: all. */
static void write_phis(cc_vec *e, phi_moves m, cc_value mask)
{
    for (unsigned k = 0; k < m.n; k++) {
        cc_value scalar = m.move[k].scalar, lanes = m.move[k].lanes,
                 phi = m.move[k].phi;
        if (mask && scalar) {
            /* An affine phi is no join of diverged threads: all take the edge or none.
             */
            cc_value old = LLVMBuildLoad2(e->b, LLVMTypeOf(scalar),
                                          cc_phi_home(e, phi, false), "");
            scalar = LLVMBuildSelect(e->b, cc_any(e, mask), scalar, old, "");
        }
        if (mask && lanes) {
            cc_value old =
                LLVMBuildLoad2(e->b, LLVMTypeOf(lanes), cc_phi_home(e, phi, true), "");
            lanes = cc_blend(e, mask, lanes, old);
        }
        if (scalar)
            LLVMBuildStore(e->b, scalar, cc_phi_home(e, phi, false));
        if (lanes)
            LLVMBuildStore(e->b, lanes, cc_phi_home(e, phi, true));
    }
}

static void masked_arrival(cc_vec *e, unsigned to, phi_moves m, cc_value mask,
                           unsigned stop)
{
    write_phis(e, m, mask);
    if (to != stop)
        LLVMBuildStore(e->b, LLVMBuildOr(e->b, cc_arrived(e, to), mask, ""),
                       cc_home_mask(e, to));
}

/* Both edges of a branch: lanes of `mask` where c holds, and the others. */
static void masked_branch(cc_vec *e, unsigned at, cc_value mask, cc_value c,
                          unsigned stop)
{
    const cc_node *node = &e->cfg->node[at];
    phi_moves yes = read_phis(e, at, node->succ[0]),
              no = read_phis(e, at, node->succ[1]);
    masked_arrival(e, node->succ[0], yes, cc_both(e, mask, c), stop);
    masked_arrival(e, node->succ[1], no, cc_both(e, mask, LLVMBuildNot(e->b, c, "")),
                   stop);
}

/* -- Branches that all lanes take together -- */

/* Whether the node is written with the branch that leads to it, in a walk of the nodes
   `in` after node `after`. */
static bool is_written_before(const cc_vec *e, unsigned at, const bool *in, int after)
{
    const cc_node *node = &e->cfg->node[at];
    unsigned from = node->npred == 1 ? node->pred[0] : at;
    return from != at && (int)from > after && in[from] &&
           cc_branches_together(e, from) && cc_join_of_arms(e->cfg, from) != at;
}

static void count_walk(cc_vec *e, unsigned at)
{
    CC_EACH_INST(i, e->cfg->node[at].ref)
        e->walked++;
}

/* Both ways of such a branch. Some lane runs: of none the condition is not known. */
static void branch_together(cc_vec *e, unsigned at, cc_value mask, unsigned stop)
{
    const cc_node *node = &e->cfg->node[at];
    unsigned join = cc_join_of_arms(e->cfg, at);
    cc_block way[] = {cc_new_block(e, "yes"), cc_new_block(e, "no")};
    cc_block together = cc_new_block(e, "together");
    LLVMBuildCondBr(e->b, cc_scalar(e, LLVMGetCondition(node->terminator)), way[0],
                    way[1]);
    for (unsigned k = 0; k < 2; k++) {
        unsigned from = node->succ[k] == join ? at : node->succ[k];
        LLVMPositionBuilderAtEnd(e->b, way[k]);
        e->epoch++;
        if (from != at) {
            cc_at_line_of(e, LLVMGetFirstInstruction(e->cfg->node[from].ref));
            cc_node_body(e, from, mask);
            count_walk(e, from);
        }
        masked_arrival(e, join, read_phis(e, from, join), mask, stop);
        LLVMBuildBr(e->b, together);
    }
    LLVMPositionBuilderAtEnd(e->b, together);
    e->epoch++;
}

/* The end of a loop that all its lanes go around as often. */
static void go_around(cc_vec *e, unsigned latch, cc_value mask, unsigned stop)
{
    const cc_node *node = &e->cfg->node[latch];
    int loop = node->loop;
    unsigned back = node->succ[0] == e->cfg->loop[loop].header ? 0 : 1;
    cc_block around = cc_new_block(e, "around"), out = cc_new_block(e, "out");
    cc_block way[] = {back ? out : around, back ? around : out};
    LLVMBuildCondBr(e->b, cc_scalar(e, LLVMGetCondition(node->terminator)), way[0],
                    way[1]);
    LLVMPositionBuilderAtEnd(e->b, around);
    e->epoch++;
    write_phis(e, read_phis(e, latch, node->succ[back]), NULL);
    LLVMBuildBr(e->b, e->again[loop]);
    LLVMPositionBuilderAtEnd(e->b, out);
    e->epoch++;
    masked_arrival(e, node->succ[!back], read_phis(e, latch, node->succ[!back]), mask,
                   stop);
}

/* -- Masked code -- */

static void masked_nodes(cc_vec *, const bool *in, int loop, int done, int after,
                         unsigned stop);

static void masked_return(cc_vec *e, cc_value i, cc_value mask)
{
    cc_value next = LLVMGetOperand(i, 0);
    if (!e->suspends)
        return;
    cc_value old = LLVMBuildLoad2(e->b, LLVMVectorType(e->unit->i32, e->width),
                                  cc_home_state(e), "");
    cc_value lanes = cc_lanes(e, next);
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, mask, lanes, old, ""), cc_home_state(e));
    cc_value zero = LLVMConstNull(LLVMTypeOf(lanes));
    cc_value exits = cc_both(e, mask, LLVMBuildICmp(e->b, LLVMIntEQ, lanes, zero, ""));
    LLVMBuildStore(e->b, LLVMBuildOr(e->b, cc_exited(e), exits, ""), cc_home_exited(e));
}

static void node_by_lane(cc_vec *e, unsigned at, unsigned stop)
{
    cc_block run = cc_new_block(e, "run"), skip = cc_new_block(e, "skip");
    LLVMBuildCondBr(e->b, cc_any(e, cc_arrived(e, at)), run, skip);
    LLVMPositionBuilderAtEnd(e->b, run);
    e->epoch++;
    cc_scalar_node(e, at, stop);
    LLVMBuildBr(e->b, skip);
    LLVMPositionBuilderAtEnd(e->b, skip);
    e->epoch++;
}

static void masked_node(cc_vec *e, unsigned at, unsigned stop)
{
    const cc_node *node = &e->cfg->node[at];
    count_walk(e, at);
    if (e->alone[at]) {
        node_by_lane(e, at, stop);
        return;
    }
    cc_block skip = NULL;
    bool together = cc_branches_together(e, at);
    bool around =
        node->loop >= 0 && e->again[node->loop] && e->cfg->loop[node->loop].latch == at;
    cc_at_line_of(e, LLVMGetFirstInstruction(node->ref));
    cc_value mask = cc_arrived(e, at);
    LLVMBuildStore(e->b, LLVMConstNull(cc_mask_type(e)), cc_home_mask(e, at));
    if (together || cc_has_effects(e, at)) {
        cc_block run = cc_new_block(e, "run");
        skip = cc_new_block(e, "skip");
        LLVMBuildCondBr(e->b, cc_any(e, mask), run, skip);
        LLVMPositionBuilderAtEnd(e->b, run);
    }
    e->epoch++;
    cc_node_body(e, at, mask);
    if (node->nsucc == 1) {
        masked_arrival(e, node->succ[0], read_phis(e, at, node->succ[0]), mask, stop);
    } else if (together) {
        branch_together(e, at, mask, stop);
    } else if (around) {
        go_around(e, at, mask, stop);
    } else if (node->nsucc == 2) {
        masked_branch(e, at, mask, cc_lanes(e, LLVMGetCondition(node->terminator)),
                      stop);
    } else if (LLVMIsAReturnInst(node->terminator)) {
        masked_return(e, node->terminator, mask);
    }
    if (skip) {
        LLVMBuildBr(e->b, skip);
        LLVMPositionBuilderAtEnd(e->b, skip);
    }
    e->epoch++;
}

static void branch_by_count(cc_vec *e, unsigned header, unsigned few, cc_block scalar,
                            cc_block vector)
{
    cc_value bits = cc_bits32(e, cc_arrived(e, header)),
             n = cc_intrinsic(e, "llvm.ctpop", &e->unit->i32, 1, &bits, 1);
    n = LLVMBuildICmp(e->b, LLVMIntULE, n, cc_int(e->unit->i32, few), "");
    LLVMBuildCondBr(e->b, n, scalar, vector);
}

/* Lanes that are few enough go on one after the other: when they enter the loop, or
   half as many at a later turn, when there is less left to do for each. */
static void masked_loop(cc_vec *e, const bool *in, int loop, unsigned stop)
{
    unsigned header = e->cfg->loop[loop].header, few = e->few[loop];
    cc_block start = cc_new_block(e, "loop"), after = cc_new_block(e, "after"),
             again = start;
    LLVMBuildCondBr(e->b, cc_any(e, cc_arrived(e, header)), start, after);
    LLVMPositionBuilderAtEnd(e->b, start);
    e->epoch++;
    if (few && few < e->width) {
        cc_block scalar = cc_new_block(e, "few"), vector = cc_new_block(e, "many");
        branch_by_count(e, header, few, scalar, vector);
        again = cc_new_block(e, "again");
        LLVMPositionBuilderAtEnd(e->b, again);
        branch_by_count(e, header, few / 2, scalar, vector);
        LLVMPositionBuilderAtEnd(e->b, scalar);
        e->epoch++;
        cc_scalar_loop(e, loop, stop);
        LLVMBuildBr(e->b, after);
        LLVMPositionBuilderAtEnd(e->b, vector);
        e->epoch++;
    }
    if (cc_loops_together(e, loop)) {
        cc_value mask = cc_arrived(e, header);
        again = e->again[loop] = cc_new_block(e, "again");
        LLVMBuildBr(e->b, again);
        LLVMPositionBuilderAtEnd(e->b, again);
        LLVMBuildStore(e->b, mask, cc_home_mask(e, header));
        e->epoch++;
        masked_nodes(e, in, loop, -1, -1, stop);
        e->again[loop] = NULL;
        LLVMBuildBr(e->b, after);
    } else if (few < e->width) {
        masked_nodes(e, in, loop, -1, -1, stop);
        LLVMBuildCondBr(e->b, cc_any(e, cc_arrived(e, header)), again, after);
    } else {
        cc_scalar_loop(e, loop, stop);
        LLVMBuildBr(e->b, after);
    }
    LLVMPositionBuilderAtEnd(e->b, after);
    e->epoch++;
}

/* If the tail is under way: its code for node i and all after it begins here. */
static void enter_tail(cc_vec *e, unsigned i, unsigned stop)
{
    if (!e->tail[i] || stop != e->tail_stop)
        return;
    LLVMBuildBr(e->b, e->tail[i]);
    LLVMPositionBuilderAtEnd(e->b, e->tail[i]);
    e->tail[i] = NULL;
    e->epoch++;
}

/* The nodes of `in` after node `after` that are in `loop` (-1: outside all loops);
   loops inside it as a whole, but for `done`. */
static void masked_nodes(cc_vec *e, const bool *in, int loop, int done, int after,
                         unsigned stop)
{
    const cc_cfg *g = e->cfg;
    for (unsigned i = (unsigned)(after + 1); i < g->n; i++) {
        if (!in[i])
            continue;
        int inner = -1, l = g->node[i].loop;
        while (l >= 0 && l != loop) {
            inner = l;
            l = g->loop[l].parent;
        }
        if (l != loop || (inner >= 0 && inner == done) ||
            is_written_before(e, i, in, after))
            continue;
        if (loop < 0)
            enter_tail(e, i, stop);
        if (inner < 0)
            masked_node(e, i, stop);
        else if (g->loop[inner].header == i)
            masked_loop(e, in, inner, stop);
    }
}

/* -- Full code -- */

/* The loop that is walked under masks as a whole when entered at `to` from outside, or
   -1: one where threads diverge for good at several branches, or that lanes always
   run one after the other. */
static int masked_loop_at(cc_vec *e, unsigned to)
{
    const cc_cfg *g = e->cfg;
    int l = g->node[to].loop;
    unsigned ways = 0;
    if (l < 0 || g->loop[l].header != to)
        return -1;
    for (unsigned i = 0; i < g->n; i++)
        ways += g->node[i].varying_branch && cc_loop_contains(g, l, i) &&
                !cc_loop_contains(g, l, g->node[i].reconvergence);
    return ways > 1 || e->few[l] == e->width ? l : -1;
}

static cc_block full_block(cc_vec *e, unsigned node)
{
    if (!e->full[node])
        e->full[node] = cc_new_block(e, "full");
    return e->full[node];
}

/* The end where lanes went different ways: one next state, or a record of each's. */
static void diverged_return(cc_vec *e)
{
    cc_unit *u = e->unit;
    if (!e->suspends) {
        LLVMBuildRet(e->b, cc_int(u->i32, HC_EXITED));
        return;
    }
    cc_type t = LLVMVectorType(u->i32, e->width);
    cc_value state = LLVMBuildLoad2(e->b, t, cc_home_state(e), "");
    cc_value ran = cc_lanes_of(e, e->entry_mask);
    cc_value at = LLVMBuildMul(e->b, e->vector, cc_int(u->i32, 4 * HC_LANES), "");
    at = LLVMBuildZExt(e->b, at, u->i64, "");
    cc_value states =
        cc_frame_field(e, e->b, e->frame, offsetof(hc_frame, lane_state), u->ptr);
    states = LLVMBuildInBoundsGEP2(e->b, u->i8, states, &at, 1, "");
    cc_store_own_lanes(e, state, states, 4, ran);

    cc_value alive = cc_alive(e);
    cc_value left = LLVMBuildNot(e->b, cc_bits32(e, cc_exited(e)), "");
    left = LLVMBuildAnd(e->b, LLVMBuildLoad2(e->b, u->i32, alive, ""), left, "");
    LLVMBuildStore(e->b, left, alive);
    LLVMBuildStore(e->b, cc_int(u->i32, 0),
                   cc_offset(e->unit, e->b, e->frame, offsetof(hc_frame, whole)));

    /* One state if lanes that ran and did not exit agree: compare with the highest. */
    cc_value stay = cc_both(e, ran, cc_nonzero(e, state));
    cc_value some = LLVMBuildSelect(e->b, stay, state, LLVMConstNull(t), "");
    cc_value highest = cc_intrinsic(e, "llvm.vector.reduce.umax", &t, 1, &some, 1);
    cc_value other = cc_both(
        e, stay, LLVMBuildICmp(e->b, LLVMIntNE, state, cc_splat(e, highest), ""));
    LLVMBuildRet(e->b, LLVMBuildSelect(e->b, cc_any(e, other), cc_int(u->i32, HC_MIXED),
                                       highest, ""));
}

/* Ends masked code that started with all lanes: they meet at `stop` or have all left
   the region. */
static void reconverge(cc_vec *e, unsigned stop)
{
    e->epoch++;
    if (stop == e->cfg->n)
        diverged_return(e);
    else if (masked_loop_at(e, stop) >= 0)
        cc_refuse("internal: masked code meets at a loop header");
    else
        LLVMBuildBr(e->b, full_block(e, stop));
}

/* From node `from` on, which no loop contains unless it is its header, under masks up
   to where the region ends. False: lanes meet again, or elsewhere. */
static bool go_to_tail(cc_vec *e, unsigned from, unsigned stop)
{
    const cc_cfg *g = e->cfg;
    if (stop + 1 < g->n || (stop < g->n && g->node[stop].nsucc) ||
        (e->tail_stop && e->tail_stop != stop))
        return false;
    while (from < stop && g->node[from].loop >= 0 &&
           !(g->loop[g->node[from].loop].header == from &&
             g->loop[g->node[from].loop].parent < 0))
        from++;
    e->tail_stop = stop;
    if (!e->tail[from])
        e->tail[from] = cc_new_block(e, "tail");
    LLVMBuildBr(e->b, e->tail[from]);
    return true;
}

static void full_edge(cc_vec *e, unsigned from, unsigned to)
{
    const cc_cfg *g = e->cfg;
    write_phis(e, read_phis(e, from, to), NULL);
    int loop = masked_loop_at(e, to);
    if (loop < 0 || cc_loop_contains(g, loop, from)) {
        LLVMBuildBr(e->b, full_block(e, to));
        return;
    }
    unsigned stop = cc_cfg_reconvergence(g, to, loop);
    bool *in = cc_alloc(g->n + 1);
    cc_cfg_reach(g, to, stop, in);
    LLVMBuildStore(e->b, cc_all_lanes(e), cc_home_mask(e, to));
    if (g->loop[loop].parent < 0 && go_to_tail(e, to, stop))
        return;
    masked_nodes(e, in, g->loop[loop].parent, -1, -1, stop);
    reconverge(e, stop);
}

/* The edge's code in a block of its own. */
static void full_arm(cc_vec *e, cc_block b, unsigned from, unsigned to)
{
    e->epoch++;
    LLVMPositionBuilderAtEnd(e->b, b);
    full_edge(e, from, to);
}

/* Walks under masks from the branch at node `at` to where they reconverge. */
static void diverge(cc_vec *e, unsigned at, cc_value c)
{
    const cc_cfg *g = e->cfg;
    const cc_node *node = &g->node[at];
    unsigned stop = node->reconvergence, after = at;
    bool *in = cc_alloc(g->n + 1);
    cc_cfg_reach(g, node->succ[0], stop, in);
    cc_cfg_reach(g, node->succ[1], stop, in);
    masked_branch(e, at, cc_all_lanes(e), c, stop);
    /* Loops that threads leave here: the rest of this iteration, then the loop from its
       header. */
    int left = cc_loop_left(g, at, stop), done = -1, loop = node->loop;
    for (; left >= 0 && done != left; done = loop, loop = g->loop[loop].parent) {
        masked_nodes(e, in, loop, done, (int)after, stop);
        masked_loop(e, in, loop, stop);
        after = g->loop[loop].header;
    }
    if (loop < 0 && go_to_tail(e, after + 1, stop))
        return;
    masked_nodes(e, in, loop, done, left < 0 ? -1 : (int)after, stop);
    reconverge(e, stop);
}

static cc_value all_are(cc_vec *e, cc_value bits, bool value)
{
    cc_type t = LLVMTypeOf(bits);
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits,
                         value ? LLVMConstAllOnes(t) : LLVMConstNull(t), "");
}

static void full_varying_branch(cc_vec *e, unsigned at)
{
    const cc_node *node = &e->cfg->node[at];
    cc_value condition = LLVMGetCondition(node->terminator), c = cc_lanes(e, condition),
             bits = cc_mask_bits(e, c);

    /* Stretches within stretches are walked again: at some size, once must do. */
    if (e->walked > e->most_walked || cc_is_light(e, at)) {
        diverge(e, at, c);
        return;
    }
    cc_value same[] = {cc_ask_one_lane(e, condition, false),
                       cc_ask_one_lane(e, condition, true)};
    bool first = same[true] || !same[false]; /* what lane 0 tells is asked first */
    cc_block all = cc_new_block(e, "all"),
             other = cc_new_block(e, first ? "not.all" : "not.none"),
             none = cc_new_block(e, "none"), part = cc_new_block(e, "part");
    cc_block way[] = {none, all};
    if (!same[first]) {
        same[first] = all_are(e, bits, first);
        same[!first] = all_are(e, bits, !first);
    }
    LLVMBuildCondBr(e->b, same[first], way[first], other);
    LLVMPositionBuilderAtEnd(e->b, other);
    if (!same[!first])
        same[!first] = all_are(e, bits, !first);
    LLVMBuildCondBr(e->b, same[!first], way[!first], part);
    for (unsigned k = 0; k < 2; k++) {
        bool value = k == 0 ? first : !first;
        e->epoch++;
        LLVMPositionBuilderAtEnd(e->b, way[value]);
        cc_define(e, condition, NULL,
                  value ? cc_all_lanes(e) : LLVMConstNull(cc_mask_type(e)));
        full_edge(e, at, node->succ[!value]);
    }
    e->epoch++;
    LLVMPositionBuilderAtEnd(e->b, part);
    diverge(e, at, c);
}

static void full_node(cc_vec *e, unsigned at)
{
    const cc_node *node = &e->cfg->node[at];
    LLVMPositionBuilderAtEnd(e->b, full_block(e, at));
    e->epoch++;
    cc_node_body(e, at, NULL);
    if (LLVMIsAUnreachableInst(node->terminator)) {
        LLVMBuildUnreachable(e->b);
    } else if (!node->nsucc) {
        cc_value next = LLVMGetOperand(node->terminator, 0);
        if (cc_same(e, next)) {
            LLVMBuildRet(e->b, cc_scalar(e, next));
        } else {
            masked_return(e, node->terminator, cc_all_lanes(e));
            diverged_return(e);
        }
    } else if (node->nsucc == 1) {
        full_edge(e, at, node->succ[0]);
    } else if (node->varying_branch) {
        full_varying_branch(e, at);
    } else {
        cc_block yes = cc_new_block(e, "yes"), no = cc_new_block(e, "no");
        LLVMBuildCondBr(e->b, cc_scalar(e, LLVMGetCondition(node->terminator)), yes,
                        no);
        full_arm(e, yes, at, node->succ[0]);
        full_arm(e, no, at, node->succ[1]);
    }
}

/* The nodes that full code has come to. */
static void full_nodes(cc_vec *e, bool *done)
{
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < e->cfg->n; i++)
            if (e->full[i] && !done[i]) {
                done[i] = more = true;
                full_node(e, i);
            }
    }
}

/* From the first node at which a branch enters it. */
static void tail(cc_vec *e)
{
    const cc_cfg *g = e->cfg;
    bool *in = cc_alloc(g->n + 1);
    unsigned first = 0;
    while (!e->tail[first])
        first++;
    cc_cfg_reach(g, 0, e->tail_stop, in);
    LLVMPositionBuilderAtEnd(e->b, e->tail[first]);
    if (first < e->tail_stop)
        e->tail[first] = NULL;
    e->epoch++;
    masked_nodes(e, in, -1, -1, (int)first - 1, e->tail_stop);
    if (first < e->tail_stop)
        enter_tail(e, e->tail_stop, e->tail_stop);
    reconverge(e, e->tail_stop);
}

void cc_emit_full(cc_vec *e)
{
    bool *done = cc_alloc(e->cfg->n + 1);
    LLVMBuildBr(e->b, full_block(e, 0));
    full_nodes(e, done);
    if (e->tail_stop)
        tail(e);
    full_nodes(e, done); /* the tail may end at a return */
}

void cc_emit_masked(cc_vec *e)
{
    const cc_cfg *g = e->cfg;
    bool *in = cc_alloc(g->n + 1);
    cc_cfg_reach(g, 0, g->n, in);
    LLVMBuildStore(e->b, cc_lanes_of(e, e->entry_mask), cc_home_mask(e, 0));
    masked_nodes(e, in, -1, -1, -1, g->n);
    diverged_return(e);
}
