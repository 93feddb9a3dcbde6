/* The driver's enumerations for Python: a class of each that pycuda/_enums.py names, of
   the members in src/cuda/enums.def and attributes.def, so that results can be members.
   Functions accept plain integers wherever a member is meant. Classes are made here
   because a class statement asks its bases for every method that a class may have, and
   each member that is set for what it may have changed: two fifths of the import. */
#include <string.h>
#include "object.h"

typedef struct {
    const char *name; /* NULL: the end */
    long value;
} value_row;

#define ENUM_BEGIN(type) static const value_row type##_rows[] = {
#define V(name, value) {#name, value},
#define ENUM_END(type) {NULL, 0}} \
    ;
#include "cuda/enums.def"
#undef ENUM_BEGIN
#undef V
#undef ENUM_END

static const value_row CUdevice_attribute_rows[] = {
#define A(name, value) {"CU_DEVICE_ATTRIBUTE_" #name, value},
#include "cuda/attributes.def"
#undef A
    {NULL, 0},
};

static const struct {
    const char *name;
    const value_row *rows;
} types[] = {
#define ENUM_BEGIN(type) {#type, type##_rows},
#define V(name, value)
#define ENUM_END(type)
#include "cuda/enums.def"
#undef ENUM_BEGIN
#undef V
#undef ENUM_END
    {"CUdevice_attribute", CUdevice_attribute_rows},
};

typedef struct {
    PyObject *class, *names, *values; /* the class, its members by name and by value */
} enumeration;

static void release(enumeration *e)
{
    Py_CLEAR(e->class);
    Py_CLEAR(e->names);
    Py_CLEAR(e->values);
}

/* -1: with an exception; release what there is. */
static int begin(enumeration *e, PyObject *base, const char *module, const char *name)
{
    PyObject *full = PyUnicode_FromFormat("%s.%s", module, name);
    PyType_Slot none[] = {{0, NULL}};
    PyType_Spec spec = {full ? PyUnicode_AsUTF8(full) : NULL, 0, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, none};
    *e = (enumeration){
        spec.name ? PyType_FromSpecWithBases(&spec, base) : NULL,
        PyDict_New(),
        PyDict_New(),
    };
    Py_XDECREF(full);
    if (!e->class || !e->names || !e->values)
        return -1;
    PyObject *dict = ((PyTypeObject *)e->class)->tp_dict;
    return PyDict_SetItemString(dict, "names", e->names) ||
                   PyDict_SetItemString(dict, "values", e->values)
               ? -1
               : 0;
}

static int add(enumeration *e, PyObject *name, PyObject *value)
{
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "a member's name must be a str, not %s",
                     Py_TYPE(name)->tp_name);
        return -1;
    }
    PyObject *member = PyObject_CallOneArg(e->class, value);
    int failed = !member || PyDict_SetItem(e->names, name, member) ||
                 PyDict_SetItem(e->values, value, member) ||
                 PyDict_SetItem(((PyTypeObject *)e->class)->tp_dict, name, member);
    Py_XDECREF(member);
    return failed ? -1 : 0;
}

static int add_row(enumeration *e, const value_row *row, const char *prefix)
{
    size_t n = strlen(prefix);
    PyObject *value = PyLong_FromLong(row->value);
    PyObject *name = PyUnicode_InternFromString(
        strncmp(row->name, prefix, n) ? row->name : row->name + n);
    int result = name && value ? add(e, name, value) : -1;
    Py_XDECREF(name);
    Py_XDECREF(value);
    return result;
}

/* The class, or NULL where something failed. New reference. */
static PyObject *finish(enumeration *e, int failed)
{
    PyObject *class = failed ? NULL : Py_NewRef(e->class);
    if (class)
        PyType_Modified((PyTypeObject *)class);
    release(e);
    return class;
}

static PyObject *make_driver_enum(PyObject *base, const char *module, PyObject *row,
                                  const char **name)
{
    const char *type, *prefix;
    size_t k = 0;
    if (!PyTuple_Check(row))
        return PyErr_Format(PyExc_TypeError, "a row must be a tuple, not %s",
                            Py_TYPE(row)->tp_name);
    if (!PyArg_ParseTuple(row, "sss", name, &type, &prefix))
        return NULL;
    while (k < sizeof types / sizeof *types && strcmp(types[k].name, type))
        k++;
    if (k == sizeof types / sizeof *types)
        return PyErr_Format(PyExc_ValueError, "the driver has no enumeration %s", type);
    enumeration e;
    int failed = begin(&e, base, module, *name);
    for (const value_row *r = types[k].rows; r->name && !failed; r++)
        failed = add_row(&e, r, prefix);
    return finish(&e, failed);
}

BD_METHOD(make_driver_enums, 3, 3, "_make_driver_enums(base, module, classes)",
          "{name: class} of rows (name, type in C, what its names begin with in C).")
{
    const char *module = PyUnicode_AsUTF8(in[1]), *name;
    PyObject *rows = module ? PySequence_Tuple(in[2]) : NULL;
    PyObject *all = rows ? PyDict_New() : NULL;
    for (Py_ssize_t i = 0; all && i < PyTuple_GET_SIZE(rows); i++) {
        PyObject *class =
            make_driver_enum(in[0], module, PyTuple_GET_ITEM(rows, i), &name);
        if (!class || PyDict_SetItemString(all, name, class))
            Py_CLEAR(all);
        Py_XDECREF(class);
    }
    if (all)
        Py_XSETREF(bd_state_get(self)->enums, Py_NewRef(all));
    Py_XDECREF(rows);
    return all;
}

BD_METHOD(make_enum, 4, 4, "_make_enum(base, module, name, members)",
          "A class of the members {name: value}.")
{
    const char *module = PyUnicode_AsUTF8(in[1]),
               *name = module ? PyUnicode_AsUTF8(in[2]) : NULL;
    if (!name || !PyDict_Check(in[3]))
        return name ? PyErr_Format(PyExc_TypeError, "members must be a dict, not %s",
                                   Py_TYPE(in[3])->tp_name)
                    : NULL;
    PyObject *members = PyDict_Copy(in[3]), *key, *value; /* constructors may run */
    enumeration e;
    int failed = begin(&e, in[0], module, name) || !members;
    for (Py_ssize_t at = 0; !failed && PyDict_Next(members, &at, &key, &value);)
        failed = add(&e, key, value);
    Py_XDECREF(members);
    return finish(&e, failed);
}

PyMethodDef bd_enum_methods[] = {
    BD_ROW("_make_driver_enums", make_driver_enums),
    BD_ROW("_make_enum", make_enum),
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
