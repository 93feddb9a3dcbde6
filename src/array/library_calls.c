/* What NVIDIA's libraries compute on arrays, where there are any: products of stacks of
   matrices, Fourier transforms. Which arrays are for them, and what is done without
   them, is for pycuda/_reductions.py and pycuda/_fft.py to say. */
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
    return !context ? NULL : served(fits ? lib_transform_run(context, &transform) : "");
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
    BD_ROW("_libraries_found", library_found),
    {NULL},
};
