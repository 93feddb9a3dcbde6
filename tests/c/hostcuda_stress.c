/* Many threads with streams of their own, each with memory that a model in the host
   tells the contents of: launches, fills, copies of all directions, memory of a pool,
   graphs and host functions in random streams, ordered by nothing but streams, events
   and the rules of the legacy default stream. Whatever runs too early, twice or not at
   all makes a wrong sum.

   STRESS_LAUNCHES is the number of launches in each stream; STRESS_SEED repeats what a
   run that printed it did, up to the order of threads. */
#include <pthread.h>
#include <time.h>

#include "hostcuda_test.h"

enum { THREADS = 16, STREAMS = 4, WORDS = 8, BYTES = WORDS * 4 };

typedef struct {
    CUstream stream;
    CUdeviceptr memory; /* WORDS ints */
    int model[WORDS];   /* what they are when the stream is done */
    int launches;       /* yet to be made */
} lane;

typedef struct {
    unsigned number;
    uint64_t random;
    lane lanes[STREAMS];
    CUevent event;   /* of this thread alone */
    CUgraphExec two; /* adds 2 and 3 to the first lane's words */
    int *host;       /* pagelocked: WORDS ints, and one that is 1 */
} worker;

static CUcontext context;
static CUfunction busy, waiting;
static CUevent shared[THREADS]; /* recorded by one thread each, waited for by all */

static unsigned below(worker *w, unsigned limit)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->random >> 33) % limit;
}

/* -- What a thread does at random ---------------------------------------------------
 */

static void add(worker *w, lane *l)
{
    int rounds = (int)below(w, 3) + 1;
    unsigned blocks = below(w, WORDS) + 1;
    OK(cuLaunchKernel(busy, blocks, 1, 1, 1, 1, 1, 0, l->stream,
                      (void *[]){&l->memory, &rounds}, NULL));
    for (unsigned i = 0; i < blocks; i++)
        l->model[i] += rounds;
    l->launches--;
}

static void order(worker *w, const lane *first, const lane *second)
{
    OK(cuEventRecord(w->event, first->stream));
    OK(cuStreamWaitEvent(second->stream, w->event, 0));
}

/* One lane takes words over from another one. */
static void carry(worker *w, lane *from)
{
    lane *to = &w->lanes[below(w, STREAMS)];
    unsigned first = below(w, WORDS), count = below(w, WORDS - first) + 1;
    if (to == from)
        return;
    order(w, from, to);
    OK(cuMemcpyDtoDAsync_v2(to->memory + 4 * first, from->memory + 4 * first, 4 * count,
                            to->stream));
    order(w, to, from);
    memcpy(to->model + first, from->model + first, 4 * count);
}

static void look(worker *w, lane *l)
{
    OK(cuMemcpyDtoHAsync_v2(w->host, l->memory, BYTES, l->stream));
    if (below(w, 2)) {
        OK(cuEventRecord(w->event, l->stream));
        OK(cuEventSynchronize(w->event));
    } else {
        OK(cuStreamSynchronize(l->stream));
    }
    CHECK(memcmp(w->host, l->model, BYTES) == 0);
    memcpy(l->model, w->host, BYTES); /* a wrong sum is told once */
}

/* From pageable memory, which is ours again when the call returns. */
static void upload(worker *w, lane *l)
{
    int values[WORDS];
    for (int i = 0; i < WORDS; i++)
        l->model[i] = values[i] = (int)below(w, 1000);
    OK(cuMemcpyHtoDAsync_v2(l->memory, values, BYTES, l->stream));
    memset(values, 0x55, sizeof values);
}

/* In the legacy stream, if that waits for the lane's; the lane's then waits for it. */
static void fill(worker *w, lane *l)
{
    int value = (int)below(w, 1000);
    CUstream stream = w->number % 4 == 0 ? NULL : l->stream;
    OK(cuMemsetD32Async(l->memory, (unsigned)value, WORDS, stream));
    for (int i = 0; i < WORDS; i++)
        l->model[i] = value;
}

/* The words go through memory of a pool and back, and that is freed in another lane. */
static void detour(worker *w, lane *l)
{
    lane *other = &w->lanes[below(w, STREAMS)];
    CUdeviceptr scratch = 0;
    OK(cuMemAllocAsync(&scratch, BYTES, l->stream));
    OK(cuMemcpyDtoDAsync_v2(scratch, l->memory, BYTES, l->stream));
    OK(cuMemsetD32Async(l->memory, 0, WORDS, l->stream));
    OK(cuMemcpyDtoDAsync_v2(l->memory, scratch, BYTES, l->stream));
    if (other != l)
        order(w, l, other);
    OK(cuMemFreeAsync(scratch, other->stream));
}

static void graph(worker *w, lane *l)
{
    l = &w->lanes[0];
    OK(cuGraphLaunch(w->two, l->stream));
    for (int i = 0; i < WORDS; i++)
        l->model[i] += 5;
}

static void increase(void *words)
{
    for (int i = 0; i < WORDS; i++)
        ((int *)words)[i]++;
}

static void call(worker *w, lane *l)
{
    OK(cuLaunchHostFunc(l->stream, increase, (void *)(uintptr_t)l->memory));
    for (int i = 0; i < WORDS; i++)
        l->model[i]++;
}

/* A kernel that may wait for others never runs in the thread that launches it, so what
   follows queues up. */
static void pool(worker *w, lane *l)
{
    CUdeviceptr flag = (uintptr_t)(w->host + WORDS);
    int one = 1;
    OK(cuLaunchKernel(waiting, 1, 1, 1, 1, 1, 1, 0, l->stream, (void *[]){&flag, &one},
                      NULL));
}

static void signal_others(worker *w, lane *l)
{
    OK(cuEventRecord(shared[w->number], l->stream));
}

static void wait_for_others(worker *w, lane *l)
{
    OK(cuStreamWaitEvent(l->stream, shared[below(w, THREADS)], 0));
}

static void order_lanes(worker *w, lane *l)
{
    order(w, l, &w->lanes[below(w, STREAMS)]);
}

static void (*const actions[])(worker *, lane *) = {
    order_lanes, carry, look, upload,        fill,           detour,
    graph,       call,  pool, signal_others, wait_for_others};

/* -- Threads ------------------------------------------------------------------------
 */

static void begin(worker *w)
{
    unsigned flags = w->number % 4 == 0 ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING;
    CUgraph both = NULL;
    CUstream stream = NULL;
    OK(cuCtxPushCurrent_v2(context));
    OK(cuEventCreate(&w->event, CU_EVENT_DISABLE_TIMING));
    OK(cuMemHostAlloc((void **)&w->host, BYTES + 4, 0));
    w->host[WORDS] = 1;
    for (int i = 0; i < STREAMS; i++) {
        OK(cuStreamCreateWithPriority(&w->lanes[i].stream, flags, -i));
        OK(cuMemAllocManaged(&w->lanes[i].memory, BYTES, CU_MEM_ATTACH_GLOBAL));
        OK(cuMemsetD32Async(w->lanes[i].memory, 0, WORDS, w->lanes[i].stream));
    }
    /* Of no lane: other threads use the legacy stream, and that allows no capture in
       one that it waits for. */
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    for (int rounds = 2; rounds <= 3; rounds++)
        OK(cuLaunchKernel(busy, WORDS, 1, 1, 1, 1, 1, 0, stream,
                          (void *[]){&w->lanes[0].memory, &rounds}, NULL));
    OK(cuStreamEndCapture(stream, &both));
    OK(cuGraphInstantiateWithFlags(&w->two, both, 0));
    OK(cuGraphDestroy(both));
    OK(cuStreamDestroy_v2(stream));
}

static void end(worker *w)
{
    for (int i = 0; i < STREAMS; i++) {
        look(w, &w->lanes[i]);
        OK(cuStreamDestroy_v2(w->lanes[i].stream));
        OK(cuMemFree_v2(w->lanes[i].memory));
    }
    OK(cuGraphExecDestroy(w->two));
    OK(cuEventDestroy_v2(w->event));
    OK(cuMemFreeHost(w->host));
    OK(cuCtxPopCurrent_v2(NULL));
}

static void *work(void *argument)
{
    worker *w = argument;
    int left = STREAMS;
    begin(w);
    while (left > 0) {
        lane *l = &w->lanes[below(w, STREAMS)];
        if (below(w, 4) == 0) {
            actions[below(w, sizeof actions / sizeof *actions)](w, l);
        } else if (l->launches > 0) {
            add(w, l);
            left -= l->launches == 0;
        }
    }
    end(w);
    return NULL;
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

int main(int argc, char **argv)
{
    static worker workers[THREADS];
    pthread_t threads[THREADS];
    CUmodule module = NULL;
    uint64_t seed = setting("STRESS_SEED", (uint64_t)time(NULL));
    int launches = (int)setting("STRESS_LAUNCHES", 10000);
    printf("%d threads, %d streams each, %d launches each; STRESS_SEED=%llu\n", THREADS,
           STREAMS, launches, (unsigned long long)seed);
    fflush(stdout);
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, argv[1]));
    busy = function_named(module, "busy");
    waiting = function_named(module, "wait");
    for (unsigned i = 0; i < THREADS; i++)
        OK(cuEventCreate(&shared[i], 0));
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].random = seed * THREADS + i;
        for (int k = 0; k < STREAMS; k++)
            workers[i].lanes[k].launches = launches;
        CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS; i++)
        OK(cuEventDestroy_v2(shared[i]));
    OK(cuCtxSynchronize());
    OK(cuCtxDestroy_v2(context));
    return report();
}
