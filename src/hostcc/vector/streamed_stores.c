/* Streaming (non-temporal) stores, past the caches. What a launch writes beyond what
   caches hold leaves them before anybody reads it, but a core reads each line before it
   writes there: a third of the traffic of z = x + y. Stores of whole, aligned vectors
   of consecutive threads can do without. Whether a launch writes so much is guessed
   when it begins (hc_launch.cached_turns), so both stores are there.

   Other cores may see such stores later than what follows them: hostcuda waits for them
   at the end of blocks, and kernels that order memory themselves, or wait for other
   blocks, have none. Of kernels with barriers only what a block does last: what it
   writes before, it may read back. */
#include "hostcc/vector/vector.h"
#include "hostcc/split/split.h"

#include <stddef.h>

#define LINE 64     /* bytes of a line of caches */
#define SMALLEST 32 /* bytes of a vector: two fill a line before it leaves */

static const char note[] = "hostcc.streamed"; /* bytes a thread writes so, in a turn */

/* Whether threads wait at most to keep in step, or have waited in their block before
   they run this region to their end. */
static bool waits_no_more(const cc_vec *e)
{
    bool last = cc_only_result(e->cfg->function) == HC_EXITED;
    for (unsigned s = 1; s < e->layout->nstates; s++) {
        hc_state_kind kind = e->layout->states[s].kind;
        if (kind != HC_LOCKSTEP && !(kind == HC_BARRIER && last))
            return false;
    }
    return true;
}

static bool has_effects(cc_value i)
{
    switch (cc_function_of(i)) {
    case CC_FN_LOCKSTEP:
    case CC_FN_TURNS:
    case CC_FN_SLOT:
    case CC_FN_OWN_LANE:
        return false;
    default:
        return cc_is_access(i) ? cc_is_ordered(i) : cc_may_write(i);
    }
}

/* Whether the kernel does nothing in memory but to load and store. */
static bool only_loads_and_stores(const cc_vec *e)
{
    CC_EACH_INST_OF(i, e->cfg->function) {
        if (has_effects(i))
            return false;
    }
    return true;
}

static bool may_stream(cc_vec *e)
{
    if (!e->streams)
        e->streams = waits_no_more(e) && !e->linear && !e->unit->options->checks &&
                             only_loads_and_stores(e)
                         ? CC_STREAMS
                         : CC_STREAMS_NOTHING;
    return e->streams == CC_STREAMS;
}

/* How often a thread comes to a store in a turn: once, or a few times in a loop that
   strides over the grid. 0: as often as its loop says. */
static unsigned times_a_turn(const cc_vec *e, cc_value store, cc_value turns)
{
    int loop = e->cfg->node[cc_cfg_node(e->cfg, LLVMGetInstructionParent(store))].loop;
    if (loop < 0 || turns)
        return 1;
    cc_value step = cc_step_over_grid(e, store);
    return step ? cc_iterations_ahead(e, step) : 0;
}

cc_block cc_stream_begin(cc_vec *e, cc_value store, unsigned size)
{
    cc_unit *u = e->unit;
    cc_type i32 = u->i32;
    unsigned bytes = e->width * size, times = 0;
    cc_value turns = NULL;
    if (bytes >= SMALLEST && may_stream(e)) {
        turns = cc_turns_over_grid(e, store);
        times = times_a_turn(e, store, turns);
    }
    if (!times)
        return NULL;
    cc_value v = cc_lanes(e, LLVMGetOperand(store, 0)),
             p = cc_scalar(e, cc_pointer_of(store));
    unsigned align = bytes < LINE ? bytes : LINE;
    cc_block past = cc_new_block(e, "past.caches"), through = cc_new_block(e, "cached"),
             done = cc_new_block(e, "stored");
    cc_value most = cc_fixed_load(
        u, e->entry, i32,
        cc_offset(u, e->entry, e->launch, offsetof(hc_launch, cached_turns)), 0);
    cc_builder b = turns ? e->b : e->entry;
    cc_value fits = turns ? LLVMBuildICmp(b, LLVMIntULE, cc_scalar(e, turns), most, "")
                          : LLVMBuildICmp(b, LLVMIntNE, most, cc_int(i32, 0), "");
    cc_value bits = LLVMBuildOr(b, LLVMBuildSExt(b, fits, i32, ""),
                                cc_int(i32, align - 1), ""),
             at = LLVMBuildTrunc(e->b, LLVMBuildPtrToInt(e->b, p, u->i64, ""), i32, "");
    cc_value wrong = LLVMBuildAnd(e->b, at, bits, "");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, wrong, cc_int(i32, 0), ""),
                    past, through);
    LLVMPositionBuilderAtEnd(e->b, past);
    cc_value streams = LLVMBuildStore(e->b, v, p);
    LLVMSetAlignment(streams, align);
    cc_note(u, streams, "nontemporal", 1, i32, (uint64_t[]){1});
    cc_note(u, streams, note, 1, i32, (uint64_t[]){size * times});
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, through);
    return done;
}

void cc_stream_end(cc_vec *e, cc_block done)
{
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

unsigned cc_streamed_bytes(cc_unit *u, cc_value function)
{
    uint64_t most = 0;
    unsigned kind = LLVMGetMDKindIDInContext(u->context, note, sizeof note - 1);
    CC_EACH_INST_OF(i, function) {
        cc_value node = LLVMGetMetadata(i, kind), bytes;
        if (!node)
            continue;
        LLVMGetMDNodeOperands(node, &bytes);
        if (LLVMConstIntGetZExtValue(bytes) > most)
            most = LLVMConstIntGetZExtValue(bytes);
    }
    return (unsigned)most;
}
