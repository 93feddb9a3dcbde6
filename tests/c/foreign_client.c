/* A program by somebody else: it knows the public driver API alone, as CUDA 13 has it,
   and is linked with libhostcuda.so in place of libcuda.so.1. Compiled against our own
   declarations, and against the toolkit's cuda.h (-DTOOLKIT) where there is one. It
   goes through what a large client uses, checks results, and counts the entry points:
   at least a hundred. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TOOLKIT
#define CUDA_ENABLE_DEPRECATED /* without warnings */
#include <cuda.h>
#define ENTRY(name) name
#else
#include "cuda/types.h"
#define F(name, suffix, version, ...) CUresult name##suffix(CU_PARAMS(__VA_ARGS__));
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#undef F
/* A field an entry, under its public name. */
static const struct {
#define F(name, suffix, version, ...) CUresult (*name)(CU_PARAMS(__VA_ARGS__));
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#undef F
} driver = {
#define F(name, suffix, version, ...) .name = name##suffix,
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#undef F
};
#define ENTRY(name) driver.name
/* The forms that cuda.h of CUDA 13 means by these names. */
#define cuCtxCreate cuCtxCreate_v4
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuGraphAddDependencies cuGraphAddDependencies_v2
#define cuGraphGetEdges cuGraphGetEdges_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes_v2
#define cuGraphRemoveDependencies cuGraphRemoveDependencies_v2
#define cuMemAdvise cuMemAdvise_v2
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v3
#endif

static const char *used[512];
static int used_count, failures;

/* Notes that the entry point was used. */
static void use(const char *name)
{
    for (int i = 0; i < used_count; i++) {
        if (strcmp(used[i], name) == 0)
            return;
    }
    used[used_count++] = name;
}

static void note(int line, const char *what, int good)
{
    if (good)
        return;
    failures++;
    fprintf(stderr, "line %d: %s\n", line, what);
}

#define GIVES(expected, name, ...) \
    (use(#name), note(__LINE__, #name, ENTRY(name)(__VA_ARGS__) == (expected)))
#define OK(name, ...) GIVES(CUDA_SUCCESS, name, __VA_ARGS__)
#define CHECK(condition) note(__LINE__, #condition, condition)

enum { N = 1024, BYTES = N * 4 };

static CUdevice device;
static CUcontext context;
static CUmodule module;
static CUfunction scale;
static CUstream stream;
static CUdeviceptr memory, other;
static float host[N];

/* -- Devices and contexts -------------------------------------------------------------
 */

static void devices(void)
{
    int version = 0, count = 0, value = 0, least = 0, greatest = 0, active = 0, can = 0;
    unsigned flags = 0;
    char name[100], bus[20];
    CUuuid uuid;
    size_t bytes = 0, limit = 0;
    CUcontext current = NULL, primary = NULL;
    CUdevice found = -1;
    unsigned long long id = 0;
    const char *text = NULL;
    CUfunc_cache cache;
    OK(cuInit, 0);
    OK(cuDriverGetVersion, &version);
    CHECK(version >= 13000);
    OK(cuDeviceGetCount, &count);
    CHECK(count == 2);
    OK(cuDeviceGet, &device, 0);
    OK(cuDeviceGetName, name, sizeof name, device);
    OK(cuDeviceGetUuid, &uuid, device);
    OK(cuDeviceTotalMem, &bytes, device);
    OK(cuDeviceGetAttribute, &value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
    CHECK(value == 32 && bytes > 0);
    OK(cuDeviceGetPCIBusId, bus, sizeof bus, device);
    OK(cuDeviceGetByPCIBusId, &found, bus);
    CHECK(found == device);
    OK(cuDeviceCanAccessPeer, &can, 0, 1);
    OK(cuDeviceGetP2PAttribute, &value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1);
    OK(cuGetErrorName, CUDA_ERROR_NOT_READY, &text);
    CHECK(strcmp(text, "CUDA_ERROR_NOT_READY") == 0);
    OK(cuGetErrorString, CUDA_ERROR_NOT_READY, &text);
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet, &found, 7);
    OK(cuDevicePrimaryCtxSetFlags, device, CU_CTX_SCHED_YIELD);
    OK(cuDevicePrimaryCtxRetain, &primary, device);
    OK(cuDevicePrimaryCtxGetState, device, &flags, &active);
    CHECK(active && flags == CU_CTX_SCHED_YIELD);
    OK(cuDevicePrimaryCtxRelease, device);
    OK(cuDevicePrimaryCtxReset, device);
    OK(cuCtxCreate, &context, NULL, CU_CTX_SCHED_AUTO, device);
    OK(cuCtxGetCurrent, &current);
    CHECK(current == context);
    OK(cuCtxPopCurrent, &current);
    OK(cuCtxPushCurrent, context);
    OK(cuCtxSetCurrent, context);
    OK(cuCtxGetDevice, &found);
    OK(cuCtxGetFlags, &flags);
    OK(cuCtxGetId, context, &id);
    OK(cuCtxGetApiVersion, context, &flags);
    OK(cuCtxGetStreamPriorityRange, &least, &greatest);
    CHECK(least >= greatest && id != 0);
    OK(cuCtxSetLimit, CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 16);
    OK(cuCtxGetLimit, &limit, CU_LIMIT_PRINTF_FIFO_SIZE);
    CHECK(limit == 1 << 16);
    OK(cuCtxSetCacheConfig, CU_FUNC_CACHE_PREFER_L1);
    OK(cuCtxGetCacheConfig, &cache);
    OK(cuCtxSynchronize);
}

/* -- Modules and functions ------------------------------------------------------------
 */

static void modules(const char *path)
{
    unsigned count = 0;
    CUfunction functions[32];
    CUmodule owner = NULL;
    CUdeviceptr variable = 0;
    const char *name = NULL;
    size_t bytes = 0, offset = 9;
    int value = 0, grid = 0, block = 0;
    OK(cuModuleLoad, &module, path);
    OK(cuModuleGetFunction, &scale, module, "scale");
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction, &functions[0], module, "nothing");
    OK(cuModuleGetFunctionCount, &count, module);
    CHECK(count > 10 && count <= 32);
    OK(cuModuleEnumerateFunctions, functions, count, module);
    OK(cuModuleGetGlobal, &variable, &bytes, module, "counter");
    CHECK(bytes == 4 && variable != 0);
    OK(cuFuncGetName, &name, scale);
    CHECK(strcmp(name, "scale") == 0);
    OK(cuFuncGetModule, &owner, scale);
    CHECK(owner == module);
    OK(cuFuncGetParamInfo, scale, 1, &offset, &bytes);
    CHECK(offset == 8 && bytes == 4);
    OK(cuFuncSetAttribute, scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
       1024);
    OK(cuFuncGetAttribute, &value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
       scale);
    CHECK(value == 1024);
    OK(cuFuncSetCacheConfig, scale, CU_FUNC_CACHE_PREFER_SHARED);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor, &value, scale, 256, 0);
    CHECK(value > 0);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, &value, scale, 256, 0, 0);
    OK(cuOccupancyMaxPotentialBlockSize, &grid, &block, scale, NULL, 0, 0);
    OK(cuOccupancyMaxPotentialBlockSizeWithFlags, &grid, &block, scale, NULL, 0, 0, 0);
    CHECK(grid > 0 && block > 0);
    OK(cuOccupancyAvailableDynamicSMemPerBlock, &bytes, scale, 1, 256);
}

/* -- Memory ---------------------------------------------------------------------------
 */

static void memories(void)
{
    void *locked = NULL, *allocated = NULL;
    static float registered[N];
    CUdeviceptr managed = 0, base = 0, pitched = 0, mapped = 0;
    size_t room = 0, total = 0, size = 0, pitch = 0;
    unsigned flags = 0, type = 0;
    int answer = 0, sizes = 4;
    CUpointer_attribute wanted[1] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void *answers[1] = {&type};
    size_t answer_bytes[1] = {sizeof sizes};
    CUmem_range_attribute range[1] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY};
    CUmemLocation here = {0};
    OK(cuMemGetInfo, &room, &total);
    OK(cuMemAlloc, &memory, BYTES);
    OK(cuMemAlloc, &other, BYTES);
    OK(cuMemAllocPitch, &pitched, &pitch, 100, 10, 4);
    CHECK(pitch >= 100);
    OK(cuMemGetAddressRange, &base, &size, memory + 100);
    CHECK(base == memory && size == BYTES);
    OK(cuMemAllocHost, &allocated, BYTES);
    OK(cuMemHostAlloc, &locked, BYTES, CU_MEMHOSTALLOC_DEVICEMAP);
    OK(cuMemHostGetDevicePointer, &mapped, locked, 0);
    OK(cuMemHostGetFlags, &flags, locked);
    OK(cuMemHostRegister, registered, sizeof registered, 0);
    OK(cuMemHostUnregister, registered);
    OK(cuMemAllocManaged, &managed, BYTES, CU_MEM_ATTACH_GLOBAL);
    here.type = CU_MEM_LOCATION_TYPE_DEVICE;
    here.id = device;
    OK(cuMemAdvise, managed, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, here);
    OK(cuMemPrefetchAsync, managed, BYTES, here, 0, stream);
    OK(cuMemRangeGetAttribute, &answer, sizeof answer,
       CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed, BYTES);
    CHECK(answer == 1);
    answers[0] = &answer;
    OK(cuMemRangeGetAttributes, answers, answer_bytes, range, 1, managed, BYTES);
    OK(cuStreamAttachMemAsync, stream, managed, 0, CU_MEM_ATTACH_GLOBAL);
    OK(cuPointerGetAttribute, &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory);
    CHECK(type == CU_MEMORYTYPE_DEVICE);
    answers[0] = &type;
    OK(cuPointerGetAttributes, 1, wanted, answers, (CUdeviceptr)(uintptr_t)locked);
    CHECK(type == CU_MEMORYTYPE_HOST);
    OK(cuMemFree, pitched);
    OK(cuMemFree, managed);
    OK(cuMemFreeHost, allocated);
    OK(cuMemFreeHost, locked);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree, 12345);
}

static void copies(void)
{
    static unsigned char box[64 * 16];
    CUDA_ARRAY_DESCRIPTOR shape = {.Width = 64,
                                   .Height = 16,
                                   .Format = CU_AD_FORMAT_UNSIGNED_INT8,
                                   .NumChannels = 1};
    CUDA_ARRAY_DESCRIPTOR asked;
    CUDA_ARRAY3D_DESCRIPTOR shape3 = {.Width = 8,
                                      .Height = 4,
                                      .Depth = 2,
                                      .Format = CU_AD_FORMAT_FLOAT,
                                      .NumChannels = 1};
    CUDA_ARRAY3D_DESCRIPTOR asked3;
    CUarray flat = NULL, deep = NULL;
    CUDA_MEMCPY2D copy2 = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = box,
                           .srcPitch = 64,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .WidthInBytes = 64,
                           .Height = 16};
    CUDA_MEMCPY3D copy3 = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = memory,
                           .srcPitch = 32,
                           .srcHeight = 4,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .WidthInBytes = 32,
                           .Height = 4,
                           .Depth = 2};
    for (int i = 0; i < N; i++)
        host[i] = (float)i;
    OK(cuMemcpyHtoD, memory, host, BYTES);
    OK(cuMemcpyDtoD, other, memory, BYTES);
    memset(host, 0, sizeof host);
    OK(cuMemcpyDtoH, host, other, BYTES);
    CHECK(host[N - 1] == N - 1);
    OK(cuMemcpyHtoDAsync, memory, host, BYTES, stream);
    OK(cuMemcpyDtoDAsync, other, memory, BYTES, stream);
    OK(cuMemcpyDtoHAsync, host, other, BYTES, stream);
    OK(cuMemcpy, other, memory, BYTES);
    OK(cuMemcpyAsync, other, memory, BYTES, stream);
    OK(cuMemcpyPeer, other, context, memory, context, BYTES);
    OK(cuMemcpyPeerAsync, other, context, memory, context, BYTES, stream);
    OK(cuMemsetD8, other, 1, BYTES);
    OK(cuMemsetD16, other, 1, BYTES / 2);
    OK(cuMemsetD32, other, 0x3f800000, N);
    OK(cuMemsetD8Async, other, 1, 4, stream);
    OK(cuMemsetD16Async, other, 1, 2, stream);
    OK(cuMemsetD32Async, other, 0x3f800000, 1, stream);
    OK(cuMemsetD2D8, other, 64, 2, 16, 4);
    OK(cuMemsetD2D16, other, 64, 2, 16, 4);
    OK(cuMemsetD2D32, other, 64, 0x3f800000, 16, 4);
    OK(cuMemsetD2D8Async, other, 64, 2, 16, 4, stream);
    OK(cuMemsetD2D16Async, other, 64, 2, 16, 4, stream);
    OK(cuMemsetD2D32Async, other, 64, 0x3f800000, 16, 4, stream);
    OK(cuStreamSynchronize, stream);
    OK(cuMemcpyDtoH, host, other, BYTES);
    CHECK(host[0] == 1 && host[N - 1] == 1);
    OK(cuArrayCreate, &flat, &shape);
    OK(cuArrayGetDescriptor, &asked, flat);
    CHECK(asked.Width == 64 && asked.Height == 16);
    OK(cuArray3DCreate, &deep, &shape3);
    OK(cuArray3DGetDescriptor, &asked3, deep);
    CHECK(asked3.Depth == 2);
    box[70] = 7;
    copy2.dstArray = flat;
    OK(cuMemcpy2D, &copy2);
    OK(cuMemcpy2DUnaligned, &copy2);
    OK(cuMemcpy2DAsync, &copy2, stream);
    OK(cuStreamSynchronize, stream);
    memset(box, 0, sizeof box);
    OK(cuMemcpyAtoH, box, flat, 0, 64);
    OK(cuMemcpyAtoH, box + 64, flat, 64, 64);
    CHECK(box[70] == 7);
    OK(cuMemcpyHtoA, flat, 0, box, 64);
    OK(cuMemcpyAtoD, other, flat, 0, 64);
    OK(cuMemcpyDtoA, flat, 0, other, 64);
    OK(cuMemcpyAtoA, flat, 64, flat, 0, 64);
    OK(cuMemcpyHtoAAsync, flat, 0, box, 64, stream);
    OK(cuMemcpyAtoHAsync, box, flat, 0, 64, stream);
    copy3.dstArray = deep;
    OK(cuMemcpy3D, &copy3);
    OK(cuMemcpy3DAsync, &copy3, stream);
    OK(cuStreamSynchronize, stream);
    OK(cuArrayDestroy, flat);
    OK(cuArrayDestroy, deep);
}

/* -- Streams, events, launches --------------------------------------------------------
 */

static void count_call(void *calls)
{
    __atomic_fetch_add((int *)calls, 1, __ATOMIC_RELAXED);
}

static void told(CUstream where, CUresult status, void *calls)
{
    count_call(calls);
}

static CUresult launch(float factor, CUstream where)
{
    int n = N;
    void *values[] = {&memory, &factor, &n};
    use("cuLaunchKernel");
    return ENTRY(cuLaunchKernel)(scale, N / 64, 1, 1, 64, 1, 1, 0, where, values, NULL);
}

static float first(void)
{
    float value = -1;
    OK(cuMemcpyDtoH, &value, memory, sizeof value);
    return value;
}

static void launches(void)
{
    CUstream second = NULL;
    CUevent start = NULL, end = NULL;
    CUcontext owner = NULL;
    float milliseconds = -1, two = 2;
    CUlaunchAttributeValue attribute;
    int calls = 0, n = N, priority = 1;
    unsigned flags = 9;
    unsigned long long id = 0;
    void *values[] = {&memory, &two, &n};
    CUlaunchConfig config = {.gridDimX = N / 64,
                             .gridDimY = 1,
                             .gridDimZ = 1,
                             .blockDimX = 64,
                             .blockDimY = 1,
                             .blockDimZ = 1,
                             .hStream = stream};
    OK(cuStreamCreateWithPriority, &second, CU_STREAM_NON_BLOCKING, -1);
    OK(cuStreamGetPriority, second, &priority);
    OK(cuStreamGetFlags, second, &flags);
    OK(cuStreamGetId, second, &id);
    OK(cuStreamGetCtx, second, &owner);
    CHECK(priority == -1 && flags == CU_STREAM_NON_BLOCKING && owner == context);
    OK(cuStreamGetAttribute, second, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute);
    CHECK(attribute.priority == -1);
    attribute.syncPolicy = CU_SYNC_POLICY_YIELD;
    OK(cuStreamSetAttribute, stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
       &attribute);
    OK(cuStreamCopyAttributes, second, stream);
    OK(cuStreamGetAttribute, second, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
       &attribute);
    CHECK(attribute.syncPolicy == CU_SYNC_POLICY_YIELD);
    attribute.priority = -2;
    OK(cuStreamSetAttribute, second, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute);
    OK(cuStreamGetPriority, second, &priority);
    CHECK(priority == -2);
    attribute.priority = 1;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamSetAttribute, stream,
          CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute);
    OK(cuEventCreate, &start, CU_EVENT_DEFAULT);
    OK(cuEventCreate, &end, CU_EVENT_DEFAULT);
    OK(cuMemsetD32, memory, 0x3f800000, N);
    OK(cuEventRecord, start, stream);
    CHECK(launch(2, stream) == CUDA_SUCCESS);
    OK(cuLaunchKernelEx, &config, scale, values, NULL);
    OK(cuLaunchCooperativeKernel, scale, 1, 1, 1, 64, 1, 1, 0, stream, values);
    OK(cuEventRecordWithFlags, end, stream, 0);
    OK(cuStreamWaitEvent, second, end, 0);
    OK(cuLaunchHostFunc, second, count_call, &calls);
    OK(cuStreamAddCallback, second, told, &calls, 0);
    OK(cuStreamSynchronize, second);
    OK(cuStreamQuery, second);
    OK(cuEventSynchronize, end);
    OK(cuEventQuery, end);
    OK(cuEventElapsedTime, &milliseconds, start, end);
    CHECK(calls == 2 && milliseconds >= 0 && first() == 8);
    OK(cuEventDestroy, start);
    OK(cuEventDestroy, end);
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventQuery, end);
    OK(cuStreamWriteValue32, second, other, 5, 0);
    OK(cuStreamWaitValue32, second, other, 5, CU_STREAM_WAIT_VALUE_EQ);
    OK(cuStreamWriteValue64, second, other, 6, 0);
    OK(cuStreamWaitValue64, second, other, 6, CU_STREAM_WAIT_VALUE_GEQ);
    OK(cuStreamSynchronize, second);
    OK(cuStreamDestroy, second);
}

/* As programs from before CUDA 4 launch. */
static void old_launches(void)
{
    CUcontext same = NULL;
    CUtexref texture = NULL;
    OK(cuMemsetD32, memory, 0x3f800000, N);
    OK(cuFuncSetBlockShape, scale, 64, 1, 1);
    OK(cuFuncSetSharedSize, scale, 512);
    OK(cuParamSetv, scale, 0, &memory, sizeof memory);
    OK(cuParamSetf, scale, 8, 3);
    OK(cuParamSeti, scale, 12, N);
    OK(cuParamSetSize, scale, 16);
    OK(cuModuleGetTexRef, &texture, module, "bytes");
    OK(cuParamSetTexRef, scale, CU_PARAM_TR_DEFAULT, texture);
    OK(cuLaunch, scale);
    OK(cuLaunchGrid, scale, N / 64, 1);
    OK(cuLaunchGridAsync, scale, 1, N / 64, stream);
    OK(cuStreamSynchronize, stream);
    OK(cuMemcpyDtoH, host, memory, BYTES);
    CHECK(host[0] == 27 && host[63] == 27 && host[64] == 9 && host[N - 1] == 9);
    OK(cuCtxAttach, &same, 0);
    CHECK(same == context);
    OK(cuCtxDetach, same);
}

/* -- Graphs and pools -----------------------------------------------------------------
 */

static void graphs(void)
{
    CUgraph graph = NULL, clone = NULL, capturing = NULL;
    CUgraphExec exec = NULL;
    CUgraphNode nodes[4], empty = NULL, kernel = NULL;
    CUgraphNodeType type = 0;
    CUstreamCaptureStatus status = 0;
    CUgraphExecUpdateResultInfo info;
    CUDA_KERNEL_NODE_PARAMS params;
    cuuint64_t id = 0;
    size_t count = 4;
    OK(cuMemsetD32, memory, 0x3f800000, N);
    OK(cuStreamBeginCapture, stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    CHECK(launch(3, stream) == CUDA_SUCCESS);
    OK(cuMemcpyDtoHAsync, host, memory, BYTES, stream);
    OK(cuStreamIsCapturing, stream, &status);
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(cuStreamGetCaptureInfo, stream, &status, &id, &capturing, NULL, NULL, NULL);
    OK(cuStreamEndCapture, stream, &graph);
    CHECK(graph == capturing);
    OK(cuGraphGetNodes, graph, nodes, &count);
    CHECK(count == 2);
    OK(cuGraphNodeGetType, nodes[0], &type);
    CHECK(type == CU_GRAPH_NODE_TYPE_KERNEL);
    kernel = nodes[0];
    OK(cuGraphAddEmptyNode, &empty, graph, NULL, 0);
    OK(cuGraphAddDependencies, graph, nodes + 1, &empty, NULL, 1);
    count = 4;
    OK(cuGraphNodeGetDependencies, empty, nodes, NULL, &count);
    CHECK(count == 1);
    count = 4;
    OK(cuGraphNodeGetDependentNodes, kernel, nodes, NULL, &count);
    OK(cuGraphRemoveDependencies, graph, nodes, &empty, NULL, 1);
    count = 0;
    OK(cuGraphGetEdges, graph, NULL, NULL, NULL, &count);
    CHECK(count == 1);
    OK(cuGraphClone, &clone, graph);
    OK(cuGraphInstantiate, &exec, graph, 0);
    OK(cuGraphUpload, exec, stream);
    OK(cuGraphLaunch, exec, stream);
    OK(cuStreamSynchronize, stream);
    CHECK(host[0] == 3 && host[N - 1] == 3);
    OK(cuGraphKernelNodeGetParams, kernel, &params);
    OK(cuGraphExecKernelNodeSetParams, exec, kernel, &params);
    OK(cuGraphExecUpdate, exec, clone, &info);
    OK(cuGraphLaunch, exec, stream);
    OK(cuStreamSynchronize, stream);
    CHECK(host[0] == 9);
    OK(cuGraphExecDestroy, exec);
    OK(cuGraphDestroy, clone);
    OK(cuGraphDestroy, graph);
}

static void pools(void)
{
    CUmemoryPool standard = NULL, pool = NULL;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED};
    CUdeviceptr block = 0;
    cuuint64_t keep = 1 << 20, used_now = 1;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuDeviceGetDefaultMemPool, &standard, device);
    OK(cuMemPoolCreate, &pool, &props);
    OK(cuDeviceSetMemPool, device, pool);
    OK(cuDeviceGetMemPool, &standard, device);
    CHECK(standard == pool);
    OK(cuMemPoolSetAttribute, pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep);
    OK(cuMemAllocAsync, &block, BYTES, stream);
    OK(cuMemsetD8Async, block, 1, BYTES, stream);
    OK(cuMemFreeAsync, block, stream);
    OK(cuMemAllocFromPoolAsync, &block, BYTES, pool, stream);
    OK(cuMemFreeAsync, block, stream);
    OK(cuStreamSynchronize, stream);
    OK(cuMemPoolGetAttribute, pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used_now);
    CHECK(used_now == 0);
    OK(cuMemPoolTrimTo, pool, 0);
    OK(cuMemPoolDestroy, pool);
}

/* What a client looks up at run time is what it would have been linked with. */
static void lookup(void)
{
    void *address = NULL;
    CUdriverProcAddressQueryResult result;
    OK(cuGetProcAddress, "cuMemAlloc", &address, 13000, 0, &result);
    CHECK(address == (void *)ENTRY(cuMemAlloc) &&
          result == CU_GET_PROC_ADDRESS_SUCCESS);
    OK(cuGetProcAddress, "cuEventElapsedTime", &address, 13000, 0, &result);
    CHECK(address == (void *)ENTRY(cuEventElapsedTime));
    OK(cuGetProcAddress, "cuEventElapsedTime", &address, 12000, 0, &result);
    CHECK(address != (void *)ENTRY(cuEventElapsedTime));
    GIVES(CUDA_ERROR_NOT_FOUND, cuGetProcAddress, "cuNothing", &address, 13000, 0,
          &result);
    CHECK(result == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

int main(int argc, char **argv)
{
    setenv("HOSTCUDA_DEVICES", "2", 1);
    devices();
    OK(cuStreamCreate, &stream, CU_STREAM_DEFAULT);
    modules(argv[1]);
    memories();
    copies();
    launches();
    old_launches();
    graphs();
    pools();
    lookup();
    OK(cuMemFree, memory);
    OK(cuMemFree, other);
    OK(cuStreamDestroy, stream);
    OK(cuModuleUnload, module);
    OK(cuCtxDestroy, context);
    printf("%d entry points used, %d failures\n", used_count, failures);
    return failures != 0 || used_count < 100;
}
