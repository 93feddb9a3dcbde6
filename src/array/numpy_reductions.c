/* NumPy's reductions where one launch does: of all elements, along one axis, or along
   several that lie in memory as one. For anything else, out= and masks among it, the
   answer is NotImplemented, and pycuda/_reductions.py does it. */
#include "array.h"
#include <math.h>

typedef enum { WIDENED, SAME, BOOLEAN, AVERAGE, SPREAD, ROOTED } rule;

typedef struct {
    int axis, whole; /* rows of operations.def and reductions.def */
    rule rule;
    ar_array *array;       /* borrowed */
    ar_array *view;        /* owned: with one axis in place of those that are reduced */
    uint32_t axes;         /* bit d: axis d is reduced */
    int at;                /* that axis of the view */
    int is_whole;          /* one value is left */
    npy_intp count;        /* of elements that become one */
    kn_type type, compute; /* the result's; what operands are converted to */
    double divisor;
    CUstream stream;
} asked;

/* -- Axes ----------------------------------------------------------------------- */

static int add_axis(asked *self, PyObject *axis)
{
    int ndim = self->array->ndim;
    Py_ssize_t d = PyIndex_Check(axis) ? PyNumber_AsSsize_t(axis, NULL) : ndim;
    if (d == -1 && PyErr_Occurred()) { /* which comes again */
        PyErr_Clear();
        return 0;
    }
    if (d < -ndim || d >= ndim)
        return 0;
    uint32_t before = self->axes;
    self->axes |= 1u << (d < 0 ? d + ndim : d);
    return self->axes != before;
}

/* Whether these are axes, each named once. */
static int axes_parse(asked *self, PyObject *axis)
{
    if (!axis || axis == Py_None)
        self->axes = (uint32_t)((1ull << self->array->ndim) - 1);
    else if (!PyTuple_CheckExact(axis))
        return add_axis(self, axis);
    else
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(axis); i++)
            if (!add_axis(self, PyTuple_GET_ITEM(axis, i)))
                return 0;
    return 1;
}

/* Whether there are elements to reduce; how many, and whether one value is left. less:
   than that many, the divisor. Python code that was called may have set the shape. */
static int has_elements(asked *self, double less)
{
    int ndim = self->array->ndim;
    self->count = self->is_whole = 1;
    for (int d = 0; d < ndim; d++)
        if (self->axes >> d & 1)
            self->count *= self->array->shape[d];
        else
            self->is_whole &= self->array->shape[d] == 1;
    self->divisor = self->rule < AVERAGE ? 1 : fmax((double)self->count - less, 0);
    return self->axes && (uint64_t)self->axes >> ndim == 0 && self->count;
}

/* The view: 1; 0: the axes do not lie in memory as one; -1. */
static int axes_merge(asked *self)
{
    ar_array *array = self->array;
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    int ndim = 0;
    if (self->is_whole && array->order) {
        npy_intp step = AR_ITEMSIZE(array);
        self->at = 0;
        self->view = ar_view(array, NULL, 1, &array->size, &step, 0);
        return self->view ? 1 : -1;
    }
    self->at = -1;
    for (int d = 0; d < array->ndim; d++) {
        npy_intp length = array->shape[d], stride = array->strides[d];
        int is_reduced = self->axes >> d & 1, at = self->at;
        if (is_reduced && at >= 0) {
            if (shape[at] != 1 && length != 1 && strides[at] != length * stride)
                return 0;
            strides[at] = length == 1 ? strides[at] : stride;
            shape[at] *= length;
            continue;
        }
        self->at = is_reduced ? ndim : at;
        shape[ndim] = length;
        strides[ndim++] = stride;
    }
    if (ndim == array->ndim)
        self->view = AR(Py_NewRef((PyObject *)array));
    else
        self->view = ar_view(array, NULL, ndim, shape, strides, 0);
    return self->view ? 1 : -1;
}

/* Gives a new result, which has one axis or none in place of those that are reduced,
   all of these with length one, or none of them. */
static int set_axes(const asked *self, ar_array *result, int keeps)
{
    npy_intp strides[AR_MOST_AXES];
    int from = 0, ndim = 0, has_place = !self->is_whole;
    if (ar_reserve_axes(result, self->array->ndim))
        return -1;
    for (int d = 0; d < result->ndim; d++)
        strides[d] = result->strides[d];
    for (int d = 0; d < self->array->ndim; d++) {
        int is_reduced = self->axes >> d & 1;
        if (!is_reduced || keeps) {
            result->shape[ndim] = is_reduced ? 1 : self->array->shape[d];
            result->strides[ndim++] =
                is_reduced || self->is_whole ? AR_ITEMSIZE(result) : strides[from];
        }
        from += !is_reduced || has_place;
        has_place &= !is_reduced;
    }
    result->ndim = ndim;
    ar_layout_note(result);
    return 0;
}

/* -- Types ---------------------------------------------------------------------- */

static kn_type real_of(kn_type type)
{
    return type == KN_C64 ? KN_F32 : type == KN_C128 ? KN_F64 : type;
}

static int is_complex(kn_type type)
{
    return type >= KN_C64;
}

/* 1; 0: the types are for others to look after; -1. */
static int types_find(asked *self, PyObject *dtype)
{
    kn_type own = self->array->type;
    int is_given = dtype && dtype != Py_None;
    self->type = own;
    if (self->rule == BOOLEAN || self->rule == SAME) {
        self->compute = own;
        self->type = self->rule == BOOLEAN ? KN_BOOL : own;
        return !is_given;
    }
    if (self->rule == WIDENED)
        self->type = ar_sum_type(own);
    else if (own < KN_F16)
        self->type = KN_F64;
    if (is_given && ar_type_parse(dtype, &self->type))
        return -1;
    self->compute = kn_type_compute(self->type);
    if (self->rule == WIDENED)
        return 1;
    if (is_complex(own) && !is_complex(self->type))
        return 0;
    if (self->rule != AVERAGE)
        self->type = real_of(self->type);
    return self->type >= KN_F16 && self->type <= KN_F64;
}

/* -- Running -------------------------------------------------------------------- */

static ar_array *run(bd_state *state, const asked *self)
{
    int is_rooted = self->rule == ROOTED && self->type == kn_type_compute(self->type);
    ar_axis_reduction wanted = {.operation = self->axis,
                                .axis = self->at,
                                .is_rooted = is_rooted,
                                .compute = self->compute,
                                .type = self->type,
                                .divisor = self->divisor,
                                .stream = self->stream};
    ar_array *result = self->view ? ar_reduce_axis(state, &wanted, self->view)
                                  : ar_reduce_whole(state, self->whole, self->array,
                                                    self->type, self->stream);
    /* NumPy rounds variances of 16 bits before the root. */
    if (result && self->rule == ROOTED && !is_rooted) {
        PyObject *variance = (PyObject *)result;
        result = AR(ar_ufunc(state, KN_SQRT, &variance, NULL, NULL));
        Py_DECREF(variance);
    }
    return result;
}

/* The parameters of the functions below, from the array on. */
static PyObject *reduce(bd_state *state, asked *self, PyObject *const *in)
{
    ar_array *result = NULL;
    int keeps = 0, found;
    double less = 0;
    if (!ar_check(in[0]) || !AR(in[0])->type ||
        (self->rule >= SPREAD && drv_get_info()->is_host))
        Py_RETURN_NOTIMPLEMENTED;
    self->array = AR(in[0]);
    if (!axes_parse(self, in[1]))
        Py_RETURN_NOTIMPLEMENTED;
    if ((found = types_find(self, in[2])) < 0 || py_flag(in[3], &keeps) ||
        bd_stream(state, in[4], &self->stream) ||
        (in[5] && (less = PyFloat_AsDouble(in[5])) == -1 && PyErr_Occurred()))
        return NULL;
    if (!has_elements(self, less))
        found = 0;
    int needs_view = !self->is_whole || self->rule >= SPREAD;
    if (found && needs_view && (found = axes_merge(self)) < 0)
        return NULL;
    if (!found)
        Py_RETURN_NOTIMPLEMENTED;
    if ((result = run(state, self)) && set_axes(self, result, keeps))
        Py_CLEAR(result);
    Py_CLEAR(self->view);
    return (PyObject *)result;
}

/* F(name, row of operations.def, row of reductions.def, rule, text) */
#define REDUCTIONS(F)                                                              \
    F(sum, AXIS_ADD, SUM, WIDENED, "Sums.")                                        \
    F(prod, AXIS_MULTIPLY, PROD, WIDENED, "Products.")                             \
    F(max, AXIS_MAXIMUM, MAX, SAME, "The greatest elements.")                      \
    F(min, AXIS_MINIMUM, MIN, SAME, "The least elements.")                         \
    F(fmax, AXIS_FMAX, WHOLE_FMAX, SAME, "The greatest elements that are no NaN.") \
    F(fmin, AXIS_FMIN, WHOLE_FMIN, SAME, "The least elements that are no NaN.")    \
    F(all, AXIS_LOGICAL_AND, ALL, BOOLEAN, "Whether all elements are true.")       \
    F(any, AXIS_LOGICAL_OR, ANY, BOOLEAN, "Whether an element is true.")           \
    F(mean, AXIS_ADD, MEAN, AVERAGE, "Means.")                                     \
    F(var, AXIS_VARIANCE, MEAN, SPREAD, "Variances, on a GPU.")                    \
    F(std, AXIS_VARIANCE, MEAN, ROOTED, "Square roots of variances, on a GPU.")

#define F(name, on_axis, on_all, what, text)                                          \
    BD_METHOD(reduce_##name, 1, 6,                                                    \
              "_reduce_" #name                                                        \
              "(a, axis=None, dtype=None, keepdims=False, stream=None, ddof=0)",      \
              text " NotImplemented for what takes more than one launch.")            \
    {                                                                                 \
        asked reduction = {.axis = KN_##on_axis, .whole = KN_##on_all, .rule = what}; \
        return reduce(bd_state_get(self), &reduction, in);                            \
    }
REDUCTIONS(F)
#undef F

PyMethodDef ar_numpy_reduction_functions[] = {
#define F(name, ...) BD_ROW("_reduce_" #name, reduce_##name),
    REDUCTIONS(F)
#undef F
        {NULL},
};
