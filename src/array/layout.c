/* Shapes, strides and what follows of them. Lengths are checked here once, so that no
   product of them overflows later. */
#include "array.h"
#include <stdlib.h>
#include <string.h>

int ar_lengths_parse(PyObject *const *items, Py_ssize_t count, int least,
                     npy_intp *shape, int *ndim)
{
    if (count > AR_MOST_AXES) {
        PyErr_Format(PyExc_ValueError, "%zd axes are too many, at most %d", count,
                     AR_MOST_AXES);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t length;
        if (py_signed(items[i], "shape", least < 0 ? least : INT64_MIN, INT64_MAX,
                      &length))
            return -1;
        if (length < least) {
            PyErr_SetString(PyExc_ValueError, "negative dimensions are not allowed");
            return -1;
        }
        shape[i] = length;
    }
    *ndim = (int)count;
    return 0;
}

int ar_is_index(PyObject *object)
{
    if (!PyIndex_Check(object) || (!PyLong_Check(object) && PyObject_Size(object) >= 0))
        return 0;
    PyErr_Clear();
    return 1;
}

int ar_shape_parse(PyObject *object, int least, npy_intp *shape, int *ndim)
{
    if (ar_is_index(object))
        return ar_lengths_parse(&object, 1, least, shape, ndim);
    PyObject *items = py_items(object, "shape: expected an integer or a tuple of them");
    int result = items ? ar_lengths_parse(PySequence_Fast_ITEMS(items),
                                          PyTuple_GET_SIZE(items), least, shape, ndim)
                       : -1;
    Py_XDECREF(items);
    return result;
}

int ar_dtype_axes(PyArray_Descr **dtype, npy_intp *shape, int *ndim)
{
    while (PyDataType_HASSUBARRAY(*dtype)) {
        PyArray_Descr *whole = *dtype, *base = PyDataType_SUBARRAY(whole)->base;
        PyObject *axes = PyDataType_SUBARRAY(whole)->shape; /* NumPy's own: a tuple */
        npy_intp more[AR_MOST_AXES];
        int count;
        if (ar_shape_parse(axes, 0, more, &count))
            return -1;
        if (count > AR_MOST_AXES - *ndim) {
            PyErr_Format(PyExc_ValueError, "%d axes are too many, at most %d",
                         *ndim + count, AR_MOST_AXES);
            return -1;
        }
        memcpy(shape + *ndim, more, count * sizeof *more);
        *ndim += count;
        Py_INCREF(base);
        *dtype = base;
        Py_DECREF(whole);
    }
    return 0;
}

int ar_strides_parse(PyObject *object, int ndim, npy_intp *strides)
{
    PyObject *items = py_items(object, "strides: expected a tuple of integers");
    int result = items ? 0 : -1;
    if (items && PyTuple_GET_SIZE(items) != ndim) {
        PyErr_Format(PyExc_ValueError, "strides: expected %d, got %zd", ndim,
                     PyTuple_GET_SIZE(items));
        result = -1;
    }
    for (int i = 0; i < ndim && !result; i++) {
        int64_t stride;
        result = py_signed(PyTuple_GET_ITEM(items, i), "strides", INT64_MIN, INT64_MAX,
                           &stride);
        strides[i] = stride;
    }
    Py_XDECREF(items);
    return result;
}

int ar_check_size(int ndim, const npy_intp *shape, npy_intp itemsize)
{
    npy_intp bytes = itemsize ? itemsize : 1;
    for (int i = 0; i < ndim; i++)
        if (shape[i] && __builtin_mul_overflow(bytes, shape[i], &bytes)) {
            PyErr_SetString(
                PyExc_ValueError,
                "array is too big: its bytes, axes of length 0 not counted, "
                "must be less than 2**63");
            return -1;
        }
    return 0;
}

/* Axes of length 0 count as 1. */
static npy_intp step_over(npy_intp stride, npy_intp length)
{
    return length ? stride * length : stride;
}

void ar_strides_fill(npy_intp *strides, int ndim, const npy_intp *shape,
                     npy_intp itemsize, char order)
{
    npy_intp stride = itemsize;
    for (int i = 0; i < ndim; i++) {
        int axis = order == 'F' ? i : ndim - 1 - i;
        strides[axis] = stride;
        stride = step_over(stride, shape[axis]);
    }
}

void ar_strides_like(npy_intp *strides, int ndim, const npy_intp *shape,
                     npy_intp itemsize, int count, const npy_intp *const *others)
{
    int order[AR_MOST_AXES];
    npy_intp stride = itemsize;
    kn_order_axes(ndim, count, others, count > 1, order);
    for (int i = 0; i < ndim; i++) {
        strides[order[i]] = stride;
        stride = step_over(stride, shape[order[i]]);
    }
}

int ar_reserve_axes(ar_array *array, int ndim)
{
    npy_intp *more;
    if (ndim <= AR_AXES_AT_HAND || array->shape != array->at_hand[0])
        return 0;
    if (!(more = PyMem_Calloc(2 * AR_MOST_AXES, sizeof *more))) {
        PyErr_NoMemory();
        return -1;
    }
    array->strides =
        memcpy(more + AR_MOST_AXES, array->strides, sizeof array->at_hand[1]);
    array->shape = memcpy(more, array->shape, sizeof array->at_hand[0]);
    return 0;
}

void ar_layout_note(ar_array *array)
{
    npy_intp itemsize = AR_ITEMSIZE(array), size = 1, c = itemsize, f = itemsize;
    int order = AR_C | AR_F;
    for (int i = 0; i < array->ndim; i++) {
        int j = array->ndim - 1 - i;
        if (array->shape[i] != 1 && array->strides[i] != f)
            order &= ~AR_F;
        if (array->shape[j] != 1 && array->strides[j] != c)
            order &= ~AR_C;
        f *= array->shape[i];
        c *= array->shape[j];
        size *= array->shape[i];
    }
    array->size = size;
    array->order = size ? order : AR_C | AR_F;
    array->head.size = size * itemsize;
    array->type = kn_type_of(array->dtype);
}

int ar_is_dense(const ar_array *array)
{
    const npy_intp *strides = array->strides;
    npy_intp dense[AR_MOST_AXES];
    if (array->order)
        return 1;
    ar_strides_like(dense, array->ndim, array->shape, AR_ITEMSIZE(array), 1, &strides);
    for (int i = 0; i < array->ndim; i++)
        if (array->shape[i] != 1 && strides[i] != dense[i])
            return 0;
    return 1;
}

int ar_order_parse(PyObject *object, const ar_array *like, char *order)
{
    const char *text =
        object && PyUnicode_Check(object) ? PyUnicode_AsUTF8(object) : "";
    if (!text)
        return -1;
    char letter = text[0] && !text[1] ? text[0] : 0;
    if (letter == 'C' || letter == 'F')
        *order = letter;
    else if (letter == 'A' && like)
        *order = like->order & AR_F && !(like->order & AR_C) ? 'F' : 'C';
    else if (letter == 'K' && like)
        *order = 'K';
    else {
        PyErr_Format(PyExc_ValueError,
                     like ? "Unsupported order: %R" : "invalid order: %S", object);
        return -1;
    }
    return 0;
}

static void refuse_broadcast(ar_array *const *arrays, int count)
{
    PyObject *text = PyUnicode_FromString(""), *shape;
    for (int i = 0; i < count && text; i++) {
        if (!(shape = ar_tuple(arrays[i]->ndim, arrays[i]->shape)))
            Py_CLEAR(text);
        else
            Py_SETREF(text, PyUnicode_FromFormat("%U %R", text, shape));
        Py_XDECREF(shape);
    }
    if (text)
        PyErr_Format(PyExc_ValueError,
                     "operands could not be broadcast together with shapes%U", text);
    Py_XDECREF(text);
}

int ar_broadcast(ar_array *const *arrays, int count, npy_intp *shape, int *ndim)
{
    *ndim = 0;
    for (int k = 0; k < count; k++)
        *ndim = arrays[k]->ndim > *ndim ? arrays[k]->ndim : *ndim;
    for (int i = 0; i < *ndim; i++)
        shape[i] = 1;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < arrays[k]->ndim; i++) {
            npy_intp length = arrays[k]->shape[i];
            npy_intp *at = &shape[*ndim - arrays[k]->ndim + i];
            if (*at == 1)
                *at = length;
            else if (length != 1 && length != *at) {
                refuse_broadcast(arrays, count);
                return -1;
            }
        }
    return ar_check_size(*ndim, shape, 1);
}

void ar_broadcast_strides(const ar_array *array, int ndim, npy_intp *strides)
{
    int more = ndim - array->ndim;
    for (int i = 0; i < ndim; i++)
        strides[i] =
            i < more || array->shape[i - more] == 1 ? 0 : array->strides[i - more];
}

int ar_has_shape(const ar_array *array, int ndim, const npy_intp *shape)
{
    return array->ndim == ndim &&
           (ndim == 0 || !memcmp(array->shape, shape, ndim * sizeof *shape));
}

int ar_same_elements(const ar_array *a, const ar_array *b)
{
    return a->head.pointer == b->head.pointer && ar_has_shape(a, b->ndim, b->shape) &&
           !memcmp(a->strides, b->strides, b->ndim * sizeof *b->strides);
}

int ar_reach(const ar_array *array, npy_intp *below, npy_intp *above)
{
    *below = *above = 0;
    for (int i = 0; i < array->ndim && array->size; i++) {
        npy_intp reach, *side = array->strides[i] < 0 ? below : above;
        if (__builtin_mul_overflow(array->strides[i], array->shape[i] - 1, &reach) ||
            __builtin_add_overflow(*side, reach, side)) {
            PyErr_SetString(PyExc_ValueError,
                            "strides: the distance from the first element to the last "
                            "must be less than 2**63 bytes");
            return -1;
        }
    }
    return 0;
}

static void extent(const ar_array *array, CUdeviceptr *first, CUdeviceptr *end)
{
    *first = *end = array->head.pointer;
    for (int i = 0; i < array->ndim; i++) {
        npy_intp reach = (array->shape[i] - 1) * array->strides[i];
        *(reach < 0 ? first : end) += reach;
    }
    *end += AR_ITEMSIZE(array);
}

int ar_overlap(const ar_array *a, const ar_array *b)
{
    CUdeviceptr first[2], end[2];
    if (!a->size || !b->size)
        return 0;
    extent(a, &first[0], &end[0]);
    extent(b, &first[1], &end[1]);
    return first[0] < end[1] && first[1] < end[0];
}

int ar_has_shared_elements(const ar_array *array)
{
    const npy_intp *strides = array->strides;
    int order[AR_MOST_AXES];
    npy_intp end = AR_ITEMSIZE(array); /* of what the faster axes reach */
    if (array->order)
        return 0;
    kn_order_axes(array->ndim, 1, &strides, 0, order);
    for (int i = 0; i < array->ndim; i++) {
        npy_intp length = array->shape[order[i]], step = Py_ABS(strides[order[i]]);
        if (length == 1)
            continue;
        if (step < end)
            return 1;
        end += step * (length - 1);
    }
    return 0;
}

PyObject *ar_tuple(int count, const npy_intp *values)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; i < count && tuple; i++) {
        PyObject *value = PyLong_FromSsize_t(values[i]);
        if (!value)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, value);
    }
    return tuple;
}
