/* Where NVRTC is: the file that PYCUDA_NVRTC names, the wheel nvidia-cuda-nvrtc, a
   toolkit, the loader's path; and where headers such as cuda_fp16.h are. Nothing is
   loaded where a look at names will do: that takes longer than any cached kernel. */
#define _GNU_SOURCE /* dlinfo */
#include "compile_job.h"
#include "driver/driver.h"
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdlib.h>

/* A wheel lies beside other packages, in nvidia/SOMETHING/lib. */
static int find_in_wheel(const char *name, char path[PATH_MAX])
{
    PyObject *folders = PySys_GetObject("path"); /* borrowed */
    char pattern[PATH_MAX];
    for (Py_ssize_t i = 0;
         folders && PyList_Check(folders) && i < PyList_GET_SIZE(folders); i++) {
        const char *folder = PyUnicode_AsUTF8(PyList_GET_ITEM(folders, i));
        glob_t hits = {0};
        snprintf(pattern, sizeof pattern, "%s/nvidia/*/lib/%s", folder ? folder : "",
                 name);
        int found = !glob(pattern, 0, NULL, &hits);
        if (found)
            snprintf(path, PATH_MAX, "%s", hits.gl_pathv[0]);
        globfree(&hits);
        PyErr_Clear(); /* sys.path may hold anything */
        if (found)
            return 1;
    }
    return 0;
}

static int find_in_toolkit(const char *name, char path[PATH_MAX])
{
    static const char *const below[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
    const char *folder;
    for (int n = 0; (folder = cmp_toolkit_folder(n)); n++)
        for (size_t i = 0; *folder && i < sizeof below / sizeof *below; i++)
            if (snprintf(path, PATH_MAX, "%s/%s/%s", folder, below[i], name) <
                    PATH_MAX &&
                cmp_is_file(path))
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
    static int (*const places[])(const char *, char *) = {
        find_in_wheel, find_in_toolkit, find_by_loader};
    const char *given = getenv("PYCUDA_NVRTC");
    const drv_info *driver = drv_get_info();
    /* What CUDA 13 makes needs a driver of CUDA 13. */
    int newest = driver->path && !driver->is_host && driver->version < 13000 ? 12 : 13;
    char name[32];
    if (given && *given) /* loading it will say what is wrong with it */
        return snprintf(job->compiler, PATH_MAX, "%s", given) < PATH_MAX;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int major = newest; major >= 12; major--) {
            snprintf(name, sizeof name, "libnvrtc.so.%d", major);
            if (places[i](name, job->compiler))
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

int cmp_nvrtc_headers(const char *library, char folder[PATH_MAX])
{
    static const char *const beside[] = {"../include", "../../cuda_runtime/include"};
    const char *slash = strrchr(library, '/'), *toolkit;
    char path[PATH_MAX + 16];
    for (int n = -2; n < 0 || (toolkit = cmp_toolkit_folder(n)); n++) {
        if (n < 0)
            snprintf(folder, PATH_MAX, "%.*s%s", slash ? (int)(slash - library + 1) : 0,
                     library, beside[n + 2]);
        else
            snprintf(folder, PATH_MAX, "%s/include", toolkit);
        snprintf(path, sizeof path, "%s/cuda_fp16.h", folder);
        if (cmp_is_file(path))
            return 1;
    }
    return 0;
}
