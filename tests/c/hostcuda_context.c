/* Devices, contexts, modules and everything that is refused: null, garbage and stale
   handles for every entry point. */
#include <unistd.h>

#include "hostcuda_every.h"

static const char *image_path, *folder;

/* -- Devices ----------------------------------------------------------------------- */

static const struct {
    CUdevice_attribute attribute;
    int value;
} attributes[] = {
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 3},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 7},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 5},
    {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
};

static void devices(void)
{
    int count = 0, value = 0;
    CUdevice device = -1;
    char name[128], bus[16];
    CUuuid first, second;
    size_t total = 0;
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc_v2(NULL, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuInit(1));
    OK(cuInit(0));
    OK(cuInit(0));
    OK(cuDriverGetVersion(&value));
    CHECK(value == 13000);
    OK(cuDeviceGetCount(&count));
    CHECK(count == 2);
    OK(cuDeviceGet(&device, 1));
    CHECK(device == 1);
    EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 2));
    DETAIL("there is no device 2, only 0 to 1");
    EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetName(name, 128, -1));
    OK(cuDeviceGetName(name, sizeof name, 0));
    CHECK(strncmp(name, "Host CPU (", 10) == 0 && strstr(name, ", 3 threads)") != NULL);
    OK(cuDeviceGetName(name, 5, 0));
    CHECK(strcmp(name, "Host") == 0);
    OK(cuDeviceTotalMem_v2(&total, 0));
    CHECK(total == 64 << 20);
    OK(cuDeviceGetUuid_v2(&first, 0));
    OK(cuDeviceGetUuid_v2(&second, 1));
    CHECK(memcmp(&first, &second, sizeof first) != 0);
    OK(cuDeviceGetPCIBusId(bus, sizeof bus, 1));
    OK(cuDeviceGetByPCIBusId(&device, bus));
    CHECK(device == 1);
    EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&device, "0000:55:00.0"));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuDeviceGetByPCIBusId(&device, "nonsense"));
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        OK(cuDeviceGetAttribute(&value, attributes[i].attribute, 0));
        CHECK(value == attributes[i].value);
    }
#define A(name, number) OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_##name, 0));
#include "cuda/attributes.def"
#undef A
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuDeviceGetAttribute(&value, (CUdevice_attribute)1000, 0));
    OK(cuDeviceCanAccessPeer(&value, 0, 1));
    CHECK(value == 1);
    OK(cuDeviceCanAccessPeer(&value, 1, 1));
    CHECK(value == 0);
}

static void names(void)
{
    const char *text = NULL;
    void *address = NULL;
    CUdriverProcAddressQueryResult result = 0;
    OK(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
    CHECK(strcmp(text, "CUDA_ERROR_INVALID_VALUE") == 0);
    OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    CHECK(strcmp(text, "an illegal memory access was encountered") == 0);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuGetErrorString((CUresult)12345, &text));
    CHECK(text == NULL);
    OK(cuGetProcAddress_v2("cuMemAlloc", &address, 12000, 0, &result));
    CHECK(address == (void *)cuMemAlloc_v2 && result == CU_GET_PROC_ADDRESS_SUCCESS);
    OK(cuGetProcAddress_v2("cuCtxCreate_v2", &address, 13000, 0, NULL));
    CHECK(address == (void *)cuCtxCreate_v2);
    EXPECT(CUDA_ERROR_NOT_FOUND,
           cuGetProcAddress_v2("cuNone", &address, 13000, 0, &result));
    CHECK(address == NULL && result == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT(CUDA_ERROR_NOT_FOUND,
           cuGetProcAddress_v2("cuFuncGetParamInfo", &address, 12000, 0, &result));
    CHECK(result == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    OK(cuGetProcAddress_v2("cuMemCreate", &address, 12000, 0, NULL));
    CHECK(address == (void *)cuMemCreate);
    EXPECT(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate());
    DETAIL("cuMemCreate: not supported by the host device");
}

/* -- Contexts ---------------------------------------------------------------------- */

static void stack(void)
{
    CUcontext a = NULL, b = NULL, current = NULL;
    CUdevice device = -1;
    unsigned long long first = 0, second = 0;
    unsigned value = 0;
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    DETAIL("no context is current");
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent_v2(&current));
    EXPECT(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate_v2(&a, 0, 5));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(&a, 0x1000, 0));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == NULL);
    OK(cuCtxCreate_v2(&a, CU_CTX_MAP_HOST, 0));
    OK(cuCtxCreate_v2(&b, 0, 1));
    OK(cuCtxGetDevice(&device));
    CHECK(device == 1);
    OK(cuCtxPopCurrent_v2(&current));
    CHECK(current == b);
    OK(cuCtxGetCurrent(&current));
    CHECK(current == a);
    OK(cuCtxGetFlags(&value));
    CHECK(value == CU_CTX_MAP_HOST);
    OK(cuCtxSetCurrent(b));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == b);
    OK(cuCtxPushCurrent_v2(a));
    OK(cuCtxPushCurrent_v2(a));
    OK(cuCtxGetId(a, &first));
    OK(cuCtxGetId(b, &second));
    CHECK(first != second);
    OK(cuCtxGetApiVersion(NULL, &value));
    OK(cuCtxDestroy_v2(a)); /* pops one of its two places */
    EXPECT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(a));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent_v2(a));
    OK(cuCtxPopCurrent_v2(&current));
    OK(cuCtxSynchronize());
    OK(cuCtxSetCurrent(NULL));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    OK(cuCtxDestroy_v2(b));
}

static void settings(void)
{
    CUcontext context = NULL, peer = NULL;
    size_t value = 0;
    int least = 1, greatest = 1;
    CUfunc_cache cache = 0;
    CUmemLocation place = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
    CUmemoryPool pool = NULL, standard = NULL;
    CUdevice device = -1;
    unsigned flags = 0;
    OK(cuCtxCreate_v2(&peer, 0, 1));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20));
    OK(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
    CHECK(value == 1 << 20);
    EXPECT(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(CU_LIMIT_CIG_ENABLED, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(&value, (CUlimit)77));
    OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    OK(cuCtxGetCacheConfig(&cache));
    CHECK(cache == CU_FUNC_CACHE_PREFER_L1);
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest == -5);
    OK(cuCtxSetFlags(CU_CTX_SCHED_YIELD));
    OK(cuCtxGetFlags(&flags));
    CHECK(flags == CU_CTX_SCHED_YIELD);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxSetFlags(0x1000));
    OK(cuCtxResetPersistingL2Cache());
    OK(cuCtxSynchronize_v2(peer));
    OK(cuCtxGetDevice_v2(&device, peer));
    CHECK(device == 1);
    OK(cuCtxGetDevice_v2(&device, NULL));
    CHECK(device == 0);
    OK(cuDeviceComputeCapability(&least, &greatest, 0));
    CHECK(least == 7 && greatest == 5);
    OK(cuStreamGetDevice(NULL, &device));
    CHECK(device == 0);
    OK(cuMemGetMemPool(&pool, &place, CU_MEM_ALLOCATION_TYPE_PINNED));
    OK(cuMemSetMemPool(&place, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
    OK(cuMemGetDefaultMemPool(&standard, &place, CU_MEM_ALLOCATION_TYPE_PINNED));
    CHECK(pool == standard);
    place.type = CU_MEM_LOCATION_TYPE_HOST;
    EXPECT(CUDA_ERROR_NOT_SUPPORTED,
           cuMemGetMemPool(&pool, &place, CU_MEM_ALLOCATION_TYPE_PINNED));
    OK(cuCtxEnablePeerAccess(peer, 0));
    EXPECT(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(peer, 0));
    OK(cuCtxDisablePeerAccess(peer));
    EXPECT(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(peer));
    OK(cuCtxDestroy_v2(context));
    OK(cuCtxDestroy_v2(peer));
}

static void primary(void)
{
    CUcontext first = NULL, second = NULL;
    unsigned flags = 0;
    int active = 1;
    CUdeviceptr memory = 0;
    OK(cuDevicePrimaryCtxSetFlags_v2(0, CU_CTX_SCHED_SPIN));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(flags == CU_CTX_SCHED_SPIN && active == 0);
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
    OK(cuDevicePrimaryCtxRetain(&first, 0));
    OK(cuDevicePrimaryCtxRetain(&second, 0));
    CHECK(first == second);
    OK(cuCtxSetCurrent(first));
    OK(cuMemAlloc_v2(&memory, 100));
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(first));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    OK(cuMemsetD8_v2(memory, 1, 100));
    OK(cuDevicePrimaryCtxReset_v2(0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2(memory, 1, 100));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    EXPECT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc_v2(&memory, 100));
    OK(cuDevicePrimaryCtxRetain(&second, 0));
    CHECK(first == second);
    OK(cuMemAlloc_v2(&memory, 100)); /* it is current again */
    OK(cuDevicePrimaryCtxRelease_v2(0));
    OK(cuCtxSetCurrent(NULL));
}

/* Many contexts, each with one of everything, destroyed with all of it. */
static void churn(void)
{
    for (int i = 0; i < 300; i++) {
        CUcontext context = NULL;
        CUmodule module = NULL;
        CUstream stream = NULL;
        CUevent event = NULL;
        CUdeviceptr small = 0, large = 0;
        CUarray array = NULL;
        CUDA_ARRAY_DESCRIPTOR shape = {16, 16, CU_AD_FORMAT_FLOAT, 1};
        OK(cuCtxCreate_v2(&context, 0, i % 2));
        OK(cuModuleLoad(&module, image_path));
        OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        OK(cuEventCreate(&event, 0));
        OK(cuMemAlloc_v2(&small, 1000));
        OK(cuMemAlloc_v2(&large, 40 << 20)); /* of 64 */
        OK(cuArrayCreate_v2(&array, &shape));
        OK(cuLaunchKernel(function_named(module, "empty"), 7, 1, 1, 32, 1, 1, 0, stream,
                          NULL, NULL));
        OK(cuEventRecord(event, stream));
        OK(cuCtxDestroy_v2(context));
        EXPECT(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
        EXPECT(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(event));
        EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
    }
}

/* -- Modules ----------------------------------------------------------------------- */

static char *read_image(const char *path, size_t *size)
{
    static char data[1 << 20];
    FILE *file = fopen(path, "rb");
    memset(data, 0, sizeof data);
    *size = file ? fread(data, 1, sizeof data, file) : 0;
    if (file)
        fclose(file);
    return data;
}

static const struct {
    const char *image;
    size_t size;
    CUresult status;
    const char *detail;
} refused[] = {
    {"//\n.version 8.0\n.target sm_70\n", 0, CUDA_ERROR_NO_BINARY_FOR_GPU, "is PTX"},
    {"hello", 0, CUDA_ERROR_INVALID_IMAGE, "text, and not PTX"},
    {"\x01\x02\x03\x04", 0, CUDA_ERROR_INVALID_IMAGE, "no module"},
    {"\x50\xed\x55\xba", 0, CUDA_ERROR_NO_BINARY_FOR_GPU, "fat binary"},
    {"\xb1\x43\x62\x46", 0, CUDA_ERROR_NO_BINARY_FOR_GPU, "fat binary"},
    {"\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\xbe\0\1\0\0\0", 24,
     CUDA_ERROR_NO_BINARY_FOR_GPU, "cubin"},
    {"\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x16\0\1\0\0\0", 24,
     CUDA_ERROR_NO_BINARY_FOR_GPU, "another kind of processor"},
    {"\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0\1\0\0\0", 24, CUDA_ERROR_INVALID_IMAGE,
     "damaged"},
    {"\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0\1\0\0\0", 24, CUDA_ERROR_INVALID_IMAGE,
     "damaged"},
};

static const struct {
    const char *file;
    CUresult status;
    const char *detail;
} refused_files[] = {
    {"hostcuda_image.so", CUDA_ERROR_INVALID_IMAGE,
     "not made by this version of hostcc: compile it again"},
    {"hostcuda_format.image", CUDA_ERROR_NO_BINARY_FOR_GPU,
     "another version of hostcc (its format is "},
    {"hostcuda_cpu.image", CUDA_ERROR_NO_BINARY_FOR_GPU, "another processor"},
    {"none.so", CUDA_ERROR_FILE_NOT_FOUND, "No such file"},
};

static void modules(void)
{
    CUcontext context = NULL;
    CUmodule module = NULL, other = NULL;
    CUfunction function = NULL;
    CUdeviceptr address = 0, out = 0;
    size_t size = 0;
    int value = 0;
    CUmoduleLoadingMode mode = 0;
    CUfunctionLoadingState state = 0;
    char path[512], log[100] = "";
    OK(cuCtxCreate_v2(&context, 0, 0));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char padded[256] = "";
        memcpy(padded, refused[i].image,
               refused[i].size ? refused[i].size : strlen(refused[i].image));
        EXPECT(refused[i].status, cuModuleLoadData(&module, padded));
        DETAIL(refused[i].detail);
    }
    for (size_t i = 0; i < sizeof refused_files / sizeof *refused_files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, refused_files[i].file);
        EXPECT(refused_files[i].status, cuModuleLoad(&module, path));
        DETAIL(refused_files[i].detail);
    }
    char *data = read_image(image_path, &size);
    for (size_t cut = 2; cut < size; cut += size / 7) { /* truncated files */
        snprintf(path, sizeof path, "/tmp/hostcuda_cut_%d", (int)getpid());
        FILE *file = fopen(path, "wb");
        CHECK(file && fwrite(data, 1, cut, file) == cut);
        if (file)
            fclose(file);
        EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoad(&module, path));
        unlink(path);
    }
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    EXPECT(CUDA_ERROR_NO_BINARY_FOR_GPU,
           cuModuleLoadDataEx(&module, refused[0].image, 2, options, values));
    CHECK(strstr(log, "PTX") != NULL && values[1] != NULL);
    OK(cuModuleLoadData(&module, data));
    OK(cuModuleLoadFatBinary(&other, data));
    EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "none"));
    DETAIL("no kernel \"none\"");
    EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2(&address, &size, module, "none"));
    /* Each load has variables of its own. */
    OK(cuMemAlloc_v2(&out, 64));
    for (int i = 0; i < 3; i++) {
        OK(LAUNCH(function_named(module, "variable"), 1, 1, 0, &out));
        OK(cuMemcpyDtoH_v2(&value, out, 4));
        CHECK(value == 7 + i);
    }
    OK(LAUNCH(function_named(other, "variable"), 1, 1, 0, &out));
    OK(cuMemcpyDtoH_v2(&value, out, 4));
    CHECK(value == 7);
    OK(cuModuleGetLoadingMode(&mode));
    OK(cuFuncIsLoaded(&state, function_named(module, "variable")));
    OK(cuFuncLoad(function_named(module, "variable")));
    CHECK(mode == CU_MODULE_LAZY_LOADING && state == CU_FUNCTION_LOADING_STATE_LOADED);
    OK(cuModuleGetGlobal_v2(&address, &size, module, "table"));
    CHECK(size == 16);
    value = 33;
    OK(cuMemcpyHtoD_v2(address + 8, &value, 4));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address + 8, path, 9));
    OK(LAUNCH(function_named(module, "variable"), 1, 1, 0, &out));
    OK(cuMemcpyDtoH_v2(&value, out + 4, 4));
    CHECK(value == 33);
    function = function_named(module, "variable");
    OK(cuModuleUnload(module));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, LAUNCH(function, 1, 1, 0, &out));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address, &value, 4));
    OK(cuCtxDestroy_v2(context));
}

/* -- Hostile input ----------------------------------------------------------------- */

static int succeeded;

/* These wait for work or change what is current, and succeed with nothing. */
static int is_harmless(const char *name)
{
    static const char *const harmless[] = {
        "cuInit",           "cuCtxPopCurrent",          "cuCtxSetCurrent",
        "cuCtxSynchronize", "cuDevicePrimaryCtxRetain",
    };
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        if (!strcmp(name, harmless[i]))
            return 1;
    }
    return 0;
}

static void count_success(const char *name, CUresult status)
{
    succeeded += status == CUDA_SUCCESS;
}

static void hostile(void)
{
    CUcontext context = NULL;
    CUstream stale = NULL;
    size_t before = 0, after = 0;
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuStreamCreate(&stale, 0));
    OK(cuStreamDestroy_v2(stale));
    OK(cuxGetLiveObjects(NULL, &before));
    static const long numbers[] = {0, 1, 3, -1, 0x12345};
    void *const handles[] = {NULL, stale, context, room, (void *)-1, (void *)0x10104};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        for (size_t h = 0; h < sizeof handles / sizeof *handles; h++) {
            if (handles[h] == context)
                continue; /* of the wrong kind for all others, but it would be
                             destroyed */
            number = numbers[n];
            handle = handles[h];
            null_pointers = 1;
            succeeded = 0;
            call_every(is_harmless, count_success);
            CHECK(succeeded < 60);
        }
    }
    /* With somewhere to write to, many calls are right, and may leave objects
       behind. */
    number = 0;
    null_pointers = 0;
    for (size_t h = 1; h < sizeof handles / sizeof *handles; h++) {
        handle = handles[h];
        if (handles[h] != context)
            call_every(is_harmless, count_success);
    }
    for (CUcontext made = NULL; !cuCtxGetCurrent(&made) && made != context;)
        OK(cuCtxDestroy_v2(made));
    OK(cuCtxSynchronize());
    OK(cuxGetLiveObjects(NULL, &after));
    CHECK(after >= before);
    OK(cuCtxDestroy_v2(context));
}

int main(int argc, char **argv)
{
    setenv("HOSTCUDA_DEVICES", "2", 1);
    setenv("HOSTCUDA_MEMORY", "64M", 1);
    image_path = argv[1];
    folder = argv[2];
    devices();
    names();
    stack();
    settings();
    primary();
    churn();
    modules();
    hostile();
    return report();
}
