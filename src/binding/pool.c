/* Memory pools: blocks that were freed are held, sorted into bins, and handed out again
   without a driver call. A bin holds blocks of one size; sixteen bins a power of two
   keep the waste under a sixteenth. When the driver has no more, garbage is collected,
   then held blocks are freed one by one, the largest first. A pool is a plain struct,
   owned by a DeviceMemoryPool, a PageLockedMemoryPool or a Context; its blocks name it
   and keep its owner alive. */
#include "memory.h"
#include <string.h>

#define MANTISSA 4 /* bits of a size below the leading one that tell bins apart */
#define BINS (64 << MANTISSA)

struct bd_pool {
    struct bin {
        uintptr_t *blocks; /* owned */
        uint32_t count, capacity;
    } bins[BINS];
    int on_host;
    int hold; /* 0 after stop_holding: what comes back is freed */
    unsigned flags;
    int64_t held_blocks, active_blocks, managed_bytes, active_bytes;
};

/* -- Bins
 * -----------------------------------------------------------------------------------
 */

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

static int bin_push(bd_pool *pool, unsigned bin, uintptr_t block)
{
    struct bin *at = &pool->bins[bin];
    if (at->count == at->capacity) {
        uint32_t capacity = at->capacity ? 2 * at->capacity : 8;
        uintptr_t *blocks = PyMem_Realloc(at->blocks, capacity * sizeof *blocks);
        if (!blocks)
            return -1;
        at->blocks = blocks;
        at->capacity = capacity;
    }
    at->blocks[at->count++] = block;
    pool->held_blocks++;
    return 0;
}

static int bin_pop(bd_pool *pool, unsigned bin, uintptr_t *block)
{
    struct bin *at = &pool->bins[bin];
    if (!at->count)
        return 0;
    *block = at->blocks[--at->count];
    pool->held_blocks--;
    return 1;
}

/* -- Blocks; the context is current
 * ---------------------------------------------------------- */

static CUresult block_create(bd_pool *pool, size_t bytes, uintptr_t *block)
{
    if (pool->on_host)
        return cu.cuMemHostAlloc((void **)block, bytes, pool->flags);
    CUdeviceptr pointer = 0;
    CUresult status = cu.cuMemAlloc(&pointer, bytes);
    *block = pointer;
    return status;
}

static CUresult block_destroy(bd_pool *pool, uintptr_t block, size_t bytes)
{
    CUresult status;
    pool->managed_bytes -= bytes;
    Py_BEGIN_ALLOW_THREADS status =
        pool->on_host ? cu.cuMemFreeHost((void *)block) : cu.cuMemFree(block);
    Py_END_ALLOW_THREADS return status;
}

/* Frees the largest held block: 0 if there is none. */
static int free_largest(bd_pool *pool)
{
    uintptr_t block;
    for (int bin = BINS - 1; pool->held_blocks && bin >= 0; bin--)
        if (bin_pop(pool, bin, &block)) {
            block_destroy(pool, block, bin_size(bin));
            return 1;
        }
    return 0;
}

static CUresult create_with_ladder(bd_state *state, bd_pool *pool, unsigned bin,
                                   uintptr_t *block)
{
    CUresult status = block_create(pool, bin_size(bin), block);
    if (status != CUDA_ERROR_OUT_OF_MEMORY)
        return status;
    PyObject *done = state->collect ? PyObject_CallNoArgs(state->collect) : NULL;
    Py_XDECREF(done);
    PyErr_Clear();
    if (bin_pop(pool, bin, block)) {
        pool->managed_bytes -= bin_size(bin); /* the caller counts it as new */
        return CUDA_SUCCESS;
    }
    do
        status = block_create(pool, bin_size(bin), block);
    while (status == CUDA_ERROR_OUT_OF_MEMORY && free_largest(pool));
    return status;
}

/* -- Pools
 * ---------------------------------------------------------------------------------- */

static bd_pool *pool_create(int on_host, unsigned flags)
{
    bd_pool *pool = PyMem_Calloc(1, sizeof *pool);
    if (!pool) {
        PyErr_NoMemory();
        return NULL;
    }
    pool->on_host = on_host;
    pool->flags = flags;
    pool->hold = 1;
    return pool;
}

void bd_pool_free_held(bd_pool *pool, bd_context *context)
{
    if (!pool || !pool->held_blocks)
        return;
    int entered = bd_context_enter(context);
    if (entered < 0)
        return;
    while (free_largest(pool))
        ;
    bd_context_leave(context, entered);
}

void bd_pool_destroy(bd_pool *pool, bd_context *context)
{
    if (!pool)
        return;
    if (context)
        bd_pool_free_held(pool, context);
    for (int bin = 0; bin < BINS; bin++)
        PyMem_Free(pool->bins[bin].blocks);
    PyMem_Free(pool);
}

/* A block of at least that many bytes; -1 and MemoryError when there is none. */
static int pool_allocate(bd_pool *pool, bd_context *context, size_t bytes,
                         uintptr_t *block)
{
    unsigned bin = bin_of(bytes);
    if (!bin_pop(pool, bin, block)) {
        bd_state *state = context->state;
        if (bd_context_check(context))
            return -1;
        if (bytes > (size_t)1 << 62) {
            bd_raise_because(state, CUDA_ERROR_OUT_OF_MEMORY, "memory_pool::allocate",
                             "failed to free memory for allocation");
            return -1;
        }
        int entered = bd_context_enter(context);
        if (entered < 0) {
            bd_raise(state, CUDA_ERROR_INVALID_CONTEXT, "memory_pool::allocate");
            return -1;
        }
        CUresult status = create_with_ladder(state, pool, bin, block);
        if (status == CUDA_ERROR_OUT_OF_MEMORY)
            bd_raise_because(state, status, "memory_pool::allocate",
                             "failed to free memory for allocation");
        else if (status)
            bd_raise(state, status, pool->on_host ? "cuMemHostAlloc" : "cuMemAlloc");
        bd_context_leave(context, entered);
        if (status)
            return -1;
        pool->managed_bytes += bin_size(bin);
    }
    pool->active_blocks++;
    pool->active_bytes += bytes;
    return 0;
}

static void pool_release(bd_pool *pool, bd_context *context, uintptr_t block,
                         size_t bytes)
{
    if (context->dead) /* gone with its context, and so may be the pool */
        return;
    unsigned bin = bin_of(bytes);
    pool->active_blocks--;
    pool->active_bytes -= bytes;
    if (pool->hold && bin_push(pool, bin, block) == 0)
        return;
    int entered = bd_context_enter(context);
    if (entered < 0)
        return;
    block_destroy(pool, block, bin_size(bin));
    bd_context_leave(context, entered);
}

/* -- The Python classes of pools
 * ------------------------------------------------------------- */

typedef struct {
    bd_object base;
    bd_pool *pool; /* owned */
} pool_object;

#define POOL(self) (((pool_object *)(self))->pool)
#define CONTEXT(self) (((bd_object *)(self))->context)

static PyObject *pool_object_new(PyTypeObject *type, int on_host, unsigned flags)
{
    bd_context *context = bd_context_current(bd_state_of(type));
    pool_object *self = context ? bd_object_new_of(type, context, NULL) : NULL;
    if (self && !(self->pool = pool_create(on_host, flags)))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void pool_finalize(PyObject *self)
{
    bd_pool_destroy(POOL(self), CONTEXT(self));
    POOL(self) = NULL;
}

enum { HELD_BLOCKS, ACTIVE_BLOCKS, MANAGED_BYTES, ACTIVE_BYTES };

static PyObject *pool_statistic(PyObject *self, void *which)
{
    const bd_pool *pool = POOL(self);
    const int64_t values[] = {pool->held_blocks, pool->active_blocks,
                              pool->managed_bytes, pool->active_bytes};
    return PyLong_FromLongLong(values[(intptr_t)which]);
}

static PyGetSetDef pool_getset[] = {
    {"held_blocks", pool_statistic, NULL, "Idle blocks kept for reuse.",
     (void *)HELD_BLOCKS},
    {"active_blocks", pool_statistic, NULL, "Blocks in use.", (void *)ACTIVE_BLOCKS},
    {"managed_bytes", pool_statistic, NULL, "Bytes of all blocks, idle and in use.",
     (void *)MANAGED_BYTES},
    {"active_bytes", pool_statistic, NULL, "Bytes asked for by blocks in use.",
     (void *)ACTIVE_BYTES},
    {NULL},
};

BD_METHOD(pool_bin_number, 1, 1, "bin_number($type, size)",
          "The bin that blocks for `size` bytes come from.")
{
    size_t size;
    return bd_size(in[0], "size", &size) ? NULL : PyLong_FromLong(bin_of(size));
}

BD_METHOD(pool_alloc_size, 1, 1, "alloc_size($type, bin)",
          "The bytes of a block of that bin.")
{
    uint64_t bin;
    if (bd_unsigned(in[0], "bin", BINS - 1, &bin))
        return NULL;
    return PyLong_FromUnsignedLongLong(bin_size((unsigned)bin));
}

BD_METHOD(pool_free_held_method, 0, 0, "free_held($self)", "Frees all idle blocks.")
{
    bd_pool_free_held(POOL(self), CONTEXT(self));
    Py_RETURN_NONE;
}

BD_METHOD(pool_stop_holding, 0, 0, "stop_holding($self)",
          "Frees all idle blocks, and from now on every block that comes back.")
{
    POOL(self)->hold = 0;
    bd_pool_free_held(POOL(self), CONTEXT(self));
    Py_RETURN_NONE;
}

#define POOL_ROWS                                    \
    BD_ROW_CLASS("bin_number", pool_bin_number),     \
        BD_ROW_CLASS("alloc_size", pool_alloc_size), \
        BD_ROW("free_held", pool_free_held_method),  \
        BD_ROW("stop_holding", pool_stop_holding)

/* -- Device memory
 * --------------------------------------------------------------------------- */

/* The parent of a block is the object that owns its pool, or nothing for the context's
   own pool. NULL: the collector finalized the pool first. */
static bd_pool *pool_of(PyObject *block)
{
    PyObject *owner = ((bd_object *)block)->parent;
    return owner ? POOL(owner) : CONTEXT(block)->pool;
}

#define POOLED(self) ((bd_device_pointer *)(self))

static PyObject *pooled_create(bd_state *state, bd_pool *pool, bd_context *context,
                               PyObject *owner, size_t bytes)
{
    uintptr_t block;
    if (pool_allocate(pool, context, bytes, &block))
        return NULL;
    bd_device_pointer *self =
        bd_object_new(state, BD_POOLED_DEVICE_ALLOCATION, context, owner);
    if (!self) {
        pool_release(pool, context, block, bytes);
        return NULL;
    }
    self->pointer = block;
    self->size = bytes;
    return (PyObject *)self;
}

PyObject *bd_pool_take(bd_state *state, size_t bytes, CUdeviceptr *pointer)
{
    bd_context *context = bd_context_current(state);
    if (!context || (!context->pool && !(context->pool = pool_create(0, 0))))
        return NULL;
    PyObject *self = pooled_create(state, context->pool, context, NULL, bytes);
    if (self)
        *pointer = POOLED(self)->pointer;
    return self;
}

static void pooled_finalize(PyObject *self)
{
    bd_device_pointer *block = POOLED(self);
    bd_pool *pool = pool_of(self);
    if (!block->freed && pool)
        pool_release(pool, CONTEXT(self), block->pointer, block->size);
    else if (!block->freed)
        BD_RELEASE(self, cuMemFree, block->pointer);
    block->freed = 1;
}

BD_METHOD(pooled_free, 0, 0, "free($self)",
          "Gives the block back to its pool; LogicError the second time.")
{
    if (POOLED(self)->freed)
        return bd_raise(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                        "pooled_device_allocation::free");
    pooled_finalize(self);
    Py_RETURN_NONE;
}

static Py_ssize_t pooled_length(PyObject *self)
{
    return (Py_ssize_t)POOLED(self)->size;
}

static PyMethodDef pooled_methods[] = {
    BD_ROW("free", pooled_free),
    {NULL},
};

static PyType_Slot POOLED_DEVICE_ALLOCATION_slots[] = {
    BD_SLOTS("A block of a DeviceMemoryPool: int() is its address, len() the bytes "
             "asked for. Goes back to the pool with "
             "the last reference."),
    BD_NO_INIT,
    {Py_tp_methods, pooled_methods},
    {Py_tp_finalize, pooled_finalize},
    {Py_nb_int, bd_device_pointer_int},
    {Py_nb_index, bd_device_pointer_int},
    {Py_sq_length, pooled_length},
    {0, NULL},
};

BD_SPEC(POOLED_DEVICE_ALLOCATION, "PooledDeviceAllocation", bd_device_pointer);

static PyObject *device_pool_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return pool_object_new(type, 0, 0); /* arguments are for __init__ of subclasses */
}

BD_METHOD(device_pool_allocate, 1, 1, "allocate($self, size)",
          "A PooledDeviceAllocation of at least `size` bytes; MemoryError when even "
          "freeing all idle blocks gives too "
          "little. CUDA: cuMemAlloc, when no idle block fits.")
{
    size_t size;
    if (bd_size(in[0], "size", &size))
        return NULL;
    return pooled_create(CONTEXT(self)->state, POOL(self), CONTEXT(self), self, size);
}

static PyMethodDef device_pool_methods[] = {
    BD_ROW("allocate", device_pool_allocate),
    POOL_ROWS,
    {NULL},
};

static PyType_Slot DEVICE_POOL_slots[] = {
    BD_SLOTS("DeviceMemoryPool()\n--\n\nKeeps freed device memory of the current "
             "context for reuse; its method allocate "
             "serves as `allocator` of GPUArrays."),
    {Py_tp_new, device_pool_new},
    {Py_tp_methods, device_pool_methods},
    {Py_tp_getset, pool_getset},
    {Py_tp_finalize, pool_finalize},
    {0, NULL},
};

BD_SPEC(DEVICE_POOL, "DeviceMemoryPool", pool_object);

/* -- Page-locked memory
 * ---------------------------------------------------------------------- */

typedef struct {
    bd_object base;
    unsigned flags;
} allocator;

static const char allocator_doc[] =
    "PageLockedAllocator(flags=0)\n--\n\nSays how a PageLockedMemoryPool allocates. "
    "flags: host_alloc_flags.";

static PyObject *allocator_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *in[1] = {NULL};
    unsigned flags = 0;
    if (bd_parse_tuple(allocator_doc, 0, 1, args, kwargs, in) ||
        bd_flags(in[0], "flags", &flags))
        return NULL;
    allocator *self = bd_object_new_of(type, NULL, NULL);
    if (self)
        self->flags = flags;
    return (PyObject *)self;
}

static PyType_Slot PAGELOCKED_ALLOCATOR_slots[] = {
    BD_SLOTS(allocator_doc),
    {Py_tp_new, allocator_new},
    {0, NULL},
};

BD_SPEC(PAGELOCKED_ALLOCATOR, "PageLockedAllocator", allocator);

typedef struct {
    bd_object base;
    uintptr_t block;
    size_t size;
    int freed;
} pooled_host;

#define POOLED_HOST(self) ((pooled_host *)(self))

static void pooled_host_finalize(PyObject *self)
{
    pooled_host *block = POOLED_HOST(self);
    bd_pool *pool = pool_of(self);
    if (!block->freed && pool)
        pool_release(pool, CONTEXT(self), block->block, block->size);
    else if (!block->freed && block->block)
        BD_RELEASE(self, cuMemFreeHost, (void *)block->block);
    block->freed = 1;
}

BD_METHOD(pooled_host_free, 0, 0, "free($self)",
          "Gives the block back to its pool: arrays over it must not be used any more. "
          "LogicError the second time.")
{
    if (POOLED_HOST(self)->freed)
        return bd_raise(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                        "pooled_host_allocation::free");
    pooled_host_finalize(self);
    Py_RETURN_NONE;
}

static Py_ssize_t pooled_host_length(PyObject *self)
{
    return (Py_ssize_t)POOLED_HOST(self)->size;
}

static PyMethodDef pooled_host_methods[] = {
    BD_ROW("free", pooled_host_free),
    {NULL},
};

static PyType_Slot POOLED_HOST_ALLOCATION_slots[] = {
    BD_SLOTS("A block of a PageLockedMemoryPool: the base of its arrays."),
    BD_NO_INIT,
    {Py_tp_methods, pooled_host_methods},
    {Py_tp_finalize, pooled_host_finalize},
    {Py_sq_length, pooled_host_length},
    {0, NULL},
};

BD_SPEC(POOLED_HOST_ALLOCATION, "PooledHostAllocation", pooled_host);

static const char host_pool_doc[] =
    "PageLockedMemoryPool(allocator=None)\n--\n\nKeeps freed page-locked host memory "
    "for reuse. allocator: a "
    "PageLockedAllocator.";

static PyObject *host_pool_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_of(type);
    PyObject *in[1] = {NULL};
    if (bd_parse_tuple(host_pool_doc, 0, 1, args, kwargs, in))
        return NULL;
    int given = in[0] && in[0] != Py_None;
    if (given && bd_instance(state, in[0], BD_PAGELOCKED_ALLOCATOR, "allocator"))
        return NULL;
    return pool_object_new(type, 1, given ? ((allocator *)in[0])->flags : 0);
}

BD_METHOD(host_pool_allocate, 2, 3, "allocate($self, shape, dtype, order='C')",
          "An uninitialised numpy.ndarray in page-locked memory, whose base is a "
          "PooledHostAllocation. CUDA: "
          "cuMemHostAlloc, when no idle block fits.")
{
    bd_state *state = CONTEXT(self)->state;
    bd_layout layout;
    uintptr_t block;
    PyObject *array = NULL;
    pooled_host *memory = NULL;
    if (bd_layout_parse(state, in, &layout))
        return NULL;
    if (pool_allocate(POOL(self), CONTEXT(self), layout.bytes, &block))
        goto done;
    memory = bd_object_new(state, BD_POOLED_HOST_ALLOCATION, CONTEXT(self), self);
    if (!memory) {
        pool_release(POOL(self), CONTEXT(self), block, layout.bytes);
        goto done;
    }
    memory->block = block;
    memory->size = layout.bytes;
    array = bd_layout_array(&layout, (void *)block, (PyObject *)memory);
done:
    bd_layout_clear(&layout);
    return array;
}

static PyMethodDef host_pool_methods[] = {
    BD_ROW("allocate", host_pool_allocate),
    POOL_ROWS,
    {NULL},
};

static PyType_Slot HOST_POOL_slots[] = {
    BD_SLOTS(host_pool_doc),
    {Py_tp_new, host_pool_new},
    {Py_tp_methods, host_pool_methods},
    {Py_tp_getset, pool_getset},
    {Py_tp_finalize, pool_finalize},
    {0, NULL},
};

BD_SPEC(HOST_POOL, "PageLockedMemoryPool", pool_object);

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
