/* Where NVRTC is: the file that PYCUDA_NVRTC names, or where all of NVIDIA's libraries
   are; and where headers such as cuda_fp16.h are. */
#include "compile_job.h"
#include "driver/driver.h"
#include <stdlib.h>

int cmp_nvrtc_find(cmp_job *job)
{
    const char *given = getenv("PYCUDA_NVRTC");
    const drv_info *driver = drv_get_info();
    /* What CUDA 13 makes needs a driver of CUDA 13. */
    int newest = driver->path && !driver->is_host && driver->version < 13000 ? 12 : 13;
    char name[32], *path = job->compiler;
    if (given && *given) /* loading it will say what is wrong with it */
        return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX;
    for (int major = newest; major >= 12; major--) {
        snprintf(name, sizeof name, "libnvrtc.so.%d", major);
        if (cmp_library_find(name, path))
            return 1;
    }
    cmp_put(&job->outcome->message,
            "no compiler for GPU code: NVRTC (libnvrtc.so.%d) was looked for in "
            "$PYCUDA_NVRTC, the wheel nvidia-cuda-nvrtc, $CUDA_ROOT, $CUDA_HOME, "
            "$CUDA_PATH, /usr/local/cuda and the loader's path; `pip install "
            "nvidia-cuda-nvrtc%s` would do",
            newest, newest < 13 ? "-cu12" : "");
    return 0;
}

/* A wheel of NVRTC may come without the headers that another package brings. */
int cmp_nvrtc_headers(const char *library, const char *name, char folder[PATH_MAX])
{
    const char *slash = strrchr(library, '/');
    char beside[PATH_MAX];
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - library) : 0,
             library);
    int found = cmp_file_find(beside, "../{include{/cccl,},../cuda_runtime/include}",
                              name, folder) ||
                cmp_toolkits_find("include{/cccl,}", name, folder);
    if (found)
        folder[strlen(folder) - strlen(name) - 1] = 0;
    return found;
}
