/* Reductions along one axis: sums, products, extremes and their indices, variances,
   small matrix products. On a GPU a kernel does all; on the host device a long axis is
   reduced in segments first, and the segments' results then, so that few results are
   computed in parallel, too. The rows AXIS_REDUCTION of operations.def say what is
   done; pycuda/_reductions.py makes NumPy's functions of it. */
#include "array.h"
#include <string.h>

enum { MOST_RESULTS = 2 };

typedef struct {
    bd_context *context;
    kn_tuning tuning; /* a copy: another thread may end the context meanwhile */
    CUstream stream;
    int operation, results, count, ndim, axis; /* count: of operands */
    double divisor;                            /* of the results, which are sums */
    int is_rooted;                             /* they are variances: square roots */
    ar_array *in[2];                           /* owned */
    uint8_t compute[2];
    npy_intp shape[AR_MOST_AXES], strides[2][AR_MOST_AXES];
} axis_reduction;

/* What the code asks for besides operands. */
static kn_role role_behind(int operation)
{
    const kn_signature *signature = kn_operations[operation].signature;
    return signature->variable[signature->results + signature->inputs].role;
}

/* Whether a block's threads have elements side by side in memory for other results. */
static int is_across_rows(const axis_reduction *self)
{
    npy_intp own = Py_ABS(self->strides[0][self->axis]), row = 1;
    for (int d = 0; d < self->ndim; d++) {
        npy_intp stride = Py_ABS(self->strides[0][d]);
        if (d != self->axis && stride && stride < own)
            row *= self->shape[d];
    }
    return row >= KN_BLOCK;
}

/* The elements from `first` on, `length` for each of `outputs` results, which go to
   places from `at` on. A result is of elements that follow one another along the axis,
   or of every outputs-th one: then threads of a row read side by side. */
static int launch(const axis_reduction *self, ar_array *const *out, npy_intp outputs,
                  npy_intp length, npy_intp first, npy_intp at, double divisor)
{
    npy_intp shape[AR_MOST_AXES], places[AR_MOST_AXES] = {0};
    npy_intp strides[2][AR_MOST_AXES];
    int in_stretches = self->tuning.axis_in_stretches && is_across_rows(self);
    npy_intp element = in_stretches ? 1 : outputs, segment = in_stretches ? length : 1;
    kn_request request;
    kn_operand *operand = request.operand;
    memset(&request, 0, sizeof request);
    memcpy(shape, self->shape, sizeof shape);
    memcpy(strides, self->strides, sizeof strides);
    shape[self->axis] = outputs;
    places[self->axis] = segment;
    request.operation = self->operation;
    request.ndim = self->ndim;
    request.shape = shape;
    request.stream = self->stream;
    request.axis_length = length;
    request.axis_divisor = divisor;
    request.axis_is_rooted = self->is_rooted;
    CUdeviceptr address;
    for (int k = 0; k < self->results; k++) {
        if (!out[k]) { /* that is not stored */
            *operand++ = (kn_operand){.strides = places,
                                      .storage = self->in[self->count - 1]->type,
                                      .compute = self->compute[self->count - 1]};
            continue;
        }
        if (ar_address(out[k], &address))
            return -1;
        *operand++ = (kn_operand){
            .pointer = address + at * out[k]->strides[self->axis],
            .strides = out[k]->strides,
            .storage = out[k]->type,
            .compute = kn_type_compute(out[k]->type),
        };
    }
    for (int k = 0; k < self->count; k++) {
        npy_intp stride = self->strides[k][self->axis];
        if (ar_address(self->in[k], &address))
            return -1;
        strides[k][self->axis] = segment * stride;
        request.axis_stride[operand - request.operand] = element * stride;
        *operand++ = (kn_operand){
            .pointer = address + first * stride,
            .strides = strides[k],
            .storage = self->in[k]->type,
            .compute = self->compute[k],
        };
    }
    if (role_behind(self->operation) == KN_FIRST)
        *operand = request.operand[self->results];
    if (role_behind(self->operation) == KN_PLACE) {
        request.axis_stride[operand - request.operand] = element;
        *operand = (kn_operand){
            .pointer = first, .strides = places, .storage = KN_I8, .compute = KN_I64};
    }
    return kn_operate(self->context, &request);
}

/* In how many segments to reduce the axis before their results; 1: at once. */
static npy_intp count_segments(const axis_reduction *self)
{
    enum { LONG = 128, SIDE_BY_SIDE = 64 };
    npy_intp worthwhile = self->tuning.axis_threads;
    npy_intp least = is_across_rows(self) ? self->tuning.axis_segments : SIDE_BY_SIDE;
    npy_intp length = self->shape[self->axis], others = 1, segments;
    for (int i = 0; i < self->ndim; i++)
        others *= i == self->axis ? 1 : self->shape[i];
    int is_fastest = Py_ABS(self->strides[0][self->axis]) == AR_ITEMSIZE(self->in[0]);
    if (self->tuning.axis_sharing || length < LONG ||
        (others >= worthwhile && !is_fastest))
        return 1;
    segments = others < worthwhile ? worthwhile / (others + 1) : 0;
    segments = segments < least ? least : segments;
    return segments < length / 8 ? segments : length / 8;
}

static ar_array *result_new(const axis_reduction *self, kn_type type, npy_intp length)
{
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    const npy_intp *others = self->strides[0];
    PyArray_Descr *dtype = kn_type_dtype(type);
    memcpy(shape, self->shape, sizeof shape);
    shape[self->axis] = length;
    ar_strides_like(strides, self->ndim, shape, kn_type_size(type), 1, &others);
    ar_array *result =
        dtype ? ar_like_shape(NULL, self->in[0], dtype, self->ndim, shape, strides)
              : NULL;
    Py_XDECREF(dtype);
    return result;
}

static ar_array *run(axis_reduction *self, kn_type type);

/* Reduces the results of segments. */
static ar_array *combine(const axis_reduction *self, ar_array *const *out, kn_type type)
{
    axis_reduction next = {.context = self->context,
                           .tuning = self->tuning,
                           .stream = self->stream,
                           .operation = kn_operations[self->operation].combine,
                           .count = self->results,
                           .ndim = self->ndim,
                           .divisor = self->divisor,
                           .axis = self->axis};
    memcpy(next.shape, out[0]->shape, self->ndim * sizeof *next.shape);
    for (int k = 0; k < self->results; k++) {
        next.in[k] = out[k];
        next.compute[k] = kn_type_compute(out[k]->type);
        memcpy(next.strides[k], out[k]->strides, self->ndim * sizeof *next.shape);
    }
    return run(&next, type);
}

/* The first result, of that type; a second one has the last operand's type, and is of
   use for combining segments alone: where kernels do that, it is not stored. */
static ar_array *run(axis_reduction *self, kn_type type)
{
    npy_intp length = self->shape[self->axis], segments = count_segments(self);
    npy_intp whole = length / segments * segments, rest = length - whole;
    kn_type between = segments > 1 ? kn_type_compute(type) : type;
    ar_array *out[MOST_RESULTS] = {NULL}, *result = NULL;
    double divisor = segments > 1 ? 1 : self->divisor;
    int failed = 0;
    self->results = kn_operations[self->operation].signature->results;
    int stored = self->tuning.axis_sharing ? 1 : self->results;
    for (int k = 0; k < stored && !failed; k++) {
        kn_type own = k ? self->in[self->count - 1]->type : between;
        out[k] = result_new(self, own, segments > 1 ? segments + rest : 1);
        failed = !out[k];
    }
    if (!failed && !launch(self, out, segments, length / segments, 0, 0, divisor) &&
        !(rest && launch(self, out, rest, 1, whole, segments, divisor)))
        result =
            segments > 1 ? combine(self, out, type) : AR(Py_NewRef((PyObject *)out[0]));
    for (int k = 0; k < MOST_RESULTS; k++)
        Py_XDECREF((PyObject *)out[k]);
    return result;
}

ar_array *ar_reduce_axis(bd_state *state, const ar_axis_reduction *wanted,
                         ar_array *array)
{
    axis_reduction self = {.stream = wanted->stream,
                           .operation = wanted->operation,
                           .count = 1,
                           .ndim = array->ndim,
                           .axis = wanted->axis,
                           .divisor = wanted->divisor,
                           .is_rooted = wanted->is_rooted,
                           .in = {array},
                           .compute = {kn_type_compute(wanted->compute)}};
    const kn_tuning *tuning;
    if (!(self.context = bd_context_current(state)) ||
        !(tuning = kn_tuning_of(self.context)))
        return NULL;
    self.tuning = *tuning;
    memcpy(self.shape, array->shape, array->ndim * sizeof *self.shape);
    memcpy(self.strides[0], array->strides, array->ndim * sizeof *self.shape);
    return run(&self, wanted->type);
}

static int find_reduction(PyObject *name)
{
    for (int i = 0; i < KN_OPERATION_COUNT && PyUnicode_Check(name); i++)
        if (kn_operations[i].first &&
            !PyUnicode_CompareWithASCIIString(name, kn_operations[i].name))
            return i;
    PyErr_Format(PyExc_ValueError, "there is no axis reduction %R", name);
    return -1;
}

static int operands_parse(axis_reduction *self, PyObject *operands, PyObject *compute)
{
    int wanted = kn_operations[self->operation].signature->inputs;
    kn_type common = KN_NONE;
    if (!PyTuple_Check(operands) || PyTuple_GET_SIZE(operands) != wanted) {
        PyErr_Format(PyExc_TypeError, "expected a tuple of %d arrays", wanted);
        return -1;
    }
    if (compute && compute != Py_None && ar_type_parse(compute, &common))
        return -1;
    for (; self->count < wanted; self->count++) {
        PyObject *array = PyTuple_GET_ITEM(operands, self->count);
        if (!ar_expect_numbers(array, "axis reduction"))
            return -1;
        self->in[self->count] = AR(Py_NewRef(array));
        self->compute[self->count] = kn_type_compute(common ? common : AR(array)->type);
    }
    if (ar_broadcast(self->in, self->count, self->shape, &self->ndim))
        return -1;
    for (int k = 0; k < self->count; k++)
        ar_broadcast_strides(self->in[k], self->ndim, self->strides[k]);
    return 0;
}

static int divisor_parse(axis_reduction *self, PyObject *divisor)
{
    if (divisor && divisor != Py_None)
        self->divisor = PyFloat_AsDouble(divisor);
    return self->divisor == -1 && PyErr_Occurred() ? -1 : 0;
}

BD_METHOD(
    reduce_axis, 5, 8,
    "_reduce_axis(name, operands, axis, compute, dtype, stream=None, divisor=None, "
    "is_rooted=False)",
    "Reduces arrays, broadcast, along an axis, which stays with length one. compute: "
    "the dtype that operands are converted to, or None. divisor: of sums that are "
    "floating-point numbers. AXIS_VARIANCE is for GPUs; is_rooted: its square root.")
{
    bd_state *state = bd_state_get(self);
    axis_reduction reduction = {.operation = find_reduction(in[0]), .divisor = 1};
    const kn_tuning *tuning;
    ar_array *result = NULL;
    kn_type type;
    int64_t axis;
    if (reduction.operation < 0 || operands_parse(&reduction, in[1], in[3]) ||
        py_signed(in[2], "axis", 0, reduction.ndim - 1, &axis) ||
        ar_type_parse(in[4], &type) || bd_stream(state, in[5], &reduction.stream) ||
        divisor_parse(&reduction, in[6]) || py_flag(in[7], &reduction.is_rooted) ||
        !(reduction.context = bd_context_current(state)) ||
        !(tuning = kn_tuning_of(reduction.context)))
        goto done;
    reduction.tuning = *tuning;
    reduction.axis = (int)axis;
    if (reduction.shape[axis])
        result = run(&reduction, type);
    else
        PyErr_SetString(PyExc_ValueError, "an axis without elements cannot be reduced");
done:
    for (int k = 0; k < reduction.count; k++)
        Py_DECREF((PyObject *)reduction.in[k]);
    return (PyObject *)result;
}

PyMethodDef ar_axis_reduction_functions[] = {
    BD_ROW("_reduce_axis", reduce_axis),
    {NULL},
};
