/* Lazy loading as a client in C sees it: what a kernel that is not loaded answers,
   which images may be its code, and that it uses its module's variables. */
#include "hostcuda_test.h"

static const char *folder;

static void *image(const char *name)
{
    char path[512];
    static char data[6][1 << 20];
    static unsigned used;
    snprintf(path, sizeof path, "%s/%s.image", folder, name);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fread(data[used], 1, sizeof *data, file) > 0);
    fclose(file);
    return data[used++];
}

static CUresult launch_rows(void *function, CUdeviceptr out, unsigned rows)
{
    void *arguments[] = {&out};
    return cuLaunchKernel(function, 1, 1, 1, 1, rows, 1, 0, NULL, arguments, NULL);
}

static CUresult launch(void *function, CUdeviceptr out)
{
    return launch_rows(function, out, 1);
}

static void unloaded(CUfunction function)
{
    CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_LOADED;
    const void *object = NULL;
    const char *text = NULL;
    size_t offset = 9, size = 0;
    int value = 0;
    OK(cuFuncIsLoaded(&state, function));
    CHECK(state == CU_FUNCTION_LOADING_STATE_UNLOADED);
    OK(cuFuncGetName(&text, function));
    CHECK(strcmp(text, "count") == 0);
    OK(cuFuncGetParamInfo(function, 0, &offset, &size));
    CHECK(offset == 0 && size == 8);
    OK(cuxFuncGetParamType(function, 0, &text));
    CHECK(strcmp(text, "int *") == 0);
    OK(cuxFuncGetObject(function, 0, &object, &size, &text));
    CHECK(size == 11 && memcmp(object, "BC and more", 11) == 0);
    CHECK(strcmp(text, "-O3\n-ftz=true\n") == 0);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuxFuncGetObject(function, 0, NULL, &size, &text));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuxFuncGetObject(function, 0, &object, &size, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuxFuncGetObject(function, 2, &object, &size, &text));
    EXPECT(CUDA_ERROR_FUNCTION_NOT_LOADED, cuFuncLoad(function));
    DETAIL("kernel count is not compiled yet");
    EXPECT(CUDA_ERROR_FUNCTION_NOT_LOADED,
           cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
    EXPECT(CUDA_ERROR_FUNCTION_NOT_LOADED,
           cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 32, 0));
    EXPECT(CUDA_ERROR_FUNCTION_NOT_LOADED, launch(function, 0));
    DETAIL("CUDA_MODULE_LOADING=EAGER");
}

static void refused(CUfunction function, void *whole, void *other, void *stranger)
{
    CUmodule module = NULL;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuxFuncLoadImage(function, NULL));
    EXPECT(CUDA_ERROR_INVALID_IMAGE, cuxFuncLoadImage(function, "text"));
    EXPECT(CUDA_ERROR_INVALID_IMAGE, cuxFuncLoadImage(function, whole));
    DETAIL("not kernel count, compiled by itself");
    EXPECT(CUDA_ERROR_INVALID_IMAGE, cuxFuncLoadImage(function, other));
    EXPECT(CUDA_ERROR_INVALID_IMAGE, cuxFuncLoadImage(function, stranger));
    DETAIL("variable \"none\" that its module has not");
    EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, other));
    DETAIL("kernel other of another image");
}

/* Whether it counts on from there, in a block of so many rows. */
static void counts_rows(void *function, int from, unsigned rows)
{
    CUdeviceptr out = 0;
    int value = 0;
    OK(cuMemAlloc_v2(&out, 4));
    OK(launch_rows(function, out, rows));
    OK(cuMemcpyDtoH_v2(&value, out, 4));
    CHECK(value == from);
    OK(cuMemFree_v2(out));
}

static void counts(void *function, int from)
{
    counts_rows(function, from, 1);
}

static CUresult fails(CUfunction function, char *text, size_t size, void *data)
{
    (void)function, (void)data;
    snprintf(text, size, "no compiler today");
    return CUDA_ERROR_OPERATING_SYSTEM;
}

static unsigned asked;

static CUresult loads(CUfunction function, char *text, size_t size, void *data)
{
    (void)text, (void)size;
    asked++;
    return cuxFuncLoadImage(function, data);
}

/* One that says it did what it did not. */
static CUresult forgets(CUfunction function, char *text, size_t size, void *data)
{
    (void)function, (void)text, (void)size, (void)data;
    return CUDA_SUCCESS;
}

/* A kernel whose linear layout comes when a launch needs it. */
static void layouts(void)
{
    void *rows = image("lazy_rows"), *linear = image("lazy_linear");
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUlibrary library = NULL;
    CUkernel kernel = NULL;
    CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
    const void *object = NULL;
    const char *text = NULL;
    size_t size = 0;
    OK(cuModuleLoadData(&module, rows));
    OK(cuModuleGetFunction(&function, module, "count"));
    OK(cuFuncIsLoaded(&state, function));
    CHECK(state == CU_FUNCTION_LOADING_STATE_LOADED);
    OK(cuxFuncGetObject(function, 0, &object, &size, &text));
    CHECK(object == NULL && size == 0 && text == NULL);
    OK(cuxFuncGetObject(function, 1, &object, &size, &text));
    CHECK(size == 11 && memcmp(object, "BC and more", 11) == 0);
    counts(function, 40);
    EXPECT(CUDA_ERROR_FUNCTION_NOT_LOADED, launch_rows(function, 0, 2));
    DETAIL("the code for blocks of 1 x 2 x 1 threads, whose rows are not whole warps");
    OK(cuxSetLoadFunction(fails, NULL));
    EXPECT(CUDA_ERROR_OPERATING_SYSTEM, launch_rows(function, 0, 2));
    DETAIL("no compiler today");
    OK(cuxSetLoadFunction(forgets, NULL));
    EXPECT(CUDA_ERROR_FUNCTION_NOT_LOADED, launch_rows(function, 0, 2));
    OK(cuxSetLoadFunction(loads, rows));
    EXPECT(CUDA_ERROR_INVALID_IMAGE, launch_rows(function, 0, 2));
    OK(cuxSetLoadFunction(loads, linear));
    asked = 0;
    counts(function, 41);
    counts_rows(function, 42, 2);
    counts_rows(function, 52, 3);
    counts(function, 62); /* in code of its own, as before */
    CHECK(asked == 1);
    OK(cuxFuncLoadImage(function, linear)); /* of another thread, which came late */
    OK(cuxFuncGetObject(function, 1, &object, &size, &text));
    CHECK(object == NULL);
    OK(cuLibraryLoadData(&library, rows, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "count"));
    counts_rows(kernel, 40, 2);
    CHECK(asked == 2);
    OK(cuLibraryUnload(library));
    OK(cuModuleUnload(module));
    OK(cuxSetLoadFunction(NULL, NULL));
}

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    CUmodule module = NULL, twin = NULL;
    CUfunction function = NULL, second = NULL;
    CUlibrary library = NULL;
    CUkernel kernel = NULL;
    CUdeviceptr counter = 0;
    const void *object = "";
    const char *options = "";
    size_t size = 1;
    int value = 7;
    folder = argv[argc - 1];
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    void *whole = image("lazy"), *count = image("lazy_count"),
         *other = image("lazy_other"), *stranger = image("lazy_stranger");
    OK(cuModuleLoadData(&module, whole));
    OK(cuModuleLoadData(&twin, whole));
    OK(cuModuleGetFunction(&function, module, "count"));
    OK(cuModuleGetFunction(&second, twin, "count"));
    unloaded(function);
    refused(function, whole, other, stranger);
    OK(cuxFuncLoadImage(function, count));
    OK(cuxFuncLoadImage(function, count)); /* of another thread, which came late */
    OK(cuFuncLoad(function));
    OK(cuxFuncGetObject(function, 0, &object, &size, &options));
    CHECK(object == NULL && size == 0 && options == NULL);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
    CHECK(value == 64);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    CHECK(value == 128);
    counts(function, 40);
    counts(function, 41);
    unloaded(second);
    OK(cuxFuncLoadImage(second, count));
    counts(second, 40); /* modules are apart */
    OK(cuModuleGetGlobal_v2(&counter, &size, module, "counter"));
    value = 5;
    OK(cuMemcpyHtoD_v2(counter, &value, 4));
    counts(function, 5);
    OK(cuLibraryLoadData(&library, whole, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "count"));
    EXPECT(CUDA_ERROR_FUNCTION_NOT_LOADED, launch(kernel, 0));
    OK(cuKernelGetFunction(&second, kernel));
    OK(cuxFuncLoadImage(second, count));
    counts(kernel, 40);
    OK(cuLibraryUnload(library));
    OK(cuModuleUnload(module));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuxFuncLoadImage(function, count));
    layouts();
    OK(cuCtxDestroy_v2(context));
    return report();
}
