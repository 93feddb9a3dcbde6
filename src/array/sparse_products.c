/* Products of a sparse matrix: by a library, and how the kernels that do it without one
   are cut into blocks. Which of the two computes is for pycuda/sparse to say. */
#include "array.h"
#include "libraries/libraries.h"

BD_METHOD(
    csr_geometry, 0, 0, "_csr_geometry()",
    "(threads of a block, tiles, uneven tiles) for sparse.cuh and sparse_dense.cuh. "
    "Tiles are given by (rows and elements of one, elements of a row that shares "
    "one, elements of a piece of a longer row); 0 of them: there are none.")
{
    bd_context *context = bd_context_current(bd_state_get(self));
    const kn_tuning *tuning = context ? kn_tuning_of(context) : NULL;
    if (!tuning)
        return NULL;
    const kn_csr_tiles *tiles = &tuning->csr_tiles, *uneven = &tuning->csr_uneven;
    return Py_BuildValue("I(III)(III)", tuning->csr_threads, tiles->tile,
                         tiles->longest, tiles->piece, uneven->tile, uneven->longest,
                         uneven->piece);
}

static const uint8_t library_types[KN_TYPE_COUNT] = {
    [KN_F32] = LIB_F32, [KN_F64] = LIB_F64, [KN_C64] = LIB_C64, [KN_C128] = LIB_C128};

/* An array of so many axes; NULL: exception. */
static ar_array *expect(PyObject *object, const char *name, int ndim)
{
    ar_array *array = ar_expect_numbers(object, name);
    if (!array || array->ndim == ndim)
        return array;
    PyErr_Format(PyExc_ValueError, "%s: it has %d axes, not %d", name, array->ndim,
                 ndim);
    return NULL;
}

/* 1: it is a dense matrix that libraries take, with rows that have no gaps. */
static int take_dense(const ar_array *x, lib_sparse_product *product)
{
    npy_intp itemsize = AR_ITEMSIZE(x);
    int is_whole = x->order & AR_C;
    product->columns = x->shape[0];
    product->n = x->shape[1];
    product->down = is_whole ? product->n : x->strides[0] / itemsize;
    return ar_is_aligned_to_size(x) &&
           (is_whole || (x->strides[1] == itemsize && x->strides[0] % itemsize == 0 &&
                         product->down >= product->n));
}

/* Whether the types are those of one product of a library's. */
static int types_fit(const ar_array *y, const ar_array *x, const ar_array *data,
                     const ar_array *indices, const ar_array *starts)
{
    return library_types[data->type] && x->type == data->type &&
           y->type == data->type && starts->type == indices->type &&
           (starts->type == KN_I64 || starts->type == KN_I32) &&
           y->order & data->order & indices->order & starts->order & AR_C;
}

BD_METHOD(library_sparse, 5, 6,
          "_library_sparse_product(y, x, data, indices, indptr, stream=None)",
          "y[...] = a @ x, matrices that do not overlap, for the one that is stored by "
          "rows in the other three. The name of what computed in its library, or None: "
          "nothing did, for want of a library for elements of those types that lie so, "
          "in matrices that are not empty, or as array code is captured.")
{
    bd_state *state = bd_state_get(self);
    lib_sparse_product product = {0};
    ar_array *y = expect(in[0], "y", 2), *x = y ? expect(in[1], "x", 2) : NULL;
    ar_array *data = x ? expect(in[2], "data", 1) : NULL;
    ar_array *indices = data ? expect(in[3], "indices", 1) : NULL;
    ar_array *starts = indices ? expect(in[4], "indptr", 1) : NULL;
    if (!starts || bd_stream(state, in[5], &product.stream))
        return NULL;
    int fits = take_dense(x, &product) && types_fit(y, x, data, indices, starts);
    product.type = library_types[data->type];
    product.is_wide = starts->type == KN_I64;
    product.rows = starts->size - 1;
    product.elements = data->size;
    if (y->shape[0] != product.rows || y->shape[1] != product.n ||
        indices->size != data->size) {
        PyErr_SetString(PyExc_ValueError, "the shapes do not fit");
        return NULL;
    }
    bd_context *context = bd_context_current(state);
    if (!context || ar_address(x, &product.x) || ar_address(y, &product.y) ||
        ar_address(data, &product.data) || ar_address(indices, &product.indices) ||
        ar_address(starts, &product.starts))
        return NULL;
    /* It reads 16 bytes at a time, and what it works in would have to stay as long as
       a graph. */
    fits = fits && y->size && x->size && data->size && product.x % 16 == 0 &&
           product.data % 16 == 0 && !bd_stream_usual(state);
    const char *routine = fits ? lib_sparse_multiply(context, &product) : "";
    if (!routine)
        return NULL;
    return *routine ? PyUnicode_FromString(routine) : Py_NewRef(Py_None);
}

BD_METHOD(library_multiplies_sparse, 0, 0, "_library_multiplies_sparse()",
          "Whether there is a library for products of sparse matrices on this device.")
{
    return PyBool_FromLong(lib_has_sparse(bd_state_get(self)));
}

PyMethodDef ar_sparse_functions[] = {
    BD_ROW("_csr_geometry", csr_geometry),
    BD_ROW("_library_sparse_product", library_sparse),
    BD_ROW("_library_multiplies_sparse", library_multiplies_sparse),
    {NULL},
};
