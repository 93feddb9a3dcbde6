/* Runs the blocks of a launch in one thread.

   A kernel without suspension points is one call for a range of blocks. One with them
   is a table of states (abi/image.h): while all living lanes of the block reach the
   same state, `run_together` goes from pass to pass, which is the fast way. When they
   part, `run_apart` takes groups of lanes of one vector forward until all wait in one
   state again. Lanes that have exited are never run again and never waited for.

   Blocks of a kernel that strides over the grid (a state of kind HC_LOCKSTEP) run
   several at a time: neighbouring blocks read neighbouring memory, so all do a few
   iterations before any goes on. */
#include <sched.h>

#include "block_order.h"
#include "blocks.h"
#include "checks.h"
#include "coverage.h"
#include "frames.h"
#include "idle.h"
#include "race_reports.h"
#include "samples.h"
#include "standing.h"
#include "sync_checks.h"
#include "thread_pool.h"
#include "warps.h"

/* Passes in a row in which every lane only spins, before other threads are let in. */
#define SPINS 32

typedef struct {
    const hc_launch *launch;
    const hc_state *states;
    hc_frame *frame;
    hd_worker *worker;
    uint32_t vectors;
    bool synced;   /* the kernel checks sync */
    bool shuffled; /* the vectors run in the order of `seed` */
    uint64_t seed;
    uint32_t state; /* that all living lanes wait in */
    unsigned spins;
    uint64_t stood; /* hd_standing_number at the barrier of the grid */
    unsigned stood_turns;
} block_run;

static hd_launch *launch_of(const block_run *run)
{
    return (hd_launch *)run->worker->work;
}

/* -- What happens to all lanes of a block or a vector ------------------------------ */

/* What was done before is over for all threads of the block. */
static void pass_barrier(hc_frame *frame)
{
    if (frame->races)
        hd_races_barrier(frame->races);
}

/* Nobody has written this block's shared memory. */
static void begin_block(const hc_launch *launch, hc_frame *frame,
                        const hc_kernel *kernel, uint64_t block)
{
    size_t bytes = kernel->shared_bytes + launch->dynamic_shared;

    if (frame->races)
        hd_races_begin(frame->races, (uint32_t)block);
    if (frame->written)
        memset(frame->written, 0, bytes);
}

/* -- All lanes together ------------------------------------------------------------ */

/* Whether another turn ends no wait; after one in which the block has only spun. */
static void check_stand(block_run *run, uint32_t state)
{
    hd_launch *launch = launch_of(run);
    uint32_t ended = launch->cooperative
                         ? atomic_load_explicit(&launch->ended, memory_order_acquire)
                         : 0;
    bool idle = false;

    if (ended > 0 && hd_standing_at_grid(launch, run->frame, run->vectors, state)) {
        /* Blocks that have ended will not come. They may have ended behind this very
           barrier; then all have come, which the next turn sees. */
        uint64_t now =
            hd_standing_number(launch, run->frame, run->vectors, state, &idle);
        if (idle && run->stood == now && ++run->stood_turns == 2)
            hd_sync_end_unlocked(run->worker, state, CUX_FAULT_BARRIER,
                                 CUDA_ERROR_LAUNCH_TIMEOUT,
                                 "grid barrier reached by only part of the blocks");
        run->stood_turns = run->stood == now ? run->stood_turns : 0;
        run->stood = now;
    }
    if (run->worker->aside && hd_idle_is_asked()) {
        uint64_t now =
            hd_standing_number(launch, run->frame, run->vectors, state, &idle);
        if (hd_idle_note_unlocked(run->worker, now, idle))
            hd_sync_end_unlocked(run->worker, state, CUX_FAULT_DEADLOCK,
                                 CUDA_ERROR_LAUNCH_TIMEOUT,
                                 "waits for memory that nothing is left to write");
    }
}

/* Every lane that runs only spins: after some rounds, let the others work. All living
   lanes are in the state, or in those of frame->lane_state. */
static void spin(block_run *run, uint32_t state)
{
    if (++run->spins < SPINS)
        return;
    hd_worker_check_unlocked(run->worker);
    check_stand(run, state);
    if (!run->worker->aside)
        hd_pool_step_aside_unlocked(run->worker);
    sched_yield();
}

static void moved_on(block_run *run)
{
    run->spins = 0;
    if (run->worker->aside)
        hd_pool_step_back_unlocked(run->worker);
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

/* Performs the warp function for lanes that have met. */
static void operate(block_run *run, uint32_t vector, const hc_state *state,
                    uint32_t lanes)
{
    if (run->synced)
        hd_sync_check_group_unlocked(run->worker, vector, state, lanes);
    hd_warp_operate(&run->frame->exchange[vector], state->op, lanes);
    if (run->frame->races && (state->op & HC_WARP_OP) == HC_SYNC)
        hd_races_sync_warp(run->frame->races, vector * HC_LANES, lanes,
                           run->frame->exchange[vector].mask);
}

/* All living lanes of the block wait in one warp function. Does it where each vector is
   one group, or several that name none of each other; else false, with nothing done. */
static bool warps_together(block_run *run, const hc_state *state)
{
    for (uint32_t v = 0; v < run->vectors; v++) {
        const hc_exchange *exchange = &run->frame->exchange[v];
        uint32_t alive = run->frame->alive[v];
        for (uint32_t left = alive, group; left != 0; left &= ~group) {
            group = hd_warp_alike(exchange, left);
            if ((exchange->mask[__builtin_ctz(left)] & alive & ~group) != 0)
                return false;
        }
    }
    for (uint32_t v = 0; v < run->vectors; v++) {
        for (uint32_t left = run->frame->alive[v], group; left != 0; left &= ~group) {
            group = hd_warp_alike(&run->frame->exchange[v], left);
            operate(run, v, state, group);
        }
    }
    return true;
}

/* -- Lanes apart ------------------------------------------------------------------- */

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

/* Runs the lanes, which may wait in several states. */
static void resume(block_run *run, uint32_t vector, uint32_t lanes)
{
    while (lanes != 0) {
        const uint32_t *states = lane_states(run, vector);
        uint32_t state = states[__builtin_ctz(lanes)];
        uint32_t group = lanes_in_state(states, lanes, state);
        const hc_state *s = &run->states[state];
        lanes &= ~group;
        s->resume(run->launch, run->frame, vector, group, s->masked);
    }
}

/* The lanes that meet `lane` in its warp function; 0 while one of them has yet to come.
 */
static uint32_t warp_group(const block_run *run, uint32_t vector, uint32_t lane)
{
    const uint32_t *states = lane_states(run, vector);
    const hc_exchange *exchange = &run->frame->exchange[vector];
    uint32_t alive = run->frame->alive[vector];
    uint32_t mask = exchange->mask[lane], met = 0;
    uint32_t op = run->states[states[lane]].op & HC_WARP_OP;

    HD_LANES_IN(alive, other)
    {
        if (run->states[states[other]].kind == HC_WARP &&
            exchange->mask[other] == mask &&
            (run->states[states[other]].op & HC_WARP_OP) == op)
            met |= UINT32_C(1) << other;
    }
    return (mask & alive & ~met) == 0 ? met : 0;
}

/* What lanes have done, each more than those before. Turns in step alone are no
   progress: a loop that waits may take some, too. */
typedef enum { STOOD, WENT_IN_STEP, MET } progress;

/* Takes the vector as far as it gets without the others; lanes that spin are run once,
   and only reported. */
static progress advance_vector(block_run *run, uint32_t vector, bool *spun)
{
    progress most = STOOD;
    bool again = true;
    uint32_t spinning = 0;

    while (again) {
        const uint32_t *states = lane_states(run, vector);
        uint32_t left = run->frame->alive[vector];
        again = false;
        spinning = 0;
        while (left != 0) {
            uint32_t lane = (uint32_t)__builtin_ctz(left),
                     group = lanes_in_state(states, left, states[lane]);
            const hc_state *s = &run->states[states[lane]];
            if (s->kind == HC_WARP) {
                group = warp_group(run, vector, lane);
                if (group != 0)
                    operate(run, vector, s, group);
            } else if (s->kind == HC_YIELD) {
                spinning |= group;
            }
            if (s->kind == HC_LOCKSTEP || (s->kind == HC_WARP && group != 0)) {
                resume(run, vector, group);
                again = true;
                most = s->kind == HC_WARP || most == MET ? MET : WENT_IN_STEP;
            }
            left &= ~(group | UINT32_C(1) << lane);
        }
    }
    if (spinning != 0) {
        resume(run, vector, spinning);
        *spun = true;
    }
    return most;
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

/* Deadlock: no lane can go on without another that waits as well. */
static void report_deadlock(const block_run *run) __attribute__((noreturn));
static void report_deadlock(const block_run *run)
{
    const char *name = NULL;
    char why[80] = "barrier reached by only part of the block's threads";

    for (uint32_t v = 0; v < run->vectors; v++) {
        HD_LANES_IN(run->frame->alive[v], lane)
        {
            const hc_state *s = &run->states[lane_states(run, v)[lane]];
            if (s->kind == HC_WARP && !name)
                name = hd_warp_name(s->op);
        }
    }
    if (name)
        snprintf(why, sizeof why, "%s waits for lanes that never arrive", name);
    hd_sync_end_unlocked(run->worker, HC_MIXED,
                         name ? CUX_FAULT_MASK : CUX_FAULT_BARRIER,
                         CUDA_ERROR_LAUNCH_FAILED, why);
}

/* After a pass whose vectors diverged: removes those that have exited. Returns the
   common state of the others, HC_EXITED or HC_MIXED. */
static uint32_t drop_exited(block_run *run)
{
    hc_frame *frame = run->frame;
    uint32_t common = HC_EXITED;

    for (uint32_t v = 0; v < run->vectors; v++) {
        uint32_t state = frame->vector_state[v];
        if (frame->alive[v] != 0 && state == HC_EXITED)
            frame->alive[v] = frame->whole = 0;
        if (frame->alive[v] != 0)
            common = common == HC_EXITED || common == state ? state : HC_MIXED;
    }
    return common;
}

/* The vector whose turn is the i-th. */
static uint32_t vector_at(const block_run *run, uint32_t i)
{
    return run->shuffled ? (uint32_t)hd_order_at(run->seed, i, run->vectors) : i;
}

/* A pass in another order than that of the vectors. */
static uint32_t pass_shuffled(block_run *run)
{
    const hc_state *s = &run->states[run->state];

    for (uint32_t i = 0; i < run->vectors; i++) {
        uint32_t v = vector_at(run, i), alive = run->frame->alive[v];
        if (alive != 0)
            run->frame->vector_state[v] =
                s->resume(run->launch, run->frame, v, alive, s->masked);
    }
    return HC_MIXED;
}

/* Runs lanes in groups until all wait in one state again, which it returns, or
   HC_EXITED. They are in state `now`: the vectors' own ones where that is HC_MIXED. */
static uint32_t run_apart(block_run *run, uint32_t now)
{
    uint32_t common = HC_MIXED;

    for (uint32_t v = 0; v < run->vectors; v++) {
        uint32_t state = now == HC_MIXED ? run->frame->vector_state[v] : now;
        for (uint32_t lane = 0; state != HC_MIXED && lane < HC_LANES; lane++)
            lane_states(run, v)[lane] = state;
    }
    while (common == HC_MIXED) {
        progress most = STOOD;
        bool spun = false;
        for (uint32_t i = 0; i < run->vectors; i++) {
            progress one = advance_vector(run, vector_at(run, i), &spun);
            most = one > most ? one : most;
        }
        common = common_state(run);
        if (most == MET)
            moved_on(run);
        else if (spun)
            spin(run, HC_MIXED);
        else if (most == STOOD && common == HC_MIXED)
            report_deadlock(run);
    }
    return common;
}

/* One pass from the state in which all living lanes are, to the next. */
static void step_block(block_run *run)
{
    const hc_state *s = &run->states[run->state];
    uint32_t state = run->shuffled ? pass_shuffled(run)
                                   : s->pass(run->launch, run->frame, s->masked);

    if (state == HC_MIXED)
        state = drop_exited(run);
    if (state == HC_MIXED)
        state = run_apart(run, HC_MIXED);
    run->state = state;
    s = &run->states[state];
    if (s->kind == HC_WARP && !warps_together(run, s)) {
        for (uint32_t v = 0; v < run->vectors && run->synced; v++)
            hd_sync_check_masks_unlocked(run->worker, v, s, run->frame->alive[v]);
        run->state = run_apart(run, state);
    }
    if (run->state == HC_EXITED)
        return;
    uint32_t kind = run->states[run->state].kind;
    if (kind == HC_YIELD)
        spin(run, run->state);
    else if (kind != HC_LOCKSTEP)
        moved_on(run);
    if (kind == HC_BARRIER_COUNT || kind == HC_BARRIER_AND || kind == HC_BARRIER_OR)
        fold_barrier(run, kind);
    if (kind >= HC_BARRIER && kind <= HC_BARRIER_OR)
        pass_barrier(run->frame);
}

/* -- Blocks ------------------------------------------------------------------------ */

static void start_block(block_run *run, uint64_t block)
{
    const uint32_t *grid = run->launch->grid;
    hc_frame *frame = run->frame;

    frame->index[0] = (uint32_t)(block % grid[0]);
    frame->index[1] = (uint32_t)(block / grid[0] % grid[1]);
    frame->index[2] = (uint32_t)(block / grid[0] / grid[1]);
    memcpy(frame->alive, run->worker->alive, run->vectors * sizeof *frame->alive);
    frame->whole = run->worker->whole;
    run->state = 0;
    begin_block(run->launch, frame, launch_of(run)->kernel, block);
}

/* Runs the blocks to their ends, step by step of their loops over the grid. Returns the
   number of steps. */
static uint32_t run_in_step(block_run *runs, uint32_t n)
{
    uint32_t turns = 0;

    for (uint32_t left = n; left > 0; turns++) {
        left = 0;
        for (uint32_t i = 0; i < n; i++) {
            block_run *run = &runs[i];
            if (!run->states)
                continue; /* has ended */
            run->worker->frame = run->frame;
            do
                step_block(run);
            while (run->state != HC_EXITED &&
                   run->states[run->state].kind != HC_LOCKSTEP);
            if (run->state == HC_EXITED) {
                moved_on(run);
                run->states = NULL;
            }
            left += run->state != HC_EXITED;
        }
    }
    return turns;
}

/* The block that runs as the piece of that number. */
static uint64_t block_at(const hd_launch *launch, uint64_t piece)
{
    return launch->shuffled ? hd_order_at(launch->seed, piece, launch->work.pieces)
                            : piece;
}

/* Blocks of a kernel without suspension points. */
static void run_straight(hd_launch *launch, hd_worker *worker, uint64_t first,
                         uint64_t last)
{
    const hc_kernel *kernel = launch->kernel;
    hc_run *run = kernel->run[launch->layout];
    bool apart = launch->shuffled || worker->frame->races || worker->frame->written;

    for (; apart && first < last; first++) {
        uint64_t block = block_at(launch, first);
        worker->piece = first;
        begin_block(&launch->launch, worker->frame, kernel, block);
        run(&launch->launch, worker->frame, block, block + 1);
    }
    if (first < last)
        run(&launch->launch, worker->frame, first, last);
}

/* Written when it changes: all workers read that line for each block. */
static void note_turns(hd_function *function, uint32_t turns)
{
    if (function->kernel->streamed &&
        atomic_load_explicit(&function->turns, memory_order_relaxed) != turns)
        atomic_store_explicit(&function->turns, turns, memory_order_relaxed);
}

/* Of one with them. Its records take much of the stack, so it is a call of its own. */
__attribute__((noinline)) static void run_states(hd_launch *launch, hd_worker *worker,
                                                 uint64_t first, uint64_t last)
{
    const hc_kernel *kernel = launch->kernel;
    block_run runs[HD_STEP_BLOCKS];

    while (first < last) {
        uint32_t n = 0;
        if (atomic_load_explicit(&launch->work.cancelled, memory_order_relaxed))
            return;
        worker->piece = first;
        for (; n < worker->nframes && first < last; n++, first++) {
            runs[n] = (block_run){.launch = &launch->launch,
                                  .states = kernel->states[launch->layout],
                                  .frame = &worker->frames[n],
                                  .worker = worker,
                                  .vectors = worker->vectors,
                                  .synced = (kernel->checks & HC_CHECK_SYNC) != 0,
                                  .shuffled = launch->shuffled,
                                  .seed = launch->seed};
            start_block(&runs[n], block_at(launch, first));
        }
        uint32_t turns = run_in_step(runs, n);
        note_turns(launch->function, turns);
        if (launch->cooperative)
            atomic_fetch_add_explicit(&launch->ended, n, memory_order_release);
    }
}

/* Streaming stores are seen by everybody before the end of their blocks is. */
static void wait_for_streams(void)
{
#ifdef __x86_64__
    __builtin_ia32_sfence();
#else
    atomic_thread_fence(memory_order_release);
#endif
}

void hd_blocks_run(hd_work *work, hd_worker *worker, uint64_t first, uint64_t last)
{
    hd_launch *launch = (hd_launch *)work;
    const hc_kernel *kernel = launch->kernel;

    if (kernel->checks)
        hd_checks_begin_unlocked(launch);
    if (worker->prepared != work->serial) {
        hd_frames_prepare_unlocked(worker, launch);
        if (launch->function->module->coverage) {
            hd_coverage_prepare_unlocked(worker, launch);
            hd_samples_prepare_unlocked();
        }
    }
    if (kernel->nstates[launch->layout] == 0)
        run_straight(launch, worker, first, last);
    else
        run_states(launch, worker, first, last);
    if (kernel->streamed)
        wait_for_streams();
}
