/* What is passed to a user's kernel, held against its declaration: how many, arrays or
   numbers, their dtypes and sizes. Arrays of different layouts are passed together with
   those, and the kernel sees them as views. */
#include "kernel_arguments.h"
#include <math.h>
#include <string.h>

const char *ar_text(const ar_generated *self, ar_kernel_text which)
{
    return PyUnicode_AsUTF8(PyTuple_GET_ITEM(self->texts, which));
}

void ar_arguments_clear(const ar_generated *self, ar_arguments *arguments)
{
    for (int i = 0; i < self->count; i++)
        Py_CLEAR(arguments->vectors[i]);
    if (arguments->bytes != arguments->usual)
        PyMem_Free(arguments->bytes);
}

static int wrong(const ar_generated *self, const ar_parameter *at, const char *what,
                 PyObject *given)
{
    PyErr_Format(PyExc_TypeError,
                 "argument '%U' of kernel '%s': expected %s %S, got %S", at->name,
                 ar_text(self, AR_NAME), what, at->dtype, given);
    return -1;
}

/* The numbers that an element is made of, one after the other. */
enum { MOST_NUMBERS = 64 };
typedef struct {
    char kind; /* 'i' of integers and bool, 'f', or another of NumPy's */
    npy_intp size, at;
} piece;

/* Appends those of a dtype; returns how many there are now; -1: too many, or none that
   kernels know. */
static int put_pieces(PyArray_Descr *dtype, npy_intp at, piece *pieces, int count)
{
    npy_intp size = PyDataType_ELSIZE(dtype), each;
    if (count < 0 || !PyArray_ISNBO(dtype->byteorder))
        return -1;
    if (PyDataType_HASSUBARRAY(dtype)) {
        PyArray_Descr *base = PyDataType_SUBARRAY(dtype)->base;
        each = PyDataType_ELSIZE(base);
        for (npy_intp i = 0; each && i < size && count >= 0; i += each)
            count = put_pieces(base, at + i, pieces, count);
        return count;
    }
    if (PyDataType_HASFIELDS(dtype)) {
        PyObject *names = PyDataType_NAMES(dtype), *title, *field;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
            title = PyTuple_GET_ITEM(names, i);
            field = PyDict_GetItemWithError(PyDataType_FIELDS(dtype), title);
            if (!field)
                return -1;
            count = put_pieces((PyArray_Descr *)PyTuple_GET_ITEM(field, 0),
                               at + PyLong_AsSsize_t(PyTuple_GET_ITEM(field, 1)),
                               pieces, count);
        }
        return count;
    }
    int parts = dtype->kind == 'c' ? 2 : 1;
    if (count + parts > MOST_NUMBERS)
        return -1;
    for (int i = 0; i < parts; i++)
        pieces[count++] = (piece){dtype->kind == 'c'          ? 'f'
                                  : strchr("bu", dtype->kind) ? 'i'
                                                              : dtype->kind,
                                  size / parts, at + i * (size / parts)};
    return count;
}

int ar_laid_out_alike(PyArray_Descr *a, PyArray_Descr *b)
{
    piece of_a[MOST_NUMBERS], of_b[MOST_NUMBERS];
    int count = put_pieces(a, 0, of_a, 0), alike;
    alike = PyDataType_ELSIZE(a) == PyDataType_ELSIZE(b) && count > 0 &&
            count == put_pieces(b, 0, of_b, 0);
    for (int i = 0; i < count && alike; i++)
        alike = of_a[i].kind == of_b[i].kind && of_a[i].size == of_b[i].size &&
                of_a[i].at == of_b[i].at;
    return alike;
}

static int take_vector(ar_generated *self, ar_arguments *arguments, int i,
                       PyObject *object)
{
    const ar_parameter *at = &self->parameters[i];
    ar_array *array = NULL;
    int found = ar_from(self->state, object, &array);
    if (found <= 0)
        return found < 0
                   ? -1
                   : wrong(self, at, "a GPUArray of", (PyObject *)Py_TYPE(object));
    arguments->vectors[i] = array;
    if (!PyArray_EquivTypes(array->dtype, at->dtype) &&
        !ar_laid_out_alike(array->dtype, at->dtype))
        return wrong(self, at, "a GPUArray of", (PyObject *)array->dtype);
    if (!arguments->first)
        arguments->first = array;
    return ar_address(array, (CUdeviceptr *)(arguments->bytes + at->offset));
}

/* bool, integer, float, complex: what comes later does not go into what comes before.
 */
static int rank(int type)
{
    return type == AR_WEAK_INT       ? 1
           : type == AR_WEAK_FLOAT   ? 2
           : type == AR_WEAK_COMPLEX ? 3
           : type == KN_BOOL         ? 0
           : type < KN_F16           ? 1
           : type < KN_C64           ? 2
                                     : 3;
}

/* Whether a real number became infinite for want of bits. */
static int has_overflown(const char *stored, kn_type type, PyObject *object)
{
    float narrow;
    if (type != KN_F32)
        return 0;
    memcpy(&narrow, stored, sizeof narrow);
    double real = isinf(narrow) ? PyFloat_AsDouble(object) : 0;
    return isinf(narrow) && !isinf(real);
}

/* NumPy's numbers are held against the range of the parameter as Python's are. */
static int store_number(const ar_generated *self, const ar_parameter *at,
                        PyObject *object, int given, kn_type type, char *to)
{
    PyObject *number = NULL;
    int is_stored;
    if (type != KN_BOOL && type < KN_F16 && given != KN_BOOL) {
        if (!(number = PyNumber_Index(object)))
            return -1;
        is_stored = !ar_scalar_store(number, type, to);
        Py_DECREF(number);
    } else
        is_stored =
            !ar_scalar_store(object, type, to) && !has_overflown(to, type, object);
    if (is_stored)
        return 0;
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_OverflowError,
                     "argument '%U' of kernel '%s': %R does not fit %S", at->name,
                     ar_text(self, AR_NAME), object, at->dtype);
    }
    return -1;
}

static int take_scalar(ar_generated *self, ar_arguments *arguments, int i,
                       PyObject *object)
{
    const ar_parameter *at = &self->parameters[i];
    char *to = arguments->bytes + at->offset;
    kn_type type = kn_type_of(at->dtype);
    ar_operand operand;
    int found = ar_operand_from(self->state, object, &operand);
    if (found < 0)
        return -1;
    if (found && operand.array) {
        Py_DECREF(operand.array);
        found = 0;
    }
    if (type && kn_type_compute(type) == type) {
        if (!found || !operand.type || rank(operand.type) > rank(type))
            return wrong(self, at, "a number of", (PyObject *)Py_TYPE(object));
        return store_number(self, at, object, operand.type, type, to);
    }
    Py_INCREF(at->dtype);
    PyArrayObject *host = bd_numpy_from(object, at->dtype, NPY_ARRAY_CARRAY_RO);
    if (!host)
        return -1;
    int fits = PyArray_NDIM(host) == 0;
    if (fits)
        memcpy(to, PyArray_DATA(host), PyDataType_ELSIZE(at->dtype));
    Py_DECREF(host);
    return fits ? 0 : wrong(self, at, "a value of", (PyObject *)Py_TYPE(object));
}

int ar_arguments_check_sizes(const ar_generated *self, const ar_arguments *arguments)
{
    const ar_array *like = NULL;
    const ar_parameter *of = NULL;
    for (int i = 0; i < self->count; i++) {
        const ar_parameter *at = &self->parameters[i];
        const ar_array *array = arguments->vectors[i];
        if (!at->is_exact)
            continue;
        if (!like)
            like = array, of = at;
        if (array->size < like->size) {
            PyErr_Format(
                PyExc_ValueError,
                "arguments of kernel '%s' differ in size: '%U' has %zd elements, "
                "'%U' has %zd; it may have more, not fewer",
                ar_text(self, AR_NAME), of->name, like->size, at->name, array->size);
            return -1;
        }
    }
    return 0;
}

static int set_layout(const ar_array *array, kn_view_layout *layout)
{
    npy_intp length[AR_MOST_AXES], stride[AR_MOST_AXES];
    int axes = 0;
    for (int i = 0; i < array->ndim; i++) { /* neighbours that are one axis in memory */
        npy_intp n = array->shape[i], step = array->strides[i];
        if (axes && stride[axes - 1] == n * step)
            axes--, n *= length[axes];
        if (n == 1)
            continue;
        length[axes] = n;
        stride[axes++] = step;
    }
    if (axes > KN_VIEW_AXES)
        return -1;
    *layout = (kn_view_layout){.axes = axes};
    for (int i = 0; i < axes; i++) {
        layout->length[i] = length[i];
        layout->stride[i] = stride[i];
    }
    return 0;
}

/* Arrays of one layout are passed as they are, and `i` counts their elements in memory.
   Otherwise it counts them in C order, and arrays in another order are passed with
   their layouts, as views. */
static int take_views(const ar_generated *self, ar_arguments *arguments)
{
    int order = AR_C | AR_F, gaps = 0, views = 0;
    for (int i = 0; i < self->count; i++) {
        const ar_array *array = arguments->vectors[i];
        gaps |= array && !array->order;
        order &= self->parameters[i].is_exact ? array->order : order;
    }
    for (int i = 0; i < self->count && (gaps || !order); i++) {
        const ar_array *array = arguments->vectors[i];
        if (!array || array->order & AR_C)
            continue;
        if (i == AR_MOST_VIEWED || views == KN_MOST_VIEWS ||
            set_layout(array, &arguments->layouts[views])) {
            PyErr_Format(PyExc_NotImplementedError,
                         "argument '%U' of kernel '%s' lies in too many pieces: use "
                         "%U.copy()",
                         self->parameters[i].name, ar_text(self, AR_NAME),
                         self->parameters[i].name);
            return -1;
        }
        arguments->params[3 + self->count + views] = &arguments->layouts[views];
        arguments->views |= 1u << i;
        views++;
    }
    return 0;
}

int ar_arguments_take(ar_generated *self, ar_arguments *arguments,
                      PyObject *const *args, Py_ssize_t nargs)
{
    memset(arguments->vectors, 0, self->count * sizeof *arguments->vectors);
    arguments->first = NULL;
    arguments->views = 0;
    arguments->bytes = arguments->usual;
    if (nargs != self->count) {
        PyErr_Format(PyExc_TypeError, "kernel '%s' takes %d arguments (%s), got %zd",
                     ar_text(self, AR_NAME), self->count, ar_text(self, AR_ARGUMENTS),
                     nargs);
        return -1;
    }
    if (self->bytes > AR_USUAL_BYTES &&
        !(arguments->bytes = PyMem_Malloc(self->bytes))) {
        arguments->bytes = arguments->usual;
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < self->count; i++) {
        if (self->parameters[i].is_vector ? take_vector(self, arguments, i, args[i])
                                          : take_scalar(self, arguments, i, args[i]))
            return -1;
        arguments->params[3 + i] = arguments->bytes + self->parameters[i].offset;
    }
    return take_views(self, arguments);
}
