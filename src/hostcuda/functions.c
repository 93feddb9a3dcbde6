/* What a kernel tells about itself, what can be set for it, and occupancy. */
#include <stdlib.h>

#include "contexts.h"
#include "limits.h"
#include "modules.h"

CUresult hd_function_find(CUfunction handle, hd_function **function)
{
    *function = hd_handle_find(HD_FUNCTION, handle);
    if (*function == NULL)
        return hd_fail(CUDA_ERROR_INVALID_HANDLE, "%p is not a function",
                       (void *)handle);
    return CUDA_SUCCESS;
}

#define HD_ENTER_FUNCTION(handle, function) \
    HD_ENTER();                             \
    hd_function *function = NULL;           \
    HD_TRY(hd_function_find(handle, &function))

/* -- Attributes
 * ----------------------------------------------------------------------------- */

/* Nothing is allotted by registers here; a figure that limits nothing keeps occupancy
   formulas that divide by it at work. */
#define REGISTERS 32

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction handle)
{
    HD_ENTER_FUNCTION(handle, function);
    const hc_kernel *kernel = function->kernel;
    if (value == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = kernel->max_threads;
        break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = kernel->shared_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = kernel->local_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = REGISTERS;
        break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = HD_CAPABILITY;
        break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = 1;
        break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = function->dynamic_shared_max;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = function->carveout;
        break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = 0;
        break;
    default:
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "%d is not a function attribute",
                       (int)attribute);
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute,
                            int value)
{
    HD_ENTER_FUNCTION(handle, function);
    int most = HD_SHARED_MAX - (int)function->kernel->shared_bytes;
    switch ((int)attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || value > most)
            return hd_fail(
                CUDA_ERROR_INVALID_VALUE,
                "kernel %s can have 0 to %d bytes of dynamic shared memory, not "
                "%d",
                function->kernel->name, most, value);
        function->dynamic_shared_max = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < CU_SHAREDMEM_CARVEOUT_DEFAULT ||
            value > CU_SHAREDMEM_CARVEOUT_MAX_SHARED)
            return hd_fail(CUDA_ERROR_INVALID_VALUE,
                           "a carveout is -1 or a percentage");
        function->carveout = value;
        return CUDA_SUCCESS;
    default:
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "function attribute %d cannot be set",
                       (int)attribute);
    }
}

CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config)
{
    HD_ENTER_FUNCTION(handle, function);
    return (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE
                                                         : CUDA_SUCCESS;
}

CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config)
{
    HD_ENTER_FUNCTION(handle, function);
    return (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction handle)
{
    HD_ENTER_FUNCTION(handle, function);
    if (module == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *module = function->module->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction handle)
{
    HD_ENTER_FUNCTION(handle, function);
    if (name == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *name = function->kernel->name;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset,
                            size_t *size)
{
    HD_ENTER_FUNCTION(handle, function);
    if (offset == NULL || index >= function->kernel->nparams)
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "kernel %s has %u parameters",
                       function->kernel->name, function->kernel->nparams);
    *offset = function->kernel->params[index].offset;
    if (size != NULL)
        *size = function->kernel->params[index].size;
    return CUDA_SUCCESS;
}

CUresult cuxFuncGetParamType(CUfunction handle, size_t index, const char **type)
{
    HD_ENTER_FUNCTION(handle, function);
    if (type == NULL || index >= function->kernel->nparams)
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "kernel %s has %u parameters",
                       function->kernel->name, function->kernel->nparams);
    *type = function->kernel->params[index].type;
    return CUDA_SUCCESS;
}

/* -- Occupancy
 * ------------------------------------------------------------------------------ */

static size_t shared_per_block(const hd_function *function, size_t dynamic)
{
    return ((function->kernel->shared_bytes + dynamic + 127) & ~(size_t)127) +
           HD_SHARED_RESERVED;
}

/* Blocks of that size that one multiprocessor would hold at once. */
static int occupancy(const hd_function *function, int threads, size_t dynamic)
{
    int warps = (threads + 31) / 32;
    int blocks = HD_THREADS_MAX / 32 / warps;
    size_t by_shared = HD_SHARED_MULTIPROCESSOR / shared_per_block(function, dynamic);

    if ((unsigned)threads > function->kernel->max_threads ||
        dynamic > function->dynamic_shared_max)
        return 0;
    if (blocks > HD_BLOCKS_MULTIPROCESSOR)
        blocks = HD_BLOCKS_MULTIPROCESSOR;
    return (size_t)blocks < by_shared ? blocks : (int)by_shared;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction handle, int threads, size_t dynamic, unsigned int flags)
{
    HD_ENTER_FUNCTION(handle, function);
    if (blocks == NULL || threads <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    *blocks = occupancy(function, threads, dynamic);
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

    HD_ENTER_FUNCTION(handle, function);
    if (grid == NULL || block == NULL || limit < 0 ||
        flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    int most = function->kernel->max_threads;
    if (limit > 0 && limit < most)
        most = limit;
    *grid = *block = 0;
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
        int blocks = occupancy(function, threads,
                               dynamic_of != NULL ? dynamic_of(threads) : dynamic);
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
    HD_ENTER_FUNCTION(handle, function);
    if (dynamic == NULL || blocks <= 0 || threads <= 0 ||
        blocks * ((threads + 31) / 32) > HD_THREADS_MAX / 32)
        return CUDA_ERROR_INVALID_VALUE;
    size_t each = HD_SHARED_MULTIPROCESSOR / (size_t)blocks & ~(size_t)127;
    size_t fixed = shared_per_block(function, 0);
    *dynamic = each > fixed ? each - fixed : 0;
    if (*dynamic > function->dynamic_shared_max)
        *dynamic = function->dynamic_shared_max;
    return CUDA_SUCCESS;
}
