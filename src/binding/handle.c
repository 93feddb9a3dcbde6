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

PyObject *bd_handle_get(PyObject *self, void *closure)
{
    return PyLong_FromUnsignedLongLong(((bd_handle *)self)->handle);
}

PyGetSetDef bd_handle_getset[] = {
    {"handle", bd_handle_get, NULL, "The driver's handle as an integer."},
    {NULL},
};
