/* Which elements are not zero, or between two others, and those elements or their
   places one after the other, in the order of elements. The launches are steps of a
   caller, who has to wait for how many there are before there is memory for them. */
#include "kernel_text.h"
#include <string.h>

enum { TILE = KN_MARK_TILE, PLACE_AXES = 32 }; /* as in compaction.cuh */
_Static_assert((int)PLACE_AXES >= (int)KN_MOST_AXES, "an array's axes have room");

/* Complex numbers of which a kernel moves the parts together: no header is needed. */
static const char *word_name(kn_type type)
{
    return type == KN_C64    ? "struct { unsigned low, high; }"
           : type == KN_C128 ? "struct { unsigned long long low, high; }"
                             : kn_type_name(type);
}

static const char elements_source[] =
    "extern \"C\" __global__ void pycuda_marked_elements(\n"
    "    const unsigned *marks, const long long *sums, const T *from, T *to,\n"
    "    size_t n)\n"
    "{\n"
    "    pycuda::for_each_mark(marks, sums, pycuda::marked_elements<T>{from, to, n});\n"
    "}\n";
static const char places_source[] =
    "extern \"C\" __global__ void pycuda_marked_places(\n"
    "    const unsigned *marks, const long long *sums,\n"
    "    const __grid_constant__ pycuda::axes_of_places axes)\n"
    "{\n"
    "    pycuda::for_each_mark(marks, sums, pycuda::marked_places<T>{axes});\n"
    "}\n";
static const char mark_source[] =
    "extern \"C\" __global__ void pycuda_mark(\n"
    "    const T *x, unsigned *marks, long long *counts, size_t n)\n"
    "{\n"
    "    pycuda::mark(x, marks, counts, n);\n"
    "}\n";

/* What the counts of either of these become. */
static const char sums_source[] =
    "extern \"C\" __global__ void pycuda_sum_marks(\n"
    "    long long *counts, size_t tiles, long long *total, long long *echo)\n"
    "{\n"
    "    pycuda::sum_marks(counts, tiles, total, echo);\n"
    "}\n";

static const char between_source[] =
    "extern \"C\" __global__ void pycuda_mark_between(\n"
    "    const T *x, unsigned *marks, long long *counts, size_t n, const T *low,\n"
    "    const T *high, unsigned long long *totals)\n"
    "{\n"
    "    pycuda::mark_between<C>(\n"
    "        x, marks, counts, n, low, high, totals);\n"
    "}\n";

static kn_loaded *find(bd_context *context, int program, kn_type storage,
                       const char *type, const char *name, const char *kernel)
{
    const char *names[] = {name, "pycuda_sum_marks"};
    int marks = program == KN_MARK || program == KN_MARK_BETWEEN;
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = program;
    key.storage[0] = storage;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    kn_put_narrow(&text, key.storage, 1);
    if (program == KN_MARK && (storage == KN_C64 || storage == KN_C128))
        kn_put(&text, "#include <pycuda-complex.hpp>\n");
    kn_put(&text, "#include <pycuda/compaction.cuh>\ntypedef %s T;\n", type);
    if (program == KN_MARK_BETWEEN)
        kn_put(&text, "typedef %s C;\n", kn_type_name(kn_type_compute(storage)));
    cmp_put_bytes(&text, kernel, strlen(kernel));
    if (marks)
        cmp_put_bytes(&text, sums_source, strlen(sums_source));
    return kn_load(context, &key, &text, NULL, 0, marks ? 2 : 1, names);
}

static int launch(bd_context *context, const kn_loaded *loaded, size_t n,
                  CUstream stream, void **params)
{
    const unsigned grid[2] = {(unsigned)kn_divide_up(n, TILE), 1};
    const unsigned block[2] = {loaded->tuning->mark_threads, 1};
    return kn_launch(context, loaded->function[0], grid, block, stream, params);
}

static int sum(bd_context *context, const kn_loaded *loaded, const kn_marks *marks)
{
    const kn_result_place *to = &marks->total;
    CUdeviceptr counts = marks->sums, total = to->result, echo = 0;
    size_t tiles = kn_divide_up(marks->n, TILE);
    const unsigned grid[2] = {1, 1}, block[2] = {loaded->tuning->mark_sum_threads, 1};
    void *params[] = {&counts, &tiles, &total, &echo};
    if (to->memory)
        echo = bd_echo_begin(bd_context_state(context), context, to->memory, to->bytes);
    return kn_launch(context, loaded->function[1], grid, block, marks->stream, params);
}

int kn_mark(bd_context *context, const kn_marks *marks, kn_type type, CUdeviceptr from)
{
    CUdeviceptr x = from, bits = marks->bits, counts = marks->sums;
    size_t n = marks->n;
    void *params[] = {&x, &bits, &counts, &n};
    kn_loaded *loaded = find(context, KN_MARK, type,
                             type == KN_BOOL ? "unsigned char" : kn_type_name(type),
                             "pycuda_mark", mark_source);
    return !loaded || launch(context, loaded, n, marks->stream, params)
               ? -1
               : sum(context, loaded, marks);
}

int kn_mark_between(bd_context *context, const kn_marks *marks, kn_type type,
                    CUdeviceptr from, CUdeviceptr low, CUdeviceptr high,
                    CUdeviceptr totals)
{
    CUdeviceptr bits = marks->bits, counts = marks->sums;
    size_t n = marks->n;
    void *params[] = {&from, &bits, &counts, &n, &low, &high, &totals};
    kn_loaded *loaded = find(context, KN_MARK_BETWEEN, type, kn_type_name(type),
                             "pycuda_mark_between", between_source);
    return !loaded || launch(context, loaded, n, marks->stream, params)
               ? -1
               : sum(context, loaded, marks);
}

int kn_marked_elements(bd_context *context, const kn_marks *marks, kn_type type,
                       CUdeviceptr from, CUdeviceptr to)
{
    CUdeviceptr bits = marks->bits, sums = marks->sums;
    size_t n = marks->n;
    void *params[] = {&bits, &sums, &from, &to, &n};
    kn_type word = kn_word_type(kn_type_size(type), from | to);
    word = word ? word : KN_C64; /* what else may lie between its size */
    kn_loaded *loaded = find(context, KN_MARKED_ELEMENTS, word, word_name(word),
                             "pycuda_marked_elements", elements_source);
    return loaded ? launch(context, loaded, marks->n, marks->stream, params) : -1;
}

int kn_marked_places(bd_context *context, const kn_marks *marks, int ndim,
                     const npy_intp *shape, const CUdeviceptr *to)
{
    struct {
        unsigned count;
        CUdeviceptr to[PLACE_AXES];
        size_t length[PLACE_AXES];
    } axes = {.count = (unsigned)ndim};
    CUdeviceptr bits = marks->bits, sums = marks->sums;
    void *params[] = {&bits, &sums, &axes};
    int is_long = marks->n > UINT32_MAX;
    for (int d = 0; d < ndim; d++) {
        axes.to[d] = to[d];
        axes.length[d] = shape[d];
    }
    kn_loaded *loaded =
        find(context, KN_MARKED_PLACES, is_long ? KN_U64 : KN_U32,
             is_long ? "size_t" : "unsigned", "pycuda_marked_places", places_source);
    return loaded ? launch(context, loaded, marks->n, marks->stream, params) : -1;
}
