/* The entry points about streams; what they do is in queues.c. */
#include "captures.h"
#include "hostcuda/run/context_state.h"

#define PRIORITY_GREATEST (-5)

/* -- Life -------------------------------------------------------------------------- */

static void stream_destroy(hd_object *object)
{
    hd_stream *stream = (hd_stream *)object;

    hd_capture_forget(stream);
    hd_child_retire(object);
    hd_stream_doom(stream);
}

CUresult cuStreamCreateWithPriority(CUstream *handle, unsigned int flags, int priority)
{
    hd_stream *stream = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle != NULL);
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

HD_DESTROYER(cuStreamDestroy_v2, CUstream, HD_STREAM)

/* -- Questions --------------------------------------------------------------------- */

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    HD_ENTER_CONTEXT(context);
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = PRIORITY_GREATEST;
    return CUDA_SUCCESS;
}

HD_QUESTION(cuStreamGetPriority, (CUstream handle, int *answer),
            HD_ENTER_STREAM(handle, stream), stream->priority)
HD_QUESTION(cuStreamGetFlags, (CUstream handle, unsigned int *answer),
            HD_ENTER_STREAM(handle, stream), stream->flags)
HD_QUESTION(cuStreamGetId, (CUstream handle, unsigned long long *answer),
            HD_ENTER_STREAM(handle, stream), stream->id)
HD_QUESTION(cuStreamGetCtx, (CUstream handle, CUcontext *answer),
            HD_ENTER_STREAM(handle, stream), stream->object.context->object.handle)
HD_QUESTION(cuStreamGetDevice, (CUstream handle, CUdevice *answer),
            HD_ENTER_STREAM(handle, stream), stream->object.context->device->ordinal)

/* -- Attributes -------------------------------------------------------------------- */

CUresult cuStreamGetAttribute(CUstream handle, CUlaunchAttributeID attribute,
                              CUlaunchAttributeValue *value)
{
    HD_ENTER_STREAM(handle, stream);
    HD_NEED(value != NULL);
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
    HD_ENTER_STREAM(handle, stream);
    HD_NEED(value != NULL);
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
        HD_NEED(value->priority <= 0 && value->priority >= PRIORITY_GREATEST);
        stream->priority = value->priority;
        return CUDA_SUCCESS;
    }
    HD_REFUSE_IF(attribute != CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
                 "the host device has no stream attribute %d", (int)attribute);
    HD_NEED(value->syncPolicy >= CU_SYNC_POLICY_AUTO &&
            value->syncPolicy <= CU_SYNC_POLICY_BLOCKING_SYNC);
    stream->policy = value->syncPolicy; /* is kept and means nothing */
    return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream to_handle, CUstream from_handle)
{
    hd_stream *from = NULL;
    HD_ENTER_STREAM(to_handle, to);
    HD_TRY(hd_stream_find_in(to->object.context, from_handle, &from));
    to->priority = from->priority;
    to->policy = from->policy;
    return CUDA_SUCCESS;
}

/* -- Progress ---------------------------------------------------------------------- */

CUresult cuStreamQuery(CUstream handle)
{
    HD_ENTER_STREAM(handle, stream);
    HD_TRY(hd_capture_allows(stream));
    return stream->head != NULL ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream handle)
{
    HD_ENTER_STREAM(handle, stream);
    HD_TRY(hd_capture_allows(stream));
    return hd_stream_wait(stream);
}

/* -- Host functions ---------------------------------------------------------------- */

typedef struct {
    hd_work work;
    CUhostFn function;         /* of cuLaunchHostFunc: not called after a failure */
    CUstreamCallback callback; /* of cuStreamAddCallback: told of it */
    CUstream stream;
    void *data; /* borrowed: the user's */
} host_call;

static void call(hd_work *work, CUresult status)
{
    host_call *host = (host_call *)work;

    if (host->callback != NULL)
        host->callback(host->stream, status, host->data);
    else if (status == CUDA_SUCCESS)
        host->function(host->data);
}

static CUresult call_create(CUhostFn function, void *data, host_call **host)
{
    HD_TRY(hd_work_create(sizeof **host, NULL, 0, host));
    (*host)->work.kind = HD_CALL;
    (*host)->work.node = CU_GRAPH_NODE_TYPE_HOST;
    (*host)->work.call = call;
    (*host)->function = function;
    (*host)->data = data;
    return CUDA_SUCCESS;
}

CUresult hd_call_create(const CUDA_HOST_NODE_PARAMS *params, hd_work **work)
{
    HD_NEED(params->fn != NULL);
    return call_create(params->fn, params->userData, (host_call **)work);
}

void hd_call_params(const hd_work *work, CUDA_HOST_NODE_PARAMS *params)
{
    const host_call *host = (const host_call *)work;

    *params = (CUDA_HOST_NODE_PARAMS){host->function, host->data};
}

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void *data)
{
    host_call *host = NULL;
    HD_ENTER_STREAM(handle, stream);
    HD_NEED(function != NULL);
    HD_TRY(call_create(function, data, &host));
    return hd_submit(stream, &host->work, HD_QUEUE);
}

CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void *data,
                             unsigned int flags)
{
    host_call *host = NULL;
    HD_ENTER_STREAM(handle, stream);
    HD_NEED(callback != NULL && flags == 0);
    HD_TRY(hd_capture_refuses(stream, "cuStreamAddCallback"));
    HD_TRY(call_create(NULL, data, &host));
    host->callback = callback;
    host->stream = handle;
    return hd_submit(stream, &host->work, HD_QUEUE);
}
