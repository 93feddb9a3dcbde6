/* Entry points of before CUDA 4: launches by what a function remembers, contexts whose
   users are counted, OpenGL's buffers by their names. */
#include <limits.h>
#include <pthread.h>

#include "hostcuda_test.h"

enum { N = 1024, THREADS = 8, ROUNDS = 200 };

static const char *image_path;
static CUcontext context;
static CUmodule module;
static CUdeviceptr memory;

static int value_at(size_t i)
{
    int value = -1;
    OK(cuMemcpyDtoH_v2(&value, memory + 4 * i, 4));
    return value;
}

/* -- Launches ---------------------------------------------------------------------- */

/* x[0] ... x[N - 1] = 1, 2, ... */
static void count_up(void)
{
    float x[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i + 1);
    OK(cuMemcpyHtoD_v2(memory, x, sizeof x));
}

/* Whether the first n are `factor` times that, and no others. */
static int is_scaled(int n, float factor)
{
    float x[N];
    int good = 1;
    OK(cuMemcpyDtoH_v2(x, memory, sizeof x));
    for (int i = 0; i < N; i++)
        good &= x[i] == (float)(i + 1) * (i < n ? factor : 1);
    return good;
}

/* scale(float *x, float factor, int n) */
static void parameters(void)
{
    CUfunction scale = function_named(module, "scale");
    struct {
        CUdeviceptr x;
        float factor;
        int n;
    } all = {memory, 5, 100};
    OK(cuParamSeti(scale, 12, 300)); /* in any order */
    OK(cuFuncSetBlockShape(scale, 16, 2, 2));
    OK(cuParamSetSize(scale, 16));
    OK(cuParamSetf(scale, 8, 3));
    OK(cuParamSetv(scale, 0, &memory, sizeof memory));
    count_up();
    OK(cuLaunchGrid(scale, 8, 1));
    CHECK(is_scaled(300, 3));
    /* All that was set still holds. */
    count_up();
    OK(cuLaunchGrid(scale, 8, 1));
    CHECK(is_scaled(300, 3));
    OK(cuParamSetf(scale, 8, -2));
    count_up();
    OK(cuLaunch(scale)); /* one block */
    CHECK(is_scaled(64, -2));
    OK(cuFuncSetBlockShape(scale, 7, 1, 1));
    count_up();
    OK(cuLaunchGrid(scale, 2, 3));
    CHECK(is_scaled(42, -2));
    OK(cuParamSetv(scale, 0, &all, sizeof all));
    OK(cuParamSetv(scale, 16, NULL, 0));
    count_up();
    OK(cuLaunchGrid(scale, 100, 1));
    CHECK(is_scaled(100, 5));
}

/* Bytes of a value may come in parts, and a large struct at once. */
static void bytes(void)
{
    CUfunction big = function_named(module, "big");
    signed char numbers[3000];
    memset(numbers, 3, sizeof numbers);
    OK(cuFuncSetBlockShape(big, 1, 1, 1));
    OK(cuParamSetSize(big, 3008));
    OK(cuParamSetv(big, 0, numbers, sizeof numbers));
    OK(cuParamSetv(big, 3000, &memory, 3));
    OK(cuParamSetv(big, 3003, (char *)&memory + 3, 5));
    OK(cuLaunch(big));
    CHECK(value_at(0) == 9000);
    OK(cuParamSetv(big, 1, "\4\5", 2));
    OK(cuLaunch(big));
    CHECK(value_at(0) == 9003);
}

/* The end of a C struct of the parameters may be padded: stuck(int mode). */
static void padding(void)
{
    CUfunction stuck = function_named(module, "stuck");
    struct {
        int mode;
        int padding[3];
    } padded = {2, {0}};
    OK(cuFuncSetBlockShape(stuck, 2, 1, 1));
    OK(cuParamSetv(stuck, 0, &padded, sizeof padded));
    OK(cuParamSetSize(stuck, sizeof padded));
    OK(cuLaunch(stuck));
    OK(cuCtxSynchronize());
}

static void without_parameters(void)
{
    CUfunction empty = function_named(module, "empty");
    OK(cuFuncSetBlockShape(empty, 1024, 1, 1));
    OK(cuLaunch(empty));
    OK(cuParamSetSize(empty, 0));
    OK(cuLaunchGrid(empty, 3, 65535));
    OK(cuCtxSynchronize());
}

/* Each module has functions of its own, which remember what was set for them alone; a
   kernel of a library is a function in each context. */
static void owners(void)
{
    CUmodule other = NULL;
    CUlibrary library = NULL;
    CUkernel kernel = NULL;
    CUfunction mine = NULL, of_library = NULL;
    OK(cuModuleLoad(&other, image_path));
    mine = function_named(other, "scale");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunch(mine));
    OK(cuModuleUnload(other));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuFuncSetBlockShape(mine, 1, 1, 1));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLaunch(mine));
    OK(cuLibraryLoadFromFile(&library, image_path, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "scale"));
    of_library = (CUfunction)kernel;
    OK(cuFuncSetBlockShape(of_library, 32, 1, 1));
    OK(cuParamSetSize(of_library, 16));
    OK(cuParamSetv(of_library, 0, &memory, 8));
    OK(cuParamSetf(of_library, 8, 9));
    OK(cuParamSeti(of_library, 12, 20));
    count_up();
    OK(cuLaunch(of_library));
    CHECK(is_scaled(20, 9));
    OK(cuLibraryUnload(library));
}

/* A launch has the parameters that there were when it was called. */
static void streams(void)
{
    CUfunction wait = function_named(module, "wait");
    CUstream stream = NULL;
    CUdeviceptr flag = memory + 4;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD32_v2(memory, 0, 2));
    OK(cuFuncSetBlockShape(wait, 1, 1, 1));
    OK(cuParamSetSize(wait, 12));
    OK(cuParamSetv(wait, 0, &memory, 8));
    OK(cuParamSeti(wait, 8, 1));
    OK(cuLaunchGridAsync(wait, 1, 1, stream));
    OK(cuParamSetv(wait, 0, &flag, 8));
    OK(cuParamSeti(wait, 8, 2));
    EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
    OK(cuMemsetD32_v2(memory, 1, 1));
    OK(cuStreamSynchronize(stream));
    OK(cuStreamDestroy_v2(stream));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLaunchGridAsync(wait, 1, 1, stream));
}

/* Launches are captured like all others. */
static void captured(void)
{
    CUfunction scale = function_named(module, "scale");
    CUstream stream = NULL;
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuParamSetSize(scale, 16));
    OK(cuParamSetv(scale, 0, &memory, 8));
    OK(cuParamSetf(scale, 8, 2));
    OK(cuParamSeti(scale, 12, 10));
    OK(cuFuncSetBlockShape(scale, 32, 1, 1));
    count_up();
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuLaunchGridAsync(scale, 1, 1, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(is_scaled(0, 1));
    OK(cuParamSetf(scale, 8, 7));
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(is_scaled(10, 4));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy_v2(stream));
}

/* reverse(int *x): each block turns its part round, through shared memory */
static void shared_memory(void)
{
    CUfunction reverse = function_named(module, "reverse");
    int x[512];
    for (int i = 0; i < 512; i++)
        x[i] = i;
    OK(cuMemcpyHtoD_v2(memory, x, sizeof x));
    OK(cuFuncSetBlockShape(reverse, 256, 1, 1));
    OK(cuFuncSetSharedSize(reverse, 256 * 4));
    OK(cuParamSetSize(reverse, 8));
    OK(cuParamSetv(reverse, 0, &memory, 8));
    OK(cuLaunchGrid(reverse, 2, 1));
    CHECK(value_at(0) == 255 && value_at(255) == 0 && value_at(256) == 511);
    /* The launch finds out what the function may have. */
    OK(cuFuncSetSharedSize(reverse, 100 << 10));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(reverse, 2, 1));
    DETAIL("kernel reverse: 102400 bytes of dynamic shared memory");
    OK(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          100 << 10));
    OK(cuLaunchGrid(reverse, 2, 1));
    CHECK(value_at(0) == 0 && value_at(511) == 511);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuFuncSetSharedSize(reverse, 228 << 10));
    DETAIL("kernel reverse: 233472 bytes of dynamic shared memory, 232448 is the most");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuFuncSetSharedSize(reverse, UINT_MAX));
    OK(cuLaunchGrid(reverse, 2, 1));
}

/* -- What is refused --------------------------------------------------------------- */

static const struct {
    int x, y, z;
    const char *detail;
} wrong_blocks[] = {
    {0, 1, 1, "kernel scale: block size 0 in x is not positive"},
    {1, -1, 1, "kernel scale: block size -1 in y is not positive"},
    {1, 1, INT_MIN, "kernel scale: block size -2147483648 in z is not positive"},
    {1025, 1, 1, "kernel scale: block size 1025 in x is not in 1 to 1024"},
    {1, 1, 65, "kernel scale: block size 65 in z is not in 1 to 64"},
    {64, 32, 1, "kernel scale: 2048 threads in a block, 1024 is the most"},
};

static const struct {
    int offset;
    unsigned size;
    const char *detail;
} wrong_places[] = {
    {16, 1, "kernel scale: 1 bytes at offset 16 are not in its parameters"},
    {13, 4, "4 bytes at offset 13 are not in its parameters, which take 16"},
    {0, 17, "17 bytes at offset 0 are not in"},
    {-1, 1, "1 bytes at offset -1 are not in"},
    {-4, 8, "8 bytes at offset -4 are not in"},
    {INT_MIN, 4, "offset -2147483648"},
    {INT_MAX, 4, "offset 2147483647"},
    {INT_MAX, UINT_MAX, "4294967295 bytes at offset 2147483647"},
    {8, UINT_MAX, "4294967295 bytes at offset 8"},
    {17, 0, "0 bytes at offset 17"},
};

static const struct {
    int width, height;
    const char *detail;
} wrong_grids[] = {
    {0, 1, "kernel scale: grid size 0 in x is not positive"},
    {1, 0, "grid size 0 in y is not positive"},
    {-7, 1, "grid size -7 in x is not positive"},
    {1, INT_MIN, "grid size -2147483648 in y is not positive"},
    {1, 65536, "grid size 65536 in y is not in 1 to 65535"},
};

/* What is refused leaves what was set, so that the function can be launched after all.
 */
static void refused_values(void)
{
    static char zeros[64];
    CUfunction scale = function_named(module, "scale");
    OK(cuFuncSetBlockShape(scale, 32, 1, 1));
    OK(cuParamSetSize(scale, 16));
    OK(cuParamSetv(scale, 0, &memory, 8));
    OK(cuParamSetf(scale, 8, 4));
    OK(cuParamSeti(scale, 12, 1000));
    count_up();
    for (size_t i = 0; i < sizeof wrong_blocks / sizeof *wrong_blocks; i++) {
        EXPECT(CUDA_ERROR_INVALID_VALUE,
               cuFuncSetBlockShape(scale, wrong_blocks[i].x, wrong_blocks[i].y,
                                   wrong_blocks[i].z));
        DETAIL(wrong_blocks[i].detail);
    }
    for (size_t i = 0; i < sizeof wrong_places / sizeof *wrong_places; i++) {
        EXPECT(CUDA_ERROR_INVALID_VALUE,
               cuParamSetv(scale, wrong_places[i].offset, zeros, wrong_places[i].size));
        DETAIL(wrong_places[i].detail);
    }
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSeti(scale, 14, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSetf(scale, INT_MAX, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSetv(scale, 0, NULL, 16));
    DETAIL("kernel scale: the 16 bytes at offset 0 are NULL");
    static const unsigned sizes[] = {0, 15, 32765, UINT_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSetSize(scale, sizes[i]));
        DETAIL("kernel scale: the parameters take 16 bytes");
    }
    for (size_t i = 0; i < sizeof wrong_grids / sizeof *wrong_grids; i++) {
        EXPECT(CUDA_ERROR_INVALID_VALUE,
               cuLaunchGrid(scale, wrong_grids[i].width, wrong_grids[i].height));
        DETAIL(wrong_grids[i].detail);
    }
    CHECK(is_scaled(0, 1));
    OK(cuLaunchGrid(scale, N / 32, 1));
    CHECK(is_scaled(1000, 4));
}

/* Nothing is launched of which something was not said. */
static void unset(void)
{
    CUmodule fresh = NULL;
    CUfunction scale = NULL, order = NULL;
    OK(cuModuleLoad(&fresh, image_path));
    scale = function_named(fresh, "scale");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunch(scale));
    DETAIL("kernel scale: the shape of its blocks is not set: cuFuncSetBlockShape");
    OK(cuParamSetv(scale, 0, &memory, 8));
    OK(cuParamSetSize(scale, 20));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(scale, 1, 1));
    DETAIL("kernel scale: the shape of its blocks is not set");
    order = function_named(fresh, "order");
    OK(cuFuncSetBlockShape(order, 257, 1, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchGridAsync(order, 1, 1, NULL));
    DETAIL("kernel order: the size of its parameters, which take 16 bytes, is not set");
    OK(cuParamSetSize(order, 16));
    EXPECT(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, cuLaunch(order));
    DETAIL("kernel order: 257 threads in a block, its launch bounds allow 256");
    OK(cuFuncSetBlockShape(scale, 32, 1, 1));
    OK(cuLaunch(scale)); /* n, which nobody set, is 0 */
    OK(cuCtxSynchronize());
    OK(cuModuleUnload(fresh));
}

static void refuse_all(CUresult status, CUfunction function, CUtexref texref)
{
    EXPECT(status, cuFuncSetBlockShape(function, 1, 1, 1));
    EXPECT(status, cuFuncSetSharedSize(function, 0));
    EXPECT(status, cuParamSetSize(function, 16));
    EXPECT(status, cuParamSeti(function, 0, 0));
    EXPECT(status, cuParamSetf(function, 0, 0));
    EXPECT(status, cuParamSetv(function, 0, &status, sizeof status));
    EXPECT(status, cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, texref));
    EXPECT(status, cuLaunch(function));
    EXPECT(status, cuLaunchGrid(function, 1, 1));
    EXPECT(status, cuLaunchGridAsync(function, 1, 1, NULL));
}

static void refused_handles(void)
{
    CUfunction scale = function_named(module, "scale"),
               empty = function_named(module, "empty");
    CUcontext other = NULL;
    CUstream stream = NULL;
    CUtexref texref = NULL, foreign = NULL, own = NULL;
    CUsurfref surfref = NULL;
    CUmodule elsewhere = NULL;
    OK(cuModuleGetTexRef(&texref, module, "bytes"));
    OK(cuModuleGetSurfRef(&surfref, module, "canvas"));
    OK(cuTexRefCreate(&own));
    refuse_all(CUDA_ERROR_INVALID_HANDLE, NULL, texref);
    refuse_all(CUDA_ERROR_INVALID_HANDLE, (CUfunction)module, texref);
    refuse_all(CUDA_ERROR_INVALID_HANDLE, (CUfunction)&other, texref);
    OK(cuCtxCreate_v2(&other, 0, 0));
    refuse_all(CUDA_ERROR_INVALID_HANDLE, scale, texref);
    DETAIL("kernel scale belongs to another context than the current one");
    OK(cuStreamCreate(&stream, 0));
    OK(cuModuleLoad(&elsewhere, image_path));
    OK(cuModuleGetTexRef(&foreign, elsewhere, "bytes"));
    OK(cuCtxPopCurrent_v2(NULL));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLaunchGridAsync(empty, 1, 1, stream));
    DETAIL("the stream belongs to another context");
    OK(cuParamSetTexRef(empty, CU_PARAM_TR_DEFAULT, texref));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSetTexRef(empty, 0, texref));
    DETAIL("kernel empty: the texture unit must be CU_PARAM_TR_DEFAULT (-1), not 0");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSetTexRef(empty, -1, own));
    DETAIL("the texture reference is of no module");
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuParamSetTexRef(empty, -1, foreign));
    DETAIL("the texture reference belongs to another context");
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuParamSetTexRef(empty, -1, (CUtexref)surfref));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuParamSetTexRef(empty, -1, NULL));
    OK(cuTexRefDestroy(own));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuParamSetTexRef(empty, -1, own));
    OK(cuCtxDestroy_v2(other));
    OK(cuCtxPopCurrent_v2(NULL));
    refuse_all(CUDA_ERROR_INVALID_CONTEXT, scale, texref);
    DETAIL("no context is current");
    OK(cuCtxPushCurrent_v2(context));
}

/* After a kernel failed, all calls answer with its failure. */
static void failed_context(void)
{
    CUcontext broken = NULL;
    CUmodule loaded = NULL;
    CUfunction fail = NULL;
    OK(cuCtxCreate_v2(&broken, 0, 0));
    OK(cuModuleLoad(&loaded, image_path));
    fail = function_named(loaded, "fail");
    OK(cuFuncSetBlockShape(fail, 1, 1, 1));
    OK(cuParamSetSize(fail, 16));
    OK(cuParamSeti(fail, 0, 3));
    OK(cuParamSeti(fail, 4, 0));
    OK(cuLaunch(fail));
    CHECK(cuCtxSynchronize() != CUDA_SUCCESS);
    CHECK(cuLaunch(fail) == cuCtxSynchronize());
    CHECK(cuParamSeti(fail, 0, 3) == cuCtxSynchronize());
    CHECK(cuCtxAttach(&broken, 0) == cuCtxSynchronize());
    OK(cuCtxDetach(broken));
}

/* -- Many threads ------------------------------------------------------------------ */

/* busy(int *out, int rounds): out[block] += rounds */
static void *launch_often(void *unused)
{
    CUfunction busy = function_named(module, "busy");
    CUcontext same = NULL;
    OK(cuCtxPushCurrent_v2(context));
    for (int i = 0; i < ROUNDS; i++) {
        OK(cuFuncSetBlockShape(busy, i % 2 ? 1 : 4, 1, 1));
        OK(cuParamSetv(busy, 0, &memory, sizeof memory));
        OK(cuParamSeti(busy, 8, 1));
        OK(cuParamSetSize(busy, 12));
        OK(cuLaunchGrid(busy, 2, 1));
        OK(cuCtxAttach(&same, 0));
        OK(cuCtxDetach(same));
    }
    return NULL;
}

static void threads(void)
{
    pthread_t others[THREADS];
    OK(cuMemsetD32_v2(memory, 0, 2));
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&others[i], NULL, launch_often, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(others[i], NULL);
    CHECK(value_at(0) == THREADS * ROUNDS && value_at(1) == THREADS * ROUNDS);
}

/* Of many threads that detach one context once each, the last one destroys it. */
static void *detach_once(void *handle)
{
    OK(cuCtxPushCurrent_v2(handle));
    OK(cuCtxDetach(handle));
    return NULL;
}

static void last_of_threads(void)
{
    for (int round = 0; round < 20; round++) {
        CUcontext shared = NULL, same = NULL;
        CUstream stream = NULL;
        CUmodule loaded = NULL;
        pthread_t others[THREADS];
        OK(cuCtxCreate_v2(&shared, 0, 0));
        OK(cuModuleLoad(&loaded, image_path));
        OK(cuStreamCreate(&stream, 0));
        for (int i = 0; i < THREADS; i++)
            OK(cuCtxAttach(&same, 0));
        for (int i = 0; i < THREADS; i++)
            CHECK(pthread_create(&others[i], NULL, detach_once, shared) == 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(others[i], NULL);
        OK(cuStreamSynchronize(stream)); /* one is left: who created it */
        OK(cuCtxDetach(shared));
        EXPECT(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
    }
}

/* -- Contexts ---------------------------------------------------------------------- */

static void attached(void)
{
    CUcontext first = NULL, second = NULL, same = NULL, current = NULL;
    CUmodule loaded = NULL;
    CUdeviceptr numbers = 0;
    int rounds = 1000;
    OK(cuCtxCreate_v2(&first, 0, 0));
    OK(cuModuleLoad(&loaded, image_path));
    OK(cuMemAlloc_v2(&numbers, 64));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(&same, 1));
    DETAIL("the flags must be 0, not 0x1");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(NULL, 0));
    CHECK(same == NULL);
    OK(cuCtxAttach(&same, 0));
    CHECK(same == first);
    OK(cuCtxAttach(&same, 0));
    OK(cuCtxDetach(same));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == first); /* it has users, and stays where it was */
    OK(cuCtxCreate_v2(&second, 0, 0));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(first));
    DETAIL("only the current context is detached");
    OK(cuCtxDetach(second)); /* the only user, who created it */
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent_v2(second));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(second));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == first);
    OK(cuCtxDetach(first));
    OK(cuMemsetD8_v2(numbers, 0, 64));
    OK(LAUNCH(function_named(loaded, "busy"), 4, 1, 0, &numbers, &rounds));
    OK(cuCtxDetach(first)); /* waits for the work, and frees all that there is */
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(loaded));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(first));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(NULL));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach((CUcontext)loaded));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == context);
    /* Destroying a context does not ask for users. */
    OK(cuCtxCreate_v2(&first, 0, 0));
    OK(cuCtxAttach(&same, 0));
    OK(cuCtxDestroy_v2(first));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(first));
    OK(cuCtxPopCurrent_v2(&current));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxAttach(&same, 0));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(context));
    OK(cuCtxPushCurrent_v2(context));
}

static int enough(unsigned long long waited, void *unused)
{
    return 1;
}

/* Where the wait for its work is given up, the context keeps its user. */
static void given_up(void)
{
    CUcontext busy = NULL, current = NULL;
    CUmodule loaded = NULL;
    CUdeviceptr address = 0;
    int *flag = NULL, one = 1;
    OK(cuCtxCreate_v2(&busy, 0, 0));
    OK(cuModuleLoad(&loaded, image_path));
    OK(cuMemHostAlloc((void **)&flag, 4, 0));
    OK(cuMemHostGetDevicePointer_v2(&address, flag, 0));
    *flag = 0;
    OK(LAUNCH(function_named(loaded, "wait"), 1, 1, 0, &address, &one));
    OK(cuxSetWaitFunction(enough, NULL));
    OK(cuCtxAttach(&current, 0));
    OK(cuCtxDetach(busy)); /* does not wait: there is another user */
    EXPECT(CUDA_ERROR_NOT_READY, cuCtxDetach(busy));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == busy);
    OK(cuxSetWaitFunction(NULL, NULL));
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    OK(cuCtxSynchronize());
    OK(cuCtxDetach(busy));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == context);
}

/* A primary context lives as long as somebody has retained or attached it. */
static void primary(void)
{
    CUcontext handle = NULL, same = NULL;
    CUstream stream = NULL;
    unsigned flags = 0;
    int active = 0;
    OK(cuDevicePrimaryCtxRetain(&handle, 0));
    OK(cuCtxPushCurrent_v2(handle));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(handle));
    DETAIL("a primary context is detached as often as it was attached");
    OK(cuCtxAttach(&same, 0));
    CHECK(same == handle);
    OK(cuStreamCreate(&stream, 0));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    OK(cuStreamSynchronize(stream));
    OK(cuCtxDetach(handle));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(active == 0);
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(handle));
    /* Users that a release has taken with it are not those of its next life. */
    OK(cuDevicePrimaryCtxRetain(&handle, 0));
    OK(cuCtxAttach(&same, 0));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    OK(cuDevicePrimaryCtxRetain(&handle, 0));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(handle));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    OK(cuCtxPopCurrent_v2(&same));
}

/* -- OpenGL ------------------------------------------------------------------------ */

static void opengl(void)
{
    unsigned count = 0;
    CUdevice devices[4];
    CUdeviceptr address = 0;
    size_t size = 0;
    EXPECT(CUDA_ERROR_UNKNOWN, cuGLInit());
    DETAIL("the host device has no OpenGL");
    EXPECT(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT,
           cuGLGetDevices_v2(&count, devices, 4, 1));
    DETAIL("no context of OpenGL is current");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGLGetDevices_v2(NULL, devices, 4, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGLGetDevices_v2(&count, NULL, 4, 1));
    EXPECT(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, cuGLRegisterBufferObject(7));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGLMapBufferObject_v2(&address, &size, 7));
    DETAIL("buffer 7 of OpenGL is not registered");
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuGLMapBufferObjectAsync_v2(&address, &size, 7, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGLUnmapBufferObject(7));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGLUnmapBufferObjectAsync(7, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGLUnregisterBufferObject(7));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuGLSetBufferObjectMapFlags(7, 0));
    CHECK(count == 0 && address == 0 && size == 0);
}

/* -- Looked up --------------------------------------------------------------------- */

static void looked_up(void)
{
    void *address = NULL;
    OK(cuGetProcAddress_v2("cuLaunchGrid", &address, 13000, 0, NULL));
    CHECK(address == (void *)cuLaunchGrid);
    OK(cuGetProcAddress_v2("cuGLMapBufferObject", &address, 13000, 0, NULL));
    CHECK(address == (void *)cuGLMapBufferObject_v2);
}

int main(int argc, char **argv)
{
    image_path = argv[1];
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuLaunch(NULL));
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuCtxDetach(NULL));
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuGLInit());
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, image_path));
    OK(cuMemAlloc_v2(&memory, N * 4));
    parameters();
    bytes();
    padding();
    without_parameters();
    owners();
    streams();
    captured();
    shared_memory();
    refused_values();
    unset();
    refused_handles();
    failed_context();
    threads();
    last_of_threads();
    attached();
    given_up();
    primary();
    opengl();
    looked_up();
    OK(cuCtxDestroy_v2(context));
    return report();
}
