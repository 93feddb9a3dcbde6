/* Loops, and ways of a branch, that lanes run one after the other, as scalar code:
   where they part and gather, a vector does no less work (loop_cost.c).

   Such a part's code is that of a vector of one lane, in which all values are uniform
   and branches are branches; around it goes a loop over the lanes that run. What it
   reads from outside comes lane by lane out of the vector's values; its results, which
   are phis of its exits (the graph is in LCSSA form), are collected the same way.

   Lanes may run so because none waits for another there: loops that wait are cut by
   suspension points, and where there are warp functions, or volatile shared memory, on
   which a warp in step was once counted, vectors stay. */
#include "hostcc/vector/vector.h"

#include "hostcc/front/front.h"
#include "hostcc/ir/intrinsic_table.h"

#define MOST_ALONE 16 /* nodes of a region: each has tables of its own */

/* A loop; or -1, and one node. */
typedef struct {
    int loop;
    unsigned first; /* the header */
    bool in_a_row;  /* lanes that run it are neighbours mostly */
} part;

static bool contains(const cc_vec *e, part p, unsigned node)
{
    return p.loop < 0 ? node == p.first : cc_loop_contains(e->cfg, p.loop, node);
}

/* -- Which loops and nodes -- */

/* Whether scalar code does the same for each lane: accesses that nobody else waits for,
   calls of nothing that knows of vectors. */
static bool is_scalar(cc_value i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMFence:
        return false;
    case LLVMLoad:
    case LLVMStore:
        return !cc_is_ordered(i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return !LLVMGetVolatile(i);
    case LLVMCall:
        break;
    default:
        return true;
    }
    switch (cc_function_of(i)) {
    case CC_FN_NONE:
        return *cc_register(i) || cc_intrinsic_find(cc_callee(i)) ||
               cc_intrinsic_is_hint(cc_callee(i));
    case CC_FN_SHARED_AT:
    case CC_FN_DYNAMIC_SHARED:
    case CC_FN_LIBM:
        return true;
    default:
        return false;
    }
}

static bool is_inside(const cc_vec *e, part p, cc_block b)
{
    return contains(e, p, cc_cfg_node(e->cfg, b));
}

static bool is_made_inside(const cc_vec *e, part p, cc_value v)
{
    return LLVMIsAInstruction(v) && is_inside(e, p, LLVMGetInstructionParent(v));
}

/* Results leave the part by way of phis, which differ from lane to lane. */
static bool leaves_by_phis(const cc_vec *e, part p, cc_value i)
{
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        cc_value user = LLVMGetUser(use);
        if (is_made_inside(e, p, user))
            continue;
        if (!LLVMIsAPHINode(user) ||
            cc_uniformity_of(e->uniformity, user).kind != CC_VARYING)
            return false;
        for (unsigned k = 0; k < LLVMCountIncoming(user); k++)
            if (LLVMGetIncomingValue(user, k) == i &&
                !is_inside(e, p, LLVMGetIncomingBlock(user, k)))
                return false;
    }
    return true;
}

static bool knows_of_vectors(const cc_vec *e)
{
    return e->linear || e->kernel->warps || e->unit->options->checks ||
           e->unit->coverage;
}

static bool may_run_by_lane(const cc_vec *e, part p)
{
    const cc_cfg *g = e->cfg;
    for (unsigned n = p.first; n < g->n; n++) {
        if (!contains(e, p, n))
            continue;
        CC_EACH_INST(i, g->node[n].ref)
            if (!is_scalar(i) || !leaves_by_phis(e, p, i))
                return false;
    }
    return true;
}

/* Outer loops come before those inside them: what they take along needs no scalar code
   of its own. */
const unsigned *cc_choose_scalar_loops(const cc_vec *e)
{
    const cc_cfg *g = e->cfg;
    unsigned *few = cc_alloc((g->nloops + 1) * sizeof *few);
    bool *within = cc_alloc(g->nloops + 1);
    int how = (int)e->unit->options->divergent_loops;
    for (unsigned l = 0; l < g->nloops && how != CC_LOOPS_ARE_VECTORS; l++) {
        int parent = g->loop[l].parent;
        within[l] = parent >= 0 && (few[parent] == e->width || within[parent]);
        if (!within[l] && g->loop[l].divergent && !knows_of_vectors(e) &&
            may_run_by_lane(e, (part){(int)l, g->loop[l].header, false}))
            few[l] = how == CC_LOOPS_ARE_SCALAR    ? e->width
                     : how == CC_LOOPS_ARE_COUNTED ? e->width / 2
                                                   : cc_lanes_cheaper_alone(e, (int)l);
    }
    return few;
}

/* Whether lanes only come to the node one way, from a branch at which they part, and
   all leave it for another, forwards. */
static bool is_way(const cc_cfg *g, unsigned at)
{
    const cc_node *node = &g->node[at];
    return node->npred == 1 && node->nsucc == 1 && node->succ[0] > at &&
           g->node[node->pred[0]].varying_branch;
}

static bool has_atomics(cc_block b)
{
    CC_EACH_INST(i, b)
        if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
            return true;
    return false;
}

/* Atomics have loops over lanes, and ways to do without (atomics.c). */
const bool *cc_choose_scalar_nodes(const cc_vec *e)
{
    const cc_cfg *g = e->cfg;
    bool *alone = cc_alloc(g->n + 1);
    unsigned found = 0;
    if (knows_of_vectors(e) || e->unit->options->level == 0 ||
        e->unit->options->divergent_loops == CC_LOOPS_ARE_VECTORS)
        return alone;
    for (unsigned n = 0; n < g->n && found < MOST_ALONE; n++) {
        alone[n] = is_way(g, n) && !has_atomics(g->node[n].ref) &&
                   cc_is_cheaper_alone(e, n) &&
                   may_run_by_lane(e, (part){-1, n, false});
        found += alone[n];
    }
    return alone;
}

/* -- From lanes to one -- */

/* A value that the part reads, of one lane. */
typedef struct {
    cc_value value, base; /* base: of one with a stride */
    cc_lane_array lanes;  /* of any other */
} input;

/* A node that the part leads to, and the lanes that have left for it. */
typedef struct {
    unsigned node, nphis;
    cc_lane_array *phi; /* of those that differ from lane to lane */
    cc_value lanes;     /* stack slot; NULL: all leave for it */
} way_out;

typedef struct {
    cc_vec *e, *one;
    part part;
    bool stores;
    cc_value lane; /* i64 */
    unsigned nin, nout;
    input *in;
    way_out *out;
    cc_block *block; /* by node */
    cc_block next;
} lane_code;

static cc_vec *one_lane(const cc_vec *e)
{
    cc_vec *one = cc_alloc(sizeof *one);
    cc_uniformity_info *same = cc_alloc(sizeof *same);
    unsigned n = e->uniformity->count + 1;
    *same = *e->uniformity;
    same->rules.width = 1;
    same->of = cc_alloc(n * sizeof *same->of);
    for (unsigned k = 0; k < n; k++)
        same->of[k] = (cc_uniformity){CC_AFFINE, false, 1, 0};
    *one = *e;
    one->uniformity = same;
    one->width = 1;
    one->mask = one->first_store = NULL;
    one->home_scalar = cc_alloc(n * sizeof(cc_value));
    one->home_lanes = cc_alloc(n * sizeof(cc_value));
    one->known = cc_alloc(n * sizeof *one->known);
    return one;
}

static bool has_lanes(cc_uniformity s)
{
    return s.kind != CC_AFFINE || s.inexact;
}

static void add_input(lane_code *c, bool *seen, cc_value v)
{
    int k = cc_map_get(c->e->uniformity->numbers, v);
    if (k < 0 || seen[k])
        return;
    seen[k] = true;
    input in = {.value = v};
    if (has_lanes(c->e->uniformity->of[k])) {
        in.lanes = cc_lane_array_new(c->e, LLVMTypeOf(v));
        cc_lane_array_store_all(c->e, &in.lanes, cc_lanes(c->e, v));
    } else {
        in.base = cc_scalar(c->e, v);
    }
    c->in[c->nin++] = in;
}

/* Phis of the header have a value to begin with, those of exits one that comes from the
   loop. */
static void find_inputs(lane_code *c)
{
    const cc_cfg *g = c->e->cfg;
    unsigned header = c->part.first, n = c->e->uniformity->count;
    bool *seen = cc_alloc(n + 1);
    c->in = cc_alloc((n + 1) * sizeof *c->in);
    for (unsigned at = header; at < g->n; at++) {
        bool inside = contains(c->e, c->part, at);
        CC_EACH_INST(i, g->node[at].ref) {
            if (!inside && !LLVMIsAPHINode(i))
                break;
            if (at == header && LLVMIsAPHINode(i))
                add_input(c, seen, i);
            for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
                cc_value v = LLVMGetOperand(i, k);
                if (LLVMIsAPHINode(i) &&
                    !is_inside(c->e, c->part, LLVMGetIncomingBlock(i, k)))
                    continue;
                if (!is_made_inside(c->e, c->part, v))
                    add_input(c, seen, v);
            }
        }
    }
}

static cc_value stepped(cc_vec *e, cc_value base, int64_t stride, cc_value lane)
{
    cc_type t = LLVMTypeOf(base);
    bool pointer = cc_kind(t) == LLVMPointerTypeKind;
    if (!stride)
        return base;
    cc_value by = LLVMBuildIntCast2(e->b, lane, pointer ? e->unit->i64 : t, 0, "");
    by = LLVMBuildMul(e->b, by, cc_int(LLVMTypeOf(by), (uint64_t)stride), "");
    if (pointer)
        return LLVMBuildGEP2(e->b, e->unit->i8, base, &by, 1, "");
    return LLVMBuildAdd(e->b, base, by, "");
}

static void read_inputs(lane_code *c)
{
    cc_vec *e = c->e, *one = c->one;
    for (unsigned k = 0; k < c->nin; k++) {
        const input *in = &c->in[k];
        cc_value v =
            in->lanes.t
                ? cc_lane_array_get(e, &in->lanes, c->lane)
                : stepped(e, in->base,
                          cc_uniformity_of(e->uniformity, in->value).stride, c->lane);
        if (is_made_inside(e, c->part, in->value)) /* a phi of the header */
            LLVMBuildStore(e->b, v, cc_phi_home(one, in->value, false));
        else
            cc_define(one, in->value, v, NULL);
    }
    one->x0 = stepped(e, e->x0, 1, c->lane);
}

/* -- The code for one lane -- */

static way_out *find_way_out(lane_code *c, unsigned node)
{
    unsigned k = 0;
    while (k < c->nout && c->out[k].node != node)
        k++;
    return k < c->nout ? &c->out[k] : NULL;
}

static bool stores(const cc_vec *e, part p)
{
    for (unsigned n = p.first; n < e->cfg->n; n++) {
        if (!contains(e, p, n))
            continue;
        CC_EACH_INST(i, e->cfg->node[n].ref)
            if (LLVMIsAStoreInst(i))
                return true;
    }
    return false;
}

static void find_ways_out(lane_code *c)
{
    const cc_cfg *g = c->e->cfg;
    c->out = cc_alloc((2 * g->n + 1) * sizeof *c->out);
    for (unsigned at = c->part.first; at < g->n; at++)
        for (unsigned k = 0; k < g->node[at].nsucc; k++) {
            unsigned to = g->node[at].succ[k];
            if (!contains(c->e, c->part, at) || contains(c->e, c->part, to) ||
                find_way_out(c, to))
                continue;
            way_out *out = &c->out[c->nout++];
            out->node = to;
            CC_EACH_INST(i, g->node[to].ref)
                out->nphis += LLVMIsAPHINode(i) != NULL;
            out->phi = cc_alloc((out->nphis + 1) * sizeof *out->phi);
            cc_value phi = LLVMGetFirstInstruction(g->node[to].ref);
            for (unsigned n = 0; n < out->nphis; n++, phi = LLVMGetNextInstruction(phi))
                if (has_lanes(cc_uniformity_of(c->e->uniformity, phi)))
                    out->phi[n] = c->stores ? cc_lane_vector_new(c->e, LLVMTypeOf(phi))
                                            : cc_lane_array_new(c->e, LLVMTypeOf(phi));
        }
    for (unsigned k = 0; k < c->nout && c->nout > 1; k++) {
        c->out[k].lanes = cc_stack(c->e, c->e->unit->i32, "left");
        LLVMBuildStore(c->e->b, cc_int(c->e->unit->i32, 0), c->out[k].lanes);
    }
}

static cc_value incoming(cc_value phi, cc_block from)
{
    unsigned k = 0;
    while (LLVMGetIncomingBlock(phi, k) != from)
        k++;
    return LLVMGetIncomingValue(phi, k);
}

/* Within the part. Reads all values before any is written, as a phi may be another's.
 */
static void stay(lane_code *c, unsigned from, unsigned to)
{
    const cc_cfg *g = c->e->cfg;
    unsigned n = 0;
    CC_EACH_INST(i, g->node[to].ref)
        n += LLVMIsAPHINode(i) != NULL;
    cc_value *v = cc_alloc((n + 1) * sizeof *v),
             phi = LLVMGetFirstInstruction(g->node[to].ref);
    for (unsigned k = 0; k < n; k++, phi = LLVMGetNextInstruction(phi))
        v[k] = cc_scalar(c->one, incoming(phi, g->node[from].ref));
    phi = LLVMGetFirstInstruction(g->node[to].ref);
    for (unsigned k = 0; k < n; k++, phi = LLVMGetNextInstruction(phi))
        LLVMBuildStore(c->e->b, v[k], cc_phi_home(c->one, phi, false));
    LLVMBuildBr(c->e->b, c->block[to]);
}

/* What a vector has once, all lanes bring alike. */
static void leave(lane_code *c, unsigned from, const way_out *out)
{
    cc_vec *e = c->e;
    cc_value phi = LLVMGetFirstInstruction(e->cfg->node[out->node].ref);
    e->epoch++;
    for (unsigned k = 0; k < out->nphis; k++, phi = LLVMGetNextInstruction(phi)) {
        cc_value v = incoming(phi, e->cfg->node[from].ref);
        if (LLVMIsUndef(v))
            continue;
        if (cc_uniformity_of(e->uniformity, phi).kind == CC_AFFINE)
            LLVMBuildStore(e->b, cc_scalar(e, v), cc_phi_home(e, phi, false));
        if (out->phi[k].t)
            cc_lane_array_set(e, &out->phi[k], c->lane, cc_scalar(c->one, v));
    }
    if (out->lanes) {
        cc_type i32 = e->unit->i32;
        cc_value lane = LLVMBuildTrunc(e->b, c->lane, i32, "");
        cc_value bit = LLVMBuildShl(e->b, cc_int(i32, 1), lane, ""),
                 old = LLVMBuildLoad2(e->b, i32, out->lanes, "");
        LLVMBuildStore(e->b, LLVMBuildOr(e->b, old, bit, ""), out->lanes);
    }
    LLVMBuildBr(e->b, c->next);
}

static void edge(lane_code *c, unsigned from, unsigned to)
{
    const way_out *out = find_way_out(c, to);
    if (out)
        leave(c, from, out);
    else
        stay(c, from, to);
}

static void node_of_one(lane_code *c, unsigned at)
{
    cc_vec *one = c->one;
    const cc_node *node = &one->cfg->node[at];
    LLVMPositionBuilderAtEnd(one->b, c->block[at]);
    one->epoch++;
    cc_node_body(one, at, NULL);
    if (node->nsucc == 1) {
        edge(c, at, node->succ[0]);
        return;
    }
    cc_block arm[] = {cc_new_block(one, "yes"), cc_new_block(one, "no")};
    LLVMBuildCondBr(one->b, cc_scalar(one, LLVMGetCondition(node->terminator)), arm[0],
                    arm[1]);
    for (unsigned k = 0; k < 2; k++) {
        LLVMPositionBuilderAtEnd(one->b, arm[k]);
        one->epoch++;
        edge(c, at, node->succ[k]);
    }
}

/* -- From one lane to all -- */

static void arrive(lane_code *c, const way_out *out, cc_value mask, unsigned stop)
{
    cc_vec *e = c->e;
    cc_value phi = LLVMGetFirstInstruction(e->cfg->node[out->node].ref);
    if (out->lanes)
        mask = cc_lanes_of(e, LLVMBuildLoad2(e->b, e->unit->i32, out->lanes, ""));
    for (unsigned k = 0; k < out->nphis; k++, phi = LLVMGetNextInstruction(phi)) {
        if (!out->phi[k].t)
            continue;
        cc_value home = cc_phi_home(e, phi, true),
                 lanes = cc_lane_array_load_all(e, &out->phi[k]);
        cc_value old = LLVMBuildLoad2(e->b, LLVMTypeOf(lanes), home, "");
        LLVMBuildStore(e->b, cc_blend(e, mask, lanes, old), home);
    }
    if (out->node != stop)
        LLVMBuildStore(e->b, LLVMBuildOr(e->b, cc_arrived(e, out->node), mask, ""),
                       cc_home_mask(e, out->node));
}

static void run_by_lane(cc_vec *e, part p, unsigned stop)
{
    const cc_cfg *g = e->cfg;
    unsigned header = p.first;
    lane_code c = {.e = e, .one = one_lane(e), .part = p, .stores = stores(e, p)};
    cc_value mask = cc_arrived(e, header);
    LLVMBuildStore(e->b, LLVMConstNull(cc_mask_type(e)), cc_home_mask(e, header));
    find_inputs(&c);
    find_ways_out(&c);
    e->mask = mask;
    cc_lane_loop each = p.in_a_row ? cc_lane_runs_begin(e) : cc_lane_loop_begin(e);
    c.lane = each.lane;
    c.next = cc_new_block(e, "next.lane");
    c.block = cc_alloc((g->n + 1) * sizeof *c.block);
    for (unsigned at = header; at < g->n; at++)
        if (contains(e, p, at))
            c.block[at] = cc_new_block(e, "one");
    read_inputs(&c);
    LLVMBuildBr(e->b, c.block[header]);
    for (unsigned at = header; at < g->n; at++)
        if (c.block[at])
            node_of_one(&c, at);
    LLVMPositionBuilderAtEnd(e->b, c.next);
    cc_lane_loop_end(e, each);
    e->mask = NULL;
    e->epoch++;
    for (unsigned k = 0; k < c.nout; k++)
        arrive(&c, &c.out[k], mask, stop);
}

void cc_scalar_loop(cc_vec *e, int loop, unsigned stop)
{
    run_by_lane(e, (part){loop, e->cfg->loop[loop].header, false}, stop);
}

void cc_scalar_node(cc_vec *e, unsigned node, unsigned stop)
{
    unsigned from = e->cfg->node[node].pred[0];
    cc_value condition = LLVMGetCondition(e->cfg->node[from].terminator);
    run_by_lane(e, (part){-1, node, cc_holds_in_a_row(e, condition)}, stop);
}
