/* Device memory that Python objects own: DeviceAllocation, ManagedAllocation, and the
   functions that make them. Memory is freed with the last reference, under its own
   context, in whichever thread that happens. */
#include "memory.h"

typedef bd_device_pointer allocation;

#define SELF(self) ((allocation *)(self))
#define CONTEXT(self) (((bd_object *)(self))->context)

void bd_memory_reclaim(bd_state *state, bd_context *context)
{
    PyObject *done = state->collect ? PyObject_CallNoArgs(state->collect) : NULL;
    Py_XDECREF(done);
    PyErr_Clear();
    bd_pool_free_held(context->pool, context);
}

/* A DeviceAllocation or ManagedAllocation that owns `pointer`, which is freed if that
 * fails. */
static PyObject *wrap(bd_state *state, int type, bd_context *context,
                      CUdeviceptr pointer, size_t bytes)
{
    allocation *self = bd_object_new(state, type, context, NULL);
    if (!self) {
        cu.cuMemFree(pointer);
        return NULL;
    }
    self->pointer = pointer;
    self->size = bytes;
    return (PyObject *)self;
}

PyObject *bd_device_allocate(bd_state *state, size_t bytes, CUdeviceptr *pointer)
{
    bd_context *context = bd_context_current(state);
    if (!context ||
        bd_check(state, BD_WITH_RETRY(state, context, cu.cuMemAlloc(pointer, bytes)),
                 "cuMemAlloc"))
        return NULL;
    return wrap(state, BD_DEVICE_ALLOCATION, context, *pointer, bytes);
}

PyObject *bd_allocate(bd_state *state, PyObject *allocator, size_t bytes,
                      CUdeviceptr *pointer)
{
    if (!allocator)
        return bd_pool_take(state, bytes, pointer);
    PyObject *size = PyLong_FromSize_t(bytes);
    PyObject *memory = size ? PyObject_CallOneArg(allocator, size) : NULL;
    Py_XDECREF(size);
    if (memory && bd_pointer(state, memory, pointer))
        Py_CLEAR(memory);
    return memory;
}

PyObject *bd_managed_allocate(bd_state *state, size_t bytes, unsigned flags)
{
    bd_context *context = bd_context_current(state);
    CUdeviceptr pointer;
    if (!flags) /* no such flag: the driver's own default */
        flags = CU_MEM_ATTACH_GLOBAL;
    if (!context ||
        bd_check(
            state,
            BD_WITH_RETRY(state, context, cu.cuMemAllocManaged(&pointer, bytes, flags)),
            "cuMemAllocManaged"))
        return NULL;
    return wrap(state, BD_MANAGED_ALLOCATION, context, pointer, bytes);
}

/* -- DeviceAllocation
 * ----------------------------------------------------------------------- */

static void allocation_finalize(PyObject *self)
{
    if (!SELF(self)->freed)
        BD_RELEASE(self, cuMemFree, SELF(self)->pointer);
    SELF(self)->freed = 1;
}

BD_METHOD(allocation_free, 0, 0, "free($self)",
          "Frees the memory now; LogicError the second time. int() still gives the old "
          "address. CUDA: cuMemFree.")
{
    bd_context *context = CONTEXT(self);
    bd_state *state = bd_context_state(context);
    if (SELF(self)->freed)
        return bd_raise_because(state, CUDA_ERROR_INVALID_HANDLE,
                                "device_allocation::free", "it was freed before");
    SELF(self)->freed = 1;
    int entered = bd_context_enter(context);
    if (entered < 0) /* gone with its context */
        Py_RETURN_NONE;
    int failed = BD_CALL_UNLOCKED(state, cuMemFree, SELF(self)->pointer);
    bd_context_leave(context, entered);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(allocation_as_buffer, 1, 2, "as_buffer($self, size, offset=0)",
          "A writable memoryview of `size` bytes. Reading or writing it on the host is "
          "only valid for managed memory "
          "and on the host device.")
{
    CUdeviceptr pointer;
    if (bd_pointer(bd_state_from(self), self, &pointer))
        return NULL;
    return bd_as_buffer(self, pointer, in);
}

static PyMethodDef allocation_methods[] = {
    BD_ROW("free", allocation_free),
    BD_ROW("as_buffer", allocation_as_buffer),
    {NULL},
};

static PyType_Slot DEVICE_ALLOCATION_slots[] = {
    BD_SLOTS("Device memory, freed with the last reference. int() is its address. Made "
             "by mem_alloc and friends."),
    BD_NO_INIT,
    {Py_tp_methods, allocation_methods},
    {Py_tp_finalize, allocation_finalize},
    {Py_nb_int, bd_device_pointer_int},
    {Py_nb_index, bd_device_pointer_int},
    {0, NULL},
};

BD_SPEC(DEVICE_ALLOCATION, "DeviceAllocation", allocation);

/* -- ManagedAllocation
 * ---------------------------------------------------------------------- */

BD_METHOD(managed_get_device_pointer, 0, 0, "get_device_pointer($self)",
          "The address, valid on host and device.")
{
    return bd_device_pointer_int(self);
}

BD_METHOD(managed_attach, 1, 2, "attach($self, mem_flags, stream=None)",
          "Restricts or widens who may touch the memory: mem_attach_flags. CUDA: "
          "cuStreamAttachMemAsync.")
{
    bd_state *state = bd_state_from(self);
    CUdeviceptr pointer;
    CUstream stream;
    unsigned flags = 0;
    if (bd_flags(in[0], "mem_flags", &flags) || bd_stream(state, in[1], &stream) ||
        bd_pointer(state, self, &pointer) ||
        BD_CALL(state, cuStreamAttachMemAsync, stream, pointer, 0, flags))
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef managed_methods[] = {
    BD_ROW("get_device_pointer", managed_get_device_pointer),
    BD_ROW("attach", managed_attach),
    {NULL},
};

static PyType_Slot MANAGED_ALLOCATION_slots[] = {
    BD_SLOTS(
        "Memory that host and device share; the base of arrays from managed_empty."),
    BD_NO_INIT,
    {Py_tp_methods, managed_methods},
    {0, NULL},
};

BD_SPEC(MANAGED_ALLOCATION, "ManagedAllocation", allocation);

/* -- Functions
 * ------------------------------------------------------------------------------ */

BD_METHOD(mem_get_info, 0, 0, "mem_get_info()",
          "(free, total) bytes of the current context's device. CUDA: cuMemGetInfo.")
{
    size_t free, total;
    if (BD_CALL(bd_state_get(self), cuMemGetInfo, &free, &total))
        return NULL;
    return Py_BuildValue("nn", (Py_ssize_t)free, (Py_ssize_t)total);
}

BD_METHOD(mem_alloc, 1, 1, "mem_alloc(bytes)",
          "A DeviceAllocation of that many bytes. MemoryError when the device has no "
          "more, after garbage was "
          "collected. CUDA: cuMemAlloc.")
{
    size_t bytes;
    CUdeviceptr pointer;
    if (bd_size(in[0], "bytes", &bytes))
        return NULL;
    return bd_device_allocate(bd_state_get(self), bytes, &pointer);
}

BD_METHOD(
    mem_alloc_pitch, 3, 3, "mem_alloc_pitch(width, height, access_size)",
    "(DeviceAllocation, pitch) for `height` rows of `width` bytes, each row aligned "
    "for accesses of access_size "
    "(4, 8 or 16) bytes; pitch is the bytes from row to row. CUDA: cuMemAllocPitch.")
{
    bd_state *state = bd_state_get(self);
    bd_context *context = bd_context_current(state);
    size_t width, height, pitch;
    unsigned access = 0;
    CUdeviceptr pointer;
    if (!context || bd_size(in[0], "width", &width) ||
        bd_size(in[1], "height", &height) || bd_flags(in[2], "access_size", &access) ||
        bd_check(
            state,
            BD_WITH_RETRY(state, context,
                          cu.cuMemAllocPitch(&pointer, &pitch, width, height, access)),
            "cuMemAllocPitch"))
        return NULL;
    PyObject *memory =
        wrap(state, BD_DEVICE_ALLOCATION, context, pointer, pitch * height);
    return memory ? Py_BuildValue("Nn", memory, (Py_ssize_t)pitch) : NULL;
}

BD_METHOD(mem_get_address_range, 1, 1, "mem_get_address_range(ptr)",
          "(base, size) of the allocation that the pointer points into. CUDA: "
          "cuMemGetAddressRange.")
{
    bd_state *state = bd_state_get(self);
    CUdeviceptr pointer, base;
    size_t size;
    if (bd_pointer(state, in[0], &pointer) ||
        BD_CALL(state, cuMemGetAddressRange, &base, &size, pointer))
        return NULL;
    return Py_BuildValue("Kn", base, (Py_ssize_t)size);
}

BD_METHOD(mem_alloc_like, 1, 1, "mem_alloc_like(ary)",
          "A DeviceAllocation of ary.nbytes bytes. CUDA: cuMemAlloc.")
{
    PyObject *nbytes = PyObject_GetAttrString(in[0], "nbytes");
    size_t bytes;
    CUdeviceptr pointer;
    int failed = !nbytes || bd_size(nbytes, "ary.nbytes", &bytes);
    Py_XDECREF(nbytes);
    return failed ? NULL : bd_device_allocate(bd_state_get(self), bytes, &pointer);
}

BD_METHOD(to_device, 1, 1, "to_device(buf)",
          "A DeviceAllocation with a copy of a contiguous buffer. CUDA: cuMemAlloc, "
          "cuMemcpyHtoD.")
{
    bd_state *state = bd_state_get(self);
    Py_buffer view;
    CUdeviceptr pointer;
    if (bd_buffer(in[0], &view, 0))
        return NULL;
    PyObject *memory = bd_device_allocate(state, view.len, &pointer);
    if (memory && bd_copy_to_device(state, pointer, view.buf, view.len, 0, NULL))
        Py_CLEAR(memory);
    PyBuffer_Release(&view);
    return memory;
}

BD_METHOD(mem_get_ipc_handle, 1, 1, "mem_get_ipc_handle(devptr)",
          "64 bytes for IPCMemoryHandle in another process. CUDA: cuIpcGetMemHandle.")
{
    bd_state *state = bd_state_get(self);
    CUdeviceptr pointer;
    CUipcMemHandle handle;
    if (bd_pointer(state, in[0], &pointer) ||
        BD_CALL(state, cuIpcGetMemHandle, &handle, pointer))
        return NULL;
    return PyByteArray_FromStringAndSize(handle.reserved, sizeof handle.reserved);
}

PyMethodDef bd_allocation_methods[] = {
    BD_ROW("mem_get_info", mem_get_info),
    BD_ROW("mem_alloc", mem_alloc),
    BD_ROW("mem_alloc_pitch", mem_alloc_pitch),
    BD_ROW("mem_get_address_range", mem_get_address_range),
    BD_ROW("mem_alloc_like", mem_alloc_like),
    BD_ROW("to_device", to_device),
    BD_ROW("mem_get_ipc_handle", mem_get_ipc_handle),
    {NULL},
};
