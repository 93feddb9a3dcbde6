/* NumPy arrays over memory: shape, dtype and order from arguments, and the array, whose
   base is what owns the memory. */
#include "memory.h"
#include <string.h>

/* Of a list, a copy: NumPy reads on in one that an element's __index__ shortens. */
static int shape_parse(PyObject *object, PyArray_Dims *shape)
{
    PyObject *items = PyList_Check(object) ? PyList_AsTuple(object) : Py_NewRef(object);
    int parsed = items && PyArray_IntpConverter(items, shape);
    Py_XDECREF(items);
    return parsed;
}

int bd_layout_parse(bd_state *state, PyObject *const *in, bd_layout *layout)
{
    const char *order = "C";
    memset(layout, 0, sizeof *layout);
    if (!shape_parse(in[0], &layout->shape) ||
        !PyArray_DescrConverter(in[1], &layout->dtype))
        goto fail;
    if (in[2] && !(order = py_text(in[2])))
        goto fail;
    if (strcmp(order, "C") && strcmp(order, "F")) {
        bd_raise_because(state, CUDA_ERROR_INVALID_VALUE, "numpy_empty",
                         "unrecognized order specifier");
        goto fail;
    }
    layout->fortran = *order == 'F';
    if (bd_refuse_objects(layout->dtype))
        goto fail;
    layout->bytes = PyDataType_ELSIZE(layout->dtype);
    for (int i = 0; i < layout->shape.len; i++) {
        npy_intp length = layout->shape.ptr[i];
        if (length < 0) {
            PyErr_SetString(PyExc_ValueError, "negative dimensions are not allowed");
            goto fail;
        }
        if (__builtin_mul_overflow(layout->bytes, (size_t)length, &layout->bytes)) {
            PyErr_SetString(PyExc_ValueError, "the array is too big");
            goto fail;
        }
    }
    layout->bytes += layout->bytes == 0;
    return 0;
fail:
    bd_layout_clear(layout);
    return -1;
}

void bd_layout_clear(bd_layout *layout)
{
    PyDimMem_FREE(layout->shape.ptr);
    Py_XDECREF(layout->dtype);
    memset(layout, 0, sizeof *layout);
}

PyObject *bd_layout_array(const bd_layout *layout, PyObject *memory)
{
    void *data = (void *)(uintptr_t)((bd_device_pointer *)memory)->pointer;
    bd_memory_note_array(memory, (PyObject *)layout->dtype, layout->shape.len,
                         layout->shape.ptr);
    int flags = NPY_ARRAY_WRITEABLE | (layout->fortran ? NPY_ARRAY_F_CONTIGUOUS : 0);
    PyObject *array = PyArray_NewFromDescr(
        &PyArray_Type, (PyArray_Descr *)Py_NewRef((PyObject *)layout->dtype),
        layout->shape.len, layout->shape.ptr, NULL, data, flags, NULL);
    if (!array)
        Py_DECREF(memory);
    else if (PyArray_SetBaseObject((PyArrayObject *)array, memory) < 0)
        Py_CLEAR(array);
    return array;
}
