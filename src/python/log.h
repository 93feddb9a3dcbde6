/* Python's logging, for those who turned it on. */
#ifndef PYCUDA_PYTHON_LOG_H
#define PYCUDA_PYTHON_LOG_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* logging.getLogger("pycuda").info(message), or another level's method. Nothing where
   no module imported logging, for nobody listens then. Needs the GIL; an exception that
   is on its way is kept, and one in a handler of the log is dropped, as logging does.
   The format is PyUnicode_FromFormat's. */
void py_log(const char *level, const char *format, ...);

#endif
