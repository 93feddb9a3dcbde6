/* The state machine. A kernel's suspension points cut it into regions. Values
   that are live across a point are saved in the vector's context before it and read
   back after it, or computed again if that is cheap; a value saved already stays. How a
   value differs from lane to lane decides how it is saved: once for the vector if
   uniform, its base if affine, lane by lane if varying. What is a few steps from values
   that are saved once is computed again of those, and they are saved for it: lanes read
   back are anywhere, and accesses to them gathers and scatters. Where lanes of a vector
   may wait in different states, everything is saved lane by lane. */
#include "hostcc/split/split.h"
#include "hostcc/ir/clone.h"
#include "hostcc/ir/addresses.h"

#include <stdlib.h>

typedef struct {
    cc_unit *unit;
    cc_value function;
    cc_suspension_points points;
    cc_cfg *cfg;
    cc_uniformity_info *uniformity;
    unsigned words;        /* of a bit set of values */
    uint64_t **live_in;    /* by node: values live at its start */
    uint64_t **wanted;     /* by node: values of which others are computed again there;
                              NULL: none */
    uint64_t *live_across; /* values live at some resume block */
    uint64_t **recomputed; /* by point: values computed again after it */
    uint64_t **unsaved;    /* by node: values that may be newer at its end than in the
                            context: computed since the last point */
    cc_map *origin;        /* load of a slot -> value */
    cc_value *slot;   /* by value: its stack slot while the function is rewritten */
    unsigned *offset; /* by value: in the context */
    unsigned used;    /* bytes of context */
    bool in_rows;     /* threads differ along rows alone */
    bool together;    /* all threads of a block pass the points in the same order */
    cc_uniformity_info *of_block; /* what is the same in a block */
} split;

static bool has(const uint64_t *set, unsigned k)
{
    return set[k / 64] >> (k % 64) & 1;
}

static void put(uint64_t *set, unsigned k)
{
    set[k / 64] |= 1ull << (k % 64);
}

/* Returns whether that made `set` larger. */
static bool add_all(const split *s, uint64_t *set, const uint64_t *more)
{
    uint64_t added = 0;
    for (unsigned w = 0; w < s->words; w++) {
        added |= more[w] & ~set[w];
        set[w] |= more[w];
    }
    return added != 0;
}

/* -- Which values cross a point -- */

static void add_use(const split *s, uint64_t *set, cc_value v)
{
    int k = cc_map_get(s->uniformity->numbers, v);
    if (k >= 0)
        put(set, (unsigned)k);
}

/* Backwards from the end of a node: the values that are live into it. */
static bool update_live_in(split *s, unsigned at, uint64_t *set)
{
    const cc_node *node = &s->cfg->node[at];
    memset(set, 0, s->words * 8);
    for (unsigned k = 0; k < node->nsucc; k++) {
        add_all(s, set, s->live_in[node->succ[k]]);
        CC_EACH_INST(phi, s->cfg->node[node->succ[k]].ref) {
            if (!LLVMIsAPHINode(phi))
                break;
            for (unsigned j = 0; j < LLVMCountIncoming(phi); j++)
                if (LLVMGetIncomingBlock(phi, j) == node->ref)
                    add_use(s, set, LLVMGetIncomingValue(phi, j));
        }
    }
    for (cc_value i = LLVMGetLastInstruction(node->ref); i;
         i = LLVMGetPreviousInstruction(i)) {
        int k = cc_map_get(s->uniformity->numbers, i);
        if (k >= 0)
            set[k / 64] &= ~(1ull << (k % 64));
        for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(i) && !LLVMIsAPHINode(i);
             j++)
            add_use(s, set, LLVMGetOperand(i, j));
    }
    if (s->wanted[at])
        add_all(s, set, s->wanted[at]);
    bool changed = memcmp(set, s->live_in[at], s->words * 8);
    memcpy(s->live_in[at], set, s->words * 8);
    return changed;
}

static void update_all_live_in(split *s)
{
    uint64_t *set = cc_alloc(s->words * 8);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = s->cfg->n; i-- > 0;)
            changed |= update_live_in(s, i, set);
    }
}

static void find_live_in(split *s)
{
    s->words = s->uniformity->count / 64 + 1;
    s->live_in = cc_alloc((s->cfg->n + 1) * sizeof *s->live_in);
    s->wanted = cc_alloc((s->cfg->n + 1) * sizeof *s->wanted);
    for (unsigned i = 0; i < s->cfg->n; i++)
        s->live_in[i] = cc_alloc(s->words * 8);
    update_all_live_in(s);
}

static void find_live_across(split *s)
{
    s->live_across = cc_alloc(s->words * 8);
    for (unsigned k = 1; k < s->points.n; k++) {
        unsigned at = cc_cfg_node(s->cfg, s->points.point[k].resume);
        add_all(s, s->live_across, s->live_in[at]);
    }
}

/* The form in which value k is saved in the context. */
static cc_uniformity kept_uniformity(const split *s, unsigned k)
{
    cc_uniformity kept = s->uniformity->of[k];
    if (s->points.diverged || kept.kind != CC_AFFINE || kept.inexact)
        kept.kind = CC_VARYING;
    return kept;
}

/* -- Values that are the same in the whole block -- */

/* Whether no thread passes a suspension point, or ends, on a way that others do not
   take. */
static bool pass_together(const split *s, const cc_cfg *g)
{
    for (unsigned p = 1; p < s->points.n; p++)
        if (g->node[cc_cfg_node(g, s->points.point[p].before)].divergent)
            return false;
    for (unsigned i = 0; i < g->n; i++)
        if (LLVMIsAReturnInst(g->node[i].terminator) && g->node[i].divergent)
            return false;
    return true;
}

/* Values are compared of threads that have come to the same point: those that have not
   gone round a loop as often are elsewhere, unless all pass the points in one order. */
static void compare_in_block(split *s)
{
    cc_uniformity_rules rules = s->uniformity->rules;
    cc_cfg *g = cc_cfg_build(s->function);
    rules.of_block = true;
    s->of_block = cc_uniformity_infer(g, rules);
    s->together = !s->points.diverged && !s->unit->options->checks &&
                  s->unit->options->level > 0 && pass_together(s, g);
}

static bool is_same_in_block(const split *s, unsigned k)
{
    cc_value v = s->uniformity->value[k];
    return s->together && cc_uniform(kept_uniformity(s, k)) &&
           cc_uniform(cc_uniformity_of(s->of_block, v));
}

/* -- Rematerialization: values cheap enough to compute again -- */

static unsigned operands(cc_value v)
{
    return LLVMIsACallInst(v) ? cc_nargs(v) : (unsigned)LLVMGetNumOperands(v);
}

/* Whether v is to be saved at the point anyway. */
static bool is_saved(const split *s, unsigned point, cc_value v)
{
    int k = cc_map_get(s->uniformity->numbers, v);
    unsigned at = cc_cfg_node(s->cfg, s->points.point[point].resume);
    return k >= 0 && has(s->live_in[at], (unsigned)k) &&
           !has(s->recomputed[point], (unsigned)k);
}

/* Counts the instructions that computing v again after the point takes. */
static unsigned recompute_cost(const split *s, unsigned point, cc_value v,
                               unsigned limit)
{
    if (!LLVMIsAInstruction(v))
        return 0;
    if (!cc_is_pure(v))
        return is_saved(s, point, v) ? 0 : limit + 1;
    unsigned cost = 1, n = operands(v);
    for (unsigned k = 0; k < n && cost <= limit; k++) {
        cc_value x = LLVMGetOperand(v, k);
        cost += is_saved(s, point, x) ? 0 : recompute_cost(s, point, x, limit);
    }
    return cost;
}

#define CHEAP 10
#define CONDITION 40
#define FEW 6 /* steps from what is saved once to what would be saved lane by lane */

/* Adds to the set the values saved once for a vector of which v is made. Returns the
   number of steps, more than `limit` if that is too far. */
static unsigned steps_from_scalars(const split *s, cc_value v, uint64_t *set,
                                   unsigned limit)
{
    int k = cc_map_get(s->uniformity->numbers, v);
    if (k < 0)
        return 0;
    if (kept_uniformity(s, (unsigned)k).kind == CC_AFFINE) {
        put(set, (unsigned)k);
        return 0;
    }
    unsigned steps = cc_is_pure(v) ? 1 : limit + 1, n = operands(v);
    for (unsigned j = 0; j < n && steps <= limit; j++)
        steps += steps_from_scalars(s, LLVMGetOperand(v, j), set, limit - steps);
    return steps;
}

/* Not numbers with a fraction: next to what they are added to they might be rounded
   otherwise. */
static bool is_saved_by_lanes(const split *s, unsigned k)
{
    LLVMTypeKind t = cc_kind(LLVMTypeOf(s->uniformity->value[k]));
    return kept_uniformity(s, k).kind != CC_AFFINE &&
           (t == LLVMIntegerTypeKind || t == LLVMPointerTypeKind);
}

static void recompute_from_scalars(split *s)
{
    uint64_t *set = cc_alloc(s->words * 8);
    bool any = false;
    for (unsigned p = 1; p < s->points.n && !s->points.diverged; p++) {
        unsigned at = cc_cfg_node(s->cfg, s->points.point[p].resume);
        for (unsigned k = 0; k < s->uniformity->count; k++) {
            if (!has(s->live_in[at], k) || !is_saved_by_lanes(s, k))
                continue;
            memset(set, 0, s->words * 8);
            if (steps_from_scalars(s, s->uniformity->value[k], set, FEW) > FEW)
                continue;
            if (!s->wanted[at])
                s->wanted[at] = cc_alloc(s->words * 8);
            any |= add_all(s, s->wanted[at], set);
            put(s->recomputed[p], k);
        }
    }
    if (any)
        update_all_live_in(s);
}

/* Whether v is made of what is saved once. Code of a row's interior does not ask for
   such a condition (back/row_interior.c); to save it for that costs each vector a
   store, a load and a test. */
static bool is_row_condition(const split *s, unsigned point, cc_value v)
{
    unsigned n = operands(v);
    for (unsigned j = 0; j < n; j++) {
        cc_value x = LLVMGetOperand(v, j);
        int k = cc_map_get(s->uniformity->numbers, x);
        if (!LLVMIsAInstruction(x))
            continue;
        if (is_saved(s, point, x) ? kept_uniformity(s, (unsigned)k).kind != CC_AFFINE
                                  : !cc_is_pure(x) || !is_row_condition(s, point, x))
            return false;
    }
    return true;
}

/* Values come after their operands, so whether those are saved is settled by then. */
static void recompute_cheap(split *s)
{
    for (unsigned p = 1; p < s->points.n; p++)
        for (unsigned k = 0; k < s->uniformity->count; k++) {
            cc_value v = s->uniformity->value[k];
            if (!cc_is_pure(v) || !is_saved(s, p, v))
                continue;
            bool condition = s->in_rows && cc_is_int(LLVMTypeOf(v), 1);
            unsigned limit = condition ? CONDITION : CHEAP,
                     cost = recompute_cost(s, p, v, limit);
            if (cost <= CHEAP || (cost <= limit && is_row_condition(s, p, v)))
                put(s->recomputed[p], k);
        }
}

static void choose_recomputed(split *s)
{
    s->recomputed = cc_alloc(s->points.n * sizeof *s->recomputed);
    for (unsigned p = 1; p < s->points.n; p++)
        s->recomputed[p] = cc_alloc(s->words * 8);
    recompute_from_scalars(s);
    recompute_cheap(s);
}

static void find_unsaved(split *s)
{
    const cc_cfg *g = s->cfg;
    bool *resumes = cc_alloc(g->n + 1);
    s->unsaved = cc_alloc((g->n + 1) * sizeof *s->unsaved);
    for (unsigned i = 0; i < g->n; i++) {
        s->unsaved[i] = cc_alloc(s->words * 8);
        CC_EACH_INST(v, g->node[i].ref)
            add_use(s, s->unsaved[i], v);
    }
    for (unsigned p = 1; p < s->points.n; p++) {
        unsigned at = cc_cfg_node(g, s->points.point[p].resume);
        resumes[at] = true;
        add_all(s, s->unsaved[at], s->recomputed[p]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < g->n; i++)
            for (unsigned k = 0; k < g->node[i].npred && !resumes[i]; k++)
                changed |= add_all(s, s->unsaved[i], s->unsaved[g->node[i].pred[k]]);
    }
}

/* The value once more, at b, of values that are there already. Operands are loads of
   slots by now: look behind them. */
static cc_value recompute(split *s, cc_builder b, unsigned point, cc_value v)
{
    unsigned n = operands(v), at = cc_cfg_node(s->cfg, s->points.point[point].resume);
    cc_value *operand = cc_alloc((n + 1) * sizeof *operand),
             copy = LLVMInstructionClone(v);
    for (unsigned j = 0; j < n; j++) {
        cc_value x = LLVMGetOperand(v, j);
        int k = cc_map_get(s->origin, x);
        x = k < 0 ? x : s->uniformity->value[k];
        k = cc_map_get(s->uniformity->numbers, x);
        operand[j] = k < 0 ? x
                     : has(s->live_in[at], (unsigned)k)
                         ? LLVMBuildLoad2(b, LLVMTypeOf(x), s->slot[k], "")
                         : recompute(s, b, point, x);
    }
    for (unsigned j = 0; j < n; j++)
        LLVMSetOperand(copy, j, operand[j]);
    LLVMInsertIntoBuilder(b, copy);
    return copy;
}

/* -- Saving and reading back -- */

static cc_value context_address(split *s, cc_builder b, unsigned k, bool of_block)
{
    cc_unit *u = s->unit;
    unsigned size =
        cc_sizeof(u, cc_stored(s->unit, LLVMTypeOf(s->uniformity->value[k])));
    bool each = kept_uniformity(s, k).kind == CC_VARYING;
    unsigned bytes = each ? size * s->uniformity->rules.width : size;
    if (!s->offset[k]) {
        unsigned align = each ? 64 : 8;
        s->used = (s->used + align - 1) / align * align;
        s->offset[k] = s->used + 1;
        s->used += bytes;
    }
    cc_value args[] = {cc_int(u->i32, s->offset[k] - 1),
                       cc_int(u->i32, each ? size : 0), cc_int(u->i32, bytes),
                       cc_int(u->i1, of_block)};
    return cc_call_function(s->unit, b, CC_FN_SLOT, u->ptr, args);
}

/* stride * lane, in the value's own type or in bytes. */
static cc_value lane_offset(split *s, cc_builder b, cc_type t, int64_t stride)
{
    cc_unit *u = s->unit;
    cc_value lane = cc_call_function(s->unit, b, CC_FN_OWN_LANE, u->i32, NULL);
    cc_type number = cc_kind(t) == LLVMPointerTypeKind ? u->i64 : t;
    lane = LLVMGetIntTypeWidth(number) < 32
               ? LLVMBuildTrunc(b, lane, number, "")
               : LLVMBuildZExtOrBitCast(b, lane, number, "");
    return LLVMBuildMul(b, lane, cc_int(number, (uint64_t)stride), "");
}

static cc_value shifted(split *s, cc_builder b, cc_value v, int64_t stride)
{
    cc_type t = LLVMTypeOf(v);
    cc_value by = lane_offset(s, b, t, stride);
    if (cc_kind(t) == LLVMPointerTypeKind)
        return LLVMBuildGEP2(b, s->unit->i8, v, &by, 1, "");
    return LLVMBuildAdd(b, v, by, "");
}

static void save(split *s, cc_builder b, unsigned k)
{
    cc_type t = LLVMTypeOf(s->uniformity->value[k]);
    cc_value v = LLVMBuildLoad2(b, t, s->slot[k], "");
    cc_uniformity kept = kept_uniformity(s, k);
    if (kept.kind == CC_AFFINE && kept.stride)
        v = shifted(s, b, v, -kept.stride);
    if (cc_stored(s->unit, t) != t)
        v = LLVMBuildZExt(b, v, cc_stored(s->unit, t), "");
    LLVMBuildStore(b, v, context_address(s, b, k, false));
}

static void read_back(split *s, cc_builder b, unsigned k)
{
    cc_type t = LLVMTypeOf(s->uniformity->value[k]);
    cc_value from = context_address(s, b, k, is_same_in_block(s, k)),
             v = LLVMBuildLoad2(b, cc_stored(s->unit, t), from, "");
    cc_uniformity kept = kept_uniformity(s, k);
    if (cc_stored(s->unit, t) != t)
        v = LLVMBuildTrunc(b, v, t, "");
    if (kept.kind == CC_AFFINE && kept.stride)
        v = shifted(s, b, v, kept.stride);
    LLVMBuildStore(b, v, s->slot[k]);
}

/* Cuts the edge of a point: save, return the state; read back in the resume block. */
static void cut(split *s, unsigned number)
{
    const cc_suspension_point *p = &s->points.point[number];
    const uint64_t *there = s->live_in[cc_cfg_node(s->cfg, p->resume)],
                   *recomputed = s->recomputed[number],
                   *unsaved = s->unsaved[cc_cfg_node(s->cfg, p->before)];
    cc_unit *u = s->unit;
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    cc_value end = LLVMGetBasicBlockTerminator(p->before);

    LLVMPositionBuilderBefore(b, end);
    for (unsigned k = 0; k < s->uniformity->count; k++)
        if (has(there, k) && !has(recomputed, k) && has(unsaved, k))
            save(s, b, k);
    LLVMBuildRet(b, cc_int(u->i32, number));
    LLVMInstructionEraseFromParent(end);

    cc_value first = LLVMGetFirstInstruction(p->resume);
    LLVMPositionBuilderBefore(b, first);
    for (unsigned k = 0; k < s->uniformity->count; k++)
        if (has(there, k) && !has(recomputed, k))
            read_back(s, b, k);
    for (unsigned k = 0; k < s->uniformity->count; k++)
        if (has(recomputed, k))
            LLVMBuildStore(b, recompute(s, b, number, s->uniformity->value[k]),
                           s->slot[k]);
}

/* -- Values in stack slots while control flow changes -- */

static void replace_use(split *s, cc_builder b, cc_value user, unsigned k)
{
    cc_value v = s->uniformity->value[k];
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(user); j++) {
        if (LLVMGetOperand(user, j) != v)
            continue;
        cc_value at = user;
        if (LLVMIsAPHINode(user))
            at = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, j));
        LLVMPositionBuilderBefore(b, at);
        cc_value load = LLVMBuildLoad2(b, LLVMTypeOf(v), s->slot[k], "");
        cc_map_put(s->origin, load, k);
        LLVMSetOperand(user, j, load);
    }
}

/* Each crossing value gets a stack slot, written at its definition, read at uses. */
static void move_to_slots(split *s)
{
    cc_builder b = LLVMCreateBuilderInContext(s->unit->context);
    cc_block entry = LLVMGetEntryBasicBlock(s->function);
    s->slot = cc_alloc((s->uniformity->count + 1) * sizeof *s->slot);
    s->origin = cc_map_new();
    for (unsigned k = 0; k < s->uniformity->count; k++) {
        if (!has(s->live_across, k))
            continue;
        cc_value v = s->uniformity->value[k];
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
        s->slot[k] = LLVMBuildAlloca(b, LLVMTypeOf(v), "crossing");
        for (LLVMUseRef use; (use = LLVMGetFirstUse(v));)
            replace_use(s, b, LLVMGetUser(use), k);
        cc_value after = LLVMGetNextInstruction(v);
        while (LLVMIsAPHINode(after))
            after = LLVMGetNextInstruction(after);
        LLVMPositionBuilderBefore(b, after);
        LLVMBuildStore(b, v, s->slot[k]);
    }
}

/* -- One function a state -- */

/* The cut kernel's blocks go to a function that is deleted with them. */
static void drop_body(cc_unit *u, cc_value function)
{
    cc_value scrap = LLVMAddFunction(u->module, "", LLVMGlobalGetValueType(function));
    for (cc_block b; (b = LLVMGetFirstBasicBlock(function));) {
        LLVMRemoveBasicBlockFromParent(b);
        LLVMAppendExistingBasicBlock(scrap, b);
    }
    LLVMDeleteFunction(scrap);
    LLVMSetComdat(function, NULL); /* a declaration has none */
}

static void split_layout(cc_unit *u, cc_kernel *k, cc_value function, unsigned layout)
{
    cc_uniformity_rules rules = {k->width, layout == 1};
    split s = {.unit = u, .function = function};
    s.points = cc_suspension_points_find(u, function, rules);
    s.used = cc_place_local_arrays(u, k, function, s.points.n > 1);
    if (s.points.n > 1) {
        cc_join_conditions(u, function, rules);
        s.in_rows = layout == 0 && !cc_reads_rows(function);
        s.cfg = cc_cfg_build(function);
        s.uniformity = cc_uniformity_infer(s.cfg, rules);
        s.offset = cc_alloc((s.uniformity->count + 1) * sizeof *s.offset);
        compare_in_block(&s);
        find_live_in(&s);
        choose_recomputed(&s);
        find_live_across(&s);
        find_unsaved(&s);
        move_to_slots(&s);
        for (unsigned p = 1; p < s.points.n; p++)
            cut(&s, p);
    }
    cc_layout *l = &k->layout[layout];
    l->context_bytes = (s.used + 7) & ~7u;
    l->nstates = s.points.n;
    l->together = s.together;
    l->states = cc_alloc(s.points.n * sizeof *l->states);
    l->region = cc_alloc(s.points.n * sizeof *l->region);
    for (unsigned p = 0; p < s.points.n; p++) {
        l->states[p].kind = s.points.point[p].kind;
        l->states[p].op = s.points.point[p].op;
        l->states[p].place = s.points.point[p].place;
        l->states[p].waited = s.points.point[p].waited;
        l->region[p] = cc_copy_region(u, &s.points, function, p);
        if (p)
            cc_leave_unchanged_values(l->region[p]);
    }
    drop_body(u, function);
}

static bool needs_warps(cc_value function)
{
    CC_EACH_INST_OF(i, function) {
        cc_function_id f = cc_function_of(i);
        if (cc_functions[f].state == HC_WARP || f == CC_FN_LANE ||
            f == CC_FN_ACTIVEMASK)
            return true;
        /* Written before __syncwarp, code with volatile shared memory counts on warps
         * in step. */
        if (cc_is_access(i) && LLVMGetVolatile(i) && cc_is_shared(cc_pointer_of(i)))
            return true;
    }
    return false;
}

/* Where registers have 256 bits, two of them: what a vector costs beside its
   arithmetic, such as branches, addresses and tests of masks, is the same for 8 lanes,
   and blocks have rows of 16 threads. With four, there are too few registers. */
static unsigned lanes_of(const cc_unit *u, const cc_kernel *k, cc_value function)
{
    if (k->warps)
        return HC_LANES;
    if (k->width) /* grid_loops.c has chosen it */
        return k->width;
    bool two = u->vector_bits == 256 || cc_strides_over_threads(function);
    return cc_lanes_in(u, two ? 2 : 1);
}

/* A kernel that needs real warps is cut twice: blocks whose rows are not whole warps
   need vectors that run across rows. Few launches do: where kernels may be compiled
   later, that layout waits for one of them. */
void cc_regions(cc_unit *u)
{
    bool rows = u->options->layout != CC_LINEAR,
         linear = u->options->layout != CC_ROWS && !u->bitcode;
    for (unsigned k = 0; k < u->nkernels; k++) {
        cc_kernel *kernel = &u->kernels[k];
        cc_value function = kernel->function, copy = NULL;
        if (u->options->checks & HC_CHECK_RACE)
            cc_mark_signs(u, function);
        kernel->warps = needs_warps(function);
        kernel->width = lanes_of(u, kernel, function);
        if (kernel->warps && rows && linear)
            copy = cc_copy_from(u, LLVMGetEntryBasicBlock(function),
                                cc_format("%s.linear", kernel->name), NULL);
        split_layout(u, kernel, function, !rows);
        if (copy) {
            split_layout(u, kernel, copy, 1);
            LLVMDeleteFunction(copy);
        }
    }
    /* mem2reg: slots of odd integers, which sroa takes for arrays of bytes. */
    cc_passes(u, "function(mem2reg,sroa,early-cse,simplifycfg,"
                 "instcombine<no-verify-fixpoint>,simplifycfg,adce,sink)");
    cc_canonical(u);
    if (u->options->checks & HC_CHECK_RACE)
        return; /* what a barrier orders is seen by when it is */
    for (unsigned k = 0; k < u->nkernels; k++)
        cc_fuse_barriers(u, &u->kernels[k].layout[0]);
}
