/* How kernels are cut into threads and blocks: the numbers in which the host device and
   a GPU differ, with the reason for each. Where results are rounded they depend on
   them, so no number depends on what else a device is doing. */
#include "kernels.h"
#include <string.h>

/* hostcc makes vectors of neighbouring threads, and a core runs a block as a loop over
   its vectors: threads take one element, and blocks are what cores share out. */
static const kn_tuning host = {
    .flat_bytes = 1,
    .short_rows = 128, /* a call for what is left of a vector takes longer than that */
    .row_vector = 16,
    .has_tiles = 0, /* caches are wide enough for the rows of both */
    .has_apart = 0, /* a vector's loads are under way together as it is */
    .loop_blocks = UINT_MAX,
    .reduction_threads = 32,     /* one warp: its barriers cost nothing */
    .reduction_share = 64 * 256, /* much beside the start of a block */
    .reduction_blocks = 512,     /* the same bits whatever the number of cores */
    .scan_blocks = 0,            /* blocks that wait for each other do not pay */
    .axis_sharing = 0,           /* and blocks need not wait for each other */
    .axis_threads = 64 * KN_BLOCK,
    .axis_segments = 16,    /* results of segments are written and read again */
    .axis_row_bytes = 1024, /* of a row, before the next: for the prefetcher */
    .axis_in_stretches = 1, /* stay within few pages */
    .lines_sharing = 0,
    .lines_short = 15, /* a warp would be idle for the most part */
    .lines_narrow = 8, /* a vector */
    .lines_bytes = 1024,
    .lines_share = 16 * 1024, /* much beside the start of a block */
    .csr_threads = 32,        /* one vector, which does a row once for all its lanes */
    .csr_tiles = {4096, 256, 8192}, /* much beside the start of a block; longer rows are
                                       all lanes', which pays from there on */
    .mark_threads = 32,             /* one warp goes through a tile */
    .mark_sum_threads = 32,
    .search_least = 0,        /* caches answer as fast as an index would */
    .gather_least = 0,        /* binned_gather.cuh is for GPUs */
    .sort_alone = 128 * 1024, /* beside three launches a digit */
    .sort_rows = 2,
    .sort_blocks = 8,
    .sort_share = 8192,
    .sort_tile = 128 * 1024, /* a part of what a core has for itself */
    .sort_cached = 4 * 1024 * 1024,
    .sort_desks = 2, /* so that no core waits long for another one */
    .sort_bucket_least = 16 * 1024,
    .sort_bucket = 128 * 1024,
    .sort_bucket_tile = 512 * 1024, /* keys are seldom spread evenly */
};

/* A GPU hides the latency of memory by many threads, and by loads of a thread that are
   under way together. Blocks are for each multiprocessor here. */
static const kn_tuning gpu = {
    .flat_bytes = 16, /* the widest load */
    .short_rows = 0,  /* threads ask by themselves */
    .row_vector = 1,
    .has_tiles = 1,
    .has_apart = 1,
    .loop_blocks = 32,        /* as many as one can hold: others go round in a loop */
    .reduction_threads = 256, /* fills it with eight blocks */
    .reduction_share = 16 * 256,
    .reduction_blocks = 8,
    .scan_blocks = 5,     /* as many as fit at once: blocks wait for others */
    .axis_sharing = 16,   /* as many elements as a thread has under way */
    .axis_threads = 1024, /* as many as are under way together */
    .lines_sharing = 8,   /* all of a block */
    .lines_short = 4,     /* whose neighbours are in the same sectors of memory */
    .lines_narrow = 0,
    .lines_bytes = 0,
    .lines_share = 0,
    /* Measured on an H100. Sums of halves are rounded once in 16 products; those of
       spans take memory that a second block would need. */
    .product_large = {{128, 128, 32, 3, 2, 4, 2, 16384, 100},
                      {64, 128, 16, 3, 1, 4, 3, 256, 100},
                      {128, 128, 16, 2, 2, 4, 1, 1024, 100}},
    .product_small = {{128, 64, 32, 4, 2, 2, 3, 2048, 150},
                      {64, 64, 16, 3, 1, 2, 6, 256, 107},
                      {64, 64, 16, 3, 2, 2, 2, 1024, 107}},
    .product_blocks = 2,
    .product_slice = 128,
    .product_copies = 1 << 29, /* beside some microseconds for launching them */
    .csr_threads = KN_BLOCK,
    /* The first two together fill the shared memory of sparse.cuh and sparse_dense.cuh.
       Measured on an H200. */
    .csr_tiles = {1536, 512, 2048},
    .csr_uneven = {768, 256, 1024},
    .mark_threads = KN_BLOCK,
    .mark_sum_threads = 4 * KN_BLOCK, /* all that a block can have */
    .search_least = 1 << 18,          /* beside each block's copy of keys */
    .gather_least = 1 << 24, /* beside launches, a wait, and what is read twice */
    .sort_alone = 16 * 1024, /* what fits into a tile in shared memory */
    .sort_rows = 1,
    .sort_blocks = 8,
    .sort_share = 4096,
    .sort_tile = 0,
    .sort_cached = 0,
    .sort_desks = 0,
    .sort_bucket_least = 0,
    .sort_bucket = 0,
    .sort_bucket_tile = 0,
};

void kn_tuning_set(kn_tuning *tuning, const kn_device *device)
{
    unsigned processors = device->processors;
    *tuning = device->is_host ? host : gpu;
    tuning->processors = processors;
    tuning->shared_bytes = device->shared_bytes;
    tuning->l2_bytes = device->l2_bytes;
    tuning->sort_rows *= processors;
    tuning->sort_blocks *= processors;
    tuning->sort_desks *= processors;
    if (device->is_host)
        return;
    if (device->capability < 80) { /* which lacks asynchronous copies */
        memset(tuning->product_large, 0, sizeof tuning->product_large);
        memset(tuning->product_small, 0, sizeof tuning->product_small);
    }
    tuning->product_blocks *= processors;
    tuning->loop_blocks *= processors;
    tuning->reduction_blocks *= processors < 8 ? 8 : processors;
    tuning->scan_blocks *= processors;
    tuning->axis_threads *= processors;
}
