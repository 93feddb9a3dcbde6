/* Contexts: made, destroyed, pushed and popped; primary contexts; limits and settings.

   A context owns its streams, events, modules, arrays and memory. Destroying it waits
   for its work, makes all handles of it stale and frees everything; threads that have
   it on their stack find out by CONTEXT_IS_DESTROYED. A primary context keeps its
   record and handle for the life of the process. */
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "arrays.h"
#include "events.h"
#include "modules.h"
#include "services.h"

static const size_t default_limits[CU_LIMIT_MAX] = {
    [CU_LIMIT_STACK_SIZE] = 1024,
    [CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20,
    [CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20,
    [CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2,
    [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,
    [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,
};

/* -- The current context
 * -------------------------------------------------------------------- */

static hd_context *context_find(const void *handle)
{
    hd_context *context = hd_handle_find(HD_CONTEXT, handle);
    return context != NULL && context->alive ? context : NULL;
}

CUresult hd_context_status(const hd_context *context)
{
    if (!context->alive)
        return hd_fail(CUDA_ERROR_CONTEXT_IS_DESTROYED,
                       "the context was destroyed meanwhile");
    if (context->error != CUDA_SUCCESS)
        memcpy(hd_self->detail, context->detail, HD_DETAIL);
    return context->error;
}

CUresult hd_context_current(hd_context **context)
{
    if (hd_self->depth == 0)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
    *context = context_find(hd_self->stack[hd_self->depth - 1]);
    if (*context == NULL)
        return hd_fail(CUDA_ERROR_CONTEXT_IS_DESTROYED,
                       "the current context was destroyed");
    return hd_context_status(*context);
}

void hd_context_poison(hd_context *context, CUresult status, const char *detail)
{
    if (context->error != CUDA_SUCCESS)
        return;
    context->error = status;
    strncpy(context->detail, detail, HD_DETAIL - 1);
}

static CUresult push(void *handle)
{
    hd_thread *thread = hd_self;

    if (thread->depth == thread->capacity) {
        unsigned capacity = thread->capacity == 0 ? 8 : thread->capacity * 2;
        void **stack = realloc(thread->stack, capacity * sizeof *stack);
        if (stack == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        thread->stack = stack;
        thread->capacity = capacity;
    }
    thread->stack[thread->depth++] = handle;
    return CUDA_SUCCESS;
}

/* -- Life
 * -----------------------------------------------------------------------------------
 */

CUresult hd_child_create(hd_context *context, hd_kind kind, hd_object *child)
{
    HD_TRY(hd_handle_create(child, kind, context));
    child->previous = NULL;
    child->next = context->children;
    if (child->next != NULL)
        child->next->previous = child;
    context->children = child;
    hd.live++;
    return CUDA_SUCCESS;
}

void hd_child_retire(hd_object *child)
{
    if (child->previous != NULL)
        child->previous->next = child->next;
    else
        child->context->children = child->next;
    if (child->next != NULL)
        child->next->previous = child->previous;
    hd_handle_retire(child);
    hd.live--;
}

static void activate(hd_context *context, unsigned flags)
{
    context->alive = true;
    context->flags = flags;
    context->error = CUDA_SUCCESS;
    context->cache = CU_FUNC_CACHE_PREFER_NONE;
    context->banks = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    context->peers = 0;
    context->id = ++hd.serial;
    memcpy(context->limits, default_limits, sizeof default_limits);
    context->next = hd.contexts;
    hd.contexts = context;
    hd.live++;
}

static CUresult context_create(hd_device *device, hd_context **made)
{
    hd_context *context = hd.spare_contexts;

    if (context != NULL)
        hd.spare_contexts = context->next;
    else
        context = malloc(sizeof *context);
    if (context == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memset(context, 0, sizeof *context);
    CUresult status = hd_handle_create(&context->object, HD_CONTEXT, context);
    if (status != CUDA_SUCCESS) {
        free(context);
        return status;
    }
    context->device = device;
    hd_stream_init(&context->legacy, context, CU_STREAM_DEFAULT, 0);
    *made = context;
    return CUDA_SUCCESS;
}

static void child_destroy(hd_object *child)
{
    switch (child->kind) {
    case HD_MODULE:
        hd_module_destroy((hd_module *)child);
        break;
    case HD_EVENT:
        hd_event_destroy((hd_event *)child);
        break;
    case HD_ARRAY:
        hd_array_destroy((hd_array *)child);
        break;
    default:
        hd_child_retire(child);
        hd_stream_doom((hd_stream *)child);
        break;
    }
}

/* Waits for the work and frees what the context owns. Drops the lock. */
static void context_empty(hd_context *context)
{
    hd_context_wait(context);
    while (context->children != NULL)
        child_destroy(context->children);
    for (hd_stream *stream = context->streams, *next = NULL; stream != NULL;
         stream = next) {
        next = stream->next;
        if (stream != &context->legacy)
            hd_stream_doom(stream);
    }
    hd_memory_destroy_all(context);
    free(context->printed);
    context->printed = NULL;
    context->printed_size = context->printed_capacity = 0;
}

/* Nobody reaches the context any more from here on; its work is waited for. */
static void deactivate(hd_context *context)
{
    hd_context **link = &hd.contexts;

    context->alive = false;
    while (*link != context)
        link = &(*link)->next;
    *link = context->next;
    context_empty(context);
    hd.live--;
}

void hd_context_forget_thread(const hd_thread *thread)
{
    for (hd_context *context = hd.contexts; context != NULL; context = context->next) {
        for (hd_stream *stream = context->streams, *next = NULL; stream != NULL;
             stream = next) {
            next = stream->next;
            if (stream->owner != thread)
                continue;
            stream->owner = NULL;
            hd_stream_doom(stream);
        }
    }
}

static CUresult check_flags(unsigned flags)
{
    unsigned schedule = flags & CU_CTX_SCHED_MASK;
    if ((flags & ~(unsigned)CU_CTX_FLAGS_MASK) != 0 ||
        (schedule != 0 && (schedule & (schedule - 1)) != 0))
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "0x%x are no flags of a context",
                       flags);
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *handle, unsigned int flags, CUdevice ordinal)
{
    hd_device *device = NULL;
    hd_context *context = NULL;

    HD_ENTER();
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    HD_TRY(check_flags(flags));
    HD_TRY(hd_device_find(ordinal, &device));
    HD_TRY(push(NULL));
    hd_self->depth--; /* there is room now */
    HD_TRY(context_create(device, &context));
    activate(context, flags);
    hd_self->stack[hd_self->depth++] = context->object.handle;
    *handle = context->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext handle)
{
    HD_ENTER();
    hd_context *context = context_find(handle);
    if (context == NULL || context->primary)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT, "%p is not a context to destroy",
                       (void *)handle);
    HD_TRY(hd_context_drain(context));
    HD_NEED(context_find(handle) != NULL); /* another thread may have been faster */
    if (hd_self->depth > 0 && hd_self->stack[hd_self->depth - 1] == handle)
        hd_self->depth--;
    deactivate(context);
    hd_handle_retire(&context->object);
    context->next = hd.spare_contexts;
    hd.spare_contexts = context;
    return CUDA_SUCCESS;
}

/* -- Primary contexts
 * ----------------------------------------------------------------------- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *handle, CUdevice ordinal)
{
    hd_device *device = NULL;

    HD_ENTER();
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    HD_TRY(hd_device_find(ordinal, &device));
    if (device->primary == NULL) {
        HD_TRY(context_create(device, &device->primary));
        device->primary->primary = true;
    }
    if (!device->primary->alive)
        activate(device->primary, device->primary_flags);
    device->primary_refs++;
    *handle = device->primary->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice ordinal)
{
    hd_device *device = NULL;

    HD_ENTER();
    HD_TRY(hd_device_find(ordinal, &device));
    if (device->primary_refs == 0)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT,
                       "the primary context of device %d is not retained", ordinal);
    if (hd_self->in_call)
        return CUDA_ERROR_NOT_PERMITTED;
    if (--device->primary_refs == 0)
        deactivate(device->primary);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice ordinal)
{
    hd_device *device = NULL;

    HD_ENTER();
    HD_TRY(hd_device_find(ordinal, &device));
    if (hd_self->in_call)
        return CUDA_ERROR_NOT_PERMITTED;
    if (device->primary != NULL && device->primary->alive) {
        context_empty(device->primary);
        device->primary->error = CUDA_SUCCESS;
    }
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice ordinal, unsigned int flags)
{
    hd_device *device = NULL;

    HD_ENTER();
    HD_TRY(hd_device_find(ordinal, &device));
    HD_TRY(check_flags(flags));
    device->primary_flags = flags;
    if (device->primary != NULL)
        device->primary->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice ordinal, unsigned int *flags, int *active)
{
    hd_device *device = NULL;

    HD_ENTER();
    HD_TRY(hd_device_find(ordinal, &device));
    if (flags == NULL || active == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = device->primary_flags;
    *active = device->primary_refs > 0;
    return CUDA_SUCCESS;
}

/* -- The thread's stack
 * --------------------------------------------------------------------- */

CUresult cuCtxPushCurrent_v2(CUcontext handle)
{
    HD_ENTER();
    if (context_find(handle) == NULL)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT, "%p is not a context",
                       (void *)handle);
    return push(handle);
}

CUresult cuCtxPopCurrent_v2(CUcontext *handle)
{
    HD_ENTER();
    if (hd_self->depth == 0)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
    hd_self->depth--;
    if (handle != NULL)
        *handle = hd_self->stack[hd_self->depth];
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle)
{
    HD_ENTER();
    if (handle == NULL) {
        if (hd_self->depth > 0)
            hd_self->depth--;
        return CUDA_SUCCESS;
    }
    if (context_find(handle) == NULL)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT, "%p is not a context",
                       (void *)handle);
    if (hd_self->depth == 0)
        return push(handle);
    hd_self->stack[hd_self->depth - 1] = handle;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *handle)
{
    HD_ENTER();
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *handle = hd_self->depth > 0 ? hd_self->stack[hd_self->depth - 1] : NULL;
    return CUDA_SUCCESS;
}

/* -- Questions and settings
 * ----------------------------------------------------------------- */

CUresult cuCtxSynchronize(void)
{
    HD_ENTER_CONTEXT(context);
    return hd_context_wait(context);
}

CUresult cuCtxGetDevice(CUdevice *ordinal)
{
    HD_ENTER_CONTEXT(context);
    if (ordinal == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *ordinal = context->device->ordinal;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    HD_ENTER_CONTEXT(context);
    if (flags == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = context->flags;
    return CUDA_SUCCESS;
}

/* The context named, or the current one. */
static CUresult named_or_current(CUcontext handle, hd_context **context)
{
    if (handle == NULL)
        return hd_context_current(context);
    *context = context_find(handle);
    if (*context == NULL)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT, "%p is not a context",
                       (void *)handle);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long *id)
{
    hd_context *context = NULL;

    HD_ENTER();
    if (id == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    HD_TRY(named_or_current(handle, &context));
    *id = context->id;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned int *version)
{
    hd_context *context = NULL;

    HD_ENTER();
    if (version == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    HD_TRY(named_or_current(handle, &context));
    *version = 3020; /* of contexts made by cuCtxCreate_v2 */
    return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    HD_ENTER_CONTEXT(context);
    if ((unsigned)limit >= CU_LIMIT_MAX)
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "%d is not a limit", (int)limit);
    if (default_limits[limit] == 0)
        return hd_fail(CUDA_ERROR_UNSUPPORTED_LIMIT, "the host device has no limit %d",
                       (int)limit);
    context->limits[limit] = value;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    HD_ENTER_CONTEXT(context);
    if (value == NULL || (unsigned)limit >= CU_LIMIT_MAX)
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "%d is not a limit", (int)limit);
    if (default_limits[limit] == 0)
        return hd_fail(CUDA_ERROR_UNSUPPORTED_LIMIT, "the host device has no limit %d",
                       (int)limit);
    *value = context->limits[limit];
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    HD_ENTER_CONTEXT(context);
    if (config == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *config = context->cache;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    HD_ENTER_CONTEXT(context);
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    context->cache = config;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    HD_ENTER_CONTEXT(context);
    if (config == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *config = context->banks;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    HD_ENTER_CONTEXT(context);
    if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
        return CUDA_ERROR_INVALID_VALUE;
    context->banks = config;
    return CUDA_SUCCESS;
}

/* -- Peers: all devices are one memory, so access is bookkeeping
 * ---------------------------- */

CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned int flags)
{
    HD_ENTER_CONTEXT(context);
    const hd_context *peer = context_find(handle);
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (peer == NULL)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT, "%p is not a context",
                       (void *)handle);
    if (peer->device == context->device)
        return hd_fail(CUDA_ERROR_INVALID_DEVICE,
                       "both contexts are on the same device");
    if (context->peers >> peer->device->ordinal & 1)
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    context->peers |= UINT64_C(1) << peer->device->ordinal;
    return CUDA_SUCCESS;
}

CUresult cuCtxDisablePeerAccess(CUcontext handle)
{
    HD_ENTER_CONTEXT(context);
    const hd_context *peer = context_find(handle);
    if (peer == NULL)
        return hd_fail(CUDA_ERROR_INVALID_CONTEXT, "%p is not a context",
                       (void *)handle);
    if ((context->peers >> peer->device->ordinal & 1) == 0)
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    context->peers &= ~(UINT64_C(1) << peer->device->ordinal);
    return CUDA_SUCCESS;
}
