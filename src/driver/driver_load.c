/* Choosing a driver and filling the table from it. A candidate is a library; `auto`
   tries the GPU's and falls back on the host device, the other choices have one
   candidate and no fallback. A library that was refused stays loaded, for a driver that
   has started threads cannot be unloaded. */
#define _GNU_SOURCE /* dlinfo */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "driver_table.h"

#define OLDEST 12000 /* CUDA 12.0 */
#define GPU_LIBRARY "libcuda.so.1"

__attribute__((format(printf, 4, 5))) static CUresult fail(CUresult result,
                                                           char *message, size_t size,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, size, format, arguments);
    va_end(arguments);
    return result;
}

static int version_of(void *library)
{
    CUresult (*get)(int *) = (CUresult(*)(int *))dlsym(library, "cuDriverGetVersion");
    int version = 0;
    return get && get(&version) == CUDA_SUCCESS ? version : 0;
}

/* Opens a library and sees that it is a driver we can use. */
static CUresult candidate_open(const char *path, void **library, char *message,
                               size_t size)
{
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library)
        return fail(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, message, size, "%s",
                    dlerror());
    int version = version_of(*library);
    if (!version)
        return fail(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, message, size,
                    "%s: not a CUDA driver (cuDriverGetVersion is missing or fails)",
                    path);
    if (version < OLDEST)
        return fail(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, message, size,
                    "%s: the driver supports CUDA %d.%d, and %d.%d or newer is needed; "
                    "update the NVIDIA driver",
                    path, version / 1000, version % 1000 / 10, OLDEST / 1000,
                    OLDEST % 1000 / 10);
    return CUDA_SUCCESS;
}

static CUresult host_open(const char *path, void **library, char *message, size_t size)
{
    if (!access(path, F_OK))
        return candidate_open(path, library, message, size);
    return fail(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, message, size,
                "%s is not there: this package was built without the host device; "
                "`apt install llvm-19-dev libclang-19-dev liblld-19-dev libc++-19-dev` "
                "and another "
                "`pip install` bring it",
                path);
}

/* A GPU counts only if it can be used now. */
static CUresult candidate_count_devices(void *library, char *message, size_t size)
{
    CUresult (*init)(unsigned) = (CUresult(*)(unsigned))dlsym(library, "cuInit");
    CUresult (*count)(int *) = (CUresult(*)(int *))dlsym(library, "cuDeviceGetCount");
    int devices = 0;
    CUresult result = init && count ? init(0) : CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        result = count(&devices);
    if (result == CUDA_SUCCESS && devices == 0)
        result = CUDA_ERROR_NO_DEVICE;
    if (result != CUDA_SUCCESS)
        fail(result, message, size, "%s: %s", GPU_LIBRARY, drv_result_text(result));
    return result;
}

/* In the child, whose table is its own. Nothing of the parent's is touched any more. */
static void refuse(void)
{
    for (int i = 0; i < DRV_COUNT; i++) {
        const drv_row *row = &drv_rows[i];
        *drv_slot(&cu, row) = *drv_slot(&drv_real, row) = row->absent;
    }
    drv_loaded.forked = 1;
}

void drv_note_init(void)
{
    static int noted;
    if (!noted)
        noted = pthread_atfork(NULL, NULL, refuse) == 0;
}

static const void *callback_data; /* of those that are set; borrowed */

void drv_set_callbacks(cuxWaitFunction wait, cuxLoadFunction load, void *data)
{
    if (cu.cuxSetWaitFunction(wait, data) == CUDA_SUCCESS &&
        cu.cuxSetLoadFunction(load, data) == CUDA_SUCCESS) /* not on a GPU */
        callback_data = data;
}

void drv_forget_callbacks(const void *data)
{
    if (callback_data == data && data)
        drv_set_callbacks(NULL, NULL, NULL);
}

/* Fills the table. From here on the choice is final. */
static void adopt(void *library, const char *path, int traced)
{
    for (int i = 0; i < DRV_COUNT; i++) {
        const drv_row *row = &drv_rows[i];
        drv_entry *entry = (drv_entry *)dlsym(library, row->symbol);
        *drv_slot(&drv_real, row) = entry ? entry : row->absent;
        *drv_slot(&cu, row) = traced ? drv_watched(i) : *drv_slot(&drv_real, row);
    }
    struct link_map *map = NULL;
    dlinfo(library, RTLD_DI_LINKMAP, &map);
    drv_loaded.version = version_of(library);
    drv_loaded.is_host = dlsym(library, "cuxGetErrorDetail") != NULL;
    /* Borrowed from the loader, which keeps the library for good. */
    drv_loaded.path = map && *map->l_name ? map->l_name : path;
}

CUresult drv_load(const char *host_library, char *message, size_t size)
{
    if (drv_loaded.path)
        return CUDA_SUCCESS;
    const char *choice = getenv("PYCUDA_DRIVER"), *path = host_library;
    if (!choice || !*choice)
        choice = "auto";
    int automatic = !strcmp(choice, "auto");
    if (automatic || !strcmp(choice, "cuda"))
        path = GPU_LIBRARY;
    else if (strchr(choice, '/'))
        path = choice;
    else if (strcmp(choice, "host"))
        return fail(
            CUDA_ERROR_INVALID_VALUE, message, size,
            "PYCUDA_DRIVER=%s: expected auto, cuda, host or the path of a driver "
            "library",
            choice);

    int traced = drv_trace_open();
    if (traced < 0)
        return fail(CUDA_ERROR_INVALID_VALUE, message, size,
                    "PYCUDA_TRACE=%s: cannot write that file", getenv("PYCUDA_TRACE"));

    void *library = NULL;
    char reason[512] = "", host_reason[512] = "";
    CUresult result = path == host_library
                          ? host_open(path, &library, reason, sizeof reason)
                          : candidate_open(path, &library, reason, sizeof reason);
    if (automatic) {
        if (result == CUDA_SUCCESS)
            result = candidate_count_devices(library, reason, sizeof reason);
        if (result == CUDA_SUCCESS) {
            drv_note_init();
        } else {
            path = host_library;
            if (host_open(path, &library, host_reason, sizeof host_reason))
                return fail(result, message, size,
                            "no usable GPU (%s) and no host device (%s)", reason,
                            host_reason);
            fprintf(stderr,
                    "pycuda: no usable GPU (%s): kernels run on the host device. "
                    "PYCUDA_DRIVER=host silences this line.\n",
                    reason);
        }
    } else if (result != CUDA_SUCCESS) {
        return fail(result, message, size, "PYCUDA_DRIVER=%s: %s", choice, reason);
    }
    adopt(library, path, traced);
    return CUDA_SUCCESS;
}
