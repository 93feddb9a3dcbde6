/* Every class whose instances own memory: allocated, managed, pooled, mapped from
   another process, page-locked, aligned, registered. They differ in one table row: how
   the memory is let go and what an error calls that. Memory is released with the last
   reference, under its own context, in whichever thread that happens. */
#include <stdlib.h>
#include "calls.h"
#include "live.h"
#include "memory.h"

typedef struct {
    bd_device_pointer head;
    int type;         /* the row */
    uint64_t foreign; /* stream of a StreamAllocation that `other` is no Stream for */
    bd_live live;
} memory;

#define SELF(self) ((memory *)(self))
#define ADDRESS(self) (SELF(self)->head.pointer)

static CUresult free_aligned(const uint64_t *address)
{
    free((void *)(uintptr_t)*address);
    return CUDA_SUCCESS;
}

static const struct {
    bd_invoker *release;
    const char *entry, *routine; /* of release; of an error about free() */
    int is_pooled;               /* goes back to its pool, as long as there is one */
    int is_of_host;              /* and no device's, too */
    int is_on_host; /* arrays of NumPy's look into it: its context stays for them */
} rows[BD_TYPE_COUNT] = {
    [BD_DEVICE_ALLOCATION] = {BD_ENTRY(cuMemFree), "device_allocation::free"},
    [BD_STREAM_ALLOCATION] = {BD_ENTRY(cuMemFreeAsync), "stream_allocation::free"},
    [BD_MANAGED_ALLOCATION] = {BD_ENTRY(cuMemFree), "device_allocation::free",
                               .is_on_host = 1},
    [BD_POOLED_DEVICE_ALLOCATION] = {BD_ENTRY(cuMemFree),
                                     "pooled_device_allocation::free", .is_pooled = 1},
    [BD_IPC_MEMORY_HANDLE] = {BD_ENTRY(cuIpcCloseMemHandle), "ipc_mem_handle::close"},
    [BD_PAGELOCKED_ALLOCATION] = {BD_ENTRY(cuMemFreeHost),
                                  "pagelocked_host_allocation::free", .is_of_host = 1,
                                  .is_on_host = 1},
    [BD_ALIGNED_ALLOCATION] = {free_aligned, "free", "aligned_host_allocation::free",
                               .is_of_host = 1},
    [BD_REGISTERED_MEMORY] = {BD_ENTRY(cuMemHostUnregister),
                              "registered_host_memory::unregister", .is_of_host = 1},
    [BD_POOLED_HOST_ALLOCATION] = {BD_ENTRY(cuMemFreeHost),
                                   "pooled_host_allocation::free", .is_pooled = 1,
                                   .is_of_host = 1, .is_on_host = 1},
};

void bd_memory_set_stream(PyObject *self, PyObject *stream, CUstream handle)
{
    Py_XSETREF(((py_object *)self)->other, Py_XNewRef(stream));
    SELF(self)->foreign = (uintptr_t)handle;
}

/* A Stream that the collector has finalized already has handle 0: the null stream. */
static uint64_t stream_of(PyObject *self)
{
    PyObject *stream = ((py_object *)self)->other;
    PyTypeObject *class = bd_state_from(self)->type[BD_STREAM];
    return stream && PyObject_TypeCheck(stream, class) ? ((bd_handle *)stream)->handle
                                                       : SELF(self)->foreign;
}

/* self NULL: no object was made for it. */
__attribute__((noinline)) static CUresult release(int type, PyObject *self,
                                                  bd_context *context, uint64_t address)
{
    if (type == BD_ALIGNED_ALLOCATION)
        return free_aligned(&address);
    const uint64_t slots[] = {address, self ? stream_of(self) : 0};
    return bd_invoke_in(context, rows[type].release, slots);
}

/* The parent of a block is the object that owns its pool, or nothing for the context's
 * own pool. */
static bd_pool *pool_of(PyObject *block)
{
    PyObject *owner = ((py_object *)block)->parent;
    return owner ? ((bd_pool_object *)owner)->pool : BD_CONTEXT_OF(block)->pool;
}

PyObject *bd_memory_wrap(bd_state *state, int type, bd_context *context,
                         PyObject *parent, uint64_t address, size_t size)
{
    memory *self = bd_object_new(state, type, context, parent);
    if (!self) {
        if (!rows[type].is_pooled)
            release(type, NULL, context, address);
        return NULL;
    }
    self->type = type;
    self->head.pointer = address;
    self->head.size = size;
    if (rows[type].is_on_host)
        bd_memory_hold(&self->head);
    bd_live_begin(&self->live, &self->head, rows[type].is_of_host);
    return (PyObject *)self;
}

static CUresult let_go(PyObject *self)
{
    SELF(self)->head.freed = 1;
    bd_live_end(&SELF(self)->live);
    int type = SELF(self)->type;
    bd_context *context = BD_CONTEXT_OF(self);
    bd_pool *pool = rows[type].is_pooled ? pool_of(self) : NULL;
    CUresult status =
        pool ? bd_pool_put(pool, context, ADDRESS(self), SELF(self)->head.size)
             : release(type, self, context, ADDRESS(self));
    /* The driver still knows it, and work may use it: the array stays for good. */
    if (status && type == BD_REGISTERED_MEMORY)
        Py_XINCREF(((py_object *)self)->parent);
    if (SELF(self)->head.holds)
        bd_context_release_host(context);
    SELF(self)->head.holds = 0;
    return status;
}

/* Let go already, or an IPCMemoryHandle that was never opened. */
static int is_gone(PyObject *self)
{
    return SELF(self)->head.freed || !SELF(self)->type;
}

static void memory_release(PyObject *self)
{
    CUresult status = is_gone(self) ? 0 : let_go(self);
    if (status)
        bd_report(self, status, rows[SELF(self)->type].entry);
}

static int memory_clear(PyObject *self)
{
    memory_release(self);
    return py_object_clear(self);
}

static void memory_dealloc(PyObject *self)
{
    py_object_dealloc_with(self, memory_dealloc, is_gone(self) ? NULL : memory_release);
}

void bd_memory_note_array(PyObject *owner, PyObject *dtype, int ndim,
                          const Py_ssize_t *shape)
{
    if (Py_TYPE(owner)->tp_dealloc == memory_dealloc)
        bd_live_note_array(&SELF(owner)->live, dtype, ndim, shape);
}

/* The body of free(), close() and unregister(). */
static PyObject *release_now(PyObject *self)
{
    bd_state *state = BD_CONTEXT_OF(self)->state;
    if (SELF(self)->head.freed)
        return bd_raise_because(state, CUDA_ERROR_INVALID_HANDLE,
                                rows[SELF(self)->type].routine, "it was done before");
    if (bd_write_pending(state)) /* results that are computed from it */
        return NULL;
    CUresult status = let_go(self);
    if (status)
        return bd_raise(state, status, rows[SELF(self)->type].entry);
    Py_RETURN_NONE;
}

BD_METHOD(memory_free, 0, 0, "free($self)",
          "Releases the memory now, or gives it back to its pool: nothing may use it "
          "any more. LogicError the second time.")
{
    return release_now(self);
}

BD_METHOD(memory_close, 0, 0, "close($self)",
          "Unmaps the memory. LogicError the second time. CUDA: cuIpcCloseMemHandle.")
{
    return release_now(self);
}

BD_METHOD(memory_unregister, 0, 0, "unregister($self)",
          "Makes the memory ordinary again. LogicError the second time. CUDA: "
          "cuMemHostUnregister.")
{
    return release_now(self);
}

BD_METHOD(as_buffer, 1, 2, "as_buffer($self, size, offset=0)",
          "A writable memoryview of `size` bytes. Reading or writing it on the host is "
          "only valid for managed memory and on the host device.")
{
    bd_state *state = bd_state_from(self);
    CUdeviceptr pointer;
    return bd_pointer(state, self, &pointer)
               ? NULL
               : bd_as_buffer(state, self, pointer, SELF(self)->head.size, in);
}

static Py_ssize_t length(PyObject *self)
{
    return (Py_ssize_t)SELF(self)->head.size;
}

/* -- Device memory -------------------------------------------------------------- */

static PyMethodDef allocation_methods[] = {
    BD_ROW("free", memory_free),
    BD_ROW("as_buffer", as_buffer),
    {NULL},
};

static PyObject *memory_repr(PyObject *self)
{
    const bd_device_pointer *head = &SELF(self)->head;
    const char *state = head->freed ? "freed" : NULL;
    void *address = (void *)(uintptr_t)head->pointer;
    return head->size ? bd_show(self, state, "of %zu bytes at %p", head->size, address)
                      : bd_show(self, state, "at %p", address);
}

BD_CLASS(DEVICE_ALLOCATION, "DeviceAllocation", memory,
         "Device memory, freed with the last reference. int() is its address. Made by "
         "mem_alloc and friends.",
         .methods = allocation_methods, .repr = memory_repr, PY_RELEASE(memory),
         .integer = bd_device_pointer_int);

BD_METHOD(
    stream_allocation_free_async, 0, 1, "free_async($self, stream=None)",
    "Releases the memory when a stream has done what is enqueued so far; None: the "
    "stream it was allocated in. LogicError the second time. CUDA: "
    "cuMemFreeAsync.")
{
    bd_state *state = bd_state_from(self);
    CUstream handle;
    if (in[0] && in[0] != Py_None) {
        if (bd_stream(state, in[0], &handle))
            return NULL;
        bd_memory_set_stream(self, in[0], handle);
    }
    return release_now(self);
}

static PyMethodDef stream_allocation_methods[] = {
    BD_ROW("free_async", stream_allocation_free_async),
    {NULL},
};

BD_CLASS(STREAM_ALLOCATION, "StreamAllocation", memory,
         "Device memory from a MemoryPool; released in its stream with the last "
         "reference, or by free() and free_async(). Made by mem_alloc_async.",
         .methods = stream_allocation_methods);

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
    if (py_flags(in[0], "mem_flags", &flags) || bd_stream(state, in[1], &stream) ||
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

BD_CLASS(MANAGED_ALLOCATION, "ManagedAllocation", memory,
         "Memory that host and device share; the base of arrays from managed_empty.",
         .methods = managed_methods);

static PyMethodDef free_methods[] = {BD_ROW("free", memory_free), {NULL}};

BD_CLASS(POOLED_DEVICE_ALLOCATION, "PooledDeviceAllocation", memory,
         "A block of a DeviceMemoryPool, or of the context's own: a DeviceAllocation "
         "whose len() is the bytes asked for. Goes back to the pool with the last "
         "reference.",
         .methods = allocation_methods, .length = length);

BD_NEW(ipc_new, 1, 2, "IPCMemoryHandle(handle, flags=1)",
       "Device memory of another process, from its mem_get_ipc_handle(). flags: "
       "ipc_mem_flags. CUDA: cuIpcOpenMemHandle.")
{
    unsigned flags = CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS;
    CUipcMemHandle handle;
    bd_context *context;
    if (py_flags(in[1], "flags", &flags) ||
        bd_ipc_bytes(state, in[0], "ipc_mem_handle", &handle) ||
        !(context = bd_context_current(state)))
        return NULL;
    memory *self = py_object_new_of(type, context, NULL);
    if (self && BD_CALL(state, cuIpcOpenMemHandle, &ADDRESS(self), handle, flags))
        Py_CLEAR(self);
    else if (self) {
        self->type = BD_IPC_MEMORY_HANDLE;
        self->head.size = SIZE_MAX; /* the other process knows */
    }
    return (PyObject *)self;
}

static PyMethodDef ipc_methods[] = {BD_ROW("close", memory_close), {NULL}};

BD_CLASS(IPC_MEMORY_HANDLE, "IPCMemoryHandle", memory, ipc_new_doc, .new = ipc_new,
         .methods = ipc_methods, .repr = memory_repr, PY_RELEASE(memory),
         .integer = bd_device_pointer_int);

/* -- Host memory ---------------------------------------------------------------- */

BD_RUN(get_device_pointer, 0, 0, cuMemHostGetDevicePointer, "get_device_pointer($self)",
       "The address under which kernels reach this memory.",
       .passes = {OUT_ADDRESS, PASS_SELF, PASS_CONSTANT})
BD_RUN(get_flags, 0, 0, cuMemHostGetFlags, "get_flags($self)",
       "The host_alloc_flags it was made with.", .passes = {OUT_UINT, PASS_SELF})

static PyMethodDef host_methods[] = {
    BD_ROW("get_device_pointer", get_device_pointer),
    {NULL},
};
static PyMethodDef pagelocked_methods[] = {
    BD_ROW("free", memory_free),
    BD_ROW("get_flags", get_flags),
    {NULL},
};
static PyMethodDef registered_methods[] = {
    BD_ROW("unregister", memory_unregister),
    {NULL},
};
static PyMemberDef registered_members[] = {
    PY_MEMBERS,
    {"base", T_OBJECT, offsetof(py_object, parent), READONLY,
     "The array whose memory is registered."},
    {NULL},
};

BD_CLASS(HOST_POINTER, "HostPointer", memory, "Host memory that the device can reach.",
         .methods = host_methods, .repr = memory_repr, PY_RELEASE(memory));
BD_CLASS(PAGELOCKED_ALLOCATION, "PagelockedHostAllocation", memory,
         "Page-locked memory: the base of arrays from pagelocked_empty.",
         .methods = pagelocked_methods);
BD_CLASS(ALIGNED_ALLOCATION, "AlignedHostAllocation", memory,
         "Aligned pageable memory: the base of arrays from aligned_empty.",
         .methods = free_methods);
BD_CLASS(REGISTERED_MEMORY, "RegisteredHostMemory", memory,
         "Registered memory: the base of arrays from register_host_memory.",
         .methods = registered_methods, .members = registered_members);
BD_CLASS(POOLED_HOST_ALLOCATION, "PooledHostAllocation", memory,
         "A block of a PageLockedMemoryPool: the base of its arrays; len() is the "
         "bytes asked for.",
         .methods = free_methods, .length = length);
