/* Moving bytes. Every form of a copy or fill becomes two sides and a box; the sides are
   looked up and checked against the allocation or array they lie in, and what remains
   is a box of bytes to move: work whose pieces are rows, or parts of one long row. */
#include <sys/uio.h>
#include <unistd.h>

#include "hostcuda/core/written_memory.h"
#include "textures.h"
#include "transfers.h"

#define PIECE (256 << 10) /* bytes of a long row that one thread takes at once */
#define ADDRESSES (UINT64_C(1) << 57) /* the end of user addresses */

typedef unsigned __int128 wide; /* products of sizes do not overflow it */

/* -- Moving bytes ------------------------------------------------------------------ */

static void fill(char *to, uint32_t value, uint32_t element, size_t bytes)
{
    if (element == 1) {
        memset(to, (int)value, bytes);
    } else if (element == 2) {
        uint16_t *elements = (uint16_t *)to;
        for (size_t i = 0; i < bytes / 2; i++)
            elements[i] = (uint16_t)value;
    } else {
        uint32_t *elements = (uint32_t *)to;
        for (size_t i = 0; i < bytes / 4; i++)
            elements[i] = value;
    }
}

static void move(hd_work *work, hd_worker *worker, uint64_t first, uint64_t last)
{
    const hd_transfer *transfer = (const hd_transfer *)work;

    for (uint64_t piece = first; piece < last; piece++) {
        char *to = transfer->to;
        const char *from = transfer->from;
        size_t bytes = transfer->width, offset = 0;
        if (transfer->height == 0) {
            offset = piece * PIECE;
            bytes = bytes - offset < PIECE ? bytes - offset : PIECE;
            to += offset;
        } else {
            uint64_t slice = piece / transfer->height, row = piece % transfer->height;
            to += slice * transfer->to_slice + row * transfer->to_pitch;
            offset = slice * transfer->from_slice + row * transfer->from_pitch;
        }
        if (!from)
            fill(to, transfer->value, transfer->element, bytes);
        else
            memmove(to, from + offset, bytes);
        if (hd_written.size > 0)
            hd_written_copy_unlocked(to, from ? from + offset : NULL, bytes);
    }
}

static void describe(hd_work *work, hd_worker *worker, char *text, size_t size)
{
    strncpy(text, ((hd_transfer *)work)->from ? "copy: " : "fill: ", size);
}

/* Reads memory that may be unmapped: the system call fails there, where a load would
   fault. */
static CUresult read_pageable(char *to, const char *from, size_t size)
{
    const struct iovec here = {to, size}, there = {(void *)(uintptr_t)from, size};
    ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

    if (got < 0 && errno != EFAULT)
        memcpy(to, from, size); /* a sandbox forbids that call */
    HD_REFUSE_IF((got >= 0 && (size_t)got < size) || (got < 0 && errno == EFAULT),
                 "copy: %zu bytes at %p cannot be read", size, (const void *)from);
    return CUDA_SUCCESS;
}

CUresult hd_transfer_create(const hd_transfer *box, size_t depth, size_t staged,
                            hd_transfer **made)
{
    bool long_row = box->height * depth == 1;
    uint64_t pieces = long_row ? (box->width + PIECE - 1) / PIECE : box->height * depth;

    HD_TRY(hd_work_create(sizeof **made + staged, move, pieces, made));
    hd_work work = (*made)->work;
    **made = *box;
    (*made)->work = work;
    (*made)->work.describe = describe;
    (*made)->work.node =
        box->from ? CU_GRAPH_NODE_TYPE_MEMCPY : CU_GRAPH_NODE_TYPE_MEMSET;
    if (long_row)
        (*made)->height = 0;
    else
        (*made)->work.least = (*made)->work.most = PIECE / box->width + 1;
    if (staged == 0)
        return CUDA_SUCCESS;
    (*made)->from = (*made)->staged;
    HD_TRY_OR(read_pageable((*made)->staged, box->from, staged), free(*made));
    return CUDA_SUCCESS;
}

/* -- Sides ------------------------------------------------------------------------- */

static CUresult resolve_array(hd_side *side, hd_extent box)
{
    bool linear = box.height == 1 && box.depth == 1 && side->y == 0 && side->z == 0;

    HD_FIND(hd_array, array, HD_ARRAY, side->array);
    size_t row = array->row, total = row * array->rows * array->slices;
    bool outside =
        linear ? side->x > total || box.width > total - side->x
               : side->x > row || box.width > row - side->x || side->y > array->rows ||
                     box.height > array->rows - side->y || side->z > array->slices ||
                     box.depth > array->slices - side->z;
    HD_REFUSE_IF(outside, "the box is not inside the array of %zu bytes x %zu x %zu",
                 row, array->rows, array->slices);
    side->pitch = row;
    side->slice = row * array->rows;
    side->first = array->memory->base + side->z * side->slice + side->y * row + side->x;
    side->ours = true;
    return CUDA_SUCCESS;
}

CUresult hd_side_resolve(hd_side *side, hd_extent box)
{
    uintptr_t address = side->type == CU_MEMORYTYPE_HOST ? (uintptr_t)side->host
                                                         : (uintptr_t)side->device;

    if (side->type == CU_MEMORYTYPE_ARRAY)
        return resolve_array(side, box);
    HD_REFUSE_IF(side->type != CU_MEMORYTYPE_HOST &&
                     side->type != CU_MEMORYTYPE_DEVICE &&
                     side->type != CU_MEMORYTYPE_UNIFIED,
                 "%d is not a memory type", (int)side->type);
    if (side->pitch == 0) /* as on a GPU */
        side->pitch = side->x + box.width;
    if (side->height == 0)
        side->height = side->y + box.height;
    wide slice = (wide)side->pitch * side->height;
    /* Nor do sums of products of these and other numbers, up to 2^64, overflow. */
    HD_REFUSE_IF(side->pitch > ADDRESSES ||
                     (slice > ADDRESSES && (side->z > 0 || box.depth > 1)),
                 "pitch %zu and height %zu are of no memory", side->pitch,
                 side->height);
    wide start = side->z * slice + (wide)side->y * side->pitch + side->x;
    wide bytes =
        (box.depth - 1) * slice + (wide)(box.height - 1) * side->pitch + box.width;
    HD_REFUSE_IF(
        side->pitch < box.width || side->pitch - box.width < side->x ||
            side->height < box.height || address + start + bytes > ADDRESSES,
        "pitch %zu and height %zu are not those of a box of %zu bytes x %zu x %zu",
        side->pitch, side->height, box.width, box.height, box.depth);
    side->slice = (size_t)slice;
    side->first = (char *)address + (size_t)start;
    const hd_allocation *allocation = hd_memory_find(side->first);
    side->ours = allocation && !hd_memory_is_host(allocation);
    side->pageable = !allocation;
    /* Pageable host memory cannot be checked; registered allocations are. */
    if (address != 0 && side->type != CU_MEMORYTYPE_DEVICE && side->pageable)
        return CUDA_SUCCESS;
    return hd_memory_check(address != 0 ? allocation : NULL, side->first,
                           (size_t)bytes);
}

CUresult hd_transfer_plan(hd_side *to_side, hd_side *from_side, hd_extent box,
                          hd_transfer *wanted, size_t *depth)
{
    HD_TRY(hd_side_resolve(to_side, box));
    HD_TRY(hd_side_resolve(from_side, box));
    hd_side to = *to_side, from = *from_side;
    if (box.width == to.pitch && box.width == from.pitch &&
        (box.depth == 1 ||
         (to.slice == from.slice && to.slice == box.width * box.height))) {
        /* Without gaps: one long row. */
        box = (hd_extent){box.width * box.height * box.depth, 1, 1};
    }
    *wanted = (hd_transfer){.to = to.first,
                            .from = from.first,
                            .width = box.width,
                            .height = box.height,
                            .to_pitch = to.pitch,
                            .to_slice = to.slice,
                            .from_pitch = from.pitch,
                            .from_slice = from.slice};
    *depth = box.depth;
    return CUDA_SUCCESS;
}
