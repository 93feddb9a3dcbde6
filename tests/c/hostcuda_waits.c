/* Contexts that end while threads wait in them, and waits for all contexts while some
   of them come and go. The function that waiting threads ask whether to give up tells
   who has begun to wait: nothing here depends on how fast a thread is. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostcuda_test.h"

static const char *image_path;

/* -- Who waits --------------------------------------------------------------------- */

static _Thread_local int asked;
static _Atomic int waiting; /* threads that have asked since they set `asked` to 0 */

static int go_on(unsigned long long waited, void *unused)
{
    if (!asked) {
        asked = 1;
        waiting++;
    }
    return 0;
}

static void until_waiting(int threads)
{
    while (waiting < threads)
        usleep(1000);
}

/* -- Work that goes on until the host says so -------------------------------------- */

typedef struct {
    CUcontext context;
    CUstream stream;
    CUfunction wait;
} place;

static int flags[3]; /* host memory, which outlives all contexts */

static void hold(const place *p, int *flag)
{
    CUdeviceptr address = (uintptr_t)flag;
    int one = 1;
    __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
    OK(cuLaunchKernel(p->wait, 1, 1, 1, 1, 1, 1, 0, p->stream,
                      (void *[]){&address, &one}, NULL));
}

static void let_go(int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static place place_create(void)
{
    place p = {NULL};
    CUmodule module = NULL;
    OK(cuCtxCreate_v2(&p.context, 0, 0));
    OK(cuModuleLoad(&module, image_path));
    OK(cuStreamCreate(&p.stream, CU_STREAM_NON_BLOCKING));
    p.wait = function_named(module, "wait");
    return p;
}

/* -- A context ends under those who wait in it ------------------------------------- */

static place shared;
static CUevent event;
static CUdeviceptr memory;
static CUmodule unused_module;
static _Atomic int destroyed;

static CUresult wait_stream(void)
{
    return cuStreamSynchronize(shared.stream);
}

static CUresult wait_event(void)
{
    return cuEventSynchronize(event);
}

static CUresult wait_context(void)
{
    return cuCtxSynchronize();
}

static CUresult wait_to_free(void)
{
    return cuMemFree_v2(memory);
}

static CUresult wait_to_unload(void)
{
    return cuModuleUnload(unused_module);
}

/* The record of a context may be another's as soon as this returns. */
static CUresult destroy(void)
{
    CUcontext next = NULL;
    CUresult status = cuCtxDestroy_v2(shared.context);
    destroyed += status == CUDA_SUCCESS;
    if (status == CUDA_SUCCESS) {
        OK(cuCtxCreate_v2(&next, 0, 0));
        OK(cuCtxDestroy_v2(next));
    }
    return status;
}

static CUresult (*const waits[])(void) = {wait_stream,  wait_event,     wait_context,
                                          wait_to_free, wait_to_unload, destroy,
                                          destroy};
enum { WAITS = sizeof waits / sizeof *waits };

/* What was waited for is done, or has gone with its context; nothing else comes out. */
static void *wait_in_context(void *number)
{
    OK(cuCtxPushCurrent_v2(shared.context));
    asked = 0;
    CUresult status = waits[(uintptr_t)number]();
    if (status == CUDA_ERROR_INVALID_VALUE || status == CUDA_ERROR_INVALID_HANDLE)
        CHECK(waits[(uintptr_t)number] == wait_to_free ||
              waits[(uintptr_t)number] == wait_to_unload);
    else if (status == CUDA_ERROR_INVALID_CONTEXT)
        CHECK(waits[(uintptr_t)number] == destroy);
    else if (status != CUDA_ERROR_CONTEXT_IS_DESTROYED)
        OK(status);
    cuCtxPopCurrent_v2(NULL); /* its last one is gone */
    return NULL;
}

static void context_ends_under_waits(void)
{
    pthread_t threads[WAITS];
    for (int round = 0; round < 10; round++) {
        shared = place_create();
        OK(cuModuleLoad(&unused_module, image_path));
        OK(cuEventCreate(&event, 0));
        OK(cuMemAlloc_v2(&memory, 100));
        hold(&shared, &flags[0]);
        OK(cuEventRecord(event, shared.stream));
        OK(cuCtxPopCurrent_v2(NULL));
        destroyed = waiting = 0;
        for (uintptr_t i = 0; i < WAITS; i++)
            CHECK(pthread_create(&threads[i], NULL, wait_in_context, (void *)i) == 0);
        until_waiting(WAITS);
        let_go(&flags[0]);
        for (int i = 0; i < WAITS; i++)
            pthread_join(threads[i], NULL);
        CHECK(destroyed == 1);
    }
}

/* -- A wait for all contexts ------------------------------------------------------- */

static place oldest, older, newest;
static _Atomic int was_freed;

static void *free_memory(void *unused)
{
    OK(cuCtxPushCurrent_v2(oldest.context));
    asked = 0;
    OK(cuMemFree_v2(memory));
    was_freed = 1;
    OK(cuCtxPopCurrent_v2(NULL));
    return NULL;
}

static void *destroy_newest(void *unused)
{
    asked = 0;
    OK(cuCtxDestroy_v2(newest.context));
    return NULL;
}

/* A kernel of the oldest context in a stream of another one: from now on what the
   oldest context owns may be in use in any. */
static void mix(void)
{
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    CUdeviceptr address = (uintptr_t)&flags[0];
    int one = 1;
    CUDA_KERNEL_NODE_PARAMS params = {.func = oldest.wait,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = (void *[]){&address, &one}};
    CUgraphNode node = NULL;
    let_go(&flags[0]);
    OK(cuCtxPushCurrent_v2(oldest.context));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode_v2(&node, graph, NULL, 0, &params));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, older.stream));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuCtxPopCurrent_v2(NULL));
}

static void launch_in(const place *p, int *flag)
{
    OK(cuCtxPushCurrent_v2(p->context));
    hold(p, flag);
    OK(cuCtxPopCurrent_v2(NULL));
}

/* One thread waits in the newest context on its way through all of them when that is
   destroyed: it must still come to the others. */
static void context_goes_under_a_walk(void)
{
    pthread_t freeing, destroying;
    oldest = place_create();
    older = place_create();
    OK(cuCtxPopCurrent_v2(NULL));
    OK(cuCtxPopCurrent_v2(NULL));
    mix();
    for (int round = 0; round < 10; round++) {
        newest = place_create();
        OK(cuCtxPopCurrent_v2(NULL));
        OK(cuCtxPushCurrent_v2(oldest.context));
        OK(cuMemAlloc_v2(&memory, 100));
        OK(cuCtxPopCurrent_v2(NULL));
        was_freed = waiting = 0;
        launch_in(&older, &flags[1]);
        CHECK(pthread_create(&destroying, NULL, destroy_newest, NULL) == 0);
        until_waiting(1); /* in `older`: it found nothing in `newest` */
        launch_in(&newest, &flags[2]);
        CHECK(pthread_create(&freeing, NULL, free_memory, NULL) == 0);
        until_waiting(2); /* in `newest` */
        let_go(&flags[1]);
        while (cuCtxPushCurrent_v2(newest.context) == CUDA_SUCCESS) {
            OK(cuCtxPopCurrent_v2(NULL)); /* it has yet to be taken out of the list */
            usleep(1000);
        }
        launch_in(&older, &flags[0]);
        let_go(&flags[2]);
        pthread_join(destroying, NULL);
        usleep(10000);
        CHECK(!was_freed);
        let_go(&flags[0]);
        pthread_join(freeing, NULL);
    }
    OK(cuCtxDestroy_v2(older.context));
    OK(cuCtxDestroy_v2(oldest.context));
}

/* -- Work that never ends ---------------------------------------------------------- */

static int enough(unsigned long long waited, void *unused)
{
    return 1;
}

/* Waits can be given up, and the process exits. */
static void exit_beside_endless_work(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(600); /* against hangs alone: a busy machine may take long */
        OK(cuInit(0));
        OK(cuxSetWaitFunction(enough, NULL));
        const place p = place_create();
        hold(&p, &flags[0]);
        EXPECT(CUDA_ERROR_NOT_READY, cuCtxSynchronize());
        EXPECT(CUDA_ERROR_NOT_READY, cuCtxDestroy_v2(p.context));
        OK(cuCtxPopCurrent_v2(NULL));
        EXPECT(CUDA_ERROR_NOT_READY, cuCtxDestroy_v2(p.context));
        exit(checks_failed != 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv)
{
    image_path = argv[1];
    exit_beside_endless_work();
    OK(cuInit(0));
    OK(cuxSetWaitFunction(go_on, NULL));
    context_ends_under_waits();
    context_goes_under_a_walk();
    return report();
}
