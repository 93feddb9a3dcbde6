/* Python objects to C values, with errors that say which argument, what it was and what
   would do. Integers are anything with __index__ (NumPy's included), never floats. */
#include "object.h"
#include <limits.h>

static int out_of_range(const char *what, PyObject *object, const char *limits)
{
    PyErr_Clear();
    PyErr_Format(PyExc_OverflowError, "%s: %R is out of range (%s)", what, object,
                 limits);
    return -1;
}

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

int bd_unsigned(PyObject *object, const char *what, uint64_t max, uint64_t *value)
{
    PyObject *number =
        PyLong_CheckExact(object) ? Py_NewRef(object) : as_integer(object, what);
    if (!number)
        return -1;
    unsigned long long result = PyLong_AsUnsignedLongLong(number);
    int failed = result == (unsigned long long)-1 && PyErr_Occurred();
    if (failed || result > max) {
        char limits[40];
        snprintf(limits, sizeof limits, "0 to %llu", (unsigned long long)max);
        out_of_range(what, number, limits);
        Py_DECREF(number);
        return -1;
    }
    Py_DECREF(number);
    *value = result;
    return 0;
}

int bd_signed(PyObject *object, const char *what, int64_t min, int64_t max,
              int64_t *value)
{
    PyObject *number =
        PyLong_CheckExact(object) ? Py_NewRef(object) : as_integer(object, what);
    if (!number)
        return -1;
    long long result = PyLong_AsLongLong(number);
    int failed = result == -1 && PyErr_Occurred();
    if (failed || result < min || result > max) {
        char limits[60];
        snprintf(limits, sizeof limits, "%lld to %lld", (long long)min, (long long)max);
        out_of_range(what, number, limits);
        Py_DECREF(number);
        return -1;
    }
    Py_DECREF(number);
    *value = result;
    return 0;
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

int bd_instance(bd_state *state, PyObject *object, int type, const char *what)
{
    if (PyObject_TypeCheck(object, state->type[type]))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s: expected %s, got %s", what,
                 state->type[type]->tp_name, Py_TYPE(object)->tp_name);
    return -1;
}

int bd_buffer(PyObject *object, Py_buffer *view, int writable)
{
    return PyObject_GetBuffer(object, view,
                              PyBUF_ANY_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0));
}

static int extent_item(PyObject *item, const char *what, unsigned *value)
{
    uint64_t result;
    if (bd_unsigned(item, what, UINT_MAX, &result))
        return -1;
    *value = (unsigned)result;
    return 0;
}

int bd_extent(PyObject *object, const char *what, unsigned extent[3])
{
    extent[0] = extent[1] = extent[2] = 1;
    if (PyLong_Check(object))
        return extent_item(object, what, extent);
    PyObject *items = PySequence_Fast(object, "");
    if (!items) {
        PyErr_Clear();
        if (PyIndex_Check(object))
            return extent_item(object, what, extent);
        PyErr_Format(PyExc_TypeError, "%s: expected a tuple of 1 to 3 integers, got %s",
                     what, Py_TYPE(object)->tp_name);
        return -1;
    }
    Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
    int result = 0;
    if (count < 1 || count > 3) {
        PyErr_Format(PyExc_ValueError, "%s: expected 1 to 3 dimensions, got %zd", what,
                     count);
        result = -1;
    }
    for (Py_ssize_t i = 0; i < count && result == 0; i++)
        result = extent_item(PySequence_Fast_GET_ITEM(items, i), what, &extent[i]);
    Py_DECREF(items);
    return result;
}
