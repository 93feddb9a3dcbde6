/* The door to searching: places of many values in a long sorted array, where there are
   kernels for that. What searches elsewhere, and what NumPy lets be searched, is for
   pycuda/_sets.py. */
#include "array.h"

static int request_from(bd_state *state, ar_array *sorted, ar_array *values,
                        kn_search_request *request)
{
    request->n = values->size;
    request->keys = sorted->size;
    request->type = values->type;
    request->key_type = sorted->type;
    return ar_address(sorted, &request->sorted) || ar_address(values, &request->from) ||
                   bd_stream(state, NULL, &request->stream)
               ? -1
               : 0;
}

BD_METHOD(
    search, 3, 3, "_search(sorted, values, is_behind)",
    "Before which element of a sorted array each value belongs, as int64; is_behind: "
    "and behind those equal to it. None: there is no kernel for such arrays, or for so "
    "few.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    kn_search_request request = {0};
    ar_array *sorted = ar_expect_numbers(in[0], "search"), *result;
    ar_array *values = sorted ? ar_expect_numbers(in[1], "search") : NULL;
    if (!values || (request.is_behind = PyObject_IsTrue(in[2])) < 0 ||
        request_from(state, sorted, values, &request) ||
        !(context = bd_context_current(state)))
        return NULL;
    int is_wanted = kn_is_searched(context, &request);
    if (is_wanted < 0)
        return NULL;
    if (!is_wanted || !(sorted->order & AR_C) || !(values->order & AR_C))
        Py_RETURN_NONE;
    PyArray_Descr *dtype = kn_type_dtype(KN_I64);
    result =
        dtype ? ar_new(state, dtype, values->ndim, values->shape, NULL, NULL) : NULL;
    Py_XDECREF(dtype);
    if (result && (ar_address(result, &request.places) || kn_search(context, &request)))
        Py_CLEAR(result);
    return (PyObject *)result;
}

PyMethodDef ar_search_functions[] = {
    BD_ROW("_search", search),
    {NULL},
};
