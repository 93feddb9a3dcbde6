/* CUDA arrays: plain memory without gaps. */
#ifndef HOSTCUDA_CUARRAYS_H
#define HOSTCUDA_CUARRAYS_H

#include "process.h"

typedef struct {
    hd_object object;
    CUDA_ARRAY3D_DESCRIPTOR descriptor; /* as given: height and depth may be 0 */
    size_t row, rows, slices;           /* bytes; at least 1 each */
    hd_allocation *memory;              /* owned */
} hd_array;

void hd_array_destroy(hd_array *array);

#endif
