/* The door to what blocks do with stacks of small dense matrices. What is asked of them
   is for pycuda/_solvers.py. */
#include "array.h"

/* The shape that a part has for each matrix, by names of dimensions: "" for a number,
   NULL where it is not given. A second column: with the flag. */
typedef struct {
    const char *a[2], *b, *x[2], *values, *y[2];
    int is_square; /* m and n are one */
} shapes;

static const shapes table[KN_SMALL_KINDS] = {
    [KN_SMALL_SOLVE] = {{"nn", NULL}, "nk", {"nk", NULL}, NULL, {NULL}, 1},
    [KN_SMALL_DETERMINANT] = {{"nn", NULL}, NULL, {"", NULL}, "", {"", NULL}, 1},
    [KN_SMALL_CHOLESKY] = {{"nn", "nn"}, NULL, {"nn", "nn"}, NULL, {NULL}, 1},
    [KN_SMALL_QR] = {{"mn", NULL}, NULL, {"mk", NULL}, NULL, {"kn", NULL}, 0},
    [KN_SMALL_EIGEN] = {{"nn", "nn"}, NULL, {"nn", "nn"}, "n", {NULL}, 1},
    [KN_SMALL_SVD] = {{"mn", "nm"}, NULL, {"mk", "nn"}, "n", {"nn", "km"}, 0},
};

static long long length_of(const kn_small *s, char name)
{
    return name == 'm' ? s->m : name == 'n' ? s->n : s->k;
}

static int misfit(void)
{
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit");
    return -1;
}

/* An array in C order of that type and shape, its address, 0 for None where that may
   be; -1: exception. */
static int part(const kn_small *s, PyObject *object, kn_type type, const char *shape,
                int may_lack, CUdeviceptr *address)
{
    *address = 0;
    if (Py_IsNone(object))
        return !shape || may_lack ? 0 : misfit();
    ar_array *array = ar_expect_numbers(object, "matrices");
    if (!array)
        return -1;
    int fits = shape && array->type == type && array->order & AR_C && array->size &&
               array->ndim == 1 + (int)strlen(shape) && array->shape[0] == s->count &&
               ar_is_aligned_to_size(array);
    for (int i = 0; fits && shape[i]; i++)
        fits = array->shape[1 + i] == length_of(s, shape[i]);
    return fits ? ar_address(array, address) : misfit();
}

static int kind_from(PyObject *kind, PyObject *flag, kn_small *s)
{
    int64_t number;
    if (py_signed(kind, "kind", 0, KN_SMALL_KINDS - 1, &number) ||
        py_flag(flag, &s->flag))
        return -1;
    s->kind = (kn_small_kind)number;
    return table[s->kind].a[s->flag] ? 0 : misfit();
}

/* The stack a, of type, count, m and n; -1: exception. */
static int stack_from(PyObject *object, kn_small *s)
{
    ar_array *a = ar_expect_numbers(object, "matrices");
    if (!a)
        return -1;
    if (a->ndim != 3 || a->type < KN_F32 || !a->size)
        return misfit();
    s->type = a->type;
    s->count = a->shape[0];
    int is_wide = s->kind == KN_SMALL_SVD && s->flag;
    s->m = a->shape[is_wide ? 2 : 1];
    s->n = a->shape[is_wide ? 1 : 2];
    s->k = s->n;
    if ((table[s->kind].is_square && s->m != s->n) ||
        (s->kind == KN_SMALL_SVD && s->m < s->n))
        return misfit();
    return 0;
}

BD_METHOD(
    is_factored, 1, 1, "_is_factored(array)",
    "Whether matrices can be factored on the device now, by kernels of ours or a "
    "library: not while array code is captured, since the host reads what came of "
    "it; and the array is of the context that is current.")
{
    bd_state *state = bd_state_get(self);
    if (bd_stream_usual(state))
        Py_RETURN_FALSE;
    ar_array *array = ar_expect(in[0], "array");
    bd_context *context = array ? bd_context_current(state) : NULL;
    return context ? PyBool_FromLong(array->head.base.context == context) : NULL;
}

BD_METHOD(small_fits, 7, 7,
          "_small_fits(kind, flag, rows, columns, dtype, k, has_vectors)",
          "Whether a block has memory for what _small_matrices does with matrices that "
          "have so many rows and columns, and k right sides, columns of Q or left "
          "vectors.")
{
    kn_small s = {0};
    int64_t length[3];
    if (kind_from(in[0], in[1], &s) || ar_type_parse(in[4], &s.type) ||
        py_flag(in[6], &s.has_vectors))
        return NULL;
    for (int i = 0; i < 3; i++)
        if (py_signed(in[i < 2 ? 2 + i : 5], "length", 0, INT_MAX, &length[i]))
            return NULL;
    int is_wide = s.kind == KN_SMALL_SVD && s.flag;
    s.m = length[is_wide];
    s.n = length[!is_wide];
    s.k = length[2];
    bd_context *context = bd_context_current(bd_state_get(self));
    int fits = context ? kn_small_fits(context, &s) : -1;
    return fits < 0 ? NULL : PyBool_FromLong(fits);
}

/* All of what is computed with; -1: exception. */
static int parts_from(PyObject *const *in, kn_small *s)
{
    const shapes *t = &table[s->kind];
    kn_type real = s->type == KN_C64 ? KN_F32 : s->type == KN_C128 ? KN_F64 : s->type;
    PyObject *wide = s->kind == KN_SMALL_SOLVE || (s->kind == KN_SMALL_SVD && !s->flag)
                         ? in[4]
                         : in[6]; /* has k rows or columns */
    int axis = s->kind == KN_SMALL_SOLVE || s->kind == KN_SMALL_SVD ? 2 : 1;
    axis = s->kind == KN_SMALL_SVD && s->flag ? 1 : axis;
    s->has_vectors = s->kind >= KN_SMALL_QR && !Py_IsNone(in[4]);
    if (strchr(t->x[s->flag], 'k') || (t->y[s->flag] && strchr(t->y[s->flag], 'k'))) {
        ar_array *array = Py_IsNone(wide) ? NULL : ar_expect_numbers(wide, "matrices");
        if (!Py_IsNone(wide) && !array)
            return -1;
        s->k = array && array->ndim == 3 ? array->shape[axis] : s->k;
    }
    int has_choice = s->kind >= KN_SMALL_QR; /* of vectors */
    if (part(s, in[2], s->type, t->a[s->flag], 0, &s->a) ||
        part(s, in[3], s->type, t->b, 1, &s->b) ||
        part(s, in[4], s->type, t->x[s->flag], has_choice, &s->x) ||
        part(s, in[5], real, t->values, 0, &s->values) ||
        part(s, in[6], s->type, t->y[s->flag], s->kind == KN_SMALL_SVD, &s->y))
        return -1;
    long long least = s->m < s->n ? s->m : s->n;
    if ((s->kind == KN_SMALL_QR && s->k != least && s->k != s->m) ||
        (s->kind == KN_SMALL_SVD && s->has_vectors && s->k != s->n && s->k != s->m) ||
        (s->kind == KN_SMALL_SVD && !s->x != !s->y) ||
        (s->kind == KN_SMALL_SOLVE && !s->b && s->k != s->n))
        return misfit();
    return 0;
}

BD_METHOD(small_matrices, 8, 8,
          "_small_matrices(kind, flag, a, b, x, values, y, outcomes)",
          "What a block each does with small matrices, by the number of kn_small_kind: "
          "kernels.h says what a, b, x, values and y are then, stacks in C order and "
          "not empty, or None. outcomes: int32, 0, one more than there are matrices. "
          "The name of the kernel.")
{
    kn_small s = {0};
    bd_context *context;
    if (kind_from(in[0], in[1], &s) || stack_from(in[2], &s) || parts_from(in, &s))
        return NULL;
    ar_array *outcomes = ar_expect_numbers(in[7], "outcomes");
    if (!outcomes || ar_address(outcomes, &s.outcomes))
        return NULL;
    if (outcomes->type != KN_I32 || outcomes->ndim != 1 || !(outcomes->order & AR_C) ||
        outcomes->size != s.count + 1)
        return misfit(), NULL;
    if (bd_stream(bd_state_get(self), NULL, &s.stream) ||
        !(context = bd_context_current(bd_state_get(self))))
        return NULL;
    int fits = kn_small_fits(context, &s);
    if (fits <= 0)
        return fits ? NULL : (misfit(), NULL);
    const char *name = kn_small_factor(context, &s);
    return name ? PyUnicode_FromString(name) : NULL;
}

PyMethodDef ar_small_functions[] = {
    BD_ROW("_is_factored", is_factored),
    BD_ROW("_small_fits", small_fits),
    BD_ROW("_small_matrices", small_matrices),
    {NULL},
};
