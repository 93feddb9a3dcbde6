/* Messages to the logger "pycuda". C has no other way to tell what it does that
   programs can turn on, filter and send where they like. */
#include "log.h"
#include <stdarg.h>

void py_log(const char *level, const char *format, ...)
{
    PyObject *type, *value, *traceback, *logger = NULL, *message = NULL, *done = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *name = PyUnicode_FromString("logging");
    PyObject *logging = name ? PyImport_GetModule(name) : NULL;
    if (logging)
        logger = PyObject_CallMethod(logging, "getLogger", "s", "pycuda");
    if (logger) {
        va_list arguments;
        va_start(arguments, format);
        message = PyUnicode_FromFormatV(format, arguments);
        va_end(arguments);
    }
    if (message)
        done = PyObject_CallMethod(logger, level, "sO", "%s", message);
    PyErr_Clear();
    Py_XDECREF(done);
    Py_XDECREF(message);
    Py_XDECREF(logger);
    Py_XDECREF(logging);
    Py_XDECREF(name);
    PyErr_Restore(type, value, traceback);
}
