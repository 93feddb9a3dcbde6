/* Exceptions with a code and a name: their classes from rows, and one raised. And what
   signal handlers raise while a call waits: Python cannot hear of that before the call
   has returned, so it is kept until then. */
#include "exceptions.h"

int py_exceptions_create(PyObject *module, const py_exception *rows, int count,
                         PyObject **classes)
{
    PyObject *fields = Py_BuildValue("{sOsO}", "code", Py_None, "name", Py_None);
    int failed = !fields;
    for (int i = 0; i < count && !failed; i++) {
        classes[i] = PyErr_NewExceptionWithDoc(rows[i].name, rows[i].doc,
                                               i ? classes[0] : NULL, fields);
        failed = !classes[i] || PyModule_AddType(module, (PyTypeObject *)classes[i]);
    }
    Py_XDECREF(fields);
    return failed ? -1 : 0;
}

void py_raise_coded(PyObject *class, PyObject *message, long code, const char *name)
{
    PyObject *error = message ? PyObject_CallOneArg(class, message) : NULL;
    PyObject *number = error ? PyLong_FromLong(code) : NULL;
    PyObject *text = number ? PyUnicode_FromString(name) : NULL;
    if (text && PyObject_SetAttrString(error, "code", number) == 0 &&
        PyObject_SetAttrString(error, "name", text) == 0)
        PyErr_SetObject(class, error);
    Py_XDECREF(message);
    Py_XDECREF(error);
    Py_XDECREF(number);
    Py_XDECREF(text);
}

/* -- Signals during a wait ------------------------------------------------------ */

int py_interruption_raise(py_interruption interruption)
{
    PyObject *value = *interruption.raised;
    if (!value)
        return 0;
    *interruption.raised = NULL;
    PyErr_SetObject((PyObject *)Py_TYPE(value), value);
    Py_DECREF(value);
    return -1;
}

static int is_here(py_interruption interruption)
{
    return *interruption.raised && *interruption.thread == PyThread_get_thread_ident();
}

int py_interruption_raise_here(py_interruption interruption)
{
    return is_here(interruption) ? py_interruption_raise(interruption) : 0;
}

void py_interruption_keep(py_interruption interruption)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback)
        PyException_SetTraceback(value, traceback);
    Py_XSETREF(*interruption.raised, value);
    *interruption.thread = PyThread_get_thread_ident();
    Py_DECREF(type);
    Py_XDECREF(traceback);
}

int py_interruption_poll(py_interruption interruption)
{
    PyObject *before_type, *before, *before_traceback;
    /* The exception that ended an earlier wait, in a destructor, may still be pending.
     */
    if (is_here(interruption))
        return 2;
    PyErr_Fetch(&before_type, &before, &before_traceback);
    int raised = PyErr_CheckSignals() < 0;
    if (raised)
        py_interruption_keep(interruption);
    PyErr_Restore(before_type, before, before_traceback);
    return raised;
}
