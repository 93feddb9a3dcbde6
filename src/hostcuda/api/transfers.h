/* Boxes of bytes that are moved or filled, as work of a stream. */
#ifndef HOSTCUDA_TRANSFERS_H
#define HOSTCUDA_TRANSFERS_H

#include "hostcuda/run/queues.h"

typedef struct {
    hd_work work;
    char *to;
    const char *from;     /* NULL: a fill */
    size_t width, height; /* bytes, rows of a slice; one row is cut into pieces */
    size_t to_pitch, to_slice, from_pitch, from_slice;
    uint32_t value, element; /* of a fill; bytes of an element */
    char staged[];
} hd_transfer;

/* One side of a copy as it is asked for, and then where its first byte is. */
typedef struct {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
    char *first;
    size_t slice;
    bool ours, pageable; /* device memory; ordinary memory of the host */
} hd_side;

typedef struct {
    size_t width, height, depth;
} hd_extent;

/* Computes the side's first byte. Fails if the box is not inside its allocation or
   array. */
CUresult hd_side_resolve(hd_side *side, hd_extent box);
/* Finds both sides; the transfer that is wanted, and the slices it has. */
CUresult hd_transfer_plan(hd_side *to, hd_side *from, hd_extent box,
                          hd_transfer *wanted, size_t *depth);
/* Creates work for a box with valid sides. `staged` bytes of the source are copied at
   once, so that the caller may reuse it. */
CUresult hd_transfer_create(const hd_transfer *box, size_t depth, size_t staged,
                            hd_transfer **made);
static inline bool hd_extent_is_empty(hd_extent box)
{
    return box.width == 0 || box.height == 0 || box.depth == 0;
}

#endif
