/* Allocations outside of pools: device, pagelocked, registered and managed
   memory, and what a pointer is. All memory is one here; the kinds differ in what they
   count against and what they answer. Freeing waits for the work of the context, as the
   driver's does. */
#include "captures.h"
#include "entry.h"
#include "graph_memory.h"
#include "hostcuda/run/waits.h"
#include "mempools.h"

#define PITCH 512

static void *pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

/* The live allocation that begins there and is of one of two kinds. */
static CUresult allocation_find(const void *base, hd_memory_kind kind,
                                hd_memory_kind other, hd_allocation **allocation)
{
    *allocation = hd_memory_find(base);
    HD_REFUSE_IF(!*allocation || (*allocation)->base != base ||
                     (*allocation)->free_pending || (*allocation)->freed ||
                     ((*allocation)->kind != kind && (*allocation)->kind != other),
                 "%p is not the start of an allocation", (void *)(uintptr_t)base);
    return CUDA_SUCCESS;
}

static CUresult allocation_free(const void *base, hd_memory_kind kind,
                                hd_memory_kind other)
{
    hd_allocation *allocation = NULL;

    HD_TRY(allocation_find(base, kind, other, &allocation));
    HD_TRY(hd_capture_allows_unsafe());
    if (allocation->graph)
        return hd_graph_memory_free(allocation->graph);
    CUresult status = hd_context_drain(allocation->owner->context);
    if (status != CUDA_SUCCESS &&
        (status != CUDA_ERROR_NOT_READY || kind == HD_MEMORY_REGISTERED))
        return status;
    HD_TRY(allocation_find(base, kind, other, &allocation)); /* the lock was dropped */
    if (status == CUDA_SUCCESS)
        hd_memory_destroy(allocation);
    else
        hd_memory_free_later(allocation);
    return CUDA_SUCCESS;
}

/* -- Device memory ----------------------------------------------------------------- */

CUresult cuMemGetInfo_v2(size_t *free, size_t *total)
{
    HD_ENTER_CONTEXT(context);
    if (free)
        *free = hd.memory - context->device->memory_used;
    if (total)
        *total = hd.memory;
    return CUDA_SUCCESS;
}

static CUresult allocate(hd_memory_kind kind, size_t size, unsigned flags,
                         void *address)
{
    HD_ENTER_CONTEXT(context);
    hd_allocation *allocation = NULL;
    HD_NEED(address && size != 0);
    HD_TRY(hd_capture_allows_unsafe());
    CUresult status =
        hd_memory_create(&context->memory, kind, size, flags, &allocation);
    if (status == CUDA_ERROR_OUT_OF_MEMORY &&
        hd_mempools_trim(context->device, NULL, 0)) {
        HD_TRY(hd_context_current(&context)); /* the lock was dropped */
        status = hd_memory_create(&context->memory, kind, size, flags, &allocation);
    }
    HD_TRY(status);
    *(void **)address = allocation->base;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size)
{
    return allocate(HD_MEMORY_DEVICE, size, 0, address);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width,
                            size_t height, unsigned int element)
{
    size_t size = 0;

    HD_NEED(address && pitch && width != 0 && height != 0);
    HD_NEED(element == 4 || element == 8 || element == 16);
    if (width > SIZE_MAX - PITCH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *pitch = (width + PITCH - 1) & ~(size_t)(PITCH - 1);
    if (__builtin_mul_overflow(*pitch, height, &size))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return cuMemAlloc_v2(address, size);
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    HD_ENTER();
    return allocation_free(pointer(address), HD_MEMORY_DEVICE, HD_MEMORY_MANAGED);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned int flags)
{
    HD_REFUSE_IF(flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST,
                 "flags must be CU_MEM_ATTACH_GLOBAL or CU_MEM_ATTACH_HOST, not %u",
                 flags);
    return allocate(HD_MEMORY_MANAGED, size, flags, address);
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr address)
{
    HD_ENTER_CONTEXT(context);
    const hd_allocation *allocation = hd_memory_find(pointer(address));
    HD_FAIL_IF(!allocation || !hd_memory_is_mapped(allocation), CUDA_ERROR_NOT_FOUND,
               "%p is in no allocation", pointer(address));
    if (base)
        *base = (uintptr_t)allocation->base;
    if (size)
        *size = allocation->size;
    return CUDA_SUCCESS;
}

/* -- Pagelocked memory ------------------------------------------------------------- */

CUresult cuMemHostAlloc(void **address, size_t size, unsigned int flags)
{
    HD_REFUSE_IF(flags > (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP |
                          CU_MEMHOSTALLOC_WRITECOMBINED),
                 "0x%x are no flags of pagelocked memory", flags);
    return allocate(HD_MEMORY_HOST, size, flags, address);
}

CUresult cuMemAllocHost_v2(void **address, size_t size)
{
    return cuMemHostAlloc(address, size, CU_MEMHOSTALLOC_DEVICEMAP);
}

CUresult cuMemFreeHost(void *address)
{
    HD_ENTER();
    return allocation_free(address, HD_MEMORY_HOST, HD_MEMORY_HOST);
}

CUresult cuMemHostRegister_v2(void *address, size_t size, unsigned int flags)
{
    HD_ENTER_CONTEXT(context);
    HD_NEED(address && size != 0 && size <= SIZE_MAX - (uintptr_t)address);
    HD_NEED((flags &
             ~(unsigned)(CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                         CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY)) ==
            0);
    return hd_memory_adopt(&context->memory, HD_MEMORY_REGISTERED, address, size,
                           flags);
}

CUresult cuMemHostUnregister(void *address)
{
    HD_ENTER();
    CUresult status =
        allocation_free(address, HD_MEMORY_REGISTERED, HD_MEMORY_REGISTERED);
    return status == CUDA_ERROR_INVALID_VALUE && address
               ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
               : status;
}

static CUresult find_host(const void *address, hd_allocation **allocation)
{
    *allocation = hd_memory_find(address);
    HD_REFUSE_IF(!*allocation || !hd_memory_is_host(*allocation),
                 "%p is not in pagelocked memory", (void *)(uintptr_t)address);
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host,
                                      unsigned int flags)
{
    hd_allocation *allocation = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(address && flags == 0);
    HD_TRY(find_host(host, &allocation));
    *address = (uintptr_t)host;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *host)
{
    hd_allocation *allocation = NULL;
    HD_ENTER_CONTEXT(context);
    HD_TRY(find_host(host, &allocation));
    HD_ANSWER(flags, allocation->flags);
}

/* -- What is this pointer ---------------------------------------------------------- */

/* Bytes of each answer; 0: there is none. */
static const unsigned char answer_bytes[] = {
    [CU_POINTER_ATTRIBUTE_CONTEXT] = 8,
    [CU_POINTER_ATTRIBUTE_MEMORY_TYPE] = 4,
    [CU_POINTER_ATTRIBUTE_DEVICE_POINTER] = 8,
    [CU_POINTER_ATTRIBUTE_HOST_POINTER] = 8,
    [CU_POINTER_ATTRIBUTE_SYNC_MEMOPS] = 1,
    [CU_POINTER_ATTRIBUTE_BUFFER_ID] = 8,
    [CU_POINTER_ATTRIBUTE_IS_MANAGED] = 1,
    [CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL] = 4,
    [CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE] = 1,
    [CU_POINTER_ATTRIBUTE_RANGE_START_ADDR] = 8,
    [CU_POINTER_ATTRIBUTE_RANGE_SIZE] = 8,
    [CU_POINTER_ATTRIBUTE_MAPPED] = 1,
    [CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES] = 8,
    [CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE] = 1,
    [CU_POINTER_ATTRIBUTE_ACCESS_FLAGS] = 4,
    [CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE] = 8,
};

/* The value of an attribute for an address; 0 if it does not apply. */
static uint64_t answer(CUpointer_attribute attribute, CUdeviceptr address,
                       const hd_allocation *allocation)
{
    bool managed = allocation->kind == HD_MEMORY_MANAGED;
    bool host = hd_memory_is_host(allocation);
    const uint64_t answers[sizeof answer_bytes] = {
        [CU_POINTER_ATTRIBUTE_CONTEXT] =
            (uintptr_t)allocation->owner->context->object.handle,
        [CU_POINTER_ATTRIBUTE_MEMORY_TYPE] =
            host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
        [CU_POINTER_ATTRIBUTE_DEVICE_POINTER] = address,
        [CU_POINTER_ATTRIBUTE_HOST_POINTER] = host || managed ? address : 0,
        [CU_POINTER_ATTRIBUTE_BUFFER_ID] = allocation->id,
        [CU_POINTER_ATTRIBUTE_IS_MANAGED] = managed,
        [CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL] = allocation->owner->device->ordinal,
        [CU_POINTER_ATTRIBUTE_RANGE_START_ADDR] = (uintptr_t)allocation->base,
        [CU_POINTER_ATTRIBUTE_RANGE_SIZE] = allocation->size,
        [CU_POINTER_ATTRIBUTE_MAPPED] = 1,
        [CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE] =
            (uintptr_t)hd_mempool_handle(allocation),
        [CU_POINTER_ATTRIBUTE_ACCESS_FLAGS] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    return answers[attribute];
}

/* Whether kernels of the current context may use the memory: all is one memory, but
   programs for several devices are to be tried out here. */
static bool is_reachable(const hd_allocation *allocation)
{
    hd_context *context = NULL;
    const hd_device *device = allocation->owner->device;
    return hd_self->depth == 0 || hd_context_current(&context) != CUDA_SUCCESS ||
           context->device == device || hd_memory_is_host(allocation) ||
           allocation->kind == HD_MEMORY_MANAGED ||
           (context->peers >> device->ordinal & 1);
}

static bool is_answered(CUpointer_attribute attribute)
{
    return (unsigned)attribute < sizeof answer_bytes && answer_bytes[attribute] != 0;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                               CUdeviceptr address)
{
    HD_ENTER();
    HD_NEED(data && is_answered(attribute));
    const hd_allocation *allocation = hd_memory_find(pointer(address));
    HD_REFUSE_IF(!allocation || !hd_memory_is_mapped(allocation),
                 "%p is in no allocation", pointer(address));
    uint64_t value = answer(attribute, address, allocation);
    HD_REFUSE_IF(attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER && value == 0,
                 "%p is device memory", pointer(address));
    HD_REFUSE_IF(attribute == CU_POINTER_ATTRIBUTE_DEVICE_POINTER &&
                     !is_reachable(allocation),
                 "%p is memory of device %d, which the current context has no peer "
                 "access to",
                 pointer(address), allocation->owner->device->ordinal);
    memcpy(data, &value, answer_bytes[attribute]);
    return CUDA_SUCCESS;
}

/* Several at once; of an address that is not ours all is 0, but the device: -2. */
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes,
                                void **data, CUdeviceptr address)
{
    HD_ENTER();
    HD_NEED(count > 0 && attributes && data);
    const hd_allocation *allocation = hd_memory_find(pointer(address));
    bool mapped = allocation && hd_memory_is_mapped(allocation);
    for (unsigned i = 0; i < count; i++) {
        HD_NEED(data[i] && is_answered(attributes[i]));
        uint64_t value = mapped ? answer(attributes[i], address, allocation)
                         : attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
                             ? UINT64_MAX - 1
                             : 0;
        memcpy(data[i], &value, answer_bytes[attributes[i]]);
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr address)
{
    hd_allocation *allocation = NULL;
    HD_ENTER();
    HD_NEED(value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
    return allocation_find(pointer(address), HD_MEMORY_DEVICE, HD_MEMORY_MANAGED,
                           &allocation);
}
