/* CUDA arrays; textures and surfaces: the records that device code reads. */
#ifndef HOSTCUDA_TEXTURES_H
#define HOSTCUDA_TEXTURES_H

#include "texture_record.h"
#include "hostcuda/core/process.h"

typedef struct {
    hd_object object;
    CUDA_ARRAY3D_DESCRIPTOR descriptor; /* as given: height and depth may be 0 */
    size_t row, rows, slices;           /* bytes; at least 1 each */
    hd_allocation *memory;              /* owned */
} hd_array;

/* Fills a record in; the resource must exist. as_is: integers are not turned into
   floats, whatever the flags say. texture NULL: for a surface. */
CUresult hd_texture_fill(__hc_texture *record, const CUDA_RESOURCE_DESC *resource,
                         const CUDA_TEXTURE_DESC *texture, bool as_is);

#endif
