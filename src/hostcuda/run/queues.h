/* Streams as queues of work, and everything that orders them: streams run in order, the
   legacy default stream waits for the blocking streams of its context and they for it,
   events make streams wait for each other. */
#ifndef HOSTCUDA_QUEUES_H
#define HOSTCUDA_QUEUES_H

#include "context_state.h"

/* Registered by captures.c while any stream is being captured. */
typedef struct {
    /* Takes work over that is submitted to a captured stream. */
    CUresult (*take)(hd_stream *stream, hd_work *work);
    /* Fails where work of this stream, which is not captured, would disturb others. */
    CUresult (*allows)(hd_stream *stream);
} hd_capture_hooks;
/* NULL: no stream is being captured. */
void hd_queues_set_capture(const hd_capture_hooks *hooks);
void hd_queues_start(void);

typedef enum {
    HD_QUEUE,  /* returns at once */
    HD_BEGIN,  /* the same; short work on an idle stream runs in this thread */
    HD_FINISH, /* returns when it is done, and its status */
} hd_submit_mode;

/* Sets up a stream of the context; it has no handle. */
void hd_stream_init(hd_stream *stream, hd_context *context, unsigned flags,
                    int priority);
/* Frees the stream as soon as its queue is empty. */
void hd_stream_release(hd_stream *stream);
/* The stream of any kind of handle, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD and NULL
   included; its context must be free of errors. */
CUresult hd_stream_find(CUstream handle, hd_stream **stream);
/* The same, and it must be of that context. */
CUresult hd_stream_find_in(hd_context *context, CUstream handle, hd_stream **stream);

/* Zeroed work of `size` bytes for hd_submit, or free(), of so many pieces. */
CUresult hd_work_create(size_t size, hd_run *run, uint64_t pieces, void *work);
/* Takes the work over, to run behind all that the stream already has. */
CUresult hd_submit(hd_stream *stream, hd_work *work, hd_submit_mode mode);
/* Has the point reached when the stream comes to it; takes over a reference. */
CUresult hd_submit_record(hd_stream *stream, hd_point *point);
CUresult hd_submit_wait(hd_stream *stream, hd_point *point);
/* The same with a new point, which replaces the last one; that may be NULL. */
CUresult hd_point_record(hd_point **last, hd_stream *stream);
void hd_point_release(hd_point *point);
/* Whether the stream's next work is known to be ordered after the point. */
bool hd_stream_follows(const hd_stream *stream, const hd_point *point);

#endif
