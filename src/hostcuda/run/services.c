/* The services that generated code calls while it runs a block, in the thread that runs
   it and without the lock. A service that ends the block jumps out through
   hd_worker_abort_unlocked. */
#include <sched.h>
#include <time.h>

#include "checks.h"
#include "device_printf.h"
#include "global_races.h"
#include "race_reports.h"
#include "services.h"
#include "thread_stacks.h"
#include "written_checks.h"

static hd_worker *worker_of(hc_frame *frame)
{
    return frame->worker;
}

/* -- The ends ---------------------------------------------------------------------- */

static void assert_fail(hc_frame *frame, const uint32_t *thread, const char *expression,
                        const char *file, uint32_t line, const char *function)
{
    fprintf(stderr,
            "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, frame->index[0], frame->index[1], frame->index[2],
            thread[0], thread[1], thread[2], expression);
    hd_worker_abort_unlocked(worker_of(frame), CUDA_ERROR_ASSERT,
                             "thread (%u,%u,%u): assertion `%s` failed at %s:%u",
                             thread[0], thread[1], thread[2], expression, file, line);
}

/* Calls end before the address that they return to. */
#define NOTE_CALLER(frame) \
    (worker_of(frame)->instruction = (const char *)__builtin_return_address(0) - 1)

static void trap(hc_frame *frame, const uint32_t *thread)
{
    NOTE_CALLER(frame);
    hd_worker_abort_unlocked(worker_of(frame), CUDA_ERROR_LAUNCH_FAILED,
                             "thread (%u,%u,%u): trap", thread[0], thread[1],
                             thread[2]);
}

/* -- The heap: ordinary allocations under a limit of their own --------------------- */

static void *allocate(hc_frame *frame, uint64_t size)
{
    hd_context *context = hd_worker_context(worker_of(frame));
    hd_allocation *allocation = NULL;
    void *base = NULL;

    if (size == 0)
        return NULL;
    hd_lock();
    size_t limit = context->limits[CU_LIMIT_MALLOC_HEAP_SIZE]; /* perhaps lower now */
    if (context->memory.heap_used <= limit &&
        size <= limit - context->memory.heap_used &&
        hd_memory_create(&context->memory, HD_MEMORY_HEAP, size, 0, &allocation) ==
            CUDA_SUCCESS) {
        context->memory.heap_used += size;
        base = allocation->base;
    }
    hd_unlock();
    if (base && frame->races)
        hd_races_forget(frame->races, base, size);
    return base;
}

static void release(hc_frame *frame, void *address)
{
    if (!address)
        return;
    hd_lock();
    hd_allocation *allocation = hd_memory_find(address);
    bool good =
        allocation && allocation->base == address && allocation->kind == HD_MEMORY_HEAP;
    if (good) {
        allocation->owner->heap_used -= allocation->size;
        hd_memory_destroy(allocation);
    }
    hd_unlock();
    if (good)
        return;
    NOTE_CALLER(frame);
    hd_check_bad_free_unlocked(worker_of(frame), address);
    hd_worker_abort_unlocked(worker_of(frame), CUDA_ERROR_LAUNCH_FAILED,
                             "free of %p, which malloc in a kernel did not return",
                             address);
}

/* -- Checks of one thread ---------------------------------------------------------- */

static void check_access(hc_frame *frame, const hc_access *access, const void *at,
                         uint64_t bytes, uint64_t what, uint64_t value)
{
    if (bytes == 0)
        return;
    if (what & HC_ASK_RACE)
        hd_race_of_thread_unlocked(frame, access, at, bytes, what, value);
    else
        hd_written_of_thread_unlocked(frame, access, at, bytes, what, value);
}

/* -- Time -------------------------------------------------------------------------- */

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static void pause_block(hc_frame *frame)
{
    hd_worker_check_unlocked(worker_of(frame));
    sched_yield();
}

const hc_services hd_services = {
    .print = hd_print_unlocked,
    .assert_fail = assert_fail,
    .trap = trap,
    .allocate = allocate,
    .release = release,
    .nanoseconds = nanoseconds,
    .pause = pause_block,
    .check = hd_check_unlocked,
    .check_thread = hd_check_thread_unlocked,
    .need_written = hd_need_written_unlocked,
    .set_written = hd_set_written_unlocked,
    .race = hd_race_unlocked,
    .race_each = hd_race_each_unlocked,
    .race_sign = hd_race_sign_unlocked,
    .race_meet = hd_race_meet_unlocked,
    .access = check_access,
    .pass_threads = hd_threads_pass_unlocked,
    .resume_threads = hd_threads_resume_unlocked,
    .wait = hd_threads_wait_unlocked,
    .turn = hd_threads_turn_unlocked,
};
