/* Collective operations of one rank: what it does of each, in the memory that the ranks
   share. */
#ifndef HOSTCUDA_COLLECTIVES_H
#define HOSTCUDA_COLLECTIVES_H

#include "ranks.h"

typedef enum {
    HD_ALL_REDUCE,
    HD_BROADCAST,
    HD_REDUCE,
    HD_ALL_GATHER,
    HD_REDUCE_SCATTER,
    HD_SEND,
    HD_RECEIVE,
} hd_collective_kind;

typedef struct {
    hd_request request; /* count: of elements that a rank gives or gets, as NCCL has it;
                           root: also the peer */
    const char *from;   /* NULL: HD_RECEIVE */
    char *to;           /* NULL: HD_SEND */
    uint64_t moved;     /* bytes of a message that were sent or received */
} hd_collective;

/* False: it failed, or the rank was stopped. */
bool hd_collective_run_unlocked(hd_ranks *ranks, hd_collective *asked);
/* The messages among them, all at once; those to or from one rank in order. */
bool hd_messages_run_unlocked(hd_ranks *ranks, hd_collective *asked, unsigned count);

#endif
