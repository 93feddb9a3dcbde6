/* Products of a sparse matrix and a dense one by cuSPARSE; for what they are worth it
   is for pycuda/sparse to say. What it is told of operands, its descriptors, is made
   and ended with each call, for that costs next to nothing and leaves nothing to keep
   in step with arrays; the memory in which it works is lent by the context's pool for
   one call. Of its algorithms the one for matrices that lie row by row; where rows are
   long it adds in whatever order blocks end, so that last bits may differ from call to
   call. */
#include "loading.h"

static const unsigned types[LIB_TYPE_COUNT] = {
    [LIB_F32] = 0, [LIB_F64] = 1, [LIB_C64] = 4, [LIB_C128] = 5}; /* cudaDataType */
enum { AS_IT_IS };                 /* cusparseOperation_t */
enum { INT32 = 2, INT64 };         /* cusparseIndexType_t */
enum { BASE_0 };                   /* cusparseIndexBase_t */
enum { BY_ROWS = 2 };              /* cusparseOrder_t */
enum { SPMM_CSR_ALG2 = 6 };        /* cusparseSpMMAlg_t */
enum { NOT_SUPPORTED = 10 };       /* cusparseStatus_t */
static const float one[] = {1, 0}; /* also as a complex number */
static const double wide_one[] = {1, 0};
static const double zero[] = {0, 0}; /* of any type */

typedef struct {
    const lib_sparse *sparse;
    const lib_sparse_product *product;
    struct cusparseContext *with; /* lent */
    unsigned type;
    const void *alpha;
    struct cusparseSpMatDescr *a; /* owned, as the next two; NULL: not made */
    struct cusparseDnMatDescr *x, *y;
    const char *routine; /* that was called last */
} job;

static void *at(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static unsigned make(const void *entries, lib_handle *handle, const char **routine)
{
    *routine = "cusparseCreate";
    return ((const lib_sparse *)entries)->cusparseCreate(&handle->sparse);
}

static unsigned describe(job *j)
{
    const lib_sparse_product *p = j->product;
    unsigned index = p->is_wide ? INT64 : INT32;
    j->routine = "cusparseCreateCsr";
    unsigned status = j->sparse->cusparseCreateCsr(
        &j->a, p->rows, p->columns, p->elements, at(p->starts), at(p->indices),
        at(p->data), index, index, BASE_0, j->type);
    if (status)
        return status;
    j->routine = "cusparseCreateDnMat";
    status = j->sparse->cusparseCreateDnMat(&j->x, p->columns, p->n, p->down, at(p->x),
                                            j->type, BY_ROWS);
    return status ? status
                  : j->sparse->cusparseCreateDnMat(&j->y, p->rows, p->n, p->n, at(p->y),
                                                   j->type, BY_ROWS);
}

static void forget(job *j)
{
    if (j->a)
        j->sparse->cusparseDestroySpMat(j->a);
    if (j->x)
        j->sparse->cusparseDestroyDnMat(j->x);
    if (j->y)
        j->sparse->cusparseDestroyDnMat(j->y);
}

/* In how many bytes it works. */
static unsigned prepare(job *j, size_t *bytes)
{
    j->routine = "cusparseSetStream";
    unsigned status = j->sparse->cusparseSetStream(j->with, j->product->stream);
    status = status ? status : describe(j);
    if (status)
        return status;
    j->routine = "cusparseSpMM_bufferSize";
    return j->sparse->cusparseSpMM_bufferSize(j->with, AS_IT_IS, AS_IT_IS, j->alpha,
                                              j->a, j->x, zero, j->y, j->type,
                                              SPMM_CSR_ALG2, bytes);
}

static unsigned multiply(job *j, void *area)
{
    j->routine = "cusparseSpMM";
    return j->sparse->cusparseSpMM(j->with, AS_IT_IS, AS_IT_IS, j->alpha, j->a, j->x,
                                   zero, j->y, j->type, SPMM_CSR_ALG2, area);
}

static const char *call(bd_state *state, job *j)
{
    size_t bytes = 0;
    CUdeviceptr area = 0;
    unsigned status = BD_BRIEFLY(state, (CUresult)prepare(j, &bytes));
    PyObject *memory = status ? NULL : bd_allocate(state, NULL, NULL, bytes, &area);
    if (memory)
        status = BD_BRIEFLY(state, (CUresult)multiply(j, at(area)));
    int failed = status ? status != NOT_SUPPORTED : !memory;
    if (failed && status)
        lib_raise(state, LIB_SPARSE, status, j->routine);
    forget(j);
    Py_XDECREF(memory); /* given back in the order of the stream */
    return failed ? NULL : status ? "" : j->routine;
}

const char *lib_sparse_multiply(bd_context *context, const lib_sparse_product *product)
{
    bd_state *state = bd_context_state(context);
    const lib_sparse *sparse = lib_entries(state, LIB_SPARSE);
    int is_double = product->type == LIB_F64 || product->type == LIB_C128;
    if (!sparse || product->type < LIB_F32)
        return "";
    Py_INCREF((PyObject *)context); /* the GIL may be let go */
    lib_handle wanted = {.id = LIB_SPARSE};
    lib_handle *with = lib_handle_lend(context, &wanted, make);
    job j = {.sparse = sparse,
             .product = product,
             .with = with ? with->sparse : NULL,
             .type = types[product->type],
             .alpha = is_double ? (const void *)wide_one : one};
    const char *routine = with ? call(state, &j) : NULL;
    if (with)
        lib_handle_return(with);
    Py_DECREF((PyObject *)context);
    return routine;
}

int lib_has_sparse(bd_state *state)
{
    return lib_entries(state, LIB_SPARSE) != NULL;
}
