/* pycuda._native, the one extension module: its state, and the list of what it is made
   of. Multi-phase initialisation, heap types, state in one struct, so that nothing
   outlives the module but what the driver keeps. Other rooms add a row to `slots`
   (their exec function); `__all__` is what this room defines, for pycuda/driver.py to
   re-export. Importing loads no driver. */
#include "context.h"
#include "compile/compile.h"
#define BD_IMPORT_NUMPY
#include "numpy_api.h"

#define T(id, base) extern const bd_class bd_class_##id;
BD_TYPES(T)
#undef T

enum { BD_NONE = -1 };

static const struct {
    const bd_class *class;
    int base;
} types[] = {
#define T(id, base) {&bd_class_##id, BD_##base},
    BD_TYPES(T)
#undef T
};

static PyMethodDef *const functions[] = {
    bd_device_methods, bd_allocation_methods, bd_host_methods,      bd_copy_methods,
    bd_module_methods, bd_pool_methods,       bd_streammem_methods, bd_graphics_methods,
    bd_enum_methods,   cmp_functions,
};

int bd_errors_create(bd_state *state, PyObject *module);

static int native_exec(PyObject *module)
{
    bd_state *state = bd_state_get(module);
    state->module = module;
    PyObject *gc = NULL, *names = NULL, *iterator = NULL, *name;
    int result = -1;
    import_array1(-1);
    if (bd_errors_create(state, module))
        goto done;
    for (int i = 0; i < BD_TYPE_COUNT; i++)
        if (bd_class_create(state, module, i, types[i].class, types[i].base))
            goto done;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (PyModule_AddFunctions(module, functions[i]) < 0)
            goto done;
    if (!(gc = PyImport_ImportModule("gc")) ||
        !(state->collect = PyObject_GetAttrString(gc, "collect")))
        goto done;
    names = PyList_New(0);
    iterator = PyObject_GetIter(PyModule_GetDict(module));
    if (!names || !iterator)
        goto done;
    while ((name = PyIter_Next(iterator))) {
        int failed = PyUnicode_READ_CHAR(name, 0) != '_' && PyList_Append(names, name);
        Py_DECREF(name);
        if (failed)
            goto done;
    }
    if (!PyErr_Occurred())
        result = PyModule_AddObjectRef(module, "__all__", names);
done:
    Py_XDECREF(gc);
    Py_XDECREF(names);
    Py_XDECREF(iterator);
    return result;
}

static int native_traverse(PyObject *module, visitproc visit, void *arg)
{
    bd_state *state = bd_state_get(module);
    for (int i = 0; i < BD_TYPE_COUNT; i++)
        Py_VISIT(state->type[i]);
    Py_VISIT(state->array_type);
    for (size_t i = 0; i < sizeof state->objects / sizeof *state->objects; i++)
        Py_VISIT(state->objects[i]);
    return 0;
}

static int native_clear(PyObject *module)
{
    bd_state *state = bd_state_get(module);
    bd_contexts_forget(state);
    for (int i = 0; i < BD_TYPE_COUNT; i++)
        Py_CLEAR(state->type[i]);
    Py_CLEAR(state->array_type);
    for (size_t i = 0; i < sizeof state->objects / sizeof *state->objects; i++)
        Py_CLEAR(state->objects[i]);
    return 0;
}

static void native_free(void *module)
{
    bd_state *state = bd_state_get(module);
    drv_forget_wait(state);
    native_clear(module);
    PyMem_Free(state->promotions);
    state->promotions = NULL;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, native_exec},
    {Py_mod_exec, ar_module_exec},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "pycuda._native",
    .m_doc = "The C types and functions behind pycuda; use pycuda.driver and friends.",
    .m_size = sizeof(bd_state),
    .m_slots = slots,
    .m_traverse = native_traverse,
    .m_clear = native_clear,
    .m_free = native_free,
};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
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
        if (module && PyModule_GetDef(module) == &definition)
            return PyModule_GetState(module);
    }
    Py_UNREACHABLE(); /* callers pass types of this module alone */
}
