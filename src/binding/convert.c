/* Python objects to C values, with errors that say which argument, what it was and what
   would do. Integers are anything with __index__ (NumPy's included), never floats. */
#include "object.h"
#include "numpy_api.h"
#include <limits.h>
#include <string.h>

static PyObject *as_integer(PyObject *object, const char *what)
{
    PyObject *number = PyNumber_Index(object);
    if (!number && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: expected an integer, got %s", what,
                     Py_TYPE(object)->tp_name);
    }
    return number;
}

/* Gives the number up; says so if it did not fit. */
static int finish(PyObject *number, const char *what, int fits, const char *range)
{
    if (!fits) {
        PyErr_Clear();
        PyErr_Format(PyExc_OverflowError, "%s: %R is out of range (%s)", what, number,
                     range);
    }
    Py_DECREF(number);
    return fits ? 0 : -1;
}

int bd_unsigned(PyObject *object, const char *what, uint64_t max, uint64_t *value)
{
    int overflow;
    long long small = PyLong_CheckExact(object)
                          ? PyLong_AsLongLongAndOverflow(object, &overflow)
                          : -1;
    if (small >= 0 && (uint64_t)small <= max) { /* nearly always */
        *value = (uint64_t)small;
        return 0;
    }
    PyObject *number = as_integer(object, what);
    char range[60];
    if (!number)
        return -1;
    *value = PyLong_AsUnsignedLongLong(number);
    int fits = *value <= max && !(*value == UINT64_MAX && PyErr_Occurred());
    if (!fits)
        snprintf(range, sizeof range, "0 to %llu", (unsigned long long)max);
    return finish(number, what, fits, range);
}

int bd_signed(PyObject *object, const char *what, int64_t min, int64_t max,
              int64_t *value)
{
    PyObject *number = as_integer(object, what);
    char range[60];
    if (!number)
        return -1;
    *value = PyLong_AsLongLong(number);
    int fits = *value >= min && *value <= max && !(*value == -1 && PyErr_Occurred());
    if (!fits)
        snprintf(range, sizeof range, "%lld to %lld", (long long)min, (long long)max);
    return finish(number, what, fits, range);
}

int bd_size(PyObject *object, const char *what, size_t *value)
{
    uint64_t result;
    if (bd_unsigned(object, what, SIZE_MAX, &result))
        return -1;
    *value = result;
    return 0;
}

int bd_flags(PyObject *object, const char *what, unsigned *value)
{
    uint64_t result;
    if (!object || object == Py_None)
        return 0;
    if (bd_unsigned(object, what, UINT_MAX, &result))
        return -1;
    *value = (unsigned)result;
    return 0;
}

int bd_flag(PyObject *object, int *value)
{
    int result = object ? PyObject_IsTrue(object) : *value;
    if (result < 0)
        return -1;
    *value = result;
    return 0;
}

const char *bd_text(PyObject *object)
{
    Py_ssize_t length;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "expected a str, got %s",
                     Py_TYPE(object)->tp_name);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(object, &length);
    if (!text || strlen(text) == (size_t)length)
        return text;
    PyErr_Format(PyExc_ValueError, "embedded null character in %R", object);
    return NULL;
}

int bd_instance(bd_state *state, PyObject *object, int type, const char *what)
{
    if (PyObject_TypeCheck(object, state->type[type]))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s: expected %s, got %s", what,
                 state->type[type]->tp_name, Py_TYPE(object)->tp_name);
    return -1;
}

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
    if (PyArray_Check(object)) /* some dtypes have no format */
        return bd_refuse_objects(PyArray_DESCR((PyArrayObject *)object))
                   ? -1
                   : PyObject_GetBuffer(object, view, flags);
    if (PyObject_GetBuffer(object, view, flags | PyBUF_FORMAT))
        return -1;
    if (!bd_refuse_object_view(view))
        return 0;
    PyBuffer_Release(view);
    return -1;
}

PyObject *bd_items(PyObject *object, const char *what)
{
    PyObject *items = PySequence_Tuple(object);
    if (!items && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s, got %s", what, Py_TYPE(object)->tp_name);
    }
    return items;
}
