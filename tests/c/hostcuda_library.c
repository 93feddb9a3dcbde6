/* Libraries and their kernels: loaded once, used in several contexts with variables of
   their own, from many threads at once, and unloaded. */
#include <pthread.h>

#include "hostcuda_test.h"

static const char *image_path;
static CUcontext contexts[2];
static CUlibrary library;

static CUkernel kernel_named(const char *name)
{
    CUkernel kernel = NULL;
    OK(cuLibraryGetKernel(&kernel, library, name));
    return kernel;
}

/* Runs `variable`, which answers a counter and then increases it, by the kernel. */
static int counted(void)
{
    CUdeviceptr out = 0;
    int value = -1;
    OK(cuMemAlloc_v2(&out, 8));
    OK(LAUNCH((CUfunction)kernel_named("variable"), 1, 1, 0, &out));
    OK(cuMemcpyDtoH_v2(&value, out, 4));
    OK(cuMemFree_v2(out));
    return value;
}

static void load_from_memory(void)
{
    static char data[1 << 20];
    FILE *file = fopen(image_path, "rb");
    char log[100] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    CHECK(file != NULL && fread(data, 1, sizeof data, file) > 0);
    fclose(file);
    OK(cuLibraryLoadData(&library, data, NULL, NULL, 0, NULL, NULL, 0));
    memset(data, 0, sizeof data); /* it has a copy */
    EXPECT(CUDA_ERROR_NO_BINARY_FOR_GPU,
           cuLibraryLoadData(&library, "//\n.version 8.0\n", options, values, 2, NULL,
                             NULL, 0));
    CHECK(strstr(log, "PTX") != NULL);
    EXPECT(CUDA_ERROR_FILE_NOT_FOUND,
           cuLibraryLoadFromFile(&library, "/none", NULL, NULL, 0, NULL, NULL, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0));
}

static void questions(void)
{
    CUkernel all[100] = {NULL}, kernel = kernel_named("fail");
    CUfunction function = NULL;
    CUlibrary owner = NULL;
    unsigned count = 0;
    size_t offset = 0, size = 0;
    const char *name = NULL;
    int value = 0;
    OK(cuLibraryGetKernelCount(&count, library));
    OK(cuLibraryEnumerateKernels(all, 100, library));
    CHECK(count > 10 && all[count - 1] != NULL && all[count] == NULL);
    EXPECT(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&all[0], library, "none"));
    DETAIL("the library has no kernel \"none\"");
    OK(cuKernelGetName(&name, kernel));
    CHECK(strcmp(name, "fail") == 0);
    OK(cuKernelGetLibrary(&owner, kernel));
    CHECK(owner == library);
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuKernelGetFunction(&function, kernel));
    OK(cuCtxPushCurrent_v2(contexts[0]));
    OK(cuKernelGetFunction(&function, kernel));
    OK(cuKernelGetParamInfo(kernel, 1, &offset, &size));
    CHECK(offset == 4 && size == 4);
    OK(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel, 0));
    CHECK(value == 128);
    OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000,
                            kernel, 0));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          function));
    CHECK(value == 60000);
    OK(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
    EXPECT(CUDA_ERROR_INVALID_DEVICE,
           cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 1));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuKernelGetName(&name, (CUkernel)function));
    DETAIL("is not a kernel of a library");
    OK(cuCtxPopCurrent_v2(NULL));
}

static void use(void)
{
    CUmodule module = NULL, other = NULL;
    CUdeviceptr counter = 0;
    CUgraph graph = NULL;
    CUgraphNode node = NULL;
    CUDA_KERNEL_NODE_PARAMS params = {.gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kern = kernel_named("empty")};
    OK(cuCtxPushCurrent_v2(contexts[0]));
    CHECK(counted() == 7 && counted() == 8);
    OK(cuLibraryGetModule(&module, library));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode_v2(&node, graph, NULL, 0, &params));
    OK(cuGraphDestroy(graph));
    OK(cuCtxPushCurrent_v2(contexts[1]));
    CHECK(counted() == 7); /* of its own */
    OK(cuLibraryGetModule(&other, library));
    CHECK(other != module);
    OK(cuLibraryGetGlobal(&counter, NULL, library, "counter"));
    OK(cuMemsetD32_v2(counter, 100, 1));
    CHECK(counted() == 100);
    EXPECT(CUDA_ERROR_NOT_FOUND, cuLibraryGetGlobal(&counter, NULL, library, "none"));
    OK(cuCtxPopCurrent_v2(NULL));
    CHECK(counted() == 9);
    OK(cuModuleUnload(module)); /* is loaded again */
    CHECK(counted() == 7);
    OK(cuCtxPopCurrent_v2(NULL));
}

/* All threads ask for the same at once: there is one module in the end. */
static void *ask(void *answer)
{
    OK(cuCtxPushCurrent_v2(contexts[0]));
    OK(cuLibraryGetModule(answer, library));
    for (int i = 0; i < 20; i++)
        OK(LAUNCH((CUfunction)kernel_named("empty"), 1, 1, 0, NULL));
    OK(cuCtxPopCurrent_v2(NULL));
    return NULL;
}

static void together(void)
{
    pthread_t threads[8];
    CUmodule modules[8], here = NULL;
    OK(cuCtxPushCurrent_v2(contexts[0]));
    OK(cuLibraryGetModule(&here, library));
    OK(cuModuleUnload(here));
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, ask, &modules[i]) == 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < 8; i++)
        CHECK(modules[i] == modules[0]);
    OK(cuCtxPopCurrent_v2(NULL));
}

int main(int argc, char **argv)
{
    CUkernel kernel = NULL;
    CUlibrary second = NULL;
    int rounds = 100000;
    CUdeviceptr memory = 0;
    setenv("HOSTCUDA_DEVICES", "2", 1);
    image_path = argv[1];
    OK(cuInit(0));
    load_from_memory();
    for (int i = 0; i < 2; i++) {
        OK(cuCtxCreate_v2(&contexts[i], 0, i));
        OK(cuCtxPopCurrent_v2(NULL));
    }
    questions();
    use();
    together();
    OK(cuLibraryLoadFromFile(&second, argv[1], NULL, NULL, 0, NULL, NULL, 0));
    OK(cuCtxDestroy_v2(contexts[1])); /* with its module */
    OK(cuCtxPushCurrent_v2(contexts[0]));
    kernel = kernel_named("busy");
    OK(cuMemAlloc_v2(&memory, 64));
    OK(LAUNCH((CUfunction)kernel, 16, 1, 0, &memory, &rounds));
    OK(cuLibraryUnload(library)); /* waits */
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(library));
    EXPECT(CUDA_ERROR_INVALID_HANDLE,
           LAUNCH((CUfunction)kernel, 16, 1, 0, &memory, &rounds));
    OK(cuLibraryUnload(second));
    OK(cuCtxDestroy_v2(contexts[0]));
    return report();
}
