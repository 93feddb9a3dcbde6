/* Copies on the device, with broadcasting and conversion of elements. */
#include "array.h"
#include <string.h>

/* The type for elements that are copied as they are: a word where addresses allow, else
   what they are. */
static kn_type type_of_bytes(const kn_request *request, kn_type own)
{
    size_t places = 0;
    for (int k = 0; k < 2; k++) {
        places |= request->operand[k].pointer;
        for (int d = 0; d < request->ndim; d++)
            places |= (size_t)request->operand[k].strides[d];
    }
    kn_type word = kn_word_type(request->itemsize, places);
    return word ? word : own;
}

static int refuse_cast(const ar_array *from, const ar_array *to)
{
    PyErr_Format(PyExc_TypeError, "cannot convert dtype %S to %S on the device",
                 from->dtype, to->dtype);
    return -1;
}

/* What both copies with arrays and with scalars ask for. */
static int request_init(kn_request *request, ar_array *to, CUstream stream)
{
    memset(request, 0, sizeof *request);
    request->operation = KN_COPY;
    request->ndim = to->ndim;
    request->shape = to->shape;
    request->itemsize = AR_ITEMSIZE(to);
    request->stream = stream;
    request->operand[0].strides = to->strides;
    return ar_address(to, &request->operand[0].pointer);
}

/* What a copy computes in: the type it goes to, but on the way to 16 bits the one it
   comes from, because float between the two would round as well. */
static kn_type compute_of_copy(kn_type from, kn_type to)
{
    if (kn_type_compute(to) == to)
        return to;
    return from == KN_C64 ? KN_F32 : from == KN_C128 ? KN_F64 : kn_type_compute(from);
}

/* to[...] = from; from broadcasts, and does not overlap. */
static int copy_array(ar_array *to, ar_array *from, CUstream stream)
{
    bd_state *state = bd_state_from(to);
    bd_context *context = bd_context_current(state);
    npy_intp strides[AR_MOST_AXES];
    kn_request request;
    kn_operand *operand = request.operand;
    int same = PyArray_EquivTypes(from->dtype, to->dtype);
    if (!context || to->size == 0)
        return context ? 0 : -1;
    if (request_init(&request, to, stream) || ar_address(from, &operand[1].pointer))
        return -1;
    if (!same && (!from->type || !to->type))
        return refuse_cast(from, to);
    if (same && to->order & from->order && ar_has_shape(to, from->ndim, from->shape))
        return bd_copy_on_device(state, operand[0].pointer, operand[1].pointer,
                                 to->head.size, 1, stream);
    ar_broadcast_strides(from, to->ndim, strides);
    operand[1].strides = strides;
    operand[0].storage = same ? type_of_bytes(&request, to->type) : to->type;
    operand[1].storage = same ? operand[0].storage : from->type;
    operand[0].compute = operand[1].compute =
        compute_of_copy(operand[1].storage, operand[0].storage);
    return kn_operate(context, &request);
}

static int broadcasts_to(ar_array *from, ar_array *to)
{
    npy_intp shape[AR_MOST_AXES];
    ar_array *both[] = {from, to};
    int ndim, extra = from->ndim - to->ndim;
    int fits = !ar_broadcast(both, 2, shape, &ndim);
    PyErr_Clear();
    for (int i = 0; i < ndim && fits; i++)
        fits &= shape[i] == (i < extra ? 1 : to->shape[i - (extra > 0 ? extra : 0)]);
    if (fits)
        return 0;
    PyObject *a = ar_tuple(from->ndim, from->shape), *b = ar_tuple(to->ndim, to->shape);
    if (a && b)
        PyErr_Format(PyExc_ValueError,
                     "could not broadcast input array from shape %S into shape %S", a,
                     b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return -1;
}

/* A view without leading axes of length one that `to` does not have. */
static ar_array *without_leading(ar_array *from, const ar_array *to)
{
    int extra = from->ndim > to->ndim ? from->ndim - to->ndim : 0;
    return extra ? ar_view(from, NULL, to->ndim, from->shape + extra,
                           from->strides + extra, 0)
                 : AR(Py_NewRef((PyObject *)from));
}

int ar_assign_array(ar_array *to, ar_array *from, CUstream stream)
{
    ar_array *source = NULL;
    int result = -1;
    if (from->type == to->type && ar_same_elements(from, to))
        return 0; /* itself: x[...] += 1 ends so */
    if (broadcasts_to(from, to) || !(source = without_leading(from, to)))
        return -1;
    if (ar_overlap(to, source))
        Py_SETREF(source, ar_copy(source, NULL, 'K', stream));
    if (source)
        result = copy_array(to, source, stream);
    Py_XDECREF(source);
    return result;
}

ar_array *ar_copy(ar_array *array, PyArray_Descr *dtype, char order, CUstream stream)
{
    ar_array *copy = ar_like(array, dtype ? dtype : array->dtype, order);
    if (copy && copy_array(copy, array, stream))
        Py_CLEAR(copy);
    return copy;
}

ar_array *ar_contiguous(ar_array *array, CUstream stream)
{
    return array->order ? AR(Py_NewRef((PyObject *)array))
                        : ar_copy(array, NULL, 'C', stream);
}

int ar_assign_number(ar_array *array, PyObject *number, CUstream stream)
{
    bd_context *context;
    kn_request request;
    if (request_init(&request, array, stream))
        return -1;
    request.operand[0].storage = array->type;
    request.operand[0].compute = request.operand[1].compute =
        kn_type_compute(array->type);
    request.operand[1].is_scalar = 1;
    if (ar_scalar_store(number, array->type, request.operand[1].value) ||
        !(context = bd_context_current(bd_state_from(array))))
        return -1;
    return kn_operate(context, &request);
}
