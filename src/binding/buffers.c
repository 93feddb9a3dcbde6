/* Buffers of host memory, whose bytes are copied or shared: none with references to
   Python objects in them. */
#include "object.h"
#include "memory.h"
#include <string.h>

/* Whether a buffer's format (of the struct module, with PEP 3118's structs) has an
 * object in it; names of fields stand between colons. */
static int has_objects(const char *format)
{
    for (; format && *format; format++)
        if (*format == 'O')
            return 1;
        else if (*format == ':' && !(format = strchr(format + 1, ':')))
            return 0;
    return 0;
}

int bd_refuse_objects(PyArray_Descr *dtype)
{
    if (!PyDataType_REFCHK(dtype))
        return 0;
    PyErr_Format(PyExc_TypeError,
                 "dtype %S holds Python objects, which are no bytes to copy or to "
                 "share with a device: convert the array to a dtype of numbers first",
                 dtype);
    return -1;
}

int bd_refuse_object_view(const Py_buffer *view)
{
    if (!has_objects(view->format))
        return 0;
    PyErr_Format(PyExc_TypeError,
                 "a buffer of format '%.100s' holds Python objects, which are no bytes "
                 "to copy or to share with a device: convert it to numbers first",
                 view->format);
    return -1;
}

int bd_buffer(PyObject *object, Py_buffer *view, int writable)
{
    int flags = PyBUF_ANY_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyArray_Check(object)) { /* some dtypes have no format */
        PyArrayObject *array = (PyArrayObject *)object;
        if (bd_refuse_objects(PyArray_DESCR(array)))
            return -1;
        if (!PyArray_IS_C_CONTIGUOUS(array) && !PyArray_IS_F_CONTIGUOUS(array)) {
            PyErr_SetString(
                PyExc_ValueError,
                "ndarray is not contiguous; numpy.ascontiguousarray() makes "
                "a copy that is");
            return -1;
        }
        return PyObject_GetBuffer(object, view, flags);
    }
    if (PyObject_GetBuffer(object, view, flags | PyBUF_FORMAT))
        return -1;
    if (!bd_refuse_object_view(view))
        return 0;
    PyBuffer_Release(view);
    return -1;
}

PyArrayObject *bd_numpy_from(PyObject *object, PyArray_Descr *dtype, int flags)
{
    PyObject *fixed = py_fixed(object), *array = NULL;
    if (fixed)
        array = PyArray_FromAny(fixed, dtype, 0, 0, flags, NULL);
    else
        Py_XDECREF(dtype);
    Py_XDECREF(fixed);
    return (PyArrayObject *)array;
}
