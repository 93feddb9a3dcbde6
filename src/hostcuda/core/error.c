/* Failures: the status and sentence that a failed call leaves in its thread's record.
 */
#include <stdarg.h>

#include "process.h"

CUresult hd_fail(CUresult status, const char *format, ...)
{
    va_list arguments;
    if (!hd_self && hd_thread_start_unlocked() != CUDA_SUCCESS)
        return status;
    va_start(arguments, format);
    vsnprintf(hd_self->detail, sizeof hd_self->detail, format, arguments);
    va_end(arguments);
    return status;
}

CUresult hd_array_grow(void *array, size_t element, size_t count, size_t *capacity)
{
    void **list = array;

    if (count < *capacity)
        return CUDA_SUCCESS;
    size_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(*list, wanted * element);
    HD_FAIL_IF(!grown, CUDA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes",
               wanted * element);
    *list = grown;
    *capacity = wanted;
    return CUDA_SUCCESS;
}
