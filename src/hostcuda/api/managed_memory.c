/* Managed memory: always everywhere, so advice and prefetches are checked, remembered
   and told when asked. What is said about a part of an allocation holds for it all. */
#include "captures.h"
#include "devices.h"
#include "entry.h"

#define HOST_BIT (HD_DEVICES_MAX - 1)

static CUresult find_managed(CUdeviceptr address, size_t size,
                             hd_allocation **allocation)
{
    char *first = (char *)(uintptr_t)address;

    *allocation = hd_memory_find(first);
    HD_REFUSE_IF(!*allocation || (*allocation)->kind != HD_MEMORY_MANAGED ||
                     size == 0 ||
                     size > (*allocation)->size - (size_t)(first - (*allocation)->base),
                 "%zu bytes at %p are not managed memory", size, (void *)first);
    return CUDA_SUCCESS;
}

static CUresult check_location(CUdevice location)
{
    hd_device *device = NULL;
    return location == CU_DEVICE_CPU ? CUDA_SUCCESS : hd_device_find(location, &device);
}

CUresult cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise what,
                     CUdevice location)
{
    hd_allocation *allocation = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(what >= CU_MEM_ADVISE_SET_READ_MOSTLY &&
            what <= CU_MEM_ADVISE_UNSET_ACCESSED_BY);
    if (what > CU_MEM_ADVISE_UNSET_READ_MOSTLY &&
        what != CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION)
        HD_TRY(check_location(location));
    HD_TRY(find_managed(address, size, &allocation));
    hd_advice *advice = &allocation->advice;
    uint64_t bit = UINT64_C(1)
                   << (location == CU_DEVICE_CPU ? HOST_BIT : location & 63);
    switch (what) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
        advice->read_mostly = what == CU_MEM_ADVISE_SET_READ_MOSTLY;
        break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        advice->preferred =
            what == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ? location : HD_NOWHERE;
        break;
    default:
        advice->accessed = what == CU_MEM_ADVISE_SET_ACCESSED_BY
                               ? advice->accessed | bit
                               : advice->accessed & ~bit;
        break;
    }
    return CUDA_SUCCESS;
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t size, CUdevice location,
                            CUstream handle)
{
    hd_allocation *allocation = NULL;
    HD_ENTER_CONTEXT(context);
    hd_stream *stream = NULL;
    HD_TRY(hd_stream_find(handle, &stream));
    HD_TRY(hd_capture_refuses(stream, "cuMemPrefetchAsync"));
    HD_TRY(check_location(location));
    HD_TRY(find_managed(address, size, &allocation));
    allocation->advice.prefetched = location;
    return CUDA_SUCCESS;
}

/* The forms with a struct for the location. */
static CUresult ordinal_of(CUmemLocation location, CUdevice *ordinal)
{
    HD_REFUSE_IF(location.type < CU_MEM_LOCATION_TYPE_DEVICE ||
                     location.type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
                 "%d is not a type of location", (int)location.type);
    *ordinal =
        location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU;
    return CUDA_SUCCESS;
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise what,
                        CUmemLocation location)
{
    CUdevice ordinal = CU_DEVICE_CPU;
    if (what > CU_MEM_ADVISE_UNSET_READ_MOSTLY &&
        what != CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION)
        HD_TRY(ordinal_of(location, &ordinal));
    return cuMemAdvise(address, size, what, ordinal);
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation location,
                               unsigned int flags, CUstream stream)
{
    CUdevice ordinal = CU_DEVICE_CPU;
    HD_NEED(flags == 0);
    HD_TRY(ordinal_of(location, &ordinal));
    return cuMemPrefetchAsync(address, size, ordinal, stream);
}

/* -- What is remembered ------------------------------------------------------------ */

static int type_of(int location)
{
    return location == HD_NOWHERE      ? CU_MEM_LOCATION_TYPE_INVALID
           : location == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST
                                       : CU_MEM_LOCATION_TYPE_DEVICE;
}

static void list_accessed(const hd_advice *advice, int *list, size_t count)
{
    size_t n = 0;

    for (int i = 0; i < HD_DEVICES_MAX && n < count; i++) {
        if (advice->accessed >> i & 1)
            list[n++] = i == HOST_BIT ? CU_DEVICE_CPU : i;
    }
    while (n < count)
        list[n++] = HD_NOWHERE;
}

static CUresult range_answer(int *data, size_t bytes, CUmem_range_attribute attribute,
                             const hd_advice *advice)
{
    bool is_list = attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    const int answers[] = {
        [CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY] = advice->read_mostly,
        [CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION] = advice->preferred,
        [CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION] = advice->prefetched,
        [CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE] = type_of(advice->preferred),
        [CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID] = advice->preferred,
        [CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE] =
            type_of(advice->prefetched),
        [CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID] = advice->prefetched,
    };

    HD_NEED(data);
    HD_REFUSE_IF(attribute < CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY ||
                     attribute > CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID,
                 "%d is not a range attribute", (int)attribute);
    HD_REFUSE_IF(is_list ? bytes == 0 || bytes % sizeof *data != 0 : bytes != 4,
                 "%zu bytes are not the size of range attribute %d", bytes,
                 (int)attribute);
    if (is_list)
        list_accessed(advice, data, bytes / sizeof *data);
    else
        *data = answers[attribute];
    return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttributes(void **data, size_t *sizes,
                                 CUmem_range_attribute *attributes, size_t count,
                                 CUdeviceptr address, size_t size)
{
    hd_allocation *allocation = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(data && sizes && attributes && count != 0);
    HD_TRY(find_managed(address, size, &allocation));
    for (size_t i = 0; i < count; i++)
        HD_TRY(range_answer(data[i], sizes[i], attributes[i], &allocation->advice));
    return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttribute(void *data, size_t bytes,
                                CUmem_range_attribute attribute, CUdeviceptr address,
                                size_t size)
{
    return cuMemRangeGetAttributes(&data, &bytes, &attribute, 1, address, size);
}

/* -- Attaching --------------------------------------------------------------------- */

CUresult cuStreamAttachMemAsync(CUstream handle, CUdeviceptr address, size_t size,
                                unsigned int flags)
{
    hd_allocation *allocation = NULL;
    HD_ENTER_CONTEXT(context);
    hd_stream *stream = NULL;
    HD_TRY(hd_stream_find(handle, &stream));
    HD_NEED(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST ||
            (flags == CU_MEM_ATTACH_SINGLE && stream != &context->legacy));
    HD_TRY(find_managed(address, size != 0 ? size : 1, &allocation));
    HD_NEED(allocation->base == (char *)(uintptr_t)address &&
            !allocation->free_pending && (size == 0 || size == allocation->size));
    allocation->flags = flags;
    return CUDA_SUCCESS;
}
