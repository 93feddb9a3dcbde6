/* From the parameters of a launch to work: geometry checked against the limits,
   arguments packed into one buffer. */
#include <inttypes.h>

#include "blocks.h"
#include "frames.h"
#include "hostcuda/core/written_memory.h"
#include "written_checks.h"
#include "check_reports.h"
#include "checks.h"
#include "float_control.h"
#include "hostcuda/core/device_limits.h"
#include "kernel_launch.h"
#include "queues.h"
#include "services.h"
#include "workers.h"

#define MOST_WORDS 32 /* of arguments that are compared */

/* -- Limits ------------------------------------------------------------------------ */

size_t hd_function_shared(const hd_function *function, size_t dynamic)
{
    return ((function->kernel->shared_bytes + dynamic + 127) & ~(size_t)127) +
           HD_SHARED_RESERVED;
}

int hd_function_occupancy(const hd_function *function, int threads, size_t dynamic)
{
    int warps = (threads + 31) / 32;
    int blocks = HD_THREADS_MAX / 32 / warps;
    size_t by_shared = HD_SHARED_MULTIPROCESSOR / hd_function_shared(function, dynamic);

    if ((unsigned)threads > function->kernel->max_threads ||
        dynamic > function->dynamic_shared_max)
        return 0;
    if (blocks > HD_BLOCKS_MULTIPROCESSOR)
        blocks = HD_BLOCKS_MULTIPROCESSOR;
    return (size_t)blocks < by_shared ? blocks : (int)by_shared;
}

CUresult hd_block_check(const hc_kernel *kernel, const unsigned *block)
{
    static const unsigned most[3] = {HD_THREADS_MAX, HD_THREADS_MAX, HD_BLOCK_Z_MAX};

    for (int i = 0; i < 3; i++)
        HD_REFUSE_IF(block[i] == 0 || block[i] > most[i],
                     "kernel %s: block size %u in %c is not in 1 to %u", kernel->name,
                     block[i], 'x' + i, most[i]);
    unsigned threads = block[0] * block[1] * block[2];
    HD_REFUSE_IF(threads > HD_THREADS_MAX,
                 "kernel %s: %u threads in a block, %u is the most", kernel->name,
                 threads, HD_THREADS_MAX);
    return CUDA_SUCCESS;
}

static CUresult check_geometry(const hd_function *function, const unsigned *grid,
                               const unsigned *block, unsigned shared)
{
    static const unsigned most[3] = {HD_GRID_X_MAX, HD_GRID_YZ_MAX, HD_GRID_YZ_MAX};
    const hc_kernel *kernel = function->kernel;

    HD_TRY(hd_block_check(kernel, block));
    unsigned threads = block[0] * block[1] * block[2];
    HD_FAIL_IF(threads > kernel->max_threads, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
               "kernel %s: %u threads in a block, its launch bounds allow %u",
               kernel->name, threads, kernel->max_threads);
    for (int i = 0; i < 3; i++)
        HD_REFUSE_IF(grid[i] == 0 || grid[i] > most[i],
                     "kernel %s: grid size %u in %c is not in 1 to %u", kernel->name,
                     grid[i], 'x' + i, most[i]);
    HD_REFUSE_IF(shared > function->dynamic_shared_max,
                 "kernel %s: %u bytes of dynamic shared memory, %u is the most beside "
                 "%u static ones unless the function attribute asks for more",
                 kernel->name, shared, function->dynamic_shared_max,
                 kernel->shared_bytes);
    return CUDA_SUCCESS;
}

/* -- Arguments --------------------------------------------------------------------- */

size_t hd_kernel_packed_bytes(const hc_kernel *kernel)
{
    size_t used = 0;

    for (uint32_t i = 0; i < kernel->nparams; i++) {
        if (kernel->params[i].offset + kernel->params[i].size > used)
            used = kernel->params[i].offset + kernel->params[i].size;
    }
    return used;
}

/* Finds the packed arguments in a launch's `extra` list. */
static CUresult parse_extra(const hc_kernel *kernel, void **extra, const void **buffer)
{
    size_t size = 0, used = hd_kernel_packed_bytes(kernel);

    for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            *buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
            size = *(const size_t *)extra[1];
        else
            return hd_fail(CUDA_ERROR_INVALID_VALUE,
                           "kernel %s: unknown entry %p in extra", kernel->name,
                           extra[0]);
    }
    HD_REFUSE_IF(size < used || (used > 0 && !*buffer),
                 "kernel %s: the parameters take %zu bytes, the buffer has %zu",
                 kernel->name, used, !*buffer ? 0 : size);
    return CUDA_SUCCESS;
}

/* Most are pointers and words: no call for these. */
static void copy_param(char *to, const void *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, size);
}

static CUresult pack(hd_launch *launch, void **params, void **extra)
{
    const hc_kernel *kernel = launch->kernel;
    const void *buffer = NULL;

    HD_REFUSE_IF(params && extra, "kernel %s: both kernelParams and extra are given",
                 kernel->name);
    if (extra) {
        HD_TRY(parse_extra(kernel, extra, &buffer));
    } else if (!params && kernel->nparams > 0) {
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "kernel %s: %u arguments are missing",
                       kernel->name, kernel->nparams);
    }
    for (uint32_t i = 0; i < kernel->nparams; i++) {
        const hc_param *param = &kernel->params[i];
        const void *from = buffer ? (const char *)buffer + param->offset : params[i];
        HD_REFUSE_IF(!from, "kernel %s: argument %u is missing", kernel->name, i);
        copy_param(launch->params + param->offset, from, param->size);
    }
    return CUDA_SUCCESS;
}

/* -- Work -------------------------------------------------------------------------- */

bool hd_needs_linear(const hc_kernel *kernel, const unsigned *block)
{
    return (kernel->flags & HC_WARPS) && block[0] % 32 != 0 && block[1] * block[2] != 1;
}

static void describe(hd_work *work, hd_worker *worker, char *text, size_t size)
{
    const hd_launch *launch = (const hd_launch *)work;
    static const uint32_t none[3];
    const uint32_t *index = worker->frame ? worker->frame->index : none;
    const hd_code *code = launch->code;
    char line[128];

    hd_line_table_describe_unlocked(code->line_table, code->image.table,
                                    worker->instruction, line, sizeof line);
    snprintf(text, size, "kernel %s, block (%u,%u,%u)%s%s: ", launch->kernel->name,
             index[0], index[1], index[2], *line ? ", " : "", line);
}

void hd_launch_rebase(hd_launch *launch)
{
    launch->launch.params = launch->params;
    launch->launch.arrived = launch->cooperative ? &launch->arrived : NULL;
    launch->launch.bounds = hd_launch_bounds(launch);
    launch->launch.raced = hd_launch_raced(launch);
    atomic_init(&launch->bounded, false);
}

/* The blocks that the device holds at once; a cooperative launch may have no more. */
static uint64_t resident_blocks(const hd_function *function, const hd_geometry *g)
{
    unsigned threads = g->block[0] * g->block[1] * g->block[2];
    uint64_t blocks = (uint64_t)hd.nthreads *
                      (unsigned)hd_function_occupancy(function, threads, g->shared);
    return blocks < HD_RESIDENT_MAX ? blocks : HD_RESIDENT_MAX;
}

/* Whether two arguments may be the same memory, of which one is written: then it is in
   the caches by the time that it is. */
static bool reads_what_it_writes(const hd_launch *launch)
{
    const hc_kernel *kernel = launch->kernel;
    uint64_t word[MOST_WORDS];
    size_t n = kernel->param_bytes / sizeof *word;

    if (n > MOST_WORDS)
        return true;
    memcpy(word, launch->params, n * sizeof *word);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (word[i] == word[k] &&
                (!kernel->writes || kernel->writes[i] || kernel->writes[k]))
                return true;
    return false;
}

/* A launch that writes more than the last cache holds leaves nothing there for the next
   one that begins where it began. A kernel that strides over the grid is taken to do so
   as often as it did last. Returns in how many turns it does not yet do so. */
static uint32_t cached_turns(const hd_launch *launch, uint64_t blocks)
{
    const uint32_t *block = launch->launch.block;
    uint64_t threads = blocks * block[0] * block[1] * block[2],
             each = launch->kernel->streamed,
             turns =
                 atomic_load_explicit(&launch->function->turns, memory_order_relaxed);

    if (turns > 0)
        each *= turns;
    if (each == 0 || reads_what_it_writes(launch))
        return UINT32_MAX;
    uint64_t most = hd.cache / each / threads;
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

CUresult hd_launch_create(hd_function *function, const hd_geometry *geometry,
                          hd_launch **made)
{
    bool linear = hd_needs_linear(function->kernel, geometry->block);
    const hc_kernel *kernel = linear ? function->linear : function->kernel;
    uint64_t blocks = (uint64_t)geometry->grid[0] * geometry->grid[1];
    hd_launch *launch = NULL;

    HD_TRY(check_geometry(function, geometry->grid, geometry->block, geometry->shared));
    HD_FAIL_IF(!kernel, CUDA_ERROR_FUNCTION_NOT_LOADED,
               "kernel %s: the code for blocks of %u x %u x %u threads, whose rows are "
               "not whole warps, is not compiled yet; pycuda, which made this image, "
               "compiles it for the first such launch; with CUDA_MODULE_LOADING=EAGER "
               "it makes images with all code",
               function->kernel->name, geometry->block[0], geometry->block[1],
               geometry->block[2]);
    blocks *= geometry->grid[2];
    HD_FAIL_IF(geometry->cooperative && blocks > resident_blocks(function, geometry),
               CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
               "kernel %s: %" PRIu64 " blocks, %" PRIu64
               " of that size can be resident at once",
               kernel->name, blocks, resident_blocks(function, geometry));
    size_t bytes = ((kernel->param_bytes + 15) & ~(size_t)15) +
                   HD_BOUNDS(kernel) * (sizeof(hc_bounds) + sizeof(uint8_t));
    HD_TRY(hd_work_create(sizeof *launch + bytes, hd_blocks_run, blocks, &launch));
    launch->function = function;
    launch->layout = linear;
    launch->kernel = kernel;
    launch->code = linear ? function->linear_code : function->code;
    HD_TRY_OR(pack(launch, geometry->params, geometry->extra), free(launch));
    for (int i = 0; i < 3; i++) {
        launch->launch.grid[i] = geometry->grid[i];
        launch->launch.block[i] = geometry->block[i];
    }
    launch->launch.dynamic_shared = geometry->shared;
    launch->launch.cached_turns = cached_turns(launch, blocks);
    launch->cooperative = geometry->cooperative;
    launch->shuffled = (hd_check_kinds & CUX_CHECK_ORDER) != 0;
    launch->seed = hd_check_seed;
    hd_launch_rebase(launch);
    launch->launch.services = &hd_services;
    launch->launch.written = &hd_written;
    if (kernel->checks & HC_CHECK_INIT)
        hd_written_begin();
    else if (hd_written.size > 0)
        hd_written_by_launch(launch);
    launch->work.node = CU_GRAPH_NODE_TYPE_KERNEL;
    launch->work.describe = describe;
    launch->work.caught = kernel->checks ? hd_check_caught_unlocked : NULL;
    launch->work.floats = kernel->flags & HC_FLUSHES ? HD_FLOATS_FLUSH : HD_FLOATS_IEEE;
    launch->work.piece_ns = &function->block_ns;
    launch->work.code = launch->code->image.code;
    launch->work.code_end = launch->code->image.code_end;
    launch->work.spins = function->spins;
    launch->work.most = function->spins ? 1 : UINT64_MAX;
    launch->work.least = hd_blocks_in_step(launch);
    *made = launch;
    return CUDA_SUCCESS;
}
