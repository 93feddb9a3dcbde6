/* Graphs, continued: parameters read back and changed, the forms that take any type of
   node, capture into a graph that is there, memory that graphs allocate, and what an
   update says about why it failed. */
#include "hostcuda_test.h"

#define SIZE 4096

static CUstream stream;
static CUdeviceptr memory;
static CUmodule module;
static CUgraph graph;

static CUgraphNode add(CUgraphNodeParams params, CUgraphNode after)
{
    CUgraphNode node = NULL;
    OK(cuGraphAddNode_v2(&node, graph, &after, NULL, after != NULL, &params));
    return node;
}

static CUgraphNodeParams filling(CUdeviceptr to, unsigned value)
{
    return (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMSET,
                               .memset = {.dst = to,
                                          .value = value,
                                          .elementSize = 4,
                                          .width = SIZE / 4,
                                          .height = 1}};
}

static CUgraphNodeParams copying(CUdeviceptr to, CUdeviceptr from)
{
    return (CUgraphNodeParams){
        .type = CU_GRAPH_NODE_TYPE_MEMCPY,
        .memcpy.copyParams = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                              .srcDevice = from,
                              .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                              .dstDevice = to,
                              .WidthInBytes = SIZE,
                              .Height = 1,
                              .Depth = 1}};
}

static unsigned word(CUdeviceptr address)
{
    unsigned value = 0;
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH_v2(&value, address, 4));
    return value;
}

static CUgraphExec instantiated(void)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD,
                                            .hUploadStream = stream,
                                            .hErrNode_out = (CUgraphNode)&params,
                                            .result_out = CUDA_GRAPH_INSTANTIATE_ERROR};
    CUgraphExec exec = NULL;
    OK(cuGraphInstantiateWithParams(&exec, graph, &params));
    CHECK(params.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS &&
          params.hErrNode_out == NULL);
    return exec;
}

static void count(void *calls)
{
    ++*(int *)calls;
}

/* -- Every type of node -------------------------------------------------------------
 */

static void forms(void)
{
    int calls = 0, more = 0;
    CUevent first = NULL, second = NULL, event = NULL;
    CUgraph child = NULL, other = NULL;
    CUgraphNode inner = NULL, node = NULL;
    CUdeviceptr half = memory + SIZE;
    CUDA_MEMCPY3D box;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_HOST_NODE_PARAMS call;
    OK(cuEventCreate(&first, 0));
    OK(cuEventCreate(&second, 0));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphCreate(&other, 0));
    CUgraphNodeParams params = filling(half, 7);
    OK(cuGraphAddNode(&inner, child, NULL, 0, &params));
    params = filling(half, 8);
    OK(cuGraphAddNode(&inner, other, NULL, 0, &params));
    CUgraphNode set = add(filling(memory, 5), NULL);
    CUgraphNode copy = add(copying(half, memory), set);
    CUgraphNode host = add(
        (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST, .host = {count, &calls}},
        copy);
    CUgraphNode record =
        add((CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                                .eventRecord.event = first},
            host);
    CUgraphNode wait = add((CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                                               .eventWait.event = first},
                           record);
    CUgraphNode kernel =
        add((CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_KERNEL,
                                .kernel = {.func = function_named(module, "empty"),
                                           .gridDimX = 1,
                                           .gridDimY = 1,
                                           .gridDimZ = 1,
                                           .blockDimX = 1,
                                           .blockDimY = 1,
                                           .blockDimZ = 1}},
            wait);
    CUgraphNode empty =
        add((CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EMPTY}, kernel);
    CUgraphExec exec = instantiated();
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(half) == 5 && calls == 1);
    OK(cuEventQuery(first));
    /* Read back, changed in the graph, and then in what was made of it before. */
    OK(cuGraphMemcpyNodeGetParams(copy, &box));
    CHECK(box.srcDevice == memory && box.dstDevice == half &&
          box.WidthInBytes == SIZE && box.Height == 1 && box.Depth == 1);
    OK(cuGraphMemsetNodeGetParams(set, &fill));
    CHECK(fill.dst == memory && fill.value == 5 && fill.elementSize == 4 &&
          fill.width == SIZE / 4 && fill.height == 1);
    OK(cuGraphHostNodeGetParams(host, &call));
    CHECK(call.fn == count && call.userData == &calls);
    OK(cuGraphEventRecordNodeGetEvent(record, &event));
    CHECK(event == first);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphEventWaitNodeGetEvent(record, &event));
    DETAIL("of another type");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphMemsetNodeSetParams(copy, &fill));
    fill.value = 6;
    call.userData = &more;
    OK(cuGraphMemsetNodeSetParams(set, &fill));
    OK(cuGraphMemcpyNodeSetParams(copy, &box));
    OK(cuGraphHostNodeSetParams(host, &call));
    OK(cuGraphEventRecordNodeSetEvent(record, second));
    OK(cuGraphEventWaitNodeSetEvent(wait, second));
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(half) == 5 && calls == 2);
    OK(cuGraphExecMemsetNodeSetParams(exec, set, &fill, NULL));
    OK(cuGraphExecEventRecordNodeSetEvent(exec, record, second));
    params = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                                 .eventWait.event = second};
    OK(cuGraphExecNodeSetParams(exec, wait, &params));
    params = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST, .host = call};
    OK(cuGraphExecNodeSetParams(exec, host, &params));
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(half) == 6 && calls == 2 && more == 1);
    OK(cuEventQuery(second));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphExecNodeSetParams(exec, set, &params));
    params = filling(memory, 9);
    OK(cuGraphNodeSetParams(set, &params));
    params = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT,
                                 .eventWait.event = first};
    OK(cuGraphNodeSetParams(wait, &params));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetParams(record, &params));
    OK(cuGraphEventWaitNodeGetEvent(wait, &event));
    CHECK(event == first);
    params.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
    OK(cuGraphNodeSetParams(record, &params));
    OK(cuGraphEventRecordNodeGetEvent(record, &event));
    CHECK(event == first);
    OK(cuGraphExecNodeSetParams(exec, record, &params));
    CUDA_KERNEL_NODE_PARAMS launch = {NULL};
    OK(cuGraphKernelNodeGetParams_v2(kernel, &launch));
    launch.gridDimX = 5;
    OK(cuGraphKernelNodeSetParams_v2(kernel, &launch));
    launch.blockDimX = 2000;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeSetParams_v2(kernel, &launch));
    OK(cuGraphKernelNodeGetParams_v2(kernel, &launch));
    CHECK(launch.gridDimX == 5 && launch.blockDimX == 1);
    params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    EXPECT(CUDA_ERROR_NOT_SUPPORTED, cuGraphNodeSetParams(set, &params));
    DETAIL("nodes of type 13 are not supported");
    EXPECT(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddNode(&node, graph, NULL, 0, &params));
    OK(cuGraphExecDestroy(exec));
    /* A graph in a graph */
    CUgraphNode nested =
        add((CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph.graph = child},
            empty);
    exec = instantiated();
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(half) == 7);
    params =
        (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph.graph = other};
    OK(cuGraphExecNodeSetParams(exec, nested, &params));
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(half) == 8);
    EXPECT(CUDA_ERROR_NOT_SUPPORTED, cuGraphNodeSetParams(nested, &params));
    OK(cuGraphExecUpdate_v2(exec, graph, &(CUgraphExecUpdateResultInfo){0}));
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(half) == 7); /* as in the graph again, in the nested one too */
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuGraphExecChildGraphNodeSetParams(exec, nested, graph));
    DETAIL("other nodes or dependencies");
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(child));
    OK(cuGraphDestroy(other));
    OK(cuGraphDestroy(graph));
    OK(cuEventDestroy_v2(first));
    OK(cuEventDestroy_v2(second));
}

/* -- Capture into a graph -----------------------------------------------------------
 */

static void capture_to_graph(void)
{
    CUgraph answer = NULL;
    CUgraphNode nodes[4], before[4];
    size_t found = 4;
    int calls = 0;
    CUgraphEdgeData odd = {.type = 1};
    OK(cuGraphCreate(&graph, 0));
    CUgraphNode set = add(filling(memory, 1), NULL);
    EXPECT(CUDA_ERROR_NOT_SUPPORTED,
           cuStreamBeginCaptureToGraph(stream, graph, &set, &odd, 1,
                                       CU_STREAM_CAPTURE_MODE_RELAXED));
    EXPECT(CUDA_ERROR_INVALID_HANDLE,
           cuStreamBeginCaptureToGraph(stream, graph, (CUgraphNode *)&graph, NULL, 1,
                                       CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuStreamBeginCaptureToGraph(stream, graph, &set, NULL, 1,
                                   CU_STREAM_CAPTURE_MODE_RELAXED));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(graph));
    OK(cuMemsetD32Async(memory, 2, 2, stream));
    OK(cuStreamUpdateCaptureDependencies_v2(stream, &set, NULL, 1,
                                            CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    OK(cuMemsetD32Async(memory + 8, 3, 1, stream));
    OK(cuStreamUpdateCaptureDependencies(stream, &set, 1,
                                         CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    OK(cuLaunchHostFunc(stream, count, &calls));
    OK(cuStreamEndCapture(stream, &answer));
    CHECK(answer == graph);
    OK(cuGraphGetNodes(graph, nodes, &found));
    CHECK(found == 4);
    OK(cuGraphNodeGetDependencies(nodes[2], before, &found));
    CHECK(found == 1 && before[0] == set);
    found = 4;
    OK(cuGraphNodeGetDependencies(nodes[3], before, &found));
    CHECK(found == 2 && before[0] == set && before[1] == nodes[2]);
    CUgraphExec exec = instantiated();
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(memory) == 2 && word(memory + 8) == 3 && word(memory + 12) == 1);
    OK(cuGraphExecDestroy(exec));
    /* A capture that fails leaves the graph. */
    OK(cuStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0,
                                   CU_STREAM_CAPTURE_MODE_RELAXED));
    EXPECT(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream));
    EXPECT(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &answer));
    OK(cuGraphDestroy(graph));
}

/* -- Memory of graphs ---------------------------------------------------------------
 */

static void allocations(void)
{
    CUdeviceptr scratch = 0, kept = 0, address = 0;
    CUDA_MEM_ALLOC_NODE_PARAMS params = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
        .bytesize = SIZE};
    CUgraphNode alloc = NULL, node = NULL, nodes[8];
    CUgraphExec exec = NULL, again = NULL;
    size_t before = 0, after = 0, found = 8;
    /* Captured: allocated, used and freed by each launch */
    OK(cuxGetLiveObjects("memory", &before));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemAllocAsync(&scratch, SIZE, stream));
    OK(cuMemsetD32Async(scratch, 4, SIZE / 4, stream));
    OK(cuMemcpyDtoDAsync_v2(memory, scratch, SIZE, stream));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(memory, stream));
    DETAIL("that a graph made");
    OK(cuMemFreeAsync(scratch, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphGetNodes(graph, nodes, &found));
    CHECK(found == 4);
    OK(cuGraphMemAllocNodeGetParams(nodes[0], &params));
    CHECK(params.dptr == scratch && params.bytesize == SIZE);
    OK(cuGraphMemFreeNodeGetParams(nodes[3], &address));
    CHECK(address == scratch);
    exec = instantiated();
    OK(cuGraphDestroy(graph));
    for (unsigned i = 0; i < 3; i++) {
        OK(cuMemsetD32_v2(memory, 0, 1));
        OK(cuGraphLaunch(exec, stream));
        CHECK(word(memory) == 4);
    }
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(scratch, stream));
    DETAIL("no launch of the graph allocated");
    OK(cuGraphExecDestroy(exec));
    /* Added: the user frees what a launch allocated, or has the next launch do it. */
    OK(cuGraphCreate(&graph, 0));
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .alloc = params};
    OK(cuGraphAddNode(&alloc, graph, NULL, 0, &any));
    kept = any.alloc.dptr;
    node = add(filling(kept, 9), alloc);
    exec = instantiated();
    OK(cuGraphInstantiateWithFlags(&again, graph,
                                   CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(kept) == 9);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(exec, stream));
    DETAIL("was not freed");
    OK(cuMemFree_v2(kept));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(kept));
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(again, stream));
    OK(cuMemFreeAsync(kept, stream));
    add((CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free.dptr = kept},
        node);
    OK(cuGraphExecDestroy(exec));
    exec = instantiated();
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    /* What the user has when the last node goes stays his. */
    OK(cuGraphLaunch(again, stream));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphExecDestroy(again));
    OK(cuGraphDestroy(graph));
    CHECK(word(kept) == 9);
    OK(cuMemFreeAsync(kept, stream));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(scratch, stream)); /* goes soon */
    OK(cuStreamSynchronize(stream));
    OK(cuMemAlloc_v2(&scratch,
                     8)); /* freeing waits for all work, then for what is due */
    OK(cuMemFree_v2(scratch));
    OK(cuxGetLiveObjects("memory", &after));
    CHECK(after == before);
}

/* A graph in a graph of another context: its memory goes with its own context, its
   kernels run as work of the other one. */
static void foreign(CUcontext here)
{
    CUcontext there = NULL;
    CUgraph inner = NULL;
    CUgraphNode node = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS params = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
        .bytesize = SIZE};
    OK(cuCtxCreate_v2(&there, 0, 0));
    OK(cuGraphCreate(&inner, 0));
    OK(cuCtxPushCurrent_v2(here));
    OK(cuGraphCreate(&graph, 0));
    CUgraphNodeParams empty = {
        .type = CU_GRAPH_NODE_TYPE_KERNEL,
        .kernel = {function_named(module, "empty"), 1, 1, 1, 1, 1, 1}};
    OK(cuGraphAddNode(&node, inner, NULL, 0, &empty));
    CUgraphNode first =
        add((CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph.graph = inner},
            NULL);
    CUgraphExec exec = instantiated();
    CUstream away = NULL;
    OK(cuCtxPopCurrent_v2(NULL));
    OK(cuStreamCreate(&away, 0));
    OK(cuGraphLaunch(exec, away));
    OK(cuStreamSynchronize(away));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphAddMemAllocNode(&node, inner, NULL, 0, &params));
    add((CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph.graph = inner},
        first);
    exec = instantiated();
    OK(cuCtxDestroy_v2(there));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(exec, stream));
    DETAIL("memory of the graph went with its context");
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* -- Updates ------------------------------------------------------------------------
 */

static void updates(void)
{
    CUgraph first = NULL;
    CUgraphExecUpdateResultInfo info;
    OK(cuGraphCreate(&graph, 0));
    CUgraphNode a = add(filling(memory, 1), NULL), b = add(filling(memory, 2), a);
    CUgraphExec exec = instantiated();
    first = graph;
    OK(cuGraphCreate(&graph, 0));
    CUgraphNode c = add(filling(memory, 3), NULL), d = add(filling(memory, 4), NULL);
    EXPECT(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
           cuGraphExecUpdate_v2(exec, graph, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED &&
          info.errorNode == d && info.errorFromNode == NULL);
    OK(cuGraphAddDependencies(graph, &d, &c, 1));
    EXPECT(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
           cuGraphExecUpdate_v2(exec, graph, &info));
    CHECK(info.errorNode == c && info.errorFromNode == d);
    OK(cuGraphRemoveDependencies(graph, &d, &c, 1));
    OK(cuGraphAddDependencies(graph, &c, &d, 1));
    OK(cuGraphExecUpdate_v2(exec, graph, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS && info.errorNode == NULL &&
          info.errorFromNode == NULL);
    OK(cuGraphLaunch(exec, stream));
    CHECK(word(memory) == 4);
    OK(cuGraphDestroyNode(d));
    EXPECT(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
           cuGraphExecUpdate_v2(exec, graph, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    d = add(copying(memory, memory + SIZE), c);
    EXPECT(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
           cuGraphExecUpdate_v2(exec, graph, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED &&
          info.errorNode == d);
    OK(cuGraphLaunch(exec, stream)); /* as it was */
    CHECK(word(memory) == 4 && b != NULL);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(first));
}

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, argv[1]));
    OK(cuStreamCreate(&stream, 0));
    OK(cuMemAlloc_v2(&memory, 2 * SIZE));
    forms();
    capture_to_graph();
    allocations();
    foreign(context);
    updates();
    OK(cuCtxDestroy_v2(context));
    return report();
}
