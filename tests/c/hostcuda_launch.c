/* Launches: geometry, arguments, blocks and their states, warp functions, occupancy. */
#include "hostcuda_test.h"

static CUmodule module;
static CUdeviceptr memory;

static int *values(int count)
{
    static int copy[1 << 20];
    OK(cuMemcpyDtoH_v2(copy, memory, (size_t)count * sizeof *copy));
    return copy;
}

static void clear(int count)
{
    OK(cuMemsetD32_v2(memory, 0, (size_t)count));
}

/* -- Plain kernels ----------------------------------------------------------------- */

static void plain(void)
{
    static float x[70000];
    CUfunction scale = function_named(module, "scale");
    float factor = 3;
    for (int n = 1; n <= 70000; n = n * 7 + 3) {
        for (int i = 0; i < n; i++)
            x[i] = (float)i;
        OK(cuMemcpyHtoD_v2(memory, x, sizeof x));
        OK(LAUNCH(scale, (unsigned)(n + 127) / 128, 128, 0, &memory, &factor, &n));
        OK(cuMemcpyDtoH_v2(x, memory, sizeof x));
        int bad = 0;
        for (int i = 0; i < n; i++)
            bad += x[i] != 3.0f * (float)i;
        CHECK(bad == 0);
    }
}

static void block_order(void)
{
    CUfunction order = function_named(module, "order");
    CUdeviceptr counter = memory + 4 * 5000;
    clear(5001);
    OK(cuLaunchKernel(order, 50, 10, 10, 4, 1, 1, 0, NULL,
                      (void *[]){&memory, &counter}, NULL));
    int *numbers = values(5001), total = 0;
    for (int i = 0; i < 5000; i++)
        total += numbers[i] >= 0 && numbers[i] < 5000;
    CHECK(total == 5000 && numbers[5000] == 5000);
}

/* -- Arguments --------------------------------------------------------------------- */

static void arguments(void)
{
    struct {
        signed char bytes[3000];
        CUdeviceptr out;
    } packed;
    size_t size = sizeof packed, less = 3004;
    CUfunction big = function_named(module, "big");
    memset(packed.bytes, 2, sizeof packed.bytes);
    packed.out = memory;
    OK(LAUNCH(big, 1, 1, 0, packed.bytes, &packed.out));
    CHECK(values(1)[0] == 6000);
    packed.bytes[0] = 0;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(big, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    CHECK(values(1)[0] == 5998);
    extra[3] = &less;
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuLaunchKernel(big, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    DETAIL("take 3008 bytes, the buffer has 3004");
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuLaunchKernel(big, 1, 1, 1, 1, 1, 1, 0, NULL, extra, extra));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuLaunchKernel(big, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    DETAIL("2 arguments are missing");
    EXPECT(CUDA_ERROR_INVALID_VALUE, LAUNCH(big, 1, 1, 0, packed.bytes, NULL));
    DETAIL("argument 1 is missing");
    EXPECT(CUDA_ERROR_INVALID_HANDLE, LAUNCH((CUfunction)module, 1, 1, 0, NULL));
    extra[2] = &less;
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuLaunchKernel(big, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    DETAIL("unknown entry");
    OK(cuLaunchKernel(function_named(module, "empty"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL,
                      NULL));
}

/* -- Limits ------------------------------------------------------------------------ */

static const struct {
    unsigned grid[3], block[3], shared;
    CUresult status;
} geometries[] = {
    {{1, 1, 1}, {1024, 1, 1}, 0, CUDA_SUCCESS},
    {{1, 1, 1}, {1, 1024, 1}, 0, CUDA_SUCCESS},
    {{1, 1, 1}, {4, 4, 64}, 0, CUDA_SUCCESS},
    {{1, 65535, 1}, {1, 1, 1}, 0, CUDA_SUCCESS},
    {{1, 1, 1}, {1, 1, 1}, 48 << 10, CUDA_SUCCESS},
    {{1, 1, 1}, {1, 1, 1}, (48 << 10) + 1, CUDA_ERROR_INVALID_VALUE},
    {{0, 1, 1}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 1, 1}, {1, 0, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 1, 1}, {1025, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 1, 1}, {64, 32, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 1, 1}, {1, 1, 65}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 65536, 1}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1u << 31, 1, 1}, {1, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
};

static void limits(void)
{
    CUfunction empty = function_named(module, "empty"),
               order = function_named(module, "order");
    for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++) {
        const unsigned *g = geometries[i].grid, *b = geometries[i].block;
        CUlaunchConfig config = {
            g[0], g[1], g[2], b[0], b[1], b[2], geometries[i].shared};
        EXPECT(geometries[i].status, cuLaunchKernelEx(&config, empty, NULL, NULL));
    }
    EXPECT(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
           LAUNCH(order, 1, 257, 0, &memory, &memory));
    DETAIL("launch bounds allow 256");
    OK(cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          200 << 10));
    OK(LAUNCH(empty, 1, 1, 200 << 10, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              228 << 10));
    CUlaunchAttribute attribute = {CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                                   .value.cooperative = 1};
    CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 0, NULL, &attribute, 1};
    OK(cuLaunchKernelEx(&config, empty, NULL, NULL));
    attribute.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    OK(cuLaunchKernelEx(&config, empty, NULL, NULL));
    attribute = (CUlaunchAttribute){CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                                    .value.clusterDim = {2, 1, 1}};
    EXPECT(CUDA_ERROR_INVALID_CLUSTER_SIZE,
           cuLaunchKernelEx(&config, empty, NULL, NULL));
    attribute.value.clusterDim.x = 1;
    OK(cuLaunchKernelEx(&config, empty, NULL, NULL));
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
    EXPECT(CUDA_ERROR_NOT_SUPPORTED, cuLaunchKernelEx(&config, empty, NULL, NULL));
    attribute.id = 99;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, empty, NULL, NULL));
    config.attrs = NULL;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, empty, NULL, NULL));
}

/* As many blocks as are resident at once may wait for each other, and no more. */
static void cooperative(void)
{
    CUfunction meet = function_named(module, "meet");
    int processors = 0, each = 0, all = 0;
    OK(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, meet, 3, 0));
    clear(1);
    all = processors * each * 3;
    OK(cuLaunchCooperativeKernel(meet, processors * each, 1, 1, 3, 1, 1, 0, NULL,
                                 (void *[]){&memory, &all}));
    CHECK(values(1)[0] == all);
    EXPECT(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
           cuLaunchCooperativeKernel(meet, processors * each + 1, 1, 1, 3, 1, 1, 0,
                                     NULL, (void *[]){&memory, &all}));
    DETAIL("can be resident at once");
}

/* -- States ------------------------------------------------------------------------ */

static const unsigned shapes[][3] = {
    {1, 1, 1}, {7, 1, 1},   {8, 1, 1}, {33, 1, 1},   {256, 1, 1}, {1024, 1, 1},
    {3, 5, 1}, {16, 16, 1}, {5, 4, 3}, {1, 1024, 1}, {32, 4, 2},
};

static void barriers(void)
{
    CUfunction reverse = function_named(module, "reverse"),
               vote = function_named(module, "vote");
    static int x[5 * 1024];
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        unsigned bx = shapes[s][0], by = shapes[s][1], bz = shapes[s][2];
        int n = (int)(bx * by * bz), bad = 0, limit = n / 2;
        for (int i = 0; i < 5 * n; i++)
            x[i] = i;
        OK(cuMemcpyHtoD_v2(memory, x, sizeof x));
        OK(cuLaunchKernel(reverse, 5, 1, 1, bx, by, bz, 4 * (unsigned)n, NULL,
                          (void *[]){&memory}, NULL));
        int *got = values(5 * n);
        for (int i = 0; i < 5 * n; i++)
            bad += got[i] != i / n * n + n - 1 - i % n;
        CHECK(bad == 0);
        clear(6 * n);
        OK(cuLaunchKernel(vote, 2, 1, 1, bx, by, bz, 0, NULL,
                          (void *[]){&memory, &limit}, NULL));
        int count = 0, alive = 0;
        for (int i = 0; i < n; i++) {
            count += i % 3 != 2 && i < limit;
            alive += i % 3 != 2;
        }
        got = values(6 * n);
        for (int i = 0; i < 2 * n; i++) {
            int gone = i % n % 3 == 2;
            bad += got[3 * i] != (gone ? 0 : count);
            bad += got[3 * i + 1] != (gone ? 0 : count == alive);
            bad += got[3 * i + 2] != (gone ? 0 : count > 0);
        }
        CHECK(bad == 0);
    }
}

/* What lane `lane` of a full warp gets in each mode of the kernel `warp`. */
static unsigned warp_expected(int mode, unsigned lane)
{
    switch (mode) {
    case 0: /* shuffle down 5, width 32 */
        return lane + 5 < 32 ? (lane + 5) * 100 + (1u << 31) : lane * 100;
    case 1: /* shuffle down 3, width 8 */
        return lane % 8 + 3 < 8 ? (lane + 3) * 100 + (1u << 31) : lane * 100;
    case 2: /* match */
        return 0xfu << (lane / 4 * 4);
    case 3: /* two halves add up */
        return lane < 16 ? 15 * 16 / 2 * 100 : (31 * 32 / 2 - 15 * 16 / 2) * 100;
    default: /* the upper half has left */
        return lane < 16 ? 15 * 16 / 2 * 100 : 0;
    }
}

static void warps(void)
{
    CUfunction warp = function_named(module, "warp");
    static const unsigned blocks[][2] = {{32, 1}, {64, 2}, {16, 4}, {8, 8}};
    for (int mode = 0; mode < 5; mode++) {
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            int bad = 0, n = (int)(blocks[b][0] * blocks[b][1]);
            clear(2 * n);
            OK(cuLaunchKernel(warp, 2, 1, 1, blocks[b][0], blocks[b][1], 1, 0, NULL,
                              (void *[]){&memory, &mode}, NULL));
            int *got = values(2 * n);
            for (int i = 0; i < 2 * n; i++)
                bad += (unsigned)got[i] != warp_expected(mode, (unsigned)i % 32);
            CHECK(bad == 0);
        }
    }
}

static void spinning(void)
{
    CUfunction spin = function_named(module, "spin");
    for (int chained = 0; chained < 2; chained++) {
        clear(300);
        OK(LAUNCH(spin, 300, 96, 0, &memory, &chained));
        int *got = values(300), bad = 0;
        for (int i = 0; i < 300; i++)
            bad += got[i] != 1000095;
        CHECK(bad == 0);
    }
}

/* More blocks than threads that wait for each other: those that spin make room. */
static void meeting(void)
{
    int all = 200 * 3;
    clear(1);
    OK(LAUNCH(function_named(module, "meet"), 200, 3, 0, &memory, &all));
    CHECK(values(1)[0] == all);
}

/* -- Occupancy and attributes ------------------------------------------------------ */

static const struct {
    CUfunction_attribute attribute;
    int value;
} attributes[] = {
    {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 256},
    {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 0},
    {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 24},
    {CU_FUNC_ATTRIBUTE_BINARY_VERSION, 75},
    {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 48 << 10},
};

static size_t four_per_thread(int threads)
{
    return 4 * (size_t)threads;
}

static void functions(void)
{
    CUfunction order = function_named(module, "order"), listed[64];
    CUmodule owner = NULL;
    const char *text = NULL;
    unsigned count = 0;
    size_t offset = 0, size = 0;
    int grid = 0, block = 0, blocks = 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        int value = -1;
        OK(cuFuncGetAttribute(&value, attributes[i].attribute, order));
        CHECK(value == attributes[i].value);
    }
    OK(cuFuncGetName(&text, order));
    CHECK(strcmp(text, "order") == 0);
    OK(cuFuncGetModule(&owner, order));
    CHECK(owner == module);
    OK(cuFuncGetParamInfo(order, 1, &offset, &size));
    CHECK(offset == 8 && size == 8);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(order, 2, &offset, &size));
    OK(cuxFuncGetParamType(order, 0, &text));
    CHECK(strcmp(text, "int *") == 0);
    OK(cuModuleGetFunctionCount(&count, module));
    CHECK(count == 16);
    OK(cuModuleEnumerateFunctions(listed, count, module));
    OK(cuFuncGetName(&text, listed[2]));
    CHECK(strcmp(text, "order") == 0);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, order, 128, 0));
    CHECK(blocks == 8);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, order, 512, 0));
    CHECK(blocks == 0);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, order, four_per_thread, 0, 0));
    CHECK(block == 256 && grid > 0);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&size, order, 8, 128));
    CHECK(size > 20000 && size < 29184);
    OK(cuFuncSetCacheConfig(order, CU_FUNC_CACHE_PREFER_L1));
    OK(cuFuncSetAttribute(order, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                          50));
    OK(cuFuncGetAttribute(&block, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                          order));
    CHECK(block == 50);
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuFuncSetAttribute(order, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                              101));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuFuncSetAttribute(order, CU_FUNC_ATTRIBUTE_NUM_REGS, 8));
    DETAIL("cannot be set");
}

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoad(&module, argv[1]));
    OK(cuMemAlloc_v2(&memory, 4 << 20));
    plain();
    block_order();
    arguments();
    limits();
    barriers();
    warps();
    spinning();
    meeting();
    cooperative();
    functions();
    OK(cuCtxDestroy_v2(context));
    return report();
}
