/* Parsing of arguments by a method's signature, "name(a, b=0)\n--\n\ntext". */
#ifndef PYCUDA_PYTHON_SIGNATURE_H
#define PYCUDA_PYTHON_SIGNATURE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

/* in: the arguments in the order of the signature, of which `total` are named there and
   the first `required` have to be given; NULL where left out, as the caller set them.
 */
int py_parse_any(const char *signature, int required, int total, PyObject *const *args,
                 Py_ssize_t nargs, PyObject *names, PyObject **in);
/* Of few arguments without names it is decided where the method is compiled. */
static inline int py_parse(const char *signature, int required, int total,
                           PyObject *const *args, Py_ssize_t nargs, PyObject *names,
                           PyObject **in)
{
    if (total > 2 || names || nargs < required || nargs > total)
        return py_parse_any(signature, required, total, args, nargs, names, in);
    if (total > 0 && nargs > 0)
        in[0] = args[0];
    if (total > 1 && nargs > 1)
        in[1] = args[1];
    return 0;
}
static inline int py_is_named(PyObject *name, const char *known)
{
    if (!PyUnicode_IS_COMPACT_ASCII(name))
        return PyUnicode_CompareWithASCIIString(name, known) == 0;
    const char *text = PyUnicode_DATA(name);
    size_t length = (size_t)PyUnicode_GET_LENGTH(name);
    return *text == *known && strlen(known) == length && !memcmp(text, known, length);
}
/* Which of `count` names it is; count: none. */
static inline int py_keyword(PyObject *name, const char *const *known, int count)
{
    int at = 0;
    while (at < count && !py_is_named(name, known[at]))
        at++;
    return at;
}
/* `error`, whose format is given the names that are not known as "a,b"; -1. */
int py_unknown_keywords(PyObject *names, const char *const *known, int count,
                        PyObject *error, const char *format);
/* Sorts keyword arguments (their values stand from `from` on) into values[] by the
   names that are known. -1: that error. */
static inline int py_sort_keywords(PyObject *names, PyObject *const *from,
                                   const char *const *known, int count,
                                   PyObject **values, PyObject *error,
                                   const char *format)
{
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++) {
        int at = py_keyword(PyTuple_GET_ITEM(names, i), known, count);
        if (at == count)
            return py_unknown_keywords(names, known, count, error, format);
        values[at] = from[i];
    }
    return 0;
}
/* The name of the argument number `at`, for errors; cut off where there is no room. */
void py_argument_name(const char *signature, int at, char *name, size_t room);
/* For tp_new, tp_init and tp_call. */
int py_parse_tuple(const char *signature, int required, int total, PyObject *args,
                   PyObject *kwargs, PyObject **in);

#endif
