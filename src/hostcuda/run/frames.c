/* The frames of a worker: how many blocks it runs at a time, and where in its memory
   their masks, contexts and shared memory lie. */
#include "frames.h"
#include "global_races.h"
#include "race_reports.h"
#include "thread_pool.h"

#include <sys/mman.h>

/* Bytes of state that blocks in step may take: half a second-level cache. */
#define STEP_BYTES (512 << 10)

/* Kinds of states in which lanes exchange values. */
#define EXCHANGES                                                    \
    (1u << HC_WARP | 1u << HC_BARRIER_COUNT | 1u << HC_BARRIER_AND | \
     1u << HC_BARRIER_OR)

/* Bytes rounded so that the next thing is as aligned as vectors need. */
static size_t rounded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static uint32_t lanes_of(uint32_t threads)
{
    return threads >= 32 ? UINT32_MAX : (UINT32_C(1) << threads) - 1;
}

bool hd_kernel_has_layout(const hc_kernel *kernel, unsigned layout)
{
    return kernel->run[layout] || kernel->nstates[layout] > 0;
}

bool hd_kernel_has(const hc_kernel *kernel, unsigned layout, unsigned kinds)
{
    for (uint32_t i = 0; i < kernel->nstates[layout]; i++) {
        if (1u << kernel->states[layout][i].kind & kinds)
            return true;
    }
    return false;
}

/* The lanes that each vector of a block starts with. Returns whether all are full. */
static bool fill_alive(const hd_launch *launch, uint32_t *alive)
{
    const uint32_t *block = launch->launch.block;
    uint32_t width = launch->kernel->width;
    uint32_t row = launch->layout == 0 ? block[0] : block[0] * block[1] * block[2];
    uint32_t rows = launch->layout == 0 ? block[1] * block[2] : 1;

    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t x = 0; x < row; x += width)
            *alive++ = lanes_of(row - x < width ? row - x : width);
    }
    return row % width == 0;
}

/* Sizes in bytes of a frame's arrays, in their order in memory. */
typedef struct {
    uint32_t vectors;
    size_t shared, masks, lanes, exchange, context, races, written;
} frame_sizes;

/* Threads that may meet in warp functions. */
static unsigned meeting(const hd_launch *launch)
{
    const uint32_t *block = launch->launch.block;
    unsigned threads = block[0] * block[1] * block[2];

    return launch->kernel->flags & HC_WARPS ? (threads + 31) & ~31u : 0;
}

static frame_sizes measure(const hd_launch *launch)
{
    const hc_kernel *kernel = launch->kernel;
    const uint32_t *block = launch->launch.block;
    unsigned layout = launch->layout;
    frame_sizes size = {.shared = kernel->shared_bytes + launch->launch.dynamic_shared};

    size.shared = (size.shared + HC_SHARED_ALIGN - 1) & ~(size_t)(HC_SHARED_ALIGN - 1);
    if (kernel->checks & HC_CHECK_RACE && (size.shared > 0 || launch->raced.since > 0))
        size.races = hd_races_size(size.shared, kernel->granule_shift, meeting(launch));
    if (kernel->checks & HC_CHECK_INIT)
        size.written = rounded(size.shared + 2 * HC_ELSEWHERE);
    if (kernel->nstates[layout] == 0 && kernel->context_bytes == 0)
        return size;
    size.vectors = layout == 0 ? (block[0] + kernel->width - 1) / kernel->width *
                                     block[1] * block[2]
                               : (block[0] * block[1] * block[2] + 31) / 32;
    size.masks = rounded(size.vectors * sizeof(uint32_t));
    size.lanes = rounded(size.vectors * HC_LANES * sizeof(uint32_t));
    if (hd_kernel_has(kernel, layout, EXCHANGES))
        size.exchange = rounded(size.vectors * sizeof(hc_exchange));
    size.context = rounded((size_t)size.vectors * kernel->context_bytes);
    return size;
}

static bool runs_in_step(const hd_launch *launch)
{
    const hc_kernel *kernel = launch->kernel;

    if (kernel->checks) /* a block may end by itself */
        return false;
    for (uint32_t i = 0; i < kernel->nstates[launch->layout]; i++) {
        const hc_state *state = &kernel->states[launch->layout][i];
        if (state->kind == HC_LOCKSTEP && state->op)
            return !launch->function->spins;
    }
    return false;
}

/* A thread's share in two parts, since some threads start later. */
uint32_t hd_blocks_in_step(const hd_launch *launch)
{
    if (!runs_in_step(launch))
        return 1;
    frame_sizes size = measure(launch);
    size_t bytes = size.shared + 2 * size.masks + size.exchange + size.context;
    uint64_t parts = (uint64_t)2 * hd.nthreads,
             share = (launch->work.pieces + parts - 1) / parts;
    uint64_t fit = STEP_BYTES / bytes + 1, n = share < fit ? share : fit;
    return n < HD_STEP_BLOCKS ? (uint32_t)n : HD_STEP_BLOCKS;
}

/* Whether a frame is all that a block needs: a short launch shows what is done here. */
static bool is_bare(const hd_launch *launch)
{
    const hc_kernel *kernel = launch->kernel;

    return kernel->nstates[launch->layout] == 0 && kernel->context_bytes == 0 &&
           kernel->shared_bytes + launch->launch.dynamic_shared == 0 && !kernel->checks;
}

/* The last bare launch leaves the frame as the next one needs it, but for the words of
   named barriers. */
static void prepare_bare(hd_worker *worker)
{
    if (worker->bare) {
        memset(worker->frames->named, 0, sizeof worker->frames->named);
        return;
    }
    worker->nframes = 1;
    worker->vectors = 0;
    worker->whole = false;
    worker->alive = NULL;
    hd_scratch_reserve_unlocked(worker, &worker->state, sizeof(hc_frame));
    worker->frames = (hc_frame *)worker->state.base;
    worker->frames[0] = (hc_frame){.worker = worker};
    worker->bare = true;
}

/* At the end of its pages, so that a write past it faults. The page behind can be read:
   a load of neighbours whose last lanes do not run reaches there, and would take
   hundreds of cycles if it met none. It is read once, or there would still be none. */
static void reserve_shared(hd_worker *worker, size_t bytes)
{
    hd_scratch *shared = &worker->shared;
    size_t before = shared->size;

    hd_scratch_reserve_unlocked(worker, shared, bytes);
    char *behind = shared->base + shared->size;
    if (shared->size != before && mprotect(behind, hd.page, PROT_READ) == 0)
        (void)*(volatile char *)behind;
}

__attribute__((noinline)) static void prepare_arrays(hd_worker *worker,
                                                     const hd_launch *launch)
{
    const hc_kernel *kernel = launch->kernel;
    frame_sizes size = measure(launch);
    size_t each = 2 * size.masks + size.lanes + size.exchange + size.context +
                  size.races + size.written + sizeof(hc_frame);

    worker->bare = false;
    worker->nframes = hd_blocks_in_step(launch);
    worker->vectors = size.vectors;
    if (size.shared > 0)
        reserve_shared(worker, size.shared * worker->nframes);
    hd_scratch_reserve_unlocked(worker, &worker->state,
                                size.masks + rounded(each) * worker->nframes);
    char *at = worker->state.base, *shared = worker->shared.base + worker->shared.size;
    worker->whole = size.vectors > 0 && fill_alive(launch, (uint32_t *)at);
    worker->alive = (const uint32_t *)at;
    worker->frames = (hc_frame *)(at += size.masks);
    at += rounded(worker->nframes * sizeof(hc_frame));
    /* Array by array: all blocks' masks, then all contexts, because a step touches the
       same array of every block. */
    for (uint32_t i = 0; i < worker->nframes; i++) {
        hc_frame *frame = &worker->frames[i];
        char *masks = at + i * size.masks,
             *rest = at + 2 * size.masks * worker->nframes;
        *frame = (hc_frame){.worker = worker, .alive = (uint32_t *)masks};
        frame->vector_state = (uint32_t *)(masks + size.masks * worker->nframes);
        frame->context = rest + i * size.context;
        rest += size.context * worker->nframes;
        frame->lane_state = (uint32_t *)(rest + i * size.lanes);
        rest += size.lanes * worker->nframes;
        if (size.exchange > 0)
            frame->exchange = (hc_exchange *)(rest + i * size.exchange);
        rest += size.exchange * worker->nframes;
        if (size.races > 0) {
            frame->races = hd_races_seen(hd_races_place(
                rest + i * size.races, size.shared, kernel->granule_shift,
                meeting(launch), hd_race_found_unlocked));
            hd_races_watch(frame->races, &launch->raced);
        }
        rest += size.races * worker->nframes;
        if (size.written > 0)
            frame->written = rest + i * size.written + HC_ELSEWHERE;
        if (size.shared > 0)
            frame->shared = shared - (i + 1) * size.shared;
    }
}

void hd_frames_prepare_unlocked(hd_worker *worker, const hd_launch *launch)
{
    worker->prepared = 0;
    if (is_bare(launch))
        prepare_bare(worker);
    else
        prepare_arrays(worker, launch);
    worker->frame = worker->frames;
    worker->prepared = launch->work.serial;
}
