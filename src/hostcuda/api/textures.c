/* CUDA arrays, which are plain memory without gaps, and texture and surface objects. An
   object is the address of its record, which lies at the start of an allocation of its
   own, with what the user described behind it; so the registry of memory tells whether
   a number is an object, and objects end with their context. A destroyed object's
   record is cleared: kernels that still use it fault. */
#include <math.h>
#include <stdint.h>

#include "entry.h"
#include "hostcuda/core/device_limits.h"
#include "hostcuda/run/waits.h"
#include "textures.h"

typedef struct {
    __hc_texture record; /* first: the object is its address */
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
} hd_texture;

/* -- Arrays ------------------------------------------------------------------------ */

static size_t element_bytes(CUarray_format format, unsigned channels)
{
    static const unsigned char bytes[] = {
        [CU_AD_FORMAT_UNSIGNED_INT8] = 1,  [CU_AD_FORMAT_SIGNED_INT8] = 1,
        [CU_AD_FORMAT_UNSIGNED_INT16] = 2, [CU_AD_FORMAT_SIGNED_INT16] = 2,
        [CU_AD_FORMAT_HALF] = 2,           [CU_AD_FORMAT_UNSIGNED_INT32] = 4,
        [CU_AD_FORMAT_SIGNED_INT32] = 4,   [CU_AD_FORMAT_FLOAT] = 4};

    return (unsigned)format < sizeof bytes &&
                   (channels == 1 || channels == 2 || channels == 4)
               ? bytes[format] * channels
               : 0;
}

static void array_destroy(hd_object *array)
{
    hd_allocation *memory = ((hd_array *)array)->memory;

    hd_child_destroy(array); /* first: what follows may drop the lock */
    hd_memory_destroy(memory);
}

CUresult cuArray3DCreate_v2(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    hd_allocation *memory = NULL;
    hd_array *array = NULL;
    size_t size = 0;
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle && wanted);
    size_t element = element_bytes(wanted->Format, wanted->NumChannels);
    size_t rows = wanted->Height != 0 ? wanted->Height : 1;
    size_t slices = wanted->Depth != 0 ? wanted->Depth : 1;
    HD_REFUSE_IF(element == 0 || wanted->Width == 0,
                 "no array of format %d, %u channels and width %zu",
                 (int)wanted->Format, wanted->NumChannels, wanted->Width);
    if (__builtin_mul_overflow(wanted->Width, element, &size) ||
        __builtin_mul_overflow(size, rows, &size) ||
        __builtin_mul_overflow(size, slices, &size))
        return CUDA_ERROR_OUT_OF_MEMORY;
    HD_REFUSE_IF(
        wanted->Width > INT32_MAX || rows > INT32_MAX || slices > INT32_MAX,
        "no array of %zu x %zu x %zu elements: each number has to be below 2^31",
        wanted->Width, rows, slices);
    HD_TRY(hd_memory_create(&context->memory, HD_MEMORY_ARRAY, size, 0, &memory));
    HD_TRY_OR(hd_child_create(context, HD_ARRAY, sizeof *array, array_destroy, &array),
              hd_memory_destroy(memory));
    array->descriptor = *wanted;
    array->row = wanted->Width * element;
    array->rows = rows;
    array->slices = slices;
    array->memory = memory;
    *handle = array->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuArrayCreate_v2(CUarray *handle, const CUDA_ARRAY_DESCRIPTOR *wanted)
{
    HD_NEED(wanted);
    const CUDA_ARRAY3D_DESCRIPTOR full = {.Width = wanted->Width,
                                          .Height = wanted->Height,
                                          .Format = wanted->Format,
                                          .NumChannels = wanted->NumChannels};
    return cuArray3DCreate_v2(handle, &full);
}

CUresult cuArrayDestroy(CUarray handle)
{
    HD_ENTER();
    return hd_child_unload(HD_ARRAY, handle);
}

HD_QUESTION(cuArray3DGetDescriptor_v2,
            (CUDA_ARRAY3D_DESCRIPTOR * answer, CUarray handle),
            HD_ENTER_FIND(hd_array, array, HD_ARRAY, handle), array->descriptor)

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray handle)
{
    HD_ENTER_FIND(hd_array, array, HD_ARRAY, handle);
    const CUDA_ARRAY3D_DESCRIPTOR *full = &array->descriptor;
    const CUDA_ARRAY_DESCRIPTOR flat = {full->Width, full->Height, full->Format,
                                        full->NumChannels};
    HD_ANSWER(descriptor, flat);
}

/* -- Records ----------------------------------------------------------------------- */

static CUresult fill_format(__hc_texture *record, CUarray_format format,
                            unsigned channels)
{
    size_t element = element_bytes(format, channels);
    bool floating = format >= CU_AD_FORMAT_HALF;

    HD_REFUSE_IF(element == 0, "no texture has format %d and %u channels", (int)format,
                 channels);
    unsigned bits = 8 * element / channels;
    record->channels = channels;
    record->element = element;
    record->is_signed = !floating && format >= CU_AD_FORMAT_SIGNED_INT8;
    record->spare_bits = 32 - bits;
    record->unit = floating     ? 1
                   : bits == 32 ? 0 /* 32-bit integers are not converted to floats */
                                : (1u << (bits - record->is_signed)) - 1;
    record->conversion = format == CU_AD_FORMAT_HALF ? __HC_FROM_HALF
                         : record->unit > 1          ? __HC_TO_UNIT
                                                     : __HC_AS_IS;
    return CUDA_SUCCESS;
}

/* Device memory of the user's */
static CUresult check_memory(CUdeviceptr address, size_t bytes)
{
    const char *base = (const char *)(uintptr_t)address;

    HD_TRY(hd_memory_check(hd_memory_find(base), base, bytes));
    HD_REFUSE_IF(address % HD_TEXTURE_ALIGNMENT != 0,
                 "%p is not a multiple of %d bytes", (const void *)base,
                 HD_TEXTURE_ALIGNMENT);
    return CUDA_SUCCESS;
}

static CUresult fill_resource(__hc_texture *record, const CUDA_RESOURCE_DESC *resource)
{
    const typeof(resource->res.linear) *linear = &resource->res.linear;
    const typeof(resource->res.pitch2D) *pitched = &resource->res.pitch2D;
    size_t bytes = 0;

    HD_REFUSE_IF(resource->flags != 0, "the flags of a resource must be 0");
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY: {
        HD_FIND(hd_array, array, HD_ARRAY, resource->res.array.hArray);
        HD_TRY(fill_format(record, array->descriptor.Format,
                           array->descriptor.NumChannels));
        record->base = array->memory->base;
        record->pitch = array->row;
        record->slice = array->row * array->rows;
        record->extent[0] = (int)array->descriptor.Width;
        record->extent[1] = (int)array->rows;
        record->extent[2] = (int)array->slices;
        return CUDA_SUCCESS;
    }
    case CU_RESOURCE_TYPE_LINEAR:
        HD_TRY(check_memory(linear->devPtr, linear->sizeInBytes));
        HD_TRY(fill_format(record, linear->format, linear->numChannels));
        record->base = (char *)(uintptr_t)linear->devPtr;
        bytes = linear->sizeInBytes / record->element;
        HD_REFUSE_IF(bytes == 0 || bytes > HD_TEXTURE_LINEAR_MAX,
                     "%zu texels of linear memory, 1 to %d can be", bytes,
                     HD_TEXTURE_LINEAR_MAX);
        record->extent[0] = (int)bytes;
        record->extent[1] = record->extent[2] = 1;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_PITCH2D:
        HD_TRY(fill_format(record, pitched->format, pitched->numChannels));
        HD_REFUSE_IF(pitched->width == 0 || pitched->height == 0 ||
                         pitched->width > HD_TEXTURE_PITCHED_MAX ||
                         pitched->height > HD_TEXTURE_PITCHED_MAX ||
                         pitched->pitchInBytes < pitched->width * record->element ||
                         pitched->pitchInBytes > INT32_MAX ||
                         pitched->pitchInBytes % HD_TEXTURE_PITCH_ALIGNMENT != 0,
                     "a pitch of %zu bytes does not do for %zu x %zu texels of %u "
                     "bytes: it has to be a multiple of %d, below 2^31",
                     pitched->pitchInBytes, pitched->width, pitched->height,
                     record->element, HD_TEXTURE_PITCH_ALIGNMENT);
        bytes = pitched->pitchInBytes * (pitched->height - 1) +
                pitched->width * record->element;
        HD_TRY(check_memory(pitched->devPtr, bytes));
        record->base = (char *)(uintptr_t)pitched->devPtr;
        record->pitch = pitched->pitchInBytes;
        record->extent[0] = (int)pitched->width;
        record->extent[1] = (int)pitched->height;
        record->extent[2] = 1;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return hd_fail(CUDA_ERROR_NOT_SUPPORTED,
                       "mipmapped arrays are not supported by the host device");
    }
    return hd_fail(CUDA_ERROR_INVALID_VALUE, "%d is not a resource type",
                   (int)resource->resType);
}

/* The border's colour as a texel, so that reading it is like reading any other. */
static void fill_border(__hc_texture *record, const float *color)
{
    for (unsigned c = 0; c < record->channels; c++) {
        char *to = (char *)record->border + c * (record->element / record->channels);
        float low = record->is_signed ? -1.0f : 0.0f;
        _Float16 half = (_Float16)color[c];
        int whole = (int)lrintf(fminf(fmaxf(color[c], low), 1.0f) * record->unit);
        const void *from = record->conversion == __HC_FROM_HALF ? (const void *)&half
                           : record->conversion == __HC_TO_UNIT ? (const void *)&whole
                                                                : &color[c];
        memcpy(to, from, record->element / record->channels);
    }
}

CUresult hd_texture_fill(__hc_texture *record, const CUDA_RESOURCE_DESC *resource,
                         const CUDA_TEXTURE_DESC *texture, bool as_is)
{
    const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES;

    memset(record, 0, sizeof *record);
    record->is_surface = !texture;
    HD_TRY(fill_resource(record, resource));
    if (!texture)
        return CUDA_SUCCESS;
    if (texture->flags & ~known)
        return hd_fail(CUDA_ERROR_NOT_SUPPORTED,
                       "texture flags 0x%x are not supported by the host device",
                       texture->flags & ~known);
    if (record->conversion == __HC_TO_UNIT &&
        (as_is || (texture->flags & CU_TRSF_READ_AS_INTEGER)))
        record->conversion = __HC_AS_IS;
    record->normalized = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    record->linear = texture->filterMode == CU_TR_FILTER_MODE_LINEAR;
    for (int d = 0; d < 3; d++) {
        CUaddress_mode mode = texture->addressMode[d];
        record->size[d] = (float)record->extent[d];
        HD_REFUSE_IF((unsigned)mode > CU_TR_ADDRESS_MODE_BORDER,
                     "%d is not an address mode", (int)mode);
        bool turns =
            mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR;
        record->mode[d] =
            turns && !record->normalized ? (unsigned)__HC_CLAMP : (unsigned)mode;
    }
    bool floating = record->conversion != __HC_AS_IS || record->unit == 1;
    HD_REFUSE_IF(record->linear && !floating,
                 "integers have no linear filter: read them as normalized floats");
    if (resource->resType == CU_RESOURCE_TYPE_LINEAR) {
        record->linear = record->normalized = 0;
        record->mode[0] = __HC_BORDER; /* reads outside give 0 */
    } else {
        fill_border(record, texture->borderColor);
    }
    if (record->conversion == __HC_AS_IS && !record->linear)
        record->direct = record->element;
    return CUDA_SUCCESS;
}

/* -- Objects ----------------------------------------------------------------------- */

static CUresult object_create(unsigned long long *object, bool surface,
                              const CUDA_RESOURCE_DESC *resource,
                              const CUDA_TEXTURE_DESC *texture)
{
    __hc_texture record;
    hd_allocation *allocation = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(object && resource && (surface || texture));
    HD_TRY(hd_texture_fill(&record, resource, surface ? NULL : texture, false));
    if (surface) {
        HD_REFUSE_IF(resource->resType != CU_RESOURCE_TYPE_ARRAY,
                     "a surface needs a CUDA array");
        HD_FIND(hd_array, array, HD_ARRAY, resource->res.array.hArray);
        HD_REFUSE_IF(!(array->descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST),
                     "the array was made without the flag SURFACE_LDST");
    }
    HD_TRY(hd_memory_create(&context->memory, HD_MEMORY_TEXTURE, sizeof(hd_texture), 0,
                            &allocation));
    hd_texture *made = (hd_texture *)(void *)allocation->base;
    *made = (hd_texture){.record = record, .resource = *resource};
    if (texture)
        made->texture = *texture;
    *object = (uintptr_t)made;
    return CUDA_SUCCESS;
}

/* The object behind a number. */
static CUresult object_find(unsigned long long object, bool surface, hd_texture **found)
{
    char *address = (char *)(uintptr_t)object;
    const hd_allocation *allocation = hd_memory_find(address);

    if (allocation && allocation->kind == HD_MEMORY_TEXTURE &&
        allocation->base == address) {
        *found = (hd_texture *)(void *)address;
        if ((*found)->record.is_surface == surface)
            return CUDA_SUCCESS;
    }
    return hd_fail(CUDA_ERROR_INVALID_VALUE, "0x%llx is not a %s object", object,
                   surface ? "surface" : "texture");
}

static CUresult object_destroy(unsigned long long object, bool surface)
{
    HD_ENTER_WITH(hd_texture, found, object_find(object, surface, &found));
    HD_TRY(hd_context_drain(hd_memory_find(found)->owner->context));
    HD_TRY(object_find(object, surface, &found)); /* the lock was dropped */
    memset(&found->record, 0, sizeof found->record);
    hd_memory_destroy(hd_memory_find(found));
    return CUDA_SUCCESS;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    if (view)
        return hd_fail(CUDA_ERROR_NOT_SUPPORTED,
                       "resource views are not supported by the host device");
    return object_create(object, false, resource, texture);
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
    return object_destroy(object, false);
}

HD_QUESTION(cuTexObjectGetResourceDesc,
            (CUDA_RESOURCE_DESC * answer, CUtexObject object),
            HD_ENTER_WITH(hd_texture, found, object_find(object, false, &found)),
            found->resource)
HD_QUESTION(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC * answer, CUtexObject object),
            HD_ENTER_WITH(hd_texture, found, object_find(object, false, &found)),
            found->texture)

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view,
                                        CUtexObject object)
{
    HD_ENTER_WITH(hd_texture, found, object_find(object, false, &found));
    HD_NEED(view);
    return hd_fail(CUDA_ERROR_INVALID_VALUE,
                   "the texture object was made without a resource view");
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
    return object_create(object, true, resource, NULL);
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
    return object_destroy(object, true);
}

HD_QUESTION(cuSurfObjectGetResourceDesc,
            (CUDA_RESOURCE_DESC * answer, CUsurfObject object),
            HD_ENTER_WITH(hd_texture, found, object_find(object, true, &found)),
            found->resource)
