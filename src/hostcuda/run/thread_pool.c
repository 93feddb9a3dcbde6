/* The pool of threads and how work is shared out among them.

   Published work waits in one list; a thread takes the first that has pieces left,
   takes ranges of pieces (ranges.c) until there are none, and whoever leaves it last
   finishes it. At most hd.nthreads threads run pieces at once, callers that help
   included. Threads start when there is work and none is idle; a thread that takes work
   wakes others if there is more, so that who submits wakes one thread at most. */
#include <sched.h>
#include <semaphore.h>
#include <sys/prctl.h>

#include "faults.h"
#include "idle.h"
#include "migration.h"
#include "ranges.h"
#include "thread_pool.h"

/* Threads that may exist beyond hd.nthreads, in place of ones that only spin. */
#define ASIDE_MAX 512
/* How often the watch thread checks what callers run, and how soon again after it has
   asked one to move. */
#define WATCH_NANOSECONDS HD_MIGRATION_NANOSECONDS
#define AGAIN_NANOSECONDS 1000000
/* How many threads one wakes that takes part in work. */
#define WAKES 2
/* After so many checks without a caller it sleeps until one wakes it. */
#define QUIET_LOOKS 20

/* A thread that sleeps until it is woken; on its stack. */
typedef struct sleeper {
    sem_t wake;
    struct sleeper *next;
} sleeper;

static struct {
    void (*finish)(hd_work *);
    hd_work *ready;           /* borrowed: has pieces to take; by priority, then age */
    hd_worker *spare_workers; /* owned */
    sleeper *sleepers;        /* borrowed: idle threads, the last to sleep first */
    unsigned threads;         /* started */
    unsigned spinning;        /* of those, idle and not asleep yet, nor woken */
    char before[HD_LINE];
    _Atomic uint32_t posts; /* how often those were woken, who all look at it */
    char behind[HD_LINE];
    unsigned active; /* threads that run pieces, callers included */
    unsigned aside;  /* threads that only spin: others run in their place */
    pthread_cond_t calls_wake;
    hd_work *calls; /* borrowed: host functions that are due */
    unsigned call_threads;
    bool calling;       /* a host function runs */
    unsigned signalled; /* idle threads that were woken and have not run yet */
    hd_worker *callers; /* borrowed: run pieces in threads of the user */
    hd_worker *moved;   /* owned: pieces that have left callers, pending */
    uint64_t turns;     /* runs in threads of the user, so far */
    pthread_cond_t watch_wake;
    unsigned watch_threads;
    bool watching; /* that thread checks at intervals */
} pool;

/* -- Workers ----------------------------------------------------------------------- */

static hd_worker *worker_borrow(void)
{
    hd_worker *worker = pool.spare_workers;

    if (worker) {
        pool.spare_workers = worker->next;
        return worker;
    }
    return calloc(1, sizeof *worker);
}

static void worker_return(hd_worker *worker)
{
    worker->next = pool.spare_workers;
    pool.spare_workers = worker;
}

/* -- The list of published work ---------------------------------------------------- */

static void withdraw(hd_work *work)
{
    if (!work->published)
        return;
    HD_UNLINK(pool.ready, work, ready_next);
    work->published = false;
}

static void *worker_main(void *argument);

/* Where the process may not map so much, a smaller stack has to do. */
static bool create_thread(void *(*function)(void *))
{
    pthread_t id;
    pthread_attr_t detached;
    size_t stack = HD_STACK_BYTES;
    int error;

    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    do {
        pthread_attr_setstacksize(&detached, stack);
        error = pthread_create(&id, &detached, function, NULL);
        stack /= 4;
    } while (error != 0 && stack >= HD_STACK_BYTES / 64);
    pthread_attr_destroy(&detached);
    return error == 0;
}

static void start_thread(void *(*function)(void *), unsigned *count)
{
    sigset_t all, before;

    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGURG); /* see migration.c */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *count += create_thread(function);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool hd_pool_has_threads(void)
{
    return pool.threads > 0;
}

bool hd_pool_has_room(void)
{
    return pool.active < hd.nthreads;
}

/* Whether there is something for threads of the pool to run. */
static bool has_work(void)
{
    return pool.ready || pool.moved;
}

unsigned hd_pool_only_spins(void)
{
    bool busy = pool.active > 0 || has_work() || pool.callers || pool.calls;

    return busy || pool.calling ? 0 : pool.aside;
}

/* Wakes, or starts, one more thread to look at the list, if there may be one more. */
static void wake_one(void)
{
    if (pool.active + pool.signalled >= hd.nthreads)
        return;
    if (pool.spinning > 0) {
        pool.signalled += pool.spinning; /* one post wakes them all */
        pool.spinning = 0;
        atomic_fetch_add_explicit(&pool.posts, 1, memory_order_release);
    } else if (pool.sleepers) {
        sleeper *last = pool.sleepers;
        pool.sleepers = last->next;
        pool.signalled++;
        sem_post(&last->wake);
    } else if (pool.threads < hd.nthreads + pool.aside) {
        start_thread(worker_main, &pool.threads);
    }
}

void hd_pool_step_aside_unlocked(hd_worker *worker)
{
    hd_lock();
    if (pool.aside < ASIDE_MAX) {
        worker->aside = true;
        pool.aside++;
        pool.active--;
        if (has_work())
            wake_one();
    }
    hd_unlock();
}

void hd_pool_step_back_unlocked(hd_worker *worker)
{
    hd_idle_moved_unlocked(worker);
    hd_lock();
    worker->aside = false;
    pool.aside--;
    pool.active++;
    hd_unlock();
}

/* After pieces: the worker may have left them without stepping back. */
static void step_back(hd_worker *worker)
{
    if (worker->aside)
        hd_pool_step_back_unlocked(worker);
}

void hd_pool_publish(hd_work *work)
{
    hd_work **link = &pool.ready;

    while (*link && (*link)->stream->priority <= work->stream->priority)
        link = &(*link)->ready_next;
    work->ready_next = *link;
    *link = work;
    work->published = true;
    hd_ranges_share_out(work);
    if (!hd_self->is_worker) /* a worker looks at the list by itself */
        wake_one();
}

/* The thread leaves the work; the last one finishes it. */
static void leave_work(hd_work *work)
{
    pool.active--;
    work->runners--;
    if (!hd_work_has_pieces(work)) {
        withdraw(work);
        if (work->runners == 0) {
            hd_ranges_end_shares(work);
            pool.finish(work);
        }
    }
}

/* Those that are woken wake others in turn, so that all of many run soon. */
static void wake_others(const hd_work *work)
{
    uint64_t taken = atomic_load(&work->taken) + work->least;

    for (unsigned i = 0; i < WAKES; i++, taken += work->least)
        if (work->ready_next || work->pieces > taken)
            wake_one();
}

/* Takes part in published work. True: the worker is to move, and counts in it still. */
static bool take_part(hd_work *work, hd_worker *worker)
{
    work->runners++;
    pool.active++;
    hd_ranges_hold_share(&worker->share);
    wake_others(work);
    hd_unlock();
    bool moves = hd_worker_run_unlocked(worker, work, false, UINT64_MAX);
    step_back(worker);
    hd_lock();
    hd_ranges_free_share(worker->share);
    work->runners += moves;
    leave_work(work);
    return moves;
}

/* -- Callers ----------------------------------------------------------------------- */

static void *watch_main(void *argument);

/* A worker for pieces of this work in a thread of the user, or NULL. It is watched
   where a piece may go on for long, unless this thread is the only one that there can
   be. */
static hd_worker *caller_begin(const hd_work *work)
{
    hd_worker *worker = worker_borrow();

    if (!worker)
        return NULL;
    worker->watched = HD_MOVES && work->code;
    if (!worker->watched)
        return worker;
    if (pool.watch_threads == 0)
        start_thread(watch_main, &pool.watch_threads);
    if (pool.watch_threads == 0 ||
        ((!worker->stack.base || hd_self->signals != HD_SIGNALS_OPEN) &&
         !hd_migration_prepare(worker))) {
        worker->watched = false;
        if (pool.threads == 0)
            return worker;
        worker_return(worker);
        return NULL;
    }
    worker->thread = hd_self->id;
    worker->turn = ++pool.turns;
    worker->next_caller = pool.callers;
    pool.callers = worker;
    if (!pool.watching) {
        pool.watching = true;
        pthread_cond_signal(&pool.watch_wake);
    }
    return worker;
}

/* Gives the worker back, or to a thread of the pool where its pieces have moved. */
static void caller_end(hd_worker *worker, bool moves)
{

    if (worker->watched)
        HD_UNLINK(pool.callers, worker, next_caller);
    if (!moves) {
        worker_return(worker);
        return;
    }
    worker->next = pool.moved;
    pool.moved = worker;
    wake_one();
}

bool hd_pool_take_part(hd_work *work)
{
    hd_worker *worker = caller_begin(work);

    if (!worker)
        return false;
    caller_end(worker, take_part(work, worker));
    if (has_work()) /* workers found no room while this thread took part */
        wake_one();
    return true;
}

void hd_pool_run_here(hd_work *work, uint64_t budget)
{
    hd_worker *worker = caller_begin(work);

    if (!worker) {
        hd_pool_publish(work);
        return;
    }
    work->runners++;
    hd_unlock();
    bool moves = hd_worker_run_unlocked(worker, work, true, budget);
    step_back(worker);
    hd_lock();
    work->runners -= !moves;
    caller_end(worker, moves);
    if (hd_work_has_pieces(work))
        hd_pool_publish(work);
    else if (work->runners == 0)
        pool.finish(work);
}

/* -- Threads ----------------------------------------------------------------------- */

static hd_thread *thread_begin(const char *name)
{
    prctl(PR_SET_NAME, name);
    if (hd_thread_start_unlocked() != CUDA_SUCCESS)
        return NULL;
    return hd_self;
}

/* Continues pieces that a caller began. */
static void take_over(hd_worker *worker)
{
    hd_work *work = worker->work;

    pool.active++;
    if (has_work())
        wake_one();
    hd_unlock();
    hd_worker_resume_unlocked(worker);
    step_back(worker);
    hd_lock();
    leave_work(work);
    worker_return(worker);
}

/* Looks for work for a moment, and lets others have the processor meanwhile. True: a
   post has come. Drops the lock. */
static bool spin(void)
{
    uint32_t seen = atomic_load_explicit(&pool.posts, memory_order_relaxed);

    pool.spinning++;
    hd_unlock();
    uint64_t until = hd_nanoseconds_unlocked() + HD_SPIN_NANOSECONDS;
    while (atomic_load_explicit(&pool.posts, memory_order_acquire) == seen &&
           hd_nanoseconds_unlocked() < until)
        sched_yield();
    hd_lock();
    if (atomic_load_explicit(&pool.posts, memory_order_relaxed) != seen)
        return true;
    pool.spinning--;
    return false;
}

/* Until another thread wakes this one. Not by a condition variable: glibc's lets
   whoever wakes a thread wait until the one woken before has run. Drops the lock. */
static void sleep_until_woken(void)
{
    sleeper self = {.next = pool.sleepers};

    sem_init(&self.wake, 0, 0);
    pool.sleepers = &self;
    hd_unlock();
    while (sem_wait(&self.wake) != 0)
        continue; /* a signal has come */
    hd_lock();
    sem_destroy(&self.wake);
}

/* Until there is work for one more thread. */
static void wait_for_work(bool spins)
{
    while (!has_work() || !hd_pool_has_room()) {
        if (!spins || !spin())
            sleep_until_woken();
        if (pool.signalled > 0)
            pool.signalled--;
        spins = false;
    }
}

static void *worker_main(void *argument)
{
    hd_thread *thread = thread_begin("hostcuda-worker");

    hd_lock();
    hd_worker *worker = thread ? worker_borrow() : NULL;
    if (!worker) {
        pool.threads--;
        hd_unlock();
        return NULL;
    }
    thread->is_worker = true;
    for (;;) {
        wait_for_work(true);
        hd_worker *moved = pool.moved;
        if (moved) {
            pool.moved = moved->next;
            take_over(moved);
        } else if (hd_work_has_pieces(pool.ready))
            take_part(pool.ready, worker);
        else
            withdraw(pool.ready);
    }
}

/* Asks callers to move the pieces that they were running at the last check already. */
static bool look(void)
{
    bool late = false;

    for (hd_worker *worker = pool.callers; worker; worker = worker->next_caller) {
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
    hd_thread *thread = thread_begin("hostcuda-watch");
    uint64_t turns = 0, wait = WATCH_NANOSECONDS;
    unsigned quiet = 0;

    hd_lock();
    if (!thread) {
        pool.watch_threads--;
        hd_unlock();
        return NULL;
    }
    for (;;) {
        quiet = !pool.callers && pool.turns == turns ? quiet + 1 : 0;
        turns = pool.turns;
        if (quiet > QUIET_LOOKS) {
            pool.watching = false;
            while (!pool.watching)
                pthread_cond_wait(&pool.watch_wake, &hd.lock);
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
    hd_thread *thread = thread_begin("hostcuda-calls");

    hd_lock();
    if (!thread) {
        pool.call_threads--;
        hd_unlock();
        return NULL;
    }
    for (;;) {
        while (!pool.calls)
            pthread_cond_wait(&pool.calls_wake, &hd.lock);
        hd_work *work = pool.calls;
        CUresult status = work->status;
        pool.calls = work->ready_next;
        thread->in_call = pool.calling = true;
        hd_unlock();
        work->call(work, status);
        hd_lock();
        thread->in_call = pool.calling = false;
        pool.finish(work);
    }
}

bool hd_pool_call(hd_work *work)
{
    hd_work **link = &pool.calls;

    if (pool.call_threads == 0)
        start_thread(calls_main, &pool.call_threads);
    if (pool.call_threads == 0)
        return false;
    while (*link)
        link = &(*link)->ready_next;
    *link = work;
    work->ready_next = NULL;
    pthread_cond_signal(&pool.calls_wake);
    return true;
}

void hd_pool_start(void (*finish)(hd_work *))
{
    pool.finish = finish;
    pthread_cond_init(&pool.calls_wake, NULL);
    pthread_cond_init(&pool.watch_wake, NULL);
}
