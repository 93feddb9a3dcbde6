/* Host memory for the device's use: page-locked, aligned, registered and managed, all
   of it handed out as NumPy arrays whose base object owns it. One table row a kind; the
   functions of a kind differ in nothing else. */
#include "memory.h"
#include <stdlib.h>
#include <string.h>

/* -- The kinds ------------------------------------------------------------------ */

/* Each gives an address and the class that will own it; `last` is the last argument. */
static CUresult pagelocked_make(size_t bytes, uint64_t last, uint64_t *address)
{
    return cu.cuMemHostAlloc((void **)address, bytes, (unsigned)last);
}

static CUresult managed_make(size_t bytes, uint64_t last, uint64_t *address)
{
    CUdeviceptr pointer = 0;
    unsigned flags = last ? (unsigned)last : CU_MEM_ATTACH_GLOBAL; /* 0 is no flag */
    CUresult status = cu.cuMemAllocManaged(&pointer, bytes, flags);
    *address = pointer;
    return status;
}

static CUresult aligned_make(size_t bytes, uint64_t last, uint64_t *address)
{
    void *data = NULL;
    size_t least = last < sizeof data ? sizeof data : last;
    CUresult status =
        posix_memalign(&data, least, bytes) ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    *address = (uintptr_t)data;
    return status;
}

typedef struct {
    CUresult (*make)(size_t, uint64_t, uint64_t *);
    const char *routine;
    int type;
    uint64_t standard; /* of the last argument */
} kind;

static const kind pagelocked = {pagelocked_make, "cuMemHostAlloc",
                                BD_PAGELOCKED_ALLOCATION},
                  managed = {managed_make, "cuMemAllocManaged", BD_MANAGED_ALLOCATION},
                  aligned = {aligned_make, "aligned_malloc", BD_ALIGNED_ALLOCATION,
                             4096};

static PyObject *make(bd_state *state, const kind *kind, const bd_layout *layout,
                      PyObject *last, int zero)
{
    uint64_t value = kind->standard, address = 0;
    if (last && py_unsigned(last, "the last argument", UINT32_MAX, &value))
        return NULL;
    if (kind->type == BD_ALIGNED_ALLOCATION && (value == 0 || (value & (value - 1))))
        return bd_raise_because(state, CUDA_ERROR_INVALID_VALUE, kind->routine,
                                value ? "alignment must be a power of two"
                                      : "alignment must non-zero");
    bd_context *context = bd_context_hold(state);
    PyObject *memory = NULL;
    if (context && !bd_check(state,
                             BD_WITH_RETRY(state, context,
                                           kind->make(layout->bytes, value, &address)),
                             kind->routine)) {
        if (zero)
            memset((void *)(uintptr_t)address, 0, layout->bytes);
        memory =
            bd_memory_wrap(state, kind->type, context, NULL, address, layout->bytes);
    }
    Py_XDECREF((PyObject *)context);
    return memory ? bd_layout_array(layout, memory) : NULL;
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
    if (bd_refuse_objects(layout.dtype))
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
       "host_alloc_flags. CUDA: cuMemHostAlloc.")
FAMILY(aligned, "alignment", "4096",
       "host memory that starts at a multiple of `alignment` bytes, a power of two.")
FAMILY(managed, "mem_flags", "0",
       "memory that host and device share. mem_flags: mem_attach_flags; 0 means "
       "GLOBAL. CUDA: cuMemAllocManaged.")

BD_METHOD(register_host_memory, 1, 2, "register_host_memory(ary, flags=0)",
          "An array over the memory of `ary`, a contiguous numpy.ndarray, which is "
          "page-locked as long as the result (its base, a RegisteredHostMemory) lives. "
          "flags: mem_host_register_flags. CUDA: cuMemHostRegister.")
{
    bd_state *state = bd_state_get(self);
    unsigned flags = 0;
    if (py_flags(in[1], "flags", &flags))
        return NULL;
    int is_array = PyArray_Check(in[0]);
    PyArrayObject *array = (PyArrayObject *)in[0];
    if (!is_array ||
        !(PyArray_IS_C_CONTIGUOUS(array) || PyArray_IS_F_CONTIGUOUS(array)))
        return bd_raise_because(state, CUDA_ERROR_INVALID_VALUE, "register_host_memory",
                                is_array ? "ary argument is not contiguous"
                                         : "ary argument is not a numpy array");
    if (bd_refuse_objects(PyArray_DESCR(array)))
        return NULL;
    void *data = PyArray_DATA(array);
    size_t bytes = PyArray_NBYTES(array);
    bd_context *context = bd_context_hold(state);
    PyObject *memory = NULL;
    if (context && !BD_CALL(state, cuMemHostRegister, data, bytes, flags))
        memory = bd_memory_wrap(state, BD_REGISTERED_MEMORY, context, in[0],
                                (uintptr_t)data, bytes);
    Py_XDECREF((PyObject *)context);
    bd_layout layout = {.shape = {PyArray_DIMS(array), PyArray_NDIM(array)},
                        .dtype = PyArray_DESCR(array),
                        .fortran = !PyArray_IS_C_CONTIGUOUS(array)};
    return memory ? bd_layout_array(&layout, memory) : NULL;
}

BD_METHOD(
    fixed, 1, 1, "_fixed(object)",
    "A list or tuple with copies of all lists in it, anything else as it is: NumPy "
    "reads on in a list that an item shortens.")
{
    return py_fixed(in[0]);
}

PyMethodDef bd_host_methods[] = {
    BD_ROW("_fixed", fixed),
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
