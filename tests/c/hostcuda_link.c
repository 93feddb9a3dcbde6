/* The linker as a client in C sees it: what is refused, logs, what stays. Linking
   itself takes the compiler and is tested in tests/python/test_linker.py; here others
   stand in for it. */
#include "hostcuda_test.h"

static char object[] = "BC\xc0\xde and what else hostcc writes";

static void refusals(void)
{
    CUlinkState link = NULL;
    void *image = NULL;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkCreate_v2(0, NULL, NULL, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkCreate_v2(1, NULL, NULL, &link));
    OK(cuLinkCreate_v2(0, NULL, NULL, &link));
#define ADD(data, size) \
    cuLinkAddData_v2(link, CU_JIT_INPUT_CUBIN, data, size, "it", 0, NULL, NULL)
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(link, &image, NULL));
    DETAIL("nothing was added");
    EXPECT(CUDA_ERROR_INVALID_VALUE, ADD(NULL, 10));
    EXPECT(CUDA_ERROR_INVALID_IMAGE, ADD(object, 3));
    EXPECT(CUDA_ERROR_INVALID_IMAGE, ADD(".version 8.0", 13));
    DETAIL("it is no object for the host device");
    EXPECT(CUDA_ERROR_FILE_NOT_FOUND,
           cuLinkAddFile_v2(link, CU_JIT_INPUT_CUBIN, "/none", 0, NULL, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuLinkAddFile_v2(link, CU_JIT_INPUT_CUBIN, NULL, 0, NULL, NULL));
    OK(ADD(object, sizeof object));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(link, NULL, NULL));
    OK(cuLinkDestroy(link));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, ADD(object, sizeof object));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLinkComplete(link, &image, NULL));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(link));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(NULL));
}

/* "Links" two objects by a program that does not know its arguments. */
static void logs(const char *program, CUresult status, const char *said)
{
    char errors[100] = "", information[100] = "as before";
    CUjit_option options[] = {
        CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {errors, (void *)sizeof errors, information,
                      (void *)sizeof information};
    CUlinkState link = NULL;
    void *image = NULL;
    size_t size = 0;
    setenv("PYCUDA_HOSTCC", program, 1);
    OK(cuLinkCreate_v2(4, options, values, &link));
    OK(ADD(object, sizeof object));
    OK(ADD(object, sizeof object));
    EXPECT(status, cuLinkComplete(link, &image, &size));
    CHECK(image == NULL && strstr(errors, said) != NULL && information[0] == 0);
    OK(cuLinkDestroy(link));
}

int main(void)
{
    CUcontext context = NULL;
    CUlinkState left = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    setenv("TMPDIR", "/nowhere", 1);
    EXPECT(CUDA_ERROR_OPERATING_SYSTEM, cuLinkCreate_v2(0, NULL, NULL, &left));
    DETAIL("cannot make a temporary folder in /nowhere");
    unsetenv("TMPDIR");
    refusals();
    logs("/bin/true", CUDA_ERROR_INVALID_IMAGE, "cannot be linked");
    logs("/bin/ls", CUDA_ERROR_INVALID_IMAGE, "ls: ");
    logs("/nowhere", CUDA_ERROR_OPERATING_SYSTEM,
         "/nowhere cannot be run: No such file");
    OK(cuLinkCreate_v2(0, NULL, NULL, &left));
    OK(cuCtxDestroy_v2(context));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(left));
    return report();
}
