/* The ranks of a communicator, in one process or in several: memory that all of them
   see, and how they wait for each other in it. */
#ifndef HOSTCUDA_RANKS_H
#define HOSTCUDA_RANKS_H

#include "cuda/nccl.h"
#include "hostcuda/core/process.h"

enum {
    HD_RANKS_MOST = 64,
    HD_RANKS_CHUNK = 128 << 10, /* bytes that a rank gives to others at a time */
    HD_RANKS_BOX = 32 << 10,    /* the same, to one other */
};

/* What a rank asks of all; those of all ranks have to be equal. */
typedef struct {
    uint32_t kind, type, operation;
    int root;
    uint64_t count;
} hd_request;

/* Mail from one rank to another. */
typedef struct {
    _Atomic uint32_t is_full;
    uint32_t bytes;
    uint64_t total; /* of the message that these bytes are a part of */
    char data[HD_RANKS_BOX];
} hd_box;

typedef struct hd_ranks_shared hd_ranks_shared;
typedef struct {
    hd_ranks_shared *shared; /* owned: a mapping of this rank's own */
    size_t bytes;
    int size, rank;
    uint64_t barriers;       /* that this rank has come to */
    _Atomic bool is_stopped; /* what it waits in is to end, without a failure */
    _Atomic bool *cancelled; /* borrowed: of the work that it waits in */
} hd_ranks;

/* A new id, whose memory this process keeps until all ranks have joined. */
CUresult hd_ranks_id(ncclUniqueId *id);
/* Joins as that rank on that device, without waiting for others. */
CUresult hd_ranks_join(const ncclUniqueId *id, int size, int rank, int device,
                       hd_ranks *ranks);
/* Waits until all have joined. Drops the lock. NOT_READY: the user gave up. */
CUresult hd_ranks_wait(const hd_ranks *ranks);
/* This rank takes part no longer: others that need it fail. */
void hd_ranks_leave(hd_ranks *ranks);
/* Unmaps the memory. */
void hd_ranks_end(hd_ranks *ranks);

/* Why the ranks can do nothing more together; NULL: they can. */
const char *hd_ranks_failure_unlocked(const hd_ranks *ranks);
/* That is why, unless there is a reason already. */
void hd_ranks_fail_unlocked(const hd_ranks *ranks, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same after hd_ranks_pause_unlocked returned false. */
void hd_ranks_fail_for_unlocked(const hd_ranks *ranks, int peer);
/* A turn of a loop that waits for something that the peer, or any rank if it is
   negative, is to do. False: that will not happen. `turns` begins with 0. */
bool hd_ranks_pause_unlocked(const hd_ranks *ranks, int peer, unsigned *turns);
/* Waits until all ranks have come here; false: they will not. */
bool hd_ranks_meet_unlocked(hd_ranks *ranks);

/* Places in the memory: for what rank number i gives to all, for a result that all
   have, for mail, for what a rank asks. */
char *hd_ranks_slot_unlocked(const hd_ranks *ranks, int i);
char *hd_ranks_result_unlocked(const hd_ranks *ranks);
hd_box *hd_ranks_box_unlocked(const hd_ranks *ranks, int from, int to);
hd_request *hd_ranks_request_unlocked(const hd_ranks *ranks, int i);

#endif
