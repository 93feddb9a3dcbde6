/* Device memory from the driver: mem_alloc and its relatives, and what other
   rooms allocate with. Garbage is collected, and the call tried once more, before
   anything is out of memory. */
#include "calls.h"
#include "memory.h"
#include <string.h>

void bd_memory_reclaim(bd_state *state, bd_context *context)
{
    bd_collect_garbage(state);
    bd_pool_free_held(context->pool, context);
}

/* A DeviceAllocation from the driver. */
static PyObject *device_allocate(bd_state *state, size_t bytes, CUdeviceptr *pointer)
{
    bd_context *context = bd_context_hold(state);
    PyObject *memory = NULL;
    if (context &&
        !bd_check(state, BD_WITH_RETRY(state, context, cu.cuMemAlloc(pointer, bytes)),
                  "cuMemAlloc"))
        memory =
            bd_memory_wrap(state, BD_DEVICE_ALLOCATION, context, NULL, *pointer, bytes);
    Py_XDECREF((PyObject *)context);
    return memory;
}

BD_METHOD(mem_get_info, 0, 0, "mem_get_info()",
          "(free, total) bytes of the current context's device. Free is also what the "
          "context keeps of freed arrays: whoever asks for memory gets it. "
          "CUDA: cuMemGetInfo.")
{
    bd_state *state = bd_state_get(self);
    size_t available, total;
    if (BD_CALL(state, cuMemGetInfo, &available, &total))
        return NULL;
    const bd_context *context = bd_context_current(state);
    if (!context)
        return NULL;
    available += bd_pool_held_bytes(context->pool);
    return Py_BuildValue("nn", (Py_ssize_t)available, (Py_ssize_t)total);
}

BD_RUN(mem_get_address_range, 1, 1, cuMemGetAddressRange, "mem_get_address_range(ptr)",
       "(base, size) of the allocation that the pointer points into.",
       .passes = {OUT_ADDRESS, OUT_SIZE, ARG_ADDRESS})
BD_METHOD(mem_get_ipc_handle, 1, 1, "mem_get_ipc_handle(devptr)",
          "64 bytes for IPCMemoryHandle in another process. CUDA: cuIpcGetMemHandle.")
{
    bd_state *state = bd_state_get(self);
    CUipcMemHandle handle;
    CUdeviceptr pointer;
    memset(&handle, 0, sizeof handle);
    if (bd_pointer(state, in[0], &pointer) ||
        BD_CALL(state, cuIpcGetMemHandle, &handle, pointer) ||
        bd_memory_export(state, in[0]))
        return NULL;
    return PyByteArray_FromStringAndSize(handle.reserved, sizeof handle.reserved);
}

BD_METHOD(mem_alloc, 1, 1, "mem_alloc(bytes)",
          "A DeviceAllocation of that many bytes. MemoryError when the device has no "
          "more, after garbage was collected. CUDA: cuMemAlloc.")
{
    size_t bytes;
    CUdeviceptr pointer;
    if (py_size(in[0], "bytes", &bytes))
        return NULL;
    return device_allocate(bd_state_get(self), bytes, &pointer);
}

/* A block that a pool just handed out, and nobody else knows: what is pending can wait.
 */
static int is_new_block(bd_state *state, PyObject *memory)
{
    return memory && Py_REFCNT(memory) == 1 &&
           Py_TYPE(memory) == state->type[BD_POOLED_DEVICE_ALLOCATION];
}

/* Known by its C function, which needs no call then. */
static int is_mem_alloc(PyObject *allocator)
{
    return PyCFunction_Check(allocator) && PyCFunction_GET_FUNCTION(allocator) ==
                                               (PyCFunction)(void (*)(void))mem_alloc;
}

PyObject *bd_allocate(bd_state *state, bd_context *context, PyObject *allocator,
                      size_t bytes, CUdeviceptr *pointer)
{
    if (!allocator)
        return context ? bd_pool_take_of(context, bytes, pointer)
                       : bd_pool_take(state, bytes, pointer);
    if (is_mem_alloc(allocator))
        return device_allocate(state, bytes, pointer);
    PyObject *size = PyLong_FromSize_t(bytes);
    PyObject *memory = size ? PyObject_CallOneArg(allocator, size) : NULL;
    Py_XDECREF(size);
    if (is_new_block(state, memory))
        *pointer = ((bd_device_pointer *)memory)->pointer;
    else if (memory && bd_pointer(state, memory, pointer))
        Py_CLEAR(memory);
    return memory;
}

BD_METHOD(mem_alloc_pitch, 3, 3, "mem_alloc_pitch(width, height, access_size)",
          "(DeviceAllocation, pitch) for `height` rows of `width` bytes, each row "
          "aligned for accesses of access_size (4, 8 or 16) bytes; pitch is the bytes "
          "from row to row. CUDA: cuMemAllocPitch.")
{
    bd_state *state = bd_state_get(self);
    size_t width, height, pitch;
    unsigned access = 0;
    CUdeviceptr pointer;
    if (py_size(in[0], "width", &width) || py_size(in[1], "height", &height) ||
        py_flags(in[2], "access_size", &access))
        return NULL;
    bd_context *context = bd_context_hold(state);
    PyObject *memory = NULL;
    if (context && !bd_check(state,
                             BD_WITH_RETRY(state, context,
                                           cu.cuMemAllocPitch(&pointer, &pitch, width,
                                                              height, access)),
                             "cuMemAllocPitch"))
        memory = bd_memory_wrap(state, BD_DEVICE_ALLOCATION, context, NULL, pointer,
                                pitch * height);
    Py_XDECREF((PyObject *)context);
    return memory ? Py_BuildValue("Nn", memory, (Py_ssize_t)pitch) : NULL;
}

BD_METHOD(mem_alloc_like, 1, 1, "mem_alloc_like(ary)",
          "A DeviceAllocation of ary.nbytes bytes. CUDA: cuMemAlloc.")
{
    PyObject *nbytes = PyObject_GetAttrString(in[0], "nbytes");
    size_t bytes;
    CUdeviceptr pointer;
    int failed = !nbytes || py_size(nbytes, "ary.nbytes", &bytes);
    Py_XDECREF(nbytes);
    return failed ? NULL : device_allocate(bd_state_get(self), bytes, &pointer);
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
    PyObject *memory = device_allocate(state, view.len, &pointer);
    if (memory && bd_copy_to_device(state, pointer, view.buf, view.len, 0, NULL))
        Py_CLEAR(memory);
    PyBuffer_Release(&view);
    return memory;
}

/* How much memory the driver knows from that address on, of the device or of the host;
   0: the address is in none of it. */
static size_t bytes_from(bd_state *state, CUdeviceptr pointer)
{
    CUdeviceptr base = 0;
    size_t bytes = 0;
    if (BD_BRIEFLY(state, cu.cuMemGetAddressRange(&base, &bytes, pointer)) &&
        (BD_BRIEFLY(state,
                    cu.cuPointerGetAttribute(
                        &base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer)) ||
         BD_BRIEFLY(state, cu.cuPointerGetAttribute(
                               &bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer))))
        return 0;
    return base + bytes - pointer;
}

BD_METHOD(as_buffer, 2, 3, "_as_buffer(owner, size, offset=0)",
          "A writable memoryview of `size` bytes at the address that owner stands for.")
{
    bd_state *state = bd_state_get(self);
    CUdeviceptr pointer;
    if (bd_pointer(state, in[0], &pointer))
        return NULL;
    size_t bytes = bytes_from(state, pointer);
    if (!bytes)
        return bd_raise_because(state, CUDA_ERROR_INVALID_VALUE, "as_buffer",
                                "%p is in no memory that the driver knows: allocate "
                                "it, or register it by register_host_memory",
                                (void *)(uintptr_t)pointer);
    return bd_as_buffer(state, in[0], pointer, bytes, in + 1);
}

PyMethodDef bd_allocation_methods[] = {
    BD_ROW("_as_buffer", as_buffer),
    BD_ROW("mem_get_info", mem_get_info),
    BD_ROW("mem_alloc", mem_alloc),
    BD_ROW("mem_alloc_pitch", mem_alloc_pitch),
    BD_ROW("mem_get_address_range", mem_get_address_range),
    BD_ROW("mem_alloc_like", mem_alloc_like),
    BD_ROW("to_device", to_device),
    BD_ROW("mem_get_ipc_handle", mem_get_ipc_handle),
    {NULL},
};
