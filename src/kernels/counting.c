/* How many elements of an array are in each of a few bins: a source for each dtype, and
   the launch. Blocks have a stretch each, as those of a reduction. */
#include "kernel_text.h"

/* kn_key.variant */
enum { NUMBERED, BETWEEN, EVEN };

static const char source[] =
    "extern \"C\" __global__ void pycuda_count(\n"
    "    const T *x, const void *edges, unsigned long long *counts, size_t n,\n"
    "    size_t share, unsigned bins)\n"
    "{\n"
    "    pycuda::count<bins_of>(x, edges, counts, n, share, bins);\n"
    "}\n";

static kn_loaded *find(bd_context *context, const kn_counting *counting)
{
    static const char *const name[] = {"pycuda_count"};
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_COUNT_BINS;
    key.variant = !counting->edges ? NUMBERED : counting->is_even ? EVEN : BETWEEN;
    key.storage[0] = counting->type;
    key.storage[1] = counting->edges ? counting->edge_type : KN_NONE;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    kn_put_narrow(&text, key.storage, 2);
    kn_put(&text, "#include <pycuda/counting.cuh>\ntypedef %s T;\n",
           kn_type_name(counting->type));
    if (counting->edges)
        kn_put(&text, "typedef pycuda::bins_between<T, %s, %s> bins_of;\n",
               kn_type_name(counting->edge_type), counting->is_even ? "true" : "false");
    else
        kn_put(&text, "typedef pycuda::numbered_bins<T> bins_of;\n");
    cmp_put_bytes(&text, source, sizeof source - 1);
    return kn_load(context, &key, &text, NULL, 0, 1, name);
}

int kn_count(bd_context *context, const kn_counting *counting)
{
    kn_loaded *loaded = find(context, counting);
    if (!loaded)
        return -1;
    const kn_tuning *tuning = loaded->tuning;
    CUdeviceptr x = counting->from, edges = counting->edges, counts = counting->counts;
    size_t n = counting->n, blocks = kn_divide_up(n, tuning->reduction_share);
    blocks = blocks < tuning->reduction_blocks ? blocks : tuning->reduction_blocks;
    size_t share = kn_divide_up(n, blocks);
    unsigned bins = counting->bins;
    void *params[] = {&x, &edges, &counts, &n, &share, &bins};
    return kn_launch(context, loaded->function[0], (unsigned[]){(unsigned)blocks, 1},
                     (unsigned[]){tuning->reduction_threads, 1}, counting->stream,
                     params);
}
