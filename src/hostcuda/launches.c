/* Launches: geometry checked against the limits, arguments packed into one buffer, work
   submitted.

   A launch on an idle stream of a kernel whose blocks are known to be short runs in the
   calling thread (queues.c); kernels that may wait for others never do. */
#include <stdio.h>
#include <string.h>

#include "contexts.h"
#include "launches.h"
#include "limits.h"
#include "services.h"

static CUresult check_geometry(const hd_function *function, const unsigned *grid,
                               const unsigned *block, unsigned shared)
{
    static const unsigned block_most[3] = {HD_THREADS_MAX, HD_THREADS_MAX,
                                           HD_BLOCK_Z_MAX};
    static const unsigned grid_most[3] = {HD_GRID_X_MAX, HD_GRID_YZ_MAX,
                                          HD_GRID_YZ_MAX};
    const hc_kernel *kernel = function->kernel;

    for (int i = 0; i < 3; i++) {
        HD_REFUSE_IF(block[i] == 0 || block[i] > block_most[i],
                     "kernel %s: block size %u in %c is not in 1 to %u", kernel->name,
                     block[i], 'x' + i, block_most[i]);
        HD_REFUSE_IF(grid[i] == 0 || grid[i] > grid_most[i],
                     "kernel %s: grid size %u in %c is not in 1 to %u", kernel->name,
                     grid[i], 'x' + i, grid_most[i]);
    }
    unsigned threads = block[0] * block[1] * block[2];
    HD_REFUSE_IF(threads > HD_THREADS_MAX,
                 "kernel %s: %u threads in a block, %u is the most", kernel->name,
                 threads, HD_THREADS_MAX);
    HD_FAIL_IF(threads > kernel->max_threads, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
               "kernel %s: %u threads in a block, its launch bounds allow %u",
               kernel->name, threads, kernel->max_threads);
    HD_REFUSE_IF(shared > function->dynamic_shared_max,
                 "kernel %s: %u bytes of dynamic shared memory, %u is the most beside "
                 "%u static ones unless the function attribute asks for more",
                 kernel->name, shared, function->dynamic_shared_max,
                 kernel->shared_bytes);
    return CUDA_SUCCESS;
}

/* Finds the packed arguments in a launch's `extra` list. */
static CUresult parse_extra(const hc_kernel *kernel, void **extra, const void **buffer)
{
    size_t size = 0, used = 0;

    for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            *buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1] != NULL)
            size = *(const size_t *)extra[1];
        else
            return hd_fail(CUDA_ERROR_INVALID_VALUE,
                           "kernel %s: unknown entry %p in extra", kernel->name,
                           extra[0]);
    }
    for (uint32_t i = 0; i < kernel->nparams; i++) {
        if (kernel->params[i].offset + kernel->params[i].size > used)
            used = kernel->params[i].offset + kernel->params[i].size;
    }
    HD_REFUSE_IF(size < used || (used > 0 && *buffer == NULL),
                 "kernel %s: the parameters take %zu bytes, the buffer has %zu",
                 kernel->name, used, *buffer == NULL ? 0 : size);
    return CUDA_SUCCESS;
}

static CUresult pack(hd_launch *launch, void **params, void **extra)
{
    const hc_kernel *kernel = launch->function->kernel;
    const void *buffer = NULL;

    HD_REFUSE_IF(params != NULL && extra != NULL,
                 "kernel %s: both kernelParams and extra are given", kernel->name);
    if (extra != NULL) {
        HD_TRY(parse_extra(kernel, extra, &buffer));
    } else if (params == NULL && kernel->nparams > 0) {
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "kernel %s: %u arguments are missing",
                       kernel->name, kernel->nparams);
    }
    for (uint32_t i = 0; i < kernel->nparams; i++) {
        const hc_param *param = &kernel->params[i];
        const void *from =
            buffer != NULL ? (const char *)buffer + param->offset : params[i];
        HD_REFUSE_IF(from == NULL, "kernel %s: argument %u is missing", kernel->name,
                     i);
        memcpy(launch->params + param->offset, from, param->size);
    }
    return CUDA_SUCCESS;
}

/* Whether vectors cut from rows would not be the warps of the block. */
static bool needs_linear(const hc_kernel *kernel, const unsigned *block)
{
    return (kernel->flags & HC_WARPS) && block[0] % 32 != 0 && block[1] * block[2] != 1;
}

static void describe(hd_work *work, hd_worker *worker, char *text, size_t size)
{
    const hd_launch *launch = (const hd_launch *)work;
    static const uint32_t none[3];
    const uint32_t *index = worker->frame != NULL ? worker->frame->index : none;

    snprintf(text, size,
             "kernel %s, block (%u,%u,%u): ", launch->function->kernel->name, index[0],
             index[1], index[2]);
}

static CUresult launch_kernel(CUfunction handle, const unsigned *grid,
                              const unsigned *block, unsigned shared,
                              CUstream stream_handle, void **params, void **extra)
{
    hd_stream *stream = NULL;
    hd_launch *launch = NULL;
    HD_ENTER_CONTEXT(context);
    HD_FIND(hd_function, function, HD_FUNCTION, handle);
    HD_FAIL_IF(function->object.context != context, CUDA_ERROR_INVALID_HANDLE,
               "kernel %s belongs to another context than the current one",
               function->kernel->name);
    HD_TRY(hd_stream_find_in(context, stream_handle, &stream));
    HD_TRY(check_geometry(function, grid, block, shared));
    const hc_kernel *kernel = function->kernel;
    HD_TRY(hd_work_create(sizeof *launch + kernel->param_bytes, hd_blocks_run,
                          (uint64_t)grid[0] * grid[1] * grid[2], &launch));
    launch->function = function;
    HD_TRY_OR(pack(launch, params, extra), hd_work_discard(&launch->work));
    for (int i = 0; i < 3; i++) {
        launch->launch.grid[i] = grid[i];
        launch->launch.block[i] = block[i];
    }
    launch->launch.dynamic_shared = shared;
    launch->launch.params = launch->params;
    launch->launch.services = &hd_services;
    launch->layout = needs_linear(kernel, block);
    launch->work.describe = describe;
    launch->work.piece_ns = &function->block_ns;
    launch->work.spins = function->spins;
    launch->work.most = function->spins ? 1 : UINT64_MAX;
    launch->work.least = hd_blocks_in_step(launch);
    return hd_submit(stream, &launch->work, HD_BEGIN);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared, CUstream stream,
                        void **params, void **extra)
{
    const unsigned grid[3] = {grid_x, grid_y, grid_z};
    const unsigned block[3] = {block_x, block_y, block_z};

    return launch_kernel(function, grid, block, shared, stream, params, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **params, void **extra)
{
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *attribute = &config->attrs[i];
        const unsigned *cluster = &attribute->value.clusterDim.x;
        HD_FAIL_IF((attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE &&
                    attribute->value.cooperative != 0) ||
                       (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
                        cluster[0] * cluster[1] * cluster[2] != 1) ||
                       attribute->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ||
                       attribute->id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT,
                   CUDA_ERROR_NOT_SUPPORTED,
                   "cuLaunchKernelEx: launch attribute %d is not supported by the "
                   "host device",
                   (int)attribute->id);
    }
    return launch_kernel(function, &config->gridDimX, &config->blockDimX,
                         config->sharedMemBytes, config->hStream, params, extra);
}
