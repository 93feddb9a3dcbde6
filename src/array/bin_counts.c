/* The door to counting: how many elements are in each of a few bins. Which edges they
   have, and what else is made of counts, is for pycuda/_histograms.py. */
#include "array.h"

/* Memory without gaps of real numbers; 0 and an exception: it is something else. */
static int expect(PyObject *object, const char *what, ar_array **array,
                  CUdeviceptr *address)
{
    *array = ar_expect_numbers(object, what);
    if (!*array || ar_address(*array, address))
        return 0;
    if ((*array)->type <= KN_F64 && (*array)->order)
        return 1;
    PyErr_Format(PyExc_ValueError, "%s: expected an array of real numbers without gaps",
                 what);
    return 0;
}

BD_METHOD(
    count_bins, 4, 4, "_count_bins(array, edges, is_even, counts)",
    "Adds to each of `counts`, an array of int64, how many elements of an array "
    "without "
    "gaps are in that bin: those equal to its number, where edges is None and no "
    "element "
    "is anything else; else those from its edge to the next one, the last included. "
    "is_even: bins are of about one width. At most 2048 bins.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context;
    kn_counting counting = {0};
    ar_array *array, *edges = NULL, *counts;
    if (!expect(in[0], "count", &array, &counting.from) ||
        (in[1] != Py_None && !expect(in[1], "edges", &edges, &counting.edges)) ||
        (counting.is_even = PyObject_IsTrue(in[2])) < 0 ||
        !expect(in[3], "counts", &counts, &counting.counts) ||
        bd_stream(state, NULL, &counting.stream) ||
        !(context = bd_context_current(state)))
        return NULL;
    if (counts->type != KN_I64 || counts->size < 1 || counts->size > KN_MOST_BINS ||
        (edges && edges->size != counts->size + 1) || (!edges && array->type >= KN_F16))
        return PyErr_Format(PyExc_ValueError,
                            "count: the arrays do not fit each other");
    counting.n = array->size;
    counting.type = array->type;
    counting.edge_type = edges ? edges->type : KN_NONE;
    counting.bins = (unsigned)counts->size;
    if (array->size && kn_count(context, &counting))
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef ar_counting_functions[] = {
    BD_ROW("_count_bins", count_bins),
    {NULL},
};
