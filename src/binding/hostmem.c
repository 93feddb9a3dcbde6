/* Host memory for the device's use: page-locked, aligned, registered and managed, all
   of it handed out as NumPy arrays whose base object owns it. One table row a kind; the
   functions of a kind differ in nothing else. */
#include "memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    bd_object base;
    void *data;
    size_t size;
    int freed;
} host_memory;

#define SELF(self) ((host_memory *)(self))
#define CONTEXT(self) (((bd_object *)(self))->context)

/* -- Arrays over memory
 * --------------------------------------------------------------------- */

static int refuse_objects(PyArray_Descr *dtype)
{
    if (!PyDataType_REFCHK(dtype))
        return 0;
    PyErr_Format(PyExc_TypeError, "dtype: %R holds Python objects", dtype);
    return -1;
}

int bd_layout_parse(bd_state *state, PyObject *const *in, bd_layout *layout)
{
    const char *order = "C";
    memset(layout, 0, sizeof *layout);
    if (!PyArray_IntpConverter(in[0], &layout->shape) ||
        !PyArray_DescrConverter(in[1], &layout->dtype))
        goto fail;
    if (in[2] && !(order = PyUnicode_AsUTF8(in[2])))
        goto fail;
    if (strcmp(order, "C") && strcmp(order, "F")) {
        bd_raise_because(state, CUDA_ERROR_INVALID_VALUE, "numpy_empty",
                         "unrecognized order specifier");
        goto fail;
    }
    layout->fortran = *order == 'F';
    if (refuse_objects(layout->dtype))
        goto fail;
    layout->bytes = PyDataType_ELSIZE(layout->dtype);
    for (int i = 0; i < layout->shape.len; i++) {
        npy_intp length = layout->shape.ptr[i];
        if (length < 0) {
            PyErr_SetString(PyExc_ValueError, "negative dimensions are not allowed");
            goto fail;
        }
        if (__builtin_mul_overflow(layout->bytes, (size_t)length, &layout->bytes)) {
            PyErr_SetString(PyExc_ValueError, "the array is too big");
            goto fail;
        }
    }
    layout->bytes += layout->bytes == 0;
    return 0;
fail:
    bd_layout_clear(layout);
    return -1;
}

void bd_layout_clear(bd_layout *layout)
{
    PyDimMem_FREE(layout->shape.ptr);
    Py_XDECREF(layout->dtype);
    memset(layout, 0, sizeof *layout);
}

PyObject *bd_layout_array(const bd_layout *layout, void *data, PyObject *memory)
{
    int flags = NPY_ARRAY_WRITEABLE | (layout->fortran ? NPY_ARRAY_F_CONTIGUOUS : 0);
    PyObject *array = PyArray_NewFromDescr(
        &PyArray_Type, (PyArray_Descr *)Py_NewRef((PyObject *)layout->dtype),
        layout->shape.len, layout->shape.ptr, NULL, data, flags, NULL);
    if (!array)
        Py_DECREF(memory);
    else if (PyArray_SetBaseObject((PyArrayObject *)array, memory) < 0)
        Py_CLEAR(array);
    return array;
}

/* -- The kinds
 * ------------------------------------------------------------------------------ */

static PyObject *pagelocked_make(bd_state *state, bd_context *context, size_t bytes,
                                 uint64_t flags, void **data)
{
    host_memory *self = bd_object_new(state, BD_PAGELOCKED_ALLOCATION, context, NULL);
    if (!self)
        return NULL;
    self->size = bytes;
    if (bd_check(state,
                 BD_WITH_RETRY(state, context,
                               cu.cuMemHostAlloc(&self->data, bytes, (unsigned)flags)),
                 "cuMemHostAlloc"))
        Py_CLEAR(self);
    else
        *data = self->data;
    return (PyObject *)self;
}

static PyObject *aligned_make(bd_state *state, bd_context *context, size_t bytes,
                              uint64_t alignment, void **data)
{
    if (alignment == 0 || (alignment & (alignment - 1)))
        return bd_raise_because(state, CUDA_ERROR_INVALID_VALUE, "aligned_malloc",
                                alignment ? "alignment must be a power of two"
                                          : "alignment must non-zero");
    host_memory *self = bd_object_new(state, BD_ALIGNED_ALLOCATION, context, NULL);
    if (!self)
        return NULL;
    size_t least = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    self->size = bytes;
    if (posix_memalign(&self->data, least, bytes)) {
        self->data = NULL;
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    *data = self->data;
    return (PyObject *)self;
}

static PyObject *managed_make(bd_state *state, bd_context *context, size_t bytes,
                              uint64_t flags, void **data)
{
    PyObject *memory = bd_managed_allocate(state, bytes, (unsigned)flags);
    if (memory)
        *data = (void *)(uintptr_t)((bd_device_pointer *)memory)->pointer;
    return memory;
}

typedef struct {
    PyObject *(*make)(bd_state *, bd_context *, size_t, uint64_t, void **);
    uint64_t standard; /* of the last argument */
    const char *last;
} kind;

static const kind pagelocked = {pagelocked_make, 0, "mem_flags"},
                  aligned = {aligned_make, 4096, "alignment"},
                  managed = {managed_make, 0, "mem_flags"};

static PyObject *make(bd_state *state, const kind *kind, bd_layout *layout,
                      PyObject *last, int zero)
{
    bd_context *context = bd_context_current(state);
    uint64_t value = kind->standard;
    void *data;
    if (!context || (last && bd_unsigned(last, kind->last, UINT32_MAX, &value)))
        return NULL;
    PyObject *memory = kind->make(state, context, layout->bytes, value, &data);
    if (!memory)
        return NULL;
    if (zero)
        memset(data, 0, layout->bytes);
    return bd_layout_array(layout, data, memory);
}

static PyObject *empty(PyObject *module, PyObject **in, const kind *kind, int zero)
{
    bd_state *state = bd_state_get(module);
    bd_layout layout;
    if (bd_layout_parse(state, in, &layout))
        return NULL;
    PyObject *array = make(state, kind, &layout, in[3], zero);
    bd_layout_clear(&layout);
    return array;
}

static PyObject *empty_like(PyObject *module, PyObject **in, const kind *kind, int zero)
{
    if (!PyArray_Check(in[0])) {
        PyErr_Format(PyExc_TypeError, "array: expected numpy.ndarray, got %s",
                     Py_TYPE(in[0])->tp_name);
        return NULL;
    }
    PyArrayObject *model = (PyArrayObject *)in[0];
    bd_layout layout = {.shape = {PyArray_DIMS(model), PyArray_NDIM(model)},
                        .dtype = PyArray_DESCR(model), /* both borrowed */
                        .bytes = PyArray_NBYTES(model)};
    if (refuse_objects(layout.dtype))
        return NULL;
    layout.bytes += layout.bytes == 0;
    layout.fortran = !PyArray_IS_C_CONTIGUOUS(model);
    if (layout.fortran && !PyArray_IS_F_CONTIGUOUS(model)) {
        PyErr_SetString(PyExc_ValueError, "could not detect array order");
        return NULL;
    }
    return make(bd_state_get(module), kind, &layout, in[1], zero);
}

#define FAMILY(kind, last, value, text)                                                \
    BD_METHOD(kind##_empty, 2, 4,                                                      \
              #kind "_empty(shape, dtype, order='C', " last "=" value ")",             \
              "An uninitialised numpy.ndarray in " text)                               \
    {                                                                                  \
        return empty(self, in, &kind, 0);                                              \
    }                                                                                  \
    BD_METHOD(kind##_zeros, 2, 4,                                                      \
              #kind "_zeros(shape, dtype, order='C', " last "=" value ")",             \
              "A numpy.ndarray of zeros in " text)                                     \
    {                                                                                  \
        return empty(self, in, &kind, 1);                                              \
    }                                                                                  \
    BD_METHOD(                                                                         \
        kind##_empty_like, 1, 2, #kind "_empty_like(array, " last "=" value ")",       \
        "An uninitialised array of the shape, dtype and order of another, in " text)   \
    {                                                                                  \
        return empty_like(self, in, &kind, 0);                                         \
    }                                                                                  \
    BD_METHOD(kind##_zeros_like, 1, 2, #kind "_zeros_like(array, " last "=" value ")", \
              "Zeros of the shape, dtype and order of another array, in " text)        \
    {                                                                                  \
        return empty_like(self, in, &kind, 1);                                         \
    }

FAMILY(pagelocked, "mem_flags", "0",
       "page-locked host memory: copies to and from it can be asynchronous. mem_flags: "
       "host_alloc_flags. CUDA: "
       "cuMemHostAlloc.")
FAMILY(aligned, "alignment", "4096",
       "host memory that starts at a multiple of `alignment` bytes, a power of two.")
FAMILY(managed, "mem_flags", "0",
       "memory that host and device share. mem_flags: mem_attach_flags; 0 means "
       "GLOBAL. CUDA: cuMemAllocManaged.")

/* -- Objects that own it
 * -------------------------------------------------------------------- */

static PyObject *data_get(PyObject *self)
{
    if (SELF(self)->freed)
        return bd_raise_because(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                                "HostPointer", "the memory was freed");
    return Py_None;
}

BD_METHOD(host_get_device_pointer, 0, 0, "get_device_pointer($self)",
          "The address under which kernels reach this memory. CUDA: "
          "cuMemHostGetDevicePointer.")
{
    CUdeviceptr pointer;
    if (!data_get(self) || bd_context_check(CONTEXT(self)) ||
        BD_CALL(bd_state_from(self), cuMemHostGetDevicePointer, &pointer,
                SELF(self)->data, 0))
        return NULL;
    return PyLong_FromUnsignedLongLong(pointer);
}

static PyMethodDef host_pointer_methods[] = {
    BD_ROW("get_device_pointer", host_get_device_pointer),
    {NULL},
};

static PyType_Slot HOST_POINTER_slots[] = {
    BD_SLOTS("Host memory that the device can reach."),
    BD_NO_INIT,
    {Py_tp_methods, host_pointer_methods},
    {0, NULL},
};

BD_SPEC(HOST_POINTER, "HostPointer", host_memory);

static void pagelocked_finalize(PyObject *self)
{
    if (SELF(self)->data && !SELF(self)->freed)
        BD_RELEASE(self, cuMemFreeHost, SELF(self)->data);
    SELF(self)->freed = 1;
}

BD_METHOD(pagelocked_free, 0, 0, "free($self)",
          "Frees the memory now: arrays over it must not be used any more. LogicError "
          "the second time. CUDA: "
          "cuMemFreeHost.")
{
    if (SELF(self)->freed)
        return bd_raise(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                        "pagelocked_host_allocation::free");
    pagelocked_finalize(self);
    Py_RETURN_NONE;
}

BD_METHOD(pagelocked_get_flags, 0, 0, "get_flags($self)",
          "The host_alloc_flags it was made with. CUDA: cuMemHostGetFlags.")
{
    unsigned flags;
    if (!data_get(self) || bd_context_check(CONTEXT(self)) ||
        BD_CALL(bd_state_from(self), cuMemHostGetFlags, &flags, SELF(self)->data))
        return NULL;
    return PyLong_FromUnsignedLong(flags);
}

static PyMethodDef pagelocked_methods[] = {
    BD_ROW("free", pagelocked_free),
    BD_ROW("get_flags", pagelocked_get_flags),
    {NULL},
};

static PyType_Slot PAGELOCKED_ALLOCATION_slots[] = {
    BD_SLOTS("Page-locked memory: the base of arrays from pagelocked_empty."),
    BD_NO_INIT,
    {Py_tp_methods, pagelocked_methods},
    {Py_tp_finalize, pagelocked_finalize},
    {0, NULL},
};

BD_SPEC(PAGELOCKED_ALLOCATION, "PagelockedHostAllocation", host_memory);

static void aligned_finalize(PyObject *self)
{
    if (!SELF(self)->freed)
        free(SELF(self)->data);
    SELF(self)->freed = 1;
}

BD_METHOD(aligned_free, 0, 0, "free($self)",
          "Frees the memory now: arrays over it must not be used any more. LogicError "
          "the second time.")
{
    if (SELF(self)->freed)
        return bd_raise(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                        "aligned_host_allocation::free");
    aligned_finalize(self);
    Py_RETURN_NONE;
}

static PyMethodDef aligned_methods[] = {
    BD_ROW("free", aligned_free),
    {NULL},
};

static PyType_Slot ALIGNED_ALLOCATION_slots[] = {
    BD_SLOTS("Aligned pageable memory: the base of arrays from aligned_empty."),
    BD_NO_INIT,
    {Py_tp_methods, aligned_methods},
    {Py_tp_finalize, aligned_finalize},
    {0, NULL},
};

BD_SPEC(ALIGNED_ALLOCATION, "AlignedHostAllocation", host_memory);

static void registered_finalize(PyObject *self)
{
    if (SELF(self)->data && !SELF(self)->freed)
        BD_RELEASE(self, cuMemHostUnregister, SELF(self)->data);
    SELF(self)->freed = 1;
}

BD_METHOD(registered_unregister, 0, 0, "unregister($self)",
          "Makes the memory ordinary again; LogicError the second time. CUDA: "
          "cuMemHostUnregister.")
{
    if (SELF(self)->freed)
        return bd_raise(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                        "registered_host_memory::unregister");
    registered_finalize(self);
    Py_RETURN_NONE;
}

static PyObject *registered_base(PyObject *self, void *closure)
{
    PyObject *array = SELF(self)->base.parent;
    return Py_NewRef(array ? array : Py_None);
}

static PyMethodDef registered_methods[] = {
    BD_ROW("unregister", registered_unregister),
    {NULL},
};

static PyGetSetDef registered_getset[] = {
    {"base", registered_base, NULL, "The array whose memory is registered."},
    {NULL},
};

static PyType_Slot REGISTERED_MEMORY_slots[] = {
    BD_SLOTS("Registered memory: the base of arrays from register_host_memory."),
    BD_NO_INIT,
    {Py_tp_methods, registered_methods},
    {Py_tp_getset, registered_getset},
    {Py_tp_finalize, registered_finalize},
    {0, NULL},
};

BD_SPEC(REGISTERED_MEMORY, "RegisteredHostMemory", host_memory);

BD_METHOD(register_host_memory, 1, 2, "register_host_memory(ary, flags=0)",
          "An array over the memory of `ary`, a contiguous numpy.ndarray, which is "
          "page-locked as long as the result (its "
          "base, a RegisteredHostMemory) lives. flags: mem_host_register_flags. CUDA: "
          "cuMemHostRegister.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context = bd_context_current(state);
    unsigned flags = 0;
    if (!context || bd_flags(in[1], "flags", &flags))
        return NULL;
    int is_array = PyArray_Check(in[0]);
    PyArrayObject *array = (PyArrayObject *)in[0];
    if (!is_array ||
        !(PyArray_IS_C_CONTIGUOUS(array) || PyArray_IS_F_CONTIGUOUS(array)))
        return bd_raise_because(state, CUDA_ERROR_INVALID_VALUE, "register_host_memory",
                                is_array ? "ary argument is not contiguous"
                                         : "ary argument is not a numpy array");
    host_memory *memory = bd_object_new(state, BD_REGISTERED_MEMORY, context, in[0]);
    if (!memory)
        return NULL;
    memory->size = PyArray_NBYTES(array);
    if (BD_CALL(state, cuMemHostRegister, PyArray_DATA(array), memory->size, flags)) {
        Py_DECREF(memory);
        return NULL;
    }
    memory->data = PyArray_DATA(array);
    bd_layout layout = {.shape = {PyArray_DIMS(array), PyArray_NDIM(array)},
                        .dtype = PyArray_DESCR(array),
                        .fortran = !PyArray_IS_C_CONTIGUOUS(array)};
    return bd_layout_array(&layout, memory->data, (PyObject *)memory);
}

PyMethodDef bd_host_methods[] = {
    BD_ROW("pagelocked_empty", pagelocked_empty),
    BD_ROW("pagelocked_zeros", pagelocked_zeros),
    BD_ROW("pagelocked_empty_like", pagelocked_empty_like),
    BD_ROW("pagelocked_zeros_like", pagelocked_zeros_like),
    BD_ROW("aligned_empty", aligned_empty),
    BD_ROW("aligned_zeros", aligned_zeros),
    BD_ROW("aligned_empty_like", aligned_empty_like),
    BD_ROW("aligned_zeros_like", aligned_zeros_like),
    BD_ROW("managed_empty", managed_empty),
    BD_ROW("managed_zeros", managed_zeros),
    BD_ROW("managed_empty_like", managed_empty_like),
    BD_ROW("managed_zeros_like", managed_zeros_like),
    BD_ROW("register_host_memory", register_host_memory),
    {NULL},
};
