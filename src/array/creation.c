/* Functions that make arrays: zeros, ones, full and their forms like another array, in
   memory of the context's pool unless an allocator is given.
   False and True are 0 and 1 in every dtype. The others are in pycuda/_creation.py. */
#include "array.h"
#include <string.h>

static ar_array *make(bd_state *state, PyObject *shape, PyObject *dtype,
                      PyObject *allocator, PyObject *order)
{
    npy_intp lengths[AR_MOST_AXES], strides[AR_MOST_AXES];
    PyArray_Descr *descr = NULL;
    char letter = 'C';
    int ndim;
    ar_array *array = NULL;
    if (ar_shape_parse(shape, 0, lengths, &ndim) ||
        (order && ar_order_parse(order, NULL, &letter)) ||
        !PyArray_DescrConverter(dtype ? dtype : Py_None, &descr))
        return NULL;
    if (ar_dtype_axes(&descr, lengths, &ndim) == 0) {
        ar_strides_fill(strides, ndim, lengths, PyDataType_ELSIZE(descr), letter);
        array = ar_new(state, descr, ndim, lengths, strides, allocator);
    }
    Py_DECREF(descr);
    return array;
}

static PyObject *filled(ar_array *array, PyObject *value)
{
    if (array && value &&
        ar_assign(array, value, bd_stream_usual(bd_state_from(array))))
        Py_CLEAR(array);
    return (PyObject *)array;
}

/* Filled with 0 or 1 as NumPy has them: of strings and structs, whose elements Python's
   False is not, zero bytes, or what the number becomes. */
static PyObject *filled_with(ar_array *array, int number)
{
    if (!array || !PyTypeNum_ISFLEXIBLE(array->dtype->type_num) || !AR_ITEMSIZE(array))
        return filled(array, number ? Py_True : Py_False);
    PyObject *value, *result = NULL;
    if (number) {
        value = PyLong_FromLong(1);
    } else {
        Py_INCREF(array->dtype); /* which is taken */
        value = PyArray_Zeros(0, NULL, array->dtype, 0);
    }
    if (value)
        result = filled(array, value);
    else
        Py_DECREF((PyObject *)array);
    Py_XDECREF(value);
    return result;
}

BD_METHOD(make_empty, 2, 3, "_empty(shape, dtype, like=None)",
          "A GPUArray, not initialised, in memory of the context's pool, or of the "
          "allocator of another array.")
{
    PyObject *like = in[2] == Py_None ? NULL : in[2];
    if (like && !ar_check(like))
        return PyErr_Format(PyExc_TypeError, "expected a GPUArray, got %s",
                            Py_TYPE(like)->tp_name);
    PyObject *allocator = like ? AR(like)->allocator : NULL;
    return filled(make(bd_state_get(self), in[0], in[1], allocator, NULL), NULL);
}

BD_METHOD(make_zeros, 1, 4, "zeros(shape, dtype=None, allocator=None, order='C')",
          "A GPUArray of zeros; dtype: float64 by default.")
{
    return filled_with(make(bd_state_get(self), in[0], in[1], in[2], in[3]), 0);
}

BD_METHOD(make_ones, 1, 4, "ones(shape, dtype=None, allocator=None, order='C')",
          "A GPUArray of ones; dtype: float64 by default.")
{
    return filled_with(make(bd_state_get(self), in[0], in[1], in[2], in[3]), 1);
}

BD_METHOD(make_full, 2, 5,
          "full(shape, fill_value, dtype=None, allocator=None, order='C')",
          "A GPUArray of one value; dtype: that of the value by default.")
{
    PyObject *dtype = in[2];
    if (dtype && dtype != Py_None)
        return filled(make(bd_state_get(self), in[0], dtype, in[3], in[4]), in[1]);
    PyArrayObject *value = bd_numpy_from(in[1], NULL, 0);
    PyObject *result = NULL;
    if (value)
        result = filled(make(bd_state_get(self), in[0],
                             (PyObject *)PyArray_DESCR(value), in[3], in[4]),
                        in[1]);
    Py_XDECREF(value);
    return result;
}

/* The same where the dtype brings axes with it. */
static ar_array *like_with_axes(ar_array *other, PyArray_Descr **dtype, char order)
{
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    int ndim = other->ndim;
    memcpy(shape, other->shape, ndim * sizeof *shape);
    if (ar_dtype_axes(dtype, shape, &ndim))
        return NULL;
    if (order == 'K')
        order = (other->order & (AR_C | AR_F)) == AR_F ? 'F' : 'C';
    ar_strides_fill(strides, ndim, shape, PyDataType_ELSIZE(*dtype), order);
    return ar_like_shape(NULL, other, *dtype, ndim, shape, strides);
}

static ar_array *like(PyObject *const *in)
{
    PyArray_Descr *dtype = NULL;
    char order = 'K';
    ar_array *other = ar_expect(in[0], "other_ary");
    if (!other || (in[2] && ar_order_parse(in[2], other, &order)) ||
        (in[1] && in[1] != Py_None && !PyArray_DescrConverter(in[1], &dtype)))
        return NULL;
    ar_array *array = dtype && PyDataType_HASSUBARRAY(dtype)
                          ? like_with_axes(other, &dtype, order)
                          : ar_like(other, dtype ? dtype : other->dtype, order);
    Py_XDECREF(dtype);
    return array;
}

#define LIKE(name, result, text)                                                   \
    BD_METHOD(make_##name, 1, 3, #name "(other_ary, dtype=None, order='K')", text) \
    {                                                                              \
        return result;                                                             \
    }
LIKE(empty_like, filled(like(in), NULL),
     "An array like another, not initialised. order: 'C', 'F', 'A', or 'K' for that of "
     "the other's axes.")
LIKE(zeros_like, filled_with(like(in), 0), "empty_like() filled with zeros.")
LIKE(ones_like, filled_with(like(in), 1), "empty_like() filled with ones.")

/* -- Of others ------------------------------------------------------------------ */

/* Copies an array to places from `at` on along an axis, which it may lack; returns how
   many it took, or -1. */
static npy_intp put_behind(ar_array *result, ar_array *array, int axis, npy_intp at)
{
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    int has_axis = array->ndim == result->ndim, ndim = 0;
    npy_intp length = has_axis ? array->shape[axis] : 1;
    if (length > result->shape[axis] - at) {
        PyErr_SetString(PyExc_ValueError, "arrays do not fit into the result");
        return -1;
    }
    for (int d = 0; d < result->ndim; d++)
        if (d != axis || has_axis) {
            shape[ndim] = d == axis ? length : result->shape[d];
            strides[ndim++] = result->strides[d];
        }
    npy_intp offset = length ? at * result->strides[axis] : 0;
    ar_array *part = ar_view(result, NULL, ndim, shape, strides, offset);
    CUstream stream = bd_stream_usual(bd_state_from(result));
    int failed = !part || ar_assign_array(part, array, stream);
    Py_XDECREF((PyObject *)part);
    return failed ? -1 : length;
}

BD_METHOD(
    join_arrays, 3, 3, "_join(result, arrays, axis)",
    "Fills an array with those of a list, one behind the other along an axis; one "
    "without that axis takes one place.")
{
    ar_array *result = ar_expect(in[0], "result");
    npy_intp taken, at = 0;
    int64_t axis;
    if (!result || py_signed(in[2], "axis", 0, result->ndim - 1, &axis))
        return NULL;
    PyObject *arrays = py_items(in[1], "expected arrays");
    if (!arrays)
        return NULL;
    int failed = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arrays) && !failed; i++) {
        ar_array *array = ar_expect(PyTuple_GET_ITEM(arrays, i), "array");
        failed = !array || (taken = put_behind(result, array, (int)axis, at)) < 0;
        at += failed ? 0 : taken;
    }
    Py_DECREF(arrays);
    return failed ? NULL : Py_NewRef(in[0]);
}

PyMethodDef ar_creation_functions[] = {
    BD_ROW("_join", join_arrays),
    BD_ROW("_empty", make_empty),
    BD_ROW("zeros", make_zeros),
    BD_ROW("ones", make_ones),
    BD_ROW("full", make_full),
    BD_ROW("empty_like", make_empty_like),
    BD_ROW("zeros_like", make_zeros_like),
    BD_ROW("ones_like", make_ones_like),
    {NULL},
};
