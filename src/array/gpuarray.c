/* Instances of GPUArray: how they are made, share memory and end. Memory is
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
        self->shape = self->at_hand[0];
        self->strides = self->at_hand[1];
    }
    return self;
}

int ar_address(ar_array *array, CUdeviceptr *address)
{
    return bd_pointer(bd_state_from(array), (PyObject *)array, address);
}

int ar_result_place(ar_array *result, CUstream stream, kn_result_place *to)
{
    to->memory = stream ? NULL : AR_MEMORY(result);
    to->bytes = result->head.size;
    return ar_address(result, &to->result);
}

static int set_layout(ar_array *self, int ndim, const npy_intp *shape,
                      const npy_intp *strides)
{
    if (ar_reserve_axes(self, ndim))
        return -1;
    self->ndim = ndim;
    if (ndim) /* else there may be none */
        memcpy(self->shape, shape, ndim * sizeof *shape);
    if (strides)
        memcpy(self->strides, strides, ndim * sizeof *strides);
    else
        ar_strides_fill(self->strides, ndim, shape, AR_ITEMSIZE(self), 'C');
    ar_layout_note(self);
    return 0;
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
    int is_usual = !allocator || allocator == AR_OBJECTS(state)->mem_alloc;
    if (is_usual && bd_stream_usual(state))
        allocator = state->capture_allocator;
    Py_XINCREF(allocator); /* which may be Python code, and end the capture */
    AR_MEMORY(self) = bd_allocate(state, self->head.base.context, allocator,
                                  self->head.size, &self->head.pointer);
    Py_XDECREF(allocator);
    if (!AR_MEMORY(self))
        return -1;
    bd_memory_note_array(AR_MEMORY(self), (PyObject *)self->dtype, self->ndim,
                         self->shape);
    return 0;
}

/* context: the current one, NULL where the caller has not asked. */
static ar_array *new_in(bd_context *context, bd_state *state, PyArray_Descr *dtype,
                        int ndim, const npy_intp *shape, const npy_intp *strides,
                        PyObject *allocator)
{
    PyObject *usual = AR_OBJECTS(state)->mem_alloc;
    ar_array *self;
    if (!(context || (context = bd_context_current(state))) || ar_check_dtype(dtype) ||
        ar_check_size(ndim, shape, PyDataType_ELSIZE(dtype)) ||
        !(self = blank(state->array_type, dtype)))
        return NULL;
    set_context(self, context);
    if (allocator == Py_None)
        allocator = usual;
    if (allocator != usual)
        self->allocator = Py_XNewRef(allocator);
    if (set_layout(self, ndim, shape, strides) || allocate(state, self, allocator))
        Py_CLEAR(self);
    return self;
}

ar_array *ar_new(bd_state *state, PyArray_Descr *dtype, int ndim, const npy_intp *shape,
                 const npy_intp *strides, PyObject *allocator)
{
    return new_in(NULL, state, dtype, ndim, shape, strides, allocator);
}

/* A subclass makes its results itself, by PyCUDA's private name; those of other shapes
   are GPUArrays. */
ar_array *ar_like_shape(bd_context *context, ar_array *like, PyArray_Descr *dtype,
                        int ndim, const npy_intp *shape, const npy_intp *strides)
{
    bd_state *state = bd_state_from(like);
    if (Py_TYPE(like) == state->array_type || !ar_has_shape(like, ndim, shape))
        return new_in(context, state, dtype, ndim, shape, strides, like->allocator);
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
               : ar_like_shape(NULL, like, dtype, 0, NULL, NULL);
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
    return ar_like_shape(NULL, like, dtype, like->ndim, like->shape, strides);
}

static int is_view_of_array(const ar_array *array)
{
    return AR_BASE(array) && ar_check(AR_BASE(array));
}

static int is_aligned(const ar_array *self, npy_intp alignment)
{
    npy_intp places = (npy_intp)self->head.pointer;
    for (int i = 0; i < self->ndim; i++)
        places |= self->shape[i] == 1 ? 0 : self->strides[i];
    return self->size == 0 || places % alignment == 0;
}

int ar_is_aligned_to_size(const ar_array *array)
{
    return is_aligned(array, AR_ITEMSIZE(array));
}

/* GPUs fault where elements are not as aligned as their dtype says. */
static int check_aligned(const ar_array *self)
{
    npy_intp alignment = PyDataType_ALIGNMENT(self->dtype);
    if (is_aligned(self, alignment))
        return 0;
    PyErr_Format(
        PyExc_ValueError,
        "elements of %S at %p with these strides are not aligned to %zd bytes, "
        "as kernels need them: copy the bytes to an array of their own first",
        self->dtype, (void *)(uintptr_t)self->head.pointer, alignment);
    return -1;
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
    if (set_layout(self, ndim, shape, strides)) {
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    self->head.pointer = self->size ? of->head.pointer + offset : 0;
    self->allocator = Py_XNewRef(of->allocator);
    self->is_view = 1;
    AR_MEMORY(self) = Py_XNewRef(AR_MEMORY(of));
    AR_BASE(self) = Py_NewRef(is_view_of_array(of) ? AR_BASE(of) : (PyObject *)of);
    if (dtype && check_aligned(self))
        Py_CLEAR(self);
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
    if (self && set_layout(self, 1, &empty, NULL))
        Py_CLEAR(self);
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
                      PyObject *base)
{
    if (!gpudata) {
        if (base) {
            PyErr_SetString(PyExc_AssertionError, "base is given without gpudata");
            return -1;
        }
        return check_strides(self) ||
                       allocate(state, self,
                                self->allocator ? self->allocator
                                                : AR_OBJECTS(state)->mem_alloc)
                   ? -1
                   : 0;
    }
    npy_intp below, above;
    if (ar_reach(self, &below, &above) ||
        bd_pointer(state, gpudata, &self->head.pointer) || check_aligned(self))
        return -1;
    AR_MEMORY(self) = Py_NewRef(gpudata);
    AR_BASE(self) = Py_XNewRef(base);
    bd_memory_note_array(gpudata, (PyObject *)self->dtype, self->ndim, self->shape);
    return 0;
}

static PyObject *given(PyObject *object)
{
    return object == Py_None ? NULL : object;
}

/* Makes `self`, which is empty still, what `made` says. `made` has the fields of an
   array, but is no object: nobody meets it before it is whole. */
static int become(ar_array *self, const ar_array *made)
{
    if (self->head.base.context) { /* since the allocator was called */
        PyErr_SetString(PyExc_TypeError, "GPUArray.__init__ was called before");
        return -1;
    }
    if (ar_reserve_axes(self, made->ndim))
        return -1;
    Py_INCREF(made->dtype);
    Py_SETREF(self->dtype, made->dtype);
    set_context(self, made->head.base.context);
    AR_MEMORY(self) = Py_XNewRef(AR_MEMORY(made));
    AR_BASE(self) = Py_XNewRef(AR_BASE(made));
    Py_XSETREF(self->allocator, Py_XNewRef(made->allocator));
    self->head.pointer = made->head.pointer;
    return set_layout(self, made->ndim, made->shape, made->strides);
}

static int array_init(PyObject *object, PyObject *args, PyObject *kwargs)
{
    enum { SHAPE, DTYPE, ALLOCATOR, BASE, GPUDATA, STRIDES, ORDER, COUNT };
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    ar_array *self = AR(object), made = {.shape = shape, .strides = strides};
    bd_state *state = bd_state_from(self);
    PyObject *in[COUNT] = {NULL};
    int given_axes, result = -1;
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
    if (in[ALLOCATOR] != AR_OBJECTS(state)->mem_alloc)
        made.allocator = in[ALLOCATOR];
    if (!PyArray_DescrConverter(in[DTYPE], &made.dtype) ||
        ar_shape_parse(in[SHAPE], 0, shape, &made.ndim) ||
        (in[STRIDES] && ar_strides_parse(in[STRIDES], made.ndim, strides)))
        goto done;
    given_axes = made.ndim;
    if (ar_dtype_axes(&made.dtype, shape, &made.ndim) || ar_check_dtype(made.dtype) ||
        ar_check_size(made.ndim, shape, AR_ITEMSIZE(&made)) ||
        (in[ORDER] && ar_order_parse(in[ORDER], NULL, &order)))
        goto done;
    if (in[STRIDES]) /* those of the dtype's axes follow */
        ar_strides_fill(strides + given_axes, made.ndim - given_axes,
                        shape + given_axes, AR_ITEMSIZE(&made), 'C');
    else
        ar_strides_fill(strides, made.ndim, shape, AR_ITEMSIZE(&made), order);
    if (!(context = bd_context_current(state)))
        goto done;
    set_context(&made, context);
    ar_layout_note(&made);
    if (set_memory(state, &made, in[GPUDATA], in[BASE]) == 0)
        result = become(self, &made);
done:
    Py_XDECREF((PyObject *)made.head.base.context);
    Py_XDECREF(AR_MEMORY(&made));
    Py_XDECREF(AR_BASE(&made));
    Py_XDECREF(made.dtype);
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

static void array_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    array_clear(self);
    Py_XDECREF(AR(self)->dtype);
    Py_XDECREF((PyObject *)AR(self)->head.base.context);
    if (AR(self)->shape != AR(self)->at_hand[0])
        PyMem_Free(AR(self)->shape);
    type->tp_free(self);
    Py_DECREF(type);
}

/* As py_object_dealloc, but in a hurry; and arrays whose `base` is an array whose
   `base` is ... do not end in a recursion as deep. */
static void array_dealloc(PyObject *self)
{
    const py_object *head = &AR(self)->head.base;
    PyObject_GC_UnTrack(self);
    if (!AR(self)->pending && !head->weakrefs && !AR(self)->allocator &&
        py_object_ends_alone(head)) {
        array_free(self);
        return;
    }
    Py_TRASHCAN_BEGIN(self, array_dealloc) if (AR(self)->pending)
        ar_pending_drop(AR(self));
    if (head->weakrefs)
        PyObject_ClearWeakRefs(self);
    array_free(self);
    Py_TRASHCAN_END
}

const PyType_Slot ar_instance_slots[] = {
    {Py_tp_doc, (void *)array_doc},
    {Py_tp_new, array_new},
    {Py_tp_init, array_init},
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_traverse, array_traverse},
    {Py_tp_clear, array_clear},
    {0, NULL},
};
