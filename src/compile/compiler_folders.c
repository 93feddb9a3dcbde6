/* Where things are that a compilation needs: this package's own files, CUDA toolkits,
   what the user adds; and for which GPU it is. Every back end asks, so this is below
   them. */
#define _GNU_SOURCE /* dladdr */
#include "compile_job.h"
#include "driver/driver.h"
#include <dlfcn.h>
#include <stdlib.h>

const char *cmp_package_folder(void)
{
    static char folder[PATH_MAX];
    Dl_info module;
    if (!*folder && dladdr((void *)cmp_package_folder, &module) &&
        strchr(module.dli_fname, '/'))
        snprintf(folder, sizeof folder, "%.*s",
                 (int)(strrchr(module.dli_fname, '/') - module.dli_fname),
                 module.dli_fname);
    return folder;
}

const char *cmp_host_library(void)
{
    static char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/libhostcuda.so", cmp_package_folder());
    return path;
}

const char *cmp_toolkit_folder(int n)
{
    static const char *const names[] = {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"};
    if (n >= 3)
        return n == 3 ? "/usr/local/cuda" : NULL;
    const char *folder = getenv(names[n]);
    return folder ? folder : "";
}

int cmp_device_arch(char arch[16])
{
    CUdevice device;
    int major, minor;
    if (drv_get_info()->is_host || cu.cuCtxGetDevice(&device) ||
        cu.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                device) ||
        cu.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                device))
        return 0;
    snprintf(arch, 16, "sm_%d%d", major, minor);
    return 1;
}

void cmp_put_includes(cmp_job *job)
{
    cmp_put_words(&job->arguments, "-I", &job->request->include_dirs);
    cmp_put(&job->arguments, "-I%s/include", cmp_package_folder());
    cmp_put(&job->arguments, "-I%s/include/pycuda", cmp_package_folder());
}
