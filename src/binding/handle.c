/* Driver objects behind Python's: whether they are still there, calls under their
   context, and their end. */
#include "context.h"

int bd_instance(bd_state *state, PyObject *object, int type, const char *what)
{
    if (PyObject_TypeCheck(object, state->type[type]))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s: expected %s, got %s", what,
                 state->type[type]->tp_name, Py_TYPE(object)->tp_name);
    return -1;
}

int bd_handle_check(PyObject *self, const char *why)
{
    if (bd_context_check_of(self))
        return -1;
    if (((bd_handle *)self)->handle)
        return 0;
    bd_raise_because(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                     _PyType_Name(Py_TYPE(self)), "%s", why);
    return -1;
}

PyObject *bd_hold(PyObject *self, PyObject *object)
{
    Py_XSETREF(((py_object *)self)->other, Py_NewRef(object));
    Py_RETURN_NONE;
}

CUresult bd_invoke_in(bd_context *context, bd_invoker *invoke, const uint64_t *slots)
{
    int entered = bd_context_enter(context);
    if (entered < 0)
        return CUDA_SUCCESS;
    CUresult status = BD_UNLOCKED(invoke(slots));
    bd_context_leave(context, entered);
    return status;
}

/* The handle goes first: another thread may be about to free it, too. */
void bd_handle_destroy(PyObject *self, bd_invoker *destroy, const char *routine)
{
    uint64_t handle = ((bd_handle *)self)->handle;
    ((bd_handle *)self)->handle = 0;
    CUresult status = handle && !((py_object *)self)->parent
                          ? bd_invoke_in(BD_CONTEXT_OF(self), destroy, &handle)
                          : CUDA_SUCCESS;
    if (status)
        bd_report(self, status, routine);
}

/* The class's name with its module, as object.__repr__ has it. New reference. */
static PyObject *class_name(PyTypeObject *type)
{
    PyObject *module = PyObject_GetAttrString((PyObject *)type, "__module__");
    PyObject *name = module ? PyType_GetQualName(type) : NULL;
    PyObject *both = name ? PyUnicode_FromFormat("%S.%U", module, name) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(name);
    if (both)
        return both;
    PyErr_Clear(); /* from a metaclass of the user's */
    return PyUnicode_FromString(type->tp_name);
}

PyObject *bd_show(PyObject *self, const char *state, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    PyObject *words = PyUnicode_FromFormatV(format, values);
    va_end(values);
    bd_context *context = BD_CONTEXT_OF(self);
    if (context && context->dead)
        state = "its context was destroyed";
    PyObject *name = words ? class_name(Py_TYPE(self)) : NULL;
    PyObject *text =
        name ? PyUnicode_FromFormat("<%U%s%U%s%s>", name,
                                    PyUnicode_GET_LENGTH(words) ? " " : "", words,
                                    state ? ", " : "", state ? state : "")
             : NULL;
    Py_XDECREF(words);
    Py_XDECREF(name);
    return text;
}

PyObject *bd_handle_repr(PyObject *self)
{
    void *handle = BD_HANDLE(void *, self);
    return handle ? bd_show(self, NULL, "%p", handle) : bd_show(self, "released", "");
}

PyObject *bd_handle_get(PyObject *self, void *closure)
{
    return PyLong_FromUnsignedLongLong(((bd_handle *)self)->handle);
}

PyGetSetDef bd_handle_getset[] = {
    {"handle", bd_handle_get, NULL, "The driver's handle as an integer."},
    {NULL},
};
