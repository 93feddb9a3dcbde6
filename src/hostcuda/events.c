/* Events. An event is a name for the point of its last record: recording again gives it
   a new point, and who waits for the old one is not disturbed. */
#include <stdlib.h>

#include "contexts.h"
#include "events.h"

static CUresult event_find(CUevent handle, hd_event **event)
{
    *event = hd_handle_find(HD_EVENT, handle);
    if (*event == NULL)
        return hd_fail(CUDA_ERROR_INVALID_HANDLE, "%p is not an event", (void *)handle);
    return CUDA_SUCCESS;
}

void hd_event_destroy(hd_event *event)
{
    hd_child_retire(&event->object);
    if (event->point != NULL)
        hd_point_release(event->point);
    free(event);
}

CUresult cuEventCreate(CUevent *handle, unsigned int flags)
{
    HD_ENTER_CONTEXT(context);
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if ((flags & ~(unsigned)(CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING |
                             CU_EVENT_INTERPROCESS)) != 0 ||
        (flags & (CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING)) ==
            CU_EVENT_INTERPROCESS)
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "0x%x are no flags of an event",
                       flags);
    hd_event *event = calloc(1, sizeof *event);
    if (event == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult status = hd_child_create(context, HD_EVENT, &event->object);
    if (status != CUDA_SUCCESS) {
        free(event);
        return status;
    }
    event->flags = flags;
    *handle = event->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent handle)
{
    hd_event *event = NULL;

    HD_ENTER();
    HD_TRY(event_find(handle, &event));
    hd_event_destroy(event);
    return CUDA_SUCCESS;
}

static CUresult record(CUevent handle, CUstream stream_handle)
{
    hd_event *event = NULL;
    hd_stream *stream = NULL;

    HD_TRY(event_find(handle, &event));
    HD_TRY(hd_stream_find(stream_handle, &stream));
    if (stream->object.context != event->object.context)
        return hd_fail(CUDA_ERROR_INVALID_HANDLE,
                       "event and stream belong to different contexts");
    hd_point *point = event->point;
    if (point == NULL || point->refs > 1) {
        point = malloc(sizeof *point);
        if (point == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        if (event->point != NULL)
            hd_point_release(event->point);
        event->point = point;
    }
    *point = (hd_point){.refs = 2};
    return hd_submit_record(stream, point);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    HD_ENTER();
    return record(event, stream);
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    HD_ENTER();
    if (flags != CU_EVENT_RECORD_DEFAULT)
        return hd_fail(CUDA_ERROR_INVALID_VALUE,
                       "0x%x: external records exist in captured streams only", flags);
    return record(event, stream);
}

CUresult cuEventQuery(CUevent handle)
{
    hd_event *event = NULL;

    HD_ENTER();
    HD_TRY(event_find(handle, &event));
    HD_TRY(hd_context_status(event->object.context));
    return event->point == NULL || event->point->reached ? CUDA_SUCCESS
                                                         : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent handle)
{
    hd_event *event = NULL;

    HD_ENTER();
    HD_TRY(event_find(handle, &event));
    hd_context *context = event->object.context;
    if (event->point != NULL && !event->point->reached)
        return hd_work_wait(event->point->record);
    return hd_context_settled(context);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    hd_event *events[2] = {NULL, NULL};

    HD_ENTER();
    if (milliseconds == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    HD_TRY(event_find(start, &events[0]));
    HD_TRY(event_find(end, &events[1]));
    for (int i = 0; i < 2; i++) {
        HD_TRY(hd_context_status(events[i]->object.context));
        if (events[i]->flags & CU_EVENT_DISABLE_TIMING)
            return hd_fail(CUDA_ERROR_INVALID_HANDLE,
                           "the %s event does not take the time",
                           i == 0 ? "start" : "end");
        if (events[i]->point == NULL)
            return hd_fail(CUDA_ERROR_INVALID_HANDLE, "the %s event was never recorded",
                           i == 0 ? "start" : "end");
        if (!events[i]->point->reached)
            return CUDA_ERROR_NOT_READY;
    }
    int64_t elapsed = events[1]->point->nanoseconds - events[0]->point->nanoseconds;
    *milliseconds = (float)(elapsed * 1e-6);
    return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned int flags)
{
    hd_event *event = NULL;
    hd_stream *stream = NULL;

    HD_ENTER();
    if (flags != CU_EVENT_WAIT_DEFAULT)
        return hd_fail(CUDA_ERROR_INVALID_VALUE,
                       "0x%x: external waits exist in captured streams only", flags);
    HD_TRY(hd_stream_find(handle, &stream));
    HD_TRY(event_find(event_handle, &event));
    return event->point == NULL ? CUDA_SUCCESS : hd_submit_wait(stream, event->point);
}
