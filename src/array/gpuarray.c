/* The type GPUArray: how instances come to be and end, and their attributes. Memory is
   owned by a Python object in `parent` (an allocation, a block of a pool, whatever the
   allocator returned) or, in a view, by the array behind it. An instance that a
   subclass did not initialise is an empty array, so that no method meets half of one.
 */
#include "array.h"
#include <string.h>

/* -- Making --------------------------------------------------------------------- */

static void array_dealloc(PyObject *self);

/* Subclasses have another tp_dealloc, but GPUArray among their bases. */
int ar_check(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    while (type && type->tp_dealloc != array_dealloc)
        type = type->tp_base;
    return type != NULL;
}

ar_array *ar_expect(PyObject *object, const char *what)
{
    if (ar_check(object))
        return AR(object);
    PyErr_Format(PyExc_TypeError, "%s: expected a GPUArray, got %s", what,
                 Py_TYPE(object)->tp_name);
    return NULL;
}

ar_array *ar_expect_numbers(PyObject *object, const char *what)
{
    ar_array *array = ar_expect(object, what);
    if (!array || array->type)
        return array;
    PyErr_Format(PyExc_TypeError, "%s: dtype %S is nothing to compute with", what,
                 array->dtype);
    return NULL;
}

static ar_array *blank(PyTypeObject *type, PyArray_Descr *dtype)
{
    ar_array *self = AR(type->tp_alloc(type, 0));
    if (self) {
        Py_INCREF(dtype);
        self->dtype = dtype;
    }
    return self;
}

int ar_address(ar_array *array, CUdeviceptr *address)
{
    return bd_pointer(bd_state_from(array), (PyObject *)array, address);
}

static void set_layout(ar_array *self, int ndim, const npy_intp *shape,
                       const npy_intp *strides)
{
    self->ndim = ndim;
    if (ndim) /* else there may be none */
        memcpy(self->shape, shape, ndim * sizeof *shape);
    if (strides)
        memcpy(self->strides, strides, ndim * sizeof *strides);
    else
        ar_strides_fill(self->strides, ndim, shape, AR_ITEMSIZE(self), 'C');
    ar_layout_note(self);
}

static void set_context(ar_array *self, bd_context *context)
{
    self->head.base.context = (bd_context *)Py_NewRef((PyObject *)context);
}

int ar_check_dtype(PyArray_Descr *dtype)
{
    if (PyDataType_REFCHK(dtype)) {
        PyErr_Format(PyExc_TypeError,
                     "dtype %S holds Python objects, which cannot live "
                     "in device memory",
                     dtype);
        return -1;
    }
    if (PyDataType_HASSUBARRAY(dtype)) {
        PyErr_Format(PyExc_TypeError,
                     "dtype %S has a shape of its own; make an array with these axes",
                     dtype);
        return -1;
    }
    return 0;
}

/* Memory for an array whose layout is set. */
static int allocate(bd_state *state, ar_array *self, PyObject *allocator)
{
    if (self->head.size == 0)
        return 0;
    AR_MEMORY(self) =
        bd_allocate(state, allocator, self->head.size, &self->head.pointer);
    return AR_MEMORY(self) ? 0 : -1;
}

ar_array *ar_new(bd_state *state, PyArray_Descr *dtype, int ndim, const npy_intp *shape,
                 const npy_intp *strides, PyObject *allocator)
{
    bd_context *context = bd_context_current(state);
    PyObject *usual = AR_OBJECTS(state)->mem_alloc;
    ar_array *self;
    if (!context || ar_check_dtype(dtype) ||
        ar_check_size(ndim, shape, PyDataType_ELSIZE(dtype)) ||
        !(self = blank(state->array_type, dtype)))
        return NULL;
    set_context(self, context);
    set_layout(self, ndim, shape, strides);
    if (allocator == Py_None)
        allocator = usual;
    if (allocator != usual)
        self->allocator = Py_XNewRef(allocator);
    if (allocate(state, self, allocator))
        Py_CLEAR(self);
    return self;
}

/* A subclass makes its results itself, by PyCUDA's private name; those of other shapes
   are GPUArrays. */
ar_array *ar_like_shape(ar_array *like, PyArray_Descr *dtype, int ndim,
                        const npy_intp *shape, const npy_intp *strides)
{
    bd_state *state = bd_state_from(like);
    if (Py_TYPE(like) == state->array_type || !ar_has_shape(like, ndim, shape))
        return ar_new(state, dtype, ndim, shape, strides, like->allocator);
    PyObject *made = PyObject_CallMethod((PyObject *)like, "_new_like_me", "O", dtype);
    if (!made || (ar_check(made) && ar_has_shape(AR(made), ndim, shape) &&
                  PyArray_EquivTypes(AR(made)->dtype, dtype)))
        return AR(made);
    PyErr_Format(PyExc_TypeError, "%s must make a GPUArray of that shape and dtype",
                 Py_TYPE(like)->tp_name);
    Py_DECREF(made);
    return NULL;
}

ar_array *ar_new_single(ar_array *like, PyArray_Descr *dtype, PyObject *allocator)
{
    return allocator && allocator != Py_None
               ? ar_new(bd_state_from(like), dtype, 0, NULL, NULL, allocator)
               : ar_like_shape(like, dtype, 0, NULL, NULL);
}

ar_array *ar_like(ar_array *like, PyArray_Descr *dtype, char order)
{
    npy_intp strides[AR_MOST_AXES];
    const npy_intp *others = like->strides;
    if (order == 'K' && !(like->order & AR_C))
        ar_strides_like(strides, like->ndim, like->shape, PyDataType_ELSIZE(dtype), 1,
                        &others);
    else
        ar_strides_fill(strides, like->ndim, like->shape, PyDataType_ELSIZE(dtype),
                        order);
    return ar_like_shape(like, dtype, like->ndim, like->shape, strides);
}

static int is_view_of_array(const ar_array *array)
{
    return AR_BASE(array) && ar_check(AR_BASE(array));
}

ar_array *ar_view(ar_array *of, PyArray_Descr *dtype, int ndim, const npy_intp *shape,
                  const npy_intp *strides, npy_intp offset)
{
    bd_state *state = bd_state_from(of);
    ar_array *self = blank(state->array_type, dtype ? dtype : of->dtype);
    if (!self)
        return NULL;
    if (of->head.base.context)
        set_context(self, of->head.base.context);
    set_layout(self, ndim, shape, strides);
    self->head.pointer = self->size ? of->head.pointer + offset : 0;
    self->allocator = Py_XNewRef(of->allocator);
    self->is_view = 1;
    AR_MEMORY(self) = Py_XNewRef(AR_MEMORY(of));
    AR_BASE(self) = Py_NewRef(is_view_of_array(of) ? AR_BASE(of) : (PyObject *)of);
    return self;
}

PyObject *ar_share(ar_array *array)
{
    bd_memory_share(bd_state_from(array), (PyObject *)array);
    return (PyObject *)ar_view(array, NULL, array->ndim, array->shape, array->strides,
                               0);
}

/* -- __new__, __init__ ---------------------------------------------------------- */

static PyObject *array_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const npy_intp empty = 0;
    PyArray_Descr *dtype = PyArray_DescrFromType(NPY_DOUBLE);
    ar_array *self = blank(type, dtype);
    Py_DECREF(dtype);
    if (self)
        set_layout(self, 1, &empty, NULL);
    return (PyObject *)self;
}

static const char array_doc[] =
    "GPUArray(shape, dtype, allocator=None, base=None, gpudata=None, strides=None, "
    "order='C')\n--\n\n"
    "An array in device memory that works like numpy.ndarray. shape: integer or tuple. "
    "allocator: callable(nbytes), default pycuda.driver.mem_alloc; results of "
    "operations come from the same one (by default from a pool of the context). "
    "gpudata: memory to use in place of new memory, which `base` keeps alive. strides "
    "in bytes. order: 'C' or 'F'. The contents are not initialised.";

/* The array as a whole must fit memory allocated for it. */
static int check_strides(const ar_array *self)
{
    npy_intp below, above;
    if (ar_reach(self, &below, &above))
        return -1;
    if (self->size == 0 ||
        (below == 0 && above <= (npy_intp)self->head.size - AR_ITEMSIZE(self)))
        return 0;
    PyErr_SetString(PyExc_ValueError,
                    "strides reach beyond the memory that is allocated for the shape");
    return -1;
}

static int set_memory(bd_state *state, ar_array *self, PyObject *gpudata,
                      PyObject *base, PyObject *allocator)
{
    if (!gpudata) {
        if (base) {
            PyErr_SetString(PyExc_AssertionError, "base is given without gpudata");
            return -1;
        }
        return check_strides(self) ||
                       allocate(state, self,
                                allocator ? allocator : AR_OBJECTS(state)->mem_alloc)
                   ? -1
                   : 0;
    }
    npy_intp below, above;
    if (ar_reach(self, &below, &above) ||
        bd_pointer(state, gpudata, &self->head.pointer))
        return -1;
    AR_MEMORY(self) = Py_NewRef(gpudata);
    AR_BASE(self) = Py_XNewRef(base);
    return 0;
}

static PyObject *given(PyObject *object)
{
    return object == Py_None ? NULL : object;
}

/* What `made` is becomes of `self`, which is empty still. */
static int become(ar_array *self, ar_array *made)
{
    if (self->head.base.context) { /* since the allocator was called */
        PyErr_SetString(PyExc_TypeError, "GPUArray.__init__ was called before");
        return -1;
    }
    Py_INCREF(made->dtype);
    Py_SETREF(self->dtype, made->dtype);
    set_context(self, made->head.base.context);
    AR_MEMORY(self) = Py_XNewRef(AR_MEMORY(made));
    AR_BASE(self) = Py_XNewRef(AR_BASE(made));
    Py_XSETREF(self->allocator, Py_XNewRef(made->allocator));
    self->head.pointer = made->head.pointer;
    set_layout(self, made->ndim, made->shape, made->strides);
    return 0;
}

static int array_init(PyObject *object, PyObject *args, PyObject *kwargs)
{
    enum { SHAPE, DTYPE, ALLOCATOR, BASE, GPUDATA, STRIDES, ORDER, COUNT };
    ar_array *self = AR(object), *made = NULL; /* a whole one, or nothing */
    bd_state *state = bd_state_from(self);
    PyObject *in[COUNT] = {NULL};
    PyArray_Descr *dtype = NULL;
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    int ndim, given_axes, result = -1;
    char order = 'C';
    bd_context *context;
    if (py_parse_tuple(array_doc, 2, COUNT, args, kwargs, in))
        return -1;
    if (self->head.base.context) {
        PyErr_SetString(PyExc_TypeError, "GPUArray.__init__ was called before");
        return -1;
    }
    for (int i = ALLOCATOR; i < COUNT; i++)
        in[i] = given(in[i]);
    if (in[ALLOCATOR] == AR_OBJECTS(state)->mem_alloc)
        in[ALLOCATOR] = NULL;
    if (!PyArray_DescrConverter(in[DTYPE], &dtype) ||
        ar_shape_parse(in[SHAPE], 0, shape, &ndim) ||
        (in[STRIDES] && ar_strides_parse(in[STRIDES], ndim, strides)))
        goto done;
    given_axes = ndim;
    if (ar_dtype_axes(&dtype, shape, &ndim) || ar_check_dtype(dtype) ||
        ar_check_size(ndim, shape, PyDataType_ELSIZE(dtype)) ||
        (in[ORDER] && ar_order_parse(in[ORDER], NULL, &order)))
        goto done;
    if (in[STRIDES]) /* those of the dtype's axes follow */
        ar_strides_fill(strides + given_axes, ndim - given_axes, shape + given_axes,
                        PyDataType_ELSIZE(dtype), 'C');
    else
        ar_strides_fill(strides, ndim, shape, PyDataType_ELSIZE(dtype), order);
    if (!(context = bd_context_current(state)) ||
        !(made = blank(state->array_type, dtype)))
        goto done;
    set_context(made, context);
    set_layout(made, ndim, shape, strides);
    made->allocator = Py_XNewRef(in[ALLOCATOR]);
    if (set_memory(state, made, in[GPUDATA], in[BASE], in[ALLOCATOR]) == 0)
        result = become(self, made);
done:
    Py_XDECREF((PyObject *)made);
    Py_XDECREF(dtype);
    return result;
}

/* -- The end -------------------------------------------------------------------- */

static int array_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(AR(self)->allocator);
    return py_object_traverse(self, visit, arg);
}

static int array_clear(PyObject *self)
{
    Py_CLEAR(AR(self)->allocator);
    return py_object_clear(self);
}

/* As py_object_dealloc, but in a hurry; and arrays whose `base` is an array whose
   `base` is ... do not end in a recursion as deep. */
static void array_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, array_dealloc) if (AR(self)->head.base.weakrefs)
        PyObject_ClearWeakRefs(self);
    array_clear(self);
    Py_XDECREF(AR(self)->dtype);
    Py_XDECREF((PyObject *)AR(self)->head.base.context);
    type->tp_free(self);
    Py_DECREF(type);
    Py_TRASHCAN_END
}

/* -- Attributes ----------------------------------------------------------------- */

static PyObject *get_tuple(PyObject *self, void *offset)
{
    return ar_tuple(AR(self)->ndim, (npy_intp *)((char *)self + (size_t)offset));
}
static PyObject *get_itemsize(PyObject *self, void *closure)
{
    return PyLong_FromSsize_t(AR_ITEMSIZE(AR(self)));
}

static PyObject *get_gpudata(PyObject *self, void *closure)
{
    if (bd_settle(bd_state_from(self)))
        return NULL;
    if (AR_MEMORY(AR(self)) && !AR(self)->is_view)
        return Py_NewRef(AR_MEMORY(AR(self)));
    if (AR(self)->size == 0)
        Py_RETURN_NONE;
    return PyLong_FromUnsignedLongLong(AR(self)->head.pointer);
}

/* Other memory for the same array; it is not looked at how large that is. What views of
   the array look into stays. */
static int set_gpudata(PyObject *self, PyObject *value, void *closure)
{
    bd_state *state = bd_state_from(self);
    CUdeviceptr pointer;
    if (bd_settle(state) || bd_pointer(state, value ? value : Py_None, &pointer))
        return -1;
    AR(self)->head.pointer = pointer;
    AR(self)->is_view = 0;
    Py_XSETREF(AR_MEMORY(AR(self)), Py_NewRef(value));
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

#define FIELD(name, type, field, text) \
    {name, type, offsetof(ar_array, field), READONLY, text}
static PyMemberDef array_members[] = {
    PY_MEMBERS,
    FIELD("dtype", T_OBJECT, dtype, "The numpy.dtype of the elements."),
    FIELD("size", T_PYSSIZET, size, "Number of elements."),
    FIELD("mem_size", T_PYSSIZET, size, "The same."),
    FIELD("ndim", T_INT, ndim, "Number of axes."),
    FIELD("base", T_OBJECT, head.base.other,
          "The array that this is a view of, or None."),
    {NULL},
};

static PyGetSetDef array_getset[] = {
    {"shape", get_tuple, NULL, "Lengths of the axes.",
     (void *)offsetof(ar_array, shape)},
    {"strides", get_tuple, NULL, "Bytes from element to element along each axis.",
     (void *)offsetof(ar_array, strides)},
    {"itemsize", get_itemsize, NULL, "Bytes of an element."},
    {"gpudata", get_gpudata, set_gpudata,
     "What owns the memory; the address in views; None if there are no elements."},
    {"ptr", get_ptr, NULL, "The address of the first element."},
    {"allocator", get_allocator, set_allocator,
     "Where the memory of results comes from."},
    {"flags", get_flags, NULL, "f_contiguous, c_contiguous, and forc: either."},
    {"T", ar_transposed, NULL, "A view with the axes in reverse order."},
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

static PyObject *in_words(PyObject *self, PyObject *(*words)(PyObject *))
{
    PyObject *host = ar_get(AR(self));
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
    PyObject *shape = get_tuple(self, (void *)offsetof(ar_array, shape));
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

static const PyType_Slot own_slots[] = {
    {Py_tp_doc, (void *)array_doc},
    {Py_tp_new, array_new},
    {Py_tp_init, array_init},
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_traverse, array_traverse},
    {Py_tp_clear, array_clear},
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

int ar_array_type_create(bd_state *state, PyObject *module)
{
    enum { OWN = sizeof own_slots / sizeof *own_slots };
    PyType_Slot slots[OWN + 64];
    size_t count = OWN;
    int failed = -1;
    memcpy(slots, own_slots, sizeof own_slots);
    for (const PyType_Slot *slot = ar_number_slots; slot->slot; slot++)
        slots[count++] = *slot;
    slots[count] = (PyType_Slot){0, NULL};
    PyType_Spec spec = {"pycuda.gpuarray.GPUArray", sizeof(ar_array), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                        slots};
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    if (!type)
        return -1;
    for (size_t i = 0; i < sizeof method_lists / sizeof *method_lists; i++)
        if (add_methods(type, method_lists[i]))
            goto done;
    bd_array_register(state, type);
    failed = PyModule_AddType(module, type);
done:
    Py_DECREF(type);
    return failed;
}
