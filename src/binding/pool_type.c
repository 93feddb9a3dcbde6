/* DeviceMemoryPool and PageLockedMemoryPool, which own a pool each, and blocks of them
   and of contexts' own pools. */
#include "memory.h"

#define POOL(self) (((bd_pool_object *)(self))->pool)

static PyObject *pool_new(PyTypeObject *type, int on_host, unsigned flags)
{
    bd_context *context = bd_context_current(bd_state_of(type));
    bd_pool_object *self = context ? py_object_new_of(type, context, NULL) : NULL;
    if (self && !(self->pool = bd_pool_create(on_host, flags)))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void pool_release(PyObject *self)
{
    bd_pool *pool = POOL(self);
    int entered = pool ? bd_context_enter(BD_CONTEXT_OF(self)) : -1;
    POOL(self) = NULL;
    bd_pool_destroy(pool, entered >= 0);
    bd_context_leave(BD_CONTEXT_OF(self), entered);
}

static void stop(PyObject *self)
{
    POOL(self)->stopped = 1;
    bd_pool_free_held(POOL(self), BD_CONTEXT_OF(self));
}

/* Blocks that the collector clears later give their memory back to the pool, which ends
   with its owner. */
static int pool_clear(PyObject *self)
{
    if (POOL(self))
        stop(self);
    return py_object_clear(self);
}

static void pool_dealloc(PyObject *self)
{
    py_object_dealloc_with(self, pool_dealloc, pool_release);
}

static PyObject *block_new(int type, bd_pool *pool, bd_context *context,
                           PyObject *owner, size_t bytes)
{
    uint64_t block;
    if (bd_pool_allocate(pool, context, bytes, &block))
        return NULL;
    PyObject *self = bd_memory_wrap(context->state, type, context, owner, block, bytes);
    if (!self)
        bd_pool_put(pool, context, block, bytes);
    return self;
}

PyObject *bd_pool_take_of(bd_context *context, size_t bytes, CUdeviceptr *pointer)
{
    PyObject *self = NULL;
    if (context->pool || (context->pool = bd_pool_create(0, 0)))
        self =
            block_new(BD_POOLED_DEVICE_ALLOCATION, context->pool, context, NULL, bytes);
    if (self)
        *pointer = ((bd_device_pointer *)self)->pointer;
    return self;
}

PyObject *bd_pool_take(bd_state *state, size_t bytes, CUdeviceptr *pointer)
{
    bd_context *context = bd_context_hold(state);
    PyObject *self = context ? bd_pool_take_of(context, bytes, pointer) : NULL;
    Py_XDECREF((PyObject *)context);
    return self;
}

static PyObject *statistic(PyObject *self, void *offset)
{
    return PyLong_FromLongLong(*(int64_t *)((char *)POOL(self) + (size_t)offset));
}

#define STATISTIC(name, text) \
    {#name, statistic, NULL, text, (void *)offsetof(bd_pool, name)}
static PyGetSetDef pool_getset[] = {
    STATISTIC(held_blocks, "Idle blocks kept for reuse."),
    STATISTIC(active_blocks, "Blocks in use."),
    STATISTIC(managed_bytes, "Bytes of all blocks, idle and in use."),
    STATISTIC(active_bytes, "Bytes asked for by blocks in use."),
    {NULL},
};

BD_METHOD(bin_number, 1, 1, "bin_number($type, size)",
          "The bin that blocks for `size` bytes come from.")
{
    size_t size;
    return py_size(in[0], "size", &size) ? NULL : PyLong_FromLong(bd_pool_bin(size));
}

BD_METHOD(alloc_size, 1, 1, "alloc_size($type, bin)",
          "The bytes of a block of that bin.")
{
    uint64_t bin;
    return py_unsigned(in[0], "bin", BD_POOL_BINS - 1, &bin)
               ? NULL
               : PyLong_FromUnsignedLongLong(bd_pool_bin_size((unsigned)bin));
}

BD_METHOD(free_held, 0, 0, "free_held($self)", "Frees all idle blocks.")
{
    bd_pool_free_held(POOL(self), BD_CONTEXT_OF(self));
    Py_RETURN_NONE;
}

BD_METHOD(stop_holding, 0, 0, "stop_holding($self)",
          "Frees all idle blocks, and from now on every block that comes back.")
{
    stop(self);
    Py_RETURN_NONE;
}

#define POOL_ROWS                                                                   \
    BD_ROW_CLASS("bin_number", bin_number), BD_ROW_CLASS("alloc_size", alloc_size), \
        BD_ROW("free_held", free_held), BD_ROW("stop_holding", stop_holding)

/* Arguments are for __init__ of derived classes. */
static PyObject *device_pool_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return pool_new(type, 0, 0);
}

BD_METHOD(
    device_allocate, 1, 1, "allocate($self, size)",
    "A PooledDeviceAllocation of at least `size` bytes; MemoryError when even freeing "
    "all idle blocks gives too little. CUDA: cuMemAlloc, when no idle block fits.")
{
    size_t size;
    return py_size(in[0], "size", &size)
               ? NULL
               : block_new(BD_POOLED_DEVICE_ALLOCATION, POOL(self), BD_CONTEXT_OF(self),
                           self, size);
}

static PyMethodDef device_pool_methods[] = {
    BD_ROW("allocate", device_allocate),
    POOL_ROWS,
    {NULL},
};

static PyObject *pool_repr(PyObject *self)
{
    const bd_pool *pool = POOL(self);
    return bd_show(self, pool->stopped ? "holds no more" : NULL,
                   "in use: %lld (%lld bytes), idle: %lld, %lld bytes in all",
                   (long long)pool->active_blocks, (long long)pool->active_bytes,
                   (long long)pool->held_blocks, (long long)pool->managed_bytes);
}

static PyObject *allocator_repr(PyObject *self)
{
    return bd_show(self, NULL, "flags %u", (unsigned)((bd_handle *)self)->handle);
}

BD_CLASS(DEVICE_POOL, "DeviceMemoryPool", bd_pool_object,
         "DeviceMemoryPool()\n--\n\nKeeps freed device memory of the current context "
         "for reuse; its method allocate serves as `allocator` of GPUArrays.",
         .new = device_pool_new, .methods = device_pool_methods, .getset = pool_getset,
         .repr = pool_repr, PY_RELEASE(pool));

/* How a PageLockedMemoryPool allocates: `handle` holds the flags. */
BD_NEW(allocator_new, 0, 1, "PageLockedAllocator(flags=0)",
       "Says how a PageLockedMemoryPool allocates. flags: host_alloc_flags.")
{
    unsigned flags = 0;
    if (py_flags(in[0], "flags", &flags))
        return NULL;
    bd_handle *self = py_object_new_of(type, NULL, NULL);
    if (self)
        self->handle = flags;
    return (PyObject *)self;
}

BD_CLASS(PAGELOCKED_ALLOCATOR, "PageLockedAllocator", bd_handle, allocator_new_doc,
         .new = allocator_new, .repr = allocator_repr);

BD_NEW(host_pool_new, 0, 1, "PageLockedMemoryPool(allocator=None)",
       "Keeps freed page-locked host memory for reuse. allocator: a "
       "PageLockedAllocator.")
{
    int given = in[0] && in[0] != Py_None;
    if (given && bd_instance(state, in[0], BD_PAGELOCKED_ALLOCATOR, "allocator"))
        return NULL;
    return pool_new(type, 1, given ? (unsigned)((bd_handle *)in[0])->handle : 0);
}

BD_METHOD(host_allocate, 2, 3, "allocate($self, shape, dtype, order='C')",
          "An uninitialised numpy.ndarray in page-locked memory, whose base is a "
          "PooledHostAllocation. CUDA: cuMemHostAlloc, when no idle block fits.")
{
    bd_context *context = BD_CONTEXT_OF(self);
    bd_layout layout;
    if (bd_layout_parse(context->state, in, &layout))
        return NULL;
    PyObject *memory =
        block_new(BD_POOLED_HOST_ALLOCATION, POOL(self), context, self, layout.bytes);
    PyObject *array = memory ? bd_layout_array(&layout, memory) : NULL;
    bd_layout_clear(&layout);
    return array;
}

static PyMethodDef host_pool_methods[] = {
    BD_ROW("allocate", host_allocate),
    POOL_ROWS,
    {NULL},
};

BD_CLASS(HOST_POOL, "PageLockedMemoryPool", bd_pool_object, host_pool_new_doc,
         .new = host_pool_new, .methods = host_pool_methods, .getset = pool_getset,
         .repr = pool_repr, PY_RELEASE(pool));

BD_METHOD(bitlog2, 1, 1, "bitlog2(n)",
          "The position of the highest bit: floor(log2(n)), and 0 for 0.")
{
    uint64_t n;
    return py_unsigned(in[0], "n", UINT64_MAX, &n) ? NULL
                                                   : PyLong_FromLong(bd_pool_log2(n));
}

PyMethodDef bd_pool_methods[] = {
    BD_ROW("bitlog2", bitlog2),
    {NULL},
};
