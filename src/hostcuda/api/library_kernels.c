/* Kernels of libraries as functions: what is asked or set of a kernel is asked or set
   of its function in the current context. */
#include "entry.h"
#include "modules.h"

CUresult cuKernelGetFunction(CUfunction *answer, CUkernel handle)
{
    HD_ENTER_WITH(hd_function, function, hd_function_find_any(handle, &function));
    HD_ANSWER(answer, function->object.handle);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                              size_t *size)
{
    CUfunction function = NULL;
    HD_TRY(cuKernelGetFunction(&function, kernel));
    return cuFuncGetParamInfo(function, index, offset, size);
}

/* A kernel is set up in the current context, which must be on that device. */
static CUresult function_on(CUdevice ordinal, CUkernel kernel, CUfunction *function)
{
    CUdevice current = -1;
    HD_TRY(cuCtxGetDevice(&current));
    HD_FAIL_IF(current != ordinal, CUDA_ERROR_INVALID_DEVICE,
               "the current context is on device %d, not on %d", current, ordinal);
    return cuKernelGetFunction(function, kernel);
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute,
                              CUkernel kernel, CUdevice ordinal)
{
    CUfunction function = NULL;
    HD_TRY(function_on(ordinal, kernel, &function));
    return cuFuncGetAttribute(value, attribute, function);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value,
                              CUkernel kernel, CUdevice ordinal)
{
    CUfunction function = NULL;
    HD_TRY(function_on(ordinal, kernel, &function));
    return cuFuncSetAttribute(function, attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache cache, CUdevice ordinal)
{
    CUfunction function = NULL;
    HD_TRY(function_on(ordinal, kernel, &function));
    return cuFuncSetCacheConfig(function, cache);
}
