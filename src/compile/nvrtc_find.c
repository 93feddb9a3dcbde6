/* Where NVRTC is: the file that PYCUDA_NVRTC names, the wheel nvidia-cuda-nvrtc, a
   toolkit, the loader's path; and where headers such as cuda_fp16.h are. Nothing is
   loaded where a look at names will do: that takes longer than any cached kernel. */
#define _GNU_SOURCE /* dlinfo, GLOB_BRACE */
#include "compile_job.h"
#include "driver/driver.h"
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdlib.h>

/* The first file of a pattern below a folder; false if there is none. */
static int find_file(const char *folder, const char *below, const char *name,
                     char path[PATH_MAX])
{
    glob_t hits = {0};
    int found = *folder &&
                snprintf(path, PATH_MAX, "%s/%s/%s", folder, below, name) < PATH_MAX &&
                !glob(path, GLOB_BRACE, NULL, &hits) &&
                snprintf(path, PATH_MAX, "%s", hits.gl_pathv[0]) < PATH_MAX;
    globfree(&hits);
    return found;
}

/* Wheels lie beside other packages. */
static int find_in_wheels(const char *name, char path[PATH_MAX])
{
    PyObject *folders = PySys_GetObject("path"); /* borrowed */
    int found = 0;
    for (Py_ssize_t i = 0; folders && !found && i < PyList_Size(folders); i++) {
        const char *folder = PyUnicode_AsUTF8(PyList_GET_ITEM(folders, i));
        found = folder && find_file(folder, "nvidia/*/lib", name, path);
    }
    PyErr_Clear(); /* sys.path may hold anything */
    return found;
}

static int find_in_toolkits(const char *below, const char *name, char path[PATH_MAX])
{
    const char *folder;
    for (int n = 0; (folder = cmp_toolkit_folder(n)); n++)
        if (find_file(folder, below, name, path))
            return 1;
    return 0;
}

static int find_by_loader(const char *name, char path[PATH_MAX])
{
    struct link_map *map;
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    return handle && !dlinfo(handle, RTLD_DI_LINKMAP, &map) &&
           snprintf(path, PATH_MAX, "%s", map->l_name) < PATH_MAX;
}

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
        if (find_in_wheels(name, path) ||
            find_in_toolkits("{lib64,lib,targets/*/lib}", name, path) ||
            find_by_loader(name, path))
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
    int found = find_file(beside, "../{include{/cccl,},../cuda_runtime/include}", name,
                          folder) ||
                find_in_toolkits("include{/cccl,}", name, folder);
    if (found)
        folder[strlen(folder) - strlen(name) - 1] = 0;
    return found;
}
