/* Operands and their types. NumPy itself is asked which types a ufunc computes in
   (ufunc.resolve_dtypes, so its rules hold for Python's weak numbers too), once for
   each combination; answers are kept in a small table that forgets by overwriting. */
#include "array.h"
#include <string.h>

/* -- Operands ------------------------------------------------------------------- */

int ar_from(bd_state *state, PyObject *object, ar_array **array)
{
    if (ar_check(object)) {
        *array = AR(Py_NewRef(object));
        return 1;
    }
    PyObject *interface = PyObject_GetAttrString(object, "__cuda_array_interface__");
    if (!interface) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError))
            return -1;
        PyErr_Clear();
        return 0;
    }
    PyObject *module = PyImport_ImportModule("pycuda._interop"), *found = NULL;
    if (module)
        found = PyObject_CallMethod(module, "from_interface", "OO", object, interface);
    Py_XDECREF(module);
    Py_DECREF(interface);
    *array = AR(found);
    return found ? 1 : -1;
}

static int from_numpy(PyObject *object, ar_operand *operand)
{
    PyArray_Descr *dtype =
        PyArray_Check(object)
            ? (PyArray_Descr *)Py_NewRef(PyArray_DESCR((PyArrayObject *)object))
            : PyArray_DescrFromScalar(object);
    if (!dtype)
        return -1;
    operand->type = kn_type_of(dtype);
    operand->scalar = object;
    Py_DECREF(dtype);
    return 1;
}

int ar_operand_from(bd_state *state, PyObject *object, ar_operand *operand)
{
    operand->array = NULL;
    operand->scalar = NULL;
    if (ar_check(object)) {
        operand->array = AR(Py_NewRef(object));
        operand->type = operand->array->type;
        return 1;
    }
    if (PyFloat_CheckExact(object))
        operand->type = AR_WEAK_FLOAT;
    else if (PyLong_CheckExact(object))
        operand->type = AR_WEAK_INT;
    else if (PyBool_Check(object))
        operand->type = KN_BOOL;
    else if (PyArray_IsScalar(object, Generic) ||
             (PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object) == 0))
        return from_numpy(object, operand);
    else if (PyComplex_CheckExact(object))
        operand->type = AR_WEAK_COMPLEX;
    else if (PyComplex_Check(object)) /* NumPy takes classes of one's own by value */
        operand->type = KN_C128;
    else if (PyFloat_Check(object))
        operand->type = KN_F64;
    else if (PyLong_Check(object))
        operand->type = KN_I64;
    else {
        int found = PyArray_Check(object) ? 0 : ar_from(state, object, &operand->array);
        if (found > 0)
            operand->type = operand->array->type;
        return found;
    }
    operand->scalar = object;
    return 1;
}

int ar_type_parse(PyObject *object, kn_type *type)
{
    PyArray_Descr *dtype;
    if (!PyArray_DescrConverter(object, &dtype))
        return -1;
    *type = kn_type_of(dtype);
    if (!*type)
        PyErr_Format(PyExc_TypeError, "dtype %S is nothing to compute with", dtype);
    Py_DECREF(dtype);
    return *type ? 0 : -1;
}

/* -- Numbers -------------------------------------------------------------------- */

static int out_of_bounds(PyObject *number, kn_type type)
{
    PyArray_Descr *dtype = kn_type_dtype(type);
    if (dtype)
        PyErr_Format(PyExc_OverflowError, "Python integer %R out of bounds for %S",
                     number, dtype);
    Py_XDECREF(dtype);
    return -1;
}

static int store_integer(PyObject *number, kn_type type, char *value)
{
    int is_signed = type == KN_I8 || type == KN_I16 || type == KN_I32 || type == KN_I64;
    return py_store_integer(number, is_signed, kn_type_size(type), value)
               ? 0
               : out_of_bounds(number, type);
}

/* Through NumPy, as it would cast. */
static int store_cast(PyObject *number, kn_type type, char *value)
{
    PyArray_Descr *dtype = kn_type_dtype(type);
    PyArrayObject *array =
        bd_numpy_from(number, dtype, NPY_ARRAY_FORCECAST | NPY_ARRAY_CARRAY_RO);
    if (!array)
        return -1;
    if (type == KN_F16) {
        double wide = PyFloat_Unpack2(PyArray_BYTES(array), 1);
        *(float *)value = (float)wide;
    } else if (type == KN_BF16) { /* the upper half of a float */
        memset(value, 0, 2);
        memcpy(value + 2, PyArray_DATA(array), 2);
    } else
        memcpy(value, PyArray_DATA(array), kn_type_size(type));
    Py_DECREF(array);
    return PyErr_Occurred() ? -1 : 0;
}

int ar_scalar_store(PyObject *number, kn_type type, char *value)
{
    int is_bool = PyBool_Check(number),
        is_integer = is_bool || PyLong_CheckExact(number);
    double real;
    if (type == KN_BOOL && is_bool) {
        *value = number == Py_True;
        return 0;
    }
    if (is_integer && type < KN_F16 && type != KN_BOOL)
        return store_integer(number, type, value);
    if (PyFloat_CheckExact(number))
        real = PyFloat_AS_DOUBLE(number);
    else if (is_integer) {
        real = PyLong_AsDouble(number);
        if (real == -1 && PyErr_Occurred())
            return -1;
    } else
        return store_cast(number, type, value);
    switch (type) {
    case KN_F32:
        *(float *)value = (float)real;
        return 0;
    case KN_F64:
        *(double *)value = real;
        return 0;
    case KN_C64:
        ((float *)value)[0] = (float)real;
        ((float *)value)[1] = 0;
        return 0;
    case KN_C128:
        ((double *)value)[0] = real;
        ((double *)value)[1] = 0;
        return 0;
    default:
        return store_cast(number, type, value);
    }
}

/* -- Promotion ------------------------------------------------------------------ */

enum { ANSWERS = 1024, MOST = AR_MOST_OUT + 2 }; /* ufuncs here take one or two */

typedef struct {
    uint32_t question; /* operation and the operands' types; never 0 */
    uint8_t types[MOST];
} answer;

static PyObject *type_object(uint8_t type)
{
    switch (type) {
    case AR_WEAK_INT:
        return Py_NewRef((PyObject *)&PyLong_Type);
    case AR_WEAK_FLOAT:
        return Py_NewRef((PyObject *)&PyFloat_Type);
    case AR_WEAK_COMPLEX:
        return Py_NewRef((PyObject *)&PyComplex_Type);
    default:
        return (PyObject *)kn_type_dtype(type);
    }
}

/* The tuple that resolve_dtypes takes: operands, then None for results. */
static PyObject *ask(const char *ufunc, const ar_operand *in, int inputs, int outputs)
{
    PyObject *tuple = PyTuple_New(inputs + outputs);
    for (int i = 0; tuple && i < inputs + outputs; i++) {
        PyObject *item = i < inputs ? type_object(in[i].type) : Py_NewRef(Py_None);
        if (item)
            PyTuple_SET_ITEM(tuple, i, item);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

static int resolve(bd_state *state, const char *ufunc, const ar_operand *in, int inputs,
                   int outputs, uint8_t *types)
{
    PyObject *question = ask(ufunc, in, inputs, outputs), *function = NULL;
    PyObject *resolved = NULL;
    int result = question ? 0 : -1;
    if (question &&
        (function = PyObject_GetAttrString(AR_OBJECTS(state)->numpy, ufunc)))
        resolved = PyObject_CallMethod(function, "resolve_dtypes", "(O)", question);
    if (!resolved)
        result = -1;
    for (int i = 0; i < inputs + outputs && !result; i++) {
        PyObject *dtype = PyTuple_GET_ITEM(resolved, i);
        kn_type type = kn_type_of((PyArray_Descr *)dtype);
        types[i < inputs ? outputs + i : i - inputs] = type;
        if (!type)
            result = ar_type_parse(dtype, &type);
    }
    Py_XDECREF(question);
    Py_XDECREF(function);
    Py_XDECREF(resolved);
    return result;
}

int ar_promote(bd_state *state, int operation, const ar_operand *in, uint8_t *types)
{
    const kn_operation *row = &kn_operations[operation];
    answer *answers = state->promotions;
    int outputs = row->signature->results, inputs = row->signature->inputs;
    uint32_t question = 1u << 31 | operation << 16 | in[0].type << 8;
    if (inputs == 2)
        question |= in[1].type;
    char title[KN_TITLE];
    answer *at = &answers[(question * 0x9e3779b1u) >> 22];
    if (at->question != question) {
        for (int i = 0; i < inputs; i++)
            if (!in[i].type) {
                PyErr_Format(PyExc_TypeError,
                             "%s: an operand's dtype is nothing to "
                             "compute with",
                             kn_title(operation, title));
                return -1;
            }
        if (resolve(state, row->numpy, in, inputs, outputs, at->types)) {
            at->question = 0;
            return -1;
        }
        at->question = question;
    }
    memcpy(types, at->types, inputs + outputs);
    return 0;
}

int ar_promotion_init(bd_state *state)
{
    state->promotions = PyMem_Calloc(ANSWERS, sizeof(answer));
    if (!state->promotions)
        PyErr_NoMemory();
    return state->promotions ? 0 : -1;
}
