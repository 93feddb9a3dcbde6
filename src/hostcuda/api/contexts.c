/* Contexts: made, destroyed, pushed and popped; primary contexts; limits and settings.

   A context owns its streams, events, modules, arrays and memory. Destroying it waits
   for its work, makes all handles of it stale and frees everything; threads that have
   it on their stack find out by CONTEXT_IS_DESTROYED. A primary context keeps its
   record and handle for the life of the process. */
#include "captures.h"
#include "contexts.h"
#include "devices.h"
#include "entry.h"
#include "hostcuda/run/waits.h"

static const size_t default_limits[CU_LIMIT_MAX] = {
    [CU_LIMIT_STACK_SIZE] = 1024,
    [CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20,
    [CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20,
    [CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2,
    [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,
    [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,
};

/* -- The current context ----------------------------------------------------------- */

static CUresult context_find(const void *handle, hd_context **context)
{
    HD_TRY(hd_handle_find(HD_CONTEXT, handle, context));
    return (*context)->alive
               ? CUDA_SUCCESS
               : hd_fail(CUDA_ERROR_INVALID_CONTEXT, "the context was released");
}

static CUresult push(void *handle)
{
    hd_thread *thread = hd_self;

    HD_TRY(hd_array_grow(&thread->stack, sizeof *thread->stack, thread->depth,
                         &thread->capacity));
    thread->stack[thread->depth++] = handle;
    return CUDA_SUCCESS;
}

/* -- Life -------------------------------------------------------------------------- */

static void activate(hd_context *context, unsigned flags)
{
    context->alive = true;
    context->users = context->primary ? 0 : 1;
    context->flags = flags;
    context->error = CUDA_SUCCESS;
    context->cache = CU_FUNC_CACHE_PREFER_NONE;
    context->banks = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    context->peers = 0;
    context->id = ++hd.serial;
    memcpy(context->limits, default_limits, sizeof default_limits);
    context->next = hd.contexts;
    hd.contexts = context;
    hd.live[HD_CONTEXT]++;
}

static hd_context *free_records; /* owned: for the contexts to come */

static CUresult context_create(hd_device *device, hd_context **made)
{
    hd_context *context = free_records;

    if (context)
        free_records = context->next;
    else
        context = malloc(sizeof *context);
    if (!context)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memset(context, 0, sizeof *context);
    HD_TRY_OR(hd_handle_create(&context->object, HD_CONTEXT, context), free(context));
    context->device = device;
    context->memory = (hd_memory_owner){.context = context, .device = device};
    hd_stream_init(&context->legacy, context, CU_STREAM_DEFAULT, 0);
    *made = context;
    return CUDA_SUCCESS;
}

/* Waits for the work and frees everything that the context owns. Drops the lock. */
static void context_empty(hd_context *context)
{
    while (hd_context_wait(context) == CUDA_ERROR_NOT_READY)
        continue;
    while (context->children)
        context->children->destroy(context->children);
    for (hd_stream *stream = context->streams, *next = NULL; stream; stream = next) {
        next = stream->next;
        hd_capture_forget(stream);
        if (stream != &context->legacy)
            hd_stream_release(stream);
    }
    hd_memory_destroy_all(&context->memory);
    free(context->printed);
    context->printed = NULL;
    context->printed_size = context->printed_capacity = 0;
}

/* Takes the context off the list of living ones, waits for its work and frees its
   objects. */
static void deactivate(hd_context *context)
{
    context->alive = false;
    HD_UNLINK(hd.contexts, context, next);
    context_empty(context);
    hd.live[HD_CONTEXT]--;
}

void hd_contexts_forget_thread(const hd_thread *thread)
{
    for (hd_context *context = hd.contexts; context; context = context->next) {
        for (hd_stream *stream = context->streams, *next = NULL; stream;
             stream = next) {
            next = stream->next;
            if (stream->owner != thread)
                continue;
            hd_capture_forget(stream);
            stream->owner = NULL;
            hd_stream_release(stream);
        }
    }
}

static CUresult check_flags(unsigned flags)
{
    unsigned schedule = flags & CU_CTX_SCHED_MASK;
    HD_REFUSE_IF((flags & ~(unsigned)CU_CTX_FLAGS_MASK) != 0 ||
                     (schedule != 0 && (schedule & (schedule - 1)) != 0),
                 "0x%x are no flags of a context", flags);
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *handle, unsigned int flags, CUdevice ordinal)
{
    hd_device *device = NULL;
    hd_context *context = NULL;
    HD_ENTER();
    HD_NEED(handle);
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

CUresult cuCtxCreate_v4(CUcontext *handle, CUctxCreateParams *params,
                        unsigned int flags, CUdevice ordinal)
{
    if (params && (params->numExecAffinityParams != 0 || params->cigParams))
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    return cuCtxCreate_v2(handle, flags, ordinal);
}

static bool is_current(CUcontext handle)
{
    return hd_self->depth > 0 && hd_self->stack[hd_self->depth - 1] == handle;
}

/* Destroys a context whose work was waited for, and that is not primary. */
static void destroy(hd_context *context)
{
    if (is_current(context->object.handle))
        hd_self->depth--;
    deactivate(context);
    hd_handle_retire(&context->object);
    context->next = free_records;
    free_records = context;
}

CUresult cuCtxDestroy_v2(CUcontext handle)
{
    HD_ENTER_WITH(hd_context, context, context_find(handle, &context));
    HD_FAIL_IF(context->primary, CUDA_ERROR_INVALID_CONTEXT,
               "a primary context is released, not destroyed");
    HD_TRY(hd_context_drain(context));
    HD_TRY(context_find(handle, &context)); /* perhaps destroyed by another thread */
    destroy(context);
    return CUDA_SUCCESS;
}

/* -- Primary contexts -------------------------------------------------------------- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *handle, CUdevice ordinal)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_NEED(handle);
    if (!device->primary) {
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
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_FAIL_IF(device->primary_refs == 0, CUDA_ERROR_INVALID_CONTEXT,
               "the primary context of device %d is not retained", ordinal);
    if (device->primary_refs == 1)
        HD_TRY(hd_context_drain(device->primary));
    if (device->primary_refs > 0 && --device->primary_refs == 0)
        deactivate(device->primary);
    return CUDA_SUCCESS;
}

/* -- Users, counted ---------------------------------------------------------------- */

/* A primary context is retained by each of its users, too. */
CUresult cuCtxAttach(CUcontext *handle, unsigned int flags)
{
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle);
    HD_REFUSE_IF(flags != 0, "the flags must be 0, not 0x%x", flags);
    context->users++;
    if (context->primary)
        context->device->primary_refs++;
    *handle = context->object.handle;
    return CUDA_SUCCESS;
}

/* A context that cuCtxDetach may be called for. */
static CUresult attached_find(CUcontext handle, hd_context **context)
{
    HD_TRY(context_find(handle, context));
    HD_FAIL_IF(!is_current(handle), CUDA_ERROR_INVALID_CONTEXT,
               "only the current context is detached");
    HD_FAIL_IF((*context)->users == 0, CUDA_ERROR_INVALID_CONTEXT,
               "a primary context is detached as often as it was attached");
    return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext handle)
{
    HD_ENTER_WITH(hd_context, context, attached_find(handle, &context));
    hd_device *device = context->device;
    if (context->primary ? device->primary_refs == 1 : context->users == 1) {
        HD_TRY(hd_context_drain(context));
        HD_TRY(attached_find(handle, &context)); /* the lock was dropped */
    }
    context->users--;
    if (context->primary && --device->primary_refs == 0)
        deactivate(context);
    else if (!context->primary && context->users == 0)
        destroy(context);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice ordinal)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    if (device->primary && device->primary->alive) {
        HD_TRY(hd_context_drain(device->primary));
        context_empty(device->primary);
        device->primary->error = CUDA_SUCCESS;
    }
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice ordinal, unsigned int flags)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_TRY(check_flags(flags));
    device->primary_flags = flags;
    if (device->primary)
        device->primary->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice ordinal, unsigned int *flags, int *active)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_NEED(flags && active);
    *flags = device->primary_flags;
    *active = device->primary_refs > 0;
    return CUDA_SUCCESS;
}

/* -- The thread's stack ------------------------------------------------------------ */

CUresult cuCtxPushCurrent_v2(CUcontext handle)
{
    HD_ENTER_WITH(hd_context, context, context_find(handle, &context));
    return push(handle);
}

CUresult cuCtxPopCurrent_v2(CUcontext *handle)
{
    HD_ENTER();
    HD_FAIL_IF(hd_self->depth == 0, CUDA_ERROR_INVALID_CONTEXT,
               "no context is current");
    hd_self->depth--;
    if (handle)
        *handle = hd_self->stack[hd_self->depth];
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle)
{
    hd_context *context = NULL;
    HD_ENTER();
    if (handle)
        HD_TRY(context_find(handle, &context));
    if (hd_self->depth > 0)
        hd_self->depth--;
    return handle ? push(handle) : CUDA_SUCCESS;
}

/* Asked before most of what a program does. */
HD_QUESTION(cuCtxGetCurrent, (CUcontext * answer), HD_ENTER_UNLOCKED(),
            hd_self->depth > 0 ? hd_self->stack[hd_self->depth - 1] : NULL)

/* -- Questions and settings -------------------------------------------------------- */

/* The context named, or the current one. */
static CUresult named_or_current(CUcontext handle, hd_context **context)
{
    if (!handle)
        return hd_context_current(context);
    return context_find(handle, context);
}

CUresult cuCtxSynchronize(void)
{
    HD_ENTER_CONTEXT(context);
    HD_TRY(hd_capture_allows_wait(context));
    return hd_context_wait(context);
}

CUresult cuCtxSynchronize_v2(CUcontext handle)
{
    HD_ENTER_WITH(hd_context, context, named_or_current(handle, &context));
    HD_TRY(hd_context_status(context));
    HD_TRY(hd_capture_allows_wait(context));
    return hd_context_wait(context);
}

HD_QUESTION(cuCtxGetDevice_v2, (CUdevice * answer, CUcontext handle),
            HD_ENTER_WITH(hd_context, context, named_or_current(handle, &context)),
            context->device->ordinal)

CUresult cuCtxSetFlags(unsigned int flags)
{
    HD_ENTER_CONTEXT(context);
    HD_TRY(check_flags(flags));
    context->flags = flags;
    return CUDA_SUCCESS;
}

/* There is no cache of that kind. */
CUresult cuCtxResetPersistingL2Cache(void)
{
    HD_ENTER_CONTEXT(context);
    return CUDA_SUCCESS;
}

/* Settings that are stored and answered, and have no effect here. */
#define CONTEXT_SETTING(name, type, field, most) \
    CUresult name(type value)                    \
    {                                            \
        HD_ENTER_CONTEXT(context);               \
        HD_NEED((unsigned)value <= most);        \
        context->field = value;                  \
        return CUDA_SUCCESS;                     \
    }

HD_QUESTION(cuCtxGetDevice, (CUdevice * answer), HD_ENTER_CONTEXT(context),
            context->device->ordinal)
HD_QUESTION(cuCtxGetFlags, (unsigned int *answer), HD_ENTER_CONTEXT(context),
            context->flags)
HD_QUESTION(cuCtxGetCacheConfig, (CUfunc_cache * answer), HD_ENTER_CONTEXT(context),
            context->cache)
HD_QUESTION(cuCtxGetSharedMemConfig, (CUsharedconfig * answer),
            HD_ENTER_CONTEXT(context), context->banks)
CONTEXT_SETTING(cuCtxSetCacheConfig, CUfunc_cache, cache, CU_FUNC_CACHE_PREFER_EQUAL)
CONTEXT_SETTING(cuCtxSetSharedMemConfig, CUsharedconfig, banks,
                CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)

HD_QUESTION(cuCtxGetId, (CUcontext handle, unsigned long long *answer),
            HD_ENTER_WITH(hd_context, context, named_or_current(handle, &context)),
            context->id)

/* That of contexts made by cuCtxCreate_v2 */
HD_QUESTION(cuCtxGetApiVersion, (CUcontext handle, unsigned int *answer),
            HD_ENTER_WITH(hd_context, context, named_or_current(handle, &context)),
            3020)

static CUresult check_limit(CUlimit limit)
{
    HD_REFUSE_IF((unsigned)limit >= CU_LIMIT_MAX, "%d is not a limit", (int)limit);
    HD_FAIL_IF(default_limits[limit] == 0, CUDA_ERROR_UNSUPPORTED_LIMIT,
               "the host device has no limit %d", (int)limit);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    HD_ENTER_CONTEXT(context);
    HD_TRY(check_limit(limit));
    context->limits[limit] = value;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    HD_ENTER_CONTEXT(context);
    HD_TRY(check_limit(limit));
    HD_ANSWER(value, context->limits[limit]);
}

/* -- Peers: all devices are one memory, so access is bookkeeping ------------------- */

CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned int flags)
{
    HD_ENTER_WITH(hd_context, peer, context_find(handle, &peer));
    hd_context *context = NULL;
    HD_TRY(hd_context_current(&context));
    HD_NEED(flags == 0);
    HD_FAIL_IF(peer->device == context->device, CUDA_ERROR_INVALID_DEVICE,
               "both contexts are on the same device");
    if (context->peers >> peer->device->ordinal & 1)
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    context->peers |= UINT64_C(1) << peer->device->ordinal;
    return CUDA_SUCCESS;
}

CUresult cuCtxDisablePeerAccess(CUcontext handle)
{
    HD_ENTER_WITH(hd_context, peer, context_find(handle, &peer));
    hd_context *context = NULL;
    HD_TRY(hd_context_current(&context));
    if ((context->peers >> peer->device->ordinal & 1) == 0)
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    context->peers &= ~(UINT64_C(1) << peer->device->ordinal);
    return CUDA_SUCCESS;
}
