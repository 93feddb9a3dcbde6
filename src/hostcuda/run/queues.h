/* Streams as queues of work, and everything that orders them: streams run in order, the
   legacy default stream waits for the blocking streams of its context and they for it,
   events make streams wait for each other. Kernels, copies, fills and host functions
   are all pieces of work here. */
#ifndef HOSTCUDA_QUEUES_H
#define HOSTCUDA_QUEUES_H

#include "hostcuda/core/process.h"

typedef struct hd_stream hd_stream;
typedef struct hd_work hd_work;
typedef struct hd_point hd_point;

/* Runs pieces first..last-1; several threads may be in it at once, with others. */
typedef void hd_run(hd_work *work, hd_worker *worker, uint64_t first, uint64_t last);

typedef enum {
    HD_PIECES, /* run by any number of threads, pieces taken in index order */
    HD_RECORD, /* reaches `point` */
    HD_WAIT,   /* waits for `point` */
    HD_CALL,   /* `call` runs on the thread for host functions */
} hd_work_kind;

/* The first member of each family's own record, which is malloc'ed whole. */
struct hd_work {
    size_t size;          /* bytes of the whole record */
    CUgraphNodeType node; /* what it is in a graph, see graphs.h */
    hd_work *next;        /* owned: behind it in its stream */
    hd_stream *stream;    /* borrowed: lives until its queue is empty */
    uint64_t serial;      /* order of submission in the whole process */
    hd_work_kind kind;
    bool started;
    bool spins;      /* may wait for other work: never run in the thread that submits */
    uint8_t floats;  /* HD_FLOATS_...: how its pieces compute, see float_control.h */
    bool harmless;   /* a failure is that of who waits, not the context's */
    CUresult status; /* why it failed */
    hd_thread *waiters;  /* borrowed: threads that wait for its end */
    hd_work *ready_next; /* borrowed: in hd.pool.ready or hd.pool.calls */
    bool published;
    /* HD_PIECES */
    hd_run *run;
    _Atomic uint64_t taken; /* pieces handed out */
    uint64_t pieces, least,
        most;               /* pieces in all; the fewest and most to take at once */
    unsigned runners;       /* threads that are in it */
    _Atomic bool cancelled; /* failed: whoever spins in it gives up */
    _Atomic uint32_t
        *piece_ns; /* borrowed: what a piece took lately, 0 unknown; may be NULL */
    const char *code, *code_end; /* generated: pieces may move out of it; or NULL */
    void (*describe)(hd_work *, hd_worker *, char *text,
                     size_t size); /* "kernel k, block ..." */
    /* the others */
    hd_point *point; /* counted */
    void (*call)(hd_work *, CUresult status);
};

/* A moment in a stream: what an event refers to since its last record. */
struct hd_point {
    unsigned refs;
    bool reached;
    uint64_t nanoseconds;    /* when it was reached */
    uint64_t stream, serial; /* where it is recorded: the stream's id, the order */
    hd_work *record;         /* borrowed: the work that will reach it */
    hd_stream *waiting;      /* borrowed: streams whose first work waits for it */
};

/* A set of nodes of a graph that keeps their order, see graphs.h. */
typedef struct hd_node hd_node;
typedef struct {
    hd_node **list; /* owned */
    size_t count, capacity;
} hd_nodes;

/* A place in a stream. */
typedef struct {
    uint64_t stream, serial;
} hd_mark;

struct hd_stream {
    hd_object object;
    hd_stream *next;         /* streams of the context */
    hd_work *head, *tail;    /* owned: the queue, the running one first */
    hd_stream *due_next;     /* in the list of streams to look at, see queues.c */
    hd_stream *waiting_next; /* in hd_point.waiting */
    hd_mark follows[4];      /* the last points that it was to wait for */
    unsigned nfollows;       /* in all; they are a ring */
    bool due, waiting;
    bool doomed; /* destroyed by the user: goes when it is empty */
    unsigned flags;
    int priority;
    CUsynchronizationPolicy policy; /* as set, or 0 */
    uint64_t id;
    hd_thread *owner;            /* borrowed: of a per-thread default stream */
    struct hd_capture *captured; /* borrowed: tells us when it ends, see captures.c */
    hd_stream *captured_next;    /* streams of the same capture */
    hd_nodes tips;               /* borrowed: what its next captured work waits for */
    CUgraphNode *answer;         /* owned: of cuStreamGetCaptureInfo */
};

typedef enum {
    HD_QUEUE,  /* returns at once */
    HD_BEGIN,  /* the same; short work on an idle stream runs in this thread */
    HD_FINISH, /* returns when it is done, and its status */
} hd_submit_mode;

/* Sets up a stream of the context; it has no handle. */
void hd_stream_init(hd_stream *stream, hd_context *context, unsigned flags,
                    int priority);
/* The stream goes when its queue is empty. */
void hd_stream_doom(hd_stream *stream);
/* The stream of any kind of handle, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD and NULL
   included; its context must be free of errors. */
CUresult hd_stream_find(CUstream handle, hd_stream **stream);
#define HD_FIND_STREAM(handle, stream) \
    hd_stream *stream = NULL;          \
    HD_TRY(hd_stream_find(handle, &stream))
#define HD_ENTER_STREAM(handle, stream) \
    HD_ENTER();                         \
    HD_FIND_STREAM(handle, stream)
/* The same, and it must be of that context. */
CUresult hd_stream_find_in(hd_context *context, CUstream handle, hd_stream **stream);

/* Zeroed work of `size` bytes for hd_submit, or free(), of so many pieces. */
CUresult hd_work_create(size_t size, hd_run *run, uint64_t pieces, void *work);
/* Takes the work over, to run behind all that the stream already has. */
CUresult hd_submit(hd_stream *stream, hd_work *work, hd_submit_mode mode);
/* Ends work that was started; frees it and starts what waited for it. */
void hd_work_finish(hd_work *work);
/* The thread ends, perhaps in the midst of a wait: nobody tells it any more. */
void hd_forget_waiter(hd_thread *thread);
/* Wait for the work, or all that was submitted until now; then hd_context_synchronized.
   Drop the lock: afterwards only contexts are sure to be there still. NOT_READY: the
   user gave up, see cuxSetWaitFunction. */
CUresult hd_work_wait(hd_work *work);
CUresult hd_stream_wait(hd_stream *stream);
CUresult hd_context_wait(hd_context *context);
/* The same whatever the status, before something that the work may use goes. NOT_READY:
   the user gave up, now or in an earlier wait for the same work. */
CUresult hd_context_drain(hd_context *context);
/* The end of every synchronization: shows device printf, answers the status. */
CUresult hd_context_synchronized(hd_context *context);

/* Has the point reached when the stream comes to it; takes over a reference. */
CUresult hd_submit_record(hd_stream *stream, hd_point *point);
CUresult hd_submit_wait(hd_stream *stream, hd_point *point);
void hd_point_release(hd_point *point);
/* Whether the stream's next work waits for the point, as far as is remembered. */
bool hd_stream_follows(const hd_stream *stream, const hd_point *point);

#endif
