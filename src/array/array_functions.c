/* Element-wise functions of gpuarray and cumath, and the methods that are operations:
   each is a row that names its operation. */
#include "array.h"
#include <string.h>

/* out: an array, or None. */
static int out_parse(PyObject **out)
{
    if (*out == Py_None)
        *out = NULL;
    return *out && !ar_expect(*out, "out") ? -1 : 0;
}

static int take_operands(bd_state *state, ar_call *call, PyObject *const *in,
                         const char *name)
{
    int found = ar_call_operands(state, call, in);
    if (found == 0)
        PyErr_Format(PyExc_TypeError, "%s: expected GPU arrays and numbers", name);
    return found > 0 ? 0 : -1;
}

static PyObject *apply(bd_state *state, int operation, PyObject *const *in, int count,
                       PyObject *out, PyObject *stream)
{
    if (out_parse(&out))
        return NULL;
    PyObject *result = ar_ufunc(state, operation, in, out, stream);
    if (result != Py_NotImplemented)
        return result;
    Py_DECREF(result);
    char title[KN_TITLE];
    int is_host = PyArray_Check(in[0]) || (count > 1 && PyArray_Check(in[1]));
    PyErr_Format(PyExc_TypeError, "%s: expected GPU arrays and numbers, got %s%s%s%s",
                 kn_title(operation, title), Py_TYPE(in[0])->tp_name,
                 count > 1 ? " and " : "", count > 1 ? Py_TYPE(in[1])->tp_name : "",
                 is_host ? "; gpuarray.to_gpu() brings an array to the device" : "");
    return NULL;
}

/* -- cumath --------------------------------------------------------------------- */

/* The second argument by position was a stream once. */
static PyObject *unary(PyObject *module, int operation, PyObject *const *in)
{
    bd_state *state = bd_state_get(module);
    PyObject *out = in[2], *stream = in[3];
    if (in[1] && in[1] != Py_None) {
        if (PyErr_WarnEx(PyExc_DeprecationWarning,
                         "pass out= or stream= by name, not as the second argument", 1))
            return NULL;
        if (ar_check(in[1]))
            out = in[1];
        else
            stream = in[1];
    }
    return apply(state, operation, in, 1, out, stream);
}

/* F(name, operation, text) */
#define UNARY_FUNCTIONS(F)                                         \
    F(fabs, FABS, "Absolute values of real numbers.")              \
    F(ceil, CEIL, "The least integers not below.")                 \
    F(floor, FLOOR, "The greatest integers not above.")            \
    F(trunc, TRUNC, "The integers towards zero.")                  \
    F(rint, RINT, "The nearest integers, halves to the even one.") \
    F(exp, EXP, "e to the power of each element.")                 \
    F(exp2, EXP2, "2 to the power of each element.")               \
    F(expm1, EXPM1, "exp(x) - 1, exact near 0.")                   \
    F(log, LOG, "Natural logarithms.")                             \
    F(log2, LOG2, "Logarithms to the base 2.")                     \
    F(log10, LOG10, "Logarithms to the base 10.")                  \
    F(log1p, LOG1P, "log(1 + x), exact near 0.")                   \
    F(sqrt, SQRT, "Square roots.")                                 \
    F(cbrt, CBRT, "Cube roots.")                                   \
    F(sin, SIN, "Sines.")                                          \
    F(cos, COS, "Cosines.")                                        \
    F(tan, TAN, "Tangents.")                                       \
    F(asin, ARCSIN, "Inverse sines.")                              \
    F(acos, ARCCOS, "Inverse cosines.")                            \
    F(atan, ARCTAN, "Inverse tangents.")                           \
    F(sinh, SINH, "Hyperbolic sines.")                             \
    F(cosh, COSH, "Hyperbolic cosines.")                           \
    F(tanh, TANH, "Hyperbolic tangents.")                          \
    F(asinh, ARCSINH, "Inverse hyperbolic sines.")                 \
    F(acosh, ARCCOSH, "Inverse hyperbolic cosines.")               \
    F(atanh, ARCTANH, "Inverse hyperbolic tangents.")              \
    F(sign, SIGN, "-1, 0 or 1.")                                   \
    F(isnan, ISNAN, "Whether elements are no numbers.")            \
    F(isinf, ISINF, "Whether elements are infinite.")              \
    F(isfinite, ISFINITE, "Whether elements are finite numbers.")

#define F(name, id, text)                                                             \
    BD_METHOD(unary_##name, 1, 4,                                                     \
              #name "(array, stream_or_out=None, out=None, stream=None)",             \
              text " In the dtype that numpy's function of that purpose gives; out: " \
                   "the array to write to.")                                          \
    {                                                                                 \
        return unary(self, KN_##id, in);                                              \
    }
UNARY_FUNCTIONS(F)
#undef F

/* -- Two operands --------------------------------------------------------------- */

/* F(name, parameters, places of out and stream among them, operation, text) */
#define OUT_STREAM ", out=None, stream=None"
#define BINARY_FUNCTIONS(F)                                                            \
    F(minimum, "a, b" OUT_STREAM, 2, 3, MINIMUM,                                       \
      "The lesser of two; a NaN if there is one.")                                     \
    F(maximum, "a, b" OUT_STREAM, 2, 3, MAXIMUM,                                       \
      "The greater of two; a NaN if there is one.")                                    \
    F(fmin, "a, b" OUT_STREAM, 2, 3, FMIN,                                             \
      "The lesser of two; a NaN only if both are.")                                    \
    F(fmax, "a, b" OUT_STREAM, 2, 3, FMAX,                                             \
      "The greater of two; a NaN only if both are.")                                   \
    F(logical_and, "x1, x2, out=None, allocator=None, stream=None", 2, 4, LOGICAL_AND, \
      "Whether both are true, as bool.")                                               \
    F(logical_or, "x1, x2, out=None, allocator=None, stream=None", 2, 4, LOGICAL_OR,   \
      "Whether one is true, as bool.")                                                 \
    F(logical_xor, "x1, x2, out=None, allocator=None, stream=None", 2, 4, LOGICAL_XOR, \
      "Whether exactly one is true, as bool.")                                         \
    F(atan2, "y, x" OUT_STREAM, 2, 3, ARCTAN2, "The angles of the points (x, y).")     \
    F(hypot, "a, b" OUT_STREAM, 2, 3, HYPOT, "sqrt(a*a + b*b).")                       \
    F(copysign, "a, b" OUT_STREAM, 2, 3, COPYSIGN,                                     \
      "The first with the sign of the second.")                                        \
    F(fmod, "arg, mod, stream=None, out=None", 3, 2, FMOD,                             \
      "The rest of a division, with the dividend's sign.")

#define F(name, parameters, out, stream, id, text)                             \
    BD_METHOD(binary_##name, 2, 5, #name "(" parameters ")",                   \
              text " Arrays or numbers, broadcast.")                           \
    {                                                                          \
        return apply(bd_state_get(self), KN_##id, in, 2, in[out], in[stream]); \
    }
BINARY_FUNCTIONS(F)
#undef F

BD_METHOD(binary_ldexp, 2, 4, "ldexp(significand, exponent, stream=None, out=None)",
          "significand * 2 ** exponent, for integer exponents; whole floats will do.")
{
    bd_state *state = bd_state_get(self);
    PyObject *pair[] = {in[0], in[1]}, *exponent = NULL;
    if (ar_check(in[1]) &&
        AR(in[1])->type >= KN_F16) { /* as frexp() of old gave them */
        PyArray_Descr *dtype = kn_type_dtype(KN_I32);
        if (!dtype)
            return NULL;
        exponent = pair[1] =
            (PyObject *)ar_copy(AR(in[1]), dtype, 'K', bd_stream_usual(state));
        Py_DECREF(dtype);
        if (!exponent)
            return NULL;
    }
    PyObject *result = apply(state, KN_LDEXP, pair, 2, in[3], in[2]);
    Py_XDECREF(exponent);
    return result;
}

BD_METHOD(unary_logical_not, 1, 4,
          "logical_not(x, out=None, allocator=None, stream=None)",
          "Whether elements are false, as bool.")
{
    return apply(bd_state_get(self), KN_LOGICAL_NOT, in, 1, in[1], in[3]);
}

BD_METHOD(unary_frexp, 1, 2, "frexp(arg, stream=None)",
          "(significands, exponents): arg == significands * 2 ** exponents, with "
          "significands in [0.5, 1) and exponents as int32.")
{
    return apply(bd_state_get(self), KN_FREXP, in, 1, NULL, in[1]);
}

BD_METHOD(unary_modf, 1, 2, "modf(arg, stream=None)",
          "(fractional parts, whole parts), both with the sign of arg.")
{
    return apply(bd_state_get(self), KN_MODF, in, 1, NULL, in[1]);
}

/* -- Choosing ------------------------------------------------------------------- */

/* The dtype that NumPy gives two operands; 0 and an exception: none to compute with. */
static kn_type common_type(bd_state *state, const ar_operand *a, const ar_operand *b)
{
    ar_operand pair[] = {*a, *b};
    uint8_t types[AR_MOST_OUT + 2];
    if (a->array && b->array && a->type == b->type)
        return a->type;
    /* maximum is there for all types, and computes in the common one */
    return ar_promote(state, KN_MAXIMUM, pair, types) ? KN_NONE : types[0];
}

static PyObject *choose(PyObject *module, int operation, const char *name,
                        PyObject *const *in)
{
    bd_state *state = bd_state_get(module);
    PyObject *out = in[3];
    ar_call call;
    ar_call_init(&call, operation);
    int failed = out_parse(&out) || take_operands(state, &call, in, name) ||
                 bd_stream(state, in[4], &call.stream);
    for (int i = 0; i < 3 && !failed; i++)
        failed =
            call.in[i].array && !ar_expect_numbers((PyObject *)call.in[i].array, name);
    call.out[0] = failed ? NULL : AR(Py_XNewRef(out));
    kn_type type = failed ? KN_NONE : common_type(state, &call.in[1], &call.in[2]);
    call.types[0] = call.types[2] = call.types[3] = type;
    call.types[1] = operation == KN_WHERE ? KN_BOOL
                    : call.in[0].array    ? call.in[0].type
                                          : KN_F64;
    return ar_call_finish(&call, !type || ar_call_run(state, &call));
}

BD_METHOD(choose_where, 3, 5, "where(criterion, then_, else_, out=None, stream=None)",
          "Elements of then_ where the criterion is true, else of else_; broadcast.")
{
    return choose(self, KN_WHERE, "where", in);
}

BD_METHOD(
    choose_if_positive, 3, 5,
    "if_positive(criterion, then_, else_, out=None, stream=None)",
    "Elements of then_ where the criterion is positive, else of else_; broadcast.")
{
    return choose(self, KN_IF_POSITIVE, "if_positive", in);
}

/* One type for all, as NumPy's clip has it: Python's numbers take part last. */
static int clip_types(bd_state *state, ar_call *call)
{
    uint8_t types[AR_MOST_OUT + 2];
    int first = call->in[1].type < AR_WEAK_INT ? 1 : 2;
    ar_operand pair[] = {call->in[0], call->in[first]};
    if (ar_promote(state, KN_MAXIMUM, pair, types))
        return -1;
    pair[0] = (ar_operand){.type = types[0]};
    pair[1] = call->in[3 - first];
    if (ar_promote(state, KN_MAXIMUM, pair, types))
        return -1;
    memset(call->types, types[0], 4);
    return 0;
}

BD_METHOD(choose_clip, 3, 4, "_clip(a, low, high, out=None)",
          "minimum(maximum(a, low), high) in one pass.")
{
    bd_state *state = bd_state_get(self);
    PyObject *out = in[3];
    ar_call call;
    ar_call_init(&call, KN_CLIP);
    int failed = out_parse(&out) || take_operands(state, &call, in, "clip") ||
                 bd_stream(state, NULL, &call.stream) || clip_types(state, &call);
    call.out[0] = failed ? NULL : AR(Py_XNewRef(out));
    return ar_call_finish(&call, failed || ar_call_run(state, &call));
}

/* -- By NumPy's names ----------------------------------------------------------- */

int ar_find_operation(PyObject *name, int by_numpy)
{
    for (int i = 0; i < KN_OPERATION_COUNT && PyUnicode_Check(name); i++) {
        const char *other = by_numpy ? kn_operations[i].numpy : kn_operations[i].name;
        if (other && !kn_operations[i].first &&
            !PyUnicode_CompareWithASCIIString(name, other))
            return i;
    }
    PyErr_Format(PyExc_NotImplementedError, "numpy.%S has no form for GPU arrays",
                 name);
    return -1;
}

static int check_count(PyObject *name, PyObject *tuple, int wanted)
{
    if (PyTuple_Check(tuple) && PyTuple_GET_SIZE(tuple) == wanted)
        return 0;
    PyErr_Format(PyExc_TypeError, "%S: expected a tuple of %d", name, wanted);
    return -1;
}

BD_METHOD(
    ufunc_by_name, 2, 4, "_ufunc(name, operands, out=None, stream=None)",
    "What NumPy's ufunc of that name does; NotImplementedError if there is no such "
    "operation.")
{
    ar_call call;
    int operation = ar_find_operation(in[0], 1);
    if (operation < 0)
        return NULL;
    ar_call_init(&call, operation);
    return check_count(in[0], in[1], call.inputs)
               ? NULL
               : apply(bd_state_get(self), operation, &PyTuple_GET_ITEM(in[1], 0),
                       call.inputs, in[2], in[3]);
}

BD_METHOD(
    operate_by_name, 3, 5, "_operate(name, operands, dtypes, out=None, stream=None)",
    "A row of operations.def; dtypes: those of its results and of its operands in "
    "the operation.")
{
    bd_state *state = bd_state_get(self);
    PyObject *out = in[3];
    ar_call call;
    int operation = ar_find_operation(in[0], 0), failed;
    if (operation < 0 || out_parse(&out))
        return NULL;
    ar_call_init(&call, operation);
    failed = check_count(in[0], in[1], call.inputs) ||
             check_count(in[0], in[2], call.outputs + call.inputs);
    for (int k = 0; k < call.outputs + call.inputs && !failed; k++) {
        kn_type type = KN_NONE;
        failed = ar_type_parse(PyTuple_GET_ITEM(in[2], k), &type);
        call.types[k] = type;
    }
    failed = failed ||
             take_operands(state, &call, &PyTuple_GET_ITEM(in[1], 0),
                           kn_operations[operation].name) ||
             bd_stream(state, in[4], &call.stream);
    if (out && call.outputs)
        call.out[0] = AR(Py_NewRef(out));
    return ar_call_finish(&call, failed || ar_call_run(state, &call));
}

BD_METHOD(
    code_by_name, 1, 1, "_code(name)",
    "The CUDA code of the operation that NumPy's ufunc of that name is, in terms of "
    "z, a and b; NotImplementedError if there is none.")
{
    int operation = ar_find_operation(in[0], 1);
    return operation < 0 ? NULL : PyUnicode_FromString(kn_operations[operation].code);
}

PyMethodDef ar_function_rows[] = {
    BD_ROW("_ufunc", ufunc_by_name),
    BD_ROW("_operate", operate_by_name),
    BD_ROW("_code", code_by_name),
#define F(name, id, text) BD_ROW(#name, unary_##name),
    UNARY_FUNCTIONS(F)
#undef F
#define F(name, parameters, out, stream, id, text) BD_ROW(#name, binary_##name),
        BINARY_FUNCTIONS(F)
#undef F
            BD_ROW("ldexp", binary_ldexp),
    BD_ROW("logical_not", unary_logical_not),
    BD_ROW("frexp", unary_frexp),
    BD_ROW("modf", unary_modf),
    BD_ROW("where", choose_where),
    BD_ROW("if_positive", choose_if_positive),
    BD_ROW("_clip", choose_clip),
    {NULL},
};

BD_METHOD(array_conj, 0, 1, "conj($self, out=None)",
          "Complex conjugates; an array of real numbers is returned as it is.")
{
    if (AR(self)->type < KN_C64 && (!in[0] || in[0] == Py_None))
        return Py_NewRef(self);
    return apply(bd_state_from(self), KN_CONJUGATE, &self, 1, in[0], NULL);
}

PyMethodDef ar_operation_methods[] = {
    BD_ROW("conj", array_conj),
    {NULL},
};
