/* Basic indexing: integers, slices, Ellipsis and None make views; assignment writes
   through them. Indexing by arrays is in pycuda/_indexing.py. */
#include "array.h"
#include <string.h>

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

static int take(view *view, PyObject *item)
{
    if (item == Py_None)
        return add_axis(view, 1, 0);
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

typedef struct {
    PyObject *const *items; /* borrowed */
    Py_ssize_t count;
} index_items;

static index_items items_of(PyObject *const *index)
{
    if (PyTuple_Check(*index))
        return (index_items){&PyTuple_GET_ITEM(*index, 0), PyTuple_GET_SIZE(*index)};
    return (index_items){index, 1};
}

static PyObject *basic(ar_array *array, index_items index)
{
    view view = {.array = array};
    int used = axes_used(index.items, index.count);
    for (Py_ssize_t i = 0; i < index.count && used >= 0; i++)
        if (index.items[i] == Py_Ellipsis ? keep_axes(&view, array->ndim - used)
                                          : take(&view, index.items[i]))
            return NULL;
    if (used < 0 || keep_axes(&view, array->ndim - view.axis))
        return NULL;
    return (PyObject *)ar_view(array, NULL, view.ndim, view.shape, view.strides,
                               view.offset);
}

/* Whether an item asks for elements one by one: arrays of places or booleans; the name
   of a field goes the same way. */
static int is_fancy(index_items index)
{
    for (Py_ssize_t i = 0; i < index.count; i++) {
        PyObject *item = index.items[i];
        if (ar_check(item) || PyList_Check(item) || PyTuple_Check(item) ||
            PyUnicode_Check(item) || PyBool_Check(item) ||
            PyArray_IsScalar(item, Bool) ||
            (PyArray_Check(item) && (PyArray_NDIM((PyArrayObject *)item) > 0 ||
                                     PyArray_ISBOOL((PyArrayObject *)item))))
            return 1;
    }
    return 0;
}

static PyObject *indexing(const char *function, PyObject *self, PyObject *index,
                          PyObject *value)
{
    PyObject *module = PyImport_ImportModule("pycuda._indexing");
    PyObject *result = module
                           ? PyObject_CallMethod(module, function, value ? "OOO" : "OO",
                                                 self, index, value)
                           : NULL;
    Py_XDECREF(module);
    return result;
}

/* -- By integers along one axis -------------------------------------------------- */

static int is_places(PyObject *item)
{
    return ar_check(item) && AR(item)->ndim && AR(item)->type >= KN_I8 &&
           AR(item)->type <= KN_I64;
}

/* The view with the slices applied that stand beside the index array, and which axis of
   it that is for; NULL without an exception: there is more to the index than that. */
static ar_array *sliced(ar_array *array, index_items index, ar_array **places,
                        int *axis)
{
    view view = {.array = array};
    int used = 0, ellipses = 0;
    *places = NULL;
    for (Py_ssize_t i = 0; i < index.count; i++) {
        PyObject *item = index.items[i];
        used += item != Py_None && item != Py_Ellipsis;
        ellipses += item == Py_Ellipsis;
        if (!*places && is_places(item))
            *places = AR(item);
        else if (item != Py_None && item != Py_Ellipsis && !PySlice_Check(item))
            return NULL;
    }
    if (!*places || used > array->ndim || ellipses > 1)
        return NULL;
    for (Py_ssize_t i = 0; i < index.count; i++) {
        PyObject *item = index.items[i];
        int is_array = item == (PyObject *)*places;
        if (is_array)
            *axis = view.ndim;
        if (is_array              ? keep_axes(&view, 1)
            : item == Py_Ellipsis ? keep_axes(&view, array->ndim - used)
                                  : take(&view, item))
            return NULL;
    }
    if (keep_axes(&view, array->ndim - view.axis))
        return NULL;
    return ar_view(array, NULL, view.ndim, view.shape, view.strides, view.offset);
}

static PyObject *by_integers(ar_array *array, index_items index)
{
    ar_array *places;
    int axis = 0;
    ar_array *view = sliced(array, index, &places, &axis);
    if (!view && PyErr_Occurred())
        return NULL;
    if (!view)
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *result = ar_take_along(bd_state_from(array), view, axis, places);
    Py_DECREF((PyObject *)view);
    return result;
}

PyObject *ar_subscript(PyObject *self, PyObject *index)
{
    index_items items = items_of(&index);
    if (!is_fancy(items))
        return basic(AR(self), items);
    PyObject *result = by_integers(AR(self), items);
    if (result != Py_NotImplemented)
        return result;
    Py_DECREF(result);
    return indexing("get", self, index, NULL);
}

/* Iteration comes here. There is no __iter__, as PyCUDA has none: programs tell arrays
   from iterables by that. */
PyObject *ar_item(PyObject *self, Py_ssize_t index)
{
    if (AR(self)->ndim == 0) {
        PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
        return NULL;
    }
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
    index_items items = items_of(&index);
    int fancy = is_fancy(items);
    PyObject *part =
        fancy ? indexing("set", self, index, value) : basic(AR(self), items);
    int result =
        part ? fancy ? 0
                     : ar_assign(AR(part), value, bd_stream_usual(bd_state_from(self)))
             : -1;
    Py_XDECREF(part);
    return result;
}
