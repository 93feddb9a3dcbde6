/* The pool of threads and how work is shared out.

   Published work waits in one list; a thread takes the first that has pieces left,
   takes ranges of pieces in index order until there are none, and whoever leaves it
   last finishes it. At most hd.nthreads threads run pieces at once, callers that help
   included. Threads start when there is work and none is idle; a thread that takes work
   wakes the next one if there is more, so that who submits wakes one thread at most. */
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "context_state.h"
#include "float_control.h"
#include "migration.h"
#include "queues.h"
#include "workers.h"

/* A range of pieces takes at least this long, so that sharing out costs little. */
#define RANGE_NANOSECONDS 5000
/* Threads that may exist beyond hd.nthreads, in place of ones that only spin. */
#define ASIDE_MAX 512
/* How often the watch looks at what callers run, and again where it has to ask. */
#define WATCH_NANOSECONDS 10000000
#define AGAIN_NANOSECONDS 1000000
/* So many looks at nothing, and it sleeps until a caller wakes it. */
#define QUIET_LOOKS 20

/* -- Workers ----------------------------------------------------------------------- */

static hd_worker *worker_borrow(void)
{
    hd_worker *worker = hd.pool.spare_workers;

    if (worker != NULL) {
        hd.pool.spare_workers = worker->next;
        return worker;
    }
    return calloc(1, sizeof *worker);
}

static void worker_return(hd_worker *worker)
{
    worker->next = hd.pool.spare_workers;
    hd.pool.spare_workers = worker;
}

void hd_worker_abort_unlocked(hd_worker *worker, CUresult status, const char *format,
                              ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(worker->text, sizeof worker->text, format, arguments);
    va_end(arguments);
    worker->failure = status;
    hd_worker_leave_unlocked(worker, HD_JUMP_FAILED);
}

void hd_worker_check_unlocked(hd_worker *worker)
{
    if (!atomic_load_explicit(&worker->work->cancelled, memory_order_relaxed))
        return;
    worker->failure = CUDA_SUCCESS; /* the other piece tells why */
    hd_worker_leave_unlocked(worker, HD_JUMP_FAILED);
}

void hd_scratch_reserve_unlocked(hd_worker *worker, hd_scratch *scratch, size_t size)
{
    if (size <= scratch->size)
        return;
    size = (size + size / 2 + hd.page - 1) & ~(hd.page - 1);
    if (scratch->map != NULL)
        munmap(scratch->map, scratch->map_size);
    *scratch = (hd_scratch){.map_size = size + 2 * hd.page};
    scratch->map = mmap(NULL, scratch->map_size, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (scratch->map == MAP_FAILED ||
        mprotect(scratch->map + hd.page, size, PROT_READ | PROT_WRITE) != 0) {
        if (scratch->map != MAP_FAILED)
            munmap(scratch->map, scratch->map_size);
        *scratch = (hd_scratch){0};
        hd_worker_abort_unlocked(worker, CUDA_ERROR_OUT_OF_MEMORY,
                                 "no memory for the state of a block (%zu bytes)",
                                 size);
    }
    scratch->base = scratch->map + hd.page;
    scratch->size = size;
}

/* -- Running pieces ---------------------------------------------------------------- */

/* Takes the next range of pieces. Alone, it is what fits the time; shared, also a part
   of what is left, which shrinks so that all threads finish together. */
static bool take(hd_work *work, bool alone, uint64_t *first, uint64_t *last)
{
    uint32_t piece = work->piece_ns != NULL
                         ? atomic_load_explicit(work->piece_ns, memory_order_relaxed)
                         : 0;
    uint64_t fitting = piece != 0 ? RANGE_NANOSECONDS / piece : 0;
    uint64_t least = fitting > work->least ? fitting : work->least;
    uint64_t next = atomic_load_explicit(&work->taken, memory_order_relaxed);
    uint64_t count = 0;

    do {
        if (next >= work->pieces)
            return false;
        count = alone ? 0 : (work->pieces - next) / (4 * hd.nthreads);
        if (alone && work->piece_ns == NULL)
            count = work->most;
        if (count < least)
            count = least;
        if (count > work->most)
            count = work->most;
        if (count > work->pieces - next)
            count = work->pieces - next;
    } while (!atomic_compare_exchange_weak_explicit(
        &work->taken, &next, next + count, memory_order_relaxed, memory_order_relaxed));
    *first = next;
    *last = next + count;
    return true;
}

/* What a piece took: follows a rise at once and a fall slowly, since what is taken for
   short runs in threads that do not want to wait. */
static void learn(_Atomic uint32_t *piece_ns, uint64_t elapsed, uint64_t pieces)
{
    uint64_t took = elapsed / pieces;
    uint64_t before = atomic_load_explicit(piece_ns, memory_order_relaxed);

    if (took > UINT32_MAX)
        took = UINT32_MAX;
    if (took < before)
        took = before - (before - took + 7) / 8;
    if (took == 0)
        took = 1;
    if (took != before)
        atomic_store_explicit(piece_ns, (uint32_t)took, memory_order_relaxed);
}

static void fail(hd_work *work, hd_worker *worker)
{
    char text[HD_DETAIL] = "", where[160] = "";

    atomic_store(&work->cancelled, true);
    atomic_store(&work->taken, work->pieces);
    if (worker->failure == CUDA_SUCCESS)
        return;
    if (work->describe != NULL)
        work->describe(work, worker, text, sizeof text);
    size_t used = strlen(text);
    hd_lock();
    if (worker->signal == 0) {
        snprintf(text + used, sizeof text - used, "%s", worker->text);
    } else if (worker->failure == CUDA_ERROR_ILLEGAL_ADDRESS) {
        hd_memory_describe(worker->address, where, sizeof where);
        snprintf(text + used, sizeof text - used, "invalid access at address %p, %s",
                 (const void *)worker->address, where);
    } else {
        snprintf(text + used, sizeof text - used, "%s",
                 worker->signal == SIGFPE ? "integer division by zero"
                                          : "illegal instruction");
    }
    if (work->status == CUDA_SUCCESS) {
        work->status = work->harmless ? CUDA_ERROR_INVALID_VALUE : worker->failure;
        hd_context_poison(work->stream->object.context,
                          work->harmless ? CUDA_SUCCESS : worker->failure, text);
    }
    hd_unlock();
}

typedef enum { DONE, FAILED, MOVED } outcome;

/* Who called it is in another thread if the pieces have moved meanwhile. */
static void run_pieces(hd_worker *worker)
{
    worker->work->run(worker->work, worker, worker->first, worker->last);
    if (worker->moved)
        hd_worker_leave_unlocked(worker, HD_JUMP_DONE);
}

/* Runs the worker's pieces, or the rest of them where they have moved to this thread.
   What failed there, the worker describes. */
__attribute__((noinline)) static outcome run_range(hd_work *work, hd_worker *worker,
                                                   bool may_move)
{
    hd_float_control before = hd_float_control_begin(work->floats);

    worker->signal = 0;
    worker->instruction = NULL;
    worker->why = HD_JUMP_DONE;
    if (HD_JUMP_SET(worker->jump) == 0) {
        worker->armed = true;
        atomic_signal_fence(memory_order_seq_cst);
        if (worker->moved)
            hd_migration_resume_unlocked(worker);
        else if (may_move)
            hd_migration_call_unlocked(worker, run_pieces);
        else
            work->run(work, worker, worker->first, worker->last);
        atomic_signal_fence(memory_order_seq_cst);
    }
    worker->armed = false;
    hd_float_control_end(before);
    return worker->why == HD_JUMP_DONE    ? DONE
           : worker->why == HD_JUMP_MOVED ? MOVED
                                          : FAILED;
}

/* Whether how long it takes is to be measured. Of runs that are watched and known to
   take a moment, every fourth is: reading the clock takes as long as some kernels. */
static bool is_timed(const hd_work *work, const hd_worker *worker, bool alone)
{
    uint64_t piece = work->piece_ns != NULL
                         ? atomic_load_explicit(work->piece_ns, memory_order_relaxed)
                         : 0;

    return !alone || !worker->watched || hd.unguarded || worker->turn % 4 == 0 ||
           work->pieces * piece > RANGE_NANOSECONDS;
}

/* Runs ranges of pieces until none is left or the time is over. True: the worker is to
   move to another thread, with the pieces that it has begun. */
static bool run_unlocked(hd_work *work, hd_worker *worker, bool alone, uint64_t budget)
{
    hd_thread *thread = hd_self;
    bool may_move = !thread->is_worker && worker->watched;
    bool timed = is_timed(work, worker, alone);
    outcome outcome = DONE;
    uint64_t start = timed ? hd_nanoseconds_unlocked() : 0, before = start;

    if (timed)
        hd_faults_check_unlocked(start);
    hd_faults_start_thread_unlocked(thread);
    worker->work = work;
    thread->worker = worker;
    while (outcome == DONE && take(work, alone, &worker->first, &worker->last)) {
        if (atomic_load_explicit(&work->cancelled, memory_order_relaxed)) {
            atomic_store(&work->taken, work->pieces);
            break;
        }
        outcome = run_range(work, worker, may_move);
        if (outcome == FAILED)
            fail(work, worker);
        if (outcome == MOVED)
            learn(work->piece_ns, WATCH_NANOSECONDS, 1);
        if (outcome != DONE || !timed ||
            (work->piece_ns == NULL && budget == UINT64_MAX))
            continue;
        uint64_t now = hd_nanoseconds_unlocked();
        if (work->piece_ns != NULL)
            learn(work->piece_ns, now - before, worker->last - worker->first);
        if (now - start > budget)
            break;
        before = now;
    }
    thread->worker = NULL;
    if (worker->aside)
        hd_pool_step_back_unlocked(worker);
    return outcome == MOVED;
}

static bool has_pieces(const hd_work *work)
{
    return atomic_load_explicit(&work->taken, memory_order_relaxed) < work->pieces;
}

/* -- The list of published work ---------------------------------------------------- */

static void withdraw(hd_work *work)
{
    if (!work->published)
        return;
    HD_UNLINK(hd.pool.ready, work, ready_next);
    work->published = false;
}

static void *worker_main(void *argument);

static void start_thread(void *(*function)(void *), unsigned *count)
{
    pthread_t id;
    pthread_attr_t detached;
    sigset_t all, before;

    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGURG); /* see migration.c */
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&id, &detached, function, NULL) == 0)
        ++*count;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
}

bool hd_pool_has_room(void)
{
    return hd.pool.active < hd.nthreads;
}

/* Whether there is something for threads of the pool to run. */
static bool has_work(void)
{
    return hd.pool.ready != NULL || hd.pool.moved != NULL;
}

/* Gets one more thread to look at the list, if there is one to get. */
static void wake_one(void)
{
    hd_pool *pool = &hd.pool;

    if (pool->active + pool->signalled >= hd.nthreads)
        return;
    if (pool->idle > pool->signalled) {
        pool->signalled++;
        pthread_cond_signal(&pool->wake);
    } else if (pool->threads < hd.nthreads + pool->aside) {
        start_thread(worker_main, &pool->threads);
    }
}

void hd_pool_step_aside_unlocked(hd_worker *worker)
{
    hd_lock();
    if (hd.pool.aside < ASIDE_MAX) {
        worker->aside = true;
        hd.pool.aside++;
        hd.pool.active--;
        if (has_work())
            wake_one();
    }
    hd_unlock();
}

void hd_pool_step_back_unlocked(hd_worker *worker)
{
    hd_lock();
    worker->aside = false;
    hd.pool.aside--;
    hd.pool.active++;
    hd_unlock();
}

void hd_pool_publish(hd_work *work)
{
    hd_work **link = &hd.pool.ready;

    while (*link != NULL && (*link)->stream->priority <= work->stream->priority)
        link = &(*link)->ready_next;
    work->ready_next = *link;
    *link = work;
    work->published = true;
    if (!hd_self->is_worker) /* a worker comes by itself */
        wake_one();
}

/* The thread has left the work; whoever is last finishes it. */
static void leave(hd_work *work)
{
    hd.pool.active--;
    work->runners--;
    if (!has_pieces(work)) {
        withdraw(work);
        if (work->runners == 0)
            hd_work_finish(work);
    }
}

/* Takes part in published work. True: the worker is to move, and counts in it still. */
static bool part(hd_work *work, hd_worker *worker)
{
    hd_pool *pool = &hd.pool;

    work->runners++;
    pool->active++;
    if (work->ready_next != NULL ||
        work->pieces > work->least + atomic_load(&work->taken))
        wake_one();
    hd_unlock();
    bool moves = run_unlocked(work, worker, false, UINT64_MAX);
    hd_lock();
    work->runners += moves;
    leave(work);
    return moves;
}

/* -- Callers ----------------------------------------------------------------------- */

static void *watch_main(void *argument);

/* A worker for pieces of this work in a thread of the user, or NULL. It is watched
   where a piece may go on for long, unless this thread is the only one that there can
   be. */
static hd_worker *caller_begin(const hd_work *work)
{
    hd_pool *pool = &hd.pool;
    hd_worker *worker = worker_borrow();

    if (worker == NULL)
        return NULL;
    worker->watched = HD_MOVES && work->code != NULL;
    if (!worker->watched)
        return worker;
    if (pool->watch_threads == 0)
        start_thread(watch_main, &pool->watch_threads);
    if (pool->watch_threads == 0 ||
        ((worker->stack.base == NULL || hd_self->signals != HD_SIGNALS_OPEN) &&
         !hd_migration_prepare(worker))) {
        worker->watched = false;
        if (pool->threads == 0)
            return worker;
        worker_return(worker);
        return NULL;
    }
    worker->thread = hd_self->id;
    worker->turn = ++pool->turns;
    worker->next_caller = pool->callers;
    pool->callers = worker;
    if (!pool->watching) {
        pool->watching = true;
        pthread_cond_signal(&pool->watch_wake);
    }
    return worker;
}

/* Gives the worker back, or to a thread of the pool where its pieces have moved. */
static void caller_end(hd_worker *worker, bool moves)
{
    hd_pool *pool = &hd.pool;

    if (worker->watched)
        HD_UNLINK(pool->callers, worker, next_caller);
    if (!moves) {
        worker_return(worker);
        return;
    }
    worker->next = pool->moved;
    pool->moved = worker;
    wake_one();
}

bool hd_pool_take_part(hd_work *work)
{
    hd_worker *worker = caller_begin(work);

    if (worker == NULL)
        return false;
    caller_end(worker, part(work, worker));
    if (has_work()) /* it was kept from a worker that found no room */
        wake_one();
    return true;
}

void hd_pool_run_here(hd_work *work, uint64_t budget)
{
    hd_worker *worker = caller_begin(work);

    if (worker == NULL) {
        hd_pool_publish(work);
        return;
    }
    work->runners++;
    hd_unlock();
    bool moves = run_unlocked(work, worker, true, budget);
    hd_lock();
    work->runners -= !moves;
    caller_end(worker, moves);
    if (has_pieces(work))
        hd_pool_publish(work);
    else if (work->runners == 0)
        hd_work_finish(work);
}

/* -- Threads ----------------------------------------------------------------------- */

static hd_thread *thread_begin(const char *name)
{
    prctl(PR_SET_NAME, name);
    if (hd_thread_start_unlocked() != CUDA_SUCCESS)
        return NULL;
    return hd_self;
}

/* Goes on with pieces that a caller began. */
static void take_over(hd_worker *worker)
{
    hd_pool *pool = &hd.pool;
    hd_work *work = worker->work;
    outcome outcome = DONE;

    pool->active++;
    if (has_work())
        wake_one();
    hd_unlock();
    uint64_t start = hd_nanoseconds_unlocked();
    hd_faults_start_thread_unlocked(hd_self);
    hd_self->worker = worker;
    if (!atomic_load(&work->cancelled))
        outcome = run_range(work, worker, false);
    if (outcome == FAILED)
        fail(work, worker);
    if (work->piece_ns != NULL)
        learn(work->piece_ns, hd_nanoseconds_unlocked() - start, 1);
    hd_self->worker = NULL;
    worker->moved = false;
    if (worker->aside)
        hd_pool_step_back_unlocked(worker);
    hd_lock();
    leave(work);
    worker_return(worker);
}

static void *worker_main(void *argument)
{
    hd_pool *pool = &hd.pool;
    hd_thread *thread = thread_begin("hostcuda-worker");

    hd_lock();
    hd_worker *worker = thread != NULL ? worker_borrow() : NULL;
    if (worker == NULL) {
        pool->threads--;
        hd_unlock();
        return NULL;
    }
    thread->is_worker = true;
    for (;;) {
        while (!has_work() || !hd_pool_has_room()) {
            pool->idle++;
            pthread_cond_wait(&pool->wake, &hd.lock);
            pool->idle--;
            if (pool->signalled > 0)
                pool->signalled--;
        }
        hd_worker *moved = pool->moved;
        if (moved != NULL) {
            pool->moved = moved->next;
            take_over(moved);
        } else if (has_pieces(pool->ready))
            part(pool->ready, worker);
        else
            withdraw(pool->ready);
    }
}

/* Looks at what callers run; what was there at the last look is asked to move. */
static bool look(void)
{
    bool late = false;

    for (hd_worker *worker = hd.pool.callers; worker != NULL;
         worker = worker->next_caller) {
        if (worker->seen == worker->turn) {
            hd_migration_request(worker);
            late = true;
        }
        worker->seen = worker->turn;
    }
    return late;
}

static void *watch_main(void *argument)
{
    hd_pool *pool = &hd.pool;
    hd_thread *thread = thread_begin("hostcuda-watch");
    uint64_t turns = 0, wait = WATCH_NANOSECONDS;
    unsigned quiet = 0;

    hd_lock();
    if (thread == NULL) {
        pool->watch_threads--;
        hd_unlock();
        return NULL;
    }
    for (;;) {
        quiet = pool->callers == NULL && pool->turns == turns ? quiet + 1 : 0;
        turns = pool->turns;
        if (quiet > QUIET_LOOKS) {
            pool->watching = false;
            while (!pool->watching)
                pthread_cond_wait(&pool->watch_wake, &hd.lock);
        }
        uint64_t until = hd_nanoseconds_unlocked() + wait;
        struct timespec at = {until / 1000000000, until % 1000000000};
        while (pthread_cond_timedwait(&thread->wake, &hd.lock, &at) != ETIMEDOUT)
            continue;
        wait = look() ? AGAIN_NANOSECONDS : WATCH_NANOSECONDS;
        hd_faults_check_unlocked(0);
    }
}

static void *calls_main(void *argument)
{
    hd_pool *pool = &hd.pool;
    hd_thread *thread = thread_begin("hostcuda-calls");

    hd_lock();
    if (thread == NULL) {
        pool->call_threads--;
        hd_unlock();
        return NULL;
    }
    for (;;) {
        while (pool->calls == NULL)
            pthread_cond_wait(&pool->calls_wake, &hd.lock);
        hd_work *work = pool->calls;
        CUresult status = work->status;
        pool->calls = work->ready_next;
        thread->in_call = true;
        hd_unlock();
        work->call(work, status);
        hd_lock();
        thread->in_call = false;
        hd_work_finish(work);
    }
}

bool hd_pool_call(hd_work *work)
{
    hd_work **link = &hd.pool.calls;

    if (hd.pool.call_threads == 0)
        start_thread(calls_main, &hd.pool.call_threads);
    if (hd.pool.call_threads == 0)
        return false;
    while (*link != NULL)
        link = &(*link)->ready_next;
    *link = work;
    work->ready_next = NULL;
    pthread_cond_signal(&hd.pool.calls_wake);
    return true;
}

void hd_pool_start(void)
{
    pthread_cond_init(&hd.pool.wake, NULL);
    pthread_cond_init(&hd.pool.calls_wake, NULL);
    pthread_cond_init(&hd.pool.watch_wake, NULL);
}
