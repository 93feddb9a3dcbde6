/* Passes for a GPU's driver and runs everything on the host device, whose library
   HOST_LIBRARY names: so that what this package does on GPUs alone is done without one.
   LIKE_GPU, "90 4", is its compute capability and how many multiprocessors it has; a
   third number is the version of CUDA. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "cuda/types.h"

__asm__(".hidden cuxGetErrorDetail"); /* by which the host device is recognised */

static void *find(const char *symbol)
{
    static void *library;
    if (!library)
        library = dlopen(getenv("HOST_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    void *entry = library ? dlsym(library, symbol) : NULL;
    if (!entry) {
        fprintf(stderr, "%s: not in $HOST_LIBRARY: %s\n", symbol, dlerror());
        abort();
    }
    return entry;
}

#define PASS_ON(symbol, ...)                                            \
    CUresult symbol(CU_PARAMS(__VA_ARGS__))                             \
    {                                                                   \
        static CUresult (*entry)(CU_PARAMS(__VA_ARGS__));               \
        if (!entry)                                                     \
            entry = (CUresult(*)(CU_PARAMS(__VA_ARGS__)))find(#symbol); \
        return entry(CU_ARGS(__VA_ARGS__));                             \
    }
#define F(name, suffix, version, ...) PASS_ON(name##suffix, __VA_ARGS__)
#define cuDeviceGetAttribute as_the_host_says
#define cuDriverGetVersion version_of_the_host
#include "cuda/functions.def"
#undef cuDeviceGetAttribute
#undef cuDriverGetVersion

CUresult cuDriverGetVersion(int *version)
{
    CUresult status = version_of_the_host(version);
    sscanf(getenv("LIKE_GPU"), "%*d %*d %d", version);
    return status;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    int capability = 90, processors = 4;
    sscanf(getenv("LIKE_GPU"), "%d %d", &capability, &processors);
    CUresult status = as_the_host_says(value, attribute, device);
    switch ((int)attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = capability / 10;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = capability % 10;
        break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = processors;
        break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        *value = 1 << 20; /* small, so that tables of tests are larger */
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = (capability == 75                                            ? 64
                  : capability == 80 || capability == 87                      ? 163
                  : capability == 86 || capability == 89 || capability >= 120 ? 99
                                                                              : 227)
                 << 10;
    }
    return status;
}
