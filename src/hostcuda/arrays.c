/* CUDA arrays. */
#include <stdlib.h>

#include "arrays.h"
#include "contexts.h"

static size_t element_bytes(CUarray_format format, unsigned channels)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        return channels;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return 2 * channels;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
        return 4 * channels;
    default:
        return 0;
    }
}

CUresult hd_array_find(CUarray handle, hd_array **array)
{
    *array = hd_handle_find(HD_ARRAY, handle);
    if (*array == NULL)
        return hd_fail(CUDA_ERROR_INVALID_HANDLE, "%p is not an array", (void *)handle);
    return CUDA_SUCCESS;
}

void hd_array_destroy(hd_array *array)
{
    hd_child_retire(&array->object);
    hd_memory_destroy(array->memory);
    free(array);
}

static CUresult array_create(hd_context *context, const CUDA_ARRAY3D_DESCRIPTOR *wanted,
                             CUarray *handle)
{
    size_t element = element_bytes(wanted->Format, wanted->NumChannels);
    size_t rows = wanted->Height != 0 ? wanted->Height : 1;
    size_t slices = wanted->Depth != 0 ? wanted->Depth : 1, size = 0;

    if (element == 0 || (wanted->NumChannels & (wanted->NumChannels - 1)) != 0 ||
        wanted->NumChannels > 4 || wanted->Width == 0)
        return hd_fail(CUDA_ERROR_INVALID_VALUE,
                       "no array of format %d, %u channels and width %zu",
                       (int)wanted->Format, wanted->NumChannels, wanted->Width);
    if (__builtin_mul_overflow(wanted->Width, element, &size) ||
        __builtin_mul_overflow(size, rows, &size) ||
        __builtin_mul_overflow(size, slices, &size))
        return CUDA_ERROR_OUT_OF_MEMORY;
    hd_array *array = calloc(1, sizeof *array);
    if (array == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult status =
        hd_memory_create(context, HD_MEMORY_ARRAY, size, 0, &array->memory);
    if (status == CUDA_SUCCESS) {
        status = hd_child_create(context, HD_ARRAY, &array->object);
        if (status != CUDA_SUCCESS)
            hd_memory_destroy(array->memory);
    }
    if (status != CUDA_SUCCESS) {
        free(array);
        return status;
    }
    array->descriptor = *wanted;
    array->row = wanted->Width * element;
    array->rows = rows;
    array->slices = slices;
    *handle = array->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuArray3DCreate_v2(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle != NULL && wanted != NULL);
    return array_create(context, wanted, handle);
}

CUresult cuArrayCreate_v2(CUarray *handle, const CUDA_ARRAY_DESCRIPTOR *wanted)
{
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle != NULL && wanted != NULL);
    const CUDA_ARRAY3D_DESCRIPTOR full = {.Width = wanted->Width,
                                          .Height = wanted->Height,
                                          .Format = wanted->Format,
                                          .NumChannels = wanted->NumChannels};
    return array_create(context, &full, handle);
}

CUresult cuArrayDestroy(CUarray handle)
{
    hd_array *array = NULL;

    HD_ENTER();
    HD_TRY(hd_array_find(handle, &array));
    HD_TRY(hd_context_drain(array->object.context));
    HD_TRY(hd_array_find(handle, &array)); /* another thread may have been faster */
    hd_array_destroy(array);
    return CUDA_SUCCESS;
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray handle)
{
    hd_array *array = NULL;

    HD_ENTER();
    HD_NEED(descriptor != NULL);
    HD_TRY(hd_array_find(handle, &array));
    *descriptor = array->descriptor;
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray handle)
{
    hd_array *array = NULL;

    HD_ENTER();
    HD_NEED(descriptor != NULL);
    HD_TRY(hd_array_find(handle, &array));
    *descriptor = (CUDA_ARRAY_DESCRIPTOR){
        array->descriptor.Width, array->descriptor.Height, array->descriptor.Format,
        array->descriptor.NumChannels};
    return CUDA_SUCCESS;
}
