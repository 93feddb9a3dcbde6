/* Products of two matrices, and how those of a sparse one are cut into blocks. Which
   products there are, of vectors and of stacks of matrices too, and which are worth a
   tile is for pycuda/_reductions.py to say. */
#include "array.h"

/* 1: its elements are whole elements apart, as the kernel wants them; -1: exception. */
static int matrix_from(PyObject *object, kn_matrix *matrix)
{
    ar_array *array = ar_expect_numbers(object, "product");
    if (!array)
        return -1;
    if (array->ndim != 2) {
        PyErr_SetString(PyExc_ValueError, "product: expected matrices");
        return -1;
    }
    npy_intp itemsize = AR_ITEMSIZE(array);
    matrix->type = array->type;
    matrix->down = array->strides[0] / itemsize;
    matrix->across = array->strides[1] / itemsize;
    if (ar_address(array, &matrix->first))
        return -1;
    return array->strides[0] % itemsize == 0 && array->strides[1] % itemsize == 0;
}

BD_METHOD(array_product, 3, 4, "_product(z, a, b, stream=None)",
          "z[...] = a @ b, of matrices that do not overlap z; z has the dtype of the "
          "result. False: not for elements that lie so.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    kn_product product;
    kn_matrix *matrices[] = {&product.z, &product.a, &product.b};
    const npy_intp *shape[3];
    int fits = 1;
    if (bd_stream(state, in[3], &product.stream))
        return NULL;
    for (int k = 0; k < 3; k++) {
        int found = matrix_from(in[k], matrices[k]);
        if (found < 0)
            return NULL;
        fits &= found;
        shape[k] = AR(in[k])->shape;
    }
    product.m = shape[0][0];
    product.n = shape[0][1];
    product.length = shape[1][1];
    if (shape[1][0] != product.m || shape[2][1] != product.n ||
        shape[2][0] != product.length) {
        PyErr_SetString(PyExc_ValueError, "the shapes do not fit");
        return NULL;
    }
    fits &=
        product.m / KN_PRODUCT_TILE < 65535 && product.n / KN_PRODUCT_TILE < INT_MAX;
    if (fits && AR(in[0])->size &&
        (!(context = bd_context_current(state)) || kn_multiply(context, &product)))
        return NULL;
    return PyBool_FromLong(fits);
}

BD_METHOD(csr_geometry, 2, 2, "_csr_geometry(rows, lanes)",
          "(threads of a block, blocks) for pycuda::csr_product of sparse.cuh, whose "
          "rows take so many threads each on a GPU.")
{
    bd_context *context = bd_context_current(bd_state_get(self));
    const kn_tuning *tuning = context ? kn_tuning_of(context) : NULL;
    long long rows = tuning ? PyLong_AsLongLong(in[0]) : -1;
    long long lanes = PyErr_Occurred() ? -1 : PyLong_AsLongLong(in[1]);
    if (PyErr_Occurred())
        return NULL;
    if (rows < 0 || lanes < 1 || lanes > 32)
        return PyErr_Format(PyExc_ValueError, "%R rows of %R threads", in[0], in[1]);
    long long each = tuning->csr_rows ? tuning->csr_rows : tuning->csr_threads / lanes;
    return Py_BuildValue("IL", tuning->csr_threads, rows / each + (rows % each > 0));
}

PyMethodDef ar_product_functions[] = {
    BD_ROW("_product", array_product),
    BD_ROW("_csr_geometry", csr_geometry),
    {NULL},
};
