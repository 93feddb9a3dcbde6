/* pycuda._native, the one extension module: its state, and the list of what it is made
   of. Multi-phase initialisation, heap types, state in one struct, so that nothing
   outlives the module but what the driver keeps. Other rooms add a row to `slots`
   (their exec function); `__all__` is what this room defines, for pycuda/driver.py to
   re-export. Importing loads no driver. */
#include "array/array.h"
#include "binding/context.h"
#include "binding/live.h"
#include "binding/memory.h"
#include "compile/compile.h"
#include "libraries/libraries.h"

#define T(id, base) extern const py_class bd_class_##id;
BD_TYPES(T)
#undef T

enum { BD_NONE = -1 };

static const struct {
    const py_class *class;
    int base;
} types[] = {
#define T(id, base) {&bd_class_##id, BD_##base},
    BD_TYPES(T)
#undef T
};

static PyMethodDef *const functions[] = {
    bd_device_methods, bd_allocation_methods, bd_host_methods,      bd_copy_methods,
    bd_module_methods, bd_pool_methods,       bd_streammem_methods, bd_graphics_methods,
    bd_enum_methods,   bd_live_methods,       bd_check_methods,     cmp_functions,
};

static int class_create(bd_state *state, PyObject *module, int id)
{
    const py_class *class = types[id].class;
    PyTypeObject *base = types[id].base < 0 ? NULL : state->type[types[id].base];
    PyTypeObject *second = class->second ? state->type[class->second] : NULL;
    state->type[id] = py_class_create(module, class, base, second);
    return state->type[id] ? 0 : -1;
}

static int native_exec(PyObject *module)
{
    bd_state *state = bd_state_get(module);
    state->module = module;
    PyObject *gc = NULL, *names = NULL, *iterator = NULL, *name;
    int result = -1;
    state->note_failure = bd_context_note_failure;
    state->release_pool = bd_pool_destroy;
    if (bd_numpy_import() || bd_errors_create(state, module))
        goto done;
    for (int i = 0; i < BD_TYPE_COUNT; i++)
        if (class_create(state, module, i))
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
    bd_live_forget(state);
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
    drv_forget_callbacks(state);
    native_clear(module);
    lib_end(state);
    PyMem_Free(state->promotions);
    state->promotions = NULL;
    ar_lazy_clear(state);
    kn_clear(state);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, native_exec},
    {Py_mod_exec, ar_module_exec},
    {0, NULL},
};

PyMODINIT_FUNC PyInit__native(void)
{
    bd_definition.m_slots = slots;
    bd_definition.m_traverse = native_traverse;
    bd_definition.m_clear = native_clear;
    bd_definition.m_free = native_free;
    return PyModuleDef_Init(&bd_definition);
}
