/* Stream-ordered memory: who may have a block when, what pools keep, attributes; and
   stream memory operations. */
#include <sys/mman.h>

#include "hostcuda_test.h"

#define SIZE (1 << 20)

static CUstream stream, other;
static CUmemoryPool pool;
static CUdeviceptr flag; /* managed */

static cuuint64_t asked(CUmemPool_attribute attribute)
{
    cuuint64_t value = 0;
    OK(cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

/* Work of the stream that ends when release() is called. */
static void hold(CUstream where)
{
    *(volatile unsigned *)(uintptr_t)flag = 0;
    OK(cuStreamWaitValue32_v2(where, flag, 1, CU_STREAM_WAIT_VALUE_EQ));
}

static void release(void)
{
    __atomic_store_n((unsigned *)(uintptr_t)flag, 1, __ATOMIC_RELEASE);
}

static void order(void)
{
    CUdeviceptr first = 0, second = 0, third = 0;
    OK(cuMemAllocFromPoolAsync(&first, SIZE, pool, stream));
    OK(cuMemsetD8Async(first, 7, SIZE, stream));
    hold(stream);
    OK(cuMemFreeAsync(first, stream));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(first, stream));
    DETAIL("not the start of an allocation from a memory pool");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(first));
    CHECK(asked(CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0);
    CHECK(asked(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == SIZE);
    /* Another stream may not have it yet, the same one may. */
    OK(cuMemAllocFromPoolAsync(&second, SIZE, pool, other));
    OK(cuMemAllocFromPoolAsync(&third, SIZE, pool, stream));
    CHECK(second != first && third == first);
    OK(cuMemFreeAsync(third, stream));
    OK(cuMemPoolTrimTo(pool, 0));
    CHECK(asked(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 2 * SIZE);
    release();
    OK(cuStreamSynchronize(stream));
    CHECK(asked(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == SIZE);
    OK(cuMemFree_v2(second));
    CHECK(asked(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 0);
    CHECK(asked(CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 2 * SIZE);
}

/* Another stream may have it when an event tells the order. */
static void dependencies(CUmemPoolProps props)
{
    CUdeviceptr first = 0, second = 0;
    CUmemoryPool before = pool;
    CUevent early = NULL, late = NULL;
    int off = 0, on = 1;
    props.maxSize = 2 * SIZE;
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuEventCreate(&early, 0));
    OK(cuEventCreate(&late, 0));
    OK(cuMemAllocFromPoolAsync(&first, SIZE, pool, stream));
    hold(stream);
    OK(cuEventRecord(early, stream));
    OK(cuMemFreeAsync(first, stream));
    OK(cuEventRecord(late, stream));
    OK(cuStreamWaitEvent(other, early, 0));
    OK(cuMemAllocFromPoolAsync(&second, SIZE, pool, other));
    CHECK(second != first);
    OK(cuMemFreeAsync(second, other));
    OK(cuStreamWaitEvent(other, late, 0));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES,
                             &off));
    OK(cuMemAllocFromPoolAsync(&second, SIZE, pool, other));
    CHECK(second != first);
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES,
                             &on));
    CUdeviceptr again = 0, last = 0;
    OK(cuMemAllocFromPoolAsync(&again, SIZE, pool, other));
    CHECK(again == first);
    OK(cuMemsetD32Async(again, 5, 4, other));
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(other));
    /* When memory is short, a third stream waits for it, unless that is forbidden. */
    OK(cuMemFreeAsync(again, other));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
                             &off));
    EXPECT(CUDA_ERROR_OUT_OF_MEMORY,
           cuMemAllocFromPoolAsync(&last, SIZE, pool, CU_STREAM_PER_THREAD));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
                             &on));
    OK(cuMemAllocFromPoolAsync(&last, SIZE, pool, CU_STREAM_PER_THREAD));
    CHECK(last == first);
    OK(cuMemsetD32Async(last, 6, 4, CU_STREAM_PER_THREAD));
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(CU_STREAM_PER_THREAD));
    release();
    OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    /* What is free by chance is left alone if that is asked for. */
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                             &(cuuint64_t){UINT64_MAX}));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &off));
    OK(cuMemFreeAsync(second, stream));
    OK(cuMemFreeAsync(last, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
                             &off));
    OK(cuMemAllocFromPoolAsync(&again, SIZE, pool, other)); /* they were given back */
    OK(cuMemFreeAsync(again, other));
    OK(cuStreamSynchronize(other));
    OK(cuMemPoolDestroy(pool));
    OK(cuEventDestroy_v2(early));
    OK(cuEventDestroy_v2(late));
    pool = before;
}

static void keeping(void)
{
    cuuint64_t keep = SIZE, zero = 0, one = 1;
    CUdeviceptr first = 0, second = 0;
    int off = 0;
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
    OK(cuMemAllocFromPoolAsync(&first, SIZE, pool, stream));
    OK(cuMemAllocFromPoolAsync(&second, SIZE / 2, pool, stream));
    OK(cuMemFreeAsync(first, stream));
    OK(cuMemFreeAsync(second, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(asked(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == SIZE);
    OK(cuMemAllocFromPoolAsync(&second, SIZE, pool, other));
    CHECK(second == first);
    OK(cuMemFreeAsync(second, other));
    OK(cuMemPoolTrimTo(pool, 0));
    CHECK(asked(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 0);
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &zero));
    CHECK(asked(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) == 0);
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &one));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &zero));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAttribute(pool, 77, &one));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &off));
    off = 1;
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &off));
    CHECK(off == 0);
}

static void pools(CUmemPoolProps props)
{
    CUmemoryPool standard = NULL, now = NULL, small = NULL;
    CUmemAccessDesc desc = {{CU_MEM_LOCATION_TYPE_DEVICE, 1},
                            CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemAccess_flags flags = 0;
    CUdeviceptr memory = 0, more = 0;
    OK(cuDeviceGetDefaultMemPool(&standard, 0));
    OK(cuDeviceGetMemPool(&now, 0));
    CHECK(now == standard);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(standard));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuDeviceSetMemPool(1, pool));
    OK(cuDeviceSetMemPool(0, pool));
    OK(cuMemAllocAsync(&memory, 100, stream));
    now = NULL;
    OK(cuPointerGetAttribute(&now, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory));
    CHECK(now == pool);
    OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
    OK(cuMemPoolSetAccess(pool, &desc, 1));
    OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    desc = (CUmemAccessDesc){{CU_MEM_LOCATION_TYPE_DEVICE, 0}, 0};
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAccess(pool, &desc, 1));
    /* A pool lives on until its memory is freed. */
    OK(cuMemPoolDestroy(pool));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuMemPoolTrimTo(pool, 0));
    OK(cuDeviceGetMemPool(&now, 0));
    CHECK(now == standard);
    OK(cuMemsetD8Async(memory, 1, 100, stream));
    OK(cuMemFreeAsync(memory, stream));
    OK(cuStreamSynchronize(stream));
    /* Limits */
    props.maxSize = 1000;
    OK(cuMemPoolCreate(&small, &props));
    OK(cuMemAllocFromPoolAsync(&memory, 1000, small, stream));
    EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&more, 1, small, stream));
    DETAIL("of at most 1000");
    OK(cuMemFreeAsync(memory, stream));
    OK(cuMemAllocFromPoolAsync(&more, 1, small, stream)); /* idle memory makes room */
    OK(cuMemFreeAsync(more, stream));
    OK(cuMemPoolDestroy(small));
    props.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    EXPECT(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&small, &props));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAllocAsync(&memory, 0, stream));
    EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocAsync(&memory, (size_t)1 << 50, stream));
}

/* Idle memory is given back before anything is out of memory. */
static void shortage(void)
{
    CUmemoryPool standard = NULL;
    cuuint64_t all = UINT64_MAX;
    size_t total = 0, room = 0;
    CUdeviceptr memory = 0;
    OK(cuDeviceGetDefaultMemPool(&standard, 0));
    OK(cuMemPoolSetAttribute(standard, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
    OK(cuMemGetInfo_v2(&room, &total));
    CHECK(total == 64 << 20);
    OK(cuMemAllocAsync(&memory, 40 << 20, stream));
    OK(cuMemFreeAsync(memory, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemAlloc_v2(&memory, 50 << 20));
    OK(cuMemFree_v2(memory));
}

/* -- Stream memory operations --------------------------------------------------------
 */

static void words(void)
{
    CUdeviceptr word = flag + 64;
    volatile cuuint64_t *value = (cuuint64_t *)(uintptr_t)word;
    CUstreamBatchMemOpParams batch[3] = {
        {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64,
                        .address = word,
                        .value64 = 5}},
        {.operation = CU_STREAM_MEM_OP_BARRIER},
        {.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64,
                       .address = word,
                       .value64 = 4,
                       .flags = CU_STREAM_WAIT_VALUE_GEQ}}};
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    hold(stream);
    OK(cuStreamWriteValue32_v2(stream, word, 9, 0));
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
    OK(cuStreamWriteValue32_v2(other, flag, 1, 0)); /* one stream lets another go on */
    OK(cuStreamSynchronize(stream));
    CHECK(*value == 9);
    OK(cuStreamBatchMemOp_v2(stream, 3, batch, 0));
    OK(cuStreamWaitValue64_v2(stream, word, 3, CU_STREAM_WAIT_VALUE_NOR));
    OK(cuStreamWaitValue64_v2(stream, word, 4, CU_STREAM_WAIT_VALUE_AND));
    OK(cuStreamSynchronize(stream));
    CHECK(*value == 5);
    batch[2].operation = 77;
    batch[0].writeValue.value64 = 6;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp_v2(stream, 3, batch, 0));
    CHECK(*value == 5); /* all or nothing */
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32_v2(stream, word + 1, 9, 0));
    DETAIL("is not aligned to 4 bytes");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32_v2(stream, 64, 9, 0));
    DETAIL("in no allocation");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32_v2(stream, word, 9, 64));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuStreamWriteValue64_v2(stream, word, 8, 0));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(*value == 8);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* Registered memory that the program has given back meanwhile */
static void lost_word(void)
{
    CUcontext context = NULL;
    void *map =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuMemHostRegister_v2(map, 4096, 0));
    mprotect(map, 4096, PROT_READ);
    OK(cuStreamWriteValue32_v2(NULL, (uintptr_t)map, 1, 0));
    EXPECT(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    DETAIL("stream memory operation: invalid access at address");
    OK(cuCtxDestroy_v2(context));
    munmap(map, 4096);
}

int main(void)
{
    CUcontext context = NULL;
    CUdeviceptr left = 0;
    const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    setenv("HOSTCUDA_DEVICES", "2", 1);
    setenv("HOSTCUDA_MEMORY", "64M", 1);
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuStreamCreate(&stream, 0));
    OK(cuStreamCreate(&other, 0));
    OK(cuMemAllocManaged(&flag, 4096, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemPoolCreate(&pool, &props));
    order();
    dependencies(props);
    keeping();
    pools(props);
    shortage();
    words();
    lost_word();
    OK(cuMemAllocAsync(&left, SIZE, stream)); /* goes with the context */
    OK(cuMemAllocAsync(&left, 10, NULL));
    OK(cuMemFreeAsync(left, NULL));
    OK(cuCtxDestroy_v2(context));
    return report();
}
