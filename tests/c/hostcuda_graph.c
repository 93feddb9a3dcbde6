/* Graphs: captured and added node by node; what captures forbid; launches, changes and
   updates of executable graphs. */
#include <pthread.h>
#include <stdbool.h>

#include "hostcuda_test.h"

static CUmodule module;
static CUfunction scale;
static CUstream stream, other, independent;
static CUdeviceptr memory;
static float host[64];
static char picture[4096]; /* a file */

static void set_floats(float value)
{
    unsigned bits = 0;
    memcpy(&bits, &value, sizeof bits);
    OK(cuMemsetD32_v2(memory, bits, 64));
}

static float first_float(void)
{
    float value = -1;
    OK(cuMemcpyDtoH_v2(&value, memory, sizeof value));
    return value;
}

static CUresult scale_by(float factor, CUstream where)
{
    int n = 64;
    return cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, where,
                          (void *[]){&memory, &factor, &n}, NULL);
}

static size_t node_count(CUgraph graph)
{
    size_t count = 0;
    OK(cuGraphGetNodes(graph, NULL, &count));
    return count;
}

static void run(CUgraph graph)
{
    CUgraphExec exec = NULL;
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphUpload(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(exec));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphLaunch(exec, stream));
    DETAIL("is not an executable graph");
}

/* -- Capture ------------------------------------------------------------------------
 */

static void note(void *count)
{
    __atomic_fetch_add((int *)count, 1, __ATOMIC_RELAXED);
}

static void captured(void)
{
    CUgraph graph = NULL, same = NULL;
    CUgraphNode nodes[8];
    const CUgraphNode *tips = NULL;
    CUgraphNodeType type = 0;
    CUstreamCaptureStatus status = 0;
    cuuint64_t id = 0;
    size_t count = 8;
    int calls = 0;
    float factor = 2;
    set_floats(1);
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    EXPECT(CUDA_ERROR_ILLEGAL_STATE,
           cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(scale_by(factor, stream));
    OK(cuLaunchHostFunc(stream, note, &calls));
    OK(cuMemcpyDtoHAsync_v2(host, memory, sizeof host, stream));
    OK(cuMemcpyDtoDAsync_v2(memory, memory + 128, 0, stream)); /* nothing */
    OK(cuStreamIsCapturing(stream, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(cuStreamIsCapturing(other, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
    OK(cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &tips, &count));
    CHECK(id != 0 && count == 1 && node_count(graph) == 3);
    OK(cuGraphNodeGetType(tips[0], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_MEMCPY);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(graph));
    OK(cuStreamEndCapture(stream, &same));
    CHECK(same == graph && calls == 0 && first_float() == 1);
    EXPECT(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, &same));
    factor = 7; /* was copied */
    run(graph);
    CHECK(first_float() == 4 && host[0] == 4 && calls == 2);
    count = 8;
    OK(cuGraphGetNodes(graph, nodes, &count));
    CHECK(count == 3 && nodes[3] == NULL);
    count = 4;
    OK(cuGraphNodeGetDependencies(nodes[1], nodes + 4, &count));
    CHECK(count == 1 && nodes[4] == nodes[0]);
    OK(cuGraphDestroy(graph));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphDestroy(graph));
}

/* Work of a second stream joins by one event and comes back by another. */
static void across_streams(void)
{
    CUevent fork = NULL, back = NULL;
    CUgraph graph = NULL;
    CUgraphNode from[4], to[4];
    size_t count = 4;
    OK(cuEventCreate(&fork, 0));
    OK(cuEventCreate(&back, 0));
    set_floats(3);
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(scale_by(2, stream));
    OK(cuEventRecord(fork, stream));
    OK(cuStreamWaitEvent(other, fork, 0));
    OK(scale_by(5, other));
    OK(cuEventRecord(back, other));
    OK(cuStreamWaitEvent(stream, back, 0));
    OK(cuMemcpyDtoHAsync_v2(host, memory, sizeof host, stream));
    EXPECT(CUDA_ERROR_CAPTURED_EVENT, cuEventQuery(fork));
    EXPECT(CUDA_ERROR_CAPTURED_EVENT, cuEventSynchronize(fork));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuStreamQuery(other)); /* is free again */
    EXPECT(CUDA_ERROR_CAPTURED_EVENT, cuStreamWaitEvent(stream, fork, 0));
    OK(cuGraphGetEdges(graph, from, to, &count));
    CHECK(count == 3 && to[0] == from[2]); /* the copy waits for both */
    run(graph);
    CHECK(host[0] == 300);
    OK(cuGraphDestroy(graph));
    /* Not joined */
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuEventRecord(fork, stream));
    OK(cuStreamWaitEvent(other, fork, 0));
    OK(scale_by(5, other));
    EXPECT(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(other, &graph));
    EXPECT(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuEventRecord(fork, stream));
    OK(cuStreamWaitEvent(other, fork, 0));
    OK(scale_by(5, other));
    EXPECT(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(stream, &graph));
    CHECK(graph == NULL);
    OK(cuEventDestroy_v2(fork));
    OK(cuEventDestroy_v2(back));
}

static void *end_elsewhere(void *context)
{
    CUgraph graph = NULL;
    CUdeviceptr more = 0;
    OK(cuCtxSetCurrent(context));
    EXPECT(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, cuStreamEndCapture(stream, &graph));
    OK(cuMemAlloc_v2(&more, 4)); /* the capture is the other thread's business */
    OK(cuMemFree_v2(more));
    return NULL;
}

static void told(CUstream where, CUresult status, void *data)
{
}

/* Each call ends the capture badly, with its own status. */
static void forbidden(CUcontext context)
{
    enum {
        SYNC,
        QUERY,
        CONTEXT,
        LEGACY,
        ALLOC,
        COPY,
        EVENT,
        CALLBACK,
        MERGE,
        JOIN,
        GONE,
        N
    };
    static const CUresult wanted[N] = {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                       CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                       CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                       CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                                       CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                       CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                                       CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                                       CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                       CUDA_ERROR_STREAM_CAPTURE_MERGE,
                                       CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                       CUDA_SUCCESS};
    CUevent event = NULL, elsewhere = NULL;
    CUdeviceptr more = 0;
    CUgraph graph = NULL;
    CUstream gone = NULL;
    pthread_t thread;
    OK(cuEventCreate(&event, 0));
    OK(cuEventCreate(&elsewhere, 0));
    for (int what = 0; what < N; what++) {
        CUresult status = CUDA_SUCCESS;
        OK(cuStreamCreate(&gone, 0));
        OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
        switch (what) {
        case SYNC:
            status = cuStreamSynchronize(stream);
            break;
        case QUERY:
            status = cuStreamQuery(stream);
            break;
        case CONTEXT:
            status = cuCtxSynchronize();
            break;
        case LEGACY:
            status = scale_by(1, NULL);
            break;
        case ALLOC:
            status = cuMemAlloc_v2(&more, 4);
            break;
        case COPY:
            status = cuMemcpyDtoH_v2(host, memory, 4);
            break;
        case EVENT:
            status = cuStreamWaitEvent(stream, elsewhere, 0);
            break;
        case CALLBACK:
            status = cuStreamAddCallback(stream, told, NULL, 0);
            break;
        case MERGE:
            OK(cuStreamBeginCapture_v2(other, CU_STREAM_CAPTURE_MODE_GLOBAL));
            OK(cuEventRecord(event, other));
            status = cuStreamWaitEvent(stream, event, 0);
            EXPECT(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                   cuStreamEndCapture(other, &graph));
            break;
        case JOIN:
            OK(cuEventRecord(event, stream));
            status = cuStreamWaitEvent(NULL, event, 0);
            DETAIL("the default stream cannot be captured");
            break;
        case GONE: /* a stream that joined, before another one */
            OK(cuEventRecord(event, stream));
            OK(cuStreamWaitEvent(gone, event, 0));
            OK(cuStreamWaitEvent(other, event, 0));
            status = cuStreamDestroy_v2(gone);
            gone = NULL;
            break;
        }
        EXPECT(wanted[what], status);
        EXPECT(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, scale_by(1, stream));
        EXPECT(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
               cuStreamEndCapture(stream, &graph));
        CHECK(graph == NULL);
        if (gone != NULL)
            OK(cuStreamDestroy_v2(gone));
    }
    EXPECT(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
           cuStreamBeginCapture_v2(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
    /* A stream that does not wait for the default one leaves that alone. */
    OK(cuStreamBeginCapture_v2(independent, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(scale_by(1, NULL));
    OK(scale_by(1, independent));
    OK(cuStreamEndCapture(independent, &graph));
    OK(cuGraphDestroy(graph));
    /* Modes */
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    CHECK(pthread_create(&thread, NULL, end_elsewhere, context) == 0);
    pthread_join(thread, NULL);
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
    OK(cuMemAlloc_v2(&more, 4));
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphDestroy(graph));
    OK(cuMemFree_v2(more));
    OK(cuEventDestroy_v2(event));
    OK(cuEventDestroy_v2(elsewhere));
    /* The stream that the capture began in goes: so does the graph. */
    OK(cuStreamCreate(&gone, 0));
    OK(cuStreamBeginCapture_v2(gone, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(scale_by(1, gone));
    OK(cuStreamDestroy_v2(gone));
}

static void external_events(void)
{
    CUevent event = NULL;
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    OK(cuEventCreate(&event, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(scale_by(1, stream));
    OK(cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL));
    OK(cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
    OK(cuStreamEndCapture(stream, &graph));
    CHECK(node_count(graph) == 3);
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuEventSynchronize(event));
    OK(cuEventDestroy_v2(event));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphLaunch(exec, stream));
    DETAIL("is not an event");
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* -- Node by node -------------------------------------------------------------------
 */

static CUDA_KERNEL_NODE_PARAMS scaling(float *factor)
{
    static int n = 64;
    static void *values[3];
    values[0] = &memory;
    values[1] = factor;
    values[2] = &n;
    return (CUDA_KERNEL_NODE_PARAMS){.func = scale,
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 64,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = values};
}

static CUDA_MEMCPY3D copy_out(void)
{
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = memory,
                           .dstMemoryType = CU_MEMORYTYPE_HOST,
                           .dstHost = host,
                           .WidthInBytes = sizeof host,
                           .Height = 1,
                           .Depth = 1};
}

static void node_by_node(CUcontext context)
{
    CUgraph graph = NULL, outer = NULL, clone = NULL, inside = NULL;
    CUgraphNode fill = NULL, kernel = NULL, copy = NULL, call = NULL, last = NULL,
                child = NULL, found[4];
    CUgraphExec exec = NULL;
    CUgraphNodeType type = 0;
    size_t count = 4;
    unsigned enabled = 0;
    int calls = 0;
    float factor = 3;
    const CUDA_MEMSET_NODE_PARAMS ones = {memory, 0, 0x3f800000, 4, 64, 1};
    CUDA_MEMSET_NODE_PARAMS wrong = ones;
    CUDA_KERNEL_NODE_PARAMS params = scaling(&factor), answer;
    CUDA_MEMCPY3D box = copy_out();
    const CUDA_HOST_NODE_PARAMS host_call = {note, &calls};
    OK(cuGraphCreate(&graph, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(&graph, 1));
    /* The copy is added before what it has to wait for. */
    OK(cuGraphAddMemcpyNode(&copy, graph, NULL, 0, &box, context));
    OK(cuGraphAddMemsetNode(&fill, graph, NULL, 0, &ones, context));
    OK(cuGraphAddKernelNode_v2(&kernel, graph, &fill, 1, &params));
    OK(cuGraphAddDependencies(graph, &kernel, &copy, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies(graph, &kernel, &copy, 1));
    OK(cuGraphAddHostNode(&call, graph, &copy, 1, &host_call));
    OK(cuGraphAddEmptyNode(&last, graph, &call, 1));
    /* Refused */
    wrong.elementSize = 3;
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuGraphAddMemsetNode(&child, graph, NULL, 0, &wrong, context));
    DETAIL("elements of 3 bytes");
    params.gridDimX = 0;
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuGraphAddKernelNode_v2(&child, graph, &fill, 1, &params));
    params.gridDimX = 1;
    params.func = NULL;
    EXPECT(CUDA_ERROR_INVALID_HANDLE,
           cuGraphAddKernelNode_v2(&child, graph, &fill, 1, &params));
    params.func = scale;
    found[0] = found[1] = fill;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&child, graph, found, 2));
    found[1] = (CUgraphNode)graph;
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphAddEmptyNode(&child, graph, found, 2));
    CHECK(node_count(graph) == 5);
    OK(cuGraphGetRootNodes(graph, found, &count));
    CHECK(count == 1 && found[0] == fill);
    count = 4;
    OK(cuGraphNodeGetDependentNodes(kernel, found, &count));
    CHECK(count == 1 && found[0] == copy);
    OK(cuGraphKernelNodeGetParams_v2(kernel, &answer));
    CHECK(answer.func == scale && answer.blockDimX == 64 &&
          *(float *)answer.kernelParams[1] == 3);
    run(graph);
    CHECK(host[0] == 3 && host[63] == 3 && calls == 2);
    /* A circle */
    OK(cuGraphAddDependencies(graph, &last, &fill, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&exec, graph, 0));
    DETAIL("in a circle");
    OK(cuGraphRemoveDependencies(graph, &last, &fill, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphRemoveDependencies(graph, &last, &fill, 1));
    /* A graph in a graph is a copy. */
    OK(cuGraphCreate(&outer, 0));
    OK(cuGraphAddChildGraphNode(&child, outer, NULL, 0, graph));
    OK(cuGraphChildGraphNodeGetGraph(child, &inside));
    CHECK(inside != graph && node_count(inside) == 5);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(inside));
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphNodeFindInClone(found, kernel, clone));
    OK(cuGraphNodeGetType(found[0], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_KERNEL && found[0] != kernel);
    OK(cuGraphDebugDotPrint(outer, picture, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphDebugDotPrint(outer, "/nowhere/x.dot", 0));
    /* Changes of the executable graph leave the graph alone. */
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    factor = 11;
    OK(cuGraphExecKernelNodeSetParams_v2(exec, kernel, &params));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuGraphExecKernelNodeSetParams_v2(exec, copy, &params));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuGraphExecKernelNodeSetParams_v2(exec, child, &params));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(host[0] == 11);
    OK(cuGraphNodeSetEnabled(exec, kernel, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetEnabled(exec, call, 0));
    OK(cuGraphNodeGetEnabled(exec, kernel, &enabled));
    CHECK(enabled == 0);
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(host[0] == 1);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroyNode(call));
    CHECK(node_count(graph) == 4);
    run(outer);
    CHECK(host[0] == 3 && calls == 6);
    OK(cuGraphDestroy(outer));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphNodeGetType(child, &type));
    OK(cuGraphDestroy(clone));
    OK(cuGraphDestroy(graph));
}

static CUgraph two_steps(float first, bool copy)
{
    CUgraph graph = NULL;
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(scale_by(first, stream));
    if (copy)
        OK(cuMemcpyDtoHAsync_v2(host, memory, sizeof host, stream));
    else
        OK(scale_by(first, stream));
    OK(cuStreamEndCapture(stream, &graph));
    return graph;
}

static void updates(void)
{
    CUgraph graph = two_steps(2, true), next = two_steps(5, true),
            odd = two_steps(2, false), parent = NULL;
    CUgraphExec exec = NULL;
    CUgraphExecUpdateResultInfo info;
    CUmodule second = module;
    CUgraphNode nodes[2];
    CUDA_KERNEL_NODE_PARAMS params;
    size_t count = 2;
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    set_floats(1);
    OK(cuGraphExecUpdate_v2(exec, next, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphDestroy(next));
    OK(cuGraphLaunch(exec, stream));
    EXPECT(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
           cuGraphExecUpdate_v2(exec, odd, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED &&
          info.errorNode != NULL);
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(host[0] == 25);
    /* A launch into a captured stream is a graph in a graph. */
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamEndCapture(stream, &parent));
    OK(cuGraphExecDestroy(exec));
    run(parent);
    CHECK(host[0] == 625);
    OK(cuGraphDestroy(parent));
    OK(cuGraphDestroy(odd));
    /* The kernel goes before the graph. */
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuModuleUnload(second));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphLaunch(exec, stream));
    DETAIL("is not a function");
    OK(cuGraphGetNodes(graph, nodes, &count));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGraphKernelNodeGetParams_v2(nodes[0], &params));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    CUgraph left = NULL;
    snprintf(picture, sizeof picture, "%s/graph.dot", argv[2]);
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, argv[1]));
    scale = function_named(module, "scale");
    OK(cuMemAlloc_v2(&memory, sizeof host));
    OK(cuStreamCreate(&stream, 0));
    OK(cuStreamCreate(&other, 0));
    OK(cuStreamCreate(&independent, CU_STREAM_NON_BLOCKING));
    captured();
    across_streams();
    forbidden(context);
    external_events();
    node_by_node(context);
    updates();
    /* What is left goes with the context, a capture under way too. */
    OK(cuGraphCreate(&left, 0));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemsetD8Async(memory, 0, 4, stream));
    OK(cuCtxDestroy_v2(context));
    return report();
}
