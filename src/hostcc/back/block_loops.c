/* The functions that run a block: hc_run, hc_pass and hc_resume of src/abi/image.h, by
   loops over its vectors (vector_loops.c) around the vector functions that vectorize.c
   made. Loop variables are stack slots; LLVM turns them into registers and hoists loop
   invariants. */
#include "hostcc/back/loop_builder.h"
#include "hostcc/ir/clone.h"
#include "hostcc/split/split.h"
#include "hostcc/vector/vector.h"

#include <stddef.h>

#define SHORT 24 /* instructions of a region whose vectors are unrolled */

/* Whether a vector function asks which vector it runs. */
static bool asks_for_number(cc_value function)
{
    return LLVMGetFirstUse(LLVMGetParam(function, CC_VECTOR));
}

static cc_value call(emitter *m, cc_value function, cc_value x0, cc_value y, cc_value z,
                     cc_value mask)
{
    bool numbered = !LLVMIsAFunction(function) || asks_for_number(function);
    cc_value number = numbered ? get(m, m->vector) : LLVMGetPoison(m->unit->i32);
    cc_value args[CC_NPARAMS] = {m->launch,   m->frame, m->index[0], m->index[1],
                                 m->index[2], x0,       y,           z,
                                 number,      mask};
    cc_value called =
        LLVMBuildCall2(m->b, cc_vector_type(m->unit), function, args, CC_NPARAMS, "");
    if (LLVMIsAFunction(function))
        LLVMSetInstructionCallConv(called, LLVMGetFunctionCallConv(function));
    return called;
}

static emitter begin(cc_unit *u, const cc_kernel *k, bool linear, const char *name,
                     cc_type t)
{
    emitter m = {.unit = u, .width = k->width, .linear = linear};
    m.function = LLVMAddFunction(u->module, name, t);
    LLVMSetLinkage(m.function, LLVMInternalLinkage);
    cc_target_attributes(u, m.function);
    cc_readable_param(u, m.function, 1, sizeof(hc_launch));
    cc_readable_param(u, m.function, 2, sizeof(hc_frame));
    m.launch = LLVMGetParam(m.function, 0);
    m.frame = LLVMGetParam(m.function, 1);
    cc_block entry = new_block(&m, "entry"), start = new_block(&m, "start");
    m.b = LLVMCreateBuilderInContext(u->context);
    m.entry = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(m.entry, entry);
    LLVMPositionBuilderBefore(m.entry, LLVMBuildBr(m.entry, start));
    LLVMPositionBuilderAtEnd(m.b, start);
    for (unsigned d = 0; d < 3; d++)
        m.block_dim[d] = cc_block_dimension(u, m.b, m.launch, d);
    m.vector = slot(&m, u->i32, cc_int(u->i32, 0));
    return m;
}

static void run_vector(emitter *m, void *data, cc_value x0, cc_value y, cc_value z,
                       cc_value lanes)
{
    (void)data;
    cc_value all = LLVMConstAllOnes(m->unit->i32),
             state =
                 call(m, lanes ? m->masked : m->full, x0, y, z, lanes ? lanes : all);
    if (m->reached)
        LLVMBuildStore(m->b, state, m->reached);
    if (m->next)
        call(m, m->next, x0, y, z, all);
}

static cc_value make_run(cc_unit *u, const cc_kernel *k, bool linear, cc_value full,
                         cc_value masked, const cc_row_guard *guard)
{
    cc_type params[] = {u->ptr, u->ptr, u->i64, u->i64};
    emitter m = begin(u, k, linear, cc_format("%s.run.%d", k->name, linear),
                      LLVMFunctionType(u->none, params, 4, 0));
    m.full = full;
    m.masked = masked;
    m.guard = guard;
    cc_value first = LLVMGetParam(m.function, 2), last = LLVMGetParam(m.function, 3),
             grid[2], at[3];
    for (unsigned d = 0; d < 2; d++) {
        grid[d] = load32(&m, m.launch, offsetof(hc_launch, grid) + 4 * d);
        grid[d] = LLVMBuildZExt(m.b, grid[d], u->i64, "");
    }
    cc_value plane = LLVMBuildUDiv(m.b, first, grid[0], "");
    at[0] = LLVMBuildURem(m.b, first, grid[0], "");
    at[1] = LLVMBuildURem(m.b, plane, grid[1], "");
    at[2] = LLVMBuildUDiv(m.b, plane, grid[1], "");
    for (unsigned d = 0; d < 3; d++)
        at[d] = slot(&m, u->i64, at[d]);
    cc_value number = slot(&m, u->i64, first);
    loop blocks = loop_begin(&m, number, last, 1, 1);
    for (unsigned d = 0; d < 3; d++) {
        m.index[d] = LLVMBuildTrunc(m.b, get(&m, at[d]), u->i32, "");
        LLVMBuildStore(m.b, m.index[d],
                       frame_field(&m, offsetof(hc_frame, index) + 4 * d));
    }
    cc_each_vector(&m, run_vector, NULL);
    /* The next block: x counts up, then y, then z. */
    cc_value carry = cc_int(u->i64, 1), zero = cc_int(u->i64, 0);
    for (unsigned d = 0; d < 3; d++) {
        cc_value next = LLVMBuildAdd(m.b, get(&m, at[d]), carry, "");
        if (d < 2) {
            cc_value wraps = LLVMBuildICmp(m.b, LLVMIntEQ, next, grid[d], "");
            next = LLVMBuildSelect(m.b, wraps, zero, next, "");
            carry = LLVMBuildZExt(m.b, wraps, u->i64, "");
        }
        LLVMBuildStore(m.b, next, at[d]);
    }
    loop_end(&m, &blocks);
    LLVMBuildRetVoid(m.b);
    return m.function;
}

/* Slots: the bits of the states that some vector has reached, and that all have. */
typedef struct {
    cc_value any, all;
} reached;

/* One vector of a pass: run its living lanes, note where they are. */
static void pass_vector(emitter *m, void *data, cc_value x0, cc_value y, cc_value z,
                        cc_value lanes)
{
    cc_unit *u = m->unit;
    const reached *r = data;
    cc_value v = LLVMBuildZExt(m->b, get(m, m->vector), u->i64, ""), from[2];
    cc_block some = new_block(m, "some"), part = new_block(m, "part"),
             whole = new_block(m, "whole"), join = new_block(m, "ran"),
             next = new_block(m, "next");
    cc_value alive = pointer_field(m, offsetof(hc_frame, alive));
    alive = LLVMBuildInBoundsGEP2(m->b, u->i32, alive, &v, 1, "");
    cc_value mask = LLVMBuildLoad2(m->b, u->i32, alive, "");
    cc_value all = cc_int(u->i32, m->width == 32 ? ~0u : (1u << m->width) - 1);
    bool full = m->full && !lanes;
    cc_value is_whole =
        full ? LLVMBuildICmp(m->b, LLVMIntEQ, mask, all, "") : cc_int(u->i1, 0);
    LLVMBuildCondBr(m->b, is_whole, whole, some);
    LLVMPositionBuilderAtEnd(m->b, whole);
    if (full)
        cc_read_block_values(m, get(m, m->vector));
    from[0] = full ? call(m, m->full, x0, y, z, all) : all;
    LLVMBuildBr(m->b, join);
    LLVMPositionBuilderAtEnd(m->b, some);
    LLVMBuildCondBr(m->b, LLVMBuildICmp(m->b, LLVMIntEQ, mask, cc_int(u->i32, 0), ""),
                    next, part);
    LLVMPositionBuilderAtEnd(m->b, part);
    from[1] = call(m, m->masked, x0, y, z, mask);
    LLVMBuildBr(m->b, join);
    LLVMPositionBuilderAtEnd(m->b, join);
    cc_value state = LLVMBuildPhi(m->b, u->i32, "");
    LLVMAddIncoming(state, from, (cc_block[]){whole, part}, 2);
    cc_value states = pointer_field(m, offsetof(hc_frame, vector_state));
    LLVMBuildStore(m->b, state, LLVMBuildInBoundsGEP2(m->b, u->i32, states, &v, 1, ""));
    LLVMBuildStore(m->b, LLVMBuildOr(m->b, get(m, r->any), state, ""), r->any);
    LLVMBuildStore(m->b, LLVMBuildAnd(m->b, get(m, r->all), state, ""), r->all);
    LLVMBuildBr(m->b, next);
    LLVMPositionBuilderAtEnd(m->b, next);
}

static void load_index(emitter *m)
{
    for (unsigned d = 0; d < 3; d++)
        m->index[d] = load32(m, m->frame, offsetof(hc_frame, index) + 4 * d);
}

static cc_block begin_passes(emitter *m)
{
    cc_block start = new_block(m, "again");
    LLVMBuildBr(m->b, start);
    LLVMPositionBuilderAtEnd(m->b, start);
    return start;
}

/* Returns the state, unless it is `again` and a pass is to follow. */
static void end_passes(emitter *m, cc_block start, cc_value state, unsigned again)
{
    cc_block end = start ? new_block(m, "passed") : NULL;
    if (start) {
        cc_value same =
            LLVMBuildICmp(m->b, LLVMIntEQ, state, cc_int(m->unit->i32, again), "");
        LLVMBuildCondBr(m->b, same, start, end);
        LLVMPositionBuilderAtEnd(m->b, end);
    }
    LLVMBuildRet(m->b, state);
}

/* A pass over vectors of which some lanes may be gone. While all that are left wait in
   the state `again`, one pass follows another; 0: once. */
static void pass_any(emitter *m, unsigned again)
{
    cc_type i32 = m->unit->i32;
    cc_block start = again ? begin_passes(m) : NULL;
    reached r = {slot(m, i32, cc_int(i32, 0)), slot(m, i32, cc_int(i32, ~0u))};
    cc_each_vector(m, pass_vector, &r);
    cc_value any = get(m, r.any),
             same = LLVMBuildICmp(m->b, LLVMIntEQ, any, get(m, r.all), "");
    cc_value state = LLVMBuildSelect(m->b, same, any, cc_int(i32, HC_MIXED), "");
    end_passes(m, start, state, again);
}

/* Whether the state is a barrier at which the region behind it may end, too: a loop
   with one barrier, which needs nobody to say that all have arrived. Checks are told of
   each. */
static bool is_loop(const cc_unit *u, const cc_layout *l, unsigned state)
{
    return l->states[state].kind == HC_BARRIER && !u->options->checks &&
           cc_may_return(l->region[state], state);
}

/* One hc_pass for all states of a kernel that runs masked code only: the state is an
   argument. */
static cc_value make_pass_masked(cc_unit *u, const cc_kernel *k, bool linear)
{
    cc_type params[] = {u->ptr, u->ptr, u->ptr};
    emitter m = begin(u, k, linear, cc_format("%s.pass.%d.masked", k->name, linear),
                      LLVMFunctionType(u->i32, params, 3, 0));
    cc_attribute(u, m.function, "noinline");
    m.masked = LLVMGetParam(m.function, 2);
    load_index(&m);
    pass_any(&m, 0);
    return m.function;
}

/* While the whole block is alive and all go the same way, there is nothing to keep
   account of. Where that leads is the `result`, or, if that is HC_MIXED, what each
   vector returns; while it is `again`, one pass follows another, as in pass_any. */
static void pass_whole(emitter *m, uint32_t result, unsigned again)
{
    cc_type i32 = m->unit->i32;
    cc_value zero = cc_int(i32, 0),
             whole = LLVMBuildLoad2(m->b, i32,
                                    frame_field(m, offsetof(hc_frame, whole)), "");
    cc_block fast = new_block(m, "fast"), slow = new_block(m, "slow");
    whole = LLVMBuildICmp(m->b, LLVMIntNE, whole, cc_int(i32, 0), "");
    if (m->next) {
        cc_value rows = LLVMBuildMul(m->b, m->block_dim[1], m->block_dim[2], "");
        rows = LLVMBuildICmp(m->b, LLVMIntEQ, rows, cc_int(i32, 1), "");
        whole = LLVMBuildAnd(m->b, whole, rows, "");
    }
    LLVMBuildCondBr(m->b, whole, fast, slow);
    LLVMPositionBuilderAtEnd(m->b, fast);
    load_index(m);
    m->whole = true;
    if (result == HC_MIXED)
        m->reached = slot(m, i32, zero);
    cc_block start = again ? begin_passes(m) : NULL;
    cc_read_block_values(m, zero);
    if (m->next)
        cc_each_in_row(m, m->block_dim[0], zero, zero, run_vector, NULL);
    else if (m->columns)
        cc_each_column(m, run_vector, NULL);
    else
        cc_each_vector(m, run_vector, NULL);
    end_passes(m, start, m->reached ? get(m, m->reached) : cc_int(i32, result), again);
    LLVMPositionBuilderAtEnd(m->b, slow);
}

/* Whether the code of a vector is so short that to count vectors takes as long. */
static bool is_short(cc_value region)
{
    unsigned n = 0;
    CC_EACH_INST_OF(i, region)
        n++;
    return LLVMCountBasicBlocks(region) <= 4 && n <= SHORT;
}

#define CODES 2     /* of a kernel, at most */
#define MOST_FULL 6 /* states that all have full code, too */
#define MOST_MET 3  /* ... if lanes come there from where they waited for others */

/* Blocks that are no longer whole make do with masked code where possible: one copy of
   the full code is enough. */
static cc_value make_pass(cc_unit *u, const cc_kernel *k, bool linear, unsigned state,
                          const cc_value *full, const cc_row_sides *sides,
                          const cc_row_interior *interiors, cc_value pass_masked,
                          const cc_block_code codes[CODES])
{
    const cc_layout *l = &k->layout[linear];
    unsigned next = l->states[state].next;
    uint32_t result = cc_only_result(l->region[next ? next : state]);
    if (!full[state] || l->states[state].fused)
        return pass_masked;
    emitter m = begin(u, k, linear, cc_format("%s.pass.%d.%u", k->name, linear, state),
                      LLVMGlobalGetValueType(pass_masked));
    m.full = full[state];
    m.region = l->region[state];
    m.next = next ? full[next] : NULL;
    m.masked = l->masked[state];
    m.columns = !linear && cc_reads_rows(l->region[state]);
    for (unsigned c = 0; c < CODES && !linear; c++)
        if (codes[c].function && codes[c].first == state)
            cc_try_block_code(&m, &codes[c]);
    unsigned again = is_loop(u, l, state) ? state : 0;
    if (!cc_goes_together(l, state, full)) {
        load_index(&m);
        pass_any(&m, again);
        return m.function;
    }
    m.down = l->states[state].down;
    m.unrolled = is_short(l->region[state]) && (!next || is_short(l->region[next]));
    if (sides && sides[state].end) {
        m.sides = &sides[state];
        m.sides_of_next = &sides[next];
    } else if (interiors && interiors[state].full && !m.down) {
        m.interior = &interiors[state];
    }
    pass_whole(&m, result, again);
    cc_value args[] = {m.launch, m.frame, m.masked};
    LLVMBuildRet(m.b, LLVMBuildCall2(m.b, LLVMGlobalGetValueType(pass_masked),
                                     pass_masked, args, 3, ""));
    return m.function;
}

/* The same for all states. */
static cc_value make_resume(cc_unit *u, const cc_kernel *k, bool linear)
{
    cc_type params[] = {u->ptr, u->ptr, u->i32, u->i32, u->ptr};
    emitter m = begin(u, k, linear, cc_format("%s.resume.%d", k->name, linear),
                      LLVMFunctionType(u->i32, params, 5, 0));
    cc_value masked = LLVMGetParam(m.function, 4);
    cc_value number = LLVMGetParam(m.function, 2), zero = cc_int(u->i32, 0);
    load_index(&m);
    LLVMBuildStore(m.b, number, m.vector);
    cc_value y = zero, z = zero;
    cc_value x0 = LLVMBuildMul(m.b, number, cc_int(u->i32, k->width), "");
    if (!linear) {
        cc_value up =
            LLVMBuildAdd(m.b, m.block_dim[0], cc_int(u->i32, k->width - 1), "");
        cc_value chunks = LLVMBuildUDiv(m.b, up, cc_int(u->i32, k->width), "");
        cc_value row = LLVMBuildUDiv(m.b, number, chunks, "");
        x0 = LLVMBuildMul(m.b, LLVMBuildURem(m.b, number, chunks, ""),
                          cc_int(u->i32, k->width), "");
        y = LLVMBuildURem(m.b, row, m.block_dim[1], "");
        z = LLVMBuildUDiv(m.b, row, m.block_dim[1], "");
    }
    LLVMBuildRet(m.b, call(&m, masked, x0, y, z, LLVMGetParam(m.function, 3)));
    return m.function;
}

/* Whether masked code is enough for a state of a kernel with many. Each goes on for as
   long as lanes are together, up to the kernel's end, so all code is in each. Where
   warps span rows and shuffle often, they seldom are; nor are lanes that had to wait
   for others. */
static bool is_brief(const cc_layout *l, bool linear, unsigned state)
{
    return linear ? l->nstates > MOST_FULL
                  : l->nstates > MOST_MET && l->states[state].waited;
}

/* One of n regions. Which arrays are alike is asked last, of what is vectorized. */
static void prepare(cc_unit *u, cc_value region, unsigned n, cc_uniformity_rules rules)
{
    cc_split_returns(u, region);
    if (n > 1 && cc_reads_rows(region))
        cc_ask_uniform_part_first(u, region, rules);
    cc_branch_to_loads(u, region, rules);
    if (n == 1)
        cc_share_alike_arrays(u, region, rules);
}

static void make_kernel(cc_unit *u, cc_kernel *k)
{
    for (unsigned l = 0; l < 2; l++) {
        cc_layout *layout = &k->layout[l];
        unsigned n = layout->nstates;
        if (!n)
            continue;
        cc_value *full = cc_alloc(n * sizeof(cc_value)), pass_masked = NULL;
        cc_block_code codes[CODES] = {{.threads = k->width}};
        layout->masked = cc_alloc(n * sizeof(cc_value));
        layout->pass = cc_alloc(n * sizeof(cc_value));
        cc_row_guard guard, *guarded = NULL;
        for (unsigned s = 0; s < n; s++) {
            cc_uniformity_rules rules = {.width = k->width, .linear = l == 1};
            cc_value region = layout->region[s], masked = NULL;
            prepare(u, region, n, rules);
            if (n == 1 && l == 0 && cc_find_row_guard(u, k, region, &guard))
                masked = cc_vectorize(u, k, l, s, true, rules);
            if (masked && !asks_for_number(masked)) {
                guarded = &guard;
                /* Seldom called: rows in front of the end keep their registers. */
                LLVMSetFunctionCallConv(masked, LLVMPreserveMostCallConv);
                LLVMReplaceAllUsesWith(guard.test, guard.wanted);
                LLVMInstructionEraseFromParent(guard.test);
                rules.counter = guard.first;
                rules.counter_is_signed = guard.is_signed;
            }
            full[s] = is_brief(layout, l == 1, s)
                          ? NULL
                          : cc_vectorize(u, k, l, s, false, rules);
            unsigned streamed = full[s] ? cc_streamed_bytes(u, full[s]) : 0;
            k->streamed = streamed > k->streamed ? streamed : k->streamed;
            if (n == 1 && !masked)
                masked = cc_code_of_any_lanes(region, rules, full[s]);
            layout->masked[s] = masked ? masked : cc_vectorize(u, k, l, s, true, rules);
        }
        if (n == 1) {
            layout->run = make_run(u, k, l == 1, full[0], layout->masked[0], guarded);
        } else {
            pass_masked = make_pass_masked(u, k, l == 1);
            layout->resume = make_resume(u, k, l == 1);
        }
        const cc_row_sides *sides = l == 0 ? cc_find_row_sides(u, k, full) : NULL;
        const cc_row_interior *inner =
            l == 0 ? cc_find_row_interiors(u, k, full) : NULL;
        if (l == 0 && cc_find_known_block(u, k, full, &codes[1]))
            cc_known_block(u, k, full, &codes[1]);
        if (l == 0 && cc_is_for_lone_vectors(u, k, full))
            codes[0].function = cc_lone_vector(u, k);
        for (unsigned s = 0; s < n && n > 1; s++)
            layout->pass[s] =
                make_pass(u, k, l == 1, s, full, sides, inner, pass_masked, codes);
        cc_chain_passes(u, layout);
        for (unsigned s = 0; s < n; s++)
            LLVMDeleteFunction(layout->region[s]);
    }
}

void cc_block_loops(cc_unit *u)
{
    for (unsigned k = 0; k < u->nkernels; k++)
        make_kernel(u, &u->kernels[k]);
}
