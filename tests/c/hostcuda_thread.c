/* Many threads at once: launches, copies and events with sums that come out right only
   in order; objects made and destroyed under each other's hands. argv[3] multiplies the
   work. */
#include <pthread.h>

#include "hostcuda_test.h"

enum { THREADS = 16, STREAMS = 4, WORDS = 8 };

static CUcontext context;
static CUmodule module;
static const char *module_path;
static int launches = 100;

/* -- Sums -------------------------------------------------------------------------- */

typedef struct {
    unsigned seed, failures;
} state;

static unsigned next(state *s)
{
    s->seed = s->seed * 1664525u + 1013904223u;
    return s->seed >> 16;
}

/* One thread: a chain of additions hops between its streams, each hop behind an
   event. */
static void *sum(void *argument)
{
    state *s = argument;
    CUstream streams[STREAMS];
    CUevent event = NULL;
    CUdeviceptr memory = 0, flag = 0;
    CUfunction busy = NULL, waiting = NULL;
    int *host = NULL, total = 0, one = 1;
    unsigned current = 0;
#define GOOD(call) s->failures += (call) != CUDA_SUCCESS
    GOOD(cuCtxPushCurrent_v2(context));
    GOOD(cuModuleGetFunction(&busy, module, "busy"));
    GOOD(cuModuleGetFunction(&waiting, module, "wait"));
    GOOD(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    GOOD(cuMemAlloc_v2(&memory, WORDS * 4));
    GOOD(cuMemHostAlloc((void **)&host, WORDS * 4 + 4, 0));
    host[WORDS] = 1;
    flag = (uintptr_t)(host + WORDS);
    for (int i = 0; i < STREAMS; i++)
        GOOD(cuStreamCreateWithPriority(&streams[i], CU_STREAM_NON_BLOCKING, -i));
    GOOD(cuMemsetD32Async(memory, 0, WORDS, streams[0]));
    for (int i = 0; i < launches * STREAMS; i++) {
        unsigned choice = next(s) % 16;
        if (choice < 4) {
            GOOD(cuEventRecord(event, streams[current]));
            current = choice;
            GOOD(cuStreamWaitEvent(streams[current], event, 0));
        } else if (choice == 4) {
            GOOD(cuMemcpyDtoHAsync_v2(host, memory, WORDS * 4, streams[current]));
            GOOD(cuStreamSynchronize(streams[current]));
            for (int w = 0; w < WORDS; w++)
                s->failures += host[w] != total;
        } else if (choice == 5) {
            GOOD(cuMemcpyDtoHAsync_v2(host, memory, WORDS * 4, streams[current]));
            GOOD(cuMemsetD32Async(memory, 0, WORDS, streams[current]));
            GOOD(cuMemcpyHtoDAsync_v2(memory, host, WORDS * 4, streams[current]));
        } else if (choice == 6) { /* runs in the pool, so what follows queues up */
            GOOD(cuLaunchKernel(waiting, 1, 1, 1, 1, 1, 1, 0, streams[current],
                                (void *[]){&flag, &one}, NULL));
        } else {
            GOOD(cuLaunchKernel(busy, WORDS, 1, 1, 1, 1, 1, 0, streams[current],
                                (void *[]){&memory, &one}, NULL));
            total++;
        }
    }
    GOOD(cuStreamSynchronize(streams[current]));
    GOOD(cuMemcpyDtoH_v2(host, memory, WORDS * 4));
    for (int w = 0; w < WORDS; w++)
        s->failures += host[w] != total;
    for (int i = 0; i < STREAMS; i++)
        GOOD(cuStreamDestroy_v2(streams[i]));
    GOOD(cuEventDestroy_v2(event));
    GOOD(cuMemFree_v2(memory));
    GOOD(cuMemFreeHost(host));
    GOOD(cuCtxPopCurrent_v2(NULL));
    return NULL;
}

/* -- Shared handles ---------------------------------------------------------------- */

static CUstream shared_streams[64];
static CUdeviceptr shared_memory[64];

/* All threads destroy the same objects and use them meanwhile: exactly one destruction
   of each succeeds, everything else gets a status. */
static void *fight(void *argument)
{
    state *s = argument;
    unsigned won = 0;
    CUcontext mine = NULL;
    GOOD(cuCtxPushCurrent_v2(context));
    for (int i = 0; i < 64; i++) {
        cuStreamQuery(shared_streams[i]);
        cuMemsetD8Async(shared_memory[i], 1, 100, shared_streams[i]);
        cuStreamSynchronize(shared_streams[(i + 7) % 64]);
        won += cuStreamDestroy_v2(shared_streams[i]) == CUDA_SUCCESS;
        won += cuMemFree_v2(shared_memory[i]) == CUDA_SUCCESS;
    }
    for (int i = 0; i < 20; i++) {
        CUmodule own = NULL;
        CUdeviceptr counter = 0;
        GOOD(cuCtxCreate_v2(&mine, 0, (int)(s->seed % 2)));
        GOOD(cuModuleLoad(&own, module_path));
        GOOD(cuModuleGetGlobal_v2(&counter, NULL, own, "counter"));
        GOOD(cuMemsetD32_v2(counter, 1, 1));
        GOOD(cuCtxDestroy_v2(mine));
    }
    s->seed = won;
    return NULL; /* with a context still on the thread's stack */
}

static unsigned run(void *(*function)(void *), unsigned *failures)
{
    pthread_t threads[THREADS];
    state states[THREADS];
    unsigned seeds = 0;
    *failures = 0;
    for (int i = 0; i < THREADS; i++) {
        states[i] = (state){(unsigned)i * 77 + 1, 0};
        CHECK(pthread_create(&threads[i], NULL, function, &states[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        *failures += states[i].failures;
        seeds += states[i].seed;
    }
    return seeds;
}

int main(int argc, char **argv)
{
    unsigned failures = 0;
    setenv("HOSTCUDA_DEVICES", "2", 1);
    if (argc > 3)
        launches *= atoi(argv[3]);
    module_path = argv[1];
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, argv[1]));
    run(sum, &failures);
    CHECK(failures == 0);
    for (int i = 0; i < 64; i++) {
        OK(cuStreamCreate(&shared_streams[i], 0));
        OK(cuMemAlloc_v2(&shared_memory[i], (size_t)(i % 3 ? 100 : 100000)));
    }
    CHECK(run(fight, &failures) == 128);
    CHECK(failures == 0);
    OK(cuCtxDestroy_v2(context));
    return report();
}
