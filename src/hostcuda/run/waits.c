/* Waiting for work: a thread that waits helps with short pieces, else sleeps until the
   work's end wakes it, and asks now and then whether the user has waited enough. Waits
   drop the lock, so whatever a function found before one it looks up again. */
#include <sched.h>
#include <time.h>

#include "check_reports.h"
#include "thread_pool.h"
#include "device_printf.h"
#include "idle.h"
#include "waits.h"

/* A waiting thread helps with work whose pieces are known to be shorter than this. */
#define HELP_NANOSECONDS 1000000
/* How often a waiting thread asks whether to give up. */

/* -- Waiting for one piece of work ------------------------------------------------- */

CUresult hd_may_wait(void)
{
    HD_FAIL_IF(hd_self->in_call, CUDA_ERROR_NOT_PERMITTED,
               "a host function in a stream must not wait for the device");
    return CUDA_SUCCESS;
}

/* Whether the waiting thread may run pieces of this work: not if they may take long or
   wait in turn, since the caller could not be interrupted then. */
static bool may_help(const hd_work *work)
{
    uint32_t piece = work->piece_ns ? atomic_load(work->piece_ns) : 1;

    if (!work->published || !hd_pool_has_room())
        return false;
    if (!hd_pool_has_threads())
        return true;
    return !work->spins && piece != 0 && piece <= HELP_NANOSECONDS;
}

void hd_wait_begin(hd_work *work)
{
    hd_self->waits_for = work;
    hd_self->waiting_next = work->waiters;
    work->waiters = hd_self;
}

void hd_waiters_wake(hd_work *work)
{
    for (hd_thread *thread = work->waiters, *next = NULL; thread; thread = next) {
        next = thread->waiting_next;
        thread->done_status = work->status;
        if (work->status != CUDA_SUCCESS)
            memcpy(thread->detail, work->stream->object.context->detail, HD_DETAIL);
        thread->waits_for = NULL;
        pthread_cond_signal(&thread->wake);
    }
}

void hd_forget_waiter(hd_thread *thread)
{
    if (thread->waits_for)
        HD_UNLINK(thread->waits_for->waiters, thread, waiting_next);
    thread->waits_for = NULL;
}

/* The user waits, and answers whether anybody else in this process might use the
   device. If not, and all that runs only spins, perhaps all of it waits for ever. */
static void look_for_idle_kernels(bool alone)
{
    unsigned spinning = alone && hd.host_memory == 0 ? hd_pool_only_spins() : 0;

    if (spinning > 0)
        hd_idle_ask(spinning);
    else
        hd_idle_forget();
}

/* Sleeps until woken, or until it is time to ask whether the user has waited enough. */
static bool sleep_and_ask(uint64_t start)
{
    uint64_t until = hd_nanoseconds_unlocked() + HD_ASK_NANOSECONDS;
    struct timespec at = {until / 1000000000, until % 1000000000};
    cuxWaitFunction give_up = hd.give_up;
    void *data = hd.give_up_data;

    if (!give_up) {
        pthread_cond_wait(&hd_self->wake, &hd.lock);
        return false;
    }
    if (pthread_cond_timedwait(&hd_self->wake, &hd.lock, &at) != ETIMEDOUT)
        return false;
    hd_unlock();
    int answer = give_up(hd_nanoseconds_unlocked() - start, data);
    hd_lock();
    look_for_idle_kernels(answer < 0);
    return answer > 0;
}

/* Undoes hd_wait_begin. Work of the waiting thread itself (a copy, whose memory the
   user gets back) is dropped; false where that has begun, and so will end soon. */
static bool give_up_wait(hd_work *work, bool own)
{
    if (own && work->started)
        return false;
    if (own)
        atomic_store(&work->cancelled, true);
    work->stream->object.context->given_up = hd.serial;
    hd_forget_waiter(hd_self);
    return true;
}

/* Other threads run the last pieces of what this one took part in. Drops the lock. */
static void spin_to_the_end(void)
{
    hd_unlock();
    uint64_t until = hd_nanoseconds_unlocked() + HD_SPIN_NANOSECONDS;
    while (atomic_load_explicit(&hd_self->waits_for, memory_order_relaxed) &&
           hd_nanoseconds_unlocked() < until)
        sched_yield();
    hd_lock();
}

CUresult hd_wait_end(hd_work *work, bool own)
{
    uint64_t start = 0;
    bool helped = false;

    while (hd_self->waits_for) {
        hd_work *first = work->stream->head;
        if (may_help(first) && hd_pool_take_part(first)) {
            helped = true;
            continue;
        }
        if (helped && first == work) {
            helped = false;
            spin_to_the_end();
            continue;
        }
        if (start == 0)
            start = hd_nanoseconds_unlocked();
        HD_FAIL_IF(sleep_and_ask(start) && hd_self->waits_for &&
                       give_up_wait(work, own),
                   CUDA_ERROR_NOT_READY, "the wait was given up");
    }
    return hd_self->done_status;
}

/* -- Waiting ----------------------------------------------------------------------- */

/* Returns when the work is done, and its status; NOT_READY if the user gave up. Drops
   the lock: afterwards only contexts are sure to be there still. */
static CUresult wait_for(hd_work *work)
{
    HD_TRY(hd_may_wait());
    hd_wait_begin(work);
    return hd_wait_end(work, false);
}

CUresult hd_work_wait(hd_work *work)
{
    hd_context *context = work->stream->object.context;

    HD_TRY(hd_may_wait());
    if (wait_for(work) == CUDA_ERROR_NOT_READY)
        return CUDA_ERROR_NOT_READY;
    return hd_context_synchronized(context);
}

CUresult hd_stream_wait(hd_stream *stream)
{
    if (stream->tail)
        return hd_work_wait(stream->tail);
    return hd_context_synchronized(stream->object.context);
}

static void (*synchronized)(hd_context *); /* of an upper folder */

void hd_on_synchronized(void (*function)(hd_context *))
{
    synchronized = function;
}

static void settle(hd_context *context)
{
    hd_print_flush(context);
    synchronized(context);
}

CUresult hd_context_synchronized(hd_context *context)
{
    settle(context);
    HD_TRY(hd_context_status(context));
    return hd_check_status(context);
}

/* Returns when all that was submitted is done: success, whatever became of it. */
static CUresult finish(hd_context *context)
{
    uint64_t last = hd.serial;

    HD_TRY(hd_may_wait());
    for (hd_stream *stream = context->streams; stream;) {
        if (stream->head && stream->head->serial <= last) {
            if (wait_for(stream->head) == CUDA_ERROR_NOT_READY)
                return CUDA_ERROR_NOT_READY;
            stream = context->streams; /* the list may have changed meanwhile */
        } else {
            stream = stream->next;
        }
    }
    settle(context);
    return CUDA_SUCCESS;
}

CUresult hd_context_wait(hd_context *context)
{
    HD_TRY(finish(context));
    HD_TRY(hd_context_status(context));
    return hd_check_status(context);
}

/* The newest context that is older than this id. A walk over contexts that drops the
   lock goes on by ids, since any record may be gone meanwhile. */
static hd_context *context_before(uint64_t id)
{
    hd_context *context = hd.contexts; /* the newest first */

    while (context && context->id >= id)
        context = context->next;
    return context;
}

CUresult hd_context_drain(hd_context *context)
{
    uint64_t id = context->id;

    HD_TRY(hd_may_wait());
    for (hd_stream *stream = context->streams; stream; stream = stream->next) {
        HD_FAIL_IF(stream->head && stream->head->serial <= context->given_up,
                   CUDA_ERROR_NOT_READY, "work that was given up still runs");
    }
    HD_TRY(finish(context));
    for (hd_context *other = hd.mixed ? context_before(UINT64_MAX) : NULL; other;) {
        uint64_t last = other->id;
        HD_TRY(finish(other));
        other = context_before(last);
    }
    if (context->id == id) /* or the record is another context's by now */
        hd_memory_free_pending(&context->memory);
    return CUDA_SUCCESS;
}

CUresult hd_child_unload(hd_kind kind, const void *handle)
{
    HD_FIND(hd_object, object, kind, handle);
    HD_TRY(hd_context_drain(object->context));
    HD_TRY(hd_handle_find(kind, handle, &object)); /* perhaps ended by another thread */
    object->destroy(object);
    return CUDA_SUCCESS;
}
