/* Looks for NVIDIA's libraries, once for each, when it is first of use, and takes their
   entry points. On the host device, whose memory is not a GPU's, a library is used only
   if PYCUDA_LIBRARIES names the folder that it is in; but NCCL's functions are part of
   the host device itself. */
#define _GNU_SOURCE /* dlinfo */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compile/compile.h"
#include "loading.h"

#define LIBRARY(name, parameters) #name,
#define LIBRARY_NEWER(name, parameters) #name,
static const char *const blas_names[] = {
#include "libraries/blas.def"
};
static const char *const fft_names[] = {
#include "libraries/fft.def"
};
static const char *const solver_names[] = {
#include "libraries/solver.def"
};
static const char *const sparse_names[] = {
#include "libraries/sparse.def"
};
#undef LIBRARY
#undef LIBRARY_NEWER
#define LIBRARY(name, parameters)
#define LIBRARY_NEWER(name, parameters) +1
enum {
    NEWER_OF_SOLVER = 0
#include "libraries/solver.def"
};
#undef LIBRARY
#undef LIBRARY_NEWER
#define N(result, name, ...) #name,
static const char *const nccl_names[] = {
#include "cuda/nccl.def"
};
#undef N
_Static_assert(sizeof(lib_blas) == sizeof blas_names, "a pointer for each name");
_Static_assert(sizeof(lib_fft) == sizeof fft_names, "a pointer for each name");
_Static_assert(sizeof(lib_solver) == sizeof solver_names, "a pointer for each name");
_Static_assert(sizeof(lib_sparse) == sizeof sparse_names, "a pointer for each name");
_Static_assert(sizeof(lib_nccl) == sizeof nccl_names, "a pointer for each name");
_Static_assert(sizeof(lib_blas) <= sizeof((lib_library *)0)->entry, "there is room");
_Static_assert(sizeof(lib_fft) <= sizeof((lib_library *)0)->entry, "there is room");
_Static_assert(sizeof(lib_solver) <= sizeof((lib_library *)0)->entry, "there is room");
_Static_assert(sizeof(lib_sparse) <= sizeof((lib_library *)0)->entry, "there is room");
_Static_assert(sizeof(lib_nccl) <= sizeof((lib_library *)0)->entry, "there is room");

/* Its major version: 22703 is 2.27.3. */
static int nccl_version(const void *entry)
{
    int version = 0;
    return ((const lib_nccl *)entry)->ncclGetVersion(&version) ? 0 : version / 10000;
}

static const struct {
    const char *name, *wheel;
    int major[2]; /* of CUDA 13 and of CUDA 12 */
    const char *const *entries;
    size_t count, asks_version; /* that entry: (property, int *value) */
    size_t newer;               /* so many, the last ones, may be missing */
    const char *wheel_suffix;   /* of CUDA 13; of CUDA 12 it is -cu12 */
    int minor_of_13; /* the first one of CUDA 13, where names do not tell; 0: they do */
    int is_in_host_device;
    int (*version)(const void *entry); /* NULL: that entry is asked */
} descriptions[LIB_COUNT] = {
    [LIB_BLAS] = {"cublas",
                  "nvidia-cublas",
                  {13, 12},
                  blas_names,
                  sizeof blas_names / sizeof *blas_names,
                  offsetof(lib_blas, cublasGetProperty) / sizeof(void *)},
    [LIB_FFT] = {"cufft",
                 "nvidia-cufft",
                 {12, 11},
                 fft_names,
                 sizeof fft_names / sizeof *fft_names,
                 offsetof(lib_fft, cufftGetProperty) / sizeof(void *)},
    [LIB_SOLVER] = {"cusolver",
                    "nvidia-cusolver",
                    {12, 11},
                    solver_names,
                    sizeof solver_names / sizeof *solver_names,
                    offsetof(lib_solver, cusolverGetProperty) / sizeof(void *),
                    NEWER_OF_SOLVER},
    [LIB_SPARSE] = {"cusparse",
                    "nvidia-cusparse",
                    {12, 12},
                    sparse_names,
                    sizeof sparse_names / sizeof *sparse_names,
                    offsetof(lib_sparse, cusparseGetProperty) / sizeof(void *),
                    .minor_of_13 = 6},
    [LIB_NCCL] = {.name = "nccl",
                  .wheel = "nvidia-nccl",
                  .major = {2, 2},
                  .entries = nccl_names,
                  .count = sizeof nccl_names / sizeof *nccl_names,
                  .wheel_suffix = "-cu13",
                  .is_in_host_device = 1,
                  .version = nccl_version},
};

static int find_loaded(const char *file, char path[PATH_MAX])
{
    struct link_map *map;
    void *handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    int found = handle && !dlinfo(handle, RTLD_DI_LINKMAP, &map) &&
                snprintf(path, PATH_MAX, "%s", map->l_name) < PATH_MAX;
    if (handle)
        dlclose(handle);
    return found;
}

/* The path of the library with the newest version that suits the driver; its major
   version, or 0. */
static int find(lib_id id, lib_library *library, char path[PATH_MAX])
{
    const char *folder = getenv("PYCUDA_LIBRARIES");
    const drv_info *driver = drv_get_info();
    int is_given = folder && *folder;
    if (driver->is_host && descriptions[id].is_in_host_device &&
        !(is_given && cmp_library_find_in(folder, "libnccl.so.2", path)))
        return snprintf(path, PATH_MAX, "%s", driver->path) < PATH_MAX
                   ? descriptions[id].major[0]
                   : 0;
    if (!is_given && driver->is_host) {
        snprintf(library->why, sizeof library->why,
                 "the host device needs none: NumPy's libraries compute on its memory");
        return 0;
    }
    /* What CUDA 13 makes needs a driver of CUDA 13. */
    int first = !driver->is_host && driver->version < 13000;
    for (int k = first; k < 2; k++) {
        char file[64];
        int major = descriptions[id].major[k];
        snprintf(file, sizeof file, "lib%s.so.%d", descriptions[id].name, major);
        if (is_given ? cmp_library_find_in(folder, file, path)
                     : find_loaded(file, path) || cmp_library_find(file, path))
            return major;
    }
    snprintf(library->why, sizeof library->why,
             "lib%s.so.%d was looked for in %s; `pip install %s%s` would do",
             descriptions[id].name, descriptions[id].major[first],
             is_given ? "$PYCUDA_LIBRARIES"
                      : "NVIDIA's wheels, $CUDA_ROOT, $CUDA_HOME, $CUDA_PATH, "
                        "/usr/local/cuda and the loader's path",
             descriptions[id].wheel,
             first                           ? "-cu12"
             : descriptions[id].wheel_suffix ? descriptions[id].wheel_suffix
                                             : "");
    return 0;
}

/* Whether it is CUDA 13's beside an older driver, which its name does not tell. */
static int is_too_new(lib_id id, const lib_library *library)
{
    const drv_info *driver = drv_get_info();
    unsigned (*ask)(unsigned, int *) = library->entry[descriptions[id].asks_version];
    int minor = 0;
    return descriptions[id].minor_of_13 && !driver->is_host &&
           driver->version < 13000 && !ask(1, &minor) && /* 1: MINOR_VERSION */
           minor >= descriptions[id].minor_of_13;
}

static void load(lib_id id, lib_library *library)
{
    char path[PATH_MAX];
    int major = find(id, library, path), found = 0;
    void *handle = major ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (major && !handle) {
        snprintf(library->why, sizeof library->why, "%s", dlerror());
        return;
    }
    for (size_t k = 0; handle && k < descriptions[id].count; k++)
        if (!(library->entry[k] = dlsym(handle, descriptions[id].entries[k])) &&
            k + descriptions[id].newer < descriptions[id].count) {
            snprintf(library->why, sizeof library->why, "%s lacks %s", path,
                     descriptions[id].entries[k]);
            return;
        }
    if (!handle)
        return;
    unsigned (*ask)(unsigned, int *) = library->entry[descriptions[id].asks_version];
    if (descriptions[id].version)
        found = descriptions[id].version(library->entry);
    else if (ask(0, &found)) /* 0: MAJOR_VERSION */
        found = 0;
    if (found != major)
        snprintf(library->why, sizeof library->why, "%s says that it is version %d",
                 path, found);
    else if (is_too_new(id, library))
        snprintf(library->why, sizeof library->why,
                 "%s is of CUDA 13, and the driver is older; `pip install %s-cu12` "
                 "would do",
                 path, descriptions[id].wheel);
    else {
        memcpy(library->path, path, sizeof path);
        library->is_usable = 1;
    }
}

const void *lib_entries(bd_state *state, lib_id id)
{
    lib_loaded *loaded = state->libraries;
    if (!loaded)
        return NULL;
    lib_library *library = &loaded->library[id];
    if (!library->is_known) {
        library->is_known = 1;
        load(id, library);
    }
    return library->is_usable ? library->entry : NULL;
}

const char *lib_absence(bd_state *state, lib_id id)
{
    const lib_loaded *loaded = state->libraries;
    return loaded ? loaded->library[id].why : "";
}

PyObject *lib_found(bd_state *state)
{
    PyObject *found = PyDict_New();
    for (int id = 0; found && id < LIB_COUNT; id++) {
        int is_there = lib_entries(state, id) != NULL;
        lib_loaded *loaded = state->libraries;
        PyObject *text = loaded
                             ? PyUnicode_FromString(is_there ? loaded->library[id].path
                                                             : loaded->library[id].why)
                             : PyErr_NoMemory();
        if (!text || PyDict_SetItemString(found, descriptions[id].name, text))
            Py_CLEAR(found);
        Py_XDECREF(text);
    }
    return found;
}
