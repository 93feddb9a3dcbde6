/* The door to compaction: which elements of an array are not zero, or between two
   others, and those elements or their places. That a caller waits in between for how
   many there are, and what is indexed by masks, is for pycuda/_marks.py. */
#include "array.h"

/* Memory of its own for as many elements of that type. */
static int expect(PyObject *object, kn_type type, npy_intp size, CUdeviceptr *address)
{
    ar_array *array = ar_expect_numbers(object, "marks");
    if (!array || ar_address(array, address))
        return -1;
    if (array->type == type && array->size == size && array->order)
        return 0;
    PyErr_SetString(PyExc_ValueError, "marks: an array does not fit the others");
    return -1;
}

/* bits, sums: the arrays in which marks of n elements are. */
static int marks_from(bd_state *state, npy_intp n, PyObject *bits, PyObject *sums,
                      kn_marks *marks)
{
    npy_intp tiles = (n + KN_MARK_TILE - 1) / KN_MARK_TILE;
    *marks = (kn_marks){.n = n};
    return expect(bits, KN_U32, tiles * (KN_MARK_TILE / 32), &marks->bits) ||
                   expect(sums, KN_I64, tiles, &marks->sums) ||
                   bd_stream(state, NULL, &marks->stream)
               ? -1
               : 0;
}

BD_METHOD(mark, 4, 4, "_mark(array, bits, sums, total)",
          "Makes a bit of each element of an array in C order that is not zero, and "
          "counts those up to the end of each 8192, and in all: arrays of uint32, "
          "int64 and one int64.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    kn_marks marks;
    CUdeviceptr from;
    ar_array *array = ar_expect_numbers(in[0], "mark");
    if (!array || marks_from(state, array->size, in[1], in[2], &marks) ||
        expect(in[0], array->type, array->size, &from) ||
        expect(in[3], KN_I64, 1, &marks.total.result) ||
        ar_result_place((ar_array *)in[3], marks.stream, &marks.total) ||
        !(context = bd_context_current(state)) ||
        (array->size && kn_mark(context, &marks, array->type, from)))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(
    mark_between, 6, 6, "_mark_between(array, low, high, bits, sums, totals)",
    "The same of elements from low to high, arrays of one; totals: of int64, to "
    "which is added how many are below and how many NaN, and a third one: whether "
    "low and high are equal.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    kn_marks marks;
    CUdeviceptr from, low, high, totals;
    ar_array *array = ar_expect_numbers(in[0], "mark");
    if (!array || marks_from(state, array->size, in[3], in[4], &marks) ||
        expect(in[0], array->type, array->size, &from) ||
        expect(in[1], array->type, 1, &low) || expect(in[2], array->type, 1, &high) ||
        expect(in[5], KN_I64, 3, &totals) || !(context = bd_context_current(state)))
        return NULL;
    if (array->type > KN_F64)
        return PyErr_Format(PyExc_ValueError, "mark: expected real numbers");
    if (array->size &&
        kn_mark_between(context, &marks, array->type, from, low, high, totals))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(marked_elements, 4, 4, "_marked_elements(bits, sums, array, result)",
          "Writes the elements of an array in C order whose bits are set; sums: of "
          "bits up to the end of each 8192.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    kn_marks marks;
    CUdeviceptr from, to;
    ar_array *array = ar_expect_numbers(in[2], "marked elements");
    ar_array *result = ar_expect_numbers(in[3], "marked elements");
    if (!array || !result || marks_from(state, array->size, in[0], in[1], &marks) ||
        expect(in[2], array->type, array->size, &from) ||
        expect(in[3], array->type, result->size, &to) ||
        !(context = bd_context_current(state)) ||
        (result->size && kn_marked_elements(context, &marks, array->type, from, to)))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(
    marked_places, 4, 4, "_marked_places(bits, sums, shape, results)",
    "Writes the places of set bits along each axis of an array of that shape, in C "
    "order, to a tuple of arrays of int64.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    kn_marks marks;
    npy_intp shape[AR_MOST_AXES], n = 1;
    CUdeviceptr to[AR_MOST_AXES];
    int ndim;
    if (ar_shape_parse(in[2], 0, shape, &ndim))
        return NULL;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    if (!PyTuple_Check(in[3]) || PyTuple_GET_SIZE(in[3]) != ndim || ndim == 0)
        return PyErr_Format(PyExc_ValueError, "marks: expected a result for each axis");
    ar_array *first = ar_expect_numbers(PyTuple_GET_ITEM(in[3], 0), "marks");
    for (int d = 0; first && d < ndim; d++)
        if (expect(PyTuple_GET_ITEM(in[3], d), KN_I64, first->size, &to[d]))
            return NULL;
    if (!first || marks_from(state, n, in[0], in[1], &marks) ||
        !(context = bd_context_current(state)) ||
        (first->size && kn_marked_places(context, &marks, ndim, shape, to)))
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef ar_selection_functions[] = {
    BD_ROW("_mark", mark),
    BD_ROW("_mark_between", mark_between),
    BD_ROW("_marked_elements", marked_elements),
    BD_ROW("_marked_places", marked_places),
    {NULL},
};
