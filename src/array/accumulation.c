/* The door to running results along an axis, by operations that are associative and
   commutative. What NumPy asks of accumulate() is for pycuda/_reductions.py. */
#include "array.h"
#include <string.h>

/* Whether results can be written to `out` at once: it is the array itself, or elsewhere
   and lies alike. */
static int is_fit(const ar_array *out, const ar_array *array, kn_type type)
{
    return out->type == type && ar_has_shape(out, array->ndim, array->shape) &&
           (ar_same_elements(out, array)
                ? AR_ITEMSIZE(out) == AR_ITEMSIZE(array) && !ar_has_shared_elements(out)
                : out->order & array->order && !ar_overlap(out, array));
}

/* `out` if it is fit, or a result that lies like the array. */
static ar_array *result_for(bd_context *context, ar_array *array, PyObject *out,
                            kn_type type)
{
    npy_intp strides[AR_MOST_AXES];
    const npy_intp *others = array->strides;
    PyArray_Descr *dtype;
    if (out && ar_check(out) && is_fit(AR(out), array, type))
        return AR(Py_NewRef(out));
    if (!(dtype = kn_type_dtype(type)))
        return NULL;
    ar_strides_like(strides, array->ndim, array->shape, kn_type_size(type), 1, &others);
    ar_array *result =
        ar_like_shape(context, array, dtype, array->ndim, array->shape, strides);
    Py_DECREF(dtype);
    return result;
}

/* Shape and strides without the axis. */
static void leave_out(const ar_array *array, int axis, npy_intp *shape,
                      npy_intp *strides)
{
    for (int d = 0, at = 0; d < array->ndim; d++)
        if (d != axis) {
            shape[at] = array->shape[d];
            strides[at++] = array->strides[d];
        }
}

static int run(bd_context *context, int operation, ar_array *result, ar_array *array,
               int axis, CUstream stream)
{
    npy_intp shape[AR_MOST_AXES], strides[2][AR_MOST_AXES];
    ar_array *operands[2] = {result, array};
    kn_request lines;
    memset(&lines, 0, sizeof lines);
    lines.operation = KN_COPY;
    lines.ndim = array->ndim - 1;
    lines.shape = shape;
    lines.axis_length = array->shape[axis];
    lines.stream = stream;
    for (int k = 0; k < 2; k++) {
        kn_operand *operand = &lines.operand[k];
        leave_out(operands[k], axis, shape, strides[k]);
        lines.axis_stride[k] = operands[k]->strides[axis];
        operand->strides = strides[k];
        operand->storage = operands[k]->type;
        operand->compute = kn_type_compute(result->type);
        if (ar_address(operands[k], &operand->pointer))
            return -1;
    }
    return kn_accumulate(context, operation, &lines);
}

BD_METHOD(
    accumulate, 4, 5, "_accumulate(name, array, axis, dtype, out=None)",
    "What numpy's ufunc of that name, which must be associative and commutative, makes "
    "of the first elements along an axis, of each number of them, in that dtype: in "
    "`out`, if it is fit, or a new array. None: the array's other axes are too many; a "
    "copy's are not.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    int operation = ar_find_operation(in[0], 1);
    ar_array *array = operation < 0 ? NULL : ar_expect_numbers(in[1], "accumulate");
    ar_array *result = NULL;
    CUstream stream;
    kn_type type;
    int64_t axis;
    if (!array || py_signed(in[2], "axis", 0, array->ndim - 1, &axis) ||
        ar_type_parse(in[3], &type) || bd_stream(state, NULL, &stream) ||
        !(context = bd_context_current(state)) ||
        !(result = result_for(context, array, in[4], type)))
        return NULL;
    int done =
        array->size ? run(context, operation, result, array, (int)axis, stream) : 1;
    if (done > 0)
        return (PyObject *)result;
    Py_DECREF((PyObject *)result);
    return done < 0 ? NULL : Py_NewRef(Py_None);
}

PyMethodDef ar_accumulation_functions[] = {
    BD_ROW("_accumulate", accumulate),
    {NULL},
};
