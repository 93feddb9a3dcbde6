/* Products of matrices by cuBLAS. It has matrices column by column: what lies row by
   row is the transpose to it, and z = a b row by row is its z' = b' a'. A context has
   handles of its own, made when there is a product and none is free, which end with it;
   a handle serves one call at a time, since the GIL may be let go during one. */
#include "loading.h"
#include <stdlib.h>
#include <string.h>

typedef struct handle {
    struct cublasContext *blas; /* owned */
    int is_lent, is_left; /* to a call under way; its context has ended meanwhile */
    struct handle *next;  /* owned */
} handle;

/* cudaDataType and cublasComputeType_t. Sums of 16 bits are of 32. */
static const struct {
    unsigned type, computes;
} codes[LIB_TYPE_COUNT] = {
    [LIB_F16] = {2, 68}, [LIB_BF16] = {14, 68}, [LIB_F32] = {0, 68},
    [LIB_F64] = {1, 70}, [LIB_C64] = {4, 68},   [LIB_C128] = {5, 70},
};
enum { AS_IT_IS, TRANSPOSED };     /* cublasOperation_t */
enum { DEFAULT_ALGORITHM = -1 };   /* cublasGemmAlgo_t */
static const float one[] = {1, 0}; /* also as a complex number */
static const double wide_one[] = {1, 0};
static const double zero[] = {0, 0}; /* of any type */

/* -- Failures ------------------------------------------------------------------- */

static const struct {
    unsigned status;
    CUresult as;
    const char *name;
} failures[] = {
    {1, CUDA_ERROR_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED"},
    {3, CUDA_ERROR_OUT_OF_MEMORY, "CUBLAS_STATUS_ALLOC_FAILED"},
    {7, CUDA_ERROR_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE"},
    {8, CUDA_ERROR_NO_BINARY_FOR_GPU, "CUBLAS_STATUS_ARCH_MISMATCH"},
    {11, CUDA_ERROR_UNKNOWN, "CUBLAS_STATUS_MAPPING_ERROR"},
    {13, CUDA_ERROR_LAUNCH_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED"},
    {14, CUDA_ERROR_UNKNOWN, "CUBLAS_STATUS_INTERNAL_ERROR"},
    {15, CUDA_ERROR_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED"},
    {16, CUDA_ERROR_UNKNOWN, "CUBLAS_STATUS_LICENSE_ERROR"},
};
enum { ALLOC_FAILED = 3 };

static void *raise_failure(bd_state *state, unsigned status, const char *routine)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (failures[i].status == status)
            return bd_raise_because(state, failures[i].as, routine, "%s",
                                    failures[i].name);
    return bd_raise_because(state, CUDA_ERROR_UNKNOWN, routine,
                            "an unknown status of cuBLAS, %u", status);
}

/* -- Handles -------------------------------------------------------------------- */

/* Those of a context that ends. */
static void release(bd_state *state, void *handles, int alive)
{
    const lib_blas *blas = lib_entries(state, LIB_BLAS);
    for (handle *one = handles, *next; one; one = next) {
        next = one->next;
        one->is_left = 1;
        if (one->is_lent)
            continue; /* what was called with it comes back to a context that is gone */
        if (alive && blas)
            BD_UNLOCKED((CUresult)blas->cublasDestroy_v2(one->blas));
        free(one);
    }
}

/* A handle that no other thread uses, lent; NULL: exception. It comes with memory for
   its own work, for which the context's pool gives back what it keeps. */
static handle *lend(bd_context *context, const lib_blas *blas)
{
    bd_state *state = bd_context_state(context);
    struct cublasContext *made = NULL;
    for (handle *one = *bd_context_libraries(context); one; one = one->next)
        if (!one->is_lent) {
            one->is_lent = 1;
            return one;
        }
    unsigned status = BD_UNLOCKED((CUresult)blas->cublasCreate_v2(&made));
    if (status == ALLOC_FAILED) {
        bd_memory_reclaim(state, context);
        status = BD_UNLOCKED((CUresult)blas->cublasCreate_v2(&made));
    }
    if (status)
        return raise_failure(state, status, "cublasCreate");
    handle *one = bd_context_check(context) ? NULL : malloc(sizeof *one);
    if (!one) {
        blas->cublasDestroy_v2(made);
        return PyErr_Occurred() ? NULL : (handle *)PyErr_NoMemory();
    }
    handle **first = (handle **)bd_context_libraries(context);
    *one = (handle){made, 1, 0, *first};
    return *first = one;
}

/* -- Products ------------------------------------------------------------------- */

/* How cuBLAS takes a matrix of so many rows and columns as one that is transposed: the
   operation, and the distance of its columns. 0: it does not. */
static int describe(const lib_matrices *matrix, long long rows, long long columns,
                    unsigned *operation, long long *distance)
{
    int by_row =
        (columns == 1 || matrix->across == 1) && (rows == 1 || matrix->down >= columns);
    int by_column =
        (rows == 1 || matrix->down == 1) && (columns == 1 || matrix->across >= rows);
    *operation = by_row ? AS_IT_IS : TRANSPOSED;
    *distance = by_row ? (rows == 1 ? columns : matrix->down)
                       : (columns == 1 ? rows : matrix->across);
    return (by_row || by_column) && *distance <= INT_MAX && matrix->apart >= 0;
}

static const char *call(bd_state *state, const lib_blas *blas, handle *with,
                        const lib_products *p, const unsigned *operation,
                        const long long *distance)
{
    unsigned type = codes[p->type].type, computes = codes[p->type].computes;
    const void *alpha = computes == 68 ? (const void *)one : wide_one;
    void *z = (void *)(uintptr_t)p->z.first;
    const void *a = (const void *)(uintptr_t)p->a.first;
    const void *b = (const void *)(uintptr_t)p->b.first;
    int m = (int)p->m, n = (int)p->n, length = (int)p->length;
    int ldz = (int)distance[0], lda = (int)distance[1], ldb = (int)distance[2];
    const char *routine = p->count == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx";
    unsigned status =
        BD_BRIEFLY(state, (CUresult)blas->cublasSetStream_v2(with->blas, p->stream));
    if (status)
        return raise_failure(state, status, "cublasSetStream");
    if (p->count == 1)
        status = BD_BRIEFLY(state, (CUresult)blas->cublasGemmEx(
                                       with->blas, operation[2], operation[1], n, m,
                                       length, alpha, b, type, ldb, a, type, lda, zero,
                                       z, type, ldz, computes, DEFAULT_ALGORITHM));
    else
        status = BD_BRIEFLY(state, (CUresult)blas->cublasGemmStridedBatchedEx(
                                       with->blas, operation[2], operation[1], n, m,
                                       length, alpha, b, type, ldb, p->b.apart, a, type,
                                       lda, p->a.apart, zero, z, type, ldz, p->z.apart,
                                       (int)p->count, computes, DEFAULT_ALGORITHM));
    return status ? raise_failure(state, status, routine) : routine;
}

const char *lib_multiply(bd_context *context, const lib_products *p)
{
    bd_state *state = bd_context_state(context);
    const lib_blas *blas = lib_entries(state, LIB_BLAS);
    unsigned operation[3];
    long long distance[3];
    if (!blas || !p->type || p->m > INT_MAX || p->n > INT_MAX || p->length > INT_MAX ||
        p->count > INT_MAX ||
        !describe(&p->z, p->m, p->n, &operation[0], &distance[0]) ||
        operation[0] != AS_IT_IS ||
        !describe(&p->a, p->m, p->length, &operation[1], &distance[1]) ||
        !describe(&p->b, p->length, p->n, &operation[2], &distance[2]))
        return "";
    Py_INCREF((PyObject *)context); /* the GIL may be let go */
    handle *with = lend(context, blas);
    const char *routine = with ? call(state, blas, with, p, operation, distance) : NULL;
    if (with && with->is_left)
        free(with);
    else if (with)
        with->is_lent = 0;
    Py_DECREF((PyObject *)context);
    return routine;
}

int lib_has_blas(bd_state *state)
{
    return lib_entries(state, LIB_BLAS) != NULL;
}

void lib_init(bd_state *state)
{
    state->libraries = calloc(1, sizeof(lib_loaded)); /* NULL: there are none */
    state->release_libraries = release;
}

void lib_end(bd_state *state)
{
    free(state->libraries);
    state->libraries = NULL;
}
