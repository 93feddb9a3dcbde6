/* Matrix products: of any types by product.cuh, in the type of the result, float for 16
   bits; of floating-point numbers of one type, where a GPU has asynchronous copies, by
   product_gpu.cuh in larger tiles. Kernels are found again like those of element-wise
   operations. */
#include "kernel_text.h"
#include <string.h>

enum { MOST_MATRICES = 65535, MOST_ROWS = 65535 }; /* of a grid's other two axes */

/* -- By tiles of product.cuh ----------------------------------------------------- */

static void put_source(cmp_text *text, const kn_key *key)
{
    const char *const letters = "zab";
    const char *computes = kn_type_name(kn_type_compute(key->storage[0]));
    kn_put(text, "#include <pycuda-complex.hpp>\n");
    kn_put_narrow(text, key->storage, 3);
    /* With sums of 4 bytes four blocks of 64 registers a thread share a multiprocessor:
       on an H200 5 % faster than three of 80. Wider ones are best with what the
       compiler takes. */
    kn_put(
        text,
        "#include <pycuda/product.cuh>\n"
        "extern \"C\" __global__ void __launch_bounds__(256, sizeof(%s) == 4 ? 4 : 1)\n"
        "pycuda_product(long long m, long long n, long long length",
        computes);
    for (int k = 0; k < 3; k++)
        kn_put(text, ", pycuda::matrices<%s%s> %c", k ? "const " : "",
               kn_type_name(key->storage[k]), letters[k]);
    kn_put(text, ")\n{\n    pycuda::multiply<%s>(m, n, length, z, a, b);\n}\n",
           computes);
}

static kn_loaded *find(bd_context *context, const kn_type *types)
{
    static const char *const name = "pycuda_product";
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_PRODUCT;
    for (int k = 0; k < 3; k++)
        key.storage[k] = types[k];
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    put_source(&text, &key);
    return kn_load(context, &key, &text, NULL, 0, 1, &name);
}

static int multiply_plainly(bd_context *context, const kn_product *product)
{
    enum { SIDE = KN_PRODUCT_SIDE, TILE = KN_PRODUCT_TILE };
    const kn_type types[] = {product->z.type, product->a.type, product->b.type};
    kn_product p = *product;
    void *params[] = {&p.m, &p.n, &p.length, &p.z, &p.a, &p.b};
    unsigned block[2] = {SIDE, SIDE};
    unsigned grid[3] = {(unsigned)kn_divide_up(p.n, TILE),
                        (unsigned)kn_divide_up(p.m, TILE), (unsigned)p.count};
    kn_loaded *loaded = find(context, types);
    return loaded ? kn_launch_shared(context, loaded->function[0], grid, block, 0,
                                     product->stream, params)
                  : -1;
}

/* -- By tiles of product_gpu.cuh -------------------------------------------------- */

/* As copy_mode there. */
enum { OUTER, INNER, EACH_OUTER, EACH_INNER };

/* What its kernels take, as they declare it. */
typedef struct {
    CUdeviceptr first;
    long long outer, inner, apart;
} panel;
typedef struct {
    CUdeviceptr first;
    long long down, across, apart, slice_apart;
} tile_result;
typedef struct {
    long long m, n, length, slice;
    int span, down, across;
} tile_shape;

/* How a product is cut: which tile, and, as split-K, how many slices of k blocks of
   their own have, how long. */
typedef struct {
    const kn_product_tile *tile;
    int is_small, mode_a, mode_b;
    long long down, across, slice, slices;
    kn_type type, compute;
} plan;

/* Elements of operands that are in the tables of tiles, by their size; -1: others. */
static int row_of(kn_type type)
{
    return type == KN_F16 || type == KN_BF16 ? 0
           : type == KN_F32                  ? 1
           : type == KN_F64                  ? 2
                                             : -1;
}

static panel panel_of(const kn_matrices *matrices, int is_right)
{
    long long down = matrices->down, across = matrices->across;
    return (panel){matrices->first, is_right ? across : down, is_right ? down : across,
                   matrices->apart};
}

static int mode_of(const panel *p, size_t size)
{
    long long places = (long long)(p->first | p->apart * size);
    if (p->outer == 1 && (places | p->inner * (long long)size) % 16 == 0)
        return OUTER;
    if (p->inner == 1 && size != 4 && (places | p->outer * (long long)size) % 16 == 0)
        return INNER;
    return llabs(p->inner) < llabs(p->outer) ? EACH_INNER : EACH_OUTER;
}

/* Bytes of shared memory, as product_block counts them. */
static unsigned shared_bytes(const plan *plan, int has_spans)
{
    const kn_product_tile *tile = plan->tile;
    unsigned size = (unsigned)kn_type_size(plan->type);
    unsigned a = tile->k * (tile->m + 4), b = tile->k * (tile->n + 4);
    unsigned gap = size == 2 ? 8 : 4;
    if (size != 4) {
        int a_inner = plan->mode_a == INNER || plan->mode_a == EACH_INNER;
        int b_inner = plan->mode_b == INNER || plan->mode_b == EACH_INNER;
        a = a_inner ? tile->m * (tile->k + gap) : tile->k * (tile->m + gap);
        b = b_inner ? tile->n * (tile->k + gap) : tile->k * (tile->n + gap);
    }
    unsigned sums = tile->m * tile->n * (unsigned)kn_type_size(plan->compute);
    return tile->stages * (a + b) * size + (has_spans ? sums : 0);
}

/* What the busiest multiprocessor has to do, in results of large tiles. */
static double cost_of(const kn_product *p, const kn_product_tile *tile,
                      unsigned processors)
{
    double tiles =
        (double)kn_divide_up(p->m, tile->m) * kn_divide_up(p->n, tile->n) * p->count;
    double most = (double)(long long)((tiles + processors - 1) / processors);
    return most * tile->m * tile->n * tile->cost;
}

/* 0: not for these tiles. */
static int plan_make(plan *plan, const kn_tuning *tuning, const kn_product *p)
{
    int row = row_of(p->z.type);
    if (row < 0 || !p->length || p->a.type != p->z.type || p->b.type != p->z.type ||
        !tuning->product_small[row].m)
        return 0;
    const kn_product_tile *large = &tuning->product_large[row];
    const kn_product_tile *small = &tuning->product_small[row];
    panel a = panel_of(&p->a, 0), b = panel_of(&p->b, 1);
    plan->type = p->z.type;
    plan->compute = kn_type_compute(p->z.type);
    plan->mode_a = mode_of(&a, kn_type_size(plan->type));
    plan->mode_b = mode_of(&b, kn_type_size(plan->type));
    plan->is_small =
        cost_of(p, small, tuning->processors) < cost_of(p, large, tuning->processors);
    plan->tile = plan->is_small ? small : large;
    if (shared_bytes(plan, p->length > plan->tile->span) > tuning->shared_bytes) {
        plan->is_small = 1;
        plan->tile = small;
    }
    plan->down = kn_divide_up(p->m, plan->tile->m);
    plan->across = kn_divide_up(p->n, plan->tile->n);
    double tiles = (double)plan->down * plan->across, all = tiles * p->count;
    plan->slices =
        2 * all > tuning->processors ? 1 : (long long)(tuning->product_blocks / all);
    if (plan->slices > p->length / tuning->product_slice)
        plan->slices = p->length / tuning->product_slice;
    plan->slice = kn_divide_up(p->length, plan->slices > 1 ? plan->slices : 1);
    plan->slice = kn_divide_up(plan->slice, plan->tile->k) * plan->tile->k;
    plan->slices = kn_divide_up(p->length, plan->slice);
    return tiles < INT_MAX / 16 &&
           shared_bytes(plan, p->length > plan->tile->span) <= tuning->shared_bytes;
}

static kn_loaded *find_tiles(bd_context *context, const plan *plan, kn_type result)
{
    static const char *const name = "pycuda_product";
    static const char *const modes[] = {"OUTER", "INNER", "EACH_OUTER", "EACH_INNER"};
    const kn_product_tile *t = plan->tile;
    const char *type = kn_type_name(plan->type);
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_PRODUCT;
    key.variant = (uint8_t)(1 + 16 * plan->is_small + 4 * plan->mode_a + plan->mode_b);
    key.storage[0] = result;
    key.storage[1] = key.storage[2] = plan->type;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    kn_put_narrow(&text, key.storage, 3);
    kn_put(&text,
           "#include <pycuda/product_gpu.cuh>\n"
           "extern \"C\" __global__ void __launch_bounds__(%u, %u) pycuda_product(\n"
           "    pycuda::product_shape shape, pycuda::product_result<%s> z,\n"
           "    pycuda::panel<%s> a, pycuda::panel<%s> b)\n{\n"
           "    typedef pycuda::product_tile<%u, %u, %u, %u, %u, %u> tile;\n",
           32 * t->down * t->across, t->blocks, kn_type_name(result), type, type, t->m,
           t->n, t->k, t->stages, t->down, t->across);
    kn_put(&text,
           "    pycuda::product_block<%s, tile, pycuda::COPY_%s,\n"
           "        pycuda::COPY_%s>::run_all(shape, z, a, b);\n}\n",
           type, modes[plan->mode_a], modes[plan->mode_b]);
    loaded = kn_load(context, &key, &text, NULL, 0, 1, &name);
    unsigned most = shared_bytes(plan, 1),
             there = loaded ? loaded->tuning->shared_bytes : 0;
    return loaded && !kn_allow_shared(context, loaded->function[0],
                                      most < there ? most : there)
               ? loaded
               : NULL;
}

static kn_loaded *find_sum(bd_context *context, kn_type result, kn_type compute)
{
    static const char *const name = "pycuda_product_sum";
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_PRODUCT_SLICES;
    key.storage[0] = result;
    key.storage[1] = compute;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    const char *type = kn_type_name(result), *sum = kn_type_name(compute);
    kn_put_narrow(&text, key.storage, 1);
    kn_put(&text,
           "#include <pycuda/product_gpu.cuh>\n"
           "extern \"C\" __global__ void pycuda_product_sum(long long m, long long n,\n"
           "    int slices, pycuda::product_result<%s> z, const %s *from)\n{\n"
           "    pycuda::sum_slices(m, n, slices, z, from);\n}\n",
           type, sum);
    return kn_load(context, &key, &text, NULL, 0, 1, &name);
}

static int run_tiles(bd_context *context, const kn_product *p, const plan *plan,
                     tile_result z)
{
    const kn_product_tile *tile = plan->tile;
    kn_loaded *loaded =
        find_tiles(context, plan, plan->slices > 1 ? plan->compute : plan->type);
    tile_shape shape = {p->m,
                        p->n,
                        p->length,
                        plan->slice,
                        (int)tile->span,
                        (int)plan->down,
                        (int)plan->across};
    panel a = panel_of(&p->a, 0), b = panel_of(&p->b, 1);
    void *params[] = {&shape, &z, &a, &b};
    const unsigned grid[3] = {(unsigned)(plan->down * plan->across),
                              (unsigned)plan->slices, (unsigned)p->count};
    const unsigned block[2] = {32 * tile->down * tile->across, 1};
    return loaded ? kn_launch_shared(context, loaded->function[0], grid, block,
                                     shared_bytes(plan, plan->slice > tile->span),
                                     p->stream, params)
                  : -1;
}

/* Split-K: the sums of each slice are left in scratch memory. */
static int run_slices(bd_context *context, const kn_product *p, const plan *plan,
                      tile_result z)
{
    kn_loaded *loaded = find_sum(context, plan->type, plan->compute);
    size_t elements = (size_t)(p->count * p->m * p->n);
    size_t bytes = plan->slices * elements * kn_type_size(plan->compute);
    CUdeviceptr scratch;
    if (!loaded || kn_scratch(context, p->stream, bytes, &scratch))
        return -1;
    tile_result slices = {scratch + 16, p->n, 1, p->m * p->n, (long long)elements};
    long long m = p->m, n = p->n;
    int count = (int)plan->slices;
    void *params[] = {&m, &n, &count, &z, &slices.first};
    const unsigned block[2] = {KN_BLOCK, 1};
    const unsigned grid[3] = {(unsigned)kn_divide_up(n, KN_BLOCK),
                              (unsigned)(m < MOST_ROWS ? m : MOST_ROWS),
                              (unsigned)p->count};
    int failed = run_tiles(context, p, plan, slices) ||
                 kn_launch_shared(context, loaded->function[0], grid, block, 0,
                                  p->stream, params);
    kn_scratch_used(context, scratch);
    return failed ? -1 : 0;
}

/* -- The door -------------------------------------------------------------------- */

static int multiply_some(bd_context *context, const kn_tuning *tuning,
                         const kn_product *p)
{
    plan plan;
    if (!plan_make(&plan, tuning, p))
        return multiply_plainly(context, p);
    tile_result z = {p->z.first, p->z.down, p->z.across, p->z.apart, 0};
    return plan.slices > 1 ? run_slices(context, p, &plan, z)
                           : run_tiles(context, p, &plan, z);
}

int kn_multiply(bd_context *context, const kn_product *product)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    kn_product some = *product;
    kn_matrices *stacks[] = {&some.z, &some.a, &some.b};
    for (long long left = product->count; tuning && left > 0; left -= some.count) {
        some.count = left < MOST_MATRICES ? left : MOST_MATRICES;
        if (multiply_some(context, tuning, &some))
            return -1;
        for (int k = 0; k < 3; k++)
            stacks[k]->first +=
                some.count * stacks[k]->apart * kn_type_size(stacks[k]->type);
    }
    return tuning ? 0 : -1;
}

int kn_product_wants_copies(bd_context *context, const kn_product *p)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    int row = row_of(p->z.type);
    size_t size = kn_type_size(p->z.type);
    panel a = panel_of(&p->a, 0), b = panel_of(&p->b, 1);
    if (!tuning)
        return -1;
    if (row < 0 || !tuning->product_small[row].m ||
        (double)p->count * p->m * p->n * p->length < tuning->product_copies)
        return 0;
    return p->a.type != p->z.type || p->b.type != p->z.type ||
           (size != 4 && (mode_of(&a, size) > INNER || mode_of(&b, size) > INNER));
}
