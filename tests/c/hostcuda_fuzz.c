/* Calls of everything in a random order, with handles and addresses that other calls
   answered: living ones, stale ones, of the wrong context, in the midst of captures,
   destroyed by another thread right now. Nothing may crash or hang. FUZZ_SEED repeats a
   run, up to the order of threads; FUZZ_CALLS is its length. */
#include <pthread.h>
#include <time.h>

#include "hostcuda_test.h"

/* A place for an answer is one of the first so many; arrays may be long. */
enum { PLACES = 6, LONGEST = 1 << 20 };

#ifdef __SANITIZE_THREAD__ /* the handles that threads share are no secret */
enum { THREADS = 1 };

/* Streams that race for the bytes of the caller are the caller's own doing. All that
   write there are named: of the earlier access the stack may be lost. */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void)
{
    return "race:^fill$\nrace:^move$\nrace:^write_value$\n";
}
#else
enum { THREADS = 4 };
#endif

static _Thread_local uint64_t dice;
static const char *image_path;
/* Where anything may be read and written, for each thread */
static _Alignas(64) char rooms[THREADS][8 << 20];
static _Thread_local char *room;

static unsigned below(unsigned limit)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(dice >> 33) % limit;
}

/* -- Arguments ----------------------------------------------------------------------
 */

enum { HANDLES = 16, A_PLACE = 32, AN_ARRAY = 64 };
enum {
    NUMBER = 128,
    COUNT,
    POINTER,
    SIZE,
    TEXT,
    POINTERS,
    HOST_CALL,
    CALLBACK,
    NOTHING
};

#define HANDLE(type, number) \
    type:                    \
    number, type * : number | A_PLACE, const type * : number | AN_ARRAY

#define KIND(t)                           \
    _Generic((t){0},                      \
        HANDLE(CUcontext, 0),             \
        HANDLE(CUmodule, 1),              \
        HANDLE(CUfunction, 2),            \
        HANDLE(CUstream, 3),              \
        HANDLE(CUevent, 4),               \
        HANDLE(CUarray, 5),               \
        HANDLE(CUtexref, 6),              \
        HANDLE(CUsurfref, 7),             \
        HANDLE(CUlinkState, 8),           \
        HANDLE(CUmemoryPool, 9),          \
        HANDLE(CUgraph, 10),              \
        HANDLE(CUgraphNode, 11),          \
        HANDLE(CUgraphExec, 12),          \
        HANDLE(CUlibrary, 13),            \
        HANDLE(CUkernel, 14),             \
        HANDLE(CUdeviceptr, 15),          \
        unsigned int: COUNT,              \
        size_t: SIZE,                     \
        const char *: TEXT,               \
        void **: POINTERS,                \
        CUhostFn: HOST_CALL,              \
        CUstreamCallback: CALLBACK,       \
        CUoccupancyB2DSize: NOTHING,      \
        const CUgraphEdgeData *: NOTHING, \
        cuxPrintFunction: NOTHING,        \
        cuxWaitFunction: NOTHING,         \
        default: __builtin_classify_type((t){0}) == 5 ? POINTER : NUMBER)

static void *kept[HANDLES][PLACES + LONGEST]; /* what calls answered */

static void call(void *data)
{
}

static void callback(CUstream stream, CUresult status, void *data)
{
}

/* The value of an argument, in memory of its own. */
static void *value(int kind)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 8, 64, 4096, 70000, LONGEST};
    static const char *const names[] = {"empty", "counter", "bytes", "none", ""};
    static _Thread_local void *list[16];
    static _Thread_local _Alignas(16) char values[16][256];
    static _Thread_local unsigned turn;
    void **answer = memset(values[turn++ % 16], 0, sizeof *values);
    char *somewhere = room + below(16) * 4096;

    switch (kind) {
    case NUMBER:
        *(int *)answer = below(8) == 0 ? -1 : (int)below(4);
        break;
    case COUNT: /* of what an array holds: is not questioned */
        *(int *)answer = (int)below(4);
        break;
    case SIZE:
        *(size_t *)answer = below(100) == 0 ? (size_t)-1 : sizes[below(10)];
        break;
    case TEXT:
        *answer = (void *)(uintptr_t)(below(2) ? image_path : names[below(5)]);
        break;
    case POINTERS:
        for (unsigned i = 0; i < 16; i++)
            list[i] = room + i * 64;
        *answer = below(2) ? list : NULL;
        break;
    case HOST_CALL:
        *answer = (void *)call;
        break;
    case CALLBACK:
        *answer = (void *)callback;
        break;
    case NOTHING:
        break;
    case POINTER: /* structs begin with a type or a size */
        memset(somewhere, 0, 4096);
        *(int *)(void *)somewhere = (int)below(4);
        *answer = below(16) == 0 ? NULL : somewhere;
        break;
    default:
        *answer = &kept[kind % HANDLES][below(PLACES)];
        if (kind < A_PLACE)
            *answer = **(void ***)answer;
        else if (below(16) == 0)
            *answer = NULL;
        break;
    }
    return answer;
}

#define RANDOM(...) CU_JOIN(RANDOM_, CU_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define RANDOM_0()
#define RANDOM_1(t) *(t *)value(KIND(t))
#define RANDOM_2(t, ...) RANDOM_1(t), RANDOM_1(__VA_ARGS__)
#define RANDOM_3(t, ...) RANDOM_1(t), RANDOM_2(__VA_ARGS__)
#define RANDOM_4(t, ...) RANDOM_1(t), RANDOM_3(__VA_ARGS__)
#define RANDOM_5(t, ...) RANDOM_1(t), RANDOM_4(__VA_ARGS__)
#define RANDOM_6(t, ...) RANDOM_1(t), RANDOM_5(__VA_ARGS__)
#define RANDOM_7(t, ...) RANDOM_1(t), RANDOM_6(__VA_ARGS__)
#define RANDOM_8(t, ...) RANDOM_1(t), RANDOM_7(__VA_ARGS__)
#define RANDOM_9(t, ...) RANDOM_1(t), RANDOM_8(__VA_ARGS__)
#define RANDOM_10(t, ...) RANDOM_1(t), RANDOM_9(__VA_ARGS__)
#define RANDOM_11(t, ...) RANDOM_1(t), RANDOM_10(__VA_ARGS__)

/* -- Calls --------------------------------------------------------------------------
 */

static _Thread_local const char *last; /* for who looks at a crash */

#define F(name, suffix, version, ...)             \
    static CUresult random_##name(void)           \
    {                                             \
        return name##suffix(RANDOM(__VA_ARGS__)); \
    }
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#undef F

static const struct {
    const char *name;
    CUresult (*function)(void);
} entries[] = {
#define F(name, ...) {#name, random_##name},
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#undef F
};

/* These wait for what nobody does, trust a pointer or a count in their arguments (to
   some, an address that is no memory of the device is one of the host), write files, or
   find kernels that wait or fail. */
static const char *const left_out[] = {"cuStreamWaitValue",
                                       "cuStreamBatchMemOp",
                                       "cuLink",
                                       "cuGraphDebugDotPrint",
                                       "cuLaunchKernelEx",
                                       "cuMemcpyBatchAsync",
                                       "cuMemcpyAsync",
                                       "cuGraphAddHostNode",
                                       "cuGraphHostNodeSetParams",
                                       "cuGraphExecHostNodeSetParams",
                                       "cuMemRangeGetAttributes",
                                       "cuPointerGetAttributes",
                                       "cuModuleEnumerateFunctions",
                                       "cuLibraryEnumerateKernels",
                                       "cux"};

static int is_left_out(const char *name)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        if (!strncmp(name, left_out[i], strlen(left_out[i])))
            return 1;
    }
    return !strcmp(name, "cuMemcpy");
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

static uint64_t seed, calls, succeeded;

static void *work(void *number)
{
    uint64_t good = 0;
    dice = seed * THREADS + (uintptr_t)number;
    room = rooms[(uintptr_t)number];
    for (uint64_t i = 0; i < calls; i++) {
        unsigned which = below(sizeof entries / sizeof *entries);
        CUdevice device = -1;
        if (cuCtxGetDevice(&device) != CUDA_SUCCESS)
            cuCtxCreate_v2((CUcontext *)&kept[0][below(PLACES)], 0, 0);
        if (is_left_out(entries[which].name))
            continue;
        last = entries[which].name;
        good += entries[which].function() == CUDA_SUCCESS;
    }
    __atomic_fetch_add(&succeeded, good, __ATOMIC_RELAXED);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    seed = setting("FUZZ_SEED", (uint64_t)time(NULL));
    calls = setting("FUZZ_CALLS", 100000);
    setenv("HOSTCUDA_DEVICES", "2", 1);
    setenv("HOSTCUDA_MEMORY", "64M", 1);
    printf("FUZZ_SEED=%llu\n", (unsigned long long)seed);
    fflush(stdout);
    image_path = argv[1];
    OK(cuInit(0));
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%llu of %llu calls succeeded\n", (unsigned long long)succeeded,
           (unsigned long long)calls * THREADS);
    CHECK(succeeded > calls * THREADS / 20);
    return checks_failed != 0;
}
