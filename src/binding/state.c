/* The state of the module: from the module itself, from a type and from an instance;
   and NumPy's C API, which is imported here once for all rooms. */
#include "context.h"
#define BD_IMPORT_NUMPY
#include "numpy_api.h"

/* src/module fills in what happens when the module is made and ends. */
PyModuleDef bd_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "pycuda._native",
    .m_doc = "The C types and functions behind pycuda; use pycuda.driver and friends.",
    .m_size = sizeof(bd_state),
};

int bd_numpy_import(void)
{
    import_array1(-1);
    return 0;
}

bd_state *bd_state_get(PyObject *module)
{
    return PyModule_GetState(module);
}

bd_state *bd_state_of(PyTypeObject *type)
{
    PyObject *mro = type->tp_mro;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (!(base->tp_flags & Py_TPFLAGS_HEAPTYPE))
            continue;
        PyObject *module = ((PyHeapTypeObject *)base)->ht_module;
        if (module && PyModule_GetDef(module) == &bd_definition)
            return PyModule_GetState(module);
    }
    Py_UNREACHABLE(); /* callers pass types of this module alone */
}

bd_state *bd_state_from(void *object)
{
    const py_object *self = object;
    return self->context ? self->context->state : bd_state_of(Py_TYPE(self));
}

void bd_collect_garbage(bd_state *state)
{
    PyObject *done = state->collect ? PyObject_CallNoArgs(state->collect) : NULL;
    Py_XDECREF(done);
    PyErr_Clear();
}
