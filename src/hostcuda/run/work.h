/* Work: what streams queue and threads run. Kernels, copies, fills and host functions
   are all pieces of work; each family has a record of its own, which begins with this
   one. And the streams that hold it, as far as all of this folder sees them. */
#ifndef HOSTCUDA_WORK_H
#define HOSTCUDA_WORK_H

#include "hostcuda/core/process.h"

typedef struct hd_worker hd_worker;
typedef struct hd_stream hd_stream;
typedef struct hd_work hd_work;
typedef struct hd_point hd_point;
typedef struct hd_shares hd_shares;

/* Runs pieces first..last-1; several threads may run it at once, for other pieces. */
typedef void hd_run(hd_work *work, hd_worker *worker, uint64_t first, uint64_t last);

typedef enum {
    HD_PIECES, /* run by any number of threads, in index order if it spins */
    HD_RECORD, /* reaches `point` */
    HD_WAIT,   /* waits for `point` */
    HD_CALL,   /* `call` runs on the thread for host functions */
} hd_work_kind;

/* The first member of each family's own record, which is malloc'ed whole. */
struct hd_work {
    size_t size;          /* bytes of the whole record */
    CUgraphNodeType node; /* the type of its node in a graph */
    hd_work *next;        /* owned: behind it in its stream */
    hd_stream *stream;    /* borrowed: lives until its queue is empty */
    uint64_t serial;      /* order of submission in the whole process */
    hd_work_kind kind;
    bool started;
    bool spins;      /* may wait for other work: never run in the thread that submits */
    uint8_t floats;  /* HD_FLOATS_...: how its pieces compute, see float_control.h */
    bool harmless;   /* a failure is reported to the waiting caller alone */
    CUresult status; /* why it failed */
    hd_thread *waiters;  /* borrowed: threads that wait for its end */
    hd_work *ready_next; /* borrowed: in the pool's list of its kind */
    bool published;
    /* HD_PIECES */
    char before[HD_LINE];   /* the next two are written while others read the rest */
    _Atomic uint64_t taken; /* pieces handed out; of shares, when all are */
    unsigned runners;       /* threads that are in it */
    char behind[HD_LINE];
    hd_shares *shares; /* owned while published: see ranges.c; NULL: there are none */
    hd_run *run;
    uint64_t pieces, least,
        most;               /* pieces in all; the fewest and most to take at once */
    _Atomic bool cancelled; /* failed: pieces that spin end themselves */
    _Atomic uint32_t
        *piece_ns; /* borrowed: recent time of a piece, 0 unknown; may be NULL */
    const char *code, *code_end; /* generated: pieces may move out of it; or NULL */
    void (*describe)(hd_work *, hd_worker *, char *text,
                     size_t size); /* "kernel k, block ..." */
    /* A piece has met a fault: whether that piece alone ends for it, or NULL. */
    bool (*caught)(hd_work *, hd_worker *);
    /* HD_RECORD and HD_WAIT; HD_CALL */
    hd_point *point; /* counted */
    void (*call)(hd_work *, CUresult status);
};

/* A point in the order of a stream, to which an event refers after a record. */
struct hd_point {
    unsigned refs;
    bool reached;
    uint64_t nanoseconds;    /* when it was reached */
    uint64_t stream, serial; /* where it is recorded: the stream's id, the order */
    hd_work *record;         /* borrowed: the work that will reach it */
    hd_stream *waiting;      /* borrowed: streams whose first work waits for it */
};

/* A point in a stream, told by numbers: the stream may be gone. */
typedef struct {
    uint64_t stream, serial;
} hd_mark;

struct hd_stream {
    hd_object object;
    hd_stream *next;         /* streams of the context */
    hd_work *head, *tail;    /* owned: the queue, the running one first */
    hd_stream *due_next;     /* in the list of streams to look at, see queues.c */
    hd_stream *waiting_next; /* in hd_point.waiting */
    hd_mark follows[4];      /* the last points that it was made to wait for */
    unsigned nfollows;       /* in all; they are a ring */
    bool due, waiting;
    bool released; /* destroyed by the user: freed when it is empty */
    unsigned flags;
    int priority;
    CUsynchronizationPolicy policy; /* as set, or 0 */
    uint64_t id;
    hd_thread *owner;             /* borrowed: of a per-thread default stream */
    struct hd_captured *captured; /* owned: see captures.h; NULL: it is not captured */
};

#endif
