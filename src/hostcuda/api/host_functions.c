/* Functions of the user that run in a stream, in a thread that the pool has for them.
   One that waited for the device would wait for itself, so waits in it are refused. */
#include "captures.h"
#include "entry.h"
#include "host_functions.h"
#include "hostcuda/run/queues.h"

typedef struct {
    hd_work work;
    CUhostFn function;         /* of cuLaunchHostFunc: not called after a failure */
    CUstreamCallback callback; /* of cuStreamAddCallback: called with the failure */
    CUstream stream;
    void *data; /* borrowed: the user's */
} host_call;

static void call_host(hd_work *work, CUresult status)
{
    host_call *host = (host_call *)work;

    if (host->callback)
        host->callback(host->stream, status, host->data);
    else if (status == CUDA_SUCCESS)
        host->function(host->data);
}

static CUresult call_create(CUhostFn function, void *data, host_call **host)
{
    HD_TRY(hd_work_create(sizeof **host, NULL, 0, host));
    (*host)->work.kind = HD_CALL;
    (*host)->work.node = CU_GRAPH_NODE_TYPE_HOST;
    (*host)->work.call = call_host;
    (*host)->function = function;
    (*host)->data = data;
    return CUDA_SUCCESS;
}

CUresult hd_call_create(const CUDA_HOST_NODE_PARAMS *params, hd_work **work)
{
    HD_NEED(params->fn);
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
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_NEED(function);
    HD_TRY(call_create(function, data, &host));
    return hd_submit(stream, &host->work, HD_QUEUE);
}

CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void *data,
                             unsigned int flags)
{
    host_call *host = NULL;
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(handle, &stream));
    HD_NEED(callback && flags == 0);
    HD_TRY(hd_capture_refuses(stream, "cuStreamAddCallback"));
    HD_TRY(call_create(NULL, data, &host));
    host->callback = callback;
    host->stream = handle;
    return hd_submit(stream, &host->work, HD_QUEUE);
}
