/* Passes for a GPU's driver that takes any image and any kernel: a launch leaves its
   arguments' bytes in `launched`. FAKE_SIZES in the environment, "4 8", is what
   cuFuncGetParamInfo tells ("48:4": at 48); without it nothing, as drivers before CUDA
   12.4. `with_gil`
   and `without_gil` count the launches and unloads that were made so; callbacks never
   come. cuMemFree calls `on_free` if that is set, and a wait `on_wait`. All device
   memory is the same; each kernel adds 1 to its bytes. `calls` has a letter for each
   copy (to the device or `from` it, in capitals if enqueued), launch and wait. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/types.h"

char launched[256];
int with_gil, without_gil;
void (*on_free)(void), (*on_wait)(void);
char calls[64];
static int current;
static unsigned char memory[1 << 17];

static void note(char call)
{
    size_t made = strlen(calls);
    if (made + 1 < sizeof calls)
        calls[made] = call;
}

static CUresult copy(char call, void *to, const void *from, size_t bytes)
{
    note(call);
    memcpy(to, from, bytes);
    return 0;
}

static CUresult wait_for_work(void)
{
    note('w');
    if (on_wait)
        on_wait();
    return 0;
}

static void look_at_gil(void)
{
    int (*check)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "PyGILState_Check");
    *(check() ? &with_gil : &without_gil) += 1;
}

#define HANDLE(to) (*(void **)(to) = &current, CUDA_SUCCESS)
#define OK(name)        \
    CUresult name(void) \
    {                   \
        return 0;       \
    }
OK(cuInit)
OK(cuCtxPushCurrent_v2)
OK(cuCtxDestroy_v2)
OK(cuLinkDestroy)
OK(cuGraphicsUnregisterResource)
OK(cuGraphicsMapResources)
OK(cuGraphicsUnmapResources)
OK(cuStreamDestroy_v2)
OK(cuStreamAddCallback)

CUresult cuModuleUnload(CUmodule module)
{
    look_at_gil();
    return 0;
}

CUresult cuDriverGetVersion(int *version)
{
    *version = 12040;
    return 0;
}

CUresult cuDeviceGetCount(int *count)
{
    *count = 1;
    return 0;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return 0;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return 0;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
    return 0;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    current = 1;
    return HANDLE(context);
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = NULL;
    return current ? HANDLE(context) : CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    current = 0;
    return HANDLE(context);
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    return HANDLE(module);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return HANDLE(module);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            CUjit_option *options, void **values)
{
    return HANDLE(module);
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    return HANDLE(stream);
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values,
                         CUlinkState *link)
{
    return HANDLE(link);
}

CUresult cuLinkAddData_v2(CUlinkState link, CUjitInputType type, void *data,
                          size_t size, const char *name, unsigned count,
                          CUjit_option *options, void **values)
{
    return memchr(data, '(', size) ? CUDA_ERROR_INVALID_PTX : 0; /* it is no cubin */
}

CUresult cuLinkComplete(CUlinkState link, void **image, size_t *size)
{
    return HANDLE(image);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    return HANDLE(function);
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset,
                            size_t *size)
{
    const char *sizes = getenv("FAKE_SIZES");
    char *text = (char *)sizes;
    *offset = *size = 0;
    for (size_t i = 0; text && i <= index; i++) {
        *offset = *offset + *size;
        *size = strtoul(text, &text, 10);
        *offset = *size ? (*offset + *size - 1) / *size * *size : 0;
        if (*text == ':') {
            *offset = *size;
            *size = strtoul(text + 1, &text, 10);
        }
    }
    return !sizes ? CUDA_ERROR_NOT_SUPPORTED : *size ? 0 : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                        unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        CUstream stream, void **arguments, void **extra)
{
    look_at_gil();
    note('l');
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i]++;
    memset(launched, 0, sizeof launched);
    if (extra)
        memcpy(launched, extra[1], *(size_t *)extra[3]);
    return 0;
}

CUresult cuGLCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    return cuCtxCreate_v2(context, flags, device);
}

CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, unsigned name,
                                    unsigned flags)
{
    return name < 100 ? HANDLE(resource) : CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
}

CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *resource, unsigned name,
                                   unsigned target, unsigned flags)
{
    return target == 3553 ? HANDLE(resource) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *pointer, size_t *size,
                                               CUgraphicsResource resource)
{
    *pointer = 0x1000, *size = 77;
    return 0;
}

CUresult cuGraphicsSubResourceGetMappedArray(CUarray *array, CUgraphicsResource image,
                                             unsigned index, unsigned level)
{
    return index == 1 && level == 2 ? HANDLE(array) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t size)
{
    *pointer = 0x123456789a00;
    return 0;
}

CUresult cuMemFree_v2(CUdeviceptr pointer)
{
    if (on_free)
        on_free();
    return 0;
}

CUresult cuMemHostAlloc(void **pointer, size_t size, unsigned flags)
{
    if (getenv("FAKE_NO_HOST_MEMORY"))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *pointer = malloc(size);
    return 0;
}

CUresult cuMemFreeHost(void *pointer)
{
    free(pointer);
    return 0;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    return copy('t', memory, from, bytes);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                              CUstream stream)
{
    return copy('T', memory, from, bytes);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    return copy('f', to, memory, bytes);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy('F', to, memory, bytes);
}

CUresult cuCtxSynchronize(void)
{
    return wait_for_work();
}

CUresult cuStreamSynchronize(CUstream stream)
{
    return wait_for_work();
}
