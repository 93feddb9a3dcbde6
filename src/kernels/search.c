/* Places of many values in a sorted array, on a GPU: a source for each pair of dtypes
   and side, and the launches, one for the index of a long array and one for all
   values. How the keys are cut into levels is decided here, from how many there are
   and how much shared memory a block may have. Other devices, dtypes and sizes search
   by an element-wise operation. */
#include "kernel_text.h"
#include <string.h>

/* As in search.cuh. */
enum { MOST_LEVELS = 12, NODE_BYTES = 32, THREADS = 1024 };
typedef struct {
    unsigned n, height, levels, start[MOST_LEVELS + 2];
} search_plan;

enum { TREE_BYTES = 128 * 1024 }; /* of a block at most: more would leave no L1 cache */
enum { MOST_KEYS = 1 << 24 };     /* whose index is some 40 MB of scratch memory */

static const char source[] =
    "extern \"C\" __global__ void pycuda_search_prepare(\n"
    "    const K *keys, K *index, const __grid_constant__ pycuda::search_plan plan)\n"
    "{\n"
    "    pycuda::search_prepare(keys, index, plan);\n"
    "}\n"
    "extern \"C\" __global__ void PYCUDA_SEARCH_BOUNDS pycuda_search(\n"
    "    const V *x, const K *keys, const K *index, long long *places, size_t n,\n"
    "    const __grid_constant__ pycuda::search_plan plan)\n"
    "{\n"
    "    pycuda::search_all<IS_BEHIND>(x, keys, index, places, n, plan);\n"
    "}\n";

static kn_loaded *find(bd_context *context, const kn_search_request *request,
                       unsigned tree_bytes)
{
    static const char *const names[] = {"pycuda_search_prepare", "pycuda_search"};
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_SEARCH;
    key.variant = request->is_behind != 0;
    key.storage[0] = request->type;
    key.storage[1] = request->key_type;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    kn_put_narrow(&text, key.storage, 2);
    kn_put(&text,
           "#include <pycuda/search.cuh>\ntypedef %s V;\ntypedef %s K;\n"
           "enum { IS_BEHIND = %d };\n",
           kn_type_name(request->type), kn_type_name(request->key_type),
           request->is_behind != 0);
    cmp_put_bytes(&text, source, sizeof source - 1);
    loaded = kn_load(context, &key, &text, NULL, 0, 2, names);
    return loaded && !kn_allow_shared(context, loaded->function[1], tree_bytes) ? loaded
                                                                                : NULL;
}

/* Bytes of shared memory for a tree, a power of two. */
static unsigned tree_bytes_of(const kn_tuning *tuning)
{
    unsigned bytes = TREE_BYTES;
    while (bytes > tuning->shared_bytes)
        bytes /= 2;
    return bytes;
}

/* As few levels as the tree allows, and then as low a tree as they do. */
static search_plan plan_for(size_t n, size_t itemsize, unsigned tree_bytes)
{
    search_plan plan = {.n = (unsigned)n};
    unsigned most = tree_bytes / (unsigned)itemsize,
             node = NODE_BYTES / (unsigned)itemsize;
    size_t count = n;
    if (n >= most)
        do {
            count = kn_divide_up(count, node);
            plan.levels++;
            plan.start[plan.levels + 1] =
                plan.start[plan.levels] + (unsigned)(kn_divide_up(count, node) * node);
        } while (count > most);
    while (1u << plan.height < count + !plan.levels)
        plan.height++;
    return plan;
}

int kn_is_searched(bd_context *context, const kn_search_request *request)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    if (!tuning)
        return -1;
    size_t size = kn_type_size(request->key_type);
    return tuning->search_least && request->n >= tuning->search_least &&
           request->n >= request->keys / 4 && request->keys > 0 &&
           request->keys <= MOST_KEYS && (size == 4 || size == 8) &&
           request->key_type <= KN_F64 && request->type <= KN_F64 &&
           request->sorted % 16 == 0;
}

/* Where the index begins, in scratch memory that is the caller's until it gives it
   back; 0: none is needed. */
static int prepare(bd_context *context, const kn_loaded *loaded,
                   const kn_search_request *request, search_plan *plan,
                   CUdeviceptr *scratch, CUdeviceptr *index)
{
    unsigned entries = plan->levels ? plan->start[plan->levels + 1] : 0;
    size_t bytes = entries * kn_type_size(request->key_type);
    CUdeviceptr keys = request->sorted;
    if (!entries)
        return 0;
    if (kn_scratch(context, request->stream, bytes + NODE_BYTES, scratch))
        return -1;
    *index = (*scratch + 16 + NODE_BYTES - 1) / NODE_BYTES * NODE_BYTES;
    void *params[] = {&keys, index, plan};
    const unsigned grid[2] = {(unsigned)kn_divide_up(entries, KN_BLOCK), 1};
    const unsigned block[2] = {KN_BLOCK, 1};
    return kn_launch(context, loaded->function[0], grid, block, request->stream,
                     params);
}

int kn_search(bd_context *context, const kn_search_request *request)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    unsigned tree_bytes = tuning ? tree_bytes_of(tuning) : 0;
    kn_loaded *loaded = tuning ? find(context, request, tree_bytes) : NULL;
    if (!loaded)
        return -1;
    size_t size = kn_type_size(request->key_type), n = request->n;
    search_plan plan = plan_for(request->keys, size, tree_bytes);
    CUdeviceptr x = request->from, keys = request->sorted, places = request->places;
    CUdeviceptr scratch = 0, index = 0;
    unsigned shared = (unsigned)size << plan.height;
    size_t blocks = tuning->processors * (shared > TREE_BYTES / 2 ? 1 : 2);
    size_t worthwhile = kn_divide_up(n, 2 * THREADS);
    const unsigned grid[3] = {(unsigned)(blocks < worthwhile ? blocks : worthwhile), 1,
                              1};
    const unsigned block[2] = {THREADS, 1};
    void *params[] = {&x, &keys, &index, &places, &n, &plan};
    int failed = prepare(context, loaded, request, &plan, &scratch, &index) ||
                 kn_launch_shared(context, loaded->function[1], grid, block, shared,
                                  request->stream, params);
    if (scratch)
        kn_scratch_used(context, scratch);
    return failed ? -1 : 0;
}
