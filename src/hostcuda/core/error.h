/* How functions fail: by a status, and a sentence for cuxGetErrorDetail that the
   calling thread's record keeps.

     HD_TRY(call)                  returns the call's status unless that is success
     HD_TRY_OR(call, undo)         the same, after it ran `undo`
     HD_NEED(condition)            INVALID_VALUE without a sentence, unless it holds
     HD_REFUSE_IF(condition, ...)  INVALID_VALUE with a sentence, if it holds
     HD_FAIL_IF(condition, status, ...)  the same with another status

   They return from the function that they are used in; the only other macros that do
   are HD_FIND (handles.h) and those that api/entry.h lists. */
#ifndef HOSTCUDA_ERROR_H
#define HOSTCUDA_ERROR_H

#include <stddef.h>

#include "cuda/types.h"

#define HD_TRY(call)                    \
    do {                                \
        CUresult try_status = (call);   \
        if (try_status != CUDA_SUCCESS) \
            return try_status;          \
    } while (0)

#define HD_TRY_OR(call, undo)             \
    do {                                  \
        CUresult try_status = (call);     \
        if (try_status != CUDA_SUCCESS) { \
            undo;                         \
            return try_status;            \
        }                                 \
    } while (0)

#define HD_NEED(condition)                   \
    do {                                     \
        if (!(condition))                    \
            return CUDA_ERROR_INVALID_VALUE; \
    } while (0)

#define HD_FAIL_IF(condition, status, ...)       \
    do {                                         \
        if (condition)                           \
            return hd_fail(status, __VA_ARGS__); \
    } while (0)

#define HD_REFUSE_IF(condition, ...) \
    HD_FAIL_IF(condition, CUDA_ERROR_INVALID_VALUE, __VA_ARGS__)

/* Notes why the running call fails; returns the status. */
CUresult hd_fail(CUresult status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Doubles the capacity of an array of elements of that many bytes if it is full. */
CUresult hd_array_grow(void *array, size_t element, size_t count, size_t *capacity);

#endif
