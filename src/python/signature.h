/* Parsing of arguments by a method's signature, "name(a, b=0)\n--\n\ntext". */
#ifndef PYCUDA_PYTHON_SIGNATURE_H
#define PYCUDA_PYTHON_SIGNATURE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* in: the arguments in the order of the signature, of which `total` are named there and
   the first `required` have to be given; NULL where left out, as the caller set them.
 */
int py_parse(const char *signature, int required, int total, PyObject *const *args,
             Py_ssize_t nargs, PyObject *names, PyObject **in);
/* Sorts keyword arguments (their values stand from `from` on) into values[] by the
   `count` names that are known. -1: `error`, whose format is given the others as "a,b".
 */
int py_sort_keywords(PyObject *names, PyObject *const *from, const char *const *known,
                     int count, PyObject **values, PyObject *error, const char *format);
/* The name of the argument number `at`, for errors; cut off where there is no room. */
void py_argument_name(const char *signature, int at, char *name, size_t room);
/* For tp_new, tp_init and tp_call. */
int py_parse_tuple(const char *signature, int required, int total, PyObject *args,
                   PyObject *kwargs, PyObject **in);

#endif
