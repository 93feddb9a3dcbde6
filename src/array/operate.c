/* An operation on arrays and scalars, from operands to a launch: shapes are broadcast,
   results made or checked, scalars converted; src/kernels does the rest. Arrays of one
   shape and order take the short way, as one flat stretch. */
#include "array.h"
#include <string.h>

void ar_call_init(ar_call *call, int operation)
{
    memset(call, 0, sizeof *call);
    call->operation = operation;
    call->outputs = kn_operations[operation].signature->results;
    call->inputs = kn_operations[operation].signature->inputs;
}

int ar_call_operands(bd_state *state, ar_call *call, PyObject *const *in)
{
    for (int i = 0; i < call->inputs; i++) {
        int found = ar_operand_from(state, in[i], &call->in[i]);
        if (found <= 0)
            return found;
    }
    return 1;
}

PyObject *ar_call_finish(ar_call *call, int failed)
{
    PyObject *result = NULL;
    for (int i = 0; i < call->inputs; i++)
        Py_CLEAR(call->in[i].array);
    if (!failed && call->outputs == 1)
        return (PyObject *)call->out[0];
    if (!failed && call->outputs == 0)
        Py_RETURN_NONE;
    if (!failed)
        result = PyTuple_Pack(2, call->out[0], call->out[1]);
    for (int i = 0; i < call->outputs; i++)
        Py_CLEAR(call->out[i]);
    return result;
}

/* -- Results -------------------------------------------------------------------- */

typedef struct {
    int ndim, is_flat; /* one layout without gaps: one axis of all elements */
    int order;         /* of that layout: AR_C, AR_F */
    ar_array *arrays[AR_MOST_IN]; /* borrowed: the operands that are arrays, until some
                                     of them are replaced by copies */
    int count;
    npy_intp size; /* of the first of them */
    npy_intp shape[AR_MOST_AXES];
    npy_intp strides[AR_MOST_IN][AR_MOST_AXES]; /* of the operands under that shape */
} frame;

static kn_role role_of(const ar_call *call, int input)
{
    const kn_signature *signature = kn_operations[call->operation].signature;
    return signature->variable[call->outputs + input].role;
}

static int is_table(const ar_call *call, int input)
{
    return role_of(call, input) == KN_TABLE;
}

static int frame_make(frame *frame, ar_call *call)
{
    ar_array
        *all[AR_MOST_IN + AR_MOST_OUT]; /* operands broadcast to given results, too */
    char title[KN_TITLE];
    int count;
    frame->order = AR_C | AR_F;
    frame->count = 0;
    frame->is_flat = 1;
    for (int i = 0; i < call->inputs; i++) {
        ar_array *array = call->in[i].array;
        if (!array || is_table(call, i))
            continue;
        frame->arrays[frame->count++] = array;
        frame->order &= array->order;
        frame->is_flat &=
            ar_has_shape(array, frame->arrays[0]->ndim, frame->arrays[0]->shape);
    }
    if (frame->count == 0 && call->out[0]) /* of scalars: the shape of the result */
        frame->arrays[frame->count++] = call->out[0];
    if (frame->count == 0) {
        PyErr_Format(PyExc_TypeError, "%s: at least one operand must be a GPUArray",
                     kn_title(call->operation, title));
        return -1;
    }
    frame->size = frame->arrays[0]->size;
    count = frame->count;
    memcpy(all, frame->arrays, count * sizeof *all);
    for (int i = 0; i < call->outputs; i++)
        if (call->out[i]) {
            all[count++] = call->out[i];
            frame->order &= call->out[i]->order;
            frame->is_flat &= ar_has_shape(call->out[i], all[0]->ndim, all[0]->shape);
        }
    frame->is_flat &= frame->order != 0;
    if (frame->is_flat) {
        frame->ndim = frame->arrays[0]->ndim;
        memcpy(frame->shape, frame->arrays[0]->shape,
               frame->ndim * sizeof *frame->shape);
        return 0;
    }
    if (ar_broadcast(all, count, frame->shape, &frame->ndim))
        return -1;
    for (int k = 0; k < frame->count; k++)
        ar_broadcast_strides(frame->arrays[k], frame->ndim, frame->strides[k]);
    return 0;
}

static int check_out(ar_call *call, const frame *frame, int i)
{
    ar_array *out = call->out[i];
    PyArray_Descr *dtype = NULL;
    char title[KN_TITLE];
    int result = -1;
    if (!ar_has_shape(out, frame->ndim, frame->shape)) {
        PyObject *given = ar_tuple(out->ndim, out->shape);
        PyObject *wanted = ar_tuple(frame->ndim, frame->shape);
        if (given && wanted)
            PyErr_Format(PyExc_ValueError,
                         "non-broadcastable output operand with shape %S doesn't match "
                         "the broadcast shape %S",
                         given, wanted);
        Py_XDECREF(given);
        Py_XDECREF(wanted);
        return -1;
    }
    if (out->type == call->types[i])
        return 0;
    if (!(dtype = kn_type_dtype(call->types[i])))
        return -1;
    if (out->type && PyArray_CanCastTypeTo(dtype, out->dtype, NPY_SAME_KIND_CASTING))
        result = 0;
    else
        PyErr_Format(PyExc_TypeError,
                     "Cannot cast ufunc '%s' output from %R to %R with casting rule "
                     "'same_kind'",
                     kn_title(call->operation, title), dtype, out->dtype);
    Py_DECREF(dtype);
    return result;
}

/* Whether writing to `out`, in the order of its elements, may change an element of
   operand k that is read later. */
static int is_in_the_way(const ar_call *call, int k, const ar_array *out)
{
    const ar_array *in = call->in[k].array;
    if (in != out &&
        (AR_ITEMSIZE(in) != AR_ITEMSIZE(out) || !ar_same_elements(in, out)))
        return 1;
    return is_table(call, k) || ar_has_shared_elements(in);
}

/* NumPy's rule: results are as if all operands had been copied first. Those are copied
   that would be written before they are read. What has no results writes its table, or
   from its base on, anywhere. */
static int copy_what_is_overwritten(ar_call *call)
{
    int table = call->outputs ? -1 : 0;
    while (table >= 0 && !is_table(call, table) && role_of(call, table) != KN_BASE)
        table++;
    for (int i = 0; i == 0 || i < call->outputs; i++) {
        const ar_array *written = table < 0 ? call->out[i] : call->in[table].array;
        for (int k = 0; k < call->inputs; k++) {
            ar_array *in = call->in[k].array;
            if (k == table || !in || (in != written && !ar_overlap(in, written)) ||
                (table < 0 && !is_in_the_way(call, k, written)))
                continue;
            ar_array *copy = ar_copy(in, NULL, 'K', call->stream);
            if (!copy)
                return -1;
            Py_SETREF(call->in[k].array, copy);
        }
    }
    return 0;
}

static int make_results(bd_context *context, ar_call *call, frame *frame, int *given)
{
    npy_intp strides[AR_MOST_AXES];
    const npy_intp *others[AR_MOST_IN];
    for (int k = 0; k < frame->count; k++)
        others[k] = frame->strides[k];
    for (int i = 0; i < call->outputs; i++) {
        if (call->out[i]) {
            if (check_out(call, frame, i))
                return -1;
            *given = 1;
            continue;
        }
        PyArray_Descr *dtype = kn_type_dtype(call->types[i]);
        if (!dtype)
            return -1;
        npy_intp itemsize = PyDataType_ELSIZE(dtype);
        if (frame->is_flat)
            ar_strides_fill(strides, frame->ndim, frame->shape, itemsize,
                            frame->order & AR_C ? 'C' : 'F');
        else
            ar_strides_like(strides, frame->ndim, frame->shape, itemsize, frame->count,
                            others);
        call->out[i] = ar_like_shape(context, frame->arrays[0], dtype, frame->ndim,
                                     frame->shape, strides);
        context = NULL; /* an allocator may be Python code */
        Py_DECREF(dtype);
        if (!call->out[i])
            return -1;
        frame->is_flat &= (call->out[i]->order & frame->order) != 0;
    }
    return 0;
}

/* -- Running -------------------------------------------------------------------- */

/* Operand k, results first; NULL: a scalar. */
static ar_array *operand_array(const ar_call *call, int k)
{
    return k < call->outputs ? call->out[k] : call->in[k - call->outputs].array;
}

/* The layouts of operands: one axis of all elements if they have the same. */
static int set_operands(const ar_call *call, const frame *frame, kn_request *request,
                        npy_intp strides[][AR_MOST_AXES])
{
    request->is_flat = frame->is_flat;
    request->ndim = frame->is_flat ? 1 : frame->ndim;
    request->shape = frame->is_flat ? &frame->size : frame->shape;
    for (int k = 0; k < call->outputs + call->inputs; k++) {
        ar_array *array = operand_array(call, k);
        kn_operand *operand = &request->operand[k];
        if (!array)
            continue;
        operand->storage = array->type;
        if (ar_address(array, &operand->pointer))
            return -1;
        if (frame->is_flat || (k >= call->outputs && is_table(call, k - call->outputs)))
            continue;
        operand->strides = strides[k];
        ar_broadcast_strides(array, frame->ndim, strides[k]);
    }
    return 0;
}

/* Integers refuse to be raised to a negative one; of arrays only the device knows. */
static int check_exponent(const ar_call *call, const kn_request *request)
{
    kn_type type = call->types[2];
    int is_signed = type == KN_I8 || type == KN_I16 || type == KN_I32 || type == KN_I64;
    const signed char *value = (const signed char *)request->operand[2].value;
    if (call->operation != KN_POWER || !is_signed || call->in[1].array ||
        value[kn_type_size(type) - 1] >= 0)
        return 0;
    PyErr_SetString(PyExc_ValueError,
                    "Integers to negative integer powers are not allowed.");
    return -1;
}

static int set_scalars(const ar_call *call, kn_request *request)
{
    for (int k = 0; k < call->outputs + call->inputs; k++) {
        kn_operand *operand = &request->operand[k];
        operand->compute = kn_type_compute(call->types[k]);
        if (k < call->outputs || call->in[k - call->outputs].array)
            continue;
        operand->is_scalar = 1;
        if (ar_scalar_store(call->in[k - call->outputs].scalar, call->types[k],
                            operand->value))
            return -1;
    }
    return check_exponent(call, request);
}

int ar_call_run(bd_state *state, ar_call *call)
{
    enum { MOST = AR_MOST_OUT + AR_MOST_IN };
    npy_intp strides[MOST][AR_MOST_AXES];
    frame frame;
    kn_request request;
    int given = 0;
    bd_context *context;
    memset(&request, 0, sizeof request);
    request.operation = call->operation;
    request.stream = call->stream;
    /* Scalars first: a number may run Python code, which may end the context. */
    if (set_scalars(call, &request) || !(context = bd_context_current(state)) ||
        frame_make(&frame, call) || make_results(context, call, &frame, &given) ||
        ((given || !call->outputs) && copy_what_is_overwritten(call)))
        return -1;
    int is_pending =
        frame.is_flat ? ar_defer(state, context, call, &request, given) : 0;
    if (is_pending)
        return is_pending < 0 ? -1 : 0;
    return set_operands(call, &frame, &request, strides) ||
                   kn_operate(context, &request)
               ? -1
               : 0;
}

PyObject *ar_ufunc(bd_state *state, int operation, PyObject *const *in, PyObject *out,
                   PyObject *stream)
{
    ar_call call;
    ar_call_init(&call, operation);
    int found = ar_call_operands(state, &call, in);
    int failed = found < 0 || (found && bd_stream(state, stream, &call.stream));
    if (found > 0 && out)
        call.out[0] = AR(Py_NewRef(out));
    if (found == 0) {
        ar_call_finish(&call, 1);
        Py_RETURN_NOTIMPLEMENTED;
    }
    failed = failed || ar_promote(state, operation, call.in, call.types) ||
             ar_call_run(state, &call);
    return ar_call_finish(&call, failed);
}
