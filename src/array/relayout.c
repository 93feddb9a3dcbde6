/* What a program may say of an array that is there: its shape, strides and dtype. As in
   PyCUDA nothing moves, and neither how large the memory is nor whether elements are
   aligned is looked at, as it is of views: programs that give an array other memory set
   one after the other, and gpudata before or behind.
   What follows of them (size, ndim, ...) is taken and not kept. */
#include "array.h"
#include <string.h>

/* Before the layout changes: nobody reads the memory by the old one any more. */
static int begin(PyObject *self, PyObject *value, const char *name)
{
    bd_state *state = bd_state_from(self);
    if (!value) {
        PyErr_Format(PyExc_AttributeError, "%s of a GPUArray cannot be deleted", name);
        return -1;
    }
    if (bd_write_pending(state))
        return -1;
    bd_echo_end(state, AR_MEMORY(AR(self)));
    return 0;
}

/* An order in which the elements lie without gaps. */
static char order_of(const ar_array *array)
{
    return array->order == AR_F ? 'F' : 'C';
}

/* Another layout; what overflows is refused, and nothing changes. */
static int lay_out(ar_array *array, int ndim, const npy_intp *shape,
                   const npy_intp *strides)
{
    npy_intp shape_before[AR_MOST_AXES], strides_before[AR_MOST_AXES], below, above;
    int before = array->ndim;
    memcpy(shape_before, array->shape, before * sizeof *shape);
    memcpy(strides_before, array->strides, before * sizeof *shape);
    if (ar_reserve_axes(array, ndim))
        return -1;
    array->ndim = ndim;
    memmove(array->shape, shape, ndim * sizeof *shape); /* which may be the same */
    memmove(array->strides, strides, ndim * sizeof *strides);
    ar_layout_note(array);
    if (ar_reach(array, &below, &above) == 0)
        return 0;
    array->ndim = before;
    memcpy(array->shape, shape_before, before * sizeof *shape);
    memcpy(array->strides, strides_before, before * sizeof *shape);
    ar_layout_note(array);
    return -1;
}

int ar_set_shape(PyObject *self, PyObject *value, void *closure)
{
    ar_array *array = AR(self);
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    int ndim, unknown = 0;
    if (begin(self, value, "shape") || ar_shape_parse(value, -1, shape, &ndim))
        return -1;
    for (int i = 0; i < ndim; i++)
        unknown |= shape[i] < 0;
    if (unknown ? ar_shape_complete(array, ndim, shape)
                : ar_check_size(ndim, shape, AR_ITEMSIZE(array)))
        return -1;
    if (array->order) {
        ar_strides_fill(strides, ndim, shape, AR_ITEMSIZE(array), order_of(array));
        return lay_out(array, ndim, shape, strides);
    }
    if (ndim == array->ndim)
        return lay_out(array, ndim, shape, array->strides);
    PyErr_SetString(PyExc_AttributeError,
                    "shape: the elements have gaps between them, and stay where they "
                    "are; reshape() copies them");
    return -1;
}

int ar_set_strides(PyObject *self, PyObject *value, void *closure)
{
    ar_array *array = AR(self);
    npy_intp strides[AR_MOST_AXES];
    int ndim = array->ndim;
    if (begin(self, value, "strides") || ar_strides_parse(value, ndim, strides))
        return -1;
    if (array->ndim == ndim)
        return lay_out(array, ndim, array->shape, strides);
    PyErr_SetString(PyExc_ValueError, "strides: the array got another number of axes "
                                      "while an integer was computed");
    return -1;
}

int ar_set_dtype(PyObject *self, PyObject *value, void *closure)
{
    ar_array *array = AR(self);
    PyArray_Descr *dtype = NULL;
    npy_intp size;
    if (begin(self, value, "dtype") || !PyArray_DescrConverter(value, &dtype))
        return -1;
    size = PyDataType_ELSIZE(dtype);
    if (ar_check_dtype(dtype) || ar_check_size(array->ndim, array->shape, size)) {
        Py_DECREF(dtype);
        return -1;
    }
    if (array->order && size != AR_ITEMSIZE(array))
        ar_strides_fill(array->strides, array->ndim, array->shape, size,
                        order_of(array));
    Py_SETREF(array->dtype, dtype);
    ar_layout_note(array);
    return 0;
}

int ar_set_derived(PyObject *self, PyObject *value, void *name)
{
    size_t number;
    return begin(self, value, name) || py_size(value, name, &number) ? -1 : 0;
}
