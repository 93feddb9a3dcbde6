/* Device addresses in Python: the objects that stand for one, views of such memory, and
   the bytes by which another process tells one. */
#include "memory.h"
#include <string.h>

PyObject *bd_device_pointer_int(PyObject *self)
{
    ((bd_device_pointer *)self)->echo = 0;
    return PyLong_FromUnsignedLongLong(((bd_device_pointer *)self)->pointer);
}

int bd_is_device_pointer(bd_state *state, PyObject *object)
{
    PyNumberMethods *number = Py_TYPE(object)->tp_as_number;
    return Py_TYPE(object) == state->array_type ||
           (number && number->nb_index == bd_device_pointer_int) ||
           (state->array_type && PyObject_TypeCheck(object, state->array_type));
}

void bd_array_register(bd_state *state, PyTypeObject *type,
                       void (*describe)(PyObject *array, bd_elements *))
{
    state->describe_array = describe;
    Py_XSETREF(state->array_type, (PyTypeObject *)Py_NewRef((PyObject *)type));
}

PyObject *bd_managed_owner(bd_state *state, PyObject *object)
{
    if (!PyArray_Check(object))
        return NULL;
    while (object && PyArray_Check(object))
        object = PyArray_BASE((PyArrayObject *)object);
    return object && PyObject_TypeCheck(object, state->type[BD_MANAGED_ALLOCATION])
               ? object
               : NULL;
}

/* An attribute if there is one: -1 exception, 0 none, 1 found. */
static int attribute(PyObject *object, const char *name, PyObject **value)
{
    *value = PyObject_GetAttrString(object, name);
    if (*value || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return *value ? 1 : -1;
    PyErr_Clear();
    return 0;
}

/* A number, and no object that knows an address besides. */
static int is_number(PyObject *object)
{
    return PyLong_Check(object) || PyArray_CheckScalar(object) || PyArray_Check(object);
}

/* The address of an object with `__cuda_array_interface__` or `gpudata`; results as
 * above. */
static int from_attribute(bd_state *state, PyObject *object, CUdeviceptr *pointer)
{
    PyObject *value, *data = NULL, *address = NULL;
    int found = attribute(object, "__cuda_array_interface__", &value);
    if (found > 0) {
        data = PyMapping_GetItemString(value, "data");
        address = data ? PySequence_GetItem(data, 0) : NULL;
        found = address && !bd_pointer(state, address, pointer) ? 1 : -1;
    } else if (found == 0 && (found = attribute(object, "gpudata", &value)) > 0) {
        *pointer = 0; /* an empty array has none */
        found = value != Py_None && bd_pointer(state, value, pointer) ? -1 : 1;
    }
    Py_XDECREF(address);
    Py_XDECREF(data);
    Py_XDECREF(value);
    return found;
}

/* What keeps the memory that the object names, if that is another device pointer. */
static PyObject *owner_of(bd_state *state, PyObject *object)
{
    py_object *self = (py_object *)object;
    PyObject *owner = self->parent ? self->parent : self->other;
    return owner && bd_is_device_pointer(state, owner) ? owner : NULL;
}

int bd_pointer_depends(bd_state *state, PyObject *object, PyObject *on)
{
    if (!bd_is_device_pointer(state, object))
        return 0;
    while (object && object != on)
        object = owner_of(state, object);
    return object != NULL;
}

/* Of an object that is not alive. */
__attribute__((cold, noinline)) static int refuse_dead(bd_state *state,
                                                       PyObject *object)
{
    const bd_device_pointer *self = (bd_device_pointer *)object;
    void *address = (void *)(uintptr_t)self->pointer;
    if (self->freed)
        bd_raise_because(state, CUDA_ERROR_INVALID_HANDLE, "device pointer",
                         "%s at %p was freed", Py_TYPE(object)->tp_name, address);
    else
        PyErr_Format(PyExc_RuntimeError,
                     "cannot activate dead context: %s at %p went with it; make it "
                     "again in a new context",
                     Py_TYPE(object)->tp_name, address);
    return -1;
}

/* Whether the device pointer, and for an array the owner of its memory, was not freed
   and has a living context. Who has the address may write what no echo tells of. */
static int check_alive(bd_state *state, PyObject *object)
{
    for (; object; object = owner_of(state, object)) {
        bd_device_pointer *self = (bd_device_pointer *)object;
        self->echo = 0;
        if (self->freed || (self->base.context && self->base.context->dead))
            return refuse_dead(state, object);
    }
    return 0;
}

void bd_memory_hold(bd_device_pointer *self)
{
    self->base.context->host_allocations += !self->holds;
    self->holds = 1;
}

void bd_memory_share(bd_state *state, PyObject *memory)
{
    for (; memory && bd_is_device_pointer(state, memory);
         memory = ((py_object *)memory)->parent) {
        bd_device_pointer *self = (bd_device_pointer *)memory;
        self->shared = 1;
        if (drv_get_info()->is_host && !self->freed && self->base.context &&
            PyObject_TypeCheck(memory, state->type[BD_DEVICE_ALLOCATION]))
            bd_memory_hold(self);
    }
}

int bd_memory_is_private(bd_state *state, PyObject *memory)
{
    return memory &&
           (PyObject_TypeCheck(memory, state->type[BD_POOLED_DEVICE_ALLOCATION]) ||
            PyObject_TypeCheck(memory, state->type[BD_DEVICE_ALLOCATION])) &&
           !((bd_device_pointer *)memory)->shared && !BD_CONTEXT_OF(memory)->exported;
}

int bd_memory_export(bd_state *state, PyObject *object)
{
    bd_context *context = bd_context_current(state);
    if (!context)
        return -1;
    if (bd_is_device_pointer(state, object))
        bd_memory_share(state, object);
    else
        context->exported = 1;
    return 0;
}

int bd_pointer(bd_state *state, PyObject *object, CUdeviceptr *pointer)
{
    PyObject *owner;
    uint64_t value;
    int found;
    if (bd_write_pending(state))
        return -1;
    if (bd_is_device_pointer(state, object)) {
        *pointer = ((bd_device_pointer *)object)->pointer;
        return check_alive(state, object);
    }
    if ((owner = bd_managed_owner(state, object))) {
        *pointer = (uintptr_t)PyArray_DATA((PyArrayObject *)object);
        return check_alive(state, owner);
    }
    int is_index = PyIndex_Check(object) &&
                   !(PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object));
    if (!is_index || !is_number(object)) {
        if (Py_EnterRecursiveCall(" in a device pointer")) /* one may name itself */
            return -1;
        found = from_attribute(state, object, pointer);
        Py_LeaveRecursiveCall();
        if (found && !(found > 0 && is_index && !*pointer))
            return found < 0 ? -1 : 0;
    }
    if (is_index) {
        if (py_unsigned(object, "device pointer", UINT64_MAX, &value))
            return -1;
        *pointer = value;
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "device pointer: expected an allocation, a GPU array, "
                 "PointerHolderBase or an integer, got %s%s",
                 Py_TYPE(object)->tp_name,
                 PyArray_Check(object) ? " (in host memory)" : "");
    return -1;
}

/* A writable view that keeps its owner alive. */
PyObject *bd_as_buffer(bd_state *state, PyObject *owner, CUdeviceptr pointer,
                       size_t bytes, PyObject *const *in)
{
    size_t size, offset = 0;
    if (py_size(in[0], "size", &size) || (in[1] && py_size(in[1], "offset", &offset)))
        return NULL;
    if (offset > bytes || size > bytes - offset)
        return PyErr_Format(PyExc_ValueError,
                            "as_buffer: %zu bytes at %zu are not inside the memory, "
                            "which has %zu",
                            size, offset, bytes);
    npy_intp length = (npy_intp)size;
    PyObject *array = PyArray_SimpleNewFromData(1, &length, NPY_UINT8,
                                                (char *)(uintptr_t)pointer + offset);
    if (!array)
        return NULL;
    PyObject *view = NULL;
    bd_memory_share(state, owner);
    if (PyArray_SetBaseObject((PyArrayObject *)array, Py_NewRef(owner)) == 0)
        view = PyMemoryView_FromObject(array);
    Py_DECREF(array);
    return view;
}

/* -- Memory of another process -------------------------------------------------- */

int bd_ipc_bytes(bd_state *state, PyObject *object, const char *routine, void *handle)
{
    const char *bytes = PyByteArray_Check(object) ? PyByteArray_AS_STRING(object)
                        : PyBytes_Check(object)   ? PyBytes_AS_STRING(object)
                                                  : NULL;
    if (bytes && PyObject_Length(object) == sizeof(CUipcMemHandle)) {
        memcpy(handle, bytes, sizeof(CUipcMemHandle));
        return 0;
    }
    bd_raise_because(state, CUDA_ERROR_INVALID_VALUE, routine, "%s",
                     bytes ? "handle has the wrong size"
                           : "argument is not a bytes array");
    return -1;
}
