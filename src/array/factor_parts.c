/* The door to what is made of factors of matrices: triangles, unit matrices,
   determinants. What is asked of them is for pycuda/_solvers.py. */
#include "array.h"

/* Of that type, in C order, with that many axes and elements; 0 and an exception: it
   is something else. A type of KN_NONE: any of those that matrices are factored in. */
static ar_array *expect(PyObject *object, kn_type type, int ndim, npy_intp size,
                        CUdeviceptr *address)
{
    ar_array *array = ar_expect_numbers(object, "matrices");
    if (!array || ar_address(array, address))
        return NULL;
    if ((type ? array->type == type : array->type >= KN_F32) && array->ndim == ndim &&
        array->order & AR_C && ar_is_aligned_to_size(array) && array->size &&
        (size < 0 || array->size == size))
        return array;
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit");
    return NULL;
}

BD_METHOD(
    take_triangle, 4, 4, "_triangle(to, stack, is_transposed, is_upper)",
    "to[...] = a triangle of the matrices of a stack, or of their transposes, and 0 "
    "beside it. Both have three axes, are in C order, not empty and of one type, "
    "floating-point or complex of those. Those of the stack have at least as many rows "
    "and columns. It may be `to` where nothing is transposed.")
{
    bd_context *context;
    kn_triangle t = {0};
    ar_array *stack = expect(in[1], KN_NONE, 3, -1, &t.from), *to = NULL;
    if (!stack || !(to = expect(in[0], stack->type, 3, -1, &t.to)) ||
        py_flag(in[2], &t.is_transposed) || py_flag(in[3], &t.is_upper) ||
        bd_stream(bd_state_get(self), NULL, &t.stream) ||
        !(context = bd_context_current(bd_state_get(self))))
        return NULL;
    t.type = to->type;
    t.count = to->shape[0];
    t.rows = to->shape[1];
    t.columns = to->shape[2];
    t.ld = stack->shape[2];
    t.apart = stack->shape[1] * stack->shape[2];
    if (stack->shape[0] != t.count || stack->shape[t.is_transposed ? 2 : 1] < t.rows ||
        stack->shape[t.is_transposed ? 1 : 2] < t.columns)
        return PyErr_Format(PyExc_ValueError, "the arrays do not fit");
    if (kn_triangle_take(context, &t))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(fill_identity, 1, 1, "_identities(to)",
          "Makes unit matrices of a stack of square ones, as those of _triangle.")
{
    bd_context *context;
    CUdeviceptr address;
    CUstream stream;
    ar_array *to = expect(in[0], KN_NONE, 3, -1, &address);
    if (!to || bd_stream(bd_state_get(self), NULL, &stream) ||
        !(context = bd_context_current(bd_state_get(self))))
        return NULL;
    if (to->shape[1] != to->shape[2])
        return PyErr_Format(PyExc_ValueError, "the matrices are not square");
    if (kn_identity_fill(context, to->type, address, to->shape[0], to->shape[1],
                         stream))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(
    take_determinants, 6, 6,
    "_determinants(lu, pivots, info, signs, logarithms, determinants)",
    "What _library_lu made of a stack of matrices -> signs of their determinants, "
    "logarithms of absolute values, and determinants; of arrays with an element for "
    "each matrix, the second of real numbers, the others of the type of lu.")
{
    bd_context *context;
    kn_determinant d = {0};
    ar_array *lu = expect(in[0], KN_NONE, 3, -1, &d.lu);
    if (!lu || lu->shape[1] != lu->shape[2])
        return lu ? PyErr_Format(PyExc_ValueError, "the matrices are not square")
                  : NULL;
    kn_type type = lu->type, real = type == KN_C64    ? KN_F32
                                    : type == KN_C128 ? KN_F64
                                                      : type;
    d.type = type;
    d.count = lu->shape[0];
    d.n = lu->shape[1];
    if (!expect(in[1], KN_I64, 2, d.count * d.n, &d.pivots) ||
        !expect(in[2], KN_I32, 1, d.count, &d.info) ||
        !expect(in[3], type, 1, d.count, &d.signs) ||
        !expect(in[4], real, 1, d.count, &d.logarithms) ||
        !expect(in[5], type, 1, d.count, &d.determinants) ||
        bd_stream(bd_state_get(self), NULL, &d.stream) ||
        !(context = bd_context_current(bd_state_get(self))) ||
        kn_determinant_take(context, &d))
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef ar_factor_functions[] = {
    BD_ROW("_triangle", take_triangle),
    BD_ROW("_identities", fill_identity),
    BD_ROW("_determinants", take_determinants),
    {NULL},
};
