/* CUDA arrays: plain memory without gaps, of elements of a format. */
#include "contexts.h"
#include "textures.h"

size_t hd_element_bytes(CUarray_format format, unsigned channels)
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

void hd_array_destroy(hd_array *array)
{
    hd_allocation *memory = array->memory;

    hd_child_destroy(&array->object); /* first: what follows may drop the lock */
    hd_memory_destroy(memory);
}

CUresult cuArray3DCreate_v2(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    hd_allocation *memory = NULL;
    hd_array *array = NULL;
    size_t size = 0;
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle != NULL && wanted != NULL);
    size_t element = hd_element_bytes(wanted->Format, wanted->NumChannels);
    size_t rows = wanted->Height != 0 ? wanted->Height : 1;
    size_t slices = wanted->Depth != 0 ? wanted->Depth : 1;
    HD_REFUSE_IF(element == 0 || wanted->Width == 0,
                 "no array of format %d, %u channels and width %zu",
                 (int)wanted->Format, wanted->NumChannels, wanted->Width);
    if (__builtin_mul_overflow(wanted->Width, element, &size) ||
        __builtin_mul_overflow(size, rows, &size) ||
        __builtin_mul_overflow(size, slices, &size))
        return CUDA_ERROR_OUT_OF_MEMORY;
    HD_TRY(hd_memory_create(context, HD_MEMORY_ARRAY, size, 0, &memory));
    HD_TRY_OR(hd_child_create(context, HD_ARRAY, sizeof *array, &array),
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
    HD_NEED(wanted != NULL);
    const CUDA_ARRAY3D_DESCRIPTOR full = {.Width = wanted->Width,
                                          .Height = wanted->Height,
                                          .Format = wanted->Format,
                                          .NumChannels = wanted->NumChannels};
    return cuArray3DCreate_v2(handle, &full);
}

CUresult cuArrayDestroy(CUarray handle)
{
    HD_ENTER_FIND(hd_array, array, HD_ARRAY, handle);
    HD_TRY(hd_context_drain(array->object.context));
    HD_TRY(hd_handle_find(HD_ARRAY, handle,
                          &array)); /* another thread may have been faster */
    hd_array_destroy(array);
    return CUDA_SUCCESS;
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
