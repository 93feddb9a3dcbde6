/* The entry points about streams; what they do is in queues.c. */
#include "captures.h"
#include "entry.h"
#include "hostcuda/run/waits.h"

#define PRIORITY_GREATEST (-5)

/* -- Life -------------------------------------------------------------------------- */

static void stream_destroy(hd_object *object)
{
    hd_stream *stream = (hd_stream *)object;

    hd_capture_forget(stream);
    hd_child_retire(object);
    hd_stream_release(stream);
}

CUresult cuStreamCreateWithPriority(CUstream *handle, unsigned int flags, int priority)
{
    hd_stream *stream = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle);
    HD_REFUSE_IF((flags & ~(unsigned)CU_STREAM_NON_BLOCKING) != 0,
                 "0x%x are no flags of a stream", flags);
    HD_TRY(
        hd_child_create(context, HD_STREAM, sizeof *stream, stream_destroy, &stream));
    if (priority > 0)
        priority = 0;
    if (priority < PRIORITY_GREATEST)
        priority = PRIORITY_GREATEST;
    hd_stream_init(stream, context, flags, priority);
    *handle = stream->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *handle, unsigned int flags)
{
    return cuStreamCreateWithPriority(handle, flags, 0);
}

CUresult cuStreamDestroy_v2(CUstream handle)
{
    HD_ENTER();
    return hd_child_end(HD_STREAM, handle);
}

/* -- Questions --------------------------------------------------------------------- */

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    HD_ENTER_CONTEXT(context);
    if (least)
        *least = 0;
    if (greatest)
        *greatest = PRIORITY_GREATEST;
    return CUDA_SUCCESS;
}

HD_QUESTION(cuStreamGetPriority, (CUstream handle, int *answer),
            HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream)),
            stream->priority)
HD_QUESTION(cuStreamGetFlags, (CUstream handle, unsigned int *answer),
            HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream)),
            stream->flags)
HD_QUESTION(cuStreamGetId, (CUstream handle, unsigned long long *answer),
            HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream)),
            stream->id)
HD_QUESTION(cuStreamGetCtx, (CUstream handle, CUcontext *answer),
            HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream)),
            stream->object.context->object.handle)
HD_QUESTION(cuStreamGetDevice, (CUstream handle, CUdevice *answer),
            HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream)),
            stream->object.context->device->ordinal)

/* -- Attributes -------------------------------------------------------------------- */

CUresult cuStreamGetAttribute(CUstream handle, CUlaunchAttributeID attribute,
                              CUlaunchAttributeValue *value)
{
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_NEED(value);
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY)
        HD_ANSWER(&value->priority, stream->priority);
    HD_REFUSE_IF(attribute != CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
                 "the host device has no stream attribute %d", (int)attribute);
    HD_ANSWER(&value->syncPolicy,
              stream->policy != 0 ? stream->policy : CU_SYNC_POLICY_AUTO);
}

CUresult cuStreamSetAttribute(CUstream handle, CUlaunchAttributeID attribute,
                              const CUlaunchAttributeValue *value)
{
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_NEED(value);
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
        HD_NEED(value->priority <= 0 && value->priority >= PRIORITY_GREATEST);
        stream->priority = value->priority;
        return CUDA_SUCCESS;
    }
    HD_REFUSE_IF(attribute != CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
                 "the host device has no stream attribute %d", (int)attribute);
    HD_NEED(value->syncPolicy >= CU_SYNC_POLICY_AUTO &&
            value->syncPolicy <= CU_SYNC_POLICY_BLOCKING_SYNC);
    stream->policy = value->syncPolicy; /* answered, without effect */
    return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream to_handle, CUstream from_handle)
{
    hd_stream *from = NULL;
    HD_ENTER_WITH(hd_stream, to, hd_stream_find(to_handle, &to));
    HD_TRY(hd_stream_find_in(to->object.context, from_handle, &from));
    to->priority = from->priority;
    to->policy = from->policy;
    return CUDA_SUCCESS;
}

/* -- Progress ---------------------------------------------------------------------- */

CUresult cuStreamQuery(CUstream handle)
{
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_TRY(hd_capture_allows(stream));
    return stream->head ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream handle)
{
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_TRY(hd_capture_allows(stream));
    return hd_stream_wait(stream);
}
