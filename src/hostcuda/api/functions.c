/* Attributes and parameters of kernels, and occupancy. */
#include "entry.h"
#include "hostcuda/core/device_limits.h"
#include "hostcuda/run/kernel_launch.h"
#include "modules.h"

/* -- Attributes -------------------------------------------------------------------- */

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction handle)
{
    HD_ENTER_WITH(hd_function, function, hd_function_find(handle, &function));
    const hc_kernel *kernel = function->kernel;
    const int answers[CU_FUNC_ATTRIBUTE_MAX] = {
        [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = kernel->max_threads,
        [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = kernel->shared_bytes,
        [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = kernel->local_bytes,
        [CU_FUNC_ATTRIBUTE_NUM_REGS] =
            32, /* limits nothing, and formulas may divide by it */
        [CU_FUNC_ATTRIBUTE_PTX_VERSION] = HD_CAPABILITY,
        [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = HD_CAPABILITY,
        [CU_FUNC_ATTRIBUTE_CACHE_MODE_CA] = 1,
        [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] =
            function->dynamic_shared_max,
        [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = function->carveout,
    };
    HD_REFUSE_IF((unsigned)attribute >= CU_FUNC_ATTRIBUTE_MAX,
                 "%d is not a function attribute", (int)attribute);
    HD_ANSWER(value, answers[attribute]);
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute,
                            int value)
{
    HD_ENTER_WITH(hd_function, function, hd_function_find(handle, &function));
    int most = HD_SHARED_MAX - (int)function->kernel->shared_bytes;
    switch ((int)attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        HD_REFUSE_IF(value < 0 || value > most,
                     "kernel %s can have 0 to %d bytes of dynamic shared memory, not "
                     "%d",
                     function->kernel->name, most, value);
        function->dynamic_shared_max = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        HD_REFUSE_IF(value < CU_SHAREDMEM_CARVEOUT_DEFAULT ||
                         value > CU_SHAREDMEM_CARVEOUT_MAX_SHARED,
                     "a carveout is -1 or a percentage");
        function->carveout = value;
        return CUDA_SUCCESS;
    default:
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "function attribute %d cannot be set",
                       (int)attribute);
    }
}

/* Settings that have no effect here. */
#define FUNCTION_SETTING(name, type, most)                                         \
    CUresult name(CUfunction handle, type value)                                   \
    {                                                                              \
        HD_ENTER_WITH(hd_function, function, hd_function_find(handle, &function)); \
        HD_NEED((unsigned)value <= most);                                          \
        return CUDA_SUCCESS;                                                       \
    }

FUNCTION_SETTING(cuFuncSetCacheConfig, CUfunc_cache, CU_FUNC_CACHE_PREFER_EQUAL)
FUNCTION_SETTING(cuFuncSetSharedMemConfig, CUsharedconfig,
                 CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
HD_QUESTION(cuFuncGetModule, (CUmodule * answer, CUfunction handle),
            HD_ENTER_WITH(hd_function, function,
                          hd_function_find_any(handle, &function)),
            function->module->object.handle)
HD_QUESTION(cuFuncGetName, (const char **answer, CUfunction handle),
            HD_ENTER_WITH(hd_function, function,
                          hd_function_find_any(handle, &function)),
            function->kernel->name)
static CUresult param_find(const hd_function *function, size_t index,
                           const hc_param **param)
{
    HD_REFUSE_IF(index >= function->kernel->nparams, "kernel %s has %u parameters",
                 function->kernel->name, function->kernel->nparams);
    *param = &function->kernel->params[index];
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset,
                            size_t *size)
{
    const hc_param *param = NULL;
    HD_ENTER_WITH(hd_function, function, hd_function_find_any(handle, &function));
    HD_TRY(param_find(function, index, &param));
    if (size)
        *size = param->size;
    HD_ANSWER(offset, param->offset);
}

CUresult cuxFuncGetParamType(CUfunction handle, size_t index, const char **type)
{
    const hc_param *param = NULL;
    HD_ENTER_WITH(hd_function, function, hd_function_find_any(handle, &function));
    HD_TRY(param_find(function, index, &param));
    HD_ANSWER(type, param->type);
}

/* -- Occupancy --------------------------------------------------------------------- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction handle, int threads, size_t dynamic, unsigned int flags)
{
    HD_ENTER_WITH(hd_function, function, hd_function_find(handle, &function));
    HD_NEED(blocks && threads > 0 && flags <= CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE);
    *blocks = hd_function_occupancy(function, threads, dynamic);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction handle,
                                                     int threads, size_t dynamic)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, threads,
                                                                dynamic, 0);
}

/* The largest of the block sizes that fill a multiprocessor best. */
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block,
                                                   CUfunction handle,
                                                   CUoccupancyB2DSize dynamic_of,
                                                   size_t dynamic, int limit,
                                                   unsigned int flags)
{
    int best = 0;
    HD_ENTER_WITH(hd_function, function, hd_function_find(handle, &function));
    HD_NEED(grid && block && limit >= 0 &&
            flags <= CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE);
    int most = function->kernel->max_threads;
    if (limit > 0 && limit < most)
        most = limit;
    *grid = *block = 0;
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
        int blocks = hd_function_occupancy(function, threads,
                                           dynamic_of ? dynamic_of(threads) : dynamic);
        if (blocks * threads <= best)
            continue;
        best = blocks * threads;
        *block = threads;
        *grid = blocks * (int)hd.nthreads;
    }
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction handle,
                                          CUoccupancyB2DSize dynamic_of, size_t dynamic,
                                          int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, handle, dynamic_of,
                                                     dynamic, limit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic, CUfunction handle,
                                                 int blocks, int threads)
{
    HD_ENTER_WITH(hd_function, function, hd_function_find(handle, &function));
    HD_NEED(dynamic && blocks > 0 && threads > 0 &&
            blocks * ((threads + 31) / 32) <= HD_THREADS_MAX / 32);
    size_t each = HD_SHARED_MULTIPROCESSOR / (size_t)blocks & ~(size_t)127;
    size_t fixed = hd_function_shared(function, 0);
    *dynamic = each > fixed ? each - fixed : 0;
    if (*dynamic > function->dynamic_shared_max)
        *dynamic = function->dynamic_shared_max;
    return CUDA_SUCCESS;
}
