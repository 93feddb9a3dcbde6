/* The enumeration types of pycuda.driver: int subclasses whose members print their
   names, with `names` and `values` dicts on the class. Which C enumeration becomes
   which class is a row here; the members come from src/cuda/enums.def and
   attributes.def. Functions accept plain integers wherever a member is meant. */
#include "object.h"
#include <ctype.h>
#include <string.h>

typedef struct {
    const char *name;
    long value;
} member;

/* Every value of enums.def in one array; a row without a name starts a type. */
static const member values[] = {
#define ENUM_BEGIN(type) {NULL, 0}, {#type, 0},
#define V(name, value) {#name, value},
#define ENUM_END(type)
#include "cuda/enums.def"
#undef ENUM_BEGIN
#undef V
#undef ENUM_END
    {NULL, 0},
    {"CUdevice_attribute", 0},
#define A(name, value) {"CU_DEVICE_ATTRIBUTE_" #name, value},
#include "cuda/attributes.def"
#undef A
    {NULL, 0},
};

static const struct {
    const char *name, *c_name, *prefix;
} classes[] = {
    {"ctx_flags", "CUctx_flags", "CU_CTX_"},
    {"stream_flags", "CUstream_flags", "CU_STREAM_"},
    {"event_flags", "CUevent_flags", "CU_EVENT_"},
    {"ipc_mem_flags", "CUipcMem_flags", "CU_IPC_MEM_"},
    {"array_format", "CUarray_format", "CU_AD_FORMAT_"},
    {"array_cubemap_face", "CUarray_cubemap_face", "CU_CUBEMAP_FACE_"},
    {"address_mode", "CUaddress_mode", "CU_TR_ADDRESS_MODE_"},
    {"filter_mode", "CUfilter_mode", "CU_TR_FILTER_MODE_"},
    {"device_attribute", "CUdevice_attribute", "CU_DEVICE_ATTRIBUTE_"},
    {"pointer_attribute", "CUpointer_attribute", "CU_POINTER_ATTRIBUTE_"},
    {"function_attribute", "CUfunction_attribute", "CU_FUNC_ATTRIBUTE_"},
    {"func_cache", "CUfunc_cache", "CU_FUNC_CACHE_"},
    {"shared_config", "CUsharedconfig", "CU_SHARED_MEM_CONFIG_"},
    {"memory_type", "CUmemorytype", "CU_MEMORYTYPE_"},
    {"compute_mode", "CUcomputemode", "CU_COMPUTEMODE_"},
    {"jit_option", "CUjit_option", "CU_JIT_"},
    {"jit_target", "CUjit_target", "CU_TARGET_"},
    {"jit_fallback", "CUjit_fallback", "CU_"},
    {"jit_input_type", "CUjitInputType", "CU_JIT_INPUT_"},
    {"limit", "CUlimit", "CU_LIMIT_"},
    {"mem_attach_flags", "CUmemAttach_flags", "CU_MEM_ATTACH_"},
    {"graphics_register_flags", "CUgraphicsRegisterFlags",
     "CU_GRAPHICS_REGISTER_FLAGS_"},
    {"graphics_map_flags", "CUgraphicsMapResourceFlags",
     "CU_GRAPHICS_MAP_RESOURCE_FLAGS_"},
    {"profiler_output_mode", "CUoutput_mode", "CU_OUT_"},
};

/* Classes that hold plain integers. */
static const struct {
    const char *name;
    member members[6];
} plain[] = {
    {"array3d_flags",
     {{"ARRAY3D_2DARRAY", 1},
      {"2DARRAY", 1},
      {"ARRAY3D_LAYERED", CUDA_ARRAY3D_LAYERED},
      {"SURFACE_LDST", CUDA_ARRAY3D_SURFACE_LDST},
      {"CUBEMAP", CUDA_ARRAY3D_CUBEMAP},
      {"TEXTURE_GATHER", CUDA_ARRAY3D_TEXTURE_GATHER}}},
    {"host_alloc_flags",
     {{"PORTABLE", CU_MEMHOSTALLOC_PORTABLE},
      {"DEVICEMAP", CU_MEMHOSTALLOC_DEVICEMAP},
      {"WRITECOMBINED", CU_MEMHOSTALLOC_WRITECOMBINED}}},
    {"mem_host_register_flags",
     {{"PORTABLE", CU_MEMHOSTREGISTER_PORTABLE},
      {"DEVICEMAP", CU_MEMHOSTREGISTER_DEVICEMAP},
      {"IOMEMORY", CU_MEMHOSTREGISTER_IOMEMORY},
      {"READ_ONLY", CU_MEMHOSTREGISTER_READ_ONLY}}},
};

/* -- The base class
 * ------------------------------------------------------------------------- */

/* The name of a member as a new string; NULL without an exception if it has none.
   Aliases are objects of their own, so identity is looked for first. */
static PyObject *name_find(PyObject *self)
{
    PyObject *names = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "names");
    PyObject *key, *value, *found = NULL;
    Py_ssize_t at = 0;
    if (!names || !PyDict_Check(names)) {
        PyErr_Clear();
        Py_XDECREF(names);
        return NULL;
    }
    while (PyDict_Next(names, &at, &key, &value))
        if (value == self ||
            (!found && PyObject_RichCompareBool(value, self, Py_EQ) == 1)) {
            found = key;
            if (value == self)
                break;
        }
    Py_XINCREF(found);
    Py_DECREF(names);
    return found;
}

static PyObject *enum_repr(PyObject *self)
{
    PyObject *name = name_find(self);
    PyTypeObject *type = Py_TYPE(self);
    PyObject *number = name ? NULL : PyLong_Type.tp_repr(self);
    PyObject *result = name     ? PyUnicode_FromFormat("%s.%U", type->tp_name, name)
                       : number ? PyUnicode_FromFormat("%s(%U)", type->tp_name, number)
                                : NULL;
    Py_XDECREF(name);
    Py_XDECREF(number);
    return result;
}

static PyObject *enum_str(PyObject *self)
{
    PyObject *name = name_find(self);
    return name || PyErr_Occurred() ? name : PyLong_Type.tp_repr(self);
}

static PyObject *enum_name(PyObject *self, void *closure)
{
    PyObject *name = name_find(self);
    if (!name && !PyErr_Occurred())
        PyErr_Format(PyExc_AttributeError, "%R has no name", self);
    return name;
}

static PyGetSetDef enum_getset[] = {
    {"name", enum_name, NULL, "The member's name; absent for values without one."},
    {NULL},
};

static PyType_Slot ENUM_slots[] = {
    {Py_tp_repr, enum_repr},
    {Py_tp_str, enum_str},
    {Py_tp_getset, enum_getset},
    {0, NULL},
};

PyType_Spec bd_spec_ENUM = {"pycuda._driver.enum", 0, 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, ENUM_slots};

/* -- Making the classes
 * --------------------------------------------------------------------- */

static int member_add(PyObject *class, PyObject *names, PyObject *numbers,
                      const char *name, long value)
{
    PyObject *member = PyObject_CallFunction(class, "l", value);
    PyObject *number = PyLong_FromLong(value);
    int result = member && number ? 0 : -1;
    if (result == 0 && (PyObject_SetAttrString(class, name, member) ||
                        PyDict_SetItemString(names, name, member) ||
                        PyDict_SetItem(numbers, number, member)))
        result = -1;
    Py_XDECREF(member);
    Py_XDECREF(number);
    return result;
}

static PyObject *class_create(PyObject *base, const char *name, PyObject *module_name)
{
    return PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){sOsNsNs()}", name,
                                 base, "__module__", module_name, "names", PyDict_New(),
                                 "values", PyDict_New(), "__slots__");
}

static int members_add(PyObject *class, const char *c_name, const char *prefix)
{
    PyObject *names = PyObject_GetAttrString(class, "names");
    PyObject *numbers = PyObject_GetAttrString(class, "values");
    int result = names && numbers ? 0 : -1;
    size_t skip = strlen(prefix), i = 0;
    while (values[i].name || strcmp(values[i + 1].name, c_name))
        i++;
    for (i += 2; values[i].name && result == 0; i++) {
        const char *name = values[i].name;
        if (strncmp(name, prefix, skip) == 0)
            name += skip;
        result = member_add(class, names, numbers, name, values[i].value);
    }
    Py_XDECREF(names);
    Py_XDECREF(numbers);
    return result;
}

static int plain_create(PyObject *module, PyObject *module_name, int i)
{
    PyObject *class = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){sO}",
                                            plain[i].name, "__module__", module_name);
    int result = class ? PyModule_AddObjectRef(module, plain[i].name, class) : -1;
    for (int j = 0; j < 6 && plain[i].members[j].name && result == 0; j++) {
        PyObject *number = PyLong_FromLong(plain[i].members[j].value);
        result = number
                     ? PyObject_SetAttrString(class, plain[i].members[j].name, number)
                     : -1;
        Py_XDECREF(number);
    }
    Py_XDECREF(class);
    return result;
}

int bd_enums_create(bd_state *state, PyObject *module)
{
    PyObject *module_name = PyUnicode_FromString("pycuda._driver");
    int result = -1;
    if (!module_name || !(state->enums = PyDict_New()))
        goto done;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        PyObject *class = class_create((PyObject *)state->type[BD_ENUM],
                                       classes[i].name, module_name);
        int failed = !class ||
                     members_add(class, classes[i].c_name, classes[i].prefix) ||
                     PyDict_SetItemString(state->enums, classes[i].name, class) ||
                     PyModule_AddObjectRef(module, classes[i].name, class);
        Py_XDECREF(class);
        if (failed)
            goto done;
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain_create(module, module_name, i))
            goto done;
    result = 0;
done:
    Py_XDECREF(module_name);
    return result;
}

/* -- Use
 * ------------------------------------------------------------------------------------
 */

PyObject *bd_enum_member(bd_state *state, const char *enumeration, long value)
{
    PyObject *class = PyDict_GetItemString(state->enums, enumeration);
    PyObject *numbers = class ? PyObject_GetAttrString(class, "values") : NULL;
    PyObject *number = PyLong_FromLong(value);
    PyObject *result = numbers && number ? PyDict_GetItem(numbers, number) : NULL;
    if (result)
        Py_INCREF(result);
    else if (class && number)
        result = PyObject_CallOneArg(class, number);
    Py_XDECREF(numbers);
    Py_XDECREF(number);
    return result;
}

int bd_enum_lookup(bd_state *state, const char *enumeration, PyObject *attribute,
                   int *value)
{
    PyObject *class = PyDict_GetItemString(state->enums, enumeration);
    PyObject *names = class ? PyObject_GetAttrString(class, "names") : NULL;
    PyObject *upper = PyObject_CallMethod(attribute, "upper", NULL);
    PyObject *member = names && upper ? PyDict_GetItem(names, upper) : NULL;
    if (member)
        *value = (int)PyLong_AsLong(member);
    else if (upper && !PyErr_Occurred())
        PyErr_Format(PyExc_AttributeError, "type object '%s' has no attribute '%U'",
                     enumeration, upper);
    Py_XDECREF(names);
    Py_XDECREF(upper);
    return member ? 0 : -1;
}
