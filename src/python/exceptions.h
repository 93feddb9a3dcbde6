/* Exceptions with a code and a name, and those of Python code that a driver runs in the
   middle of a call, above all of signal handlers during a wait. */
#ifndef PYCUDA_PYTHON_EXCEPTIONS_H
#define PYCUDA_PYTHON_EXCEPTIONS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct {
    const char *name, *doc; /* name: with module */
} py_exception;

/* Makes the classes of the rows, which start with the base of all others, and adds them
   to the module. Fields `code` and `name`: None. classes: owned, those made so far,
   also on failure. */
int py_exceptions_create(PyObject *module, const py_exception *rows, int count,
                         PyObject **classes);
/* Raises one of them with those fields. message: taken, NULL after an exception. */
void py_raise_coded(PyObject *class, PyObject *message, long code, const char *name);

/* Such an exception, until the call ends and it is raised. */
typedef struct {
    PyObject **raised; /* owned by whoever keeps it; NULL: nothing */
    unsigned long *thread;
} py_interruption;

/* Takes the exception that is set in this thread. */
void py_interruption_keep(py_interruption interruption);
/* Runs Python's signal handlers, in a thread with the GIL; an exception that is on its
   way is kept. 0: none raised, 1: one did, 2: one had raised in this thread before. */
int py_interruption_poll(py_interruption interruption);
/* -1: raises it. 0: there is none. */
int py_interruption_raise(py_interruption interruption);
/* The same, only in the thread that it came up in. */
int py_interruption_raise_here(py_interruption interruption);

#endif
