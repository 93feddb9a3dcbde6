/* The door of this room: kernels made to measure. An element-wise operation is a row of
   operations.def; it becomes a kernel for the operands' types and layouts when such a
   combination is first met, and is found in a table of the context from then on.
   Kernels that users write are numbered, and kept in the same table. All functions run
   under the GIL; -1 or NULL: an exception is set. */
#ifndef PYCUDA_KERNELS_H
#define PYCUDA_KERNELS_H

#include "binding/native.h"
#include "binding/numpy_api.h"
#include "compile/compile.h"

/* -- Types of elements ---------------------------------------------------------- */

/* TYPE(id, NumPy's type number, bytes, the type in CUDA C++) */
#define KN_TYPES(TYPE)                                 \
    TYPE(BOOL, NPY_BOOL, 1, "bool")                    \
    TYPE(I8, NPY_BYTE, 1, "signed char")               \
    TYPE(U8, NPY_UBYTE, 1, "unsigned char")            \
    TYPE(I16, NPY_SHORT, 2, "short")                   \
    TYPE(U16, NPY_USHORT, 2, "unsigned short")         \
    TYPE(I32, NPY_INT, 4, "int")                       \
    TYPE(U32, NPY_UINT, 4, "unsigned")                 \
    TYPE(I64, NPY_LONG, 8, "long long")                \
    TYPE(U64, NPY_ULONG, 8, "unsigned long long")      \
    TYPE(F16, NPY_HALF, 2, "half")                     \
    TYPE(BF16, -1, 2, "__nv_bfloat16")                 \
    TYPE(F32, NPY_FLOAT, 4, "float")                   \
    TYPE(F64, NPY_DOUBLE, 8, "double")                 \
    TYPE(C64, NPY_CFLOAT, 8, "pycuda::complex<float>") \
    TYPE(C128, NPY_CDOUBLE, 16, "pycuda::complex<double>")

typedef enum {
    KN_NONE, /* not to compute with: structs, strings, foreign byte order */
#define TYPE(id, number, size, name) KN_##id,
    KN_TYPES(TYPE)
#undef TYPE
        KN_TYPE_COUNT
} kn_type;

kn_type kn_type_of(PyArray_Descr *dtype);
PyArray_Descr *kn_type_dtype(kn_type type); /* new reference */
size_t kn_type_size(kn_type type);
/* What elements of so many bytes are moved by, whatever they are: a word, or two of 8
   bytes, where `places`, addresses and distances or-ed together, are multiples of it;
   else KN_NONE. Complex numbers and packed structs may lie at less than their size. */
kn_type kn_word_type(size_t size, size_t places);
/* What an operation on that type computes in: float for narrow ones. */
static inline kn_type kn_type_compute(kn_type type)
{
    return type == KN_F16 || type == KN_BF16 ? KN_F32 : type;
}

/* -- Operations: element-wise, and reductions along an axis ----------------------- */

enum {
#define OPERATION(id, numpy, signature, code) KN_##id,
#define AXIS_REDUCTION(id, signature, first, code, combine) KN_##id,
#include "operations.def"
    KN_OPERATION_COUNT
};
enum { KN_MOST_OPERANDS = 6, KN_MOST_AXES = 32 };

/* What a variable of an operation's code is; operations.def says more. */
typedef enum {
    KN_END, /* behind the last one */
    KN_INDEX,
    KN_PLACE, /* this and those below are operands of a request */
    KN_FIRST,
    KN_TABLE,
    KN_BASE,
    KN_ELEMENT,
    KN_RESULT,
} kn_role;

typedef struct {
    uint8_t results, inputs; /* operands that callers pass, in this order */
    struct {
        const char *name;
        kn_role role;
    } variable[KN_MOST_OPERANDS + 1];
} kn_signature;

typedef struct {
    const char *name, *numpy;
    const kn_signature *signature;
    const char *code;
    const char *first; /* of reductions; NULL: an element-wise operation */
    int combine;       /* of reductions: the one for partial results */
} kn_operation;
extern const kn_operation kn_operations[KN_OPERATION_COUNT];

/* What messages call it: NumPy's name, else the id in lower case, which `text` holds.
 */
#define KN_TITLE 24
const char *kn_title(int operation, char text[KN_TITLE]);

typedef struct {
    CUdeviceptr pointer;      /* of the element with all indices 0 */
    const npy_intp *strides;  /* bytes, for each axis; of arrays that are no tables */
    uint8_t storage, compute; /* kn_type, in memory and in the operation */
    uint8_t is_scalar;
    _Alignas(16) char value[16]; /* of a scalar, in the type `compute` */
} kn_operand;

/* One operation on one shape. storage KN_NONE is for KN_COPY: elements of `itemsize`
   bytes, copied as they are. */
typedef struct {
    int operation, ndim;
    int is_flat; /* one axis, without gaps in any operand: strides need not be there */
    const npy_intp *shape;
    size_t itemsize;
    npy_intp axis_length; /* of an axis reduction: how many elements become one, */
    npy_intp axis_stride[KN_MOST_OPERANDS]; /* and their distance in each operand; */
    double axis_divisor;                    /* of sums, at last; 1: none */
    int axis_is_rooted;                     /* roots of variances are wanted */
    CUstream stream;
    kn_operand operand[KN_MOST_OPERANDS]; /* in the order of the signature */
} kn_request;

int kn_operate(bd_context *context, const kn_request *request);

/* -- Chains of element-wise operations -------------------------------------------- */

enum { KN_CHAIN_STEPS = 64, KN_CHAIN_OPERANDS = 64, KN_CHAIN_INPUTS = 3 };
enum { KN_CHAIN_OPERAND = 0x80, KN_CHAIN_SCALAR = 0x80 };

/* One operation with one result, of elements and scalars. types: kn_type, the result's
   first, then those that it takes its inputs in. from: the number of an earlier step,
   or KN_CHAIN_OPERAND and that of an operand. What is not used is 0. */
typedef struct {
    uint8_t operation, types[1 + KN_CHAIN_INPUTS], from[KN_CHAIN_INPUTS];
} kn_chain_step;

/* Operations on flat arrays, each on results of those before it; that of the last one
   is written. Types are plain: of bool, integers, float and double. */
typedef struct {
    int steps, operands;
    kn_chain_step step[KN_CHAIN_STEPS];
    uint8_t type[KN_CHAIN_OPERANDS];   /* kn_type, with KN_CHAIN_SCALAR of a number */
    uint64_t value[KN_CHAIN_OPERANDS]; /* an address, or a number's bytes */
    size_t n;
    CUdeviceptr result;
    CUstream stream;
} kn_chain;

/* Of its elements. A chain without steps is its one operand, an array. */
static inline kn_type kn_chain_type(const kn_chain *chain)
{
    return chain->steps ? chain->step[chain->steps - 1].types[0] : chain->type[0];
}

typedef struct kn_chain_forms kn_chain_forms;
int kn_chain_run(bd_context *context, kn_chain *chain);
/* How many forms of chains there were so far. */
uint32_t kn_chain_count(bd_state *state);

/* The order of axes, fastest first, that suits the strides of `count` operands; C order
   where they leave it open. If they disagree, the first decides, or C (is_c_first). */
void kn_order_axes(int ndim, int count, const npy_intp *const *strides, int is_c_first,
                   int *order);

/* -- Reductions of whole arrays ------------------------------------------------- */

enum {
    KN_BEFORE_REDUCTIONS = KN_OPERATION_COUNT - 1,
#define REDUCTION(id, arrays, neutral, map, reduce) KN_##id,
#include "reductions.def"
    KN_PRODUCT,
    KN_PRODUCT_SLICES,
    KN_SORT,
    KN_SORT_ROWS,
    KN_MARK,
    KN_MARK_BETWEEN,
    KN_MARKED_ELEMENTS,
    KN_MARKED_PLACES,
    KN_COUNT_BINS,
    KN_SEARCH,
    KN_GATHER,
    KN_TRIANGLE,
    KN_IDENTITY,
    KN_DETERMINANT,
    KN_SMALL,
    KN_ACCUMULATE,
    KN_ROW_COUNT /* operations and reductions share the numbers of kn_key.program */
};

/* Where a result goes, of so many bytes. memory: borrowed; it may have an echo
   (bd_echo_begin), unless it is NULL. */
typedef struct {
    CUdeviceptr result;
    PyObject *memory;
    size_t bytes;
} kn_result_place;

typedef struct {
    int reduction;
    size_t n;
    kn_type compute, storage; /* of the result */
    kn_result_place to;
    kn_type type[3]; /* of the operands, which are contiguous */
    CUdeviceptr operand[3];
    kn_chain *chain[2]; /* borrowed: what computes the operands in place of the arrays
                           above; NULL: nothing does */
    CUstream stream;
} kn_reduction;

int kn_reduce(bd_context *context, const kn_reduction *reduction);

/* -- Running results along an axis ------------------------------------------------ */

/* What an associative and commutative operation of two inputs makes of the first
   elements along an axis, of each number of them. lines: KN_COPY from elements to
   results, computed as results are, in all axes but that one, of which axis_length and
   axis_stride tell. 1; 0: they have more axes than kernels know; -1. */
int kn_accumulate(bd_context *context, int operation, const kn_request *lines);

/* -- Matrix products ------------------------------------------------------------ */

/* Matrices that are `apart`, with elements that are `down` and `across` apart. */
typedef struct {
    CUdeviceptr first;
    long long down, across, apart;
    kn_type type;
} kn_matrices;

/* z = a b, `count` times, with m rows and n columns, each the sum of `length` products,
   of which alone there may be none. */
typedef struct {
    long long count, m, n, length;
    kn_matrices z, a, b;
    CUstream stream;
} kn_product;

enum { KN_PRODUCT_SIDE = 16, KN_PRODUCT_TILE = 64 }; /* as in product.cuh */
int kn_multiply(bd_context *context, const kn_product *product);
/* Whether it is worth to copy operands first, to that of the result's type whose rows
   are multiples of 16 bytes apart; -1: exception. */
int kn_product_wants_copies(bd_context *context, const kn_product *product);

/* -- Sorting --------------------------------------------------------------------- */

/* Sorts each of `rows` rows of `length` elements, which lie one after the other,
   stably, in NumPy's order, or the greatest first; NaNs are last. Spare memory: for as
   many elements, and places; places are numbers of 32 bits where all fit, and of 64 in
   the result. */
typedef struct {
    kn_type type;
    size_t rows, length; /* at least 1 */
    CUdeviceptr from, to, spare;
    CUdeviceptr places, spare_places; /* of elements in their row; 0: not asked for */
    int is_descending;
    CUstream stream;
} kn_sort_request;

int kn_sort(bd_context *context, const kn_sort_request *request);
/* Whether it asks for the spare memory: type, rows, length and places count for that.
 */
int kn_sort_takes_spare(const kn_sort_request *request);
/* Whether `from` and `to` may be the same, for elements of that type. */
int kn_is_sorted_in_place(kn_type type);

/* -- Compaction ------------------------------------------------------------------ */

/* Of n elements, at least 1, those that are not zero: a bit of each, in words of 32,
   how many up to the end of each tile, and in all. Memory is for whole tiles. */
enum { KN_MARK_TILE = 8192 };
typedef struct {
    size_t n;
    CUdeviceptr bits, sums; /* unsigned; long long */
    kn_result_place total;  /* long long, or 0 */
    CUstream stream;
} kn_marks;

int kn_mark(bd_context *context, const kn_marks *marks, kn_type type, CUdeviceptr from);
/* The same of elements from *low to *high, real numbers of that type. Adds to the first
   two of `totals`, numbers of 64 bits, how many are below and how many NaN; the third
   one becomes whether low and high are equal. */
int kn_mark_between(bd_context *context, const kn_marks *marks, kn_type type,
                    CUdeviceptr from, CUdeviceptr low, CUdeviceptr high,
                    CUdeviceptr totals);
/* Those elements of another array of n. */
int kn_marked_elements(bd_context *context, const kn_marks *marks, kn_type type,
                       CUdeviceptr from, CUdeviceptr to);
/* Their places along each axis, numbers of 64 bits. */
int kn_marked_places(bd_context *context, const kn_marks *marks, int ndim,
                     const npy_intp *shape, const CUdeviceptr *to);

/* -- Counting -------------------------------------------------------------------- */

/* Adds to each of `counts`, numbers of 64 bits, how many of n elements, at least 1, are
   in that bin. Elements are numbers of bins, if there are no edges; else bins lie
   between edges in ascending order, bins + 1 of them. is_even: of about one width, and
   the distance of the outer ones is finite in float, if they are floats, else in
   double. */
enum { KN_MOST_BINS = 2048 }; /* as in counting.cuh */
typedef struct {
    size_t n;
    CUdeviceptr from, edges, counts;
    kn_type type, edge_type; /* real; elements are compared as edge_type */
    unsigned bins;
    int is_even;
    CUstream stream;
} kn_counting;

int kn_count(bd_context *context, const kn_counting *counting);

/* -- Searching ------------------------------------------------------------------- */

/* Before which of `keys` sorted elements each of n values belongs, a number of 64 bits:
   the first such place, or the last. */
typedef struct {
    size_t n, keys;
    CUdeviceptr from, sorted, places;
    kn_type type, key_type; /* values are compared as key_type */
    int is_behind;
    CUstream stream;
} kn_search_request;

/* Whether kn_search is for that on this device, by dtypes and sizes: 1, 0; -1. */
int kn_is_searched(bd_context *context, const kn_search_request *request);
int kn_search(bd_context *context, const kn_search_request *request);

/* -- Gathering -------------------------------------------------------------------- */

/* The elements of a table of n at `count` places, counted from the end if below zero.
   flags: two numbers, 0: the first becomes 1 if a place is not there, the second if
   kn_gather_watched gave up, since places lie far apart: then kn_gather_by_bins is to
   do it all, with spare memory of as many bytes as kn_gather_spare says. */
typedef struct {
    size_t count;
    long long n;
    CUdeviceptr from, places, to, flags;
    kn_type type, place_type;
    CUstream stream;
} kn_gather;

/* Whether it is worth that on this device, by dtypes and sizes: 1, 0; -1. */
int kn_is_gather_watched(bd_context *context, const kn_gather *gather);
int kn_gather_watched(bd_context *context, const kn_gather *gather);
int kn_gather_spare(bd_context *context, const kn_gather *gather, size_t *bytes);
int kn_gather_by_bins(bd_context *context, const kn_gather *gather, CUdeviceptr spare);

/* -- Parts and factors of dense matrices ------------------------------------------ */

/* One of the two triangles of each matrix of a stack, with 0 in place of the other one,
   row by row; from: rows of a matrix, or columns of it if is_transposed, are `ld`
   elements apart, matrices `apart`. It may be `to` itself where nothing is transposed.
   Types are of floating-point or complex numbers of 32 or 64 bits. */
typedef struct {
    kn_type type;
    long long count, rows, columns, ld, apart;
    CUdeviceptr to, from;
    int is_transposed, is_upper;
    CUstream stream;
} kn_triangle;

int kn_triangle_take(bd_context *context, const kn_triangle *triangle);
/* Unit matrices of n rows. */
int kn_identity_fill(bd_context *context, kn_type type, CUdeviceptr to, long long count,
                     long long n, CUstream stream);

/* Of matrices of n rows that became their triangles L and U, by pivots as LAPACK has
   them, in int64: signs, of that type as determinants are, and logarithms of absolute
   values; info: int, not 0 of those that are singular. */
typedef struct {
    kn_type type;
    long long count, n;
    CUdeviceptr lu, pivots, info, signs, logarithms, determinants;
    CUstream stream;
} kn_determinant;

int kn_determinant_take(bd_context *context, const kn_determinant *determinant);

/* -- Stacks of small dense matrices ----------------------------------------------- */

/* What a block each does with `count` matrices a, of types as above, row by row; no
   dimension is 0. outcomes: an int, not 0 afterwards if some operand has NaN or
   infinities, and then one for each matrix, 0 or what failed; all 0 before. */
typedef enum {
    KN_SMALL_SOLVE,       /* a: n x n; x = a^-1 b, n x k; b: or 0, the unit matrix */
    KN_SMALL_DETERMINANT, /* a: n x n; x: signs, values: logarithms, y: determinants */
    KN_SMALL_CHOLESKY,    /* x: the lower triangle, of the lower one of a, n x n; flag:
                             the upper ones */
    KN_SMALL_QR,          /* x, m x k, if has_vectors, and y, k x n: a, m x n */
    KN_SMALL_EIGEN,       /* values and, if has_vectors, x: of Hermitian a, n x n, of
                             which the lower triangle is read; flag: the upper one */
    KN_SMALL_SVD, /* values: n; if has_vectors, x: m x k and y: n x n, of a, m x n,
                     m >= n; flag: of a^H, n x m, to which x is n x n, y k x m */
    KN_SMALL_KINDS
} kn_small_kind;
typedef struct {
    kn_small_kind kind;
    kn_type type;
    int flag, has_vectors;
    long long count, m, n, k;
    CUdeviceptr a, b, x, values, y, outcomes;
    CUstream stream;
} kn_small;

/* Whether a block has memory for one: 1, 0; -1. */
int kn_small_fits(bd_context *context, const kn_small *asked);
/* Of what fits: the kernel's name; NULL: exception. */
const char *kn_small_factor(bd_context *context, const kn_small *asked);

/* -- Kernels that users write --------------------------------------------------- */

/* The layout of an array that is more than one stretch of memory: as in view.cuh. */
enum { KN_MOST_VIEWS = 16, KN_VIEW_AXES = 6 };
typedef struct {
    int axes;
    long long length[KN_VIEW_AXES], stride[KN_VIEW_AXES];
} kn_view_layout;

/* What every generated source starts from. */
typedef struct {
    const char *name, *preamble;
    const char *arguments; /* declarators with commas between */
    int views; /* how many arrays are passed with a kn_view_layout behind all arguments
                */
    const char *view[KN_MOST_VIEWS]; /* their names */
} kn_user;

/* Which numbers `i` a user's element-wise kernel runs over. */
typedef enum {
    KN_LOOP_ALL,        /* [0, n) */
    KN_LOOP_RANGE,      /* from start to stop by step */
    KN_LOOP_UNIT_RANGE, /* the same where step is 1, which compilers then know */
    KN_LOOP_APART,      /* [0, n), of arrays that have no bytes in common */
} kn_loop;

/* Append a source to the text. */
void kn_put_elementwise(cmp_text *text, const kn_user *user, kn_loop loop,
                        const char *operation, const char *loop_prep,
                        const char *after_loop);
/* What a reduction is made of. commutes: reduce is known to; otherwise the order of
   elements is kept. finish: what becomes of the last value, or NULL. reduce: NULL where
   the result is the number of the first element of which map, a bool, is true, n if
   there is none. narrow: the array of few bytes an element that is all that map reads,
   at i alone; NULL: not so. */
typedef struct {
    const char *type, *result_type, *neutral, *map, *reduce, *finish, *narrow;
    int commutes;
} kn_reduction_words;
void kn_put_reduction(cmp_text *text, const kn_user *user,
                      const kn_reduction_words *words);
/* Kernels <name>_scan and, unless in one launch, <name>_sums and <name>_carry.
   exclusive: neutral is what the first element becomes. */
void kn_put_scan(cmp_text *text, const kn_user *user, const char *type,
                 const char *neutral, const char *scan, int exclusive,
                 int in_one_launch);

/* -- Loaded kernels ------------------------------------------------------------- */

enum { KN_MOST_FUNCTIONS = 4 };
enum { KN_STEP_BITS = 3, KN_STEP_MOST = 4, KN_STEP_BACK, KN_STEP_ANY = 7 };

/* What tells one kernel from another. */
typedef struct {
    uint32_t program; /* an operation, or kn_program_new's */
    union {
        uint32_t itemsize;  /* of elements that are copied as they are */
        uint32_t views;     /* of a user's kernel: bit k: argument k is a view */
        uint32_t operation; /* of KN_ACCUMULATE */
        uint32_t alone;     /* of an axis reduction: results that a thread stores by
                               itself; 0: threads share them */
    };
    uint8_t variant, scalars; /* kn_layout or kn_loop; bit k: operand k is a number */
    uint8_t storage[KN_MOST_OPERANDS], compute[KN_MOST_OPERANDS];
    union {
        uint16_t fixed; /* bit k: operand k is the same all along axis 0; of KN_TILES:
                           it lies along axis 1 */
        uint16_t steps; /* of KN_STEPPED: KN_STEP_BITS for each operand: how many
                           elements apart its own are along axis 0, up to KN_STEP_MOST;
                           KN_STEP_BACK: -1; or KN_STEP_ANY */
    };
} kn_key;

/* A tile of a product, as in product_gpu.cuh; m: 0: there is none. */
typedef struct {
    unsigned m, n, k, stages, down, across;
    unsigned blocks; /* that a multiprocessor is to hold at once */
    unsigned span;   /* of k, after which a sum begins anew */
    unsigned cost;   /* of a result, in percent of that of a large tile's */
} kn_product_tile;

/* How a sparse matrix is cut, as in sparse.cuh: into blocks of so many elements, where
   a row counts as one more; a longer row shares its block with none, and one longer
   than a piece has several. */
typedef struct {
    unsigned tile, longest, piece;
} kn_csr_tiles;

/* How kernels are cut into threads and blocks on a context's device (tuning.c). */
typedef struct {
    unsigned flat_bytes;  /* of its widest operand that a thread takes, at least one */
    unsigned short_rows;  /* elements of a row from which on hostcc asks once where it
                             ends, and of fewer if they are whole vectors; */
    unsigned row_vector;  /* of so many elements */
    int has_tiles;        /* operands that lie along another axis go by tiles.cuh */
    int has_apart;        /* KN_LOOP_APART is worth a kernel of its own */
    unsigned loop_blocks; /* of a user's element-wise kernel at most */
    unsigned reduction_threads; /* of a block; as in reduction.cuh */
    unsigned reduction_share;   /* elements that are worth a block */
    unsigned reduction_blocks;  /* at most */
    unsigned scan_blocks;    /* of a scan in one launch; 0: scans take three launches */
    unsigned axis_sharing;   /* length from which threads and blocks share results; 0:
                                none. Else a thread has one to itself, of a segment */
    unsigned axis_threads;   /* that are worth it */
    unsigned axis_segments;  /* at least, if in any */
    unsigned axis_row_bytes; /* of each row that a block takes, if there are others */
    int axis_in_stretches; /* segments are stretches of rows; else row by row in turn */
    unsigned lines_sharing; /* warps of a block that share one; 0: on the host */
    unsigned lines_short;   /* elements of a line up to which a thread has it */
    unsigned lines_narrow;  /* lines side by side below which a warp has one each */
    unsigned lines_bytes;   /* side by side, that a block takes of each row */
    unsigned lines_share;   /* elements that are worth a block */
    kn_product_tile product_large[3], product_small[3]; /* of 2, 4 and 8 bytes */
    unsigned product_blocks;  /* of split-K, where tiles leave half of a device idle */
    unsigned product_slice;   /* of k that is worth a block of split-K */
    long long product_copies; /* products that are worth copies of operands */
    unsigned processors, shared_bytes, l2_bytes; /* of the device; of a block */
    unsigned csr_threads;               /* of a block of a product of a sparse matrix */
    kn_csr_tiles csr_tiles, csr_uneven; /* the other kernel's; tile: 0: there is none */
    unsigned mark_threads, mark_sum_threads; /* of blocks; as in compaction.cuh */
    unsigned search_least; /* values worth a search by an index; 0: none are */
    unsigned gather_least; /* places worth a look whether they are far apart */
    unsigned sort_alone;   /* bytes of a row that one block sorts in any case */
    unsigned sort_rows;    /* that are worth a block each, however long they are */
    unsigned sort_blocks;  /* that count digits of one array, at most */
    unsigned sort_share;   /* elements that are worth a block of them */
    unsigned sort_tile;    /* bytes that a block orders before it sends them where they
                              go; 0: one launch a digit does all */
    unsigned sort_cached;  /* bytes of an array up to which it sends them right away */
    unsigned sort_desks;   /* blocks that sort words in buckets, at most */
    unsigned sort_bucket_least; /* bytes of a bucket, about, of some hundreds */
    unsigned sort_bucket;       /* of more */
    unsigned sort_bucket_tile;  /* bytes of one that a block sorts in its own memory */
} kn_tuning;

typedef struct kn_loaded kn_loaded;
struct kn_loaded {
    kn_key key;
    CUmodule module;         /* owned */
    const kn_tuning *tuning; /* borrowed: the table's, to which this belongs */
    CUfunction function[KN_MOST_FUNCTIONS];
    unsigned checks; /* under which it was compiled: cuxCheckKind */
    kn_loaded *next; /* owned: the chain in the context's table */
};

/* What of a device the numbers depend on. */
typedef struct {
    int is_host, capability; /* 75: 7.5 */
    unsigned processors, shared_bytes, l2_bytes;
} kn_device;
void kn_tuning_set(kn_tuning *tuning, const kn_device *device);
const kn_tuning *kn_tuning_of(bd_context *context);
kn_loaded *kn_find(bd_context *context, const kn_key *key); /* NULL: not there */
/* Compiles and loads a source with `count` kernels, which it clears. options: a
   sequence of str, or NULL. CompileError, as for a SourceModule. */
kn_loaded *kn_load(bd_context *context, const kn_key *key, cmp_text *source,
                   PyObject *options, int keep, int count, const char *const *names);

/* A number for a user's kernel, never given twice. */
uint32_t kn_program_new(bd_state *state);
/* Unloads its kernels in every context. */
void kn_program_forget(bd_state *state, uint32_t program);

/* How many of `by` hold n. */
static inline size_t kn_divide_up(size_t n, size_t by)
{
    return (n + by - 1) / by;
}

enum { KN_BLOCK = 256 }; /* threads of a block, unless there is reason for others */
int kn_launch(bd_context *context, CUfunction function, const unsigned grid[2],
              const unsigned block[2], CUstream stream, void **params);
/* With dynamic shared memory, as much as kn_allow_shared has allowed the function. */
int kn_launch_shared(bd_context *context, CUfunction function, const unsigned grid[3],
                     const unsigned block[2], unsigned shared, CUstream stream,
                     void **params);
int kn_allow_shared(bd_context *context, CUfunction function, unsigned bytes);
/* One launch over n elements of a user's element-wise kernel (params begin with n, or
   with start, stop and step). */
int kn_launch_elementwise(bd_context *context, const kn_loaded *loaded, size_t n,
                          kn_loop loop, CUstream stream, void **params);

/* params: the first three are filled in here. */
int kn_launch_reduction(bd_context *context, const kn_loaded *loaded, size_t n,
                        size_t itemsize, const kn_result_place *to, CUstream stream,
                        void **params);
int kn_launch_scan(bd_context *context, const kn_loaded *loaded, size_t n,
                   size_t itemsize, CUdeviceptr input, CUdeviceptr output,
                   CUstream stream);

/* Sets up the room's part of the module's state, and frees it. */
void kn_init(bd_state *state);
void kn_clear(bd_state *state);

#endif
