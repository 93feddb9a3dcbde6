/* What NVIDIA's libraries compute on arrays, where there are any: products of stacks of
   matrices, Fourier transforms, factorisations. Which arrays are for them, and what is
   done without them, is for pycuda/_reductions.py, _fft.py and _solvers.py to say. */
#include "array.h"
#include "libraries/libraries.h"

/* The entry point that served, or None: none did. */
static PyObject *served(const char *routine)
{
    if (!routine)
        return NULL;
    return *routine ? PyUnicode_FromString(routine) : Py_NewRef(Py_None);
}

/* -- Products ------------------------------------------------------------------- */

static const uint8_t library_types[KN_TYPE_COUNT] = {
    [KN_F16] = LIB_F16, [KN_BF16] = LIB_BF16, [KN_F32] = LIB_F32,
    [KN_F64] = LIB_F64, [KN_C64] = LIB_C64,   [KN_C128] = LIB_C128,
};

/* 1: its elements are whole elements apart and from 0; -1: exception. */
static int matrices_from(PyObject *object, lib_matrices *matrices, uint8_t *type)
{
    ar_array *array = ar_expect_numbers(object, "product");
    if (!array)
        return -1;
    if (array->ndim != 3) {
        PyErr_SetString(PyExc_ValueError, "product: expected stacks of matrices");
        return -1;
    }
    npy_intp itemsize = AR_ITEMSIZE(array), *strides = array->strides;
    matrices->apart = array->shape[0] == 1 ? 0 : strides[0] / itemsize;
    matrices->down = strides[1] / itemsize;
    matrices->across = strides[2] / itemsize;
    *type = array->type;
    if (ar_address(array, &matrices->first))
        return -1;
    return ar_is_aligned_to_size(array);
}

BD_METHOD(library_product, 3, 3, "_library_product(z, a, b)",
          "z[...] = a @ b, of stacks of as many matrices, none empty, that do not "
          "overlap z. The name of what computed in its library, or None: nothing did, "
          "for want of a library for elements of that type that lie so.")
{
    bd_state *state = bd_state_get(self);
    lib_products products = {0};
    lib_matrices *stacks[] = {&products.z, &products.a, &products.b};
    uint8_t types[3];
    int fits = 1;
    for (int k = 0; k < 3; k++) {
        int found = matrices_from(in[k], stacks[k], &types[k]);
        if (found < 0)
            return NULL;
        fits &= found && types[k] == types[0];
    }
    const npy_intp *z = AR(in[0])->shape, *a = AR(in[1])->shape, *b = AR(in[2])->shape;
    if (a[0] != z[0] || b[0] != z[0] || a[1] != z[1] || b[1] != a[2] || b[2] != z[2] ||
        !AR(in[0])->size || !a[2]) {
        PyErr_SetString(PyExc_ValueError, "the shapes do not fit");
        return NULL;
    }
    products.type = library_types[types[0]];
    products.count = z[0];
    products.m = z[1];
    products.n = z[2];
    products.length = a[2];
    products.stream = bd_stream_usual(state);
    bd_context *context = bd_context_current(state);
    const char *routine = !context ? NULL
                          : fits   ? lib_multiply(context, &products)
                                   : "";
    return served(routine);
}

/* -- Transforms ----------------------------------------------------------------- */

/* Whether `half` has the shape of `whole` but for its last axis, of which it has the
   first half and one; whole: the two have one shape. */
static int shapes_fit(const ar_array *half, const ar_array *whole)
{
    int last = whole->ndim - 1;
    if (half->ndim != whole->ndim)
        return 0;
    for (int i = 0; i < last; i++)
        if (half->shape[i] != whole->shape[i])
            return 0;
    npy_intp length = whole->shape[last];
    return half->shape[last] == (half->type == whole->type ? length : length / 2 + 1);
}

static int is_complex(const ar_array *array)
{
    return array->type == KN_C64 || array->type == KN_C128;
}

/* Which transform leads from one array to the other; -1: exception. */
static int transform_between(const ar_array *from, const ar_array *to,
                             lib_transform *transform)
{
    const ar_array *whole = is_complex(from) ? to : from;
    int is_wide = to->type == KN_F64 || to->type == KN_C128;
    transform->kind = !is_complex(from) ? LIB_FROM_REAL
                      : is_complex(to)  ? LIB_COMPLEX
                                        : LIB_TO_REAL;
    transform->is_wide = is_wide;
    int ndim = whole->ndim, rank = transform->rank;
    if (rank < 1 || rank > 3 || rank > ndim || !whole->size ||
        !(from->order & to->order & AR_C) ||
        !shapes_fit(whole == from ? to : from, whole) ||
        (from->type == to->type) != (transform->kind == LIB_COMPLEX) ||
        from->type < KN_F32 || to->type < KN_F32 ||
        (from->type == KN_F64 || from->type == KN_C128) != is_wide) {
        PyErr_SetString(PyExc_ValueError, "no transform leads from one to the other");
        return -1;
    }
    transform->count = 1;
    for (int i = 0; i < ndim - rank; i++)
        transform->count *= whole->shape[i];
    for (int i = 0; i < rank; i++)
        transform->length[i] = whole->shape[ndim - rank + i];
    return 0;
}

BD_METHOD(library_transform, 4, 4, "_library_transform(to, from, rank, is_inverse)",
          "The discrete Fourier transforms of `from` along its last `rank` axes, up to "
          "three, without a factor; two arrays in C order that are not empty and have "
          "no memory in common, of float32, float64 and complex numbers of those. "
          "`from` may be written. Returns as _library_product.")
{
    bd_state *state = bd_state_get(self);
    lib_transform transform = {0};
    int64_t rank;
    if (!ar_expect_numbers(in[0], "to") || !ar_expect_numbers(in[1], "from") ||
        py_signed(in[2], "rank", 1, 3, &rank) || py_flag(in[3], &transform.is_inverse))
        return NULL;
    transform.rank = (int)rank;
    if (transform_between(AR(in[1]), AR(in[0]), &transform) ||
        ar_address(AR(in[1]), &transform.from) || ar_address(AR(in[0]), &transform.to))
        return NULL;
    bd_context *context = bd_context_current(state);
    int fits = ar_is_aligned_to_size(AR(in[0])) && ar_is_aligned_to_size(AR(in[1]));
    if (bd_stream_usual(state)) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a transform cannot be captured with array code, for a graph "
                        "does not keep what cuFFT works in: transform before the "
                        "capture, or after a launch");
        return NULL;
    }
    return !context ? NULL : served(fits ? lib_transform_run(context, &transform) : "");
}

/* -- Factorisations -------------------------------------------------------------- */

/* An array in C order of that type and shape, its address; -1: exception. A length of
   -1 may be any. */
static int part(PyObject *object, uint8_t type, int ndim, const long long *shape,
                CUdeviceptr *address)
{
    ar_array *array = ar_expect_numbers(object, "factorisation");
    if (!array)
        return -1;
    int fits = array->type == type && array->ndim == ndim && array->order & AR_C &&
               array->size && ar_is_aligned_to_size(array);
    for (int i = 0; fits && i < ndim; i++)
        fits = shape[i] < 0 || array->shape[i] == shape[i];
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit");
        return -1;
    }
    return ar_address(array, address);
}

/* The stack `a` of matrices (count, n, m), and `info` (count); -1: exception. */
static int stack_from(PyObject *info, PyObject *a, lib_factors *factors)
{
    ar_array *stack = ar_expect_numbers(a, "factorisation");
    static const long long any[] = {-1, -1, -1};
    if (!stack || part(a, stack->type, 3, any, &factors->a))
        return -1;
    factors->type = library_types[stack->type];
    factors->count = stack->shape[0];
    factors->n = stack->shape[1];
    factors->m = stack->shape[2];
    return part(info, KN_I32, 1, &factors->count, &factors->info);
}

static int values_from(PyObject *values, uint8_t type, long long length,
                       lib_factors *factors)
{
    const long long shape[] = {factors->count, length};
    return part(values, type, 2, shape, &factors->values);
}

static uint8_t real_type(PyObject *a)
{
    uint8_t type = AR(a)->type;
    return type == KN_C64 ? KN_F32 : type == KN_C128 ? KN_F64 : type;
}

static int expect_square(const lib_factors *factors)
{
    if (factors->m == factors->n)
        return 0;
    PyErr_SetString(PyExc_ValueError, "the matrices are not square");
    return -1;
}

static PyObject *factor(PyObject *module, const lib_factors *factors)
{
    bd_context *context = bd_context_current(bd_state_get(module));
    return context ? served(lib_factor(context, factors)) : NULL;
}

#define STACKS                                                                      \
    "Arrays are in C order and not empty; a stack of shape (count, columns, rows) " \
    "has "                                                                          \
    "matrices column by column, `info` an int32 for each. Returns as "              \
    "_library_product. "

BD_METHOD(library_lu, 3, 3, "_library_lu(info, a, pivots)",
          STACKS
          "Square ones become their triangles L and U; pivots: int64, (count, n).")
{
    lib_factors f = {LIB_LU};
    if (stack_from(in[0], in[1], &f) || expect_square(&f) ||
        values_from(in[2], KN_I64, f.n, &f))
        return NULL;
    return factor(self, &f);
}

BD_METHOD(library_lu_solve, 5, 5,
          "_library_lu_solve(info, lu, pivots, b, is_transposed)",
          STACKS "b, (count, k, n): right sides become solutions for the matrices that "
                 "_library_lu has factored, or for their transposes.")
{
    lib_factors f = {LIB_LU_SOLVE};
    if (stack_from(in[0], in[1], &f) || expect_square(&f) ||
        values_from(in[2], KN_I64, f.n, &f) || py_flag(in[4], &f.is_transposed))
        return NULL;
    const long long shape[] = {f.count, -1, f.n};
    if (part(in[3], AR(in[1])->type, 3, shape, &f.b))
        return NULL;
    f.k = AR(in[3])->shape[1];
    return factor(self, &f);
}

BD_METHOD(library_cholesky, 3, 3, "_library_cholesky(info, a, is_upper)",
          STACKS "The lower or upper triangle of Hermitian ones becomes that of their "
                 "factor; the other one is not touched.")
{
    lib_factors f = {LIB_CHOLESKY};
    if (stack_from(in[0], in[1], &f) || expect_square(&f) ||
        py_flag(in[2], &f.is_upper))
        return NULL;
    return factor(self, &f);
}

BD_METHOD(library_qr, 3, 3, "_library_qr(info, a, tau)",
          STACKS "They become R, and below its diagonal reflections, whose factors are "
                 "tau, (count, min(m, n)).")
{
    lib_factors f = {LIB_QR};
    if (stack_from(in[0], in[1], &f))
        return NULL;
    f.k = f.m < f.n ? f.m : f.n;
    return values_from(in[2], AR(in[1])->type, f.k, &f) ? NULL : factor(self, &f);
}

BD_METHOD(library_reflections, 3, 3, "_library_reflections(info, a, tau)",
          STACKS "Matrices with at most as many columns as rows, whose first ones have "
                 "the reflections of _library_qr, become the columns of their product.")
{
    lib_factors f = {LIB_REFLECTIONS};
    ar_array *tau = ar_expect_numbers(in[2], "tau");
    if (!tau || stack_from(in[0], in[1], &f) ||
        values_from(in[2], AR(in[1])->type, -1, &f))
        return NULL;
    f.k = tau->shape[1];
    if (f.n > f.m || f.k > f.n) {
        PyErr_SetString(PyExc_ValueError, "there are more columns than rows");
        return NULL;
    }
    return factor(self, &f);
}

BD_METHOD(library_eigen, 5, 5, "_library_eigen(info, a, values, has_vectors, is_upper)",
          STACKS "values, (count, n): the real eigenvalues of Hermitian ones, of which "
                 "the lower or upper triangle is read; they become the vectors.")
{
    lib_factors f = {LIB_EIGEN};
    if (stack_from(in[0], in[1], &f) || expect_square(&f) ||
        values_from(in[2], real_type(in[1]), f.n, &f) ||
        py_flag(in[3], &f.has_vectors) || py_flag(in[4], &f.is_upper))
        return NULL;
    return factor(self, &f);
}

BD_METHOD(library_eigen_general, 5, 5,
          "_library_eigen_general(info, a, values, vectors, has_vectors)",
          STACKS
          "values, (count, n): the eigenvalues of square ones, complex; vectors, "
          "as they are: right ones as columns, of real ones as LAPACK has them, "
          "or what is overwritten. None: the library is too old, too.")
{
    lib_factors f = {LIB_EIGEN_GENERAL};
    if (stack_from(in[0], in[1], &f) || expect_square(&f) ||
        values_from(in[2], real_type(in[1]) == KN_F64 ? KN_C128 : KN_C64, f.n, &f) ||
        py_flag(in[4], &f.has_vectors))
        return NULL;
    const long long shape[] = {f.count, f.n, f.n};
    return part(in[3], AR(in[1])->type, 3, shape, &f.c) ? NULL : factor(self, &f);
}

BD_METHOD(
    library_svd, 7, 7,
    "_library_svd(info, a, values, left, right, has_vectors, is_polar)",
    STACKS
    "values, (count, n): the singular values of matrices with no fewer rows than "
    "columns; left, (count, n or m, m), right, (count, n, n): their vectors, or "
    "what is overwritten. is_polar: faster, right is the conjugate transpose, and "
    "of a singular matrix `info` may be 2**31 - 1: it is for _library_svd without.")
{
    int is_polar = 0;
    lib_factors f = {LIB_SVD};
    if (stack_from(in[0], in[1], &f) || values_from(in[2], real_type(in[1]), f.n, &f) ||
        py_flag(in[5], &f.has_vectors) || py_flag(in[6], &is_polar))
        return NULL;
    f.kind = is_polar ? LIB_SVD_POLAR : LIB_SVD;
    const long long left[] = {f.count, -1, f.m}, right[] = {f.count, f.n, f.n};
    uint8_t type = AR(in[1])->type;
    if (part(in[3], type, 3, left, &f.b) || part(in[4], type, 3, right, &f.c))
        return NULL;
    f.k = AR(in[3])->shape[1];
    if (f.m < f.n || (f.k != f.n && f.k != f.m)) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit");
        return NULL;
    }
    return factor(self, &f);
}

/* -- Which there are ------------------------------------------------------------ */

BD_METHOD(library_multiplies, 0, 0, "_library_multiplies()",
          "Whether there is a library for products on this device.")
{
    return PyBool_FromLong(lib_has_blas(bd_state_get(self)));
}

BD_METHOD(library_transforms, 0, 0, "_library_transforms()",
          "Whether there is a library for Fourier transforms on this device.")
{
    return PyBool_FromLong(lib_has_fft(bd_state_get(self)));
}

BD_METHOD(library_solves, 0, 0, "_library_solves()",
          "Whether there is a library for factorisations on this device.")
{
    return PyBool_FromLong(lib_has_solver(bd_state_get(self)));
}

BD_METHOD(library_solves_stacks, 0, 0, "_library_solves_stacks()",
          "Whether _library_eigen computes all matrices of a stack at once.")
{
    return PyBool_FromLong(lib_has_eigen_of_stacks(bd_state_get(self)));
}

BD_METHOD(library_found, 0, 0, "_libraries_found()",
          "Name of a library -> its path, or why it is not used.")
{
    return lib_found(bd_state_get(self));
}

PyMethodDef ar_library_functions[] = {
    BD_ROW("_library_product", library_product),
    BD_ROW("_library_transform", library_transform),
    BD_ROW("_library_multiplies", library_multiplies),
    BD_ROW("_library_transforms", library_transforms),
    BD_ROW("_library_solves", library_solves),
    BD_ROW("_library_lu", library_lu),
    BD_ROW("_library_lu_solve", library_lu_solve),
    BD_ROW("_library_cholesky", library_cholesky),
    BD_ROW("_library_qr", library_qr),
    BD_ROW("_library_reflections", library_reflections),
    BD_ROW("_library_eigen", library_eigen),
    BD_ROW("_library_eigen_general", library_eigen_general),
    BD_ROW("_library_svd", library_svd),
    BD_ROW("_library_solves_stacks", library_solves_stacks),
    BD_ROW("_libraries_found", library_found),
    {NULL},
};
