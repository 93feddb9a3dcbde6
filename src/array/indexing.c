/* Basic indexing: integers, slices, Ellipsis and None make views; assignment writes
   through them. */
#include "array.h"

typedef struct {
    ar_array *array;
    int axis; /* of the array, the next to be indexed */
    int ndim; /* of the view so far */
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES], offset;
} view;

static int add_axis(view *view, npy_intp length, npy_intp stride)
{
    if (view->ndim == AR_MOST_AXES) {
        PyErr_Format(PyExc_IndexError, "the view would have more than %d axes",
                     AR_MOST_AXES);
        return -1;
    }
    view->shape[view->ndim] = length;
    view->strides[view->ndim++] = stride;
    return 0;
}

static int keep_axes(view *view, int count)
{
    for (; count > 0; count--, view->axis++)
        if (add_axis(view, view->array->shape[view->axis],
                     view->array->strides[view->axis]))
            return -1;
    return 0;
}

static int take_integer(view *view, PyObject *item)
{
    npy_intp length = view->array->shape[view->axis];
    Py_ssize_t index = PyNumber_AsSsize_t(item, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred())
        return -1;
    if (index < -length || index >= length) {
        PyErr_Format(PyExc_IndexError, "subindex in axis %d out of range", view->axis);
        return -1;
    }
    view->offset +=
        (index < 0 ? index + length : index) * view->array->strides[view->axis++];
    return 0;
}

static int take_slice(view *view, PyObject *item)
{
    Py_ssize_t start, stop, step;
    npy_intp stride = view->array->strides[view->axis];
    if (PySlice_Unpack(item, &start, &stop, &step))
        return -1;
    Py_ssize_t length =
        PySlice_AdjustIndices(view->array->shape[view->axis++], &start, &stop, step);
    if (length > 0)
        view->offset += start * stride;
    return add_axis(view, length, length > 1 ? step * stride : stride);
}

static int is_fancy(PyObject *item)
{
    return ar_check(item) || PyList_Check(item) || PyBool_Check(item) ||
           (PyArray_Check(item) && PyArray_NDIM((PyArrayObject *)item) > 0);
}

static int take(view *view, PyObject *item)
{
    if (item == Py_None)
        return add_axis(view, 1, AR_ITEMSIZE(view->array));
    if (is_fancy(item)) {
        PyErr_SetString(
            PyExc_NotImplementedError,
            "GPUArray.__getitem__ with arrays of indices or booleans is not "
            "available yet; use gpuarray.take");
        return -1;
    }
    if (view->axis == view->array->ndim) {
        PyErr_SetString(PyExc_IndexError, "too many axes in index");
        return -1;
    }
    if (PySlice_Check(item))
        return take_slice(view, item);
    if (PyIndex_Check(item))
        return take_integer(view, item);
    PyErr_Format(PyExc_IndexError, "invalid subindex in axis %d", view->axis);
    return -1;
}

/* How many axes of the array the items of an index use up; -1: two ellipses. */
static int axes_used(PyObject *const *items, Py_ssize_t count)
{
    int used = 0, ellipses = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        used += items[i] != Py_None && items[i] != Py_Ellipsis;
        ellipses += items[i] == Py_Ellipsis;
    }
    if (ellipses < 2)
        return used;
    PyErr_SetString(PyExc_IndexError, "more than one ellipsis not allowed in index");
    return -1;
}

PyObject *ar_subscript(PyObject *self, PyObject *index)
{
    ar_array *array = AR(self);
    view view = {.array = array};
    PyObject *const *items = &index;
    Py_ssize_t count = 1;
    if (PyTuple_Check(index)) {
        items = &PyTuple_GET_ITEM(index, 0);
        count = PyTuple_GET_SIZE(index);
    }
    int used = axes_used(items, count);
    for (Py_ssize_t i = 0; i < count && used >= 0; i++)
        if (items[i] == Py_Ellipsis ? keep_axes(&view, array->ndim - used)
                                    : take(&view, items[i]))
            return NULL;
    if (used < 0 || keep_axes(&view, array->ndim - view.axis))
        return NULL;
    return (PyObject *)ar_view(array, NULL, view.ndim, view.shape, view.strides,
                               view.offset);
}

PyObject *ar_item(PyObject *self, Py_ssize_t index)
{
    PyObject *number = PyLong_FromSsize_t(index);
    PyObject *item = number ? ar_subscript(self, number) : NULL;
    Py_XDECREF(number);
    return item;
}

int ar_ass_subscript(PyObject *self, PyObject *index, PyObject *value)
{
    if (!value) {
        PyErr_SetString(PyExc_ValueError, "elements of arrays cannot be deleted");
        return -1;
    }
    PyObject *view = ar_subscript(self, index);
    int result = view ? ar_assign(AR(view), value, NULL) : -1;
    Py_XDECREF(view);
    return result;
}
