/* Sorting the rows of a matrix without gaps, by digits of a byte from the lowest on: a
   source for each dtype, and the launches. A row that is long by itself takes some for
   each digit; many rows, or short ones, take one launch, a block a row. The kernels
   are others on the host device than on a GPU: sort_buckets.cuh for a long row of words
   of 32 or 64 bits and sort_host.cuh; sort_gpu.cuh for a long row and sort_rows.cuh.
   Short rows are sorted by comparisons: on a GPU by warps (sort_warps.cuh), on the host
   device as many at once as a vector has lanes (sort_lanes.cuh). */
#include "kernel_text.h"
#include <string.h>

enum { DIGITS = 256, GPU_BLOCK = 256, SHORT_BLOCK = 128 }; /* as in sort_*.cuh */
enum { MOST_IN_BUCKETS = 1 << 30 };   /* elements are counted in 32 bits */
enum { FEWEST_IN_BUCKETS = 1 << 18 }; /* of 32 bits: before, digits are as fast */

/* What dtypes are sorted by: sort_order.cuh. */
static const char *const orders[KN_TYPE_COUNT] = {
    [KN_BOOL] = "unsigned_order<unsigned char>",
    [KN_I8] = "signed_order<unsigned char>",
    [KN_U8] = "unsigned_order<unsigned char>",
    [KN_I16] = "signed_order<unsigned short>",
    [KN_U16] = "unsigned_order<unsigned short>",
    [KN_I32] = "signed_order<unsigned>",
    [KN_U32] = "unsigned_order<unsigned>",
    [KN_I64] = "signed_order<pycuda::word64>",
    [KN_U64] = "unsigned_order<pycuda::word64>",
    [KN_F16] = "float_order<unsigned short, 0x7c00>",
    [KN_BF16] = "float_order<unsigned short, 0x7f80>",
    [KN_F32] = "float_order<unsigned, 0x7f800000>",
    [KN_F64] = "float_order<pycuda::word64, 0x7ff0000000000000>",
    [KN_C64] = "complex64_order",
    [KN_C128] = "complex128_order",
};

/* What elements are told to do, as in sort_order.cuh. */
typedef struct {
    CUdeviceptr from, places_from, to, places_to, result;
} sorted_pair;

/* What a sort_step of sort_gpu.cuh takes, at most. */
enum { STEP = 48, MOST_STEPS = 16 };

/* How a GPU's pass over a long row is cut, without and with places, for elements of 1,
   2, 4, 8 and 16 bytes: threads of a block, elements of a thread, and blocks that a
   multiprocessor has registers for. Tiles are as large as 48 KB of shared memory and
   the registers allow: their counts are looked back at, and what has the same digit is
   written in one stretch. Measured on an H200. */
typedef struct {
    unsigned threads, items, blocks;
} pass_shape;
static const pass_shape pass_shapes[2][5] = {
    {{384, 20, 2}, {384, 20, 2}, {384, 20, 2}, {384, 12, 3}, {384, 7, 2}},
    {{512, 16, 2}, {512, 16, 2}, {512, 16, 2}, {384, 15, 2}, {384, 7, 2}},
};

static const pass_shape *shape_of(const kn_sort_request *row)
{
    return &pass_shapes[row->places != 0][__builtin_ctzl(kn_type_size(row->type))];
}

/* Bits of kn_key.variant: numbers of 64 bits for places, and for counts of elements;
   the greatest first; places are asked for, where that is other code; the kernels of
   sort_buckets.cuh; and, from ITEMS_AT on, the logarithm of how many elements a lane of
   sort_warps.cuh has, which is more than 1, BY_BLOCKS, BY_LANES: the kernel of
   sort_lanes.cuh, or 0: that of sort_rows.cuh. */
enum {
    WIDE_PLACES = 1,
    WIDE_COUNTS = 2,
    DESCENDING = 4,
    HAS_PLACES = 8,
    IN_BUCKETS = 16,
    ITEMS_AT = 5,
    BY_LANES = 1,
    BY_BLOCKS = 7 /* lanes of several warps have a row, and the most elements */
};
_Static_assert(BY_BLOCKS << ITEMS_AT <= UINT8_MAX, "kn_key.variant has 8 bits");

static const char rows_source[] =
    "extern \"C\" __global__ void pycuda_sort_rows(\n"
    "    pycuda::sorted_pair<E, unsigned> all, E *spare, unsigned *spare_places,\n"
    "    size_t rows, size_t n)\n"
    "{\n"
    "    pycuda::sort_rows<order, unsigned>(all, spare, spare_places, rows, n);\n"
    "}\n";
static const char warps_source[] =
    "typedef pycuda::short_rows<order, ITEMS, HAS_PLACES, IS_BLOCK> sorter;\n"
    "extern \"C\" __global__ void __launch_bounds__(sorter::threads, sorter::blocks)\n"
    "pycuda_sort_rows(pycuda::sorted_pair<E, unsigned> all, size_t rows, unsigned n)\n"
    "{\n"
    "    sorter::sort(all, rows, n);\n"
    "}\n";
static const char lanes_source[] =
    "extern \"C\" __global__ void pycuda_sort_rows(\n"
    "    pycuda::sorted_pair<E, unsigned> all, size_t rows, unsigned n)\n"
    "{\n"
    "    pycuda::sort_by_lanes<order, HAS_PLACES>(all, rows, n);\n"
    "}\n";
static const char host_source[] =
    "extern \"C\" __global__ void pycuda_sort_count(\n"
    "    const E *from, size_t *table, size_t n, size_t each, unsigned place)\n"
    "{\n"
    "    pycuda::sort_count<order>(from, table, n, each, place);\n"
    "}\n"
    "extern \"C\" __global__ void pycuda_sort_add_up(size_t *table, size_t n)\n"
    "{\n"
    "    pycuda::sort_add_up(table, n);\n"
    "}\n"
    "extern \"C\" __global__ void pycuda_sort_pass(\n"
    "    pycuda::sorted_pair<E, I> pass, const size_t *table, E *room, size_t n,\n"
    "    size_t each, unsigned tile, unsigned place)\n"
    "{\n"
    "    pycuda::sort_pass<order, I>(pass, table, room, n, each, tile, place);\n"
    "}\n";
static const char gpu_source[] =
    "extern \"C\" __global__ void pycuda_sort_count(\n"
    "    const E *from, pycuda::word64 *total, size_t n)\n"
    "{\n"
    "    pycuda::sort_count<order>(from, total, n);\n"
    "}\n"
    "extern \"C\" __global__ void pycuda_sort_plan(\n"
    "    pycuda::sorted_pair<E, I> all, E *spare, I *spare_places,\n"
    "    pycuda::word64 *total, pycuda::sort_step<E, I> *step, size_t n)\n"
    "{\n"
    "    pycuda::sort_plan<order, I>(all, spare, spare_places, total, step, n);\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(THREADS, BLOCKS) "
    "pycuda_sort_pass(\n"
    "    const pycuda::sort_step<E, I> *step, const pycuda::word64 *total,\n"
    "    unsigned *taken, S *told, size_t n, unsigned place)\n"
    "{\n"
    "    pycuda::sort_sweep<order, I, S, THREADS, ITEMS, HAS_PLACES>::pass(\n"
    "        step, total, taken, told, n, place);\n"
    "}\n";

static const char buckets_source[] =
    "extern \"C\" __global__ void pycuda_sort_plan(\n"
    "    const E *from, pycuda::bucket_plan *plan, size_t n, unsigned wanted)\n"
    "{\n"
    "    static_assert(sizeof(pycuda::bucket_plan) <= PLAN);\n"
    "    pycuda::sort_plan_buckets<order>(from, plan, n, wanted);\n"
    "}\n"
    "extern \"C\" __global__ void pycuda_sort_count(\n"
    "    const E *from, size_t *table, pycuda::bucket_plan *plan, size_t n,\n"
    "    size_t each)\n"
    "{\n"
    "    pycuda::sort_count_buckets<order>(from, table, plan, n, each);\n"
    "}\n"
    "extern \"C\" __global__ void pycuda_sort_spread(\n"
    "    const E *from, const size_t *table, const pycuda::bucket_plan *plan, E *to,\n"
    "    I *places, char *room, size_t room_bytes, size_t n, size_t each)\n"
    "{\n"
    "    static_assert(sizeof(pycuda::sort_desk<order, I, HAS_PLACES>) <= DESK);\n"
    "    pycuda::sort_spread<order, I, HAS_PLACES>(\n"
    "        from, table, plan, to, places, room, room_bytes, n, each);\n"
    "}\n"
    "extern \"C\" __global__ void pycuda_sort_buckets(\n"
    "    pycuda::sorted_pair<E, I> all, E *spare, I *spare_places,\n"
    "    const size_t *table, pycuda::bucket_plan *plan, char *room,\n"
    "    size_t room_bytes, size_t n, size_t tile)\n"
    "{\n"
    "    pycuda::sort_buckets<order, I, HAS_PLACES>(\n"
    "        all, spare, spare_places, table, plan, room, room_bytes, n, tile);\n"
    "}\n";

/* Bits of a bucket's number: cutting needs some buckets, and where these are few each
   has keys of widely different density, which takes longer to sort than to spread. */
enum { FEWEST_BITS = 5, SOME_BITS = 9 };
/* Of sort_buckets.cuh: bits of a bucket's number; bytes of the plan, and of a desk. */
enum { LINE = 64, MOST_BITS = 12, PLAN = LINE + (4 << 11) + (1 << MOST_BITS) };

static size_t desk_bytes(const kn_sort_request *row)
{
    size_t itemsize = kn_type_size(row->type), place = row->places ? 4 : 0;
    size_t lines = (LINE / (place ? place : itemsize) * (itemsize + place))
                   << MOST_BITS;
    return lines + (8u << MOST_BITS) + (24u << 11) + 2 * LINE;
}

/* Elements of a lane at most, as a logarithm: more words would not fit into registers.
 */
static unsigned most_items_log(const kn_sort_request *rows)
{
    size_t itemsize = kn_type_size(rows->type);
    return itemsize <= 4 ? 5 : itemsize == 8 ? 4 : 3;
}

static void put_numbers(cmp_text *text, const kn_sort_request *request, int program,
                        unsigned variant)
{
    int has_places = (variant & HAS_PLACES) != 0;
    unsigned warps = variant >> ITEMS_AT;
    if (variant & IN_BUCKETS)
        kn_put(text, "enum { HAS_PLACES = %d, DESK = %zu, PLAN = %d };\n", has_places,
               desk_bytes(request), PLAN);
    if (warps == BY_LANES)
        kn_put(text, "enum { HAS_PLACES = %d };\n", has_places);
    if (drv_get_info()->is_host)
        return;
    if (warps)
        kn_put(text, "enum { ITEMS = %u, HAS_PLACES = %d, IS_BLOCK = %d };\n",
               1u << (warps == BY_BLOCKS ? most_items_log(request) : warps), has_places,
               warps == BY_BLOCKS);
    if (program == KN_SORT) {
        const pass_shape *shape = shape_of(request);
        kn_put(text,
               "enum { THREADS = %u, ITEMS = %u, BLOCKS = %u, HAS_PLACES = %d };\n",
               shape->threads, shape->items, shape->blocks, has_places);
    }
}

static kn_loaded *find(bd_context *context, const kn_sort_request *request, int program,
                       unsigned variant)
{
    static const char *const row[] = {"pycuda_sort_rows"};
    static const char *const steps[] = {"pycuda_sort_count", "pycuda_sort_add_up",
                                        "pycuda_sort_pass"};
    static const char *const gpu_steps[] = {"pycuda_sort_count", "pycuda_sort_plan",
                                            "pycuda_sort_pass"};
    static const char *const bucket_steps[] = {"pycuda_sort_plan", "pycuda_sort_count",
                                               "pycuda_sort_spread",
                                               "pycuda_sort_buckets"};
    static const char *const words[] = {"unsigned", "pycuda::word64"};
    int is_host = drv_get_info()->is_host, are_rows = program == KN_SORT_ROWS;
    int are_buckets = (variant & IN_BUCKETS) != 0,
        are_lanes = variant >> ITEMS_AT == BY_LANES;
    unsigned warps = variant >> ITEMS_AT;
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = program;
    key.variant = variant |= request->is_descending ? DESCENDING : 0;
    key.storage[0] = request->type;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    kn_put(&text, "#include <pycuda/sort_%s.cuh>\n",
           are_buckets ? "buckets"
           : are_lanes ? "lanes"
           : is_host   ? "host"
           : warps     ? "warps"
           : are_rows  ? "rows"
                       : "gpu");
    kn_put(&text,
           variant & DESCENDING ? "typedef pycuda::descending<pycuda::%s> order;\n"
                                : "typedef pycuda::%s order;\n",
           orders[request->type]);
    kn_put(&text, "typedef order::element E;\n");
    kn_put(&text, "typedef %s I;\n", words[(variant & WIDE_PLACES) != 0]);
    kn_put(&text, "typedef %s S;\n", words[(variant & WIDE_COUNTS) != 0]);
    put_numbers(&text, request, program, variant);
    const char *kernels = are_buckets ? buckets_source
                          : are_lanes ? lanes_source
                          : warps     ? warps_source
                          : are_rows  ? rows_source
                          : is_host   ? host_source
                                      : gpu_source;
    cmp_put_bytes(&text, kernels, strlen(kernels));
    return kn_load(context, &key, &text, NULL, 0,
                   are_rows      ? 1
                   : are_buckets ? 4
                                 : 3,
                   are_rows      ? row
                   : are_buckets ? bucket_steps
                   : is_host     ? steps
                                 : gpu_steps);
}

/* What pass number `place` of a row reads and writes: the last one the results, those
   before it in turn the spare memory and that of the results. */
static sorted_pair pass_of(const kn_sort_request *row, unsigned place)
{
    unsigned passes = (unsigned)kn_type_size(row->type), left = passes - 1 - place;
    CUdeviceptr keys[] = {row->to, row->spare};
    CUdeviceptr places[] = {row->places, row->spare_places};
    sorted_pair pass = {.from = place ? keys[(left + 1) % 2] : row->from,
                        .to = keys[left % 2]};
    if (row->places) {
        pass.places_from = place ? places[(left + 1) % 2] : 0;
        *(left ? &pass.places_to : &pass.result) = places[left % 2];
    }
    return pass;
}

static int launch(bd_context *context, CUfunction function, size_t blocks,
                  unsigned threads, CUstream stream, void **params)
{
    const unsigned grid[2] = {(unsigned)blocks, 1}, block[2] = {threads, 1};
    return kn_launch(context, function, grid, block, stream, params);
}

/* -- One long row ------------------------------------------------------------------ */

/* Of the host device, for other elements: a table of counts, and for each block memory
   for a tile. */
static int sort_by_stretches(bd_context *context, const kn_loaded *loaded,
                             const kn_sort_request *row, size_t index_size)
{
    const kn_tuning *tuning = loaded->tuning;
    CUfunction function[KN_MOST_FUNCTIONS];
    CUstream stream = row->stream;
    size_t n = row->length, itemsize = kn_type_size(row->type);
    size_t blocks = kn_divide_up(n, tuning->sort_share);
    blocks = blocks > tuning->sort_blocks ? tuning->sort_blocks : blocks;
    size_t each = kn_divide_up(n, 16 * blocks) * 16, counts = DIGITS * blocks;
    unsigned tile = 0;
    if (n * itemsize > tuning->sort_cached)
        tile = (unsigned)(tuning->sort_tile / itemsize);
    CUdeviceptr scratch, table, room;
    memcpy(function, loaded->function, sizeof function);
    if (kn_scratch(context, stream,
                   8 * counts + blocks * tile * (itemsize + index_size), &scratch))
        return -1;
    table = scratch + 16;
    room = table + 8 * counts;
    int failed = 0;
    for (unsigned place = 0; place < itemsize && !failed; place++) {
        sorted_pair pass = pass_of(row, place);
        void *first[] = {&pass.from, &table, &n, &each, &place};
        void *middle[] = {&table, &counts};
        void *last[] = {&pass, &table, &room, &n, &each, &tile, &place};
        failed = launch(context, function[0], blocks, 32, stream, first) ||
                 launch(context, function[1], 1, 32, stream, middle) ||
                 launch(context, function[2], blocks, 32, stream, last);
    }
    kn_scratch_used(context, scratch);
    return failed ? -1 : 0;
}

/* Of the host device, for words of 32 or 64 bits: a plan, for each block a desk and a
   tile (sort_buckets.cuh), and a table of counts. */
static int sort_by_buckets(bd_context *context, const kn_loaded *loaded,
                           const kn_sort_request *row)
{
    const kn_tuning *tuning = loaded->tuning;
    CUfunction function[KN_MOST_FUNCTIONS];
    CUstream stream = row->stream;
    size_t n = row->length, itemsize = kn_type_size(row->type);
    size_t moved = itemsize + (row->places ? 4 : 0);
    unsigned bits = FEWEST_BITS;
    while (bits < MOST_BITS &&
           n * moved >> bits >
               (bits < SOME_BITS ? tuning->sort_bucket_least : tuning->sort_bucket))
        bits++;
    unsigned wanted = 1u << bits;
    size_t most = bits < MOST_BITS ? 2 * wanted : wanted;
    size_t blocks = kn_divide_up(n, tuning->sort_share);
    blocks = blocks > tuning->sort_desks ? tuning->sort_desks : blocks;
    size_t each = kn_divide_up(n, 16 * blocks) * 16;
    size_t tile = tuning->sort_bucket_tile / itemsize;
    size_t room_bytes = desk_bytes(row) + tile * moved;
    CUdeviceptr scratch, plan, table, room;
    memcpy(function, loaded->function, sizeof function);
    if (kn_scratch(context, stream, LINE + PLAN + blocks * (room_bytes + 8 * most),
                   &scratch))
        return -1;
    plan = scratch + LINE;
    room = plan + PLAN;
    table = room + blocks * room_bytes;
    sorted_pair all = {.from = row->from, .to = row->to, .result = row->places};
    CUdeviceptr spare = row->spare, spare_places = row->spare_places;
    void *plan_it[] = {&all.from, &plan, &n, &wanted};
    void *first[] = {&all.from, &table, &plan, &n, &each};
    void *middle[] = {&all.from, &table,      &plan, &spare, &spare_places,
                      &room,     &room_bytes, &n,    &each};
    void *last[] = {&all,        &spare, &spare_places, &table, &plan, &room,
                    &room_bytes, &n,     &tile};
    int failed = launch(context, function[0], 1, 32, stream, plan_it) ||
                 launch(context, function[1], blocks, 32, stream, first) ||
                 launch(context, function[2], blocks, 32, stream, middle) ||
                 launch(context, function[3], blocks, 32, stream, last);
    kn_scratch_used(context, scratch);
    return failed ? -1 : 0;
}

/* Of a GPU: what each pass does; sums of digits for each place; how many tiles are
   taken in each; what blocks tell of their tiles. */
static int sort_by_tiles(bd_context *context, const kn_loaded *loaded,
                         const kn_sort_request *row, size_t count_size)
{
    bd_state *state = bd_context_state(context);
    const pass_shape *shape = shape_of(row);
    CUfunction function[KN_MOST_FUNCTIONS];
    CUstream stream = row->stream;
    size_t n = row->length, places = kn_type_size(row->type);
    size_t tiles = kn_divide_up(n, (size_t)shape->threads * shape->items);
    size_t sums = 8 * DIGITS * places, all_taken = 4 * MOST_STEPS;
    size_t zeros = sums + all_taken + tiles * DIGITS * count_size;
    size_t counters = kn_divide_up(n, loaded->tuning->sort_share);
    size_t most = loaded->tuning->sort_blocks;
    CUdeviceptr scratch, step, total, taken, told;
    memcpy(function, loaded->function, sizeof function);
    if (kn_scratch(context, stream, STEP * MOST_STEPS + zeros, &scratch))
        return -1;
    step = scratch + 16;
    total = step + STEP * MOST_STEPS;
    taken = total + sums;
    told = taken + all_taken;
    sorted_pair all = {.from = row->from, .to = row->to, .result = row->places};
    CUdeviceptr spares[] = {row->spare, row->spare_places};
    void *first[] = {&all.from, &total, &n};
    void *middle[] = {&all, &spares[0], &spares[1], &total, &step, &n};
    int failed = BD_CALL(state, cuMemsetD32Async, total, 0, zeros / 4, stream) ||
                 launch(context, function[0], counters < most ? counters : most,
                        GPU_BLOCK, stream, first) ||
                 launch(context, function[1], 1, GPU_BLOCK, stream, middle);
    for (unsigned place = 0; place < places && !failed; place++) {
        CUdeviceptr own_step = step + (size_t)place * STEP;
        CUdeviceptr own_total = total + (size_t)place * 8 * DIGITS;
        CUdeviceptr own_taken = taken + (size_t)place * 4;
        void *last[] = {&own_step, &own_total, &own_taken, &told, &n, &place};
        failed = launch(context, function[2], tiles, shape->threads, stream, last);
    }
    kn_scratch_used(context, scratch);
    return failed ? -1 : 0;
}

static int sort_one(bd_context *context, const kn_sort_request *row)
{
    unsigned variant = row->length > UINT32_MAX ? WIDE_PLACES : 0;
    variant |= row->length >> 30 ? WIDE_COUNTS : 0;
    size_t itemsize = kn_type_size(row->type);
    int is_host = drv_get_info()->is_host;
    int are_buckets =
        is_host && row->length <= MOST_IN_BUCKETS &&
        (itemsize == 8 || (itemsize == 4 && row->length >= FEWEST_IN_BUCKETS));
    variant |= are_buckets ? IN_BUCKETS : 0;
    variant |= row->places && (are_buckets || !is_host) ? HAS_PLACES : 0;
    kn_loaded *loaded = find(context, row, KN_SORT, variant);
    if (!loaded)
        return -1;
    if (are_buckets)
        return sort_by_buckets(context, loaded, row);
    if (loaded->tuning->sort_tile)
        return sort_by_stretches(context, loaded, row, variant & WIDE_PLACES ? 8 : 4);
    return sort_by_tiles(context, loaded, row, variant & WIDE_COUNTS ? 8 : 4);
}

/* -- Rows -------------------------------------------------------------------------- */

enum { MOST_BLOCKS = 1 << 20 };

/* What is at ITEMS_AT: on a GPU as few elements of a lane as make a row one warp's,
   else the most. Of bytes one pass over their only digit is less work than what several
   warps do together; a few rows are done sooner where a block's 256 threads have one.
 */
static unsigned warps_of(const kn_sort_request *rows)
{
    enum { FEW_ROWS = 64, WARP_ALONE = 256 };
    if (drv_get_info()->is_host || (rows->rows < FEW_ROWS && rows->length > WARP_ALONE))
        return 0;
    unsigned most = most_items_log(rows), log = rows->length <= 4 ? 2 : 3;
    unsigned block = kn_type_size(rows->type) > 1 ? SHORT_BLOCK : 0;
    while (log < most && rows->length > 32u << log)
        log++;
    if (rows->length <= 32u << log)
        return log;
    return rows->length <= block << most ? BY_BLOCKS : 0;
}

/* As in sort_warps.cuh: a row has no more lanes than its elements ask for. */
static int sort_by_warps(bd_context *context, const kn_sort_request *request,
                         unsigned warps)
{
    kn_sort_request all = *request;
    sorted_pair pair = {.from = all.from, .to = all.to, .result = all.places};
    unsigned n = (unsigned)all.length, lanes = 1;
    unsigned items_log = warps == BY_BLOCKS ? most_items_log(request) : warps;
    unsigned variant = warps << ITEMS_AT | (all.places ? HAS_PLACES : 0);
    kn_loaded *loaded = find(context, request, KN_SORT_ROWS, variant);
    if (!loaded)
        return -1;
    while (lanes << items_log < n)
        lanes *= 2;
    size_t blocks = kn_divide_up(all.rows, SHORT_BLOCK / lanes);
    void *params[] = {&pair, &all.rows, &n};
    return launch(context, loaded->function[0],
                  blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, SHORT_BLOCK, all.stream,
                  params);
}

/* As in sort_lanes.cuh. */
enum { ROW_LANES = 16, ROW_ITEMS = 8 };

/* Bytes of the words of as many rows, in what a core has of caches for itself; 0: their
   digits are fewer, or their words longer, than that is worth. */
static unsigned lanes_room(const kn_sort_request *rows)
{
    enum {
        FEWEST_ROWS = 8,
        MOST_NARROW = 64,
        MOST_PLACES = 512,
        MOST_ROOM = 160 << 10
    };
    size_t itemsize = kn_type_size(rows->type), n = rows->length;
    size_t word = !rows->places ? itemsize : itemsize < 4 ? 4 : 8;
    size_t slots = kn_divide_up(n, ROW_ITEMS) * ROW_ITEMS;
    if (!drv_get_info()->is_host || rows->rows < FEWEST_ROWS ||
        slots > MOST_ROOM / (ROW_LANES * word) || (itemsize < 4 && n > MOST_NARROW) ||
        (rows->places && (itemsize == 8 || n > MOST_PLACES)) || rows->type == KN_C64 ||
        rows->type == KN_C128)
        return 0;
    return (unsigned)(ROW_LANES * word * slots);
}

static int sort_by_lanes(bd_context *context, const kn_sort_request *request,
                         unsigned room)
{
    kn_sort_request all = *request;
    unsigned n = (unsigned)all.length,
             variant = BY_LANES << ITEMS_AT | (all.places ? HAS_PLACES : 0);
    kn_loaded *loaded = find(context, request, KN_SORT_ROWS, variant);
    if (!loaded || kn_allow_shared(context, loaded->function[0], room))
        return -1;
    sorted_pair pair = {.from = all.from, .to = all.to, .result = all.places};
    void *params[] = {&pair, &all.rows, &n};
    const unsigned grid[] = {(unsigned)kn_divide_up(all.rows, ROW_LANES), 1, 1};
    const unsigned block[] = {ROW_LANES, 1};
    return kn_launch_shared(context, loaded->function[0], grid, block, room, all.stream,
                            params);
}

static int sort_rows(bd_context *context, const kn_sort_request *request)
{
    kn_sort_request all = *request;
    sorted_pair pair = {.from = all.from, .to = all.to, .result = all.places};
    void *params[] = {&pair, &all.spare, &all.spare_places, &all.rows, &all.length};
    kn_loaded *loaded = find(context, request, KN_SORT_ROWS, 0);
    if (!loaded)
        return -1;
    const kn_tuning *tuning = loaded->tuning;
    size_t each = 1; /* rows of a block */
    if (tuning->sort_tile)
        each = kn_divide_up(tuning->sort_share, all.length);
    size_t blocks = kn_divide_up(all.rows, each);
    return launch(context, loaded->function[0],
                  blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS,
                  tuning->sort_tile ? 32 : GPU_BLOCK, all.stream, params);
}

int kn_sort(bd_context *context, const kn_sort_request *request)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    size_t itemsize = kn_type_size(request->type);
    unsigned warps = warps_of(request), room = lanes_room(request);
    if (!tuning)
        return -1;
    if (warps)
        return sort_by_warps(context, request, warps);
    if (room)
        return sort_by_lanes(context, request, room);
    if (request->length * itemsize <= tuning->sort_alone ||
        (request->rows >= tuning->sort_rows && request->length <= UINT32_MAX))
        return sort_rows(context, request);
    kn_sort_request row = *request;
    for (size_t r = 0; r < request->rows; r++) {
        size_t at = r * request->length;
        row.from = request->from + at * itemsize;
        row.to = request->to + at * itemsize;
        row.places = request->places ? request->places + 8 * at : 0;
        if (sort_one(context, &row))
            return -1;
    }
    return 0;
}

int kn_sort_takes_spare(const kn_sort_request *request)
{
    return !warps_of(request) && !lanes_room(request);
}

int kn_is_sorted_in_place(kn_type type)
{
    return kn_type_size(type) % 2 == 0;
}
