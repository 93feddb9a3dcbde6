/* See thread_stacks.h. A thread starts, and goes on, when the scheduler (blocks.c) lets
   it; it comes back when it waits or ends, by the jumps that also lead out of failures.

   A worker keeps its stacks from block to block. What a block leaves on them when it
   fails is forgotten: threads of the next one start afresh. */
#include <stdlib.h>
#include <sys/mman.h>

#include "kernel_launch.h"
#include "migration.h"
#include "thread_stacks.h"
#include "warps.h"
#include "workers.h"

/* CUDA's limit of local memory, and room for services that print. */
#define STACK_BYTES ((512u + 64) << 10)
/* Stacks of the process that end at a page which faults: each is two mappings of the
   65,530 that Linux allows. Those of further workers end at the next stack. */
#define GUARDED_MOST 8192
/* A loop that may wait for another thread lets others run after so many turns. */
#define TURNS 32

/* Nothing is concluded from what such a function does: others run before it returns. */
#if defined __has_attribute && __has_attribute(noipa)
#define APART __attribute__((noinline, noipa))
#else
#define APART __attribute__((noinline))
#endif

typedef struct {
    hd_jump back; /* to where it waits */
    bool started;
    uint32_t state; /* that it waits in; HC_EXITED */
    uint32_t group; /* lanes that were let go on with it */
    uint32_t turns;
} own_stack;

struct hd_stacks {
    hd_scratch memory;
    uint32_t count;
    uint32_t guarded;  /* of them */
    hd_jump scheduler; /* from whatever thread runs */
    const hc_launch *launch;
    hc_entry *entry;    /* of the kernel */
    own_stack *current; /* in each: the thread that runs */
    own_stack each[];
};

static hd_stacks *stacks_of_this_thread(void)
{
    return hd_self->worker->stacks;
}

/* -- Memory ------------------------------------------------------------------------ */

static _Atomic uint32_t guarded_now; /* by all workers */

static void *map_region(size_t size, int protection)
{
    void *map = mmap(NULL, size, protection,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return map == MAP_FAILED ? NULL : map;
}

/* NULL also where the process has no mappings left. */
static char *map_guarded(uint32_t count, size_t each)
{
    char *map = map_region(count * each, PROT_NONE);

    for (uint32_t i = 0; map && i < count; i++) {
        if (mprotect(map + i * each + hd.page, each - hd.page,
                     PROT_READ | PROT_WRITE) == 0)
            continue;
        munmap(map, count * each);
        map = NULL;
    }
    return map;
}

static bool map_stacks(hd_stacks *stacks, uint32_t count)
{
    size_t each = STACK_BYTES + hd.page;
    char *map = NULL;

    if (atomic_fetch_add(&guarded_now, count) + count <= GUARDED_MOST)
        map = map_guarded(count, each);
    stacks->guarded = map ? count : 0;
    atomic_fetch_sub(&guarded_now, count - stacks->guarded);
    if (!map)
        map = map_region(count * each, PROT_READ | PROT_WRITE);
    stacks->memory = (hd_scratch){.map = map, .map_size = count * each};
    stacks->count = count;
    return map;
}

static void free_stacks(hd_stacks *stacks)
{
    if (stacks && stacks->memory.map) {
        munmap(stacks->memory.map, stacks->memory.map_size);
        atomic_fetch_sub(&guarded_now, stacks->guarded);
    }
    free(stacks);
}

/* Stacks for all threads of a block. None of them runs. */
static hd_stacks *reserve(hd_worker *worker, uint32_t count)
{
    hd_stacks *stacks = worker->stacks;

    if (stacks && stacks->count >= count)
        return stacks;
    free_stacks(stacks);
    worker->stacks = stacks = calloc(1, sizeof *stacks + count * sizeof *stacks->each);
    if (!stacks || !map_stacks(stacks, count)) {
        free_stacks(stacks);
        worker->stacks = NULL;
        hd_worker_abort_unlocked(worker, CUDA_ERROR_OUT_OF_MEMORY,
                                 "no memory for the stacks of %u threads", count);
    }
    return stacks;
}

/* -- From stack to stack ----------------------------------------------------------- */

static void __attribute__((noreturn)) APART leave(hd_stacks *stacks)
{
    HD_JUMP_TO(stacks->scheduler);
}

static void __attribute__((noreturn)) APART go_on(own_stack *thread)
{
    HD_JUMP_TO(thread->back);
}

static void run_thread(hd_worker *worker)
{
    worker->stacks->entry(worker->stacks->launch->params);
    worker->stacks->current->state = HC_EXITED;
    leave(worker->stacks);
}

static void APART enter(hd_worker *worker, hd_stacks *stacks)
{
    own_stack *thread = stacks->current;
    size_t above = (size_t)(thread - stacks->each) + 1;

    if (HD_JUMP_SET(stacks->scheduler) != 0)
        return;
    if (thread->started)
        go_on(thread);
    thread->started = true;
    hd_call_on_unlocked(stacks->memory.map + above * (STACK_BYTES + hd.page),
                        run_thread, worker);
}

/* Returns when the scheduler lets the thread go on. */
static void APART yield_to_scheduler(hd_stacks *stacks)
{
    atomic_signal_fence(memory_order_seq_cst);
    if (HD_JUMP_SET(stacks->current->back) == 0)
        leave(stacks);
    atomic_signal_fence(memory_order_seq_cst);
}

static uint32_t number_of(const hd_stacks *stacks)
{
    return (uint32_t)(stacks->current - stacks->each);
}

/* Until it waits or ends. */
static void let_run(hd_stacks *stacks, const hc_launch *launch, hc_frame *frame,
                    uint32_t number, hc_thread *record)
{
    const hd_launch *work = (const hd_launch *)hd_self->worker->work;
    const uint32_t *block = launch->block;

    *record = (hc_thread){.launch = launch,
                          .frame = frame,
                          .index = {number % block[0], number / block[0] % block[1],
                                    number / block[0] / block[1]},
                          .number = number,
                          .shared_bytes =
                              work->kernel->shared_bytes + launch->dynamic_shared};
    stacks->current = &stacks->each[number];
    /* The compiler sees calls that return, and none that do something meanwhile. */
    atomic_signal_fence(memory_order_seq_cst);
    enter(hd_self->worker, stacks); /* returns when the thread waits or ends */
    atomic_signal_fence(memory_order_seq_cst);
}

/* -- For the scheduler ------------------------------------------------------------- */

uint32_t hd_threads_resume_unlocked(const hc_launch *launch, hc_frame *frame,
                                    uint32_t vector, uint32_t lanes, hc_entry *entry,
                                    hc_thread *record)
{
    const uint32_t *block = launch->block;
    hd_worker *worker = frame->worker;
    hd_stacks *stacks = worker->stacks;
    uint32_t common = HC_EXITED;

    if (entry) {
        stacks = reserve(worker, block[0] * block[1] * block[2]);
        stacks->entry = entry;
        stacks->launch = launch;
    }
    HD_LANES_IN(lanes, lane)
    {
        uint32_t number = vector * HC_LANES + lane;
        if (entry)
            stacks->each[number] = (own_stack){.state = HC_EXITED};
        stacks->each[number].group = lanes;
        let_run(stacks, launch, frame, number, record);
        uint32_t state = stacks->each[number].state;
        frame->lane_state[number] = state;
        if (state == HC_EXITED) {
            frame->alive[vector] &= ~(UINT32_C(1) << lane);
            frame->whole = 0;
        } else {
            common = common == HC_EXITED || common == state ? state : HC_MIXED;
        }
    }
    return common;
}

uint32_t hd_threads_pass_unlocked(const hc_launch *launch, hc_frame *frame,
                                  hc_entry *entry, hc_thread *record)
{
    const hd_worker *worker = frame->worker;
    uint32_t common = HC_EXITED;

    for (uint32_t v = 0; v < worker->vectors; v++) {
        if (frame->alive[v] == 0)
            continue;
        uint32_t state = hd_threads_resume_unlocked(launch, frame, v, frame->alive[v],
                                                    entry, record);
        frame->vector_state[v] = state;
        if (state != HC_EXITED)
            common = common == HC_EXITED || common == state ? state : HC_MIXED;
    }
    return common;
}

/* -- For threads ------------------------------------------------------------------- */

uint64_t hd_threads_wait_unlocked(hc_frame *frame, uint32_t state, uint64_t value,
                                  uint32_t mask, uint32_t argument)
{
    hd_stacks *stacks = stacks_of_this_thread();
    const hd_launch *work = (const hd_launch *)hd_self->worker->work;
    uint32_t kind = work->kernel->states[work->layout][state].kind;
    uint32_t number = number_of(stacks), lane = number % HC_LANES;
    hc_exchange *exchange =
        frame->exchange ? &frame->exchange[number / HC_LANES] : NULL;
    own_stack *thread = stacks->current;

    if (kind == HC_WARP) {
        exchange->value[lane] = value;
        exchange->mask[lane] = mask;
        exchange->argument[lane] = argument;
    } else if (kind > HC_BARRIER && kind <= HC_BARRIER_OR) {
        exchange->flag[lane] = value != 0;
    }
    thread->state = state;
    yield_to_scheduler(stacks);
    return kind == HC_WARP       ? exchange->result[lane]
           : kind == HC_LOCKSTEP ? thread->group
                                 : frame->barrier_value;
}

void hd_threads_turn_unlocked(hc_frame *frame, uint32_t state)
{
    if (++stacks_of_this_thread()->current->turns % TURNS == 0)
        hd_threads_wait_unlocked(frame, state, 0, 0, 0);
}
