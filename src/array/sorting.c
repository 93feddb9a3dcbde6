/* The door to sorting: rows of an array without gaps. Axes, other layouts and all that
   is made of sorted arrays are for pycuda/_sorting.py. */
#include "array.h"

/* An array without gaps, of as many elements and that dtype. */
static ar_array *result_from(PyObject *object, const ar_array *like, kn_type type)
{
    ar_array *array = ar_expect_numbers(object, "sort");
    if (array &&
        (array->type != type || array->size != like->size || !(array->order & AR_C))) {
        PyErr_SetString(PyExc_ValueError, "sort: a result does not fit the array");
        return NULL;
    }
    return array;
}

/* Memory for elements that are not yet where they go; 0: none is asked for. */
static ar_array *spare_new(bd_state *state, kn_type type, npy_intp size,
                           CUdeviceptr *address)
{
    PyArray_Descr *dtype = kn_type_dtype(type);
    ar_array *array = dtype ? ar_new(state, dtype, 1, &size, NULL, NULL) : NULL;
    Py_XDECREF(dtype);
    if (array && ar_address(array, address))
        Py_CLEAR(array);
    return array;
}

BD_METHOD(
    sort_rows, 2, 5,
    "_sort_rows(array, values, places=None, stream=None, descending=False)",
    "Sorts each row, along the last axis, of an array in C order, stably: the sorted "
    "rows go to `values`, which may be the array, and where elements were in their row "
    "to `places`, an array of int64. All are in C order. NaNs come last, descending or "
    "not.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    kn_sort_request request = {0};
    ar_array *array = ar_expect_numbers(in[0], "sort"), *values, *places = NULL;
    ar_array *copy = NULL, *sorted = NULL, *spare = NULL, *spare_places = NULL;
    PyObject *result = NULL;
    npy_intp size;
    if (!array || !(values = result_from(in[1], array, array->type)) ||
        (in[2] && in[2] != Py_None && !(places = result_from(in[2], array, KN_I64))) ||
        bd_stream(state, in[3], &request.stream) ||
        (in[4] && (request.is_descending = PyObject_IsTrue(in[4])) < 0) ||
        !(context = bd_context_current(state)))
        return NULL;
    if (!(array->order & AR_C) || array->ndim == 0)
        return PyErr_Format(PyExc_ValueError, "sort: expected rows in C order");
    if (array->size == 0)
        Py_RETURN_NONE;
    int is_copied = ar_overlap(array, values) && !kn_is_sorted_in_place(array->type);
    if ((is_copied || !ar_is_aligned_to_size(array)) &&
        !(array = copy = ar_copy(array, NULL, 'C', request.stream)))
        return NULL;
    request.type = array->type;
    request.length = array->shape[array->ndim - 1];
    request.rows = array->size / request.length;
    if (places && ar_address(places, &request.places))
        goto done;
    size = kn_sort_takes_spare(&request) ? array->size : 0;
    if ((!ar_is_aligned_to_size(values) &&
         !(sorted = ar_like(values, values->dtype, 'C'))) ||
        ar_address(array, &request.from) ||
        ar_address(sorted ? sorted : values, &request.to) ||
        (size && !(spare = spare_new(state, array->type, size, &request.spare))) ||
        (size && places &&
         !(spare_places = spare_new(state, size > UINT32_MAX ? KN_U64 : KN_U32, size,
                                    &request.spare_places))) ||
        kn_sort(context, &request) ||
        (sorted && ar_assign_array(values, sorted, request.stream)))
        goto done;
    result = Py_NewRef(Py_None);
done:
    Py_XDECREF((PyObject *)copy);
    Py_XDECREF((PyObject *)sorted);
    Py_XDECREF((PyObject *)spare);
    Py_XDECREF((PyObject *)spare_places);
    return result;
}

PyMethodDef ar_sorting_functions[] = {
    BD_ROW("_sort_rows", sort_rows),
    {NULL},
};
