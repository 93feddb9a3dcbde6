/* Launching reductions and scans, and the reductions that arrays have by themselves. */
#include "kernel_text.h"
#include <string.h>

enum { MOST_ARRAYS = 3 };
static const struct {
    const char *name, *array[MOST_ARRAYS + 1], *neutral, *map, *reduce, *finish;
} reductions[KN_ROW_COUNT] = {
#define ARRAYS(...) {__VA_ARGS__}
#define REDUCTION(id, arrays, neutral, map, reduce) \
    [KN_##id] = {#id, arrays, neutral, map, reduce, NULL},
#define FINISHED_REDUCTION(id, arrays, neutral, map, reduce, finish) \
    [KN_##id] = {#id, arrays, neutral, map, reduce, finish},
#define FIRST_WHERE(id, arrays, test) [KN_##id] = {#id, arrays, NULL, test, NULL, NULL},
#include "reductions.def"
};

/* -- Geometry ------------------------------------------------------------------- */

int kn_launch_elementwise(bd_context *context, const kn_loaded *loaded, size_t n,
                          kn_loop loop, CUstream stream, void **params)
{
    int are_apart = loop == KN_LOOP_APART;
    unsigned block[2] = {KN_BLOCK, 1};
    unsigned grid[2] = {kn_divide_up(n, are_apart ? 4 * KN_BLOCK : KN_BLOCK), 1};
    unsigned most = loaded->tuning->loop_blocks;
    if (!are_apart && grid[0] > most)
        grid[0] = most;
    return kn_launch(context, loaded->function[0], grid, block, stream, params);
}

int kn_launch_reduction(bd_context *context, const kn_loaded *loaded, size_t n,
                        size_t itemsize, const kn_result_place *to, CUstream stream,
                        void **params)
{
    struct {
        CUdeviceptr result, echo;
    } places = {to->result, 0}; /* pycuda::result_places of reduction.cuh */
    const kn_tuning *tuning = loaded->tuning;
    unsigned blocks = kn_divide_up(n, tuning->reduction_share);
    unsigned most = tuning->reduction_blocks;
    unsigned block[2] = {tuning->reduction_threads, 1}, grid[2] = {1, 1};
    CUdeviceptr scratch = 0;
    grid[0] = blocks < 1 ? 1 : blocks > most ? most : blocks;
    if (grid[0] > 1 && kn_scratch(context, stream, most * itemsize, &scratch))
        return -1;
    if (to->memory) /* at once before the launch: it is to run before later echoes do */
        places.echo =
            bd_echo_begin(bd_context_state(context), context, to->memory, to->bytes);
    params[0] = &places;
    params[1] = &scratch;
    params[2] = &n;
    int failed = kn_launch(context, loaded->function[0], grid, block, stream, params);
    kn_scratch_used(context, scratch);
    return failed;
}

/* In one launch, by tiles of the shape that scan.cuh gives them. */
static int scan_once(bd_context *context, const kn_loaded *loaded, size_t n,
                     size_t itemsize, CUdeviceptr input, CUdeviceptr output,
                     CUstream stream)
{
    size_t each = itemsize <= 8 ? 16 / (itemsize & -itemsize) : itemsize == 16 ? 2 : 1;
    size_t fit = 160 / (each * itemsize), most = 64 / each;
    size_t rows = fit < 1 ? 1 : fit < most ? fit : most;
    unsigned block[2] = {itemsize <= 128 ? 128 : 32, 1}, grid[2] = {1, 1};
    unsigned tiles = kn_divide_up(n, each * rows * block[0]);
    size_t sums = 1; /* one for each tile, group of tiles, group of groups ... */
    for (unsigned level = tiles; level > 1; level = kn_divide_up(level, 32))
        sums += level;
    size_t words = 4 + 2 * sums * kn_divide_up(itemsize, 4);
    CUdeviceptr scratch = 0;
    void *params[] = {&input, &output, &scratch, &n, &n};
    grid[0] = loaded->tuning->scan_blocks;
    if (grid[0] > tiles)
        grid[0] = tiles;
    if (tiles > 1) {
        if (kn_scratch(context, stream, 4 * words, &scratch))
            return -1;
        scratch += 16; /* the counter stays as it is */
    }
    int failed =
        tiles > 1 && BD_CALL(bd_context_state(context), cuMemsetD32Async, scratch, 0,
                             words, stream)
            ? -1
            : kn_launch(context, loaded->function[0], grid, block, stream, params);
    kn_scratch_used(context, scratch);
    return failed;
}

int kn_launch_scan(bd_context *context, const kn_loaded *loaded, size_t n,
                   size_t itemsize, CUdeviceptr input, CUdeviceptr output,
                   CUstream stream)
{
    if (loaded->tuning->scan_blocks)
        return scan_once(context, loaded, n, itemsize, input, output, stream);
    enum { MOST = 4096, ALONE = 4096, SHORTEST = 512 }; /* stretches; their elements */
    size_t each = n <= ALONE ? n : 32 * kn_divide_up(n, 32 * MOST);
    each = n > ALONE && each < SHORTEST ? SHORTEST : each;
    size_t stretches = kn_divide_up(n, each);
    unsigned warp[2] = {32, 1}, one[2] = {1, 1}, grid[2] = {(unsigned)stretches, 1};
    CUdeviceptr sums = 0;
    void *params[] = {&input, &output, &sums, &n, &each};
    if (stretches == 1)
        return kn_launch(context, loaded->function[0], one, warp, stream, params);
    if (kn_scratch(context, stream, stretches * itemsize, &sums))
        return -1;
    sums += 16; /* the counter stays as it is */
    void *first[] = {&input, &sums, &sums, &n, &each};
    void *middle[] = {&sums, &sums, &sums, &stretches, &stretches};
    int failed = kn_launch(context, loaded->function[1], grid, warp, stream, first) ||
                 kn_launch(context, loaded->function[2], one, warp, stream, middle) ||
                 kn_launch(context, loaded->function[0], grid, warp, stream, params);
    kn_scratch_used(context, sums);
    return failed ? -1 : 0;
}

/* -- Reductions of arrays ------------------------------------------------------- */

/* What elements are folded in: on the host device wider for extremes (reduction.cuh).
 */
typedef struct {
    char text[64];
} type_name;

static kn_reduction_words words_of(const kn_reduction *reduction, type_name *type)
{
    int row = reduction->reduction, is_extreme = row == KN_MAX || row == KN_MIN;
    snprintf(type->text, sizeof type->text,
             is_extreme ? "pycuda::extreme<%s>::type" : "%s",
             reductions[row].reduce ? kn_type_name(reduction->compute) : "bool");
    return (kn_reduction_words){
        .type = type->text,
        .result_type = kn_type_name(reduction->storage),
        .neutral = reductions[row].neutral,
        .map = reductions[row].map,
        .reduce = reductions[row].reduce,
        .finish = reductions[row].finish,
        .commutes = 1,
    };
}

/* The one array of elements of a GPU's reduction that are too narrow to be loaded one
   by one; NULL: there is none. */
static const char *narrow_array(bd_context *context, const kn_reduction *reduction)
{
    enum { WORD = 4 };
    const char *const *array = reductions[reduction->reduction].array;
    const kn_tuning *tuning = kn_tuning_of(context);
    size_t size = kn_type_size(reduction->type[0]);
    return tuning && !array[1] && size < WORD && kn_each_of(tuning, size) > 1 ? array[0]
                                                                              : NULL;
}

static kn_loaded *make_kernel(bd_context *context, const kn_key *key,
                              const kn_reduction *reduction)
{
    const char *const *array = reductions[reduction->reduction].array;
    char name[40];
    type_name type;
    const char *names[] = {name};
    cmp_text text = {0}, arguments = {0};
    kn_reduction_words words = words_of(reduction, &type);
    words.narrow = narrow_array(context, reduction);
    kn_lower(reductions[reduction->reduction].name, name);
    for (int k = 0; array[k]; k++)
        kn_put(&arguments, "%sconst %s *%s", k ? ", " : "",
               kn_type_name(reduction->type[k]), array[k]);
    kn_put_narrow(&text, key->storage, KN_MOST_OPERANDS);
    if (!arguments.failed)
        kn_put_reduction(&text, &(kn_user){name, "", arguments.bytes}, &words);
    text.failed |= arguments.failed;
    cmp_text_clear(&arguments);
    return kn_load(context, key, &text, NULL, 0, 1, names);
}

/* The same over elements that are computed: chains stand for arrays. */
static kn_loaded *make_kernel_of_chains(bd_context *context, const kn_key *key,
                                        const kn_reduction *reduction)
{
    const char *const *array = reductions[reduction->reduction].array;
    PyObject *options = kn_chain_options();
    kn_loaded *loaded = NULL;
    char name[40];
    type_name type;
    const char *names[] = {name};
    cmp_text text = {0}, chains = {0}, arguments = {0};
    kn_reduction_words words = words_of(reduction, &type);
    kn_lower(reductions[reduction->reduction].name, name);
    for (int k = 0; array[k]; k++) {
        char chain[32];
        snprintf(chain, sizeof chain, "pycuda_chain_%s", array[k]);
        kn_put_chain(&chains, reduction->chain[k], chain);
        kn_put(&arguments, "%sconst %s %s", k ? ", " : "", chain, array[k]);
    }
    if (!arguments.failed && !chains.failed)
        kn_put_reduction(&text, &(kn_user){name, chains.bytes, arguments.bytes},
                         &words);
    text.failed |= arguments.failed | chains.failed;
    cmp_text_clear(&arguments);
    cmp_text_clear(&chains);
    if (options)
        loaded = kn_load(context, key, &text, options, 0, 1, names);
    else
        cmp_text_clear(&text);
    Py_XDECREF(options);
    return loaded;
}

_Static_assert(KN_ROW_COUNT <= 256, "a reduction is a byte of its form");
/* Number and parameters of a reduction over chains; -1: exception. */
static int note_chains(bd_context *context, const kn_reduction *reduction, kn_key *key,
                       void **params)
{
    const char *const *array = reductions[reduction->reduction].array;
    uint8_t form[4 + 2 * KN_CHAIN_FORM] = {0, (uint8_t)reduction->reduction,
                                           (uint8_t)reduction->compute,
                                           (uint8_t)reduction->storage};
    size_t size = 4;
    for (int k = 0; array[k]; k++) {
        size += kn_chain_form(reduction->chain[k], form + size);
        params[k] = reduction->chain[k]->value;
    }
    key->program = kn_chain_number(bd_context_state(context), form, size);
    return key->program ? 0 : -1;
}

int kn_reduce(bd_context *context, const kn_reduction *reduction)
{
    const char *const *array = reductions[reduction->reduction].array;
    int is_of_chains = reduction->chain[0] != NULL;
    void *params[3 + MOST_ARRAYS];
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = reduction->reduction;
    if (is_of_chains && note_chains(context, reduction, &key, params + 3))
        return -1;
    key.storage[0] = reduction->storage;
    key.compute[0] = reduction->compute;
    for (int k = 0; array[k] && !is_of_chains; k++) {
        key.storage[1 + k] = reduction->type[k];
        params[3 + k] = (void *)&reduction->operand[k];
    }
    kn_loaded *loaded = kn_find(context, &key);
    if (!loaded)
        loaded = is_of_chains ? make_kernel_of_chains(context, &key, reduction)
                              : make_kernel(context, &key, reduction);
    if (!loaded)
        return -1;
    return kn_launch_reduction(context, loaded, reduction->n,
                               2 * kn_type_size(reduction->compute), &reduction->to,
                               reduction->stream, params);
}
