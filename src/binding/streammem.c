/* Stream-ordered memory: MemoryPool, and allocations that are freed in a stream. A
   block is freed in the stream it was asked for in, unless free_async names another
   one; it holds that stream, and so does a pool that has one of its own. */
#include <string.h>
#include "calls.h"
#include "memory.h"

#define POOL(self) BD_HANDLE(CUmemoryPool, self)
#define STATE(self) bd_state_from(self)

typedef struct {
    bd_handle head;
    int owned; /* made here, and not the device's own */
} pool_object;

/* A Device, or for None that of the context. */
static int location_parse(bd_context *context, PyObject *object,
                          CUmemLocation *location)
{
    *location = (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, 0};
    if (!object || object == Py_None)
        location->id = context->device;
    else if (bd_instance(context->state, object, BD_DEVICE, "device"))
        return -1;
    else
        location->id = (int)BD_HANDLE(intptr_t, object);
    return 0;
}

/* -- Allocations ---------------------------------------------------------------- */

/* A StreamAllocation; pool NULL: the device's current one. */
static PyObject *allocate(bd_state *state, PyObject *pool, size_t bytes,
                          PyObject *stream)
{
    bd_context *context;
    CUstream handle = NULL;
    CUdeviceptr pointer = 0;
    if (stream == Py_None)
        stream = NULL;
    /* The stream first: its __cuda_stream__ may end the context or push another. */
    if (bd_stream(state, stream, &handle) || !(context = bd_context_hold(state)))
        return NULL;
    PyObject *self = NULL;
    /* As with cuMemAlloc; a GPU's driver takes zero bytes here and gives no block. */
    CUresult status = CUDA_ERROR_INVALID_VALUE;
    if (bytes)
        status = BD_WITH_RETRY(
            state, context,
            pool ? cu.cuMemAllocFromPoolAsync(&pointer, bytes, POOL(pool), handle)
                 : cu.cuMemAllocAsync(&pointer, bytes, handle));
    if (!bd_check(state, status, pool ? "cuMemAllocFromPoolAsync" : "cuMemAllocAsync"))
        self =
            bd_memory_wrap(state, BD_STREAM_ALLOCATION, context, pool, pointer, bytes);
    if (self)
        bd_memory_set_stream(self, stream, handle);
    Py_DECREF((PyObject *)context);
    return self;
}

BD_METHOD(mem_alloc_async, 1, 2, "mem_alloc_async(bytes, stream=None)",
          "A StreamAllocation from the device's current MemoryPool: work enqueued in "
          "the stream from now on may use it. CUDA: cuMemAllocAsync.")
{
    size_t bytes;
    return py_size(in[0], "bytes", &bytes)
               ? NULL
               : allocate(bd_state_get(self), NULL, bytes, in[1]);
}

/* -- Pools ---------------------------------------------------------------------- */

BD_NEW(pool_new, 0, 3, "MemoryPool(device=None, stream=None, max_size=0)",
       "Stream-ordered memory of a device (None: the current context's). stream: where "
       "allocate works unless told otherwise, so that `allocate` serves as `allocator` "
       "of GPUArrays. max_size: bytes, 0 for no limit. CUDA: cuMemPoolCreate.")
{
    bd_context *context;
    CUstream handle;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED};
    /* Python code runs first, for it may end the context. */
    if (bd_stream(state, in[1], &handle) ||
        (in[2] && py_size(in[2], "max_size", &props.maxSize)) ||
        !(context = bd_context_current(state)) ||
        location_parse(context, in[0], &props.location))
        return NULL;
    PyObject *self = BD_MAKE(state, py_object_new_of(type, context, NULL),
                             cuMemPoolCreate, CUmemoryPool, &props);
    if (self) {
        ((pool_object *)self)->owned = 1;
        ((py_object *)self)->other = Py_XNewRef(in[1] == Py_None ? NULL : in[1]);
    }
    return self;
}

/* A pool is its device's: it does not go with the context. */
static void pool_release(PyObject *self)
{
    if (!((pool_object *)self)->owned)
        return;
    ((pool_object *)self)->owned = 0;
    CUmemoryPool pool = POOL(self);
    ((bd_handle *)self)->handle = 0;
    CUresult status = BD_UNLOCKED(cu.cuMemPoolDestroy(pool));
    if (status)
        bd_report(self, status, "cuMemPoolDestroy");
}
PY_RELEASED(pool_release)

BD_METHOD(pool_allocate, 1, 2, "allocate($self, bytes, stream=None)",
          "A StreamAllocation. stream None: the pool's own one. CUDA: "
          "cuMemAllocFromPoolAsync.")
{
    size_t bytes;
    PyObject *stream = in[1] && in[1] != Py_None ? in[1] : ((py_object *)self)->other;
    return py_size(in[0], "bytes", &bytes) ? NULL
                                           : allocate(STATE(self), self, bytes, stream);
}

BD_RUN(pool_trim_to, 0, 1, cuMemPoolTrimTo, "trim_to($self, bytes=0)",
       "Gives idle memory back until no more than `bytes` are reserved.",
       .passes = {PASS_SELF, ARG_SIZE})

typedef union {
    int narrow;
    uint64_t wide;
} attribute_value;

static int is_narrow(unsigned attribute)
{
    return attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

BD_METHOD(pool_get_attribute, 1, 1, "get_attribute($self, attr)",
          "The value of a mempool_attribute. CUDA: cuMemPoolGetAttribute.")
{
    unsigned attribute = 0;
    attribute_value value = {.wide = 0};
    if (py_flags(in[0], "attr", &attribute) ||
        BD_CALL(STATE(self), cuMemPoolGetAttribute, POOL(self), attribute, &value))
        return NULL;
    return is_narrow(attribute) ? PyBool_FromLong(value.narrow)
                                : PyLong_FromUnsignedLongLong(value.wide);
}

BD_METHOD(pool_set_attribute, 2, 2, "set_attribute($self, attr, value)",
          "Sets a mempool_attribute; RELEASE_THRESHOLD: bytes to keep when the program "
          "synchronizes. CUDA: cuMemPoolSetAttribute.")
{
    unsigned attribute = 0;
    attribute_value value = {.wide = 0};
    if (py_flags(in[0], "attr", &attribute) ||
        py_unsigned(in[1], "value", is_narrow(attribute) ? 1 : UINT64_MAX,
                    &value.wide) ||
        BD_CALL(STATE(self), cuMemPoolSetAttribute, POOL(self), attribute, &value))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(pool_get_access, 1, 1, "get_access($self, device)",
          "What a Device may do with memory of the pool: mem_access_flags. CUDA: "
          "cuMemPoolGetAccess.")
{
    CUmemAccess_flags flags = 0;
    CUmemLocation location;
    if (bd_instance(STATE(self), in[0], BD_DEVICE, "device") ||
        location_parse(BD_CONTEXT_OF(self), in[0], &location) ||
        BD_CALL(STATE(self), cuMemPoolGetAccess, &flags, POOL(self), &location))
        return NULL;
    return bd_enum_member(STATE(self), "mem_access_flags", flags);
}

BD_METHOD(pool_set_access, 2, 2, "set_access($self, device, flags)",
          "Lets another Device use memory of the pool. CUDA: cuMemPoolSetAccess.")
{
    unsigned flags = 0;
    CUmemAccessDesc access;
    if (bd_instance(STATE(self), in[0], BD_DEVICE, "device") ||
        location_parse(BD_CONTEXT_OF(self), in[0], &access.location) ||
        py_flags(in[1], "flags", &flags))
        return NULL;
    access.flags = flags;
    if (BD_CALL(STATE(self), cuMemPoolSetAccess, POOL(self), &access, 1))
        return NULL;
    Py_RETURN_NONE;
}

BD_RUN(pool_default, 0, 1, cuDeviceGetDefaultMemPool, "get_default($type, device=None)",
       "The pool that a device begins with.", .passes = {OUT_OBJECT, ARG_DEVICE_OR_OWN},
       .makes = BD_MEMORY_POOL)
BD_RUN(pool_current, 0, 1, cuDeviceGetMemPool, "get_current($type, device=None)",
       "The pool that mem_alloc_async takes from.",
       .passes = {OUT_OBJECT, ARG_DEVICE_OR_OWN}, .makes = BD_MEMORY_POOL)
BD_RUN(pool_make_current, 0, 1, cuDeviceSetMemPool, "make_current($self, device=None)",
       "mem_alloc_async takes from this pool from now on.",
       .passes = {ARG_DEVICE_OR_OWN, PASS_SELF})

static PyMethodDef pool_methods[] = {
    BD_ROW("allocate", pool_allocate),
    BD_ROW("trim_to", pool_trim_to),
    BD_ROW("get_attribute", pool_get_attribute),
    BD_ROW("set_attribute", pool_set_attribute),
    BD_ROW("get_access", pool_get_access),
    BD_ROW("set_access", pool_set_access),
    BD_ROW_CLASS("get_default", pool_default),
    BD_ROW_CLASS("get_current", pool_current),
    BD_ROW("make_current", pool_make_current),
    {NULL},
};

BD_CLASS(MEMORY_POOL, "MemoryPool", pool_object, pool_new_doc, .new = pool_new,
         .methods = pool_methods, .repr = bd_handle_repr, .getset = bd_handle_getset,
         PY_RELEASE(pool_release));

/* -- Where managed memory lies -------------------------------------------------- */

BD_RUN(mem_prefetch_async, 3, 4, cuMemPrefetchAsync,
       "mem_prefetch_async(ptr, size, device, stream=None)",
       "Moves managed memory to a device (its ordinal; -1: the host).",
       .passes = {ARG_ADDRESS, ARG_SIZE, ARG_INT, ARG_STREAM})
BD_RUN(mem_advise, 4, 4, cuMemAdvise, "mem_advise(ptr, size, advice, device)",
       "Says how managed memory will be used: advice is a mem_advice, by "
       "a device (-1: the host).",
       .passes = {ARG_ADDRESS, ARG_SIZE, ARG_UINT32, ARG_INT})

BD_METHOD(mem_range_get_attribute, 3, 3, "mem_range_get_attribute(ptr, size, attr)",
          "What holds for a range of managed memory: a mem_range_attribute as an int; "
          "for ACCESSED_BY a list of ordinals. CUDA: cuMemRangeGetAttribute.")
{
    enum { MOST = 64, NONE = -2 };
    bd_state *state = bd_state_get(self);
    CUdeviceptr pointer;
    size_t size;
    unsigned attribute = 0;
    int values[MOST], count = 1;
    if (bd_pointer(state, in[0], &pointer) || py_size(in[1], "size", &size) ||
        py_flags(in[2], "attr", &attribute))
        return NULL;
    int is_list = attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    count = is_list ? MOST : 1;
    if (BD_CALL(state, cuMemRangeGetAttribute, values, count * sizeof *values,
                attribute, pointer, size))
        return NULL;
    if (!is_list)
        return PyLong_FromLong(values[0]);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count && values[i] != NONE; i++) {
        PyObject *number = PyLong_FromLong(values[i]);
        if (!number || PyList_Append(list, number))
            Py_CLEAR(list);
        Py_XDECREF(number);
    }
    return list;
}

PyMethodDef bd_streammem_methods[] = {
    BD_ROW("mem_prefetch_async", mem_prefetch_async),
    BD_ROW("mem_advise", mem_advise),
    BD_ROW("mem_range_get_attribute", mem_range_get_attribute),
    BD_ROW("mem_alloc_async", mem_alloc_async),
    {NULL},
};
