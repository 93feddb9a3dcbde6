/* Elements of a long table at many places, on a GPU: one by one until the first blocks
   have found that this takes a sector of memory for each; then by bins. The launches
   are steps of a caller, who waits for the first one to hear of that. Here is decided
   for which tables and how many places, and how large bins are. */
#include "kernel_text.h"
#include <string.h>

/* As in binned_gather.cuh. */
enum {
    WATCHED_THREADS = 256,
    MOST_SAMPLED = 1 << 20,
    SAMPLERS = 7, /* of the blocks that a multiprocessor has at once */
    TILE = 8192,
    THREADS = 512,
    MOST_BINS = 256,
    BINS_BLOCKS = 4, /* of a multiprocessor: with more of them bins leave the cache */
    WORTHWHILE = 16, /* bytes of a table for each place, at most: all of it is read */
};

static const char source[] =
    "extern \"C\" __global__ void "
    "__launch_bounds__(pycuda::gather_watched_threads) pycuda_gather_watched(\n"
    "    T *to, const I *places, const T *from, size_t count, long long n,\n"
    "    unsigned samplers,\n"
    "    unsigned long long call, int *is_wrong, int *is_given_up)\n"
    "{\n"
    "    pycuda::gather_watched(\n"
    "        to, places, from, count, n, samplers, call, is_wrong, is_given_up);\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(pycuda::gather_threads)\n"
    "pycuda_gather_partition(\n"
    "    const I *places, unsigned *binned, unsigned short *slots,\n"
    "    unsigned short *begins, size_t count, long long n, unsigned bits,\n"
    "    unsigned bins, int *is_wrong)\n"
    "{\n"
    "    pycuda::gather_partition(\n"
    "        places, binned, slots, begins, count, n, bits, bins, is_wrong);\n"
    "}\n"
    "extern \"C\" __global__ void pycuda_gather_bins(\n"
    "    V *elements, const unsigned *binned, const unsigned short *begins,\n"
    "    const T *from, unsigned tiles, unsigned bins)\n"
    "{\n"
    "    pycuda::gather_bins(elements, binned, begins, from, tiles, bins);\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(pycuda::gather_threads)\n"
    "pycuda_gather_order(\n"
    "    T *to, const V *elements, const unsigned short *slots, size_t count)\n"
    "{\n"
    "    extern __shared__ V shared[];\n"
    "    pycuda::gather_order(to, elements, slots, count, shared);\n"
    "}\n";

enum { WATCHED, PARTITION, BINS, ORDER };

/* What a tile keeps of an element: a word at least. */
static kn_type kept_type(kn_type word)
{
    return kn_type_size(word) < 4 ? KN_U32 : word;
}

static unsigned tile_bytes(kn_type word)
{
    return TILE * (unsigned)kn_type_size(kept_type(word));
}

static kn_type word_of(const kn_gather *gather)
{
    return kn_word_type(kn_type_size(gather->type), gather->from | gather->to);
}

static kn_loaded *find(bd_context *context, const kn_gather *gather)
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
           "typedef %s T;\ntypedef %s I;\ntypedef %s V;\n",
           kn_type_name(word), kn_type_name(gather->place_type),
           kn_type_name(kept_type(word)));
    cmp_put_bytes(&text, source, sizeof source - 1);
    loaded = kn_load(context, &key, &text, NULL, 0, 4, names);
    return loaded &&
                   !kn_allow_shared(context, loaded->function[ORDER], tile_bytes(word))
               ? loaded
               : NULL;
}

/* Elements of a bin, a power of two: a part of the cache, of which other bins and what
   passes by need some, too. 0: there would be too many of them. */
static unsigned bin_bits(const kn_tuning *tuning, const kn_gather *gather)
{
    size_t size = kn_type_size(gather->type), bits = 0;
    while (size << (bits + 1) <= tuning->l2_bytes / 8)
        bits++;
    while ((gather->n - 1) >> bits >= MOST_BINS && size << bits < tuning->l2_bytes / 2)
        bits++;
    return (gather->n - 1) >> bits < MOST_BINS ? (unsigned)bits : 0;
}

int kn_is_gather_watched(bd_context *context, const kn_gather *gather)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    if (!tuning)
        return -1;
    size_t size = kn_type_size(gather->type);
    kn_type word = word_of(gather);
    return tuning->gather_least && gather->count >= tuning->gather_least &&
           (gather->count - 1) / TILE < UINT_MAX / MOST_BINS && word && size <= 8 &&
           tile_bytes(word) <= tuning->shared_bytes && gather->places % 16 == 0 &&
           gather->to % 16 == 0 &&
           size * (size_t)gather->n > tuning->l2_bytes / 2 * 3 &&
           size * (size_t)gather->n <= WORTHWHILE * gather->count &&
           gather->n <= (long long)UINT32_MAX + 1 && bin_bits(tuning, gather) != 0;
}

int kn_gather_watched(bd_context *context, const kn_gather *gather)
{
    static uint64_t calls; /* of the process */
    const kn_tuning *tuning = kn_tuning_of(context);
    kn_loaded *loaded = tuning ? find(context, gather) : NULL;
    if (!loaded)
        return -1;
    CUdeviceptr to = gather->to, places = gather->places, from = gather->from,
                is_wrong = gather->flags, is_far = gather->flags + sizeof(int);
    uint64_t call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    size_t widest = kn_type_size(gather->place_type), size = kn_type_size(gather->type);
    size_t each =
        WATCHED_THREADS * (tuning->flat_bytes / (widest < size ? size : widest));
    size_t count = gather->count, sampled = tuning->l2_bytes / 32 / 2;
    unsigned samplers =
        (unsigned)((sampled < MOST_SAMPLED ? sampled : MOST_SAMPLED) / each);
    long long n = gather->n;
    if (samplers > SAMPLERS * tuning->processors)
        samplers = SAMPLERS * tuning->processors;
    samplers = samplers ? samplers : 1;
    void *params[] = {&to,       &places, &from,     &count, &n,
                      &samplers, &call,   &is_wrong, &is_far};
    const unsigned grid[2] = {(unsigned)kn_divide_up(count, each), 1};
    const unsigned block[2] = {WATCHED_THREADS, 1};
    return kn_launch(context, loaded->function[WATCHED], grid, block, gather->stream,
                     params);
}

/* What kn_gather_by_bins has in the spare memory; places, and elements on their way,
   are where the result will be if they are as wide as its elements. */
typedef struct {
    size_t slots, begins, places, end;
} layout;

static layout layout_of(const kn_gather *gather)
{
    size_t tiles = kn_divide_up(gather->count, TILE);
    layout at = {.begins = tiles * TILE * sizeof(uint16_t)};
    at.places = at.begins + (tiles * (MOST_BINS + 1) * sizeof(uint16_t) + 15) / 16 * 16;
    at.end = at.places + (kn_type_size(gather->type) == 4 ? 0 : tiles * TILE * 4);
    return at;
}

size_t kn_gather_spare(const kn_gather *gather)
{
    return layout_of(gather).end;
}

int kn_gather_by_bins(bd_context *context, const kn_gather *gather, CUdeviceptr spare)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    kn_loaded *loaded = tuning ? find(context, gather) : NULL;
    if (!loaded)
        return -1;
    size_t size = kn_type_size(gather->type), count = gather->count;
    long long n = gather->n;
    unsigned bits = bin_bits(tuning, gather), bins = (unsigned)((n - 1) >> bits) + 1,
             tiles = (unsigned)kn_divide_up(count, TILE);
    layout at = layout_of(gather);
    CUdeviceptr to = gather->to, from = gather->from, places = gather->places,
                slots = spare, begins = spare + at.begins, is_wrong = gather->flags,
                binned = size == 4 ? to : spare + at.places,
                elements = size < 4 ? binned : to;
    void *partition[] = {&places, &binned, &slots, &begins,  &count,
                         &n,      &bits,   &bins,  &is_wrong};
    void *by_bins[] = {&elements, &binned, &begins, &from, &tiles, &bins};
    void *order[] = {&to, &elements, &slots, &count};
    const unsigned grid[3] = {tiles, 1, 1}, block[2] = {THREADS, 1};
    const unsigned bins_grid[2] = {BINS_BLOCKS * tuning->processors, 1};
    const unsigned bins_block[2] = {KN_BLOCK, 1};
    CUstream stream = gather->stream;
    return kn_launch(context, loaded->function[PARTITION], grid, block, stream,
                     partition) ||
                   kn_launch(context, loaded->function[BINS], bins_grid, bins_block,
                             stream, by_bins) ||
                   kn_launch_shared(context, loaded->function[ORDER], grid, block,
                                    tile_bytes(word_of(gather)), stream, order)
               ? -1
               : 0;
}
