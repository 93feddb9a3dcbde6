/* What is passed to a user's kernel, held against its declaration: how many, arrays or
   numbers, their dtypes and sizes. Arrays that lie in different ways are passed with
   how they do, and the kernel walks them as views. */
#include "kernel_arguments.h"
#include <string.h>

const char *ar_text(const ar_generated *self, int i)
{
    return PyUnicode_AsUTF8(PyTuple_GET_ITEM(self->texts, i));
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

static int take_vector(ar_generated *self, ar_arguments *arguments, int i,
                       PyObject *object)
{
    const ar_parameter *at = &self->parameters[i];
    ar_array *array = NULL;
    int found = ar_from(bd_state_from(self), object, &array);
    if (found <= 0)
        return found < 0
                   ? -1
                   : wrong(self, at, "a GPUArray of", (PyObject *)Py_TYPE(object));
    arguments->vectors[i] = array;
    if (!PyArray_EquivTypes(array->dtype, at->dtype))
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

static int take_scalar(ar_generated *self, ar_arguments *arguments, int i,
                       PyObject *object)
{
    const ar_parameter *at = &self->parameters[i];
    char *to = arguments->bytes + at->offset;
    kn_type type = kn_type_of(at->dtype);
    ar_operand operand;
    int found = ar_operand_from(bd_state_from(self), object, &operand);
    if (found < 0)
        return -1;
    if (found && operand.array) {
        Py_DECREF(operand.array);
        found = 0;
    }
    if (type && kn_type_compute(type) == type) {
        if (!found || !operand.type || rank(operand.type) > rank(type))
            return wrong(self, at, "a number of", (PyObject *)Py_TYPE(object));
        return ar_scalar_store(object, type, to);
    }
    Py_INCREF(at->dtype);
    PyArrayObject *host = (PyArrayObject *)PyArray_FromAny(object, at->dtype, 0, 0,
                                                           NPY_ARRAY_CARRAY_RO, NULL);
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
        if (array->size != like->size) {
            PyErr_Format(
                PyExc_ValueError,
                "arguments of kernel '%s' differ in size: '%U' has %zd elements, "
                "'%U' has %zd",
                ar_text(self, AR_NAME), of->name, like->size, at->name, array->size);
            return -1;
        }
    }
    return 0;
}

static int set_lie(const ar_array *array, kn_lie *lie)
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
    *lie = (kn_lie){.axes = axes};
    for (int i = 0; i < axes; i++) {
        lie->length[i] = length[i];
        lie->stride[i] = stride[i];
    }
    return 0;
}

/* Arrays that lie alike are passed as they are, and `i` counts what they have in
   memory. Otherwise it counts their elements in C order, and those that lie in another
   are passed with how they do. */
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
            set_lie(array, &arguments->lies[views])) {
            PyErr_Format(PyExc_NotImplementedError,
                         "argument '%U' of kernel '%s' lies in too many pieces: use "
                         "%U.copy()",
                         self->parameters[i].name, ar_text(self, AR_NAME),
                         self->parameters[i].name);
            return -1;
        }
        arguments->params[3 + self->count + views] = &arguments->lies[views];
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
