/* Other shapes of the same elements: reshape, ravel, transpose, view. Views
   where the strides allow it, else copies, as in NumPy. */
#include "array.h"
#include <string.h>

/* -- reshape -------------------------------------------------------------------- */

/* Strides under which the array has another shape without a copy: groups of axes of the
   old and the new shape with equal products must each be without gaps. 0: there are
   none. */
static int regroup(const ar_array *array, int ndim, const npy_intp *shape, char order,
                   npy_intp *strides)
{
    npy_intp from[AR_MOST_AXES], steps[AR_MOST_AXES];
    int count = 0, i = 0, j = 0;
    for (int k = 0; k < array->ndim;
         k++) /* slowest first; lengths of one do not count */
        if (array->shape[k] != 1) {
            from[count] = array->shape[k];
            steps[count++] = array->strides[k];
        }
    if (order == 'F') /* the same as C order, read backwards */
        for (int k = 0; k < count / 2; k++) {
            npy_intp length = from[k], step = steps[k];
            from[k] = from[count - 1 - k];
            steps[k] = steps[count - 1 - k];
            from[count - 1 - k] = length;
            steps[count - 1 - k] = step;
        }
#define TO(k) shape[order == 'F' ? ndim - 1 - (k) : (k)]
#define STRIDE(k) strides[order == 'F' ? ndim - 1 - (k) : (k)]
    while (i < count || j < ndim) {
        npy_intp a = i < count ? from[i] : 1, b = j < ndim ? TO(j) : 1;
        int i0 = i, j0 = j;
        i += i < count;
        j += j < ndim;
        while (a != b)
            if (a < b)
                a *= from[i++];
            else
                b *= TO(j++);
        while (j < ndim && TO(j) == 1)
            j++;
        for (int k = i0; k + 1 < i; k++)
            if (steps[k] != steps[k + 1] * from[k + 1])
                return 0;
        npy_intp step = i > i0 ? steps[i - 1] : AR_ITEMSIZE(array);
        for (int k = j - 1; k >= j0; k--) {
            STRIDE(k) = step;
            step *= TO(k);
        }
    }
#undef TO
#undef STRIDE
    return 1;
}

ar_array *ar_reshape(ar_array *array, int ndim, const npy_intp *shape, char order)
{
    npy_intp strides[AR_MOST_AXES];
    if (array->size == 0)
        ar_strides_fill(strides, ndim, shape, AR_ITEMSIZE(array), order);
    else if (!regroup(array, ndim, shape, order, strides)) {
        ar_array *copy =
            ar_copy(array, NULL, order, bd_stream_usual(bd_state_from(array)));
        ar_array *result = copy ? ar_reshape(copy, ndim, shape, order) : NULL;
        Py_XDECREF(copy);
        return result;
    }
    return ar_view(array, NULL, ndim, shape, strides, 0);
}

int ar_shape_complete(const ar_array *array, int ndim, npy_intp *shape)
{
    npy_intp size = 1; /* of the axes that are not of length 0 */
    int unknown = -1, empty = 0, too_large = 0;
    for (int i = 0; i < ndim; i++) {
        empty |= shape[i] == 0;
        if (shape[i] > 0)
            too_large |= __builtin_mul_overflow(size, shape[i], &size);
        if (shape[i] >= 0)
            continue;
        if (unknown >= 0) {
            PyErr_SetString(PyExc_ValueError, "can only specify one unknown dimension");
            return -1;
        }
        unknown = i;
    }
    if (unknown >= 0 && !empty && !too_large) {
        shape[unknown] = array->size / size;
        size *= shape[unknown];
    }
    if (empty ? unknown < 0 && array->size == 0 : !too_large && size == array->size)
        return ar_check_size(ndim, shape, AR_ITEMSIZE(array));
    PyErr_SetString(PyExc_ValueError, "total size of new array must be unchanged");
    return -1;
}

static const char array_reshape_doc[] =
    "reshape($self, *shape, order='C')\n--\n\n"
    "The same elements in another shape: integers, or a tuple; one may be -1. A view "
    "where the strides allow it, else a copy.";

static PyObject *array_reshape(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    static const char *const known = "order";
    ar_array *array = AR(self);
    npy_intp shape[AR_MOST_AXES];
    PyObject *given = NULL;
    int ndim = 0;
    char order = 'C';
    if (py_sort_keywords(names, args + nargs, &known, 1, &given, PyExc_TypeError,
                         "reshape: there is no argument '%U'") ||
        (given && ar_order_parse(given, array, &order)))
        return NULL;
    if ((nargs == 1 ? ar_shape_parse(args[0], -1, shape, &ndim)
                    : ar_lengths_parse(args, nargs, -1, shape, &ndim)) ||
        ar_shape_complete(array, ndim, shape))
        return NULL;
    if (array->order && ar_has_shape(array, ndim, shape))
        return Py_NewRef((PyObject *)array);
    return (PyObject *)ar_reshape(array, ndim, shape, order == 'F' ? 'F' : 'C');
}

/* -- Axes ----------------------------------------------------------------------- */

static ar_array *permute(ar_array *array, const int *axes)
{
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    for (int i = 0; i < array->ndim; i++) {
        shape[i] = array->shape[axes[i]];
        strides[i] = array->strides[axes[i]];
    }
    ar_array *view = ar_view(array, NULL, array->ndim, shape, strides, 0);
    if (view) /* as PyCUDA has it: gpudata is the owner */
        view->is_view = array->is_view || !AR_MEMORY(array);
    return view;
}

PyObject *ar_transposed(PyObject *self, void *closure)
{
    int axes[AR_MOST_AXES];
    for (int i = 0; i < AR(self)->ndim; i++)
        axes[i] = AR(self)->ndim - 1 - i;
    return (PyObject *)permute(AR(self), axes);
}

static PyObject *transpose(ar_array *array, PyObject *const *items, Py_ssize_t count)
{
    int axes[AR_MOST_AXES], used[AR_MOST_AXES] = {0};
    int fits = count == array->ndim;
    for (int i = 0; i < array->ndim && fits; i++) {
        int64_t axis;
        if (py_signed(items[i], "axes", INT_MIN, INT_MAX, &axis))
            return NULL;
        axis += axis < 0 ? array->ndim : 0;
        fits = axis >= 0 && axis < array->ndim && !used[axis]++;
        axes[i] = (int)axis;
    }
    if (fits)
        return (PyObject *)permute(array, axes);
    PyErr_SetString(PyExc_ValueError, "axes don't match array");
    return NULL;
}

static const char array_transpose_doc[] =
    "transpose($self, axes=None, *more)\n--\n\n"
    "A view with the axes in another order, a tuple or integers; default: reversed.";

static PyObject *array_transpose(PyObject *self, PyObject *const *args,
                                 Py_ssize_t nargs, PyObject *names)
{
    PyObject *axes = NULL;
    if (!names && (nargs > 1 || (nargs == 1 && ar_is_index(args[0]))))
        return transpose(AR(self), args, nargs);
    if (py_parse("transpose(axes=None)", 0, 1, args, nargs, names, &axes))
        return NULL;
    if (!axes || axes == Py_None)
        return ar_transposed(self, NULL);
    PyObject *items = py_items(axes, "axes: expected a tuple of integers");
    PyObject *result = items ? transpose(AR(self), PySequence_Fast_ITEMS(items),
                                         PyTuple_GET_SIZE(items))
                             : NULL;
    Py_XDECREF(items);
    return result;
}

BD_METHOD(
    array_ravel, 0, 1, "ravel($self, order='C')",
    "All elements along one axis, without gaps: a view if they lie so, else a copy.")
{
    ar_array *array = AR(self), *flat;
    char order = 'C';
    if (in[0] && ar_order_parse(in[0], array, &order))
        return NULL;
    if (order == 'K') { /* the axes in the order in which they lie */
        int axes[AR_MOST_AXES], inner[AR_MOST_AXES];
        const npy_intp *strides = array->strides;
        kn_order_axes(array->ndim, 1, &strides, 0, inner);
        for (int i = 0; i < array->ndim; i++)
            axes[i] = inner[array->ndim - 1 - i];
        array = permute(array, axes);
    } else
        Py_INCREF(array);
    if (!array)
        return NULL;
    if ((flat = ar_reshape(array, 1, &array->size, order == 'F' ? 'F' : 'C')))
        Py_SETREF(flat, ar_contiguous(flat, bd_stream_usual(bd_state_from(flat))));
    Py_DECREF(array);
    return (PyObject *)flat;
}

/* -- view ----------------------------------------------------------------------- */

static int retype(ar_array *array, npy_intp itemsize, npy_intp *shape,
                  npy_intp *strides)
{
    npy_intp old = AR_ITEMSIZE(array);
    int last = array->ndim - 1, axis = -1;
    if (itemsize == old)
        return 0;
    if (last >= 0 && (shape[last] == 1 || array->size == 0 || strides[last] == old))
        axis = last;
    for (int i = last - 1; i >= 0 && axis < 0; i--)
        if (shape[i] != 1 && strides[i] == old)
            axis = i;
    if (axis < 0 || !itemsize || shape[axis] * old % itemsize) {
        PyErr_SetString(PyExc_ValueError, "new type not compatible with array");
        return -1;
    }
    shape[axis] = shape[axis] * old / itemsize;
    strides[axis] = itemsize;
    return 0;
}

BD_METHOD(
    array_view, 0, 1, "view($self, dtype=None)",
    "The same memory with elements of another dtype. The length of the last axis, "
    "or, if its elements are not adjacent, of another whose elements are, changes "
    "with the size of an element; ValueError if there is none, or if elements would "
    "not be aligned, as kernels need them.")
{
    ar_array *array = AR(self);
    PyArray_Descr *dtype = NULL;
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    PyObject *view = NULL;
    if (in[0] && in[0] != Py_None && !PyArray_DescrConverter(in[0], &dtype))
        return NULL;
    memcpy(shape, array->shape, array->ndim * sizeof *shape);
    memcpy(strides, array->strides, array->ndim * sizeof *strides);
    if (!dtype || (ar_check_dtype(dtype) == 0 &&
                   retype(array, PyDataType_ELSIZE(dtype), shape, strides) == 0))
        view = (PyObject *)ar_view(array, dtype, array->ndim, shape, strides, 0);
    Py_XDECREF(dtype);
    return view;
}

BD_METHOD(
    array_look, 3, 5, "_look(array, shape, strides, offset=0, dtype=None)",
    "A view of an array's memory, `offset` bytes on. Who asks for it knows that its "
    "elements are inside of the array's.")
{
    ar_array *array = ar_expect(in[0], "array");
    PyArray_Descr *dtype = NULL;
    PyObject *view = NULL;
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    int64_t offset = 0;
    int ndim;
    if (!array || ar_shape_parse(in[1], 0, shape, &ndim) ||
        ar_strides_parse(in[2], ndim, strides) ||
        (in[3] && py_signed(in[3], "offset", INT64_MIN, INT64_MAX, &offset)) ||
        (in[4] && in[4] != Py_None && !PyArray_DescrConverter(in[4], &dtype)))
        return NULL;
    if (!ar_check_size(ndim, shape,
                       dtype ? PyDataType_ELSIZE(dtype) : AR_ITEMSIZE(array)))
        view = (PyObject *)ar_view(array, dtype, ndim, shape, strides, offset);
    Py_XDECREF(dtype);
    return view;
}

PyMethodDef ar_shape_functions[] = {
    BD_ROW("_look", array_look),
    {NULL},
};

PyMethodDef ar_shape_methods[] = {
    BD_ROW("reshape", array_reshape),
    BD_ROW("ravel", array_ravel),
    BD_ROW("transpose", array_transpose),
    BD_ROW("view", array_view),
    {NULL},
};
