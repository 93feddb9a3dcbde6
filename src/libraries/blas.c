/* Products of matrices by cuBLAS. It has matrices column by column: what lies row by
   row is the transpose to it, and z = a b row by row is its z' = b' a'. */
#include "loading.h"

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

/* -- Products ------------------------------------------------------------------- */

/* It comes with memory for its own work. */
static unsigned make(const void *entries, lib_handle *handle, const char **routine)
{
    *routine = "cublasCreate";
    return ((const lib_blas *)entries)->cublasCreate_v2(&handle->blas);
}

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

static const char *call(bd_state *state, const lib_blas *blas, lib_handle *with,
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
        return lib_raise(state, LIB_BLAS, status, "cublasSetStream");
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
    return status ? lib_raise(state, LIB_BLAS, status, routine) : routine;
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
    lib_handle wanted = {.id = LIB_BLAS};
    lib_handle *with = lib_handle_lend(context, &wanted, make);
    const char *routine = with ? call(state, blas, with, p, operation, distance) : NULL;
    if (with)
        lib_handle_return(with);
    Py_DECREF((PyObject *)context);
    return routine;
}

int lib_has_blas(bd_state *state)
{
    return lib_entries(state, LIB_BLAS) != NULL;
}
