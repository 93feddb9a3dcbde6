/* Elements of a long table at many places, on a GPU: one by one, unless the first
   blocks find that this takes a sector of memory for each; then by bins. The launches
   are steps of a caller, who waits for the first one to hear of that. Here is decided
   for which tables and how many places, and how large bins are. */
#include "kernel_text.h"
#include <string.h>

/* As in binned_gather.cuh. */
enum {
    WATCHED_THREADS = 256,
    WATCHED_TURNS = 2,
    MOST_SAMPLED = 1 << 20,
    SAMPLERS = 5, /* of the blocks that a multiprocessor has at once, at most */
    AT_ONCE = 8,  /* of these */
    THREADS = 1024,
    MOST_READ = 16,
};

/* Bytes of shared memory that a tile's block has beside, at most. */
enum { FIXED = 2048 };

/* Where bins begin to cost more than they save. */
enum {
    WORTHWHILE = 16, /* bytes of a table for each place, at most: all of it is read */
    LEAST_SHARE = 6, /* places of a tile in a bin, on average */
    LARGE = 4, /* times that: a share that one block should not have to take alone */
    LEAST_LARGE = 128,
};

static const char source[] =
    "extern \"C\" __global__ void "
    "__launch_bounds__(pycuda::gather_watched_threads) pycuda_gather_watched(\n"
    "    T *to, const I *places, const T *from, size_t count, long long n,\n"
    "    unsigned samplers, unsigned waiting, unsigned long long call,\n"
    "    int *is_wrong, int *is_given_up)\n"
    "{\n"
    "    pycuda::gather_watched(\n"
    "        to, places, from, count, n, samplers, waiting, call, is_wrong,\n"
    "        is_given_up);\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(\n"
    "    pycuda::gather_threads, pycuda::gather_blocks) pycuda_gather_partition(\n"
    "    T *to, const I *places, const T *from, unsigned short *binned,\n"
    "    unsigned short *slots, unsigned short *begins, size_t count, long long n,\n"
    "    unsigned size, unsigned reciprocal, unsigned bins, unsigned most,\n"
    "    int *is_wrong)\n"
    "{\n"
    "    extern __shared__ __align__(16) unsigned short ordered[];\n"
    "    pycuda::gather_parts part = {n, size, reciprocal, is_wrong};\n"
    "    pycuda::gather_partition<tile>(\n"
    "        to, places, from, binned, slots, begins, count, part, bins, most,\n"
    "        ordered);\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(pycuda::gather_threads, 1)\n"
    "pycuda_gather_bins(\n"
    "    T *to, const unsigned short *binned, const unsigned short *begins,\n"
    "    const T *from, long long n, unsigned size, unsigned tiles, unsigned bins,\n"
    "    unsigned most)\n"
    "{\n"
    "    extern __shared__ __align__(16) T part[];\n"
    "    pycuda::gather_bins<tile>(\n"
    "        to, binned, begins, from, n, size, tiles, bins, most, part);\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(pycuda::gather_threads, 1)\n"
    "pycuda_gather_order(T *to, const unsigned short *slots, size_t count)\n"
    "{\n"
    "    extern __shared__ __align__(16) T elements[];\n"
    "    pycuda::gather_order<tile>(to, slots, count, elements);\n"
    "}\n";

enum { WATCHED, PARTITION, BINS, ORDER };

static kn_type word_of(const kn_gather *gather)
{
    return kn_word_type(kn_type_size(gather->type), gather->from | gather->to);
}

/* Places that are put in the order of bins together: as many as 16 bits count and as
   have their elements in shared memory. 0: it has too little. */
static unsigned tile_of(const kn_tuning *tuning, size_t size)
{
    static const unsigned tiles[] = {32768, 24576, 16384, 12288, 8192};
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles; k++)
        if (tiles[k] * size <= tuning->shared_bytes)
            return tiles[k];
    return 0;
}

/* How a table is cut: `each` elements in a bin, so many places in a tile, `most` of
   which a bin takes. */
typedef struct {
    unsigned tile, tiles, each, bins, most;
    unsigned order_bytes, partition_bytes, bins_bytes; /* of shared memory */
} plan;

/* Bins are as large as shared memory, or a little smaller: then each multiprocessor has
   as many of them as the others. */
static plan plan_of(const kn_tuning *tuning, const kn_gather *gather)
{
    enum { ALIGNED = 64, SHORT = 1 << 16 };
    size_t size = kn_type_size(gather->type), n = gather->n;
    size_t held = tuning->shared_bytes / size / ALIGNED * ALIGNED;
    held = held < SHORT ? held : SHORT;
    size_t rounds = kn_divide_up(n, held * tuning->processors);
    size_t each = kn_divide_up(n, rounds * tuning->processors);
    each = kn_divide_up(each, ALIGNED) * ALIGNED;
    plan plan = {.tile = tile_of(tuning, size), .each = (unsigned)each};
    plan.bins = (unsigned)kn_divide_up(n, each);
    plan.tiles = plan.tile ? (unsigned)kn_divide_up(gather->count, plan.tile) : 0;
    plan.most = LARGE * (plan.tile / plan.bins);
    plan.most = plan.most > LEAST_LARGE ? plan.most : LEAST_LARGE;
    plan.order_bytes = plan.tile * (unsigned)size;
    plan.partition_bytes = plan.tile * 2 + plan.bins * 4;
    plan.bins_bytes = plan.each * (unsigned)size;
    return plan;
}

static kn_loaded *find(bd_context *context, const kn_tuning *tuning,
                       const kn_gather *gather)
{
    static const char *const names[] = {"pycuda_gather_watched",
                                        "pycuda_gather_partition", "pycuda_gather_bins",
                                        "pycuda_gather_order"};
    kn_type word = word_of(gather);
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_GATHER;
    key.storage[0] = word;
    key.storage[1] = gather->place_type;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    kn_put(&text,
           "#include <pycuda/binned_gather.cuh>\n"
           "typedef %s T;\ntypedef %s I;\nenum { tile = %u };\n",
           kn_type_name(word), kn_type_name(gather->place_type),
           tile_of(tuning, kn_type_size(word)));
    cmp_put_bytes(&text, source, sizeof source - 1);
    loaded = kn_load(context, &key, &text, NULL, 0, 4, names);
    if (!loaded)
        return NULL;
    unsigned most = tuning->shared_bytes, partition = most < FIXED ? 0 : most - FIXED;
    return kn_allow_shared(context, loaded->function[PARTITION], partition) ||
                   kn_allow_shared(context, loaded->function[BINS], most) ||
                   kn_allow_shared(context, loaded->function[ORDER], most)
               ? NULL
               : loaded;
}

int kn_is_gather_watched(bd_context *context, const kn_gather *gather)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    if (!tuning)
        return -1;
    size_t size = kn_type_size(gather->type), bytes = size * (size_t)gather->n;
    if (!tuning->gather_least || gather->count < tuning->gather_least ||
        gather->count > (size_t)UINT_MAX << 12 || !word_of(gather) || size > 8 ||
        gather->places % 16 || gather->to % 16 || bytes <= tuning->l2_bytes / 2 * 3 ||
        bytes > WORTHWHILE * gather->count || gather->n > (long long)UINT32_MAX + 1)
        return 0;
    plan plan = plan_of(tuning, gather);
    return plan.tile && plan.bins * LEAST_SHARE <= plan.tile &&
           plan.partition_bytes + FIXED <= tuning->shared_bytes;
}

int kn_gather_watched(bd_context *context, const kn_gather *gather)
{
    static uint64_t calls; /* of the process */
    const kn_tuning *tuning = kn_tuning_of(context);
    kn_loaded *loaded = tuning ? find(context, tuning, gather) : NULL;
    if (!loaded)
        return -1;
    CUdeviceptr to = gather->to, places = gather->places, from = gather->from,
                is_wrong = gather->flags, is_far = gather->flags + sizeof(int);
    uint64_t call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    size_t widest = kn_type_size(gather->place_type), size = kn_type_size(gather->type);
    size_t each = WATCHED_THREADS * WATCHED_TURNS *
                  (tuning->flat_bytes / (widest < size ? size : widest));
    size_t count = gather->count, sampled = tuning->l2_bytes / 32 / 2;
    unsigned samplers =
        (unsigned)((sampled < MOST_SAMPLED ? sampled : MOST_SAMPLED) / each);
    unsigned waiting = AT_ONCE * tuning->processors;
    long long n = gather->n;
    if (samplers > SAMPLERS * tuning->processors)
        samplers = SAMPLERS * tuning->processors;
    samplers = samplers ? samplers : 1;
    void *params[] = {&to,       &places,  &from, &count,    &n,
                      &samplers, &waiting, &call, &is_wrong, &is_far};
    const unsigned grid[2] = {(unsigned)kn_divide_up(count, each), 1};
    const unsigned block[2] = {WATCHED_THREADS, 1};
    return kn_launch(context, loaded->function[WATCHED], grid, block, gather->stream,
                     params);
}

/* What kn_gather_by_bins has in the spare memory, behind the places in the order of
   bins. */
typedef struct {
    size_t slots, begins, end;
} layout;

static layout layout_of(const plan *plan)
{
    size_t tiles = plan->tiles, places = tiles * plan->tile;
    layout at = {.slots = places * sizeof(uint16_t)};
    at.begins = at.slots + (places + MOST_READ) * sizeof(uint16_t);
    at.end = at.begins + tiles * (plan->bins + 1) * sizeof(uint16_t);
    return at;
}

int kn_gather_spare(bd_context *context, const kn_gather *gather, size_t *bytes)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    if (!tuning)
        return -1;
    plan plan = plan_of(tuning, gather);
    *bytes = layout_of(&plan).end;
    return 0;
}

int kn_gather_by_bins(bd_context *context, const kn_gather *gather, CUdeviceptr spare)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    kn_loaded *loaded = tuning ? find(context, tuning, gather) : NULL;
    if (!loaded)
        return -1;
    plan plan = plan_of(tuning, gather);
    layout at = layout_of(&plan);
    size_t count = gather->count;
    long long n = gather->n;
    unsigned reciprocal = (unsigned)((1ull << 32) / plan.each);
    CUdeviceptr to = gather->to, from = gather->from, places = gather->places,
                binned = spare, slots = spare + at.slots, begins = spare + at.begins,
                is_wrong = gather->flags;
    void *partition[] = {&to,        &places,    &from,    &binned,    &slots,
                         &begins,    &count,     &n,       &plan.each, &reciprocal,
                         &plan.bins, &plan.most, &is_wrong};
    void *bins[] = {&to,        &binned,     &begins,    &from,     &n,
                    &plan.each, &plan.tiles, &plan.bins, &plan.most};
    void *order[] = {&to, &slots, &count};
    const unsigned grid[3] = {plan.tiles, 1, 1}, block[2] = {THREADS, 1},
                   bins_grid[3] = {tuning->processors, 1, 1};
    CUstream stream = gather->stream;
    return kn_launch_shared(context, loaded->function[PARTITION], grid, block,
                            plan.partition_bytes, stream, partition) ||
                   kn_launch_shared(context, loaded->function[BINS], bins_grid, block,
                                    plan.bins_bytes, stream, bins) ||
                   kn_launch_shared(context, loaded->function[ORDER], grid, block,
                                    plan.order_bytes, stream, order)
               ? -1
               : 0;
}
