/* Objects under many hands: the same ones used and destroyed by all threads, contexts
   that are destroyed by another thread than the one that made and filled them, while
   their work goes on. Nothing is left behind. */
#include <pthread.h>
#include <unistd.h>

#include "hostcuda_test.h"

enum { THREADS = 16, CONTEXTS = 1000 };

static CUcontext context;
static const char *module_path;

/* -- Shared handles ---------------------------------------------------------------- */

static CUstream shared_streams[64];
static CUdeviceptr shared_memory[64];
static unsigned won; /* objects that somebody destroyed */

/* All threads destroy the same objects and use them meanwhile: exactly one destruction
   of each succeeds, everything else gets a status. */
static void *fight(void *unused)
{
    unsigned mine = 0;
    OK(cuCtxPushCurrent_v2(context));
    for (int i = 0; i < 64; i++) {
        cuStreamQuery(shared_streams[i]);
        cuMemsetD8Async(shared_memory[i], 1, 100, shared_streams[i]);
        cuStreamSynchronize(shared_streams[(i + 7) % 64]);
        mine += cuStreamDestroy_v2(shared_streams[i]) == CUDA_SUCCESS;
        mine += cuMemFree_v2(shared_memory[i]) == CUDA_SUCCESS;
    }
    __atomic_fetch_add(&won, mine, __ATOMIC_RELAXED);
    return NULL; /* with a context still on the thread's stack */
}

/* -- Contexts ---------------------------------------------------------------------- */

static CUcontext left; /* made last, to be destroyed by who makes the next one */
static unsigned made;

/* One of everything, with work that goes on, a stream that is being captured, and
   another that waits for the first. */
static void fill(CUmemoryPool pool)
{
    CUmodule module = NULL;
    CUstream stream = NULL, second = NULL, captured = NULL;
    CUevent event = NULL;
    CUdeviceptr memory = 0, scratch = 0, counter = 0;
    CUarray array = NULL;
    CUDA_ARRAY_DESCRIPTOR shape = {16, 16, CU_AD_FORMAT_FLOAT, 1};
    CUtexref reference = NULL;
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    void *host = NULL;
    int rounds = 10000;
    OK(cuModuleLoad(&module, module_path));
    OK(cuModuleGetGlobal_v2(&counter, NULL, module, "counter"));
    OK(cuModuleGetTexRef(&reference, module, "bytes"));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&second, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&captured, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, 0));
    OK(cuMemAlloc_v2(&memory, 100000));
    OK(cuMemAllocManaged(&scratch, 100, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemHostAlloc(&host, 1000, 0));
    OK(cuArrayCreate_v2(&array, &shape));
    OK(cuTexRefSetArray(reference, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemsetD8Async(memory, 1, 100000, stream));
    OK(cuLaunchKernel(function_named(module, "busy"), 8, 1, 1, 1, 1, 1, 0, stream,
                      (void *[]){&memory, &rounds}, NULL));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuStreamBeginCapture_v2(captured, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemsetD8Async(memory, 2, 1000, captured));
    OK(cuGraphLaunch(exec, stream));
    OK(cuMemAllocFromPoolAsync(&scratch, 50000, pool, stream));
    OK(cuMemcpyDtoDAsync_v2(scratch, memory, 50000, stream));
    OK(cuMemFreeAsync(scratch, stream));
    OK(cuMemAllocFromPoolAsync(&scratch, 70000, pool, stream));
    OK(cuEventRecord(event, stream));
    OK(cuStreamWaitEvent(second, event, 0));
    OK(cuMemsetD32Async(counter, 1, 1, second));
    OK(cuMemcpyDtoHAsync_v2(host, memory, 1000, second));
}

static void *make_and_destroy(void *pool)
{
    CUcontext mine = NULL, other = NULL;
    for (unsigned number = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
         number < CONTEXTS; number = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED)) {
        OK(cuCtxCreate_v2(&mine, 0, (int)number % 2));
        fill(pool);
        other = __atomic_exchange_n(&left, mine, __ATOMIC_RELAXED);
        cuCtxSynchronize(); /* another thread may destroy it now */
        OK(cuCtxPopCurrent_v2(NULL));
        if (other != NULL)
            OK(cuCtxDestroy_v2(other));
    }
    return NULL;
}

/* A sanitizer keeps what was freed for a while. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GROWTH_KILOBYTES (1 << 20)
#else
#define GROWTH_KILOBYTES 1000 /* a kilobyte a context */
#endif

static long resident_kilobytes(void)
{
    long pages[2] = {0, 0};
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%ld %ld", &pages[0], &pages[1]) == 2);
    fclose(file);
    return pages[1] * (sysconf(_SC_PAGESIZE) >> 10);
}

static void run(void *(*function)(void *), void *argument)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, function, argument) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void contexts(void)
{
    const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemoryPool pool = NULL;
    OK(cuMemPoolCreate(&pool, &props));
    made = 0;
    run(make_and_destroy, pool);
    OK(cuCtxDestroy_v2(left));
    left = NULL;
    OK(cuMemPoolDestroy(pool));
}

int main(int argc, char **argv)
{
    long before = 0;
    setenv("HOSTCUDA_DEVICES", "2", 1);
    module_path = argv[1];
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    for (int i = 0; i < 64; i++) {
        OK(cuStreamCreate(&shared_streams[i], 0));
        OK(cuMemAlloc_v2(&shared_memory[i], (size_t)(i % 3 ? 100 : 100000)));
    }
    run(fight, NULL);
    CHECK(won == 128);
    OK(cuCtxDestroy_v2(context));
    contexts();
    before = resident_kilobytes();
    contexts();
    CHECK(resident_kilobytes() - before < GROWTH_KILOBYTES);
    return report();
}
