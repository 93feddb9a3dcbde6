/* Streams and events: what may overlap, what must wait. A kernel that spins on a flag
   stands for long work; memory that host and device share shows what has run. */
#include <pthread.h>
#include <unistd.h>

#include "hostcuda_test.h"

static CUmodule module;
static CUfunction waiting, busy;
static CUstream blocking[2], independent;
static volatile int *flag,
    *seen; /* managed: the host looks in without asking the device */

static CUdeviceptr at(volatile int *word)
{
    return (uintptr_t)word;
}

/* Work of the stream that ends when *flag becomes `value`. */
static void hold(CUstream stream, int value)
{
    CUdeviceptr address = at(flag);
    OK(cuLaunchKernel(waiting, 1, 1, 1, 1, 1, 1, 0, stream,
                      (void *[]){&address, &value}, NULL));
}

/* Work of the stream that writes `value` to seen[i]. */
static void mark(CUstream stream, int i, unsigned value)
{
    OK(cuMemsetD32Async(at(seen + i), value, 1, stream));
}

static void start(void)
{
    OK(cuCtxSynchronize());
    *flag = 0;
    for (int i = 0; i < 8; i++)
        seen[i] = 0;
}

static void finish(void)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    OK(cuCtxSynchronize());
}

/* -- Giving up --------------------------------------------------------------------- */

static int enough(unsigned long long waited, void *asked)
{
    ++*(int *)asked;
    return 1;
}

/* A wait that is given up leaves all as it is: work goes on, memory stays until that is
   done, a copy that has not begun is dropped. */
static void given_up(void)
{
    static unsigned char host[1 << 17];
    int asked = 0;
    size_t before = 0, after = 0;
    CUcontext context = NULL;
    CUdeviceptr memory = 0;
    CUevent event = NULL;
    OK(cuCtxGetCurrent(&context));
    OK(cuMemAlloc_v2(&memory, sizeof host));
    OK(cuMemsetD8_v2(memory, 7, sizeof host));
    OK(cuEventCreate(&event, 0));
    OK(cuxGetLiveObjects("memory", &before));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuxGetLiveObjects("box", &after));
    start();
    OK(cuxSetWaitFunction(enough, &asked));
    hold(blocking[0], 1);
    OK(cuEventRecord(event, blocking[0]));
    EXPECT(CUDA_ERROR_NOT_READY, cuCtxSynchronize());
    DETAIL("the wait was given up");
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamSynchronize(blocking[0]));
    EXPECT(CUDA_ERROR_NOT_READY, cuEventSynchronize(event));
    EXPECT(CUDA_ERROR_NOT_READY, cuMemcpyDtoH_v2(host, memory, sizeof host));
    EXPECT(CUDA_ERROR_NOT_READY,
           cuMemcpyDtoHAsync_v2(host, memory, sizeof host, blocking[0]));
    CHECK(asked == 5);
    OK(cuMemFree_v2(memory)); /* not before the work is done */
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(memory));
    EXPECT(CUDA_ERROR_NOT_READY, cuModuleUnload(module));
    EXPECT(CUDA_ERROR_NOT_READY, cuCtxDestroy_v2(context));
    CHECK(asked == 5);
    OK(cuxGetLiveObjects("memory", &after));
    CHECK(after == before);
    OK(cuxSetWaitFunction(NULL, NULL));
    finish();
    OK(cuMemAlloc_v2(&memory, 1));
    OK(cuMemFree_v2(memory));
    OK(cuxGetLiveObjects("memory", &after));
    CHECK(after == before - 1);
    CHECK(host[0] == 0);
    OK(cuEventDestroy_v2(event));
}

/* -- Order ------------------------------------------------------------------------- */

static void asynchrony(void)
{
    start();
    hold(blocking[0], 1);
    mark(blocking[0], 0, 1);
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(blocking[0]));
    OK(cuStreamQuery(blocking[1]));
    mark(independent, 1, 1);
    OK(cuStreamSynchronize(independent));
    mark(blocking[1], 2, 1);
    OK(cuStreamSynchronize(blocking[1]));
    CHECK(seen[0] == 0 && seen[1] == 1 && seen[2] == 1);
    finish();
    CHECK(seen[0] == 1);
    OK(cuStreamQuery(blocking[0]));
}

static void legacy_default_stream(void)
{
    start();
    hold(blocking[0], 1);
    mark(NULL, 0, 1);        /* waits for blocking[0] */
    mark(blocking[1], 1, 1); /* waits for the default stream */
    mark(CU_STREAM_PER_THREAD, 2, 1);
    mark(independent, 3, 1);
    OK(cuStreamSynchronize(independent));
    CHECK(seen[0] == 0 && seen[1] == 0 && seen[2] == 0 && seen[3] == 1);
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(CU_STREAM_LEGACY));
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(CU_STREAM_PER_THREAD));
    finish();
    CHECK(seen[0] == 1 && seen[1] == 1 && seen[2] == 1);
}

static void events(void)
{
    CUevent event = NULL, timed[2] = {NULL, NULL}, silent = NULL;
    float milliseconds = -1;
    OK(cuEventCreate(&event, 0));
    OK(cuEventQuery(event));
    OK(cuEventSynchronize(event));
    OK(cuStreamWaitEvent(independent, event, 0));
    start();
    hold(blocking[0], 1);
    OK(cuEventRecord(event, blocking[0]));
    OK(cuStreamWaitEvent(independent, event, 0));
    mark(independent, 0, 1);
    EXPECT(CUDA_ERROR_NOT_READY, cuEventQuery(event));
    mark(blocking[1], 1, 1);
    OK(cuStreamSynchronize(blocking[1]));
    CHECK(seen[0] == 0 && seen[1] == 1);
    /* Recorded again elsewhere: the wait is still for the first record. */
    OK(cuEventRecord(event, blocking[1]));
    OK(cuEventQuery(event));
    CHECK(seen[0] == 0);
    OK(cuEventDestroy_v2(event));
    finish();
    CHECK(seen[0] == 1);
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(event));

    OK(cuEventCreate(&timed[0], 0));
    OK(cuEventCreate(&timed[1], CU_EVENT_BLOCKING_SYNC));
    OK(cuEventCreate(&silent, CU_EVENT_DISABLE_TIMING));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&event, CU_EVENT_INTERPROCESS));
    EXPECT(CUDA_ERROR_INVALID_HANDLE,
           cuEventElapsedTime(&milliseconds, timed[0], timed[1]));
    DETAIL("never recorded");
    start();
    OK(cuEventRecord(timed[0], independent));
    hold(independent, 1);
    OK(cuEventRecord(timed[1], independent));
    OK(cuEventRecord(silent, independent));
    EXPECT(CUDA_ERROR_NOT_READY, cuEventElapsedTime(&milliseconds, timed[0], timed[1]));
    finish();
    OK(cuEventSynchronize(timed[1]));
    OK(cuEventElapsedTime(&milliseconds, timed[0], timed[1]));
    CHECK(milliseconds > 0 && milliseconds < 60000);
    EXPECT(CUDA_ERROR_INVALID_HANDLE,
           cuEventElapsedTime(&milliseconds, timed[0], silent));
    for (int i = 0; i < 2; i++)
        OK(cuEventDestroy_v2(timed[i]));
    OK(cuEventDestroy_v2(silent));
}

/* An event of one context holds up a stream of another, on another device. */
static void across_contexts(void)
{
    CUcontext other = NULL, here = NULL;
    CUstream there = NULL;
    CUevent event = NULL;
    OK(cuCtxGetCurrent(&here));
    OK(cuEventCreate(&event, 0));
    start();
    hold(independent, 1);
    OK(cuEventRecord(event, independent));
    OK(cuCtxCreate_v2(&other, 0, 1));
    OK(cuStreamCreate(&there, 0));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, there));
    EXPECT(CUDA_ERROR_INVALID_HANDLE,
           cuLaunchKernel(waiting, 1, 1, 1, 1, 1, 1, 0, there, NULL, NULL));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async(at(seen), 0, 1, independent));
    OK(cuStreamWaitEvent(there, event, 0));
    mark(there, 0, 1);
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(there));
    CHECK(seen[0] == 0);
    OK(cuCtxPopCurrent_v2(NULL));
    finish();
    OK(cuStreamSynchronize(there));
    CHECK(seen[0] == 1);
    OK(cuCtxDestroy_v2(other));
    OK(cuEventDestroy_v2(event));
}

/* A stream that is destroyed while it has work still does that. */
static void destroyed(void)
{
    CUstream stream = NULL;
    start();
    OK(cuStreamCreate(&stream, 0));
    hold(stream, 1);
    mark(stream, 0, 1);
    OK(cuStreamDestroy_v2(stream));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
    CHECK(seen[0] == 0);
    finish();
    CHECK(seen[0] == 1);
}

/* Pageable memory may change as soon as the call returns; pagelocked may not. */
static void staging(void)
{
    int source = 11;
    volatile int got = 0;
    start();
    hold(independent, 1);
    OK(cuMemcpyHtoDAsync_v2(at(seen), &source, 4, independent));
    source = 12;
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuMemcpyHtoDAsync_v2(at(seen), (void *)0x1000, 4, independent));
    DETAIL("4 bytes at 0x1000 cannot be read");
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    OK(cuMemcpyDtoHAsync_v2((void *)&got, at(seen), 4, independent)); /* waits */
    CHECK(got == 11);
}

/* -- Host functions ---------------------------------------------------------------- */

static _Atomic int calls, call_order[16];
static CUresult waited;

static void count(void *data)
{
    call_order[calls++] = (int)(intptr_t)data;
}

static void callback(CUstream stream, CUresult status, void *data)
{
    call_order[calls++] = stream == independent && status == CUDA_SUCCESS ? 100 : -1;
    waited = cuStreamSynchronize(stream);
}

static void host_functions(void)
{
    start();
    calls = 0;
    hold(independent, 1);
    OK(cuLaunchHostFunc(independent, count, (void *)1));
    mark(independent, 0, 1);
    OK(cuLaunchHostFunc(independent, count, (void *)2));
    OK(cuStreamAddCallback(independent, callback, NULL, 0));
    OK(cuLaunchHostFunc(NULL, count, (void *)3));
    OK(cuStreamSynchronize(NULL));
    CHECK(calls == 1 && call_order[0] == 3);
    finish();
    CHECK(calls == 4 && call_order[1] == 1 && call_order[2] == 2 &&
          call_order[3] == 100);
    CHECK(waited == CUDA_ERROR_NOT_PERMITTED);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(NULL, NULL, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(NULL, callback, NULL, 1));
}

/* -- Much work --------------------------------------------------------------------- */

/* Every launch adds without atomics: the sum is right only in order and one at a
   time. */
static void long_queue(void)
{
    int rounds = 7;
    CUdeviceptr address = at(seen);
    start();
    hold(blocking[0], 1);
    for (int i = 0; i < 5000; i++)
        OK(cuLaunchKernel(busy, 4, 1, 1, 1, 1, 1, 0, blocking[0],
                          (void *[]){&address, &rounds}, NULL));
    finish();
    for (int i = 0; i < 4; i++)
        CHECK(seen[i] == 35000);
    for (int i = 0; i < 5000; i++) {
        CUstream stream = i % 3 == 2 ? NULL : blocking[i % 3];
        OK(cuLaunchKernel(busy, 4, 1, 1, 1, 1, 1, 0, stream,
                          (void *[]){&address, &rounds}, NULL));
        if (stream != NULL)
            OK(cuStreamSynchronize(stream));
    }
    OK(cuCtxSynchronize());
    for (int i = 0; i < 4; i++)
        CHECK(seen[i] == 70000);
}

/* -- Handles ----------------------------------------------------------------------- */

static void *other_thread(void *context)
{
    CUcontext owner = NULL;
    unsigned long long mine = 0, *id = malloc(sizeof *id);
    OK(cuCtxSetCurrent(context));
    OK(cuStreamGetId(CU_STREAM_PER_THREAD, &mine));
    OK(cuStreamGetCtx(CU_STREAM_PER_THREAD, &owner));
    CHECK(owner == context);
    *id = mine;
    return id;
}

static void questions(void)
{
    CUcontext context = NULL;
    CUstream stream = NULL;
    pthread_t thread;
    unsigned flags = 9;
    int priority = 9;
    unsigned long long id = 0, first = 0;
    void *theirs = NULL;
    CUstreamCaptureStatus capturing = 9;
    OK(cuCtxGetCurrent(&context));
    OK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -77));
    OK(cuStreamGetPriority(stream, &priority));
    CHECK(priority == -5);
    OK(cuStreamGetFlags(stream, &flags));
    CHECK(flags == CU_STREAM_NON_BLOCKING);
    OK(cuStreamIsCapturing(stream, &capturing));
    CHECK(capturing == CU_STREAM_CAPTURE_STATUS_NONE);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 8));
    OK(cuStreamGetId(NULL, &id));
    OK(cuStreamGetId(CU_STREAM_LEGACY, &first));
    CHECK(id == first);
    OK(cuStreamGetId(CU_STREAM_PER_THREAD, &first));
    CHECK(id != first);
    OK(cuStreamGetId(CU_STREAM_PER_THREAD, &id));
    CHECK(id == first);
    CHECK(pthread_create(&thread, NULL, other_thread, context) == 0);
    pthread_join(thread, &theirs);
    CHECK(*(unsigned long long *)theirs != id);
    free(theirs);
    OK(cuStreamDestroy_v2(stream));
}

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    CUdeviceptr shared = 0;
    setenv("HOSTCUDA_DEVICES", "2", 1);
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, argv[1]));
    OK(cuMemAllocManaged(&shared, 4096, CU_MEM_ATTACH_GLOBAL));
    flag = (volatile int *)(uintptr_t)shared;
    seen = flag + 64;
    waiting = function_named(module, "wait");
    busy = function_named(module, "busy");
    OK(cuStreamCreate(&blocking[0], 0));
    OK(cuStreamCreate(&blocking[1], 0));
    OK(cuStreamCreate(&independent, CU_STREAM_NON_BLOCKING));
    given_up();
    asynchrony();
    legacy_default_stream();
    events();
    across_contexts();
    destroyed();
    staging();
    host_functions();
    long_queue();
    questions();
    OK(cuCtxDestroy_v2(context));
    return report();
}
