/* Places in a Python program: kept cheaply, told as file and line when somebody asks.
 */
#ifndef PYCUDA_PYTHON_SITE_H
#define PYCUDA_PYTHON_SITE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct {
    PyCodeObject *code; /* owned; NULL: no Python code was under way */
    int offset;         /* of its instruction, in bytes */
} py_site;

/* Where the nearest frame is that belongs to a file for which `is_wanted`, or to the
   file `known`, for which that need not be asked. */
py_site py_site_find(const PyObject *known,
                     int (*is_wanted)(void *data, PyObject *file), void *data);
/* "program.py:12" as a new str; None: there was none. NULL: an exception. */
PyObject *py_site_text(const py_site *site);

#endif
