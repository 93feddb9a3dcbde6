/* Stacks of small dense matrices, each of which a block factors in its own memory: a
   source for each dtype and what is asked, how much memory that is, and the launch. */
#include "kernel_text.h"

typedef struct {
    const char *name, *call;
    int elements; /* of a matrix that are worth a thread */
} routine;

static const routine routines[] = {
    [KN_SMALL_SOLVE] = {"pycuda_small_solve",
                        "solve_small(a, b, n, k, wide, x, outcomes)", 16},
    [KN_SMALL_DETERMINANT] = {"pycuda_small_determinant",
                              "determinant_small<W>(a, n, x, values, y, outcomes)", 16},
    [KN_SMALL_CHOLESKY] = {"pycuda_small_cholesky",
                           "cholesky_small<flag>(a, n, x, outcomes)", 16},
    [KN_SMALL_QR] = {"pycuda_small_qr", "qr_small(a, m, n, k, x, y, outcomes)", 16},
    [KN_SMALL_EIGEN] = {"pycuda_small_eigen",
                        "eigen_small<flag>(a, n, values, x, outcomes)", 4},
    [KN_SMALL_SVD] = {"pycuda_small_svd",
                      "svd_small<flag>(a, m, n, k, x, values, y, outcomes)", 8},
};
enum { WARP = 32, LEAST_WIDTH = 8, MOST_THREADS = 512, WIDE = 32 };

static kn_type real_of(kn_type type)
{
    return type == KN_C64 ? KN_F32 : type == KN_C128 ? KN_F64 : type;
}

/* Rows lie so many elements apart: as pycuda::pitch_of. */
static size_t pitch(size_t columns)
{
    return columns | 1;
}

/* Bytes of a block's memory, as pycuda::memory_of_block gives them out. */
static size_t bytes_of(const kn_small *s, long long wide)
{
    size_t size = kn_type_size(s->type), real = kn_type_size(real_of(s->type));
    size_t m = s->m, n = s->n, k = s->k, whole = n * pitch(n) * size;
    size_t least = m < n ? m : n;
    switch (s->kind) {
    case KN_SMALL_SOLVE:
        return whole + (2 + n * pitch(wide)) * size + (n + 1) * sizeof(int);
    case KN_SMALL_DETERMINANT:
        return whole + 2 * size + (n + 1) * sizeof(int);
    case KN_SMALL_CHOLESKY:
        return whole + n * real;
    case KN_SMALL_QR:
        return (m * pitch(s->has_vectors && k > n ? k : n) + least + 1) * size;
    case KN_SMALL_EIGEN:
        n += n % 2;
        return (s->has_vectors ? n + s->n : n) * pitch(n) * size +
               n / 2 * (2 * (size + real) + 2 * sizeof(double)) + s->n * real;
    default:
        k = s->has_vectors ? k : n;
        return (pitch(m) * k + (s->has_vectors ? n * pitch(n) : 0) + k) * size +
               (n + 3) / 4 * 4 * real + k * sizeof(int);
    }
}

/* How many right sides a block has in its memory at a time, with all of them or a
   warp's; 0: there is no room. */
static long long wide_of(const kn_small *s, size_t room)
{
    if (s->kind != KN_SMALL_SOLVE)
        return bytes_of(s, 0) <= room;
    long long wide = s->k < 2 * WIDE ? s->k : WIDE;
    return bytes_of(s, wide) <= room ? wide : 0;
}

static int has_room(const kn_small *s, const kn_tuning *tuning)
{
    enum { MOST = 1 << 10 }; /* sizes do not overflow */
    return s->m <= MOST && s->n <= MOST && s->k <= (1 << 20) && s->count <= INT_MAX &&
           wide_of(s, tuning->shared_bytes);
}

int kn_small_fits(bd_context *context, const kn_small *s)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    return tuning ? has_room(s, tuning) : -1;
}

static kn_loaded *find(bd_context *context, const kn_small *s)
{
    const routine *r = &routines[s->kind];
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_SMALL;
    key.variant = (uint8_t)(2 * s->kind + s->flag);
    key.storage[0] = s->type;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    int is_complex = real_of(s->type) != s->type;
    cmp_text text = {0};
    if (is_complex)
        kn_put(&text, "#include <pycuda-complex.hpp>\n");
    kn_put(&text,
           "#include <pycuda/small_rotations.cuh>\n"
           "typedef %s T;\ntypedef %s R;\ntypedef %s W;\nconst bool flag = %s;\n",
           kn_type_name(s->type), kn_type_name(real_of(s->type)),
           kn_type_name(is_complex ? KN_C128 : KN_F64), s->flag ? "true" : "false");
    kn_put(&text,
           "extern \"C\" __global__ void __launch_bounds__(%d) %s(\n"
           "    const T *a, const T *b, int m, int n, int k, int wide, T *x, "
           "R *values,\n    T *y, int *outcomes)\n{\n    pycuda::%s;\n}\n",
           MOST_THREADS, r->name, r->call);
    loaded = kn_load(context, &key, &text, NULL, 0, 1, &r->name);
    return loaded && !kn_allow_shared(context, loaded->function[0],
                                      loaded->tuning->shared_bytes)
               ? loaded
               : NULL;
}

/* Threads along a row of the matrix and rows of them; of singular values, along a
   column, and as many as there are pairs of columns. */
static void shape_block(const kn_small *s, unsigned shape[2])
{
    unsigned width = s->kind == KN_SMALL_SVD ? LEAST_WIDTH / 2 : LEAST_WIDTH;
    unsigned threads = WARP;
    long long along = s->kind == KN_SMALL_QR    ? s->m
                      : s->kind == KN_SMALL_SVD ? s->m / 4
                                                : s->n;
    while (width < WARP && width < along)
        width *= 2;
    long long wanted = s->kind == KN_SMALL_SVD
                           ? width * (s->n + 1) / 2
                           : s->m * s->n / routines[s->kind].elements;
    while (threads < MOST_THREADS && threads < wanted)
        threads *= 2;
    shape[0] = width;
    shape[1] = threads / width;
}

const char *kn_small_factor(bd_context *context, const kn_small *asked)
{
    kn_small s = *asked;
    kn_loaded *loaded = find(context, &s);
    if (!loaded)
        return NULL;
    const routine *r = &routines[s.kind];
    unsigned shape[2];
    shape_block(&s, shape);
    int m = (int)s.m, n = (int)s.n, k = (int)s.k;
    int wide = (int)wide_of(&s, loaded->tuning->shared_bytes);
    void *params[] = {&s.a,  &s.b, &m,        &n,   &k,
                      &wide, &s.x, &s.values, &s.y, &s.outcomes};
    /* Few matrices with many right sides: each is factored by several blocks. */
    long long parts = s.kind == KN_SMALL_SOLVE ? kn_divide_up(s.k, wide) : 1,
              most = 2 * loaded->tuning->processors / s.count;
    parts = parts > most ? most : parts;
    const unsigned grid[3] = {(unsigned)s.count, parts > 1 ? (unsigned)parts : 1, 1};
    return kn_launch_shared(context, loaded->function[0], grid, shape,
                            (unsigned)bytes_of(&s, wide), s.stream, params)
               ? NULL
               : r->name;
}
