/* The type GPUArray: its attributes, protocols and tables of methods. It stands on top
   of the files that have these methods; instances are made below, in gpuarray.c. */
#include "array.h"
#include <string.h>

/* -- Attributes ----------------------------------------------------------------- */

static PyObject *get_shape(PyObject *self, void *closure)
{
    return ar_tuple(AR(self)->ndim, AR(self)->shape);
}
static PyObject *get_strides(PyObject *self, void *closure)
{
    return ar_tuple(AR(self)->ndim, AR(self)->strides);
}
static PyObject *get_dtype(PyObject *self, void *closure)
{
    return Py_NewRef((PyObject *)AR(self)->dtype);
}
static PyObject *get_size(PyObject *self, void *closure)
{
    return PyLong_FromSsize_t(AR(self)->size);
}
static PyObject *get_ndim(PyObject *self, void *closure)
{
    return PyLong_FromLong(AR(self)->ndim);
}
static PyObject *get_itemsize(PyObject *self, void *closure)
{
    return PyLong_FromSsize_t(AR_ITEMSIZE(AR(self)));
}

static PyObject *get_gpudata(PyObject *self, void *closure)
{
    if (bd_write_pending(bd_state_from(self)))
        return NULL;
    if (AR_MEMORY(AR(self)) && !AR(self)->is_view)
        return Py_NewRef(AR_MEMORY(AR(self)));
    if (AR(self)->size == 0 || AR(self)->head.freed)
        Py_RETURN_NONE;
    bd_echo_end(bd_state_from(self), AR_MEMORY(AR(self)));
    return PyLong_FromUnsignedLongLong(AR(self)->head.pointer);
}

/* Other memory for the same array; it is not looked at how large that is. None: no
   memory, until the array is given some. What views of the array look into stays. */
static int set_gpudata(PyObject *self, PyObject *value, void *closure)
{
    bd_state *state = bd_state_from(self);
    CUdeviceptr pointer = 0;
    int has_none = value == Py_None;
    value = value ? value : Py_None;
    if (bd_write_pending(state) || (!has_none && bd_pointer(state, value, &pointer)))
        return -1;
    if (bd_pointer_depends(state, value, self)) {
        PyErr_SetString(PyExc_ValueError,
                        "gpudata: the array itself, or one that looks into its memory, "
                        "cannot be its memory");
        return -1;
    }
    AR(self)->head.pointer = pointer;
    AR(self)->head.freed = has_none;
    AR(self)->is_view = 0;
    Py_XSETREF(AR_MEMORY(AR(self)), has_none ? NULL : Py_NewRef(value));
    Py_CLEAR(AR_BASE(AR(self)));
    return 0;
}

static PyObject *get_ptr(PyObject *self, void *closure)
{
    CUdeviceptr address;
    if (AR(self)->size == 0 && (AR(self)->is_view || !AR_MEMORY(AR(self)))) {
        PyErr_SetString(PyExc_AttributeError, "an empty array has no memory");
        return NULL;
    }
    return ar_address(AR(self), &address) ? NULL : PyLong_FromUnsignedLongLong(address);
}

static PyObject *get_allocator(PyObject *self, void *closure)
{
    PyObject *allocator = AR(self)->allocator;
    return Py_NewRef(allocator ? allocator
                               : AR_OBJECTS(bd_state_from(self))->mem_alloc);
}

static int set_allocator(PyObject *self, PyObject *value, void *closure)
{
    PyObject *usual = AR_OBJECTS(bd_state_from(self))->mem_alloc;
    Py_XSETREF(AR(self)->allocator, value == usual ? NULL : Py_XNewRef(value));
    return 0;
}

static PyObject *get_flags(PyObject *self, void *closure)
{
    int order = AR(self)->order;
    PyTypeObject *type = (PyTypeObject *)AR_OBJECTS(bd_state_from(self))->flags_type;
    PyObject *flags = PyStructSequence_New(type);
    if (flags) {
        PyStructSequence_SetItem(flags, 0, PyBool_FromLong(order & AR_F));
        PyStructSequence_SetItem(flags, 1, PyBool_FromLong(order & AR_C));
        PyStructSequence_SetItem(flags, 2, PyBool_FromLong(order));
        PyStructSequence_SetItem(flags, 3, PyBool_FromLong(order == AR_F));
    }
    return flags;
}

/* A grid and block for kernels of one's own; the name is private, but used. */
static PyObject *get_geometry(PyObject *self, void *is_grid)
{
    npy_intp size = AR(self)->size;
    long threads = size < 32 ? 32 : size < 128 ? (size + 31) / 32 * 32 : 128;
    long blocks = size <= threads ? 1 : (size + threads - 1) / threads;
    if (blocks > 65535)
        blocks = 65535;
    return is_grid ? Py_BuildValue("ll", blocks, 1L)
                   : Py_BuildValue("lll", threads, 1L, 1L);
}

/* The Context that the array's memory lies in; of an array without memory, the current
   one. Borrowed; NULL: there is none. */
static bd_context *context_of(PyObject *self)
{
    bd_context *context = AR(self)->head.base.context;
    return context ? context : bd_context_current(bd_state_from(self));
}

static PyObject *get_context(PyObject *self, void *closure)
{
    return Py_XNewRef((PyObject *)context_of(self));
}

static PyObject *get_ordinal(PyObject *self, void *closure)
{
    bd_context *context = context_of(self);
    return context ? PyLong_FromLong(bd_context_device(context)) : NULL;
}

static PyMemberDef array_members[] = {
    PY_MEMBERS,
    {"base", T_OBJECT, offsetof(ar_array, head.base.other), READONLY,
     "The array that this is a view of, or None."},
    {NULL},
};

#define DERIVED(name, get, text) {name, get, ar_set_derived, text, name}
static PyGetSetDef array_getset[] = {
    {"shape", get_shape, ar_set_shape,
     "Lengths of the axes. Others may be set, in the order of the memory."},
    {"strides", get_strides, ar_set_strides,
     "Bytes from element to element along each axis. Others may be set."},
    {"dtype", get_dtype, ar_set_dtype,
     "The numpy.dtype of the elements. Another may be set; the shape stays."},
    DERIVED("size", get_size, "Number of elements."),
    DERIVED("mem_size", get_size, "The same."),
    DERIVED("ndim", get_ndim, "Number of axes."),
    DERIVED("itemsize", get_itemsize, "Bytes of an element."),
    {"gpudata", get_gpudata, set_gpudata,
     "What owns the memory; the address in views; None if there are no elements."},
    {"ptr", get_ptr, NULL, "The address of the first element."},
    {"allocator", get_allocator, set_allocator,
     "Where the memory of results comes from."},
    {"flags", get_flags, NULL,
     "f_contiguous, c_contiguous, forc: either, and fnc: f_contiguous alone."},
    {"T", ar_transposed, NULL, "A view with the axes in reverse order."},
    {"_context", get_context, NULL, "The Context that the memory lies in."},
    {"_ordinal", get_ordinal, NULL, "The number of the device that it lies on."},
    {"_grid", get_geometry, NULL, "A grid for kernels over the elements.", (void *)1},
    {"_block", get_geometry, NULL, "A block for kernels over the elements."},
    {NULL},
};

/* -- Protocols ------------------------------------------------------------------ */

static Py_hash_t array_hash(PyObject *self)
{
    PyErr_SetString(PyExc_TypeError, "GPUArrays are not hashable.");
    return -1;
}

static Py_ssize_t array_length(PyObject *self)
{
    if (AR(self)->ndim)
        return AR(self)->shape[0];
    PyErr_SetString(PyExc_TypeError, "len() of unsized object");
    return -1;
}

/* Of large arrays NumPy shows the edges, and these alone are copied. */
static PyObject *shown(PyObject *self)
{
    enum { FEW = 64 }; /* copied whole at once, whatever NumPy's options say */
    if (AR(self)->size <= FEW)
        return ar_get(AR(self));
    PyObject *module = PyImport_ImportModule("pycuda._interop");
    PyObject *host = module ? PyObject_CallMethod(module, "shown", "O", self) : NULL;
    Py_XDECREF(module);
    return host;
}

static PyObject *in_words(PyObject *self, PyObject *(*words)(PyObject *))
{
    PyObject *host = shown(self);
    PyObject *text = host ? words(host) : NULL;
    Py_XDECREF(host);
    return text;
}
/* Debuggers and tracebacks show arrays whose memory or context is gone, too; str()
   raises, since print() may be where a program learns of a fault. */
static PyObject *array_repr(PyObject *self)
{
    PyObject *text = in_words(self, PyObject_Repr), *type, *reason, *traceback;
    if (text || !(PyErr_ExceptionMatches(PyExc_RuntimeError) ||
                  PyErr_ExceptionMatches(bd_state_from(self)->error[BD_ERROR])))
        return text;
    PyErr_Fetch(&type, &reason, &traceback);
    PyErr_NormalizeException(&type, &reason, &traceback);
    PyObject *shape = get_shape(self, NULL);
    if (shape)
        text = PyUnicode_FromFormat("<%s of %S, shape %S: %S>", Py_TYPE(self)->tp_name,
                                    AR(self)->dtype, shape, reason);
    Py_XDECREF(shape);
    Py_XDECREF(type);
    Py_XDECREF(reason);
    Py_XDECREF(traceback);
    return text;
}
static PyObject *array_str(PyObject *self)
{
    return in_words(self, PyObject_Str);
}

static void describe(PyObject *self, bd_elements *elements)
{
    const ar_array *array = AR(self);
    *elements = (bd_elements){(PyObject *)array->dtype, array->dtype->kind,
                              !array->order, AR_ITEMSIZE(array)};
}

static const PyType_Slot type_slots[] = {
    {Py_tp_getset, array_getset},
    {Py_tp_members, array_members},
    {Py_tp_hash, array_hash},
    {Py_tp_repr, array_repr},
    {Py_tp_str, array_str},
    {Py_mp_length, array_length},
    {Py_sq_length, array_length},
    {Py_sq_item, ar_item},
    {Py_bf_getbuffer, ar_buffer},
    {Py_mp_subscript, ar_subscript},
    {Py_mp_ass_subscript, ar_ass_subscript},
    {0, NULL},
};

static PyMethodDef *const method_lists[] = {
    ar_transfer_methods,
    ar_shape_methods,
    ar_operation_methods,
    ar_dlpack_methods,
};

static int add_methods(PyTypeObject *type, PyMethodDef *row)
{
    for (; row->ml_name; row++) {
        PyObject *method = PyDescr_NewMethod(type, row);
        int failed =
            !method || PyObject_SetAttrString((PyObject *)type, row->ml_name, method);
        Py_XDECREF(method);
        if (failed)
            return -1;
    }
    return 0;
}

/* Appends the slots of a table; 0 if they do not fit. */
static int append(PyType_Slot *slots, size_t *count, size_t most,
                  const PyType_Slot *table)
{
    for (; table->slot && *count + 1 < most; table++)
        slots[(*count)++] = *table;
    slots[*count] = (PyType_Slot){0, NULL};
    return table->slot == 0;
}

int ar_array_type_create(bd_state *state, PyObject *module)
{
    enum { MOST = 96 };
    const PyType_Slot *const tables[] = {type_slots, ar_instance_slots,
                                         ar_number_slots};
    PyType_Slot slots[MOST];
    size_t count = 0;
    int failed = -1;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!append(slots, &count, MOST, tables[i])) {
            PyErr_SetString(PyExc_SystemError, "GPUArray has too many slots");
            return -1;
        }
    PyType_Spec spec = {"pycuda.gpuarray.GPUArray", sizeof(ar_array), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                        slots};
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    if (!type)
        return -1;
    for (size_t i = 0; i < sizeof method_lists / sizeof *method_lists; i++)
        if (add_methods(type, method_lists[i]))
            goto done;
    bd_array_register(state, type, describe);
    failed = PyModule_AddType(module, type);
done:
    Py_DECREF(type);
    return failed;
}
