/* How a thread runs pieces of work: it takes ranges of them, measures their time, and
   describes failures. */
#include <stdarg.h>
#include <sys/mman.h>

#include "context_state.h"
#include "faults.h"
#include "float_control.h"
#include "migration.h"
#include "ranges.h"
#include "workers.h"

/* -- Workers ----------------------------------------------------------------------- */

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
    worker->failure = CUDA_SUCCESS; /* the other piece reports the failure */
    hd_worker_leave_unlocked(worker, HD_JUMP_FAILED);
}

void hd_worker_end_piece_unlocked(hd_worker *worker, uint64_t piece)
{
    worker->ended = piece;
    worker->failure = CUDA_SUCCESS;
    hd_worker_leave_unlocked(worker,
                             worker->work->spins ? HD_JUMP_FAILED : HD_JUMP_ENDED);
}

void hd_scratch_reserve_unlocked(hd_worker *worker, hd_scratch *scratch, size_t size)
{
    if (size <= scratch->size)
        return;
    size = (size + size / 2 + hd.page - 1) & ~(hd.page - 1);
    if (scratch->map)
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

/* Updates the time of a piece: a rise at once, a fall slowly, since work that is taken
   for short runs in threads that must not wait. Not for a little: all threads read it.
 */
static void learn(_Atomic uint32_t *piece_ns, uint64_t elapsed, uint64_t pieces)
{
    uint64_t took = elapsed / pieces;
    uint64_t before = atomic_load_explicit(piece_ns, memory_order_relaxed);

    if (took > UINT32_MAX)
        took = UINT32_MAX;
    if (took >= before - before / 4 && took <= before + before / 16 && before != 0)
        return;
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
    if (work->describe)
        work->describe(work, worker, text, sizeof text);
    size_t used = strlen(text);
    hd_lock();
    if (worker->signal == 0) {
        snprintf(text + used, sizeof text - used, "%s", worker->text);
    } else if (worker->failure == CUDA_ERROR_ILLEGAL_ADDRESS && worker->stack_full) {
        snprintf(text + used, sizeof text - used,
                 "the stack is full: a function calls itself too deeply, or keeps too "
                 "much at once");
    } else if (worker->failure == CUDA_ERROR_ILLEGAL_ADDRESS && worker->untold) {
        snprintf(text + used, sizeof text - used,
                 "invalid access, misaligned or at an address that no memory can have: "
                 "the processor does not say where");
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
        hd_context_set_error(work->stream->object.context,
                             work->harmless ? CUDA_SUCCESS : worker->failure, text);
    }
    hd_unlock();
}

typedef enum { DONE, FAILED, MOVED, ENDED } outcome;

/* Runs the pieces. If they have moved meanwhile, the frame of the caller is another
   thread's, and this must not return to it. */
static void run_pieces(hd_worker *worker)
{
    worker->work->run(worker->work, worker, worker->first, worker->last);
    if (worker->moved)
        hd_worker_leave_unlocked(worker, HD_JUMP_DONE);
}

/* Runs the worker's pieces, or continues them if they have moved to this thread. The
   worker describes a failure. */
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
           : worker->why == HD_JUMP_ENDED ? ENDED
                                          : FAILED;
}

/* The same; goes on behind pieces that have ended themselves. */
static outcome run_ranges(hd_work *work, hd_worker *worker, bool may_move)
{
    uint64_t first = worker->first;
    outcome outcome = run_range(work, worker, may_move);

    while (outcome == ENDED || (outcome == FAILED && worker->signal != 0 &&
                                work->caught && work->caught(work, worker))) {
        worker->moved = false;
        worker->first = worker->ended + 1;
        outcome =
            worker->first < worker->last ? run_range(work, worker, may_move) : DONE;
    }
    if (outcome == DONE)
        worker->first = first;
    return outcome;
}

/* Whether how long it takes is to be measured. Of runs that are watched and known to
   take a moment, every fourth is: reading the clock takes as long as some kernels. */
static bool is_timed(const hd_work *work, const hd_worker *worker, bool alone)
{
    uint64_t piece =
        work->piece_ns ? atomic_load_explicit(work->piece_ns, memory_order_relaxed) : 0;

    return !alone || !worker->watched || hd_faults_unguarded || worker->turn % 4 == 0 ||
           work->pieces * piece > HD_RANGE_NANOSECONDS;
}

bool hd_worker_run_unlocked(hd_worker *worker, hd_work *work, bool alone,
                            uint64_t budget)
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
    while (outcome == DONE && hd_ranges_take_unlocked(work, alone, worker->share,
                                                      &worker->first, &worker->last)) {
        if (atomic_load_explicit(&work->cancelled, memory_order_relaxed)) {
            atomic_store(&work->taken, work->pieces);
            break;
        }
        outcome = run_ranges(work, worker, may_move);
        if (outcome == FAILED)
            fail(work, worker);
        if (outcome == MOVED)
            learn(work->piece_ns, HD_MIGRATION_NANOSECONDS, 1);
        if (outcome != DONE || !timed || (!work->piece_ns && budget == UINT64_MAX))
            continue;
        uint64_t now = hd_nanoseconds_unlocked();
        if (work->piece_ns)
            learn(work->piece_ns, now - before, worker->last - worker->first);
        if (now - start > budget)
            break;
        before = now;
    }
    thread->worker = NULL;
    return outcome == MOVED;
}

void hd_worker_resume_unlocked(hd_worker *worker)
{
    hd_work *work = worker->work;
    outcome outcome = DONE;
    uint64_t start = hd_nanoseconds_unlocked();

    hd_faults_start_thread_unlocked(hd_self);
    hd_self->worker = worker;
    if (!atomic_load(&work->cancelled))
        outcome = run_ranges(work, worker, false);
    if (outcome == FAILED)
        fail(work, worker);
    if (work->piece_ns)
        learn(work->piece_ns, hd_nanoseconds_unlocked() - start, 1);
    hd_self->worker = NULL;
    worker->moved = false;
}
