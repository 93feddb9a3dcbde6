/* Functions that make arrays: empty, zeros, ones, full and their forms like another
   array, arange, concatenate, stack. */
#include "array.h"
#include <math.h>
#include <string.h>

/* -- Filled: False and True are 0 and 1 in every dtype -------------------------- */

static ar_array *make(bd_state *state, PyObject *shape, PyObject *dtype,
                      PyObject *allocator, PyObject *order)
{
    npy_intp lengths[AR_MOST_AXES], strides[AR_MOST_AXES];
    PyArray_Descr *descr = NULL;
    ar_array *array = NULL;
    char letter = 'C';
    int ndim;
    if (ar_shape_parse(shape, lengths, &ndim) ||
        (order && ar_order_parse(order, NULL, &letter)) ||
        !PyArray_DescrConverter(dtype ? dtype : Py_None, &descr))
        return NULL;
    if (PyDataType_REFCHK(descr))
        PyErr_Format(PyExc_TypeError,
                     "dtype %S holds Python objects, which cannot live "
                     "in device memory",
                     descr);
    else {
        ar_strides_fill(strides, ndim, lengths, PyDataType_ELSIZE(descr), letter);
        array = ar_new_given(state, descr, ndim, lengths, strides,
                             allocator ? allocator : Py_None);
    }
    Py_DECREF(descr);
    return array;
}

static PyObject *filled(ar_array *array, PyObject *value)
{
    if (array && value && ar_assign(array, value, NULL))
        Py_CLEAR(array);
    return (PyObject *)array;
}

BD_METHOD(make_zeros, 1, 4, "zeros(shape, dtype=None, allocator=None, order='C')",
          "A GPUArray of zeros; dtype: float64 by default.")
{
    return filled(make(bd_state_get(self), in[0], in[1], in[2], in[3]), Py_False);
}

BD_METHOD(make_ones, 1, 4, "ones(shape, dtype=None, allocator=None, order='C')",
          "A GPUArray of ones; dtype: float64 by default.")
{
    return filled(make(bd_state_get(self), in[0], in[1], in[2], in[3]), Py_True);
}

BD_METHOD(make_full, 2, 5,
          "full(shape, fill_value, dtype=None, allocator=None, order='C')",
          "A GPUArray of one value; dtype: that of the value by default.")
{
    PyObject *dtype = in[2];
    if (dtype && dtype != Py_None)
        return filled(make(bd_state_get(self), in[0], dtype, in[3], in[4]), in[1]);
    PyArrayObject *value = (PyArrayObject *)PyArray_FromAny(in[1], NULL, 0, 0, 0, NULL);
    PyObject *result = NULL;
    if (value)
        result = filled(make(bd_state_get(self), in[0],
                             (PyObject *)PyArray_DESCR(value), in[3], in[4]),
                        in[1]);
    Py_XDECREF(value);
    return result;
}

static PyObject *like(PyObject *const *in, PyObject *value)
{
    PyArray_Descr *dtype = NULL;
    char order = 'K';
    if (!ar_check(in[0])) {
        PyErr_Format(PyExc_TypeError, "expected a GPUArray, got %s",
                     Py_TYPE(in[0])->tp_name);
        return NULL;
    }
    ar_array *other = AR(in[0]);
    if ((in[2] && ar_order_parse(in[2], other, &order)) ||
        (in[1] && in[1] != Py_None && !PyArray_DescrConverter(in[1], &dtype)))
        return NULL;
    ar_array *array = ar_like(other, dtype ? dtype : other->dtype, order);
    Py_XDECREF(dtype);
    return filled(array, value);
}

BD_METHOD(
    make_empty_like, 1, 3, "empty_like(other_ary, dtype=None, order='K')",
    "An array like another, not initialised. order: 'C', 'F', 'A', or 'K' for that "
    "of the other's axes.")
{
    return like(in, NULL);
}
BD_METHOD(make_zeros_like, 1, 3, "zeros_like(other_ary, dtype=None, order='K')",
          "empty_like() filled with zeros.")
{
    return like(in, Py_False);
}
BD_METHOD(make_ones_like, 1, 3, "ones_like(other_ary, dtype=None, order='K')",
          "empty_like() filled with ones.")
{
    return like(in, Py_True);
}

/* -- arange --------------------------------------------------------------------- */

static PyObject *arange(bd_state *state, PyObject *start, PyObject *step,
                        PyArray_Descr *dtype, npy_intp count, PyObject *stream)
{
    bd_context *context = bd_context_current(state);
    kn_request request;
    ar_array *array = NULL;
    npy_intp stride = PyDataType_ELSIZE(dtype);
    kn_type type = kn_type_of(dtype);
    memset(&request, 0, sizeof request);
    if (!context || bd_stream(state, stream, &request.stream))
        return NULL;
    if (!type || type == KN_BOOL) {
        PyErr_Format(PyExc_TypeError, "arange: cannot count in dtype %S", dtype);
        return NULL;
    }
    if (!(array = ar_new_given(state, dtype, 1, &count, NULL, Py_None)))
        return NULL;
    request.operation = KN_ARANGE;
    request.ndim = 1;
    request.shape = &count;
    request.operand[0].pointer = array->head.pointer;
    request.operand[0].strides = &stride;
    for (int k = 0; k < 3; k++) {
        request.operand[k].storage = type;
        request.operand[k].compute = kn_type_compute(type);
        request.operand[k].is_scalar = k > 0;
    }
    if (ar_scalar_store(start, type, request.operand[1].value) ||
        ar_scalar_store(step, type, request.operand[2].value) ||
        kn_operate(context, &request))
        Py_CLEAR(array);
    return (PyObject *)array;
}

/* ceil((stop - start) / step), not below 0. */
static int count_steps(PyObject *start, PyObject *stop, PyObject *step, npy_intp *count)
{
    double from = PyFloat_AsDouble(start), to = PyFloat_AsDouble(stop);
    double by = PyFloat_AsDouble(step);
    if (PyErr_Occurred())
        return -1;
    if (by == 0) {
        PyErr_SetString(PyExc_ZeroDivisionError, "arange: step is 0");
        return -1;
    }
    double steps = ceil((to - from) / by);
    *count = steps > 0 && steps < 9e18 ? (npy_intp)steps : 0;
    return 0;
}

static PyArray_Descr *guess_dtype(PyObject *const *values)
{
    PyArray_Descr *dtype = NULL;
    PyObject *list = PyTuple_Pack(3, values[0], values[1], values[2]);
    PyArrayObject *array =
        list ? (PyArrayObject *)PyArray_FromAny(list, NULL, 0, 0, 0, NULL) : NULL;
    if (array) {
        dtype = PyArray_DESCR(array);
        Py_INCREF(dtype);
    }
    Py_XDECREF(array);
    Py_XDECREF(list);
    return dtype;
}

static const char make_arange_doc[] =
    "arange(*args, dtype=None, stream=None)\n--\n\n"
    "arange([start,] stop[, step][, dtype]): numbers from start (0) below stop by step "
    "(1). The dtype is NumPy's for these numbers unless it is given.";

static PyObject *make_arange(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *names)
{
    PyObject *dtype = NULL, *stream = NULL, *zero = NULL, *one = NULL, *result = NULL;
    PyObject *values[3];
    PyArray_Descr *descr = NULL;
    npy_intp count;
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        if (!PyUnicode_CompareWithASCIIString(name, "dtype"))
            dtype = args[nargs + i];
        else if (!PyUnicode_CompareWithASCIIString(name, "stream"))
            stream = args[nargs + i];
        else {
            PyErr_Format(PyExc_TypeError, "arange: there is no argument '%U'", name);
            return NULL;
        }
    }
    if (nargs > 1 &&
        (PyArray_DescrCheck(args[nargs - 1]) || PyType_Check(args[nargs - 1])))
        dtype = args[--nargs];
    if (nargs < 1 || nargs > 3) {
        PyErr_SetString(PyExc_TypeError, "arange takes start, stop and step");
        return NULL;
    }
    if (!(zero = PyLong_FromLong(0)) || !(one = PyLong_FromLong(1)))
        goto done;
    values[0] = nargs > 1 ? args[0] : zero;
    values[1] = nargs > 1 ? args[1] : args[0];
    values[2] = nargs > 2 ? args[2] : one;
    if (dtype && dtype != Py_None ? !PyArray_DescrConverter(dtype, &descr)
                                  : !(descr = guess_dtype(values)))
        goto done;
    if (count_steps(values[0], values[1], values[2], &count) == 0)
        result =
            arange(bd_state_get(module), values[0], values[2], descr, count, stream);
done:
    Py_XDECREF(zero);
    Py_XDECREF(one);
    Py_XDECREF(descr);
    return result;
}

/* -- Joining -------------------------------------------------------------------- */

static int axis_parse(PyObject *object, int ndim, int *axis)
{
    int64_t value = 0;
    if (object && bd_signed(object, "axis", INT_MIN, INT_MAX, &value))
        return -1;
    *axis = (int)(value < 0 ? value + ndim : value);
    if (*axis >= 0 && *axis < ndim)
        return 0;
    PyErr_SetString(PyExc_ValueError, "invalid axis");
    return -1;
}

static PyObject *arrays_parse(PyObject *object)
{
    PyObject *list = PySequence_Fast(object, "expected a sequence of GPUArrays");
    Py_ssize_t count = list ? PySequence_Fast_GET_SIZE(list) : 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!ar_check(PySequence_Fast_GET_ITEM(list, i))) {
            PyErr_Format(PyExc_TypeError, "expected GPUArrays, got %s",
                         Py_TYPE(PySequence_Fast_GET_ITEM(list, i))->tp_name);
            Py_DECREF(list);
            return NULL;
        }
    if (list && !count) {
        PyErr_SetString(PyExc_ValueError, "need at least one array");
        Py_CLEAR(list);
    }
    return list;
}

/* The dtype that all of them convert to. */
static PyArray_Descr *result_dtype(PyObject *arrays)
{
    PyArray_Descr *dtypes[2], *result;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(arrays);
    result = AR(PySequence_Fast_GET_ITEM(arrays, 0))->dtype;
    Py_INCREF(result);
    for (Py_ssize_t i = 1; i < count && result; i++) {
        dtypes[0] = result;
        dtypes[1] = AR(PySequence_Fast_GET_ITEM(arrays, i))->dtype;
        if (dtypes[0] == dtypes[1])
            continue;
        result = PyArray_ResultType(0, NULL, 2, dtypes);
        Py_DECREF(dtypes[0]);
    }
    return result;
}

/* Copies array i to where `at` starts along the axis of the result. */
static int place(ar_array *result, ar_array *array, int axis, npy_intp at,
                 npy_intp length, int drops_axis)
{
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    int ndim = 0;
    for (int i = 0; i < result->ndim; i++) {
        if (i == axis && drops_axis)
            continue;
        shape[ndim] = i == axis ? length : result->shape[i];
        strides[ndim++] = result->strides[i];
    }
    ar_array *view =
        ar_view(result, NULL, ndim, shape, strides, at * result->strides[axis]);
    int failed = !view || ar_assign(view, (PyObject *)array, NULL);
    Py_XDECREF(view);
    return failed ? -1 : 0;
}

/* The shape of all arrays together. */
static int joined_shape(PyObject *arrays, int axis, int is_stack, npy_intp *shape)
{
    Py_ssize_t count = PySequence_Fast_GET_SIZE(arrays);
    const ar_array *first = AR(PySequence_Fast_GET_ITEM(arrays, 0));
    memcpy(shape, first->shape, first->ndim * sizeof *shape);
    if (is_stack)
        memmove(shape + axis + 1, shape + axis, (first->ndim - axis) * sizeof *shape);
    shape[axis] = is_stack ? count : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const ar_array *array = AR(PySequence_Fast_GET_ITEM(arrays, i));
        int fits = array->ndim == first->ndim;
        for (int k = 0; k < first->ndim && fits; k++)
            fits = array->shape[k] == first->shape[k] || (k == axis && !is_stack);
        if (!fits) {
            PyErr_Format(PyExc_ValueError, "arrays must have the same shape%s",
                         is_stack ? "" : " except along the axis");
            return -1;
        }
        shape[axis] += is_stack ? 0 : array->shape[axis];
    }
    return 0;
}

static ar_array *joined_new(bd_state *state, PyObject *arrays, int ndim,
                            const npy_intp *shape, PyObject *allocator)
{
    npy_intp strides[AR_MOST_AXES];
    PyArray_Descr *dtype = result_dtype(arrays);
    ar_array *result = NULL;
    if (!dtype)
        return NULL;
    ar_strides_fill(strides, ndim, shape, PyDataType_ELSIZE(dtype), 'C');
    if (allocator && allocator != Py_None)
        result = ar_new_given(state, dtype, ndim, shape, strides, allocator);
    else
        result = ar_like_shape(AR(PySequence_Fast_GET_ITEM(arrays, 0)), dtype, ndim,
                               shape, strides);
    Py_DECREF(dtype);
    return result;
}

static PyObject *join(bd_state *state, PyObject *object, PyObject *axis_object,
                      PyObject *allocator, int is_stack)
{
    PyObject *arrays = arrays_parse(object);
    ar_array *result = NULL;
    npy_intp shape[AR_MOST_AXES + 1], at = 0;
    int axis = 0, failed = 0;
    if (!arrays)
        return NULL;
    int ndim = AR(PySequence_Fast_GET_ITEM(arrays, 0))->ndim + is_stack;
    if (ndim > AR_MOST_AXES)
        PyErr_Format(PyExc_ValueError, "%d axes are too many, at most %d", ndim,
                     AR_MOST_AXES);
    else if (!axis_parse(axis_object, ndim, &axis) &&
             !joined_shape(arrays, axis, is_stack, shape))
        result = joined_new(state, arrays, ndim, shape, allocator);
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(arrays) && result; i++) {
        ar_array *array = AR(PySequence_Fast_GET_ITEM(arrays, i));
        npy_intp length = is_stack ? 1 : array->shape[axis];
        failed = place(result, array, axis, at, length, is_stack);
        at += length;
        if (failed)
            Py_CLEAR(result);
    }
    Py_DECREF(arrays);
    return (PyObject *)result;
}

BD_METHOD(make_concatenate, 1, 3, "concatenate(arrays, axis=0, allocator=None)",
          "Arrays one after the other along an axis.")
{
    return join(bd_state_get(self), in[0], in[1], in[2], 0);
}

BD_METHOD(make_stack, 1, 3, "stack(arrays, axis=0, allocator=None)",
          "Arrays of one shape side by side along a new axis.")
{
    return join(bd_state_get(self), in[0], in[1], in[2], 1);
}

PyMethodDef ar_creation_functions[] = {
    BD_ROW("zeros", make_zeros),
    BD_ROW("ones", make_ones),
    BD_ROW("full", make_full),
    BD_ROW("empty_like", make_empty_like),
    BD_ROW("zeros_like", make_zeros_like),
    BD_ROW("ones_like", make_ones_like),
    BD_ROW("arange", make_arange),
    BD_ROW("concatenate", make_concatenate),
    BD_ROW("stack", make_stack),
    {NULL},
};
