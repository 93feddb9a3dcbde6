/* Copies and fills. Every form becomes one description, that of CUDA_MEMCPY3D; its two
   sides are looked up and checked against the allocation or array they lie in, and what
   remains is a box of bytes to move: work of a stream whose pieces are rows, or parts
   of one long row.

   A copy that reads or writes ordinary (pageable) host memory is done, or has at least
   read what it reads, when the call returns: callers reuse such memory at once. */
#include <string.h>

#include "cuarrays.h"
#include "contexts.h"

#define PIECE \
    (256 << 10) /* bytes of a long row, and about what one thread takes at once */
#define STAGED_MOST (64 << 10)        /* bytes kept aside for a copy that has to wait */
#define ADDRESSES (UINT64_C(1) << 57) /* nothing lies beyond */

typedef struct {
    hd_work work;
    char *to;
    const char *from;     /* NULL: a fill */
    size_t width, height; /* bytes, rows of a slice; one row is cut into pieces */
    size_t to_pitch, to_slice, from_pitch, from_slice;
    uint32_t value, element; /* of a fill; bytes of an element */
    char staged[];
} hd_transfer;

/* -- Moving bytes
 * --------------------------------------------------------------------------- */

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

static void run(hd_work *work, hd_worker *worker, uint64_t first, uint64_t last)
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

/* Work for a box whose sides are good; height 0 where it is one row. */
static CUresult transfer_create(const hd_transfer *box, size_t depth, size_t staged,
                                hd_transfer **made)
{
    bool long_row = box->height * depth == 1;
    uint64_t pieces = long_row ? (box->width + PIECE - 1) / PIECE : box->height * depth;

    HD_TRY(hd_work_create(sizeof **made + staged, run, pieces, made));
    hd_work work = (*made)->work;
    **made = *box;
    (*made)->work = work;
    (*made)->work.describe = describe;
    if (long_row)
        (*made)->height = 0;
    else
        (*made)->work.least = (*made)->work.most = PIECE / box->width + 1;
    if (staged > 0) {
        memcpy((*made)->staged, box->from, staged);
        (*made)->from = (*made)->staged;
    }
    return CUDA_SUCCESS;
}

/* -- Sides
 * ---------------------------------------------------------------------------------- */

/* One side of a copy, where its first byte is, and what kind of memory that is. */
typedef struct {
    CUmemorytype type;
    const void *address;
    CUarray array;
    size_t x, y, z, pitch, height;
    char *first;
    size_t slice;
    bool device, pageable;
} hd_side;

static CUresult outside(const char *first, size_t bytes)
{
    char where[160];

    hd_memory_describe(first, where, sizeof where);
    return hd_fail(CUDA_ERROR_INVALID_VALUE,
                   "%zu bytes at %p are not inside one allocation: the address is %s",
                   bytes, (const void *)first, where);
}

/* Whether `bytes` from `first` on are inside the allocation there. */
static bool inside(const hd_allocation *allocation, const char *first, size_t bytes)
{
    return allocation != NULL && hd_memory_is_mapped(allocation) &&
           bytes <= allocation->size - (size_t)(first - allocation->base);
}

static CUresult resolve_array(hd_side *side, const CUDA_MEMCPY3D *box)
{
    bool linear = box->Height == 1 && box->Depth == 1 && side->y == 0 && side->z == 0;

    HD_FIND(hd_array, array, HD_ARRAY, side->array);
    size_t row = array->row, total = row * array->rows * array->slices;
    if (linear ? side->x > total || box->WidthInBytes > total - side->x
               : side->x > row || box->WidthInBytes > row - side->x ||
                     side->y > array->rows || box->Height > array->rows - side->y ||
                     side->z > array->slices || box->Depth > array->slices - side->z)
        return hd_fail(CUDA_ERROR_INVALID_VALUE,
                       "the box is not inside the array of %zu bytes x %zu x %zu", row,
                       array->rows, array->slices);
    side->pitch = row;
    side->slice = row * array->rows;
    side->first = array->memory->base + side->z * side->slice + side->y * row + side->x;
    side->device = true;
    return CUDA_SUCCESS;
}

static CUresult resolve(hd_side *side, const CUDA_MEMCPY3D *box)
{
    bool plane = box->Height > 1 || box->Depth > 1;

    if (side->type == CU_MEMORYTYPE_ARRAY)
        return resolve_array(side, box);
    if (side->type != CU_MEMORYTYPE_HOST && side->type != CU_MEMORYTYPE_DEVICE &&
        side->type != CU_MEMORYTYPE_UNIFIED)
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "%d is not a memory type",
                       (int)side->type);
    if (side->pitch == 0 && !plane)
        side->pitch = side->x + box->WidthInBytes;
    if (side->height == 0)
        side->height = side->y + box->Height;
    unsigned __int128 slice = (unsigned __int128)side->pitch * side->height;
    unsigned __int128 start =
        side->z * slice + (unsigned __int128)side->y * side->pitch + side->x;
    unsigned __int128 bytes = (box->Depth - 1) * slice +
                              (unsigned __int128)(box->Height - 1) * side->pitch +
                              box->WidthInBytes;
    if (side->pitch < box->WidthInBytes || side->pitch - box->WidthInBytes < side->x ||
        side->height < box->Height ||
        (uintptr_t)side->address + start + bytes > ADDRESSES)
        return hd_fail(
            CUDA_ERROR_INVALID_VALUE,
            "pitch %zu and height %zu are not those of a box of %zu bytes x %zu x "
            "%zu in memory",
            side->pitch, side->height, box->WidthInBytes, box->Height, box->Depth);
    side->slice = (size_t)slice;
    side->first = (char *)side->address + (size_t)start;
    const hd_allocation *allocation = hd_memory_find(side->first);
    side->device = allocation != NULL && allocation->kind != HD_MEMORY_HOST &&
                   allocation->kind != HD_MEMORY_REGISTERED;
    side->pageable = allocation == NULL;
    if (side->address == NULL || !inside(allocation, side->first, bytes)) {
        /* Host memory need not be ours, but what is ours has an end. */
        if (side->type == CU_MEMORYTYPE_DEVICE || side->address == NULL ||
            allocation != NULL)
            return outside(side->first, bytes);
    }
    return CUDA_SUCCESS;
}

/* -- Copies
 * --------------------------------------------------------------------------------- */

static CUresult submit_copy(hd_stream *stream, const CUDA_MEMCPY3D *box, bool async)
{
    hd_side to = {.type = box->dstMemoryType,
                  .address = box->dstMemoryType == CU_MEMORYTYPE_HOST
                                 ? box->dstHost
                                 : (void *)(uintptr_t)box->dstDevice,
                  .array = box->dstArray,
                  .x = box->dstXInBytes,
                  .y = box->dstY,
                  .z = box->dstZ,
                  .pitch = box->dstPitch,
                  .height = box->dstHeight};
    hd_side from = {.type = box->srcMemoryType,
                    .address = box->srcMemoryType == CU_MEMORYTYPE_HOST
                                   ? box->srcHost
                                   : (void *)(uintptr_t)box->srcDevice,
                    .array = box->srcArray,
                    .x = box->srcXInBytes,
                    .y = box->srcY,
                    .z = box->srcZ,
                    .pitch = box->srcPitch,
                    .height = box->srcHeight};
    hd_context *context = stream->object.context;
    hd_transfer *transfer = NULL;

    if (box->WidthInBytes == 0 || box->Height == 0 || box->Depth == 0)
        return CUDA_SUCCESS;
    HD_TRY(resolve(&to, box));
    HD_TRY(resolve(&from, box));
    hd_transfer wanted = {.to = to.first,
                          .from = from.first,
                          .width = box->WidthInBytes,
                          .height = box->Height,
                          .to_pitch = to.pitch,
                          .to_slice = to.slice,
                          .from_pitch = from.pitch,
                          .from_slice = from.slice};
    size_t depth = box->Depth;
    if (wanted.width == wanted.to_pitch && wanted.width == wanted.from_pitch &&
        (depth == 1 ||
         (to.slice == from.slice && to.slice == wanted.width * box->Height))) {
        wanted.width *= wanted.height * depth; /* no gaps: one long row */
        wanted.height = depth = 1;
    }
    bool staged = async && from.pageable && !to.pageable && stream->head != NULL &&
                  wanted.height * depth == 1 && wanted.width <= STAGED_MOST;
    bool wait = !async || (!staged && (to.pageable || from.pageable));
    HD_TRY(transfer_create(&wanted, depth, staged ? wanted.width : 0, &transfer));
    transfer->work.harmless = wait;
    if (!wait)
        return hd_submit(stream, &transfer->work, HD_BEGIN);
    HD_TRY(hd_submit(stream, &transfer->work, HD_FINISH));
    return hd_context_settled(context);
}

static CUresult copy(CUstream handle, const CUDA_MEMCPY3D *box, bool async)
{
    hd_stream *stream = NULL;

    HD_ENTER_CONTEXT(context);
    HD_NEED(box != NULL);
    HD_TRY(hd_stream_find_in(context, handle, &stream));
    return submit_copy(stream, box, async);
}

/* Linear copies: a row says how the parameters fill in the description. */
#define LINEAR(name, async, handle, parameters, ...)                     \
    CUresult name parameters                                             \
    {                                                                    \
        const CUDA_MEMCPY3D box = {                                      \
            .WidthInBytes = size, .Height = 1, .Depth = 1, __VA_ARGS__}; \
        return copy(handle, &box, async);                                \
    }
#define TO(type, field) .dstMemoryType = CU_MEMORYTYPE_##type, .dst##field = to
#define FROM(type, field) .srcMemoryType = CU_MEMORYTYPE_##type, .src##field = from
#define TO_ARRAY TO(ARRAY, Array), .dstXInBytes = to_offset
#define FROM_ARRAY FROM(ARRAY, Array), .srcXInBytes = from_offset

LINEAR(cuMemcpy, false, NULL, (CUdeviceptr to, CUdeviceptr from, size_t size),
       TO(UNIFIED, Device), FROM(UNIFIED, Device))
LINEAR(cuMemcpyAsync, true, stream,
       (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
       TO(UNIFIED, Device), FROM(UNIFIED, Device))
LINEAR(cuMemcpyHtoD_v2, false, NULL, (CUdeviceptr to, const void *from, size_t size),
       TO(DEVICE, Device), FROM(HOST, Host))
LINEAR(cuMemcpyHtoDAsync_v2, true, stream,
       (CUdeviceptr to, const void *from, size_t size, CUstream stream),
       TO(DEVICE, Device), FROM(HOST, Host))
LINEAR(cuMemcpyDtoH_v2, false, NULL, (void *to, CUdeviceptr from, size_t size),
       TO(HOST, Host), FROM(DEVICE, Device))
LINEAR(cuMemcpyDtoHAsync_v2, true, stream,
       (void *to, CUdeviceptr from, size_t size, CUstream stream), TO(HOST, Host),
       FROM(DEVICE, Device))
LINEAR(cuMemcpyDtoD_v2, false, NULL, (CUdeviceptr to, CUdeviceptr from, size_t size),
       TO(DEVICE, Device), FROM(DEVICE, Device))
LINEAR(cuMemcpyDtoDAsync_v2, true, stream,
       (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
       TO(DEVICE, Device), FROM(DEVICE, Device))
LINEAR(cuMemcpyDtoA_v2, false, NULL,
       (CUarray to, size_t to_offset, CUdeviceptr from, size_t size), TO_ARRAY,
       FROM(DEVICE, Device))
LINEAR(cuMemcpyAtoD_v2, false, NULL,
       (CUdeviceptr to, CUarray from, size_t from_offset, size_t size),
       TO(DEVICE, Device), FROM_ARRAY)
LINEAR(cuMemcpyAtoA_v2, false, NULL,
       (CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t size),
       TO_ARRAY, FROM_ARRAY)
LINEAR(cuMemcpyHtoA_v2, false, NULL,
       (CUarray to, size_t to_offset, const void *from, size_t size), TO_ARRAY,
       FROM(HOST, Host))
LINEAR(cuMemcpyHtoAAsync_v2, true, stream,
       (CUarray to, size_t to_offset, const void *from, size_t size, CUstream stream),
       TO_ARRAY, FROM(HOST, Host))
LINEAR(cuMemcpyAtoH_v2, false, NULL,
       (void *to, CUarray from, size_t from_offset, size_t size), TO(HOST, Host),
       FROM_ARRAY)
LINEAR(cuMemcpyAtoHAsync_v2, true, stream,
       (void *to, CUarray from, size_t from_offset, size_t size, CUstream stream),
       TO(HOST, Host), FROM_ARRAY)

static CUresult copy_2d(CUstream stream, const CUDA_MEMCPY2D *plane, bool async)
{
    HD_NEED(plane != NULL);
    const CUDA_MEMCPY3D box = {.srcXInBytes = plane->srcXInBytes,
                               .srcY = plane->srcY,
                               .srcMemoryType = plane->srcMemoryType,
                               .srcHost = plane->srcHost,
                               .srcDevice = plane->srcDevice,
                               .srcArray = plane->srcArray,
                               .srcPitch = plane->srcPitch,
                               .dstXInBytes = plane->dstXInBytes,
                               .dstY = plane->dstY,
                               .dstMemoryType = plane->dstMemoryType,
                               .dstHost = plane->dstHost,
                               .dstDevice = plane->dstDevice,
                               .dstArray = plane->dstArray,
                               .dstPitch = plane->dstPitch,
                               .WidthInBytes = plane->WidthInBytes,
                               .Height = plane->Height,
                               .Depth = 1};
    return copy(stream, &box, async);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *plane)
{
    return copy_2d(NULL, plane, false);
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *plane)
{
    return copy_2d(NULL, plane, false);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *plane, CUstream stream)
{
    return copy_2d(stream, plane, true);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *box)
{
    return copy(NULL, box, false);
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *box, CUstream stream)
{
    return copy(stream, box, true);
}

/* -- Copies between contexts: one memory, so only the order of work matters
 * ----------------- */

static CUresult copy_peer(CUcontext to, CUcontext from, const CUDA_MEMCPY3D *box,
                          CUstream handle, bool async)
{
    hd_stream *stream = NULL;

    HD_ENTER();
    HD_FIND(hd_context, to_context, HD_CONTEXT, to);
    HD_FIND(hd_context, from_context, HD_CONTEXT, from);
    if (async) {
        HD_TRY(hd_stream_find(handle, &stream));
        return submit_copy(stream, box, true);
    }
    HD_TRY(hd_context_wait(from_context));
    HD_TRY(hd_context_status(to_context));
    return submit_copy(&to_context->legacy, box, false);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t size)
{
    const CUDA_MEMCPY3D box = {.WidthInBytes = size,
                               .Height = 1,
                               .Depth = 1,
                               TO(DEVICE, Device),
                               FROM(DEVICE, Device)};
    return copy_peer(to_context, from_context, &box, NULL, false);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t size, CUstream stream)
{
    const CUDA_MEMCPY3D box = {.WidthInBytes = size,
                               .Height = 1,
                               .Depth = 1,
                               TO(DEVICE, Device),
                               FROM(DEVICE, Device)};
    return copy_peer(to_context, from_context, &box, stream, true);
}

/* The two descriptions have the same layout, contexts in place of reserved fields. */
_Static_assert(offsetof(CUDA_MEMCPY3D_PEER, Depth) == offsetof(CUDA_MEMCPY3D, Depth),
               "");

static CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER *peer, CUstream stream,
                             bool async)
{
    CUDA_MEMCPY3D box;

    HD_NEED(peer != NULL);
    memcpy(&box, peer, sizeof box);
    return copy_peer(peer->dstContext, peer->srcContext, &box, stream, async);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *peer)
{
    return copy_3d_peer(peer, NULL, false);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *peer, CUstream stream)
{
    return copy_3d_peer(peer, stream, true);
}

/* -- Fills
 * ---------------------------------------------------------------------------------- */

static CUresult set(CUdeviceptr address, size_t pitch, uint32_t value, uint32_t element,
                    size_t width, size_t height, CUstream handle, bool async)
{
    hd_stream *stream = NULL;
    hd_transfer *transfer = NULL;
    hd_side to = {.type = CU_MEMORYTYPE_DEVICE, .address = (void *)(uintptr_t)address};

    HD_ENTER_CONTEXT(context);
    HD_TRY(hd_stream_find_in(context, handle, &stream));
    if (width == 0 || height == 0)
        return CUDA_SUCCESS;
    if (address % element != 0 || pitch % element != 0 || width > SIZE_MAX / element)
        return hd_fail(CUDA_ERROR_INVALID_VALUE,
                       "address and pitch must be multiples of %u bytes", element);
    const CUDA_MEMCPY3D box = {
        .WidthInBytes = width * element, .Height = height, .Depth = 1};
    to.pitch = height > 1 ? pitch : 0;
    HD_TRY(resolve(&to, &box));
    hd_transfer wanted = {.to = to.first,
                          .width = box.WidthInBytes,
                          .height = height,
                          .to_pitch = to.pitch,
                          .value = value,
                          .element = element};
    HD_TRY(transfer_create(&wanted, 1, 0, &transfer));
    if (async || to.device)
        return hd_submit(stream, &transfer->work, HD_BEGIN);
    return hd_submit(stream, &transfer->work,
                     HD_FINISH); /* the host may look at it next */
}

#define FILL(bits, type)                                                            \
    CUresult cuMemsetD##bits##_v2(CUdeviceptr to, type value, size_t count)         \
    {                                                                               \
        return set(to, 0, value, sizeof value, count, 1, NULL, false);              \
    }                                                                               \
    CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count,       \
                                    CUstream stream)                                \
    {                                                                               \
        return set(to, 0, value, sizeof value, count, 1, stream, true);             \
    }                                                                               \
    CUresult cuMemsetD2D##bits##_v2(CUdeviceptr to, size_t pitch, type value,       \
                                    size_t width, size_t height)                    \
    {                                                                               \
        return set(to, pitch, value, sizeof value, width, height, NULL, false);     \
    }                                                                               \
    CUresult cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value,     \
                                      size_t width, size_t height, CUstream stream) \
    {                                                                               \
        return set(to, pitch, value, sizeof value, width, height, stream, true);    \
    }

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned int)
