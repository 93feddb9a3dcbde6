/* Communicators, and the work that their ranks do in streams. What is asked of a rank
   is done in the order in which it was asked, whatever the streams. Work waits for
   other ranks as kernels do for other blocks: in a thread that lets others run in its
   place. */
#include "communicators.h"

#include <sched.h>

#include "hostcuda/run/thread_pool.h"

static struct ncclComm *comms; /* owned: all, in no order */

typedef struct {
    hd_work work;
    struct ncclComm *comm; /* counted by its `pending` */
    uint64_t turn;         /* of that communicator's work */
    unsigned count;
    hd_collective asked[];
} rank_work;

static void release(struct ncclComm *comm)
{
    if (!comm->is_ended || comm->pending > 0)
        return;
    hd_ranks_leave(&comm->ranks);
    hd_ranks_end(&comm->ranks);
    HD_UNLINK(comms, comm, next);
    free(comm);
}

CUresult hd_comm_create(const ncclUniqueId *id, int size, int rank,
                        struct ncclComm **comm)
{
    hd_context *context;

    HD_TRY(hd_context_current(&context));
    struct ncclComm *made = calloc(1, sizeof *made);
    HD_FAIL_IF(!made, CUDA_ERROR_OUT_OF_MEMORY, "no memory for a communicator");
    HD_TRY_OR(hd_ranks_join(id, size, rank, context->device->ordinal, &made->ranks),
              free(made));
    made->context = context;
    made->context_id = context->id;
    made->next = comms;
    comms = *comm = made;
    return CUDA_SUCCESS;
}

CUresult hd_comm_check(const struct ncclComm *comm)
{
    const struct ncclComm *known = comms;

    while (known && known != comm)
        known = known->next;
    HD_REFUSE_IF(!known || known->is_ended, "%p is no communicator, or was destroyed",
                 (const void *)comm);
    HD_FAIL_IF(!comm->context->alive || comm->context->id != comm->context_id,
               CUDA_ERROR_CONTEXT_IS_DESTROYED,
               "the context of the communicator was destroyed");
    const char *failure = hd_ranks_failure_unlocked(&comm->ranks);
    HD_FAIL_IF(failure, CUDA_ERROR_UNKNOWN, "%s", failure);
    return CUDA_SUCCESS;
}

CUresult hd_comm_stream(const struct ncclComm *comm, CUstream handle,
                        hd_stream **stream)
{
    if (handle && handle != CU_STREAM_LEGACY)
        return hd_stream_find_in(comm->context, handle, stream);
    *stream = &comm->context->legacy;
    return hd_context_status(comm->context);
}

void hd_comm_end(struct ncclComm *comm, bool stops)
{
    comm->is_ended = true;
    /* Work of a context that is gone, or in error, may have been dropped. */
    stops |= !comm->context->alive || comm->context->id != comm->context_id ||
             comm->context->error != CUDA_SUCCESS;
    if (stops) {
        atomic_store(&comm->ranks.is_stopped, true);
        hd_ranks_leave(&comm->ranks);
    }
    release(comm);
}

/* -- Work ----------------------------------------------------------------------------
 */

/* Whether the communicator's earlier work is done; else it will not be. */
static bool wait_for_turn(rank_work *job)
{
    const hd_ranks *ranks = &job->comm->ranks;

    while (atomic_load(&job->comm->done) != job->turn) {
        if (atomic_load(&job->work.cancelled))
            hd_ranks_fail_unlocked(ranks, "the context of rank %d met an error",
                                   ranks->rank);
        if (hd_ranks_failure_unlocked(ranks) || atomic_load(&ranks->is_stopped))
            return false;
        sched_yield();
    }
    return true;
}

static bool run_all(rank_work *job)
{
    hd_ranks *ranks = &job->comm->ranks;

    if (!wait_for_turn(job))
        return false;
    ranks->cancelled = &job->work.cancelled;
    for (unsigned i = 0; i < job->count; i++)
        if (job->asked[i].request.kind < HD_SEND &&
            !hd_collective_run_unlocked(ranks, &job->asked[i]))
            return false;
    return hd_messages_run_unlocked(ranks, job->asked, job->count);
}

static void run_work(hd_work *work, hd_worker *worker, uint64_t first, uint64_t last)
{
    rank_work *job = (rank_work *)work;
    struct ncclComm *comm = job->comm;
    char text[HD_DETAIL] = "";

    hd_pool_step_aside_unlocked(worker);
    bool done = run_all(job);
    const char *failure = hd_ranks_failure_unlocked(&comm->ranks);
    if (!done && failure && !atomic_load(&comm->ranks.is_stopped))
        memcpy(text, failure, sizeof text);
    atomic_store(&comm->done, job->turn + 1);
    hd_lock();
    comm->pending--;
    release(comm);
    hd_unlock();
    if (text[0])
        hd_worker_abort_unlocked(worker, CUDA_ERROR_LAUNCH_FAILED, "%s", text);
}

static void describe(hd_work *work, hd_worker *worker, char *text, size_t size)
{
    snprintf(text, size, "collective operation: ");
}

CUresult hd_comm_submit(struct ncclComm *comm, hd_stream *stream,
                        const hd_collective *asked, unsigned count)
{
    rank_work *job = NULL;

    HD_TRY(hd_work_create(sizeof *job + count * sizeof *asked, run_work, 1, &job));
    job->work.describe = describe;
    job->work.spins = true;
    job->comm = comm;
    job->count = count;
    memcpy(job->asked, asked, count * sizeof *asked);
    job->turn = comm->issued++;
    comm->pending++;
    HD_TRY_OR(hd_submit(stream, &job->work, HD_QUEUE),
              (comm->issued--, comm->pending--));
    return CUDA_SUCCESS;
}
