/* Copies and fills. Every form becomes two sides and a box; the sides are looked up and
   checked against the allocation or array they lie in, and what remains is a box of
   bytes to move: work of a stream whose pieces are rows, or parts of one long row.

   A copy that reads or writes ordinary (pageable) host memory is done, or has at least
   read what it reads, when the call returns: callers reuse such memory at once. */
#include <sys/uio.h>
#include <unistd.h>

#include "entry.h"
#include "copies.h"
#include "hostcuda/run/queues.h"
#include "hostcuda/run/waits.h"
#include "textures.h"

#define PIECE \
    (256 << 10) /* bytes of a long row, and about what one thread takes at once */
#define STAGED_MOST (64 << 10)        /* bytes kept aside for a copy that has to wait */
#define ADDRESSES (UINT64_C(1) << 57) /* nothing lies beyond */

typedef unsigned __int128 wide; /* products of sizes do not overflow it */

typedef struct {
    hd_work work;
    char *to;
    const char *from;     /* NULL: a fill */
    size_t width, height; /* bytes, rows of a slice; one row is cut into pieces */
    size_t to_pitch, to_slice, from_pitch, from_slice;
    uint32_t value, element; /* of a fill; bytes of an element */
    char staged[];
} hd_transfer;

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
        if (from == NULL)
            fill(to, transfer->value, transfer->element, bytes);
        else
            memmove(to, from + offset, bytes);
    }
}

static void describe(hd_work *work, hd_worker *worker, char *text, size_t size)
{
    strncpy(text, ((hd_transfer *)work)->from != NULL ? "copy: " : "fill: ", size);
}

/* Reads memory that may not be there, by the kernel's leave. */
static CUresult read_pageable(char *to, const char *from, size_t size)
{
    const struct iovec here = {to, size}, there = {(void *)(uintptr_t)from, size};
    ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

    if (got < 0 && errno != EFAULT)
        memcpy(to, from, size); /* the system does not let us ask */
    HD_REFUSE_IF((got >= 0 && (size_t)got < size) || (got < 0 && errno == EFAULT),
                 "copy: %zu bytes at %p cannot be read", size, (const void *)from);
    return CUDA_SUCCESS;
}

/* Work for a box whose sides are good; height 0 where it is one row. */
static CUresult transfer_create(const hd_transfer *box, size_t depth, size_t staged,
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
        box->from != NULL ? CU_GRAPH_NODE_TYPE_MEMCPY : CU_GRAPH_NODE_TYPE_MEMSET;
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

static CUresult resolve(hd_side *side, hd_extent box)
{
    uintptr_t address = side->type == CU_MEMORYTYPE_HOST ? (uintptr_t)side->host
                                                         : (uintptr_t)side->device;

    if (side->type == CU_MEMORYTYPE_ARRAY)
        return resolve_array(side, box);
    HD_REFUSE_IF(side->type != CU_MEMORYTYPE_HOST &&
                     side->type != CU_MEMORYTYPE_DEVICE &&
                     side->type != CU_MEMORYTYPE_UNIFIED,
                 "%d is not a memory type", (int)side->type);
    if (side->pitch == 0 && box.height == 1 && box.depth == 1)
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
    side->ours = allocation != NULL && !hd_memory_is_host(allocation);
    side->pageable = allocation == NULL;
    /* Host memory need not be ours, but what is ours has an end. */
    if (address != 0 && side->type != CU_MEMORYTYPE_DEVICE && side->pageable)
        return CUDA_SUCCESS;
    return hd_memory_check(address != 0 ? allocation : NULL, side->first,
                           (size_t)bytes);
}

/* -- Copies ------------------------------------------------------------------------ */

static bool is_empty(hd_extent box)
{
    return box.width == 0 || box.height == 0 || box.depth == 0;
}

/* Finds both sides; the transfer that is wanted, and the slices it has. */
static CUresult plan_copy(hd_side *to_side, hd_side *from_side, hd_extent box,
                          hd_transfer *wanted, size_t *depth)
{
    HD_TRY(resolve(to_side, box));
    HD_TRY(resolve(from_side, box));
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

static CUresult submit_copy(hd_stream *stream, hd_side to, hd_side from, hd_extent box,
                            bool async)
{
    hd_context *context = stream->object.context;
    hd_transfer wanted, *transfer = NULL;
    size_t depth = 0;

    if (is_empty(box))
        return CUDA_SUCCESS;
    HD_TRY(plan_copy(&to, &from, box, &wanted, &depth));
    bool now =
        stream->captured == NULL; /* or else host memory is read at each launch */
    bool staged = now && async && from.pageable && !to.pageable &&
                  stream->head != NULL && wanted.height * depth == 1 &&
                  wanted.width <= STAGED_MOST;
    bool wait = now && (!async || (!staged && (to.pageable || from.pageable)));
    HD_TRY(transfer_create(&wanted, depth, staged ? wanted.width : 0, &transfer));
    transfer->work.harmless = wait;
    if (!wait)
        return hd_submit(stream, &transfer->work, HD_BEGIN);
    HD_TRY(hd_submit(stream, &transfer->work, HD_FINISH));
    return hd_context_synchronized(context);
}

static CUresult copy(CUstream handle, hd_side to, hd_side from, hd_extent box,
                     bool async)
{
    HD_ENTER_CONTEXT(context);
    hd_stream *stream = NULL;
    HD_TRY(hd_stream_find_in(context, handle, &stream));
    return submit_copy(stream, to, from, box, async);
}

/* Linear copies: a row says what the two parameters are. */
#define SIDE(kind, field, value) \
    ((hd_side){.type = CU_MEMORYTYPE_##kind, .field = value})
#define DEVICE(value) SIDE(DEVICE, device, value)
#define UNIFIED(value) SIDE(UNIFIED, device, value)
#define HOST(value) SIDE(HOST, host, value)
#define ARRAY(value) \
    ((hd_side){.type = CU_MEMORYTYPE_ARRAY, .array = value, .x = value##_at})
#define LINE ((hd_extent){size, 1, 1})
#define LINEAR(name, to, from, ...)               \
    CUresult name(__VA_ARGS__, size_t size)       \
    {                                             \
        return copy(NULL, to, from, LINE, false); \
    }
#define LINEAR_ASYNC(name, to, from, ...)                    \
    CUresult name(__VA_ARGS__, size_t size, CUstream stream) \
    {                                                        \
        return copy(stream, to, from, LINE, true);           \
    }

/* clang-format off */
LINEAR(cuMemcpy, UNIFIED(a), UNIFIED(b), CUdeviceptr a, CUdeviceptr b)
LINEAR(cuMemcpyHtoD_v2, DEVICE(a), HOST(b), CUdeviceptr a, const void *b)
LINEAR(cuMemcpyDtoH_v2, HOST(a), DEVICE(b), void *a, CUdeviceptr b)
LINEAR(cuMemcpyDtoD_v2, DEVICE(a), DEVICE(b), CUdeviceptr a, CUdeviceptr b)
LINEAR(cuMemcpyDtoA_v2, ARRAY(a), DEVICE(b), CUarray a, size_t a_at, CUdeviceptr b)
LINEAR(cuMemcpyAtoD_v2, DEVICE(a), ARRAY(b), CUdeviceptr a, CUarray b, size_t b_at)
LINEAR(cuMemcpyHtoA_v2, ARRAY(a), HOST(b), CUarray a, size_t a_at, const void *b)
LINEAR(cuMemcpyAtoH_v2, HOST(a), ARRAY(b), void *a, CUarray b, size_t b_at)
LINEAR(cuMemcpyAtoA_v2, ARRAY(a), ARRAY(b), CUarray a, size_t a_at, CUarray b, size_t b_at)
LINEAR_ASYNC(cuMemcpyAsync, UNIFIED(a), UNIFIED(b), CUdeviceptr a, CUdeviceptr b)

/* The attributes allow what is not made use of: reading sources in another order. */
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes,
                               size_t count, CUmemcpyAttributes *attributes,
                               size_t *places, size_t nattributes, CUstream stream)
{
    HD_NEED(count != 0 && to != NULL && from != NULL && sizes != NULL);
    for (size_t i = 0; i < count; i++)
        HD_TRY(cuMemcpyAsync(to[i], from[i], sizes[i], stream));
    return CUDA_SUCCESS;
}
LINEAR_ASYNC(cuMemcpyHtoDAsync_v2, DEVICE(a), HOST(b), CUdeviceptr a, const void *b)
LINEAR_ASYNC(cuMemcpyDtoHAsync_v2, HOST(a), DEVICE(b), void *a, CUdeviceptr b)
LINEAR_ASYNC(cuMemcpyDtoDAsync_v2, DEVICE(a), DEVICE(b), CUdeviceptr a, CUdeviceptr b)
LINEAR_ASYNC(cuMemcpyHtoAAsync_v2, ARRAY(a), HOST(b), CUarray a, size_t a_at, const void *b)
LINEAR_ASYNC(cuMemcpyAtoHAsync_v2, HOST(a), ARRAY(b), void *a, CUarray b, size_t b_at)
/* clang-format on */

/* The sides of a struct, whose fields have one prefix each. */
#define SIDE_2D(p)                                                              \
    .type = box->p##MemoryType, .host = box->p##Host, .device = box->p##Device, \
    .array = box->p##Array, .x = box->p##XInBytes, .y = box->p##Y,              \
    .pitch = box->p##Pitch
#define SIDE_3D(p) SIDE_2D(p), .z = box->p##Z, .height = box->p##Height
#define SIDES(side)                 \
    (hd_side){side(dst)}, (hd_side) \
    {                               \
        side(src)                   \
    }
#define EXTENT(depth) ((hd_extent){box->WidthInBytes, box->Height, depth})

/* Copies of boxes; the variable argument is the parameter for a stream. */
#define BOX(name, type, call, ...)                          \
    CUresult name(const CUDA_MEMCPY##type *box __VA_ARGS__) \
    {                                                       \
        HD_NEED(box != NULL);                               \
        return call;                                        \
    }
#define IN_STREAM , CUstream stream
BOX(cuMemcpy2D_v2, 2D, copy(NULL, SIDES(SIDE_2D), EXTENT(1), false))
BOX(cuMemcpy2DUnaligned_v2, 2D, copy(NULL, SIDES(SIDE_2D), EXTENT(1), false))
BOX(cuMemcpy2DAsync_v2, 2D, copy(stream, SIDES(SIDE_2D), EXTENT(1), true), IN_STREAM)
BOX(cuMemcpy3D_v2, 3D, copy(NULL, SIDES(SIDE_3D), EXTENT(box->Depth), false))
BOX(cuMemcpy3DAsync_v2, 3D, copy(stream, SIDES(SIDE_3D), EXTENT(box->Depth), true),
    IN_STREAM)

CUresult hd_copy_create(const CUDA_MEMCPY3D *box, hd_work **work)
{
    hd_side sides[] = {{SIDE_3D(dst)}, {SIDE_3D(src)}};
    hd_transfer wanted;
    size_t depth = 0;

    HD_REFUSE_IF(is_empty(EXTENT(box->Depth)), "the box of the copy is empty");
    HD_TRY(plan_copy(&sides[0], &sides[1], EXTENT(box->Depth), &wanted, &depth));
    return transfer_create(&wanted, depth, 0, (hd_transfer **)work);
}

CUresult hd_copy_params(const hd_work *work, CUDA_MEMCPY3D *box)
{
    const hd_transfer *transfer = (const hd_transfer *)work;
    const hd_allocation *to = hd_memory_find(transfer->to);
    const hd_allocation *from = hd_memory_find(transfer->from);
    size_t height = transfer->height != 0 ? transfer->height : 1;

    HD_FAIL_IF((to != NULL && to->kind == HD_MEMORY_ARRAY) ||
                   (from != NULL && from->kind == HD_MEMORY_ARRAY),
               CUDA_ERROR_NOT_SUPPORTED, "the copy is from or to an array");
    *box = (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = (uintptr_t)transfer->from,
                           .srcPitch = transfer->from_pitch,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = (uintptr_t)transfer->to,
                           .dstPitch = transfer->to_pitch,
                           .WidthInBytes = transfer->width,
                           .Height = height,
                           .Depth = transfer->height != 0 ? work->pieces / height : 1};
    if (transfer->from_pitch != 0)
        box->srcHeight = transfer->from_slice / transfer->from_pitch;
    if (transfer->to_pitch != 0)
        box->dstHeight = transfer->to_slice / transfer->to_pitch;
    return CUDA_SUCCESS;
}

/* -- Copies between contexts: one memory, so only the order of work matters -------- */

static CUresult copy_peer(CUcontext to_handle, CUcontext from_handle, hd_side to,
                          hd_side from, hd_extent box, CUstream handle, bool async)
{
    HD_ENTER_FIND(hd_context, to_context, HD_CONTEXT, to_handle);
    HD_FIND(hd_context, from_context, HD_CONTEXT, from_handle);
    hd_stream *stream = &to_context->legacy;
    if (async) {
        HD_TRY(hd_stream_find(handle, &stream));
    } else {
        HD_TRY(hd_context_wait(from_context));
        HD_TRY(hd_context_status(to_context));
    }
    return submit_copy(stream, to, from, box, async);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t size)
{
    return copy_peer(to_context, from_context, DEVICE(to), DEVICE(from), LINE, NULL,
                     false);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t size, CUstream stream)
{
    return copy_peer(to_context, from_context, DEVICE(to), DEVICE(from), LINE, stream,
                     true);
}

#define PEERS box->dstContext, box->srcContext
BOX(cuMemcpy3DPeer, 3D_PEER,
    copy_peer(PEERS, SIDES(SIDE_3D), EXTENT(box->Depth), NULL, false))
BOX(cuMemcpy3DPeerAsync, 3D_PEER,
    copy_peer(PEERS, SIDES(SIDE_3D), EXTENT(box->Depth), stream, true), IN_STREAM)

/* -- Fills ------------------------------------------------------------------------- */

static CUresult fill_create(const CUDA_MEMSET_NODE_PARAMS *fill, bool *ours,
                            hd_work **work)
{
    hd_side to = {.type = CU_MEMORYTYPE_DEVICE,
                  .device = fill->dst,
                  .pitch = fill->height > 1 ? fill->pitch : 0};
    uint32_t element = fill->elementSize;

    HD_REFUSE_IF(fill->dst % element != 0 || fill->pitch % element != 0 ||
                     fill->width > SIZE_MAX / element,
                 "address and pitch must be multiples of %u bytes", element);
    HD_TRY(resolve(&to, (hd_extent){fill->width * element, fill->height, 1}));
    const hd_transfer wanted = {.to = to.first,
                                .width = fill->width * element,
                                .height = fill->height,
                                .to_pitch = to.pitch,
                                .value = fill->value,
                                .element = element};
    *ours = to.ours;
    return transfer_create(&wanted, 1, 0, (hd_transfer **)work);
}

CUresult hd_fill_create(const CUDA_MEMSET_NODE_PARAMS *fill, hd_work **work)
{
    bool ours = false;

    HD_REFUSE_IF(fill->elementSize != 1 && fill->elementSize != 2 &&
                     fill->elementSize != 4,
                 "elements of %u bytes cannot be set", fill->elementSize);
    HD_REFUSE_IF(fill->width == 0 || fill->height == 0, "the box to set is empty");
    return fill_create(fill, &ours, work);
}

void hd_fill_params(const hd_work *work, CUDA_MEMSET_NODE_PARAMS *fill)
{
    const hd_transfer *transfer = (const hd_transfer *)work;

    *fill = (CUDA_MEMSET_NODE_PARAMS){.dst = (uintptr_t)transfer->to,
                                      .pitch = transfer->to_pitch,
                                      .value = transfer->value,
                                      .elementSize = transfer->element,
                                      .width = transfer->width / transfer->element,
                                      .height =
                                          transfer->height != 0 ? transfer->height : 1};
}

static CUresult set(CUDA_MEMSET_NODE_PARAMS fill, CUstream handle)
{
    HD_ENTER_CONTEXT(context);
    hd_stream *stream = NULL;
    hd_work *work = NULL;
    bool ours = false;
    HD_TRY(hd_stream_find_in(context, handle, &stream));
    if (fill.width == 0 || fill.height == 0)
        return CUDA_SUCCESS;
    HD_TRY(fill_create(&fill, &ours, &work));
    /* The host may look at its own memory next, unless it named a stream. */
    return hd_submit(stream, work, ours || handle != NULL ? HD_BEGIN : HD_FINISH);
}

#define SET(pitch, width, height, stream)                                         \
    set((CUDA_MEMSET_NODE_PARAMS){to, pitch, value, sizeof value, width, height}, \
        stream)
#define FILL(bits, type)                                                            \
    CUresult cuMemsetD##bits##_v2(CUdeviceptr to, type value, size_t count)         \
    {                                                                               \
        return SET(0, count, 1, NULL);                                              \
    }                                                                               \
    CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count,       \
                                    CUstream stream)                                \
    {                                                                               \
        return SET(0, count, 1, stream);                                            \
    }                                                                               \
    CUresult cuMemsetD2D##bits##_v2(CUdeviceptr to, size_t pitch, type value,       \
                                    size_t width, size_t height)                    \
    {                                                                               \
        return SET(pitch, width, height, NULL);                                     \
    }                                                                               \
    CUresult cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value,     \
                                      size_t width, size_t height, CUstream stream) \
    {                                                                               \
        return SET(pitch, width, height, stream);                                   \
    }

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned int)
