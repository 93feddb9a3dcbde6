/* Where NVIDIA's libraries are that come with CUDA: wheels, a toolkit, the loader's
   path. Nothing is loaded where a look at names will do: that takes longer than any
   cached kernel. */
#define _GNU_SOURCE /* dlinfo, GLOB_BRACE */
#include "compile_job.h"
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

/* The first file of a pattern below a folder; false if there is none. */
int cmp_file_find(const char *folder, const char *below, const char *name,
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
        found = folder && cmp_file_find(folder, "nvidia/*/lib", name, path);
    }
    PyErr_Clear(); /* sys.path may hold anything */
    return found;
}

int cmp_toolkits_find(const char *below, const char *name, char path[PATH_MAX])
{
    const char *folder;
    for (int n = 0; (folder = cmp_toolkit_folder(n)); n++)
        if (cmp_file_find(folder, below, name, path))
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

int cmp_library_find_in(const char *folder, const char *name, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX &&
           !access(path, R_OK);
}

int cmp_library_find(const char *name, char path[PATH_MAX])
{
    return find_in_wheels(name, path) ||
           cmp_toolkits_find("{lib64,lib,targets/*/lib}", name, path) ||
           find_by_loader(name, path);
}
