/* A driver with nothing behind it: just enough entry points to try selection, absent
   functions, the trace and injection. FAKE_VERSION and FAKE_DEVICES in the environment
   shape its answers; built with FAKE_HOST it passes for the host device. */
#include <stdlib.h>
#include "cuda/types.h"

#define EXPORT __attribute__((visibility("default")))

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

EXPORT CUresult cuInit(unsigned flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

EXPORT CUresult cuDriverGetVersion(int *version)
{
    *version = number("FAKE_VERSION", 12040);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count)
{
    *count = number("FAKE_DEVICES", 1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t size)
{
    *pointer = 0x10000 + size;
    return size ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuCtxSynchronize(void)
{
    return CUDA_SUCCESS;
}

EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *pointer, CUipcMemHandle handle,
                                      unsigned flags)
{
    *pointer = (unsigned char)handle.reserved[63] + flags;
    return CUDA_SUCCESS;
}

#ifdef FAKE_HOST
EXPORT CUresult cuxGetErrorDetail(const char **text)
{
    *text = "";
    return CUDA_SUCCESS;
}
#endif
