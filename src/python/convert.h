/* Python objects to C values: 0, or -1 and an exception that says which argument, what
   it was and what would do. */
#ifndef PYCUDA_PYTHON_CONVERT_H
#define PYCUDA_PYTHON_CONVERT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* Integers: anything with __index__. Negative values and values above max are
 * OverflowError. */
int py_unsigned_slowly(PyObject *object, const char *what, uint64_t max,
                       uint64_t *value);
/* An int of 0 to INT64_MAX, as nearly always; negative, and no exception: anything
   else. Ints of one digit are read without a call: CPython 3.11 has no function for
   them yet. */
static inline long long py_small(PyObject *object)
{
    int overflow;
    if (!PyLong_CheckExact(object))
        return -1;
#if PY_VERSION_HEX < 0x030c0000
    if (Py_SIZE(object) == 1)
        return ((PyLongObject *)object)->ob_digit[0];
#else
    if (PyUnstable_Long_IsCompact((PyLongObject *)object))
        return PyUnstable_Long_CompactValue((PyLongObject *)object);
#endif
    return PyLong_AsLongLongAndOverflow(object, &overflow);
}
static inline int py_unsigned(PyObject *object, const char *what, uint64_t max,
                              uint64_t *value)
{
    long long small = py_small(object);
    if (small < 0 || (uint64_t)small > max)
        return py_unsigned_slowly(object, what, max, value);
    *value = (uint64_t)small;
    return 0;
}
int py_signed_slowly(PyObject *object, const char *what, int64_t min, int64_t max,
                     int64_t *value);
static inline int py_signed(PyObject *object, const char *what, int64_t min,
                            int64_t max, int64_t *value)
{
    long long small = py_small(object);
    if (small < 0 || small < min || small > max)
        return py_signed_slowly(object, what, min, max, value);
    *value = small;
    return 0;
}
/* The low `size` bytes of an int (1 to 8), on machines that store those first; 0 if it
   does not fit, without an exception. */
int py_store_large(PyObject *number, void *to); /* above INT64_MAX, unsigned */
static inline int py_store_integer(PyObject *number, int is_signed, size_t size,
                                   void *to)
{
    int overflow = 0, bits = 8 * (int)size;
    long long value = py_small(number);
    if (value < 0)
        value = PyLong_AsLongLongAndOverflow(number, &overflow);
    long long most = bits == 64 ? INT64_MAX : (1ll << (bits - is_signed)) - 1;
    if (overflow > 0 && bits == 64 && !is_signed)
        return py_store_large(number, to);
    if (overflow || value > most || value < (is_signed ? -most - 1 : 0))
        return 0;
    memcpy(to, &value, size);
    return 1;
}
static inline int py_size(PyObject *object, const char *what, size_t *value)
{
    return py_unsigned(object, what, SIZE_MAX, value);
}
int py_flags(PyObject *object, const char *what,
             unsigned *value); /* NULL, None: kept */
int py_flag_given(PyObject *object, int *value);
static inline int py_flag(PyObject *object, int *value) /* NULL: kept */
{
    return object ? py_flag_given(object, value) : 0;
}
/* The text of a str without null characters, borrowed from it; NULL: an exception. */
const char *py_text(PyObject *object);
/* The items of any iterable as a tuple, which nothing changes while they are parsed and
   run Python code; TypeError "<what>, got ...". New reference. */
PyObject *py_items(PyObject *object, const char *what);
/* A list or tuple with copies of all lists in it, for callers that go on reading a list
   that an item shortens, as NumPy does; anything else as it is. New reference. */
PyObject *py_fixed(PyObject *object);

#endif
