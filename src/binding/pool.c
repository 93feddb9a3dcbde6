/* Memory pools: blocks that were freed are held, sorted into bins, and handed out again
   without a driver call. A bin holds blocks of one size; sixteen bins a power of two
   keep the waste under a sixteenth. When the driver has no more, garbage is collected,
   then held blocks are freed one by one, the largest first. A pool is a plain struct,
   owned by a DeviceMemoryPool, a PageLockedMemoryPool or a Context; its blocks keep
   that owner alive. Another thread may end the owner while a driver call is made
   without the GIL, so who makes one holds the pool. */
#include <string.h>
#include "memory.h"

#define MANTISSA 4 /* bits of a size below the leading one that tell bins apart */
#define BINS (64 << MANTISSA)

struct bd_pool {
    struct bin {
        uint64_t *blocks; /* owned */
        uint32_t count, capacity;
    } bins[BINS];
    int holders; /* its owner, and calls under way */
    int on_host;
    int stopped; /* what comes back is freed */
    unsigned flags;
    int64_t held_blocks, active_blocks, managed_bytes, active_bytes;
};

/* -- Bins ----------------------------------------------------------------------- */

static unsigned log2_floor(uint64_t n)
{
    return n ? 63 - (unsigned)__builtin_clzll(n) : 0;
}

static unsigned bin_of(uint64_t size)
{
    unsigned exponent = log2_floor(size);
    uint64_t top = exponent >= MANTISSA ? size >> (exponent - MANTISSA)
                                        : size << (MANTISSA - exponent);
    return exponent << MANTISSA | (top & ((1 << MANTISSA) - 1));
}

/* The last size that falls into the bin. */
static uint64_t bin_size(unsigned bin)
{
    unsigned exponent = bin >> MANTISSA;
    uint64_t head = (1u << MANTISSA) | (bin & ((1 << MANTISSA) - 1));
    if (exponent < MANTISSA)
        return head >> (MANTISSA - exponent);
    unsigned shift = exponent - MANTISSA;
    return head << shift | ((1ull << shift) - 1);
}

static int bin_push(bd_pool *pool, unsigned bin, uint64_t block)
{
    struct bin *at = &pool->bins[bin];
    if (at->count == at->capacity) {
        uint32_t capacity = at->capacity ? 2 * at->capacity : 8;
        uint64_t *blocks = PyMem_Realloc(at->blocks, capacity * sizeof *blocks);
        if (!blocks)
            return -1;
        at->blocks = blocks;
        at->capacity = capacity;
    }
    at->blocks[at->count++] = block;
    pool->held_blocks++;
    return 0;
}

static int bin_pop(bd_pool *pool, unsigned bin, uint64_t *block)
{
    struct bin *at = &pool->bins[bin];
    if (!at->count)
        return 0;
    *block = at->blocks[--at->count];
    pool->held_blocks--;
    return 1;
}

static void pool_drop(bd_pool *pool)
{
    if (--pool->holders)
        return;
    for (int bin = 0; bin < BINS; bin++)
        PyMem_Free(pool->bins[bin].blocks);
    PyMem_Free(pool);
}

/* -- Blocks; the context is current and the pool held --------------------------- */

static CUresult block_create(bd_state *state, bd_pool *pool, unsigned bin,
                             uint64_t *block)
{
    const uint64_t on_host[] = {(uintptr_t)block, bin_size(bin), pool->flags};
    return BD_BRIEFLY(state, pool->on_host ? bd_invoke_cuMemHostAlloc(on_host)
                                           : bd_invoke_cuMemAlloc(on_host));
}

static CUresult block_destroy(bd_pool *pool, unsigned bin, uint64_t block)
{
    int on_host = pool->on_host;
    pool->managed_bytes -= bin_size(bin);
    return BD_UNLOCKED(on_host ? bd_invoke_cuMemFreeHost(&block)
                               : bd_invoke_cuMemFree(&block));
}

/* Frees the largest held block: 0 if there is none. */
static int free_largest(bd_pool *pool)
{
    uint64_t block;
    for (int bin = BINS - 1; pool->held_blocks && bin >= 0; bin--)
        if (bin_pop(pool, bin, &block)) {
            block_destroy(pool, bin, block);
            return 1;
        }
    return 0;
}

/* Counted in managed_bytes when it succeeds. */
static CUresult create_with_ladder(bd_state *state, bd_pool *pool, unsigned bin,
                                   uint64_t *block)
{
    CUresult status = block_create(state, pool, bin, block);
    if (status == CUDA_ERROR_OUT_OF_MEMORY) {
        bd_memory_reclaim(state, NULL);
        if (bin_pop(pool, bin, block)) /* what was garbage came back */
            return CUDA_SUCCESS;
        do
            status = block_create(state, pool, bin, block);
        while (status == CUDA_ERROR_OUT_OF_MEMORY && free_largest(pool));
    }
    if (status == CUDA_SUCCESS)
        pool->managed_bytes += bin_size(bin);
    return status;
}

/* -- Pools ---------------------------------------------------------------------- */

void bd_pool_free_held(bd_pool *pool, bd_context *context)
{
    int entered = pool && pool->held_blocks ? bd_context_enter(context) : -1;
    if (entered < 0)
        return;
    pool->holders++;
    while (free_largest(pool))
        ;
    pool_drop(pool);
    bd_context_leave(context, entered);
}

void bd_pool_destroy(bd_pool *pool, int entered)
{
    while (pool && entered && free_largest(pool))
        ;
    if (pool)
        pool_drop(pool);
}

/* A block of at least that many bytes; -1 and MemoryError when there is none. */
static int allocate(bd_pool *pool, bd_context *context, size_t bytes, uint64_t *block)
{
    static const char routine[] = "memory_pool::allocate";
    unsigned bin = bin_of(bytes);
    if (bd_context_check(context)) /* held blocks went with it */
        return -1;
    pool->holders++;
    if (!bin_pop(pool, bin, block)) {
        int entered = bd_context_enter(context);
        CUresult status = entered < 0 ? CUDA_ERROR_INVALID_CONTEXT
                          : bytes > SIZE_MAX / 2
                              ? CUDA_ERROR_OUT_OF_MEMORY
                              : create_with_ladder(context->state, pool, bin, block);
        if (status == CUDA_ERROR_OUT_OF_MEMORY)
            bd_raise_because(context->state, status, routine,
                             "failed to free memory for allocation");
        else if (status)
            bd_raise(context->state, status, routine);
        bd_context_leave(context, entered);
        if (status) {
            pool_drop(pool);
            return -1;
        }
    }
    pool->active_blocks++;
    pool->active_bytes += bytes;
    pool_drop(pool);
    return 0;
}

CUresult bd_pool_put(bd_pool *pool, bd_context *context, uint64_t block, size_t bytes)
{
    if (context->dead) /* gone with its context, and so may be the pool */
        return CUDA_SUCCESS;
    unsigned bin = bin_of(bytes);
    CUresult status = CUDA_SUCCESS;
    pool->active_blocks--;
    pool->active_bytes -= bytes;
    if (!pool->on_host && !pool->stopped && bin_push(pool, bin, block) == 0)
        return CUDA_SUCCESS;
    int entered = bd_context_enter(context);
    if (entered < 0)
        return CUDA_SUCCESS;
    /* Copies may still read host memory, and its next owner writes at once. Who frees
     * it waits without spoiling captures. */
    int captured = pool->on_host && context->captures;
    pool->holders++;
    if (pool->on_host && !captured)
        status = BD_UNLOCKED(cu.cuCtxSynchronize());
    if (status != CUDA_ERROR_NOT_READY &&
        (pool->stopped || captured || bin_push(pool, bin, block)))
        status = block_destroy(pool, bin, block);
    pool_drop(pool);
    bd_context_leave(context, entered);
    return status;
}

/* -- The Python classes --------------------------------------------------------- */

typedef struct {
    bd_object base;
    bd_pool *pool; /* owned */
} pool_object;

#define POOL(self) (((pool_object *)(self))->pool)

static bd_pool *pool_create(int on_host, unsigned flags)
{
    bd_pool *pool = PyMem_Calloc(1, sizeof *pool);
    if (!pool) {
        PyErr_NoMemory();
        return NULL;
    }
    pool->holders = 1;
    pool->on_host = on_host;
    pool->flags = flags;
    return pool;
}

static PyObject *pool_new(PyTypeObject *type, int on_host, unsigned flags)
{
    bd_context *context = bd_context_current(bd_state_of(type));
    pool_object *self = context ? bd_object_new_of(type, context, NULL) : NULL;
    if (self && !(self->pool = pool_create(on_host, flags)))
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
BD_RELEASED(pool_release)

/* NULL and an exception if the collector released it. */
static bd_pool *pool_of(PyObject *self)
{
    if (!POOL(self))
        bd_raise_because(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                         _PyType_Name(Py_TYPE(self)), "it was released");
    return POOL(self);
}

/* The parent of a block is the object that owns its pool, or nothing for the context's
 * own pool. */
bd_pool *bd_pool_of(PyObject *block)
{
    PyObject *owner = ((bd_object *)block)->parent;
    return owner ? POOL(owner) : BD_CONTEXT_OF(block)->pool;
}

static PyObject *block_new(int type, bd_pool *pool, bd_context *context,
                           PyObject *owner, size_t bytes)
{
    uint64_t block;
    if (allocate(pool, context, bytes, &block))
        return NULL;
    PyObject *self = bd_memory_wrap(context->state, type, context, owner, block, bytes);
    if (!self)
        bd_pool_put(pool, context, block, bytes);
    return self;
}

PyObject *bd_pool_take(bd_state *state, size_t bytes, CUdeviceptr *pointer)
{
    bd_context *context = bd_context_hold(state);
    PyObject *self = NULL;
    if (context && (context->pool || (context->pool = pool_create(0, 0))))
        self =
            block_new(BD_POOLED_DEVICE_ALLOCATION, context->pool, context, NULL, bytes);
    if (self)
        *pointer = ((bd_device_pointer *)self)->pointer;
    Py_XDECREF((PyObject *)context);
    return self;
}

static PyObject *statistic(PyObject *self, void *offset)
{
    bd_pool *pool = pool_of(self);
    return pool ? PyLong_FromLongLong(*(int64_t *)((char *)pool + (size_t)offset))
                : NULL;
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
    return bd_size(in[0], "size", &size) ? NULL : PyLong_FromLong(bin_of(size));
}

BD_METHOD(alloc_size, 1, 1, "alloc_size($type, bin)",
          "The bytes of a block of that bin.")
{
    uint64_t bin;
    return bd_unsigned(in[0], "bin", BINS - 1, &bin)
               ? NULL
               : PyLong_FromUnsignedLongLong(bin_size((unsigned)bin));
}

BD_METHOD(free_held, 0, 0, "free_held($self)", "Frees all idle blocks.")
{
    bd_pool_free_held(POOL(self), BD_CONTEXT_OF(self));
    Py_RETURN_NONE;
}

BD_METHOD(stop_holding, 0, 0, "stop_holding($self)",
          "Frees all idle blocks, and from now on every block that comes back.")
{
    if (!pool_of(self))
        return NULL;
    POOL(self)->stopped = 1;
    bd_pool_free_held(POOL(self), BD_CONTEXT_OF(self));
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
    return bd_size(in[0], "size", &size) || !pool_of(self)
               ? NULL
               : block_new(BD_POOLED_DEVICE_ALLOCATION, POOL(self), BD_CONTEXT_OF(self),
                           self, size);
}

static PyMethodDef device_pool_methods[] = {
    BD_ROW("allocate", device_allocate),
    POOL_ROWS,
    {NULL},
};

BD_CLASS(DEVICE_POOL, "DeviceMemoryPool", pool_object,
         "DeviceMemoryPool()\n--\n\nKeeps freed device memory of the current context "
         "for reuse; its method allocate serves as `allocator` of GPUArrays.",
         .new = device_pool_new, .methods = device_pool_methods, .getset = pool_getset,
         BD_RELEASE(pool_release));

/* How a PageLockedMemoryPool allocates: `handle` holds the flags. */
BD_NEW(allocator_new, 0, 1, "PageLockedAllocator(flags=0)",
       "Says how a PageLockedMemoryPool allocates. flags: host_alloc_flags.")
{
    unsigned flags = 0;
    if (bd_flags(in[0], "flags", &flags))
        return NULL;
    bd_handle *self = bd_object_new_of(type, NULL, NULL);
    if (self)
        self->handle = flags;
    return (PyObject *)self;
}

BD_CLASS(PAGELOCKED_ALLOCATOR, "PageLockedAllocator", bd_handle, allocator_new_doc,
         .new = allocator_new);

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
    PyObject *memory = pool_of(self) ? block_new(BD_POOLED_HOST_ALLOCATION, POOL(self),
                                                 context, self, layout.bytes)
                                     : NULL;
    PyObject *array = memory ? bd_layout_array(&layout, memory) : NULL;
    bd_layout_clear(&layout);
    return array;
}

static PyMethodDef host_pool_methods[] = {
    BD_ROW("allocate", host_allocate),
    POOL_ROWS,
    {NULL},
};

BD_CLASS(HOST_POOL, "PageLockedMemoryPool", pool_object, host_pool_new_doc,
         .new = host_pool_new, .methods = host_pool_methods, .getset = pool_getset,
         BD_RELEASE(pool_release));

BD_METHOD(bitlog2, 1, 1, "bitlog2(n)",
          "The position of the highest bit: floor(log2(n)), and 0 for 0.")
{
    uint64_t n;
    return bd_unsigned(in[0], "n", UINT64_MAX, &n) ? NULL
                                                   : PyLong_FromLong(log2_floor(n));
}

PyMethodDef bd_pool_methods[] = {
    BD_ROW("bitlog2", bitlog2),
    {NULL},
};
