/* Elements at the places that an array of integers says, along one axis. Kernels look
   whether places are there and set a flag in page-locked memory, so that nothing is
   copied to know; a long table at many places far apart is taken bin by bin, once the
   kernel that began it one by one says so. What else an index may be is in indexing.c
   and pycuda/_indexing.py. */
#include "array.h"
#include <string.h>

/* Two numbers that are 0 unless a kernel sets them: page-locked, or in an array. */
typedef struct {
    bd_staging *lent;
    ar_array *array; /* owned */
    CUdeviceptr place;
} flags;

static int flags_make(bd_state *state, CUstream stream, flags *flags)
{
    const npy_intp two = 2;
    if ((flags->lent = bd_flags_lend(state, &flags->place)))
        return 0;
    PyArray_Descr *dtype = kn_type_dtype(KN_I32);
    flags->array = dtype ? ar_new(state, dtype, 1, &two, NULL, NULL) : NULL;
    Py_XDECREF(dtype);
    return flags->array && !ar_address(flags->array, &flags->place) &&
                   !BD_CALL(state, cuMemsetD32Async, flags->place, 0, 2, stream)
               ? 0
               : -1;
}

/* Waits for the device. */
static int flags_read(bd_state *state, flags *flags, int value[2])
{
    if (flags->lent) {
        bd_staging *lent = flags->lent;
        flags->lent = NULL;
        return bd_flags_read(state, lent, value);
    }
    PyObject *host = ar_get(flags->array);
    if (host)
        memcpy(value, PyArray_DATA((PyArrayObject *)host), 2 * sizeof *value);
    Py_XDECREF(host);
    return host ? 0 : -1;
}

static void flags_end(flags *flags)
{
    if (flags->lent)
        bd_flags_return(flags->lent);
    Py_CLEAR(flags->array);
}

/* An array with other axes in place of one, and its strides and the index array's. */
typedef struct {
    int ndim;
    npy_intp shape[AR_MOST_AXES], own[AR_MOST_AXES], index[AR_MOST_AXES];
} frame;

static int frame_make(frame *frame, const ar_array *array, int axis,
                      const ar_array *index)
{
    npy_intp size = AR_ITEMSIZE(array);
    int ndim = 0;
    if (array->ndim - 1 + index->ndim > AR_MOST_AXES)
        return -1;
    for (int d = 0; d < array->ndim; d++) {
        if (array->strides[d] % size)
            return -1;
        for (int k = 0; d == axis && k < index->ndim; k++, ndim++) {
            frame->shape[ndim] = index->shape[k];
            frame->index[ndim] = index->strides[k];
            frame->own[ndim] = 0;
        }
        if (d == axis)
            continue;
        frame->shape[ndim] = array->shape[d];
        frame->own[ndim] = array->strides[d];
        frame->index[ndim++] = 0;
    }
    frame->ndim = ndim;
    return 0;
}

static kn_operand integer(long long value)
{
    kn_operand operand = {.compute = KN_I64, .is_scalar = 1};
    memcpy(operand.value, &value, sizeof value);
    return operand;
}

/* What to take: from one axis of an array, along which `index` says where; result has
   the frame's shape. */
typedef struct {
    bd_state *state;
    bd_context *context;
    CUstream stream;
    frame frame;
    ar_array *result, *array, *index;
    int axis;
} taking;

/* What has one axis, without gaps, is a table. */
static int is_table(const taking *t)
{
    return t->array->ndim == 1 && t->array->order && t->index->order & AR_C;
}

/* From a table, or else from the beginnings of the axis on. */
static int launch(const taking *t, CUdeviceptr is_wrong)
{
    ar_array *array = t->array, *index = t->index;
    int is_flat = is_table(t);
    kn_operand to = {.strides = t->result->strides, .storage = array->type};
    kn_operand places = {.strides = t->frame.index, .storage = index->type};
    kn_operand from = {.strides = t->frame.own, .storage = array->type};
    kn_operand wrong = {.pointer = is_wrong, .storage = KN_I32, .compute = KN_I32};
    kn_request request = {.stream = t->stream};
    if (ar_address(array, &from.pointer) || ar_address(index, &places.pointer) ||
        ar_address(t->result, &to.pointer))
        return -1;
    to.compute = from.compute = kn_type_compute(array->type);
    places.compute = KN_I64;
    request.operation = is_flat ? KN_TAKE_CHECKED : KN_TAKE_AXIS;
    request.is_flat = is_flat;
    request.ndim = is_flat ? 1 : t->frame.ndim;
    request.shape = is_flat ? &index->size : t->frame.shape;
    request.operand[0] = to;
    request.operand[1] = places;
    request.operand[2] = from;
    request.operand[3] = integer(array->shape[t->axis]);
    request.operand[4] =
        is_flat ? wrong : integer(array->strides[t->axis] / AR_ITEMSIZE(array));
    request.operand[5] = wrong;
    return kn_operate(t->context, &request);
}

/* What a launch says that is waited for; -1: exception. */
enum { ALL_THERE, SOME_MISSING, NOT_WATCHED };

static int take_all(const taking *t)
{
    flags flags = {NULL};
    int seen[2] = {0}, failed = flags_make(t->state, t->stream, &flags) ||
                                launch(t, flags.place) ||
                                flags_read(t->state, &flags, seen);
    flags_end(&flags);
    return failed ? -1 : seen[0] ? SOME_MISSING : ALL_THERE;
}

static int gather_describe(const taking *t, kn_gather *gather)
{
    *gather = (kn_gather){.count = t->index->size,
                          .n = t->array->size,
                          .type = t->array->type,
                          .place_type = t->index->type,
                          .stream = t->stream};
    return ar_address(t->array, &gather->from) ||
                   ar_address(t->index, &gather->places) ||
                   ar_address(t->result, &gather->to)
               ? -1
               : 0;
}

/* Where there is no memory for bins, one by one after all. */
static int take_by_bins(const taking *t)
{
    kn_gather gather;
    flags flags = {NULL};
    CUdeviceptr memory;
    size_t size;
    if (gather_describe(t, &gather) || /* again: others may have run in between */
        kn_gather_spare(t->context, &gather, &size))
        return -1;
    npy_intp bytes = (npy_intp)size;
    PyArray_Descr *dtype = kn_type_dtype(KN_U8);
    ar_array *spare = dtype ? ar_new(t->state, dtype, 1, &bytes, NULL, NULL) : NULL;
    Py_XDECREF(dtype);
    if (!spare && PyErr_ExceptionMatches(t->state->error[BD_MEMORY_ERROR])) {
        PyErr_Clear();
        return take_all(t);
    }
    int seen[2] = {0}, failed = !spare || ar_address(spare, &memory) ||
                                flags_make(t->state, t->stream, &flags) ||
                                (gather.flags = flags.place,
                                 kn_gather_by_bins(t->context, &gather, memory)) ||
                                flags_read(t->state, &flags, seen);
    flags_end(&flags);
    Py_XDECREF((PyObject *)spare);
    return failed ? -1 : seen[0] ? SOME_MISSING : ALL_THERE;
}

static int take_watched(const taking *t)
{
    kn_gather gather;
    flags flags = {NULL};
    if (!is_table(t))
        return NOT_WATCHED;
    int is_watched =
        gather_describe(t, &gather) ? -1 : kn_is_gather_watched(t->context, &gather);
    if (is_watched <= 0)
        return is_watched < 0 ? -1 : NOT_WATCHED;
    int seen[2] = {0},
        failed = flags_make(t->state, t->stream, &flags) ||
                 (gather.flags = flags.place, kn_gather_watched(t->context, &gather)) ||
                 flags_read(t->state, &flags, seen);
    flags_end(&flags);
    if (failed)
        return -1;
    return seen[0] ? SOME_MISSING : seen[1] ? take_by_bins(t) : ALL_THERE;
}

/* On the host device many elements at the same places take longer where each looks at
   its place again. */
static int is_better_apart(const ar_array *array, int axis, const ar_array *index)
{
    enum { MANY = 1 << 18 };
    npy_intp rows = array->size / array->shape[axis];
    return drv_get_info()->is_host && rows > 1 && rows * index->size >= MANY;
}

PyObject *ar_take_along(bd_state *state, ar_array *array, int axis, ar_array *index)
{
    taking t = {.state = state,
                .stream = bd_stream_usual(state),
                .array = array,
                .index = index,
                .axis = axis};
    npy_intp strides[AR_MOST_AXES];
    if (!array->type || !array->size || !index->size ||
        is_better_apart(array, axis, index) || frame_make(&t.frame, array, axis, index))
        Py_RETURN_NOTIMPLEMENTED;
    if (!(t.context = bd_context_current(state)))
        return NULL;
    ar_strides_fill(strides, t.frame.ndim, t.frame.shape, AR_ITEMSIZE(array), 'C');
    t.result = ar_like_shape(t.context, array, array->dtype, t.frame.ndim,
                             t.frame.shape, strides);
    int outcome = t.result ? take_watched(&t) : -1;
    if (outcome == NOT_WATCHED)
        outcome = take_all(&t);
    if (outcome == ALL_THERE)
        return (PyObject *)t.result;
    Py_XDECREF((PyObject *)t.result);
    if (outcome < 0)
        return NULL;
    Py_RETURN_NOTIMPLEMENTED;
}
