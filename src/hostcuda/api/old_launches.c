/* Launches as they were before CUDA 4: the shape of blocks, the size of dynamic shared
   memory and the parameters are set one by one, the function remembers them, and a
   launch names the function and the grid. What is set holds for all launches to come,
   until it is set again; a call that fails leaves it as it was.

   Parameters are bytes in a buffer of the function, at the offsets that the kernel has
   them at. The buffer is as large as a C struct of them, whose end may be padded; bytes
   that nobody sets are 0. */
#include "entry.h"
#include "hostcuda/core/device_limits.h"
#include "launches.h"
#include "texture_refs.h"

struct hd_preset {
    unsigned block[3], shared; /* block[0] is 0: the shape is not set */
    size_t size;               /* of the parameters, as the user gave it; 0: not set */
    size_t room;               /* bytes of: */
    char params[];
};

/* Enters, and declares the current context and the function of `handle`, which must be
   of it; or returns from the entry point. */
#define ENTER_FUNCTION(function)  \
    HD_ENTER_CONTEXT(context);    \
    hd_function *function = NULL; \
    HD_TRY(hd_function_find_in(context, handle, &function))

/* What the function remembers; made when it is first needed. */
static CUresult preset_get(hd_function *function, hd_preset **preset)
{
    size_t room = (hd_kernel_packed_bytes(function->kernel) + 15) & ~(size_t)15;

    if (!function->preset) {
        function->preset = calloc(1, sizeof **preset + room);
        if (!function->preset)
            return CUDA_ERROR_OUT_OF_MEMORY;
        function->preset->room = room;
    }
    *preset = function->preset;
    return CUDA_SUCCESS;
}

/* Sizes of blocks and grids, which are signed here. */
static CUresult take_sizes(const hd_function *function, const char *what, int count,
                           const int *given, unsigned *sizes)
{
    for (int i = 0; i < count; i++) {
        HD_REFUSE_IF(given[i] <= 0, "kernel %s: %s size %d in %c is not positive",
                     function->kernel->name, what, given[i], 'x' + i);
        sizes[i] = (unsigned)given[i];
    }
    return CUDA_SUCCESS;
}

/* -- What a function remembers ----------------------------------------------------- */

CUresult cuFuncSetBlockShape(CUfunction handle, int x, int y, int z)
{
    hd_preset *preset = NULL;
    unsigned block[3];
    ENTER_FUNCTION(function);
    HD_TRY(take_sizes(function, "block", 3, (const int[]){x, y, z}, block));
    HD_TRY(hd_block_check(function->kernel, block));
    HD_TRY(preset_get(function, &preset));
    memcpy(preset->block, block, sizeof block);
    return CUDA_SUCCESS;
}

/* Here it is compared with what the function attribute can allow, by the launch with
   what it does allow. */
CUresult cuFuncSetSharedSize(CUfunction handle, unsigned int bytes)
{
    hd_preset *preset = NULL;
    ENTER_FUNCTION(function);
    HD_REFUSE_IF((uint64_t)bytes + function->kernel->shared_bytes > HD_SHARED_MAX,
                 "kernel %s: %u bytes of dynamic shared memory, %d is the most with "
                 "the %u static ones",
                 function->kernel->name, bytes, HD_SHARED_MAX,
                 function->kernel->shared_bytes);
    HD_TRY(preset_get(function, &preset));
    preset->shared = bytes;
    return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction handle, unsigned int bytes)
{
    hd_preset *preset = NULL;
    ENTER_FUNCTION(function);
    size_t taken = hd_kernel_packed_bytes(function->kernel);
    HD_REFUSE_IF(bytes < taken || bytes > HD_PARAMS_MAX,
                 "kernel %s: the parameters take %zu bytes and %d is the most, not %u",
                 function->kernel->name, taken, HD_PARAMS_MAX, bytes);
    HD_TRY(preset_get(function, &preset));
    preset->size = bytes;
    return CUDA_SUCCESS;
}

static CUresult set_bytes(CUfunction handle, int offset, const void *from, size_t bytes)
{
    hd_preset *preset = NULL;
    ENTER_FUNCTION(function);
    HD_TRY(preset_get(function, &preset));
    HD_REFUSE_IF(offset < 0 || (size_t)offset > preset->room ||
                     bytes > preset->room - (size_t)offset,
                 "kernel %s: %zu bytes at offset %d are not in its parameters, which "
                 "take %zu",
                 function->kernel->name, bytes, offset,
                 hd_kernel_packed_bytes(function->kernel));
    HD_REFUSE_IF(bytes > 0 && !from, "kernel %s: the %zu bytes at offset %d are NULL",
                 function->kernel->name, bytes, offset);
    if (bytes > 0)
        memcpy(preset->params + offset, from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned int value)
{
    return set_bytes(function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value)
{
    return set_bytes(function, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction function, int offset, void *from, unsigned int bytes)
{
    return set_bytes(function, offset, from, bytes);
}

/* Kernels find what is bound to a reference in its module: there is nothing to do. */
CUresult cuParamSetTexRef(CUfunction handle, int unit, CUtexref reference)
{
    ENTER_FUNCTION(function);
    HD_REFUSE_IF(unit != CU_PARAM_TR_DEFAULT,
                 "kernel %s: the texture unit must be CU_PARAM_TR_DEFAULT (-1), not %d",
                 function->kernel->name, unit);
    return hd_reference_check(context, reference);
}

/* -- Launches ---------------------------------------------------------------------- */

CUresult cuLaunchGridAsync(CUfunction handle, int width, int height, CUstream stream)
{
    hd_geometry geometry = {.grid = {1, 1, 1}};
    ENTER_FUNCTION(function);
    const char *name = function->kernel->name;
    size_t taken = hd_kernel_packed_bytes(function->kernel);
    HD_TRY(
        take_sizes(function, "grid", 2, (const int[]){width, height}, geometry.grid));
    hd_preset *preset = function->preset;
    HD_REFUSE_IF(!preset || preset->block[0] == 0,
                 "kernel %s: the shape of its blocks is not set: cuFuncSetBlockShape",
                 name);
    HD_REFUSE_IF(preset->size < taken,
                 "kernel %s: the size of its parameters, which take %zu bytes, is not "
                 "set: cuParamSetSize",
                 name, taken);
    memcpy(geometry.block, preset->block, sizeof geometry.block);
    HD_TRY(hd_function_load_for(geometry.block, handle, &function));
    preset = function->preset;
    geometry.shared = preset->shared;
    geometry.extra =
        (void *[]){CU_LAUNCH_PARAM_BUFFER_POINTER, preset->params,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &preset->size, CU_LAUNCH_PARAM_END};
    return hd_function_launch(function, &geometry, stream);
}

CUresult cuLaunchGrid(CUfunction function, int width, int height)
{
    return cuLaunchGridAsync(function, width, height, NULL);
}

CUresult cuLaunch(CUfunction function)
{
    return cuLaunchGridAsync(function, 1, 1, NULL);
}
