/* The driver's enumerations for Python: pycuda/_enums.py makes a class of each from
   the values here (which come from src/cuda/enums.def and attributes.def) and hands the
   classes back, so that results can be members. Functions accept plain integers
   wherever a member is meant. */
#include <string.h>
#include "object.h"

/* Every value of enums.def in one array; a row without a name starts a type. */
static const struct {
    const char *name;
    long value;
} values[] = {
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
};

BD_METHOD(enum_values, 0, 0, "_enum_values()",
          "{C type: {C name: value}} of all enumerations.")
{
    PyObject *all = PyDict_New(), *one = NULL;
    for (size_t i = 0; all && i < sizeof values / sizeof *values; i++) {
        PyObject *item = NULL;
        if (values[i].name)
            item = PyLong_FromLong(values[i].value);
        else
            item = one = PyDict_New();
        const char *name = values[i].name ? values[i].name : values[++i].name;
        if (!item || PyDict_SetItemString(item == one ? all : one, name, item))
            Py_CLEAR(all);
        Py_XDECREF(item);
    }
    return all;
}

BD_METHOD(enum_classes, 1, 1, "_enum_classes(classes)",
          "Tells the classes, by Python name.")
{
    bd_state *state = bd_state_get(self);
    Py_XSETREF(state->enums, Py_NewRef(in[0]));
    Py_RETURN_NONE;
}

PyMethodDef bd_enum_methods[] = {
    BD_ROW("_enum_values", enum_values),
    BD_ROW("_enum_classes", enum_classes),
    {NULL},
};

/* The dict `names` or `values` of a class. New reference. */
static PyObject *table(bd_state *state, const char *enumeration, const char *which)
{
    PyObject *class = PyMapping_GetItemString(state->enums, enumeration);
    PyObject *found = class ? PyObject_GetAttrString(class, which) : NULL;
    Py_XDECREF(class);
    return found;
}

PyObject *bd_enum_member(bd_state *state, const char *enumeration, long value)
{
    PyObject *members = table(state, enumeration, "values");
    PyObject *number = PyLong_FromLong(value);
    PyObject *member = members && number ? PyDict_GetItem(members, number) : NULL;
    PyObject *class = NULL;
    if (member)
        Py_INCREF(member);
    else if (members && number && /* newer than our list: without a name */
             (class = PyMapping_GetItemString(state->enums, enumeration)))
        member = PyObject_CallOneArg(class, number);
    Py_XDECREF(class);
    Py_XDECREF(members);
    Py_XDECREF(number);
    return member;
}

PyObject *bd_enum_getattr(PyObject *self, PyObject *name, const char *enumeration)
{
    PyObject *result = PyObject_GenericGetAttr(self, name);
    if (result || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return result;
    PyErr_Clear();
    PyObject *names = table(bd_state_from(self), enumeration, "names");
    PyObject *upper = names ? PyObject_CallMethod(name, "upper", NULL) : NULL;
    PyObject *member = upper ? PyDict_GetItem(names, upper) : NULL;
    if (member && PyUnicode_CompareWithASCIIString(upper, "MAX")) /* their number */
        result = PyObject_CallMethod(self, "get_attribute", "O", member);
    else if (upper)
        PyErr_Format(PyExc_AttributeError, "type object '%s' has no attribute '%U'",
                     enumeration, upper);
    Py_XDECREF(names);
    Py_XDECREF(upper);
    return result;
}
