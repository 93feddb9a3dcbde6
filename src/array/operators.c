/* Python's operators on arrays: each is a row that names its operation. What is no
   operand gives NotImplemented, so that Python asks the other side. */
#include "array.h"

/* One of the two is an array: which module it is of. */
static bd_state *state_of(PyObject *a, PyObject *b)
{
    return bd_state_from(ar_check(a) ? a : b);
}

/* What NumPy makes an array of. Python would repeat it, put it behind another, or call
   the two different without a word; classes of one's own may know better. */
static int is_sequence(PyObject *object)
{
    return PyList_CheckExact(object) || PyTuple_CheckExact(object) ||
           PyRange_Check(object);
}

static PyObject *refuse_sequence(int operation, PyObject *a, PyObject *b)
{
    char title[KN_TITLE];
    PyErr_Format(PyExc_TypeError,
                 "%s: expected GPU arrays and numbers, got %s and %s; "
                 "gpuarray.to_gpu(numpy.array(...)) brings numbers to the device",
                 kn_title(operation, title), Py_TYPE(a)->tp_name, Py_TYPE(b)->tp_name);
    return NULL;
}

/* out: what is written to, or NULL. */
static PyObject *operate(int operation, PyObject *a, PyObject *b, PyObject *out)
{
    PyObject *in[] = {a, b};
    PyObject *result = ar_ufunc(state_of(a, b), operation, in, out, NULL);
    if (result != Py_NotImplemented || !(is_sequence(a) || is_sequence(b)))
        return result;
    Py_DECREF(result);
    return refuse_sequence(operation, a, b);
}

static PyObject *binary(int operation, PyObject *a, PyObject *b)
{
    return operate(operation, a, b, NULL);
}

static PyObject *in_place(int operation, PyObject *a, PyObject *b)
{
    return operate(operation, a, b, a);
}

static PyObject *unary(int operation, PyObject *a)
{
    return ar_ufunc(bd_state_from(a), operation, &a, NULL, NULL);
}

#define OPERATORS(BINARY, UNARY)       \
    BINARY(add, ADD)                   \
    BINARY(subtract, SUBTRACT)         \
    BINARY(multiply, MULTIPLY)         \
    BINARY(true_divide, DIVIDE)        \
    BINARY(floor_divide, FLOOR_DIVIDE) \
    BINARY(remainder, REMAINDER)       \
    BINARY(and, AND)                   \
    BINARY(or, OR)                     \
    BINARY(xor, XOR)                   \
    BINARY(lshift, LEFT_SHIFT)         \
    BINARY(rshift, RIGHT_SHIFT)        \
    UNARY(negative, NEGATIVE)          \
    UNARY(positive, POSITIVE)          \
    UNARY(absolute, ABSOLUTE)          \
    UNARY(invert, INVERT)

#define BINARY(name, id)                                         \
    static PyObject *nb_##name(PyObject *a, PyObject *b)         \
    {                                                            \
        return binary(KN_##id, a, b);                            \
    }                                                            \
    static PyObject *nb_inplace_##name(PyObject *a, PyObject *b) \
    {                                                            \
        return in_place(KN_##id, a, b);                          \
    }
#define UNARY(name, id)                     \
    static PyObject *nb_##name(PyObject *a) \
    {                                       \
        return unary(KN_##id, a);           \
    }
OPERATORS(BINARY, UNARY)
#undef BINARY
#undef UNARY

static PyObject *nb_divmod(PyObject *a, PyObject *b)
{
    return binary(KN_DIVMOD, a, b);
}

/* -- Powers --------------------------------------------------------------------- */

/* As NumPy: the exponents that have a cheaper operation. */
static int power_operation(PyObject *base, PyObject *exponent)
{
    if (!ar_check(base) || ar_check(exponent) ||
        !(PyLong_CheckExact(exponent) || PyFloat_CheckExact(exponent)))
        return KN_POWER;
    int is_integer = AR(base)->type < KN_F16;
    double value = PyFloat_AsDouble(exponent);
    PyErr_Clear(); /* of an integer beyond floats, which promotion refuses */
    if (value == 2 && (PyLong_CheckExact(exponent) || !is_integer))
        return KN_SQUARE;
    if (value == -1 && !is_integer)
        return KN_RECIPROCAL;
    return value == 0.5 && !is_integer ? KN_SQRT : KN_POWER;
}

static PyObject *power(PyObject *a, PyObject *b, PyObject *modulus, PyObject *out)
{
    if (modulus != Py_None)
        Py_RETURN_NOTIMPLEMENTED;
    return operate(power_operation(a, b), a, b, out);
}

static PyObject *nb_power(PyObject *a, PyObject *b, PyObject *modulus)
{
    return power(a, b, modulus, NULL);
}

static PyObject *nb_inplace_power(PyObject *a, PyObject *b, PyObject *modulus)
{
    return power(a, b, modulus, a);
}

/* -- Comparisons ---------------------------------------------------------------- */

/* A Python integer that the array's type cannot hold is compared by its value: as the
   nearest float, which lies on the same side of all elements. */
static PyObject *compare_far(int operation, PyObject *a, PyObject *b)
{
    double value = PyLong_AsDouble(b);
    if (value == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        value =
            PyObject_RichCompareBool(b, Py_False, Py_GT) ? Py_HUGE_VAL : -Py_HUGE_VAL;
    }
    PyObject *far = PyFloat_FromDouble(value);
    PyObject *result = far ? binary(operation, a, far) : NULL;
    Py_XDECREF(far);
    return result;
}

static PyObject *rich_compare(PyObject *a, PyObject *b, int comparison)
{
    static const int operations[] = {
        [Py_LT] = KN_LESS,      [Py_LE] = KN_LESS_EQUAL, [Py_EQ] = KN_EQUAL,
        [Py_NE] = KN_NOT_EQUAL, [Py_GT] = KN_GREATER,    [Py_GE] = KN_GREATER_EQUAL,
    };
    PyObject *result = binary(operations[comparison], a, b);
    if (!result && PyLong_CheckExact(b) &&
        PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        return compare_far(operations[comparison], a, b);
    }
    return result;
}

/* -- Numbers of one element ----------------------------------------------------- */

static int nb_bool(PyObject *self)
{
    if (AR(self)->size != 1) {
        PyErr_SetString(PyExc_ValueError,
                        "The truth value of an array with more than one element is "
                        "ambiguous. Use a.any() or a.all()");
        return -1;
    }
    PyObject *host = ar_get(AR(self));
    int result = host ? PyObject_IsTrue(host) : -1;
    Py_XDECREF(host);
    return result;
}

static PyObject *as_number(PyObject *self, PyTypeObject *type)
{
    PyObject *host = AR(self)->size == 1 ? ar_get(AR(self)) : NULL, *number = NULL;
    PyObject *item = host ? PyObject_CallMethod(host, "item", NULL) : NULL;
    if (item)
        number = PyObject_CallOneArg((PyObject *)type, item);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError,
                        "only arrays of one element can become a Python number");
    Py_XDECREF(item);
    Py_XDECREF(host);
    return number;
}

static PyObject *nb_int(PyObject *self)
{
    return as_number(self, &PyLong_Type);
}
static PyObject *nb_float(PyObject *self)
{
    return as_number(self, &PyFloat_Type);
}

static PyObject *nb_index(PyObject *self)
{
    char kind = AR(self)->dtype->kind;
    if (AR(self)->ndim == 0 && (kind == 'i' || kind == 'u'))
        return as_number(self, &PyLong_Type);
    PyErr_Format(
        PyExc_TypeError,
        "only arrays of integers without axes can be an index of Python's, got "
        "%d axes of dtype %S",
        AR(self)->ndim, AR(self)->dtype);
    return NULL;
}

const PyType_Slot ar_number_slots[] = {
#define BINARY(name, id) \
    {Py_nb_##name, nb_##name}, {Py_nb_inplace_##name, nb_inplace_##name},
#define UNARY(name, id) {Py_nb_##name, nb_##name},
    OPERATORS(BINARY, UNARY)
#undef BINARY
#undef UNARY
        {Py_nb_divmod, nb_divmod},
    {Py_nb_power, nb_power},
    {Py_nb_inplace_power, nb_inplace_power},
    {Py_nb_bool, nb_bool},
    {Py_nb_int, nb_int},
    {Py_nb_float, nb_float},
    {Py_nb_index, nb_index},
    {Py_tp_richcompare, rich_compare},
    {0, NULL},
};
