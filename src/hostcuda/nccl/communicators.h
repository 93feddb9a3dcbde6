/* Communicators, and the work that their ranks do in streams. */
#ifndef HOSTCUDA_COMMUNICATORS_H
#define HOSTCUDA_COMMUNICATORS_H

#include "collectives.h"
#include "hostcuda/run/queues.h"

struct ncclComm {
    struct ncclComm *next; /* of the process */
    hd_ranks ranks;
    hd_context *context; /* borrowed: a record is there always */
    uint64_t context_id; /* of the context; another one: it is gone */
    unsigned pending;    /* pieces of work that may use it */
    bool is_ended;       /* by the user; freed when none is pending */
    uint64_t issued;     /* work so far */
    _Atomic uint64_t done;
};

/* Joins the ranks of an id, in the current context, without waiting for others. */
CUresult hd_comm_create(const ncclUniqueId *id, int size, int rank,
                        struct ncclComm **comm);
/* Fails unless it is a communicator that has not ended. */
CUresult hd_comm_check(const struct ncclComm *comm);
/* The stream of a handle; the default one is that of the communicator's context, which
   need not be current. */
CUresult hd_comm_stream(const struct ncclComm *comm, CUstream handle,
                        hd_stream **stream);
/* stops: what is under way ends, and others that wait for this rank fail. */
void hd_comm_end(struct ncclComm *comm, bool stops);
/* Enqueues what is asked of the rank, in that order, messages last and all at once. */
CUresult hd_comm_submit(struct ncclComm *comm, hd_stream *stream,
                        const hd_collective *asked, unsigned count);

#endif
