/* Sharing device memory with other libraries: __cuda_array_interface__ both ways. */
#include "array.h"
#include <string.h>

/* -- Out ------------------------------------------------------------------------ */

PyObject *ar_interface(PyObject *self, void *closure)
{
    ar_array *array = AR(self);
    PyObject *shape = ar_tuple(array->ndim, array->shape);
    PyObject *strides = ar_tuple(array->ndim, array->strides);
    PyObject *typestr = PyObject_GetAttrString((PyObject *)array->dtype, "str");
    PyObject *descr = PyDataType_HASFIELDS(array->dtype)
                          ? PyObject_GetAttrString((PyObject *)array->dtype, "descr")
                          : NULL;
    PyObject *result = NULL;
    if (shape && strides && typestr && !PyErr_Occurred())
        result = Py_BuildValue("{sOsOsOs(KO)sOsi}", "shape", shape, "strides", strides,
                               "typestr", typestr, "data",
                               (unsigned long long)array->head.pointer, Py_False,
                               "stream", Py_None, "version", 3);
    if (result && descr && PyDict_SetItemString(result, "descr", descr))
        Py_CLEAR(result);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    Py_XDECREF(typestr);
    Py_XDECREF(descr);
    return result;
}

/* -- In ------------------------------------------------------------------------- */

static PyObject *item(PyObject *interface, const char *name)
{
    PyObject *value = PyMapping_GetItemString(interface, name);
    if (!value)
        PyErr_Clear();
    else if (value == Py_None)
        Py_CLEAR(value);
    return value; /* new reference; NULL: not there */
}

/* Work of the owner's stream comes before what we do. */
static int wait_for(bd_state *state, PyObject *stream)
{
    uint64_t handle;
    if (bd_unsigned(stream, "__cuda_array_interface__['stream']", UINT64_MAX, &handle))
        return -1;
    if (handle <= 1) /* the null stream, in which we work */
        return 0;
    return BD_CALL_UNLOCKED(state, cuStreamSynchronize,
                            handle == 2 ? CU_STREAM_PER_THREAD
                                        : (CUstream)(uintptr_t)handle);
}

static ar_array *from_interface(bd_state *state, PyObject *object, PyObject *interface)
{
    PyObject *shape = item(interface, "shape"), *typestr = item(interface, "typestr");
    PyObject *strides = item(interface, "strides"), *data = item(interface, "data");
    PyObject *stream = item(interface, "stream"), *mask = item(interface, "mask");
    PyObject *descr = item(interface, "descr"), *type = NULL;
    PyObject *address = data ? PySequence_GetItem(data, 0) : NULL;
    PyObject *args = NULL, *kwargs = NULL, *result = NULL;
    PyArray_Descr *dtype = NULL;
    const char *kind;
    PyErr_Clear();
    if (!shape || !typestr || !address || mask) {
        PyErr_Format(PyExc_TypeError,
                     mask ? "%s: __cuda_array_interface__ with a mask is not supported"
                          : "%s: __cuda_array_interface__ lacks shape, typestr or data",
                     Py_TYPE(object)->tp_name);
        goto done;
    }
    kind = PyUnicode_Check(typestr) ? PyUnicode_AsUTF8(typestr) : NULL;
    type = descr && kind && kind[1] == 'V' ? descr : typestr;
    if (!PyArray_DescrConverter(type, &dtype) || (stream && wait_for(state, stream)))
        goto done;
    args = PyTuple_Pack(2, shape, dtype);
    kwargs = Py_BuildValue("{sOsOsO}", "gpudata", address, "base", object, "strides",
                           strides ? strides : Py_None);
    if (args && kwargs)
        result = PyObject_Call((PyObject *)state->array_type, args, kwargs);
done:
    Py_XDECREF(shape);
    Py_XDECREF(typestr);
    Py_XDECREF(strides);
    Py_XDECREF(data);
    Py_XDECREF(stream);
    Py_XDECREF(mask);
    Py_XDECREF(descr);
    Py_XDECREF(address);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    Py_XDECREF((PyObject *)dtype);
    return AR(result);
}

int ar_from(bd_state *state, PyObject *object, ar_array **array)
{
    if (ar_check(object)) {
        *array = AR(Py_NewRef(object));
        return 1;
    }
    PyObject *interface = PyObject_GetAttrString(object, "__cuda_array_interface__");
    if (!interface) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError))
            return -1;
        PyErr_Clear();
        return 0;
    }
    *array = from_interface(state, object, interface);
    Py_DECREF(interface);
    return *array ? 1 : -1;
}

BD_METHOD(refuse_array, 0, 2, "__array__($self, dtype=None, copy=None)",
          "TypeError: a copy to the host is asked for by get().")
{
    PyErr_SetString(PyExc_TypeError,
                    "a GPUArray does not become a numpy.ndarray by itself; use .get()");
    return NULL;
}

PyMethodDef ar_interop_methods[] = {
    BD_ROW("__array__", refuse_array),
    {NULL},
};
