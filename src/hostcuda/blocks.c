/* Runs the blocks of a launch in one thread.

   A kernel without suspension points is one call for a range of blocks. One with them
   is a table of states (abi/image.h): while all living lanes of the block reach the
   same state, `run_together` goes from pass to pass, which is the fast way. When they
   part, `run_apart` takes groups of lanes of one vector forward until all wait in one
   state again. Lanes that have exited are never run again and never waited for. */
#include <sched.h>
#include <string.h>

#include "blocks.h"

/* Passes in a row in which every lane only spins, before other threads are let in. */
#define SPINS 32

typedef struct {
    const hc_launch *launch;
    const hc_state *states;
    hc_frame *frame;
    hd_worker *worker;
    uint32_t nstates, vectors;
    unsigned spins;
} block_run;

/* -- Laying out the frame
 * ------------------------------------------------------------------- */

/* Bytes rounded so that the next thing is as aligned as vectors need. */
static size_t rounded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static uint32_t lanes_of(uint32_t threads)
{
    return threads >= 32 ? UINT32_MAX : (UINT32_C(1) << threads) - 1;
}

static bool uses_exchange(const hc_kernel *kernel, unsigned layout)
{
    for (uint32_t i = 0; i < kernel->nstates[layout]; i++) {
        hc_state_kind kind = kernel->states[layout][i].kind;
        if (kind == HC_WARP || kind == HC_BARRIER_COUNT || kind == HC_BARRIER_AND ||
            kind == HC_BARRIER_OR)
            return true;
    }
    return false;
}

/* The lanes that each vector of a block has at its start. */
static void fill_alive(const hd_launch *launch, uint32_t *alive)
{
    const uint32_t *block = launch->launch.block;
    uint32_t width = launch->function->kernel->width;
    uint32_t row = launch->layout == 0 ? block[0] : block[0] * block[1] * block[2];
    uint32_t rows = launch->layout == 0 ? block[1] * block[2] : 1;

    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t x = 0; x < row; x += width)
            *alive++ = lanes_of(row - x < width ? row - x : width);
    }
}

/* Lays the worker's frame out for blocks of this launch. */
static void prepare(hd_worker *worker, const hd_launch *launch)
{
    const hc_kernel *kernel = launch->function->kernel;
    const uint32_t *block = launch->launch.block;
    hc_frame *frame = &worker->frame;
    size_t shared = kernel->shared_bytes + launch->launch.dynamic_shared;
    unsigned layout = launch->layout;

    worker->prepared = 0;
    if (shared > 0) {
        /* At the end of its pages, so that a write past it faults. */
        shared = (shared + HC_SHARED_ALIGN - 1) & ~(size_t)(HC_SHARED_ALIGN - 1);
        hd_scratch_reserve_unlocked(worker, &worker->shared, shared);
        frame->shared = worker->shared.base + worker->shared.size - shared;
    }
    if (kernel->nstates[layout] > 0) {
        uint32_t vectors = layout == 0 ? (block[0] + kernel->width - 1) /
                                             kernel->width * block[1] * block[2]
                                       : (block[0] * block[1] * block[2] + 31) / 32;
        size_t masks = rounded(vectors * sizeof(uint32_t));
        size_t lanes = rounded(vectors * HC_LANES * sizeof(uint32_t));
        size_t exchange =
            uses_exchange(kernel, layout) ? rounded(vectors * sizeof(hc_exchange)) : 0;
        size_t context = rounded((size_t)vectors * kernel->context_bytes);
        hd_scratch_reserve_unlocked(worker, &worker->state,
                                    3 * masks + lanes + exchange + context);
        char *at = worker->state.base;
        worker->vectors = vectors;
        fill_alive(launch, (uint32_t *)at);
        worker->alive = (const uint32_t *)at;
        frame->alive = (uint32_t *)(at += masks);
        frame->vector_state = (uint32_t *)(at += masks);
        frame->lane_state = (uint32_t *)(at += masks);
        frame->exchange = exchange != 0 ? (hc_exchange *)(at + lanes) : NULL;
        frame->context = at + lanes + exchange;
    }
    worker->prepared = launch->work.serial;
}

/* -- All lanes together
 * --------------------------------------------------------------------- */

static void give_up_if_cancelled(const block_run *run)
{
    if (atomic_load_explicit(&run->worker->work->cancelled, memory_order_relaxed))
        hd_worker_abort_unlocked(run->worker, CUDA_ERROR_LAUNCH_FAILED,
                                 "given up because another block failed");
}

/* Every lane that runs only spins: after some rounds, let the others work. */
static void spin(block_run *run)
{
    if (++run->spins < SPINS)
        return;
    give_up_if_cancelled(run);
    sched_yield();
}

/* The value of __syncthreads_count, _and or _or. */
static void fold_barrier(block_run *run, uint32_t kind)
{
    uint32_t count = 0, lanes = 0;

    for (uint32_t v = 0; v < run->vectors; v++) {
        uint32_t alive = run->frame->alive[v];
        lanes += (uint32_t)__builtin_popcount(alive);
        HD_LANES_IN(alive, lane)
        {
            count += run->frame->exchange[v].flag[lane] != 0;
        }
    }
    run->frame->barrier_value = kind == HC_BARRIER_COUNT ? count
                                : kind == HC_BARRIER_AND ? count == lanes
                                                         : count > 0;
}

/* All living lanes of the block wait in one warp function. Does it where each vector is
   one group; false, with nothing done, where masks divide some vector. */
static bool warps_together(block_run *run, uint32_t op)
{
    for (uint32_t v = 0; v < run->vectors; v++) {
        uint32_t alive = run->frame->alive[v];
        const hc_exchange *exchange = &run->frame->exchange[v];
        if (alive == 0)
            continue;
        uint32_t mask = exchange->mask[__builtin_ctz(alive)];
        if ((alive & ~mask) != 0)
            return false;
        HD_LANES_IN(alive, lane)
        {
            if (exchange->mask[lane] != mask)
                return false;
        }
    }
    for (uint32_t v = 0; v < run->vectors; v++) {
        if (run->frame->alive[v] != 0)
            hd_warp_operate(&run->frame->exchange[v], op, run->frame->alive[v]);
    }
    return true;
}

/* -- Lanes apart
 * ---------------------------------------------------------------------------- */

static uint32_t *lane_states(const block_run *run, uint32_t vector)
{
    return run->frame->lane_state + (size_t)vector * HC_LANES;
}

/* The lanes of `among` that wait in the state. */
static uint32_t lanes_in_state(const uint32_t *states, uint32_t among, uint32_t state)
{
    uint32_t found = 0;
    for (uint32_t lane = 0; lane < HC_LANES; lane++)
        found |= (uint32_t)(states[lane] == state) << lane;
    return found & among;
}

static uint32_t kind_of(const block_run *run, uint32_t state)
{
    if (state == 0 || state >= run->nstates)
        hd_worker_abort_unlocked(run->worker, CUDA_ERROR_LAUNCH_FAILED,
                                 "the image is damaged: state %u of %u", state,
                                 run->nstates);
    return run->states[state].kind;
}

/* Runs the lanes, which may wait in several states. */
static void resume(block_run *run, uint32_t vector, uint32_t lanes)
{
    while (lanes != 0) {
        const uint32_t *states = lane_states(run, vector);
        uint32_t state = states[__builtin_ctz(lanes)];
        uint32_t group = lanes_in_state(states, lanes, state);
        lanes &= ~group;
        run->states[state].resume(run->launch, run->frame, vector, group);
    }
}

/* The lanes that meet `lane` in its warp function; 0 while one that it names is still
 * to come. */
static uint32_t warp_group(const block_run *run, uint32_t vector, uint32_t lane)
{
    const uint32_t *states = lane_states(run, vector);
    const hc_exchange *exchange = &run->frame->exchange[vector];
    uint32_t alive = run->frame->alive[vector];
    uint32_t mask = exchange->mask[lane], op = run->states[states[lane]].op, met = 0;

    HD_LANES_IN(alive, other)
    {
        if (kind_of(run, states[other]) == HC_WARP && exchange->mask[other] == mask &&
            run->states[states[other]].op == op)
            met |= UINT32_C(1) << other;
    }
    return (mask & alive & ~met) == 0 ? met : 0;
}

/* Takes the vector as far as it gets without the others. Returns whether it got
   anywhere; lanes that spin are run once, and only reported. */
static bool advance(block_run *run, uint32_t vector, bool *spun)
{
    bool moved = false, again = true;
    uint32_t spinning = 0;

    while (again) {
        const uint32_t *states = lane_states(run, vector);
        uint32_t left = run->frame->alive[vector];
        again = false;
        spinning = 0;
        while (left != 0) {
            uint32_t lane = (uint32_t)__builtin_ctz(left), state = states[lane];
            uint32_t group = lanes_in_state(states, left, state),
                     kind = kind_of(run, state);
            if (kind == HC_WARP) {
                group = warp_group(run, vector, lane);
                if (group != 0)
                    hd_warp_operate(&run->frame->exchange[vector],
                                    run->states[state].op, group);
            } else if (kind == HC_YIELD) {
                spinning |= group;
            }
            if (kind == HC_LOCKSTEP || (kind == HC_WARP && group != 0)) {
                resume(run, vector, group);
                again = true;
            }
            left &= ~(group | UINT32_C(1) << lane);
        }
        moved |= again;
    }
    if (spinning != 0) {
        resume(run, vector, spinning);
        *spun = true;
    }
    return moved;
}

/* The state that all living lanes of the block wait in, HC_EXITED or HC_MIXED. */
static uint32_t common_state(const block_run *run)
{
    uint32_t common = HC_EXITED;

    for (uint32_t v = 0; v < run->vectors; v++) {
        uint32_t alive = run->frame->alive[v];
        if (alive == 0)
            continue;
        const uint32_t *states = lane_states(run, v);
        if (common == HC_EXITED)
            common = states[__builtin_ctz(alive)];
        if (lanes_in_state(states, alive, common) != alive)
            return HC_MIXED;
    }
    return common;
}

/* Nobody can go on: says what they wait for. */
static void report_deadlock(const block_run *run) __attribute__((noreturn));
static void report_deadlock(const block_run *run)
{
    for (uint32_t v = 0; v < run->vectors; v++) {
        HD_LANES_IN(run->frame->alive[v], lane)
        {
            uint32_t state = lane_states(run, v)[lane];
            if (run->states[state].kind == HC_WARP)
                hd_worker_abort_unlocked(run->worker, CUDA_ERROR_LAUNCH_FAILED,
                                         "%s waits for lanes that never arrive",
                                         hd_warp_name(run->states[state].op));
        }
    }
    hd_worker_abort_unlocked(run->worker, CUDA_ERROR_LAUNCH_FAILED,
                             "barrier reached by only part of the block's threads");
}

/* Runs lanes in groups until all wait in one state again, which it returns, or
 * HC_EXITED. */
static uint32_t run_apart(block_run *run)
{
    uint32_t common = HC_MIXED;

    for (uint32_t v = 0; v < run->vectors; v++) {
        uint32_t state = run->frame->vector_state[v];
        for (uint32_t lane = 0; state != HC_MIXED && lane < HC_LANES; lane++)
            lane_states(run, v)[lane] = state;
    }
    while (common == HC_MIXED) {
        bool moved = false, spun = false;
        for (uint32_t v = 0; v < run->vectors; v++)
            moved |= advance(run, v, &spun);
        common = common_state(run);
        if (moved)
            run->spins = 0;
        else if (spun)
            spin(run);
        else if (common == HC_MIXED)
            report_deadlock(run);
    }
    for (uint32_t v = 0; v < run->vectors; v++)
        run->frame->vector_state[v] = common;
    return common;
}

static void run_together(block_run *run)
{
    uint32_t state = 0;

    for (;;) {
        state = run->states[state].pass(run->launch, run->frame);
        if (state == HC_MIXED)
            state = run_apart(run);
        if (state == HC_EXITED)
            return;
        uint32_t kind = kind_of(run, state);
        if (kind == HC_WARP && !warps_together(run, run->states[state].op)) {
            state = run_apart(run);
            if (state == HC_EXITED)
                return;
            kind = kind_of(run, state);
        }
        if (kind == HC_YIELD)
            spin(run);
        else
            run->spins = 0;
        if (kind == HC_BARRIER_COUNT || kind == HC_BARRIER_AND || kind == HC_BARRIER_OR)
            fold_barrier(run, kind);
    }
}

/* -- Blocks
 * --------------------------------------------------------------------------------- */

void hd_blocks_run(hd_work *work, hd_worker *worker, uint64_t first, uint64_t last)
{
    hd_launch *launch = (hd_launch *)work;
    const hc_kernel *kernel = launch->function->kernel;
    const uint32_t *grid = launch->launch.grid;
    hc_frame *frame = &worker->frame;

    if (worker->prepared != work->serial)
        prepare(worker, launch);
    if (kernel->nstates[launch->layout] == 0) {
        kernel->run[launch->layout](&launch->launch, frame, first, last);
        return;
    }
    block_run run = {.launch = &launch->launch,
                     .states = kernel->states[launch->layout],
                     .frame = frame,
                     .worker = worker,
                     .nstates = kernel->nstates[launch->layout],
                     .vectors = worker->vectors};
    for (uint64_t block = first; block < last; block++) {
        if (atomic_load_explicit(&work->cancelled, memory_order_relaxed))
            return;
        frame->index[0] = (uint32_t)(block % grid[0]);
        frame->index[1] = (uint32_t)(block / grid[0] % grid[1]);
        frame->index[2] = (uint32_t)(block / grid[0] / grid[1]);
        memcpy(frame->alive, worker->alive, run.vectors * sizeof *frame->alive);
        memset(frame->vector_state, 0, run.vectors * sizeof *frame->vector_state);
        run.spins = 0;
        run_together(&run);
    }
}
