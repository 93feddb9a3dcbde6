/* One kernel argument from a Python object to its bytes. The order of the tests is the
   order of likelihood: NumPy's own class for the parameter, device memory, Python
   numbers, other NumPy scalars, arrays by value, everything that only has an address.
   NumPy scalars keep their bytes, so size and kind must be right; Python numbers are
   converted and checked for range. */
#include <float.h>
#include <math.h>
#include <string.h>
#include "arrays.h"
#include "kernel.h"
#include "memory.h"

#if PY_VERSION_HEX < 0x030b0000
#define PyFloat_Pack2(value, to, little) _PyFloat_Pack2(value, (void *)(to), little)
#endif

/* -- Errors --------------------------------------------------------------------- */

static PyObject *describe(PyObject *object)
{
    const char *name = Py_TYPE(object)->tp_name;
    if (PyArray_Check(object)) {
        PyArrayObject *array = (PyArrayObject *)object;
        return PyUnicode_FromFormat(
            "%s of %zd %S (%zd bytes)", name, (Py_ssize_t)PyArray_SIZE(array),
            PyArray_DESCR(array), (Py_ssize_t)PyArray_NBYTES(array));
    }
    if (!PyArray_IsScalar(object, Generic))
        return PyUnicode_FromString(name);
    PyArray_Descr *dtype = PyArray_DescrFromScalar(object);
    if (!dtype)
        return NULL;
    PyObject *text =
        PyUnicode_FromFormat("%s (%d bytes)", name, (int)PyDataType_ELSIZE(dtype));
    Py_DECREF(dtype);
    return text;
}

/* The name of NumPy's type for numbers of that kind; "" for others. */
static const char *numpy_name(int kind, unsigned size, char name[24])
{
    static const char *const names[] = {[BD_SIGNED] = "int",
                                        [BD_UNSIGNED] = "uint",
                                        [BD_FLOAT] = "float",
                                        [BD_COMPLEX] = "complex"};
    *name = 0;
    if (kind == BD_BOOL)
        strcpy(name, "bool_");
    else if (kind > BD_INTEGER && kind <= BD_COMPLEX)
        snprintf(name, 24, "%s%u", names[kind], 8 * size);
    return name;
}

/* A hint at what to pass instead, where that can be guessed. */
static const char *hint(const bd_param *param, PyObject *object, char text[100])
{
    char name[24];
    int number = PyLong_Check(object) || PyFloat_CheckExact(object) ||
                 PyComplex_CheckExact(object);
    /* PTX does not tell a pointer from an integer of its size. */
    int pointer = param->kind == BD_POINTER ||
                  (param->kind == BD_INTEGER && param->size == sizeof(CUdeviceptr));
    if (pointer && PyArray_Check(object))
        return "; wrap host arrays in driver.In, Out or InOut";
    if (pointer && (PyList_Check(object) || PyTuple_Check(object)))
        return "; gpuarray.to_gpu(numpy.array(...)) brings it to the device";
    if (pointer && PyObject_HasAttrString(object, "__dlpack__"))
        return "; gpuarray.from_dlpack(...) makes an array of its memory";
    if (pointer && object == Py_None)
        return "; a null pointer is numpy.uintp(0)";
    if ((number || PyArray_CheckScalar(object)) &&
        *numpy_name(param->kind, param->size, name)) {
        snprintf(text, 100, "; numpy.%s(...) makes one", name);
        return text;
    }
    if (param->kind == BD_ANY && number)
        return "; the driver does not tell the parameter's type: pass a NumPy scalar";
    if (param->kind == BD_BYTES &&
        (PyArray_Check(object) || PyArray_CheckScalar(object)))
        return "; structs need the alignment of C: numpy.dtype(..., align=True)";
    return "";
}

static int wrong_type(bd_function *self, const bd_param *param, int index,
                      PyObject *object)
{
    PyObject *given = describe(object);
    char expected[200] = "", text[100];
    PyErr_Clear();
    if (param->type)
        snprintf(expected, sizeof expected, "expected %.150s (%u bytes), ", param->type,
                 param->size);
    else if (param->size)
        snprintf(expected, sizeof expected, "expected %u bytes, ", param->size);
    if (given)
        PyErr_Format(PyExc_TypeError,
                     "invalid type on parameter #%d (0-based) of kernel '%s': %sgot "
                     "%U%s",
                     index, self->name, expected, given,
                     param->size ? hint(param, object, text) : "; pass a NumPy scalar");
    Py_XDECREF(given);
    return -1;
}

static int wrong_value(bd_function *self, const bd_param *param, int index,
                       PyObject *object)
{
    PyErr_Clear();
    PyErr_Format(PyExc_OverflowError,
                 "invalid value on parameter #%d (0-based) of kernel '%s': %R does not "
                 "fit %s (%u bytes)",
                 index, self->name, object, param->type ? param->type : "the parameter",
                 param->size);
    return -1;
}

/* -- Numbers -------------------------------------------------------------------- */

/* PTX does not tell the sign of a BD_INTEGER. */
__attribute__((cold, noinline)) static int store_negative(const bd_param *param,
                                                          PyObject *number, char *to)
{
    int fits =
        param->kind == BD_INTEGER && py_store_integer(number, 1, param->size, to);
    return fits ? 0 : -1;
}

static int store_integer(const bd_param *param, PyObject *number, char *to)
{
    return py_store_integer(number, param->kind == BD_SIGNED, param->size, to)
               ? 0
               : store_negative(param, number, to);
}

static int store_real(size_t size, double value, char *to)
{
    if (size == 8)
        memcpy(to, &value, 8);
    else if (size == 4) {
        float narrow = (float)value;
        if (isinf(narrow) && !isinf(value))
            return -1;
        memcpy(to, &narrow, 4);
    } else if (size == 2)
        return PyFloat_Pack2(value, to, 1);
    else
        return -1;
    return 0;
}

/* 0: stored; -1: out of range; 1: not a number of the right sort for this parameter. */
static int store_number(const bd_param *param, PyObject *object, char *to)
{
    int integer = PyLong_Check(object);
    switch (param->kind) {
    case BD_SIGNED:
    case BD_UNSIGNED:
    case BD_POINTER:
    case BD_INTEGER:
        return integer && param->size <= 8 ? store_integer(param, object, to) : 1;
    case BD_BOOL: {
        if (!integer)
            return 1;
        char truth = PyObject_IsTrue(object);
        memcpy(to, &truth, 1);
        return 0;
    }
    case BD_FLOAT: {
        if (PyComplex_Check(object))
            return 1;
        double value = integer ? PyLong_AsDouble(object) : PyFloat_AS_DOUBLE(object);
        return PyErr_Occurred() ? -1 : store_real(param->size, value, to);
    }
    case BD_COMPLEX: {
        Py_complex value = PyComplex_AsCComplex(object);
        size_t half = param->size / 2;
        return PyErr_Occurred() || store_real(half, value.real, to) ||
                       store_real(half, value.imag, to + half)
                   ? -1
                   : 0;
    }
    default:
        return 1;
    }
}

/* prepare() declared the type: anything that converts to it is taken. New reference, or
 * NULL without an exception. */
static PyObject *as_number(const bd_param *param, PyObject *object)
{
    PyObject *number = NULL;
    if (param->kind == BD_FLOAT)
        number = PyNumber_Float(object);
    else if (param->kind == BD_COMPLEX) {
        Py_complex value = PyComplex_AsCComplex(object);
        number = PyErr_Occurred() ? NULL : PyComplex_FromCComplex(value);
    } else if (param->kind == BD_BOOL) {
        int truth = PyObject_IsTrue(object);
        number = truth < 0 ? NULL : PyBool_FromLong(truth);
    } else if (PyIndex_Check(object))
        number = PyNumber_Index(object);
    PyErr_Clear();
    return number;
}

/* -- NumPy ---------------------------------------------------------------------- */

/* Whether bytes of that dtype are what the parameter holds. */
static int fits(const bd_param *param, char kind, size_t size)
{
    int integer = kind == 'i' || kind == 'u' || kind == 'b';
    if (size != param->size)
        return 0;
    switch (param->kind) {
    case BD_POINTER:
    case BD_INTEGER:
    case BD_SIGNED:
    case BD_UNSIGNED:
    case BD_BOOL:
        return integer;
    case BD_FLOAT:
        return kind == 'f';
    case BD_COMPLEX:
        return kind == 'c';
    default:
        return 1;
    }
}

/* 0: stored, 1: does not fit, -1: exception. */
static int store_scalar(bd_param *param, PyObject *object, char *to)
{
    PyArray_Descr *dtype = PyArray_DescrFromScalar(object);
    if (!dtype)
        return -1;
    int result = 1, is_void = PyArray_IsScalar(object, Void);
    /* Strings are no bytes here: NumPy would write their address. */
    if (fits(param, dtype->kind, PyDataType_ELSIZE(dtype)) &&
        !PyDataType_REFCHK(dtype) &&
        (is_void || !PyTypeNum_ISFLEXIBLE(dtype->type_num))) {
        if (is_void)
            memcpy(to, ((PyVoidScalarObject *)object)->obval, param->size);
        else
            PyArray_ScalarAsCtype(object, to);
        if (dtype->typeobj == Py_TYPE(object) && dtype->type_num <= NPY_CDOUBLE)
            param->scalar = Py_TYPE(object); /* so that bd_pack knows it at once */
        result = 0;
    }
    Py_DECREF(dtype);
    return result;
}

static int store_array(const bd_param *param, PyArrayObject *array, char *to)
{
    PyArray_Descr *dtype = PyArray_DESCR(array);
    int whole = param->kind == BD_ANY || param->kind == BD_BYTES;
    /* One element is its value, as with PyCUDA; where a pointer is meant, an array with
       an axis is more likely to be meant for In or Out. */
    int one = PyArray_SIZE(array) == 1 &&
              (PyArray_NDIM(array) == 0 || param->kind != BD_POINTER);
    if ((size_t)PyArray_NBYTES(array) != param->size || PyDataType_REFCHK(dtype) ||
        PyArray_ISBYTESWAPPED(array) ||
        !(whole || (one && fits(param, dtype->kind, param->size))))
        return 1;
    /* A subclass could change the copy. */
    PyArrayObject *compact = (PyArrayObject *)PyArray_FromArray(
        array, (PyArray_Descr *)Py_NewRef((PyObject *)dtype),
        NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ENSUREARRAY | NPY_ARRAY_ENSURECOPY);
    if (!compact)
        return -1;
    memcpy(to, PyArray_DATA(compact), param->size);
    Py_DECREF(compact);
    return 0;
}

/* A format like "12s": any bytes, cut off or filled with zeros. */
static int store_bytes(const bd_param *param, PyObject *object, char *to)
{
    Py_buffer view;
    if (!PyObject_CheckBuffer(object) || bd_buffer(object, &view, 0)) {
        PyErr_Clear();
        return 1;
    }
    size_t length = (size_t)view.len < param->size ? (size_t)view.len : param->size;
    memcpy(to, view.buf, length);
    memset(to + length, 0, param->size - length);
    PyBuffer_Release(&view);
    return 0;
}

/* -- Arrays against what a pointer points at --------------------------------------- */

/* As in C, integers of either sign are alike, and complex numbers are pairs; structs
   are not looked into. */
static int fits_element(const bd_param *param, char kind, size_t size)
{
    switch (kind) {
    case 'i':
    case 'u':
        return size == param->element && param->element_kind >= BD_SIGNED &&
               param->element_kind <= BD_BOOL;
    case 'b':
        return param->element == 1;
    case 'f':
        return size == param->element && param->element_kind == BD_FLOAT;
    case 'c':
        return size == (param->element_kind == BD_FLOAT ? 2 : 1) * param->element &&
               param->element_kind >= BD_FLOAT;
    default:
        return 1;
    }
}

__attribute__((noinline)) static int wrong_dtype(bd_function *self,
                                                 const bd_param *param, int index,
                                                 PyObject *object, PyObject *dtype,
                                                 const char *as_it_is)
{
    char name[24];
    PyErr_Format(PyExc_TypeError,
                 "invalid type on parameter #%d (0-based) of kernel '%s': expected %s, "
                 "got %s of %S; astype(numpy.%s) converts it%s",
                 index, self->name, param->type, Py_TYPE(object)->tp_name, dtype,
                 numpy_name(param->element_kind, param->element, name), as_it_is);
    return -1;
}

static int check_array(bd_function *self, bd_state *state, const bd_param *param,
                       int index, PyObject *object)
{
    bd_elements elements;
    if (param->kind > BD_INTEGER || param->element_kind == BD_BYTES)
        return 0;
    state->describe_array(object, &elements);
    if (param->element && !fits_element(param, elements.kind, elements.size))
        return wrong_dtype(self, param, index, object, elements.dtype,
                           ", and .gpudata passes it as it is");
    if (elements.has_gaps) {
        PyErr_Format(PyExc_ValueError,
                     "invalid array on parameter #%d (0-based) of kernel '%s': a view "
                     "with gaps or of negative strides, and the kernel gets an address "
                     "alone; copy() has none, and .gpudata passes it as it is",
                     index, self->name);
        return -1;
    }
    return 0;
}

/* Memory of another context: the driver knows whether kernels of this one reach it. */
__attribute__((noinline)) static int check_reach(bd_function *self, bd_state *state,
                                                 int index, PyObject *object)
{
    bd_device_pointer *memory = (bd_device_pointer *)object;
    CUdeviceptr seen;
    CUdevice own = self->base.context->device, other = memory->base.context->device;
    if (own == other || !memory->pointer ||
        cu.cuPointerGetAttribute(&seen, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                 memory->pointer) != CUDA_ERROR_INVALID_VALUE)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "invalid array on parameter #%d (0-based) of kernel '%s': its memory "
                 "is on device %d, and the kernel on device %d; memcpy_peer copies it, "
                 "and Context.enable_peer_access lets kernels reach it",
                 index, self->name, other, own);
    return -1;
}

/* -- All of it ------------------------------------------------------------------ */

static int store_pointer(bd_state *state, PyObject *object, char *to)
{
    CUdeviceptr pointer;
    if (bd_pointer(state, object, &pointer))
        return -1;
    memcpy(to, &pointer, sizeof pointer);
    return 0;
}

static int store_memory(bd_function *self, bd_state *state, const bd_param *param,
                        int index, PyObject *object, char *to)
{
    bd_context *context = ((py_object *)object)->context;
    if (store_pointer(state, object, to) || (context && context != self->base.context &&
                                             check_reach(self, state, index, object)))
        return -1;
    return state->array_type && PyObject_TypeCheck(object, state->array_type)
               ? check_array(self, state, param, index, object)
               : 0;
}

/* In, Out and InOut: their memory, and the dtype of their array. */
static int store_handler(bd_function *self, const bd_param *param, int index,
                         PyObject *object, char *to)
{
    CUdeviceptr pointer;
    PyObject *array = bd_handler_numbers(object);
    PyArray_Descr *dtype = array ? PyArray_DESCR((PyArrayObject *)array) : NULL;
    if (dtype && param->element &&
        !fits_element(param, dtype->kind, PyDataType_ELSIZE(dtype)))
        return wrong_dtype(self, param, index, object, (PyObject *)dtype, "");
    if (bd_handler_pointer(object, &pointer))
        return -1;
    memcpy(to, &pointer, sizeof pointer);
    return 1;
}

static int pack_slowly(bd_function *self, bd_state *state, bd_param *param, int index,
                       PyObject *object, char *to)
{
    int address = bd_is_address(param), result = 1;
    CUdeviceptr pointer;
    if (address && PyObject_TypeCheck(object, state->type[BD_ARGUMENT_HANDLER]))
        return store_handler(self, param, index, object, to);
    if (param->size == 8 && param->kind != BD_FLOAT &&
        (result = bd_texture_value(state, object, &pointer)) != 0) {
        memcpy(to, &pointer, sizeof pointer);
        return result < 0 ? -1 : 0;
    }
    result = 1;
    if (PyArray_IsScalar(object, Generic))
        result = store_scalar(param, object, to);
    else if (PyArray_Check(object)) {
        if (address && bd_managed_owner(state, object))
            return store_pointer(state, object, to);
        result = store_array(param, (PyArrayObject *)object, to);
    } else if (address && !PyFloat_Check(object) && !PyComplex_Check(object) &&
               !(PyLong_Check(object) && param->kind == BD_ANY)) {
        if (store_pointer(state, object, to) == 0)
            return 0;
        if (!PyErr_ExceptionMatches(PyExc_TypeError))
            return -1;
        PyErr_Clear();
    }
    if (result > 0 && param->declared && param->kind != BD_BYTES) {
        PyObject *number = as_number(param, object);
        if (number)
            result = store_number(param, number, to);
        Py_XDECREF(number);
        if (result < 0)
            return wrong_value(self, param, index, object);
    } else if (result > 0 && param->declared)
        result = store_bytes(param, object, to);
    if (result < 0)
        return -1;
    return result ? wrong_type(self, param, index, object) : 0;
}

int bd_pack(bd_function *self, bd_param *param, int index, PyObject *object, char *to)
{
    PyTypeObject *type = Py_TYPE(object);
    bd_state *state = self->base.context->state;
    if (type == param->scalar) { /* all NumPy numbers follow the object head */
        memcpy(to, (char *)object + sizeof(PyObject), param->size);
        return 0;
    }
    if (bd_is_address(param) && bd_is_device_pointer(state, object))
        return store_memory(self, state, param, index, object, to);
    if (PyLong_Check(object) || PyFloat_CheckExact(object) ||
        PyComplex_CheckExact(object)) {
        int result = store_number(param, object, to);
        if (result == 0)
            return 0;
        if (result < 0)
            return wrong_value(self, param, index, object);
    }
    return pack_slowly(self, state, param, index, object, to);
}

int bd_pack_natural(bd_function *self, int index, PyObject *object, bd_param *param,
                    size_t *alignment)
{
    bd_state *state = self->base.context->state;
    PyArray_Descr *dtype = NULL;
    *param = (bd_param){.size = 8, .kind = BD_ANY};
    *alignment = 8;
    if (PyArray_Check(object) && !bd_managed_owner(state, object)) {
        dtype = (PyArray_Descr *)Py_NewRef(
            (PyObject *)PyArray_DESCR((PyArrayObject *)object));
        param->size = (uint32_t)PyArray_NBYTES((PyArrayObject *)object);
    } else if (PyArray_IsScalar(object, Generic)) {
        if (!(dtype = PyArray_DescrFromScalar(object)))
            return -1;
        param->size = (uint32_t)PyDataType_ELSIZE(dtype);
    } else if (PyLong_Check(object) || PyFloat_Check(object) ||
               PyComplex_Check(object)) {
        param->size = 0;
        return wrong_type(self, param, index, object);
    }
    if (dtype)
        *alignment = PyDataType_ALIGNMENT(dtype);
    Py_XDECREF(dtype);
    return 0;
}
