/* Products of stacks of matrices. Which products there are, of vectors too, and which
   are worth a tile is for pycuda/_reductions.py to say. */
#include "array.h"

/* 1: its elements are whole elements apart, as the kernel wants them; -1: exception. */
static int matrices_from(PyObject *object, kn_matrices *matrices)
{
    ar_array *array = ar_expect_numbers(object, "product");
    if (!array)
        return -1;
    if (array->ndim != 3) {
        PyErr_SetString(PyExc_ValueError, "product: expected stacks of matrices");
        return -1;
    }
    npy_intp itemsize = AR_ITEMSIZE(array), *strides = array->strides;
    npy_intp apart = array->shape[0] == 1 ? 0 : strides[0];
    matrices->type = array->type;
    matrices->apart = apart / itemsize;
    matrices->down = strides[1] / itemsize;
    matrices->across = strides[2] / itemsize;
    if (ar_address(array, &matrices->first))
        return -1;
    return apart % itemsize == 0 && strides[1] % itemsize == 0 &&
           strides[2] % itemsize == 0;
}

BD_METHOD(
    array_product, 4, 5, "_product(z, a, b, may_refuse, stream=None)",
    "z[...] = a @ b, of stacks of as many matrices that do not overlap z; z has the "
    "dtype of the result. False: not for elements that lie so. None, if that is "
    "allowed: not yet, copies of the operands would be faster, in z's dtype and in "
    "rows that are multiples of 16 bytes apart.")
{
    bd_state *state = bd_state_get(self);
    kn_product product;
    kn_matrices *stacks[] = {&product.z, &product.a, &product.b};
    int fits = 1, may_refuse;
    if (bd_stream(state, in[4], &product.stream))
        return NULL;
    for (int k = 0; k < 3; k++) {
        int found = matrices_from(in[k], stacks[k]);
        if (found < 0)
            return NULL;
        fits &= found;
    }
    const npy_intp *z = AR(in[0])->shape, *a = AR(in[1])->shape, *b = AR(in[2])->shape;
    product.count = z[0];
    product.m = z[1];
    product.n = z[2];
    product.length = a[2];
    if (a[0] != z[0] || b[0] != z[0] || a[1] != z[1] || b[2] != z[2] || b[1] != a[2]) {
        PyErr_SetString(PyExc_ValueError, "the shapes do not fit");
        return NULL;
    }
    fits &=
        product.m / KN_PRODUCT_TILE < 65535 && product.n / KN_PRODUCT_TILE < INT_MAX;
    if (py_flag(in[3], &may_refuse))
        return NULL;
    if (!fits || !AR(in[0])->size)
        return PyBool_FromLong(fits);
    bd_context *context = bd_context_current(state);
    int wants =
        !context || !may_refuse ? 0 : kn_product_wants_copies(context, &product);
    if (wants > 0)
        Py_RETURN_NONE;
    return !context || wants || kn_multiply(context, &product) ? NULL
                                                               : PyBool_FromLong(1);
}

PyMethodDef ar_product_functions[] = {
    BD_ROW("_product", array_product),
    {NULL},
};
