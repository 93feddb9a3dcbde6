/* Python objects to C values, with errors that say which argument, what it was and what
   would do. Integers are anything with __index__ (NumPy's included), never floats. */
#include "convert.h"
#include <limits.h>

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

int py_unsigned_slowly(PyObject *object, const char *what, uint64_t max,
                       uint64_t *value)
{
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

int py_signed_slowly(PyObject *object, const char *what, int64_t min, int64_t max,
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

int py_store_large(PyObject *number, void *to)
{
    unsigned long long value = PyLong_AsUnsignedLongLong(number);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    memcpy(to, &value, sizeof value);
    return 1;
}

int py_flags(PyObject *object, const char *what, unsigned *value)
{
    uint64_t result;
    if (!object || object == Py_None)
        return 0;
    if (py_unsigned(object, what, UINT_MAX, &result))
        return -1;
    *value = (unsigned)result;
    return 0;
}

int py_flag_given(PyObject *object, int *value)
{
    int result = PyObject_IsTrue(object);
    if (result < 0)
        return -1;
    *value = result;
    return 0;
}

const char *py_text(PyObject *object)
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

PyObject *py_items(PyObject *object, const char *what)
{
    PyObject *items = PySequence_Tuple(object);
    if (!items && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s, got %s", what, Py_TYPE(object)->tp_name);
    }
    return items;
}

/* Nobody else knows the new list. */
static PyObject *fixed_list(PyObject *object)
{
    PyObject *made = PyList_GetSlice(object, 0, PY_SSIZE_T_MAX);
    for (Py_ssize_t i = 0; made && i < PyList_GET_SIZE(made); i++) {
        PyObject *item = py_fixed(PyList_GET_ITEM(made, i));
        if (!item || PyList_SetItem(made, i, item))
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *fixed_tuple(PyObject *object)
{
    PyObject *made = PyTuple_New(PyTuple_GET_SIZE(object));
    for (Py_ssize_t i = 0; made && i < PyTuple_GET_SIZE(object); i++) {
        PyObject *item = py_fixed(PyTuple_GET_ITEM(object, i));
        if (!item || PyTuple_SetItem(made, i, item))
            Py_CLEAR(made);
    }
    return made;
}

PyObject *py_fixed(PyObject *object)
{
    int is_list = PyList_Check(object);
    if (!is_list && !PyTuple_CheckExact(object))
        return Py_NewRef(object);
    if (Py_EnterRecursiveCall(" in a list")) /* one may be in itself */
        return NULL;
    PyObject *made = is_list ? fixed_list(object) : fixed_tuple(object);
    Py_LeaveRecursiveCall();
    return made;
}
