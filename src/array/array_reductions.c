/* Reductions of whole arrays to an array without axes: sum, dot, max, min, any, all and
   their forms over a subset of places. */
#include "array.h"

kn_type ar_sum_type(kn_type type)
{
    switch (type) {
    case KN_BOOL:
    case KN_I8:
    case KN_I16:
    case KN_I32:
        return KN_I64;
    case KN_U8:
    case KN_U16:
    case KN_U32:
        return KN_U64;
    default:
        return type;
    }
}

typedef struct {
    kn_reduction kernel;
    ar_array *in[3]; /* owned */
    int count;
    PyObject *allocator; /* borrowed; NULL: that of the first operand */
} reduction;

/* The operands in the order of the row's letters, contiguous and alike. */
static int take(reduction *self, PyObject *const *operands, int count)
{
    int order = AR_C | AR_F;
    for (; self->count < count; self->count++) {
        PyObject *operand = operands[self->count];
        if (!ar_expect_numbers(operand, "reduction"))
            return -1;
        self->in[self->count] = AR(Py_NewRef(operand));
        order &= AR(operand)->order;
    }
    for (int i = 0; i < count; i++) {
        if (!order && !(self->in[i]->order & AR_C)) {
            ar_array *copy = ar_copy(self->in[i], NULL, 'C', self->kernel.stream);
            if (!copy)
                return -1;
            Py_SETREF(self->in[i], copy);
        }
        self->kernel.type[i] = self->in[i]->type;
    }
    return 0;
}

/* Whether it may compute what it reads. DOT rounds once where it can,
   which of floats is not to be had together with the rounding of chains. */
static int reads_chains(const reduction *self)
{
    switch (self->kernel.reduction) {
    case KN_SUM:
    case KN_PROD:
    case KN_ANY:
    case KN_ALL:
    case KN_COUNT_TRUE:
    case KN_MAX:
    case KN_MIN:
    case KN_WHOLE_FMAX:
    case KN_WHOLE_FMIN:
    case KN_MEAN:
        return 1;
    case KN_DOT:
        return self->kernel.compute < KN_F16;
    default:
        return 0;
    }
}

static int launch(bd_state *state, bd_context *context, reduction *self,
                  ar_array *result)
{
    int is_done = reads_chains(self) ? ar_defer_reduction(state, context, &self->kernel,
                                                          self->in, self->count, result)
                                     : 0;
    if (is_done)
        return is_done < 0 ? -1 : 0;
    for (int i = 0; i < self->count; i++)
        if (ar_address(self->in[i], &self->kernel.operand[i]))
            return -1;
    return ar_result_place(result, self->kernel.stream, &self->kernel.to) ||
                   kn_reduce(context, &self->kernel)
               ? -1
               : 0;
}

static PyObject *run(bd_state *state, reduction *self, kn_type type)
{
    ar_array *like = self->in[self->count - 1], *result = NULL;
    bd_context *context = bd_context_current(state);
    PyArray_Descr *dtype = context ? kn_type_dtype(type) : NULL;
    if (dtype)
        result = ar_new_single(like, dtype, self->allocator);
    Py_XDECREF(dtype);
    if (!result)
        return NULL;
    self->kernel.storage = type;
    self->kernel.compute = kn_type_compute(type);
    if (launch(state, context, self, result))
        Py_CLEAR(result);
    return (PyObject *)result;
}

static void release(reduction *self)
{
    for (int i = 0; i < self->count; i++)
        Py_CLEAR(self->in[i]);
}

ar_array *ar_reduce_whole(bd_state *state, int row, ar_array *array, kn_type type,
                          CUstream stream)
{
    reduction self = {.kernel.reduction = row, .kernel.stream = stream};
    PyObject *operand = (PyObject *)array, *result = NULL;
    if (!take(&self, &operand, 1)) {
        self.kernel.n = array->size;
        result = run(state, &self, type);
    }
    release(&self);
    return AR(result);
}

/* What a row of functions below asks for. */
enum { WIDENED, SAME, BOOLEAN, COUNTED, PRODUCT };

static PyObject *reduce(bd_state *state, int row, PyObject *const *operands, int count,
                        int rule, PyObject *dtype, PyObject *stream,
                        PyObject *allocator)
{
    reduction self = {.kernel.reduction = row, .allocator = allocator};
    int is_subset = row >= KN_SUBSET_SUM;
    PyObject *result = NULL;
    ar_array *first, *last;
    kn_type type;
    if (bd_stream(state, stream, &self.kernel.stream) || take(&self, operands, count))
        goto done;
    first = self.in[is_subset];
    last = self.in[count - 1];
    type = first->type;
    if (rule == PRODUCT && first->type != last->type) {
        uint8_t types[AR_MOST_OUT + 2];
        ar_operand pair[] = {{.type = first->type}, {.type = last->type}};
        if (ar_promote(state, KN_MULTIPLY, pair, types))
            goto done;
        type = types[0];
    }
    type = rule == WIDENED   ? ar_sum_type(type)
           : rule == BOOLEAN ? KN_BOOL
           : rule == COUNTED ? KN_I64
                             : type;
    if (dtype && dtype != Py_None && ar_type_parse(dtype, &type))
        goto done;
    self.kernel.n = self.in[0]->size;
    if (rule == PRODUCT && first->size != last->size)
        PyErr_Format(PyExc_ValueError, "dot of arrays with %zd and %zd elements",
                     first->size, last->size);
    else if (rule == SAME && self.kernel.n == 0)
        PyErr_SetString(PyExc_ValueError,
                        "the least or greatest of no elements is not defined");
    else if (is_subset && self.in[0]->type >= KN_F16)
        PyErr_SetString(PyExc_TypeError, "subset: expected an array of integers");
    else
        result = run(state, &self, type);
done:
    release(&self);
    return result;
}

/* F(name, operands, their names, whether a dtype may follow, rule, operation, text) */
#define REDUCTIONS(F)                                                                \
    F(sum, 1, "a", 1, WIDENED, SUM,                                                  \
      "The sum of all elements as an array without axes. Integers are summed in 64 " \
      "bits unless a dtype is given.")                                               \
    F(_prod, 1, "a", 1, WIDENED, PROD,                                               \
      "The product of all elements; dtypes as in sum.")                              \
    F(any, 1, "a", 0, BOOLEAN, ANY, "Whether an element is true.")                   \
    F(all, 1, "a", 0, BOOLEAN, ALL, "Whether all elements are true.")                \
    F(_count, 1, "a", 0, COUNTED, COUNT_TRUE, "How many elements are true.")         \
    F(max, 1, "a", 0, SAME, MAX, "The greatest element; a NaN if there is one.")     \
    F(min, 1, "a", 0, SAME, MIN, "The least element; a NaN if there is one.")        \
    F(_fmax, 1, "a", 0, SAME, WHOLE_FMAX, "The greatest element that is no NaN.")    \
    F(_fmin, 1, "a", 0, SAME, WHOLE_FMIN, "The least element that is no NaN.")       \
    F(_deviation, 2, "a, mean", 1, WIDENED, DEVIATION,                               \
      "The sum of the squared distances of elements from a mean, an array of one.")  \
    F(_first_place, 2, "a, value", 1, WIDENED, FIRST_PLACE,                          \
      "The number of the first element that is equal to a value, an array of one; "  \
      "NaNs are equal here.")                                                        \
    F(dot, 2, "a, b", 1, PRODUCT, DOT,                                               \
      "The sum of the products of corresponding elements, of whatever shape.")       \
    F(subset_sum, 2, "subset, a", 1, WIDENED, SUBSET_SUM, "sum()" AT_PLACES)         \
    F(subset_dot, 3, "subset, a, b", 1, PRODUCT, SUBSET_DOT, "dot()" AT_PLACES)      \
    F(subset_max, 2, "subset, a", 0, SAME, SUBSET_MAX, "max()" AT_PLACES)            \
    F(subset_min, 2, "subset, a", 0, SAME, SUBSET_MIN, "min()" AT_PLACES)
#define AT_PLACES                                                                    \
    " of the elements at the places in `subset`, an array of integers that are not " \
    "checked."
#define DTYPE_0 ""
#define DTYPE_1 ", dtype=None"

#define F(name, operands, names, has_dtype, rule, id, text)                       \
    BD_METHOD(reduce_##name, operands, operands + has_dtype + 2,                  \
              #name "(" names DTYPE_##has_dtype ", stream=None, allocator=None)", \
              text)                                                               \
    {                                                                             \
        PyObject **rest = in + operands + has_dtype;                              \
        return reduce(bd_state_get(self), KN_##id, in, operands, rule,            \
                      has_dtype ? rest[-1] : NULL, rest[0], rest[1]);             \
    }
REDUCTIONS(F)
#undef F

PyMethodDef ar_reduction_functions[] = {
#define F(name, ...) BD_ROW(#name, reduce_##name),
    REDUCTIONS(F)
#undef F
        {NULL},
};
