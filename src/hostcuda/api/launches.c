/* Launches of kernels. One on an idle stream of a kernel whose blocks are known to be
   short runs in the calling thread (queues.c); kernels that may wait for others never
   do. */
#include "entry.h"
#include "hostcuda/run/queues.h"
#include "launches.h"
#include "modules.h"

CUresult hd_function_find_in(hd_context *context, const void *handle,
                             hd_function **function)
{
    HD_TRY(hd_function_find(handle, function));
    HD_FAIL_IF((*function)->object.context != context, CUDA_ERROR_INVALID_HANDLE,
               "kernel %s belongs to another context than the current one",
               (*function)->kernel->name);
    return CUDA_SUCCESS;
}

CUresult hd_function_launch(hd_function *function, const hd_geometry *geometry,
                            CUstream stream_handle)
{
    hd_stream *stream = NULL;
    hd_launch *launch = NULL;

    HD_TRY(hd_stream_find_in(function->object.context, stream_handle, &stream));
    HD_TRY(hd_launch_create(function, geometry, &launch));
    return hd_submit(stream, &launch->work, HD_BEGIN);
}

static CUresult launch_kernel(CUfunction handle, const hd_geometry *geometry,
                              CUstream stream)
{
    hd_function *function = NULL;
    HD_ENTER_CONTEXT(context);
    HD_TRY(hd_function_find_in(context, handle, &function));
    HD_TRY(hd_function_load_for(geometry->block, handle, &function));
    return hd_function_launch(function, geometry, stream);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared, CUstream stream,
                        void **params, void **extra)
{
    const hd_geometry geometry = {.grid = {grid_x, grid_y, grid_z},
                                  .block = {block_x, block_y, block_z},
                                  .shared = shared,
                                  .params = params,
                                  .extra = extra};

    return launch_kernel(function, &geometry, stream);
}

/* -- Launches with attributes ------------------------------------------------------ */

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x,
                                   unsigned int grid_y, unsigned int grid_z,
                                   unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared,
                                   CUstream stream, void **params)
{
    const hd_geometry geometry = {.grid = {grid_x, grid_y, grid_z},
                                  .block = {block_x, block_y, block_z},
                                  .shared = shared,
                                  .params = params,
                                  .cooperative = true};

    return launch_kernel(function, &geometry, stream);
}

/* Most attributes are hints about scheduling or caches, and have no effect here. */
static CUresult take_attribute(const CUlaunchAttribute *attribute,
                               hd_geometry *geometry)
{
    const CUlaunchAttributeValue *value = &attribute->value;

    HD_REFUSE_IF((unsigned)attribute->id >= CU_LAUNCH_ATTRIBUTE_MAX,
                 "%d is not a launch attribute", (int)attribute->id);
    switch ((int)attribute->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        geometry->cooperative = value->cooperative != 0;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        if (value->clusterDim.x == 1 && value->clusterDim.y == 1 &&
            value->clusterDim.z == 1)
            return CUDA_SUCCESS;
        return hd_fail(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                       "clusters of %u x %u x %u blocks: the host device has clusters "
                       "of one block only",
                       value->clusterDim.x, value->clusterDim.y, value->clusterDim.z);
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return hd_fail(CUDA_ERROR_NOT_SUPPORTED,
                       "launch attribute %d is not supported by the host device",
                       (int)attribute->id);
    default:
        return CUDA_SUCCESS;
    }
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **params, void **extra)
{
    HD_NEED(config && (config->numAttrs == 0 || config->attrs));
    hd_geometry geometry = {
        .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .shared = config->sharedMemBytes,
        .params = params,
        .extra = extra};
    for (unsigned i = 0; i < config->numAttrs; i++)
        HD_TRY(take_attribute(&config->attrs[i], &geometry));
    return launch_kernel(function, &geometry, config->hStream);
}
