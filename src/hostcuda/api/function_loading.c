/* Lazy loading. The image of a large source has the names of its kernels and what they
   take, and no code of them; that of other sources has no linear layout of kernels that
   need warps. A client has a kernel compiled, from an object that the image carries
   (cuxFuncGetObject), and gives its image to the function (cuxFuncLoadImage): hostcc,
   and a cache of what it made, are the client's. Such an image has no variables: it is
   told where the module's are. */
#include "entry.h"
#include "hostcuda/run/frames.h"
#include "launches.h"
#include "modules.h"

static bool is_unloaded(const hd_function *function)
{
    return (function->kernel->flags & HC_UNLOADED) != 0;
}

HD_QUESTION(cuFuncIsLoaded, (CUfunctionLoadingState * answer, CUfunction handle),
            HD_ENTER_WITH(hd_function, function,
                          hd_function_find_any(handle, &function)),
            is_unloaded(function) ? CU_FUNCTION_LOADING_STATE_UNLOADED
                                  : CU_FUNCTION_LOADING_STATE_LOADED)

CUresult cuFuncLoad(CUfunction handle)
{
    HD_ENTER_WITH(hd_function, function, hd_function_find(handle, &function));
    return CUDA_SUCCESS;
}

CUresult cuxFuncGetObject(CUfunction handle, unsigned int layout, const void **object,
                          size_t *size, const char **options)
{
    HD_ENTER_WITH(hd_function, function, hd_function_find_any(handle, &function));
    HD_NEED(layout < 2 && object && size && options);
    const hc_image *image = function->module->image;
    bool unloaded = layout ? !function->linear : is_unloaded(function);
    *object = unloaded ? image->object : NULL;
    *size = unloaded ? image->object_bytes : 0;
    *options = unloaded ? image->options : NULL;
    return CUDA_SUCCESS;
}

static const hc_global *global_named(const hc_image *image, const char *name)
{
    for (uint32_t i = 0; i < image->nglobals; i++)
        if (strcmp(image->globals[i].name, name) == 0)
            return &image->globals[i];
    return NULL;
}

/* Tells the kernel's image where its module's variables are. */
static CUresult fill_imports(const hc_image *image, const hc_image *module)
{
    for (uint32_t i = 0; i < image->nglobals; i++) {
        const hc_global *slot = &image->globals[i],
                        *variable = global_named(module, slot->name);
        HD_FAIL_IF(!variable || variable->size != slot->size, CUDA_ERROR_INVALID_IMAGE,
                   "the image uses a variable \"%s\" that its module has not",
                   slot->name);
        *(void **)slot->address = variable->address;
    }
    return CUDA_SUCCESS;
}

/* The kernel that the image was compiled for, if it is this function's. */
static CUresult check_image(const hc_image *image, const hd_function *function)
{
    HD_FAIL_IF(!image->imports || image->nkernels != 1 ||
                   strcmp(image->kernels->name, function->kernel->name) != 0,
               CUDA_ERROR_INVALID_IMAGE,
               "the image is not kernel %s, compiled by itself",
               function->kernel->name);
    return CUDA_SUCCESS;
}

/* Another thread may have been faster. */
static bool has_code_of(const hd_function *function, const hc_image *image)
{
    return hd_kernel_has_layout(image->kernels, 0) ? !is_unloaded(function)
                                                   : function->linear != NULL;
}

CUresult cuxFuncLoadImage(CUfunction handle, const void *data)
{
    hd_code *code = NULL;
    HD_ENTER_WITH(hd_function, function, hd_function_find_any(handle, &function));
    HD_NEED(data);
    hd_unlock();
    CUresult status = hd_code_load_unlocked(data, 0, &code);
    hd_lock();
    if (status == CUDA_SUCCESS) /* the lock was dropped */
        status = hd_function_find_any(handle, &function);
    if (status == CUDA_SUCCESS)
        status = check_image(code->image.table, function);
    bool late = status == CUDA_SUCCESS && has_code_of(function, code->image.table);
    if (status == CUDA_SUCCESS && !late)
        status = fill_imports(code->image.table, function->module->image);
    if (status == CUDA_SUCCESS && !late) {
        code->next = function->module->code->next;
        function->module->code->next = code;
        hd_function_take(function, code, code->image.table->kernels);
    } else if (code) {
        hd_unlock();
        hd_code_destroy_unlocked(code);
        hd_lock();
    }
    return status;
}

CUresult hd_function_load_for(const unsigned *block, const void *handle,
                              hd_function **function)
{
    char text[HD_DETAIL] = "";

    if ((*function)->linear || !hd_needs_linear((*function)->kernel, block) || !hd.load)
        return CUDA_SUCCESS;
    CUfunction own = (*function)->object.handle; /* not that of a library's kernel */
    cuxLoadFunction load = hd.load;
    void *data = hd.load_data;
    hd_unlock();
    CUresult status = load(own, text, sizeof text, data);
    hd_lock();
    HD_FAIL_IF(status != CUDA_SUCCESS, status, "%s", text);
    return hd_function_find(handle, function);
}
