/* Modules: loaded images with a handle, their functions and variables. Variables are
   registered as memory, so that copies to them are checked like all others. */
#include "entry.h"
#include "hostcuda/core/device_limits.h"
#include "hostcuda/run/coverage.h"
#include "hostcuda/run/frames.h"
#include "hostcuda/run/samples.h"
#include "hostcuda/run/waits.h"
#include "modules.h"
#include "texture_refs.h"

/* -- Life -------------------------------------------------------------------------- */

static bool is_memory(const hc_global *global)
{
    return global->size != 0 && global->kind < HC_TEXTURE;
}

static void module_destroy(hd_object *object)
{
    hd_module *module = (hd_module *)object;
    hd_code *code = module->code;

    for (uint32_t i = 0; i < module->nfunctions; i++) {
        hd_handle_retire(&module->functions[i].object);
        free(module->functions[i].preset);
    }
    hd_samples_remove(module);
    hd_references_destroy(module);
    hd_child_retire(object); /* what follows drops the lock */
    for (uint32_t i = 0; i < module->nglobals; i++) {
        const hc_global *global = &module->image->globals[i];
        hd_allocation *memory =
            is_memory(global) ? hd_memory_find(global->address) : NULL;
        if (memory) /* or the context went meanwhile, with all its memory */
            hd_memory_destroy(memory);
    }
    free(module);
    hd_unlock();
    hd_code_destroy_unlocked(code);
    hd_lock();
}

void hd_function_take(hd_function *function, const hd_code *code,
                      const hc_kernel *kernel)
{
    if (hd_kernel_has_layout(kernel, 1)) {
        function->linear_code = code;
        function->linear = kernel;
    }
    if (!function->linear || hd_kernel_has_layout(kernel, 0)) {
        function->dynamic_shared_max = kernel->shared_bytes < HD_SHARED_DEFAULT
                                           ? HD_SHARED_DEFAULT - kernel->shared_bytes
                                           : 0;
        function->code = code;
        function->kernel = kernel;
    }
    function->spins = function->spins || hd_kernel_has(kernel, 0, 1u << HC_YIELD) ||
                      hd_kernel_has(kernel, 1, 1u << HC_YIELD);
}

/* Gives the image's kernels handles and registers its variables. */
static CUresult module_fill(hd_module *module, hd_context *context)
{
    const hc_image *image = module->image;

    HD_FAIL_IF(image->imports, CUDA_ERROR_INVALID_IMAGE,
               "the image is kernel %s of another image, compiled by itself",
               image->kernels->name);
    HD_TRY(hd_coverage_open(image, &module->coverage));
    for (; module->nfunctions < image->nkernels; module->nfunctions++) {
        const hc_kernel *kernel = &image->kernels[module->nfunctions];
        hd_function *function = &module->functions[module->nfunctions];
        function->module = module;
        hd_function_take(function, module->code, kernel);
        function->carveout = CU_SHAREDMEM_CARVEOUT_DEFAULT;
        HD_TRY(hd_handle_create(&function->object, HD_FUNCTION, context));
    }
    for (; module->nglobals < image->nglobals; module->nglobals++) {
        const hc_global *global = &image->globals[module->nglobals];
        if (is_memory(global))
            HD_TRY(hd_memory_adopt(&context->memory, HD_MEMORY_GLOBAL, global->address,
                                   global->size, global->kind == HC_CONSTANT));
    }
    return CUDA_SUCCESS;
}

CUresult hd_module_create(hd_context *context, const void *data, size_t size,
                          CUmodule *handle)
{
    void *current = context->object.handle;
    hd_module *module = NULL;
    hd_code *code = NULL;

    hd_unlock();
    CUresult status = hd_code_load_unlocked(data, size, &code);
    hd_lock();
    HD_TRY(status);
    status = hd_context_current(&context);
    if (status == CUDA_SUCCESS && context->object.handle != current)
        status = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (status == CUDA_SUCCESS)
        status = hd_child_create(context, HD_MODULE,
                                 sizeof *module + code->image.table->nkernels *
                                                      sizeof *module->functions,
                                 module_destroy, &module);
    if (status != CUDA_SUCCESS) {
        hd_unlock();
        hd_code_destroy_unlocked(code);
        hd_lock();
        return status;
    }
    module->code = code;
    module->image = code->image.table;
    status = module_fill(module, context);
    if (status != CUDA_SUCCESS) {
        module_destroy(&module->object);
        return status;
    }
    hd_samples_add(module);
    *handle = module->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *handle, const void *image)
{
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle && image);
    return hd_module_create(context, image, 0, handle);
}

CUresult cuModuleLoadFatBinary(CUmodule *handle, const void *image)
{
    return cuModuleLoadData(handle, image);
}

void hd_module_log(unsigned count, const CUjit_option *options, void **values,
                   const char *text)
{
    char *buffers[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};

    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_JIT_INFO_LOG_BUFFER ||
            options[i] == CU_JIT_ERROR_LOG_BUFFER)
            buffers[options[i] == CU_JIT_ERROR_LOG_BUFFER] = values[i];
        else if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
            sizes[0] = (unsigned)(uintptr_t)values[i];
        else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            sizes[1] = (unsigned)(uintptr_t)values[i];
    }
    for (unsigned i = 0; i < 2; i++) {
        if (!buffers[i] || sizes[i] == 0)
            sizes[i] = 0;
        else
            sizes[i] = snprintf(buffers[i], sizes[i], "%s", i == 1 ? text : "");
    }
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
            values[i] = (void *)(uintptr_t)sizes[0];
        else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            values[i] = (void *)(uintptr_t)sizes[1];
    }
}

CUresult hd_module_logged(CUresult status, unsigned count, const CUjit_option *options,
                          void **values)
{
    if (count > 0 && hd_self)
        hd_module_log(count, options, values,
                      status != CUDA_SUCCESS ? hd_self->detail : "");
    return status;
}

CUresult cuModuleLoadDataEx(CUmodule *handle, const void *image, unsigned int count,
                            CUjit_option *options, void **values)
{
    HD_NEED(count == 0 || (options && values));
    return hd_module_logged(cuModuleLoadData(handle, image), count, options, values);
}

CUresult cuModuleLoad(CUmodule *handle, const char *name)
{
    char *data = NULL;
    size_t size = 0;
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle && name);
    hd_unlock();
    CUresult status = hd_file_read_unlocked(name, &data, &size);
    hd_lock();
    if (status == CUDA_SUCCESS)
        status = hd_context_current(&context);
    if (status == CUDA_SUCCESS)
        status = hd_module_create(context, data, size, handle);
    free(data);
    return status;
}

CUresult cuModuleUnload(CUmodule handle)
{
    HD_ENTER();
    return hd_child_unload(HD_MODULE, handle);
}

/* As compilations for this device go by it. */
static CUmoduleLoadingMode loading_mode(void)
{
    const char *loading = getenv("CUDA_MODULE_LOADING");
    return loading && strcmp(loading, "EAGER") == 0 ? CU_MODULE_EAGER_LOADING
                                                    : CU_MODULE_LAZY_LOADING;
}

HD_QUESTION(cuModuleGetLoadingMode, (CUmoduleLoadingMode * answer), HD_ENTER(),
            loading_mode())

/* -- Contents ---------------------------------------------------------------------- */

CUresult cuModuleGetFunction(CUfunction *answer, CUmodule handle, const char *name)
{
    HD_ENTER_FIND(hd_module, module, HD_MODULE, handle);
    HD_NEED(name);
    HD_TRY(hd_context_status(module->object.context));
    uint32_t index = 0;
    HD_TRY(hd_image_find_kernel(module->image, "module", name, &index));
    HD_ANSWER(answer, module->functions[index].object.handle);
}

HD_QUESTION(cuModuleGetFunctionCount, (unsigned int *answer, CUmodule handle),
            HD_ENTER_FIND(hd_module, module, HD_MODULE, handle), module->nfunctions)

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count,
                                    CUmodule handle)
{
    HD_ENTER_FIND(hd_module, module, HD_MODULE, handle);
    HD_NEED(functions && count != 0);
    hd_handles_list((void **)functions, count, &module->functions->object,
                    sizeof *module->functions, module->nfunctions);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule handle,
                              const char *name)
{
    HD_ENTER_FIND(hd_module, module, HD_MODULE, handle);
    HD_NEED(name && (address || size));
    for (uint32_t i = 0; i < module->nglobals; i++) {
        const hc_global *global = &module->image->globals[i];
        if (global->kind >= HC_TEXTURE || strcmp(global->name, name) != 0)
            continue;
        if (address)
            *address = (uintptr_t)global->address;
        if (size)
            *size = global->size;
        return CUDA_SUCCESS;
    }
    return hd_fail(CUDA_ERROR_NOT_FOUND, "the module has no variable \"%s\"", name);
}
