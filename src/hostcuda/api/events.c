/* Events. An event is a name for the point of its last record: recording again gives it
   a new point, and waits for the old one are not disturbed. */
#include "captures.h"
#include "entry.h"
#include "events.h"
#include "hostcuda/run/waits.h"

static void event_destroy(hd_object *object)
{
    hd_event *event = (hd_event *)object;

    if (event->point)
        hd_point_release(event->point);
    hd_nodes_clear(&event->dependencies);
    hd_child_destroy(object);
}

CUresult cuEventCreate(CUevent *handle, unsigned int flags)
{
    const unsigned known =
        CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    hd_event *event = NULL;
    HD_ENTER_CONTEXT(context);
    HD_REFUSE_IF((flags & ~known) != 0 ||
                     (flags & (CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING)) ==
                         CU_EVENT_INTERPROCESS,
                 "0x%x are no flags of an event", flags);
    HD_NEED(handle);
    HD_TRY(hd_child_create(context, HD_EVENT, sizeof *event, event_destroy, &event));
    event->flags = flags;
    *handle = event->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent handle)
{
    HD_ENTER();
    return hd_child_end(HD_EVENT, handle);
}

CUresult cuEventRecordWithFlags(CUevent handle, CUstream stream_handle,
                                unsigned int flags)
{
    HD_ENTER_FIND(hd_event, event, HD_EVENT, handle);
    hd_stream *stream = NULL;
    HD_TRY(hd_stream_find(stream_handle, &stream));
    HD_NEED(flags <= CU_EVENT_RECORD_EXTERNAL);
    if (stream->captured)
        return hd_capture_record(stream, event, flags == CU_EVENT_RECORD_EXTERNAL);
    HD_REFUSE_IF(flags != CU_EVENT_RECORD_DEFAULT,
                 "external records exist in captured streams only");
    HD_TRY(hd_capture_allows(stream));
    return hd_event_record(event, stream);
}

CUresult hd_event_record(hd_event *event, hd_stream *stream)
{
    HD_FAIL_IF(stream->object.context != event->object.context,
               CUDA_ERROR_INVALID_HANDLE,
               "event and stream belong to different contexts");
    event->capture = 0;
    return hd_point_record(&event->point, stream);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT);
}

static CUresult check_uncaptured(const hd_event *event)
{
    HD_FAIL_IF(event->capture != 0, CUDA_ERROR_CAPTURED_EVENT,
               "the event was last recorded in a capture: it is a dependency, "
               "and never happens");
    return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent handle)
{
    HD_ENTER_FIND(hd_event, event, HD_EVENT, handle);
    HD_TRY(hd_context_status(event->object.context));
    HD_TRY(check_uncaptured(event));
    return !event->point || event->point->reached ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent handle)
{
    HD_ENTER_FIND(hd_event, event, HD_EVENT, handle);
    HD_TRY(check_uncaptured(event));
    if (event->point && !event->point->reached)
        return hd_work_wait(event->point->record);
    return hd_context_synchronized(event->object.context);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start_handle,
                            CUevent end_handle)
{
    HD_ENTER_FIND(hd_event, start, HD_EVENT, start_handle);
    HD_FIND(hd_event, end, HD_EVENT, end_handle);
    HD_TRY(hd_context_status(end->object.context));
    HD_TRY(check_uncaptured(start));
    HD_TRY(check_uncaptured(end));
    HD_FAIL_IF((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING,
               CUDA_ERROR_INVALID_HANDLE, "an event was made without timing");
    HD_FAIL_IF(!start->point || !end->point, CUDA_ERROR_INVALID_HANDLE,
               "the %s event was never recorded", !start->point ? "start" : "end");
    if (!start->point->reached || !end->point->reached)
        return CUDA_ERROR_NOT_READY;
    int64_t elapsed = end->point->nanoseconds - start->point->nanoseconds;
    HD_ANSWER(milliseconds, (float)(elapsed * 1e-6));
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end)
{
    return cuEventElapsedTime(milliseconds, start, end);
}

CUresult cuStreamWaitEvent(CUstream stream_handle, CUevent handle, unsigned int flags)
{
    HD_ENTER_FIND(hd_event, event, HD_EVENT, handle);
    hd_stream *stream = NULL;
    HD_TRY(hd_stream_find(stream_handle, &stream));
    HD_NEED(flags <= CU_EVENT_WAIT_EXTERNAL);
    if (stream->captured || event->capture != 0)
        return hd_capture_wait(stream, event, flags == CU_EVENT_WAIT_EXTERNAL);
    HD_REFUSE_IF(flags != CU_EVENT_WAIT_DEFAULT,
                 "external waits exist in captured streams only");
    HD_TRY(hd_capture_allows(stream));
    return !event->point ? CUDA_SUCCESS : hd_submit_wait(stream, event->point);
}
