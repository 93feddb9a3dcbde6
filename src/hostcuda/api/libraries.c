/* Libraries: images that belong to the process and are loaded into a context when
   something of theirs is first asked for there. Each context gets a module of its own,
   and so variables of its own. A kernel is an entry of a library; what is launched is
   the function of the current context's module.

   Loading drops the lock, so a library is counted: it goes when the user has unloaded
   it and no thread loads it any more. */
#include <dlfcn.h>
#include <unistd.h>

#include "entry.h"
#include "hostcuda/run/waits.h"
#include "modules.h"

typedef struct hd_library hd_library;

typedef struct {
    hd_object object;
    hd_library *library; /* borrowed: owns it */
    const hc_kernel *kernel;
} hd_kernel;

struct hd_library {
    hd_object object;
    unsigned refs;
    char *data; /* owned: the image */
    size_t size;
    void *opened;          /* owned: from dlopen, for the table of kernels */
    const hc_image *image; /* in that */
    CUmodule *loads;       /* owned: modules made of it, some perhaps gone by now */
    unsigned nloads, nkernels;
    hd_kernel kernels[];
};

/* -- Life -------------------------------------------------------------------------- */

static void library_release(hd_library *library)
{
    if (--library->refs > 0)
        return;
    hd_unlock();
    dlclose(library->opened);
    free(library->data);
    free(library->loads);
    free(library);
    hd_lock();
}

/* Makes the handles of the library and its kernels stale. */
static void library_retire(hd_library *library)
{
    for (unsigned i = 0; i < library->nkernels; i++)
        hd_handle_retire(&library->kernels[i].object);
    hd_handle_retire(&library->object);
    hd.live[HD_LIBRARY]--;
}

static CUresult library_fill(hd_library *library)
{
    HD_TRY(hd_handle_create(&library->object, HD_LIBRARY, NULL));
    hd.live[HD_LIBRARY]++;
    for (; library->nkernels < library->image->nkernels; library->nkernels++) {
        hd_kernel *kernel = &library->kernels[library->nkernels];
        kernel->library = library;
        kernel->kernel = &library->image->kernels[library->nkernels];
        HD_TRY_OR(hd_handle_create(&kernel->object, HD_KERNEL, NULL),
                  library_retire(library));
    }
    return CUDA_SUCCESS;
}

/* Size 0: it is computed from the image. */
static CUresult library_create(const void *data, size_t size, CUlibrary *handle)
{
    char *copy = NULL;
    hd_image image;
    hd_library *library = NULL;
    HD_ENTER();
    HD_NEED(handle && data);
    hd_unlock();
    CUresult status = hd_image_load_unlocked(data, &size, &image);
    if (status == CUDA_SUCCESS) {
        close(image.file);
        copy = malloc(size);
        library =
            calloc(1, sizeof *library + image.table->nkernels * sizeof(hd_kernel));
    }
    if (copy)
        memcpy(copy, data, size);
    hd_lock();
    HD_TRY(status);
    if (!copy || !library) {
        status = hd_fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for a library");
    } else {
        *library = (hd_library){.refs = 1,
                                .data = copy,
                                .size = size,
                                .opened = image.opened,
                                .image = image.table};
        status = library_fill(library);
    }
    if (status == CUDA_SUCCESS) {
        *handle = library->object.handle;
        return CUDA_SUCCESS;
    }
    dlclose(image.opened);
    free(copy);
    free(library);
    return status;
}

/* Both ways to load; libraries have no options that matter here. */
static CUresult load(CUlibrary *handle, const void *data, const char *name,
                     CUjit_option *options, void **values, unsigned count)
{
    char *file = NULL;
    size_t size = 0;
    CUresult status = CUDA_SUCCESS;

    HD_NEED(count == 0 || (options && values));
    HD_NEED((name != NULL) != (data != NULL));
    if (name)
        status = hd_file_read_unlocked(name, &file, &size);
    if (status == CUDA_SUCCESS)
        status = library_create(name != NULL ? file : data, size, handle);
    free(file);
    return hd_module_logged(status, count, options, values);
}

CUresult cuLibraryLoadData(CUlibrary *handle, const void *data, CUjit_option *options,
                           void **values, unsigned int count,
                           CUlibraryOption *library_options, void **library_values,
                           unsigned int library_count)
{
    return load(handle, data, NULL, options, values, count);
}

CUresult cuLibraryLoadFromFile(CUlibrary *handle, const char *name,
                               CUjit_option *options, void **values, unsigned int count,
                               CUlibraryOption *library_options, void **library_values,
                               unsigned int library_count)
{
    return load(handle, NULL, name, options, values, count);
}

CUresult cuLibraryUnload(CUlibrary handle)
{
    HD_ENTER_FIND(hd_library, library, HD_LIBRARY, handle);
    while (library->nloads > 0) {
        CUmodule module = library->loads[library->nloads - 1];
        CUresult status = hd_child_unload(HD_MODULE, module);
        if (status == CUDA_ERROR_NOT_READY)
            return status;
        HD_TRY(hd_handle_find(HD_LIBRARY, handle, &library)); /* the lock was dropped */
        if (library->nloads > 0 && library->loads[library->nloads - 1] == module)
            library->nloads--;
    }
    library_retire(library);
    library_release(library);
    return CUDA_SUCCESS;
}

/* -- In a context ------------------------------------------------------------------ */

static hd_module *loaded(const hd_library *library, const hd_context *context)
{
    for (unsigned i = 0; i < library->nloads; i++) {
        hd_module *module = hd_handle_object(HD_MODULE, library->loads[i]);
        if (module && module->object.context == context)
            return module;
    }
    return NULL;
}

/* Notes a module, in the slot of one that is gone if there is any. */
static CUresult note(hd_library *library, CUmodule module)
{
    unsigned index = 0;

    while (index < library->nloads &&
           hd_handle_object(HD_MODULE, library->loads[index]))
        index++;
    if (index == library->nloads) {
        CUmodule *loads = realloc(library->loads, (index + 1) * sizeof *loads);
        if (!loads)
            return hd_fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for a library");
        library->loads = loads;
        library->nloads++;
    }
    library->loads[index] = module;
    return CUDA_SUCCESS;
}

/* Loads the library, unless another thread has done so meanwhile. Drops the lock. */
static CUresult load_into(hd_library *library, hd_context *context)
{
    CUmodule handle = NULL;
    hd_library *same = NULL;

    HD_TRY(hd_module_create(context, library->data, library->size, &handle));
    hd_module *own = hd_handle_object(HD_MODULE, handle);
    CUresult status = hd_handle_find(HD_LIBRARY, library->object.handle, &same);
    bool late = loaded(library, context) != NULL;
    if (status == CUDA_SUCCESS && !late)
        status = note(library, handle);
    if (status != CUDA_SUCCESS || late)
        own->object.destroy(&own->object);
    return status;
}

/* The library's module in the current context. Drops the lock when it is loaded. */
static CUresult module_here(hd_library *library, hd_module **module)
{
    hd_context *context = NULL;
    CUresult status = hd_context_current(&context);

    library->refs++;
    *module = NULL;
    while (status == CUDA_SUCCESS) {
        *module = loaded(library, context);
        if (*module)
            break;
        status = load_into(library, context);
        if (status == CUDA_SUCCESS)
            status = hd_context_current(&context);
    }
    library_release(library);
    return status;
}

CUresult cuLibraryGetModule(CUmodule *answer, CUlibrary handle)
{
    hd_module *module = NULL;
    HD_ENTER_FIND(hd_library, library, HD_LIBRARY, handle);
    HD_TRY(module_here(library, &module));
    HD_ANSWER(answer, module->object.handle);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary handle,
                            const char *name)
{
    CUmodule module = NULL;
    HD_TRY(cuLibraryGetModule(&module, handle));
    return cuModuleGetGlobal_v2(address, size, module, name);
}

/* -- Kernels ----------------------------------------------------------------------- */

CUresult cuLibraryGetKernel(CUkernel *answer, CUlibrary handle, const char *name)
{
    HD_ENTER_FIND(hd_library, library, HD_LIBRARY, handle);
    HD_NEED(name);
    uint32_t index = 0;
    HD_TRY(hd_image_find_kernel(library->image, "library", name, &index));
    HD_ANSWER(answer, library->kernels[index].object.handle);
}

HD_QUESTION(cuLibraryGetKernelCount, (unsigned int *answer, CUlibrary handle),
            HD_ENTER_FIND(hd_library, library, HD_LIBRARY, handle), library->nkernels)

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count,
                                   CUlibrary handle)
{
    HD_ENTER_FIND(hd_library, library, HD_LIBRARY, handle);
    HD_NEED(kernels && count != 0);
    hd_handles_list((void **)kernels, count, &library->kernels->object,
                    sizeof *library->kernels, library->nkernels);
    return CUDA_SUCCESS;
}

CUresult hd_function_find_any(const void *handle, hd_function **function)
{
    hd_kernel *kernel = hd_handle_object(HD_KERNEL, handle);
    hd_module *module = NULL;

    if (!kernel)
        return hd_handle_find(HD_FUNCTION, handle, function);
    unsigned index = kernel - kernel->library->kernels;
    HD_TRY(module_here(kernel->library, &module));
    *function = &module->functions[index];
    return CUDA_SUCCESS;
}

CUresult hd_function_find(const void *handle, hd_function **function)
{
    HD_TRY(hd_function_find_any(handle, function));
    const hc_kernel *kernel = (*function)->kernel;
    HD_FAIL_IF(kernel->flags & HC_UNLOADED, CUDA_ERROR_FUNCTION_NOT_LOADED,
               "kernel %s is not compiled yet: pycuda, which made this image, compiles "
               "kernels of large sources one by one, as it gets them (get_function); "
               "with CUDA_MODULE_LOADING=EAGER it makes images with the code of all",
               kernel->name);
    return CUDA_SUCCESS;
}

HD_QUESTION(cuKernelGetLibrary, (CUlibrary * answer, CUkernel handle),
            HD_ENTER_FIND(hd_kernel, kernel, HD_KERNEL, handle),
            kernel->library->object.handle)
HD_QUESTION(cuKernelGetName, (const char **answer, CUkernel handle),
            HD_ENTER_FIND(hd_kernel, kernel, HD_KERNEL, handle), kernel->kernel->name)
