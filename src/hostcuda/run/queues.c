/* The engine behind streams.

   A stream is a queue whose first work is the one that runs, or is to run next. When
   work ends, the streams that it may have held up are put on the list of due streams,
   and `start_due` takes one after the other from it: it starts the stream's first work,
   and removes markers (records and waits) that need not wait any more. All order comes
   from serial numbers, given under the lock at submission:
     - work of a blocking stream starts when the legacy stream has nothing older left,
     - work of the legacy stream starts when no blocking stream has anything older left.
   Work on an idle stream that is known to be short runs in the submitting thread. */
#include "queues.h"
#include "thread_pool.h"
#include "waits.h"

/* Work that is known to take less runs in the submitting thread; the rest of it goes to
   the pool after this time. About the cost of waking a thread. */
#define SHORT_NANOSECONDS 20000

static hd_stream *due; /* borrowed: streams that may be able to go on */
static const hd_capture_hooks *capture;

static void start_due(void);

void hd_queues_set_capture(const hd_capture_hooks *hooks)
{
    capture = hooks;
}

/* -- Streams ----------------------------------------------------------------------- */

void hd_stream_init(hd_stream *stream, hd_context *context, unsigned flags,
                    int priority)
{
    stream->object.kind = HD_STREAM;
    stream->object.context = context;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = ++hd.serial;
    stream->next = context->streams;
    context->streams = stream;
}

static void stream_free(hd_stream *stream)
{
    HD_UNLINK(stream->object.context->streams, stream, next);
    free(stream);
}

void hd_stream_release(hd_stream *stream)
{
    stream->released = true;
    if (!stream->head && !stream->due)
        stream_free(stream);
}

static CUresult per_thread_stream(hd_context *context, hd_stream **stream)
{
    for (*stream = context->streams; *stream; *stream = (*stream)->next) {
        if ((*stream)->owner == hd_self)
            return CUDA_SUCCESS;
    }
    *stream = calloc(1, sizeof **stream);
    if (!*stream)
        return CUDA_ERROR_OUT_OF_MEMORY;
    hd_stream_init(*stream, context, CU_STREAM_DEFAULT, 0);
    (*stream)->owner = hd_self;
    return CUDA_SUCCESS;
}

CUresult hd_stream_find(CUstream handle, hd_stream **stream)
{
    if (!handle || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
        hd_context *context = NULL;
        HD_TRY(hd_context_current(&context));
        if (handle == CU_STREAM_PER_THREAD)
            return per_thread_stream(context, stream);
        *stream = &context->legacy;
        return CUDA_SUCCESS;
    }
    HD_TRY(hd_handle_find(HD_STREAM, handle, stream));
    return hd_context_status((*stream)->object.context);
}

/* Whether the context is the current one, and in order. */
static bool is_current(const hd_context *context)
{
    return hd_self->depth > 0 &&
           hd_self->stack[hd_self->depth - 1] == context->object.handle &&
           context->alive && context->error == CUDA_SUCCESS;
}

CUresult hd_stream_find_in(hd_context *context, CUstream handle, hd_stream **stream)
{
    if (!handle && is_current(context)) { /* as nearly always: no handle to look up */
        *stream = &context->legacy;
        return CUDA_SUCCESS;
    }
    HD_TRY(hd_stream_find(handle, stream));
    HD_FAIL_IF((*stream)->object.context != context, CUDA_ERROR_INVALID_HANDLE,
               "the stream belongs to another context than the current one");
    return CUDA_SUCCESS;
}

/* -- Order ------------------------------------------------------------------------- */

static bool blocking(const hd_stream *stream)
{
    return (stream->flags & CU_STREAM_NON_BLOCKING) == 0;
}

/* Whether the legacy default stream lets work with this serial start in the stream. */
static bool in_order(const hd_stream *stream, uint64_t serial)
{
    const hd_context *context = stream->object.context;

    if (stream != &context->legacy)
        return !blocking(stream) || !context->legacy.head ||
               context->legacy.head->serial > serial;
    for (const hd_stream *other = context->streams; other; other = other->next) {
        if (other != stream && blocking(other) && other->head &&
            other->head->serial < serial)
            return false;
    }
    return true;
}

static void make_due(hd_stream *stream)
{
    if (stream->due)
        return;
    stream->due = true;
    stream->due_next = due;
    due = stream;
}

/* Removes the first work of the stream, and puts the streams that it held up on the
   list of due ones. */
static void pop_first(hd_stream *stream)
{
    hd_context *context = stream->object.context;

    stream->head = stream->head->next;
    if (!stream->head)
        stream->tail = NULL;
    if (stream->head || stream->released)
        make_due(stream);
    if (stream == &context->legacy) {
        for (hd_stream *other = context->streams; other; other = other->next) {
            if (blocking(other) && other->head)
                make_due(other);
        }
    } else if (blocking(stream) && context->legacy.head) {
        make_due(&context->legacy);
    }
}

/* Work that has ended, for hd_work_create: a launch allocates nothing then. */
static hd_work *spare;

enum { SPARE_BYTES = 1024 }; /* of a record that is kept, at most */

/* Keeps the larger of the record and the spare one. */
static void work_keep(hd_work *work)
{
    if (work->size <= SPARE_BYTES && (!spare || work->size > spare->size)) {
        hd_work *less = spare;
        spare = work;
        work = less;
    }
    free(work);
}

static void end_work(hd_work *work)
{
    if (work->waiters)
        hd_waiters_wake(work);
    if (work->point)
        hd_point_release(work->point);
    pop_first(work->stream);
    work_keep(work);
}

void hd_work_finish(hd_work *work)
{
    end_work(work);
    start_due();
}

/* -- Points ------------------------------------------------------------------------ */

void hd_point_release(hd_point *point)
{
    if (--point->refs == 0)
        free(point);
}

static void point_reach(hd_point *point)
{
    point->reached = true;
    point->nanoseconds = hd_nanoseconds_unlocked();
    point->record = NULL;
    for (hd_stream *stream = point->waiting, *next = NULL; stream; stream = next) {
        next = stream->waiting_next;
        stream->waiting = false;
        make_due(stream);
    }
    point->waiting = NULL;
}

/* -- Starting work ----------------------------------------------------------------- */

/* Starts as much of the stream's queue as can start now. */
static void advance_stream(hd_stream *stream)
{
    hd_context *context = stream->object.context;

    while (stream->head && !stream->head->started && !stream->waiting &&
           in_order(stream, stream->head->serial)) {
        hd_work *work = stream->head;
        bool failed = context->error != CUDA_SUCCESS;
        switch (work->kind) {
        case HD_PIECES:
            if (failed || atomic_load(&work->cancelled)) {
                work->status = context->error;
                end_work(work);
            } else {
                work->started = true;
                hd_pool_publish(work);
            }
            break;
        case HD_RECORD:
            point_reach(work->point);
            end_work(work);
            break;
        case HD_WAIT:
            if (work->point->reached || failed) {
                end_work(work);
            } else {
                stream->waiting = true;
                stream->waiting_next = work->point->waiting;
                work->point->waiting = stream;
            }
            break;
        case HD_CALL:
            work->started = true;
            work->status = context->error;
            if (!hd_pool_call(work)) {
                hd_context_set_error(context, CUDA_ERROR_OPERATING_SYSTEM,
                                     "no thread could be started for a host function");
                end_work(work);
            }
            break;
        }
    }
}

static void start_due(void)
{
    while (due) {
        hd_stream *stream = due;
        due = stream->due_next;
        advance_stream(stream);
        stream->due = false;
        if (!stream->head && stream->released)
            stream_free(stream);
    }
}

/* -- Submission -------------------------------------------------------------------- */

CUresult hd_work_create(size_t size, hd_run *run, uint64_t pieces, void *work)
{
    hd_work *made = spare;

    size = (size + 255) & ~(size_t)255; /* few sizes, so that the spare one fits */
    if (made && made->size >= size)
        spare = NULL;
    else
        made = malloc(size);
    HD_FAIL_IF(!made, CUDA_ERROR_OUT_OF_MEMORY, "no memory to queue work");
    memset(made, 0, size);
    made->size = size;
    made->run = run;
    made->pieces = pieces;
    made->least = made->most = 1;
    *(hd_work **)work = made;
    return CUDA_SUCCESS;
}

/* Whether all of the work is known to take less time than waking a thread for it. */
static bool is_short(const hd_work *work)
{
    const hd_context *context = work->stream->object.context;

    if (!work->piece_ns)
        return work->pieces <= work->most;
    uint64_t piece = atomic_load_explicit(work->piece_ns, memory_order_relaxed);
    return !work->spins && piece != 0 && work->pieces <= SHORT_NANOSECONDS &&
           work->pieces * piece <= SHORT_NANOSECONDS &&
           context->printed_size <= context->limits[CU_LIMIT_PRINTF_FIFO_SIZE];
}

CUresult hd_submit(hd_stream *stream, hd_work *work, hd_submit_mode mode)
{
    bool idle = !stream->head;

    if (capture) {
        if (stream->captured)
            return capture->take(stream, work);
        HD_TRY_OR(capture->allows(stream), free(work));
    }
    if (mode == HD_FINISH)
        HD_TRY_OR(hd_may_wait(), free(work));
    work->stream = stream;
    work->serial = ++hd.serial;
    if (idle)
        stream->head = work;
    else
        stream->tail->next = work;
    stream->tail = work;
    if (mode == HD_FINISH)
        hd_wait_begin(work);
    if (idle && mode != HD_QUEUE && is_short(work) && in_order(stream, work->serial)) {
        work->started = true;
        hd_pool_run_here(work, mode == HD_FINISH ? UINT64_MAX : SHORT_NANOSECONDS);
    } else if (idle) {
        make_due(stream);
        start_due();
    }
    return mode == HD_FINISH ? hd_wait_end(work, true) : CUDA_SUCCESS;
}

CUresult hd_submit_record(hd_stream *stream, hd_point *point)
{
    hd_work *work = NULL;

    point->stream = stream->id;
    if (!stream->head && in_order(stream, UINT64_MAX)) {
        point_reach(point);
        hd_point_release(point);
        return CUDA_SUCCESS;
    }
    HD_TRY_OR(hd_work_create(sizeof *work, NULL, 0, &work), hd_point_release(point));
    work->kind = HD_RECORD;
    work->point = point;
    point->record = work;
    point->serial = hd.serial + 1;
    return hd_submit(stream, work, HD_QUEUE);
}

CUresult hd_submit_wait(hd_stream *stream, hd_point *point)
{
    hd_work *work = NULL;

    if (point->reached)
        return CUDA_SUCCESS;
    HD_TRY(hd_work_create(sizeof *work, NULL, 0, &work));
    work->kind = HD_WAIT;
    work->point = point;
    point->refs++;
    stream->follows[stream->nfollows++ % 4] = (hd_mark){point->stream, point->serial};
    return hd_submit(stream, work, HD_QUEUE);
}

bool hd_stream_follows(const hd_stream *stream, const hd_point *point)
{
    for (unsigned i = 0; i < 4; i++) {
        if (stream->follows[i].stream == point->stream &&
            stream->follows[i].serial > point->serial)
            return true;
    }
    return false;
}

CUresult hd_point_record(hd_point **last, hd_stream *stream)
{
    hd_point *point = *last;
    if (!point || point->refs > 1) {
        point = malloc(sizeof *point);
        if (!point)
            return CUDA_ERROR_OUT_OF_MEMORY;
        if (*last)
            hd_point_release(*last);
        *last = point;
    }
    *point = (hd_point){.refs = 2};
    return hd_submit_record(stream, point);
}

void hd_queues_start(void)
{
    hd_pool_start(hd_work_finish);
}
