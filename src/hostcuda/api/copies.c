/* Copies of every form. One that reads or writes ordinary (pageable) host memory has
   ended, or at least has read its source, when the call returns: callers reuse such
   memory at once. */
#include "copies.h"
#include "entry.h"
#include "hostcuda/run/waits.h"
#include "transfers.h"

#define STAGED_MOST \
    (64 << 10) /* bytes that a pending copy from pageable memory may keep */

static CUresult submit_copy(hd_stream *stream, hd_side to, hd_side from, hd_extent box,
                            bool async)
{
    hd_context *context = stream->object.context;
    hd_transfer wanted, *transfer = NULL;
    size_t depth = 0;

    if (hd_extent_is_empty(box))
        return CUDA_SUCCESS;
    HD_TRY(hd_transfer_plan(&to, &from, box, &wanted, &depth));
    bool now = !stream->captured; /* host memory is read at each launch of the graph */
    bool staged = now && async && from.pageable && !to.pageable && stream->head &&
                  wanted.height * depth == 1 && wanted.width <= STAGED_MOST;
    bool wait = now && (!async || (!staged && (to.pageable || from.pageable)));
    HD_TRY(hd_transfer_create(&wanted, depth, staged ? wanted.width : 0, &transfer));
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

/* -- One row of bytes -------------------------------------------------------------- */

/* A side of a linear copy, from a parameter of the entry point. */
#define DEVICE(address) ((hd_side){.type = CU_MEMORYTYPE_DEVICE, .device = address})
#define UNIFIED(address) ((hd_side){.type = CU_MEMORYTYPE_UNIFIED, .device = address})
#define HOST(address) ((hd_side){.type = CU_MEMORYTYPE_HOST, .host = address})
#define ARRAY(array_, offset) \
    ((hd_side){.type = CU_MEMORYTYPE_ARRAY, .array = array_, .x = offset})

#define LINEAR(name, to_side, from_side, ...)                                  \
    CUresult name(__VA_ARGS__, size_t size)                                    \
    {                                                                          \
        return copy(NULL, to_side, from_side, (hd_extent){size, 1, 1}, false); \
    }
#define LINEAR_ASYNC(name, to_side, from_side, ...)                             \
    CUresult name(__VA_ARGS__, size_t size, CUstream stream)                    \
    {                                                                           \
        return copy(stream, to_side, from_side, (hd_extent){size, 1, 1}, true); \
    }

/* clang-format off */
LINEAR(cuMemcpy, UNIFIED(to), UNIFIED(from), CUdeviceptr to, CUdeviceptr from)
LINEAR(cuMemcpyHtoD_v2, DEVICE(to), HOST(from), CUdeviceptr to, const void *from)
LINEAR(cuMemcpyDtoH_v2, HOST(to), DEVICE(from), void *to, CUdeviceptr from)
LINEAR(cuMemcpyDtoD_v2, DEVICE(to), DEVICE(from), CUdeviceptr to, CUdeviceptr from)
LINEAR(cuMemcpyDtoA_v2, ARRAY(to, to_at), DEVICE(from), CUarray to, size_t to_at, CUdeviceptr from)
LINEAR(cuMemcpyAtoD_v2, DEVICE(to), ARRAY(from, from_at), CUdeviceptr to, CUarray from, size_t from_at)
LINEAR(cuMemcpyHtoA_v2, ARRAY(to, to_at), HOST(from), CUarray to, size_t to_at, const void *from)
LINEAR(cuMemcpyAtoH_v2, HOST(to), ARRAY(from, from_at), void *to, CUarray from, size_t from_at)
LINEAR(cuMemcpyAtoA_v2, ARRAY(to, to_at), ARRAY(from, from_at), CUarray to, size_t to_at, CUarray from, size_t from_at)
LINEAR_ASYNC(cuMemcpyAsync, UNIFIED(to), UNIFIED(from), CUdeviceptr to, CUdeviceptr from)
LINEAR_ASYNC(cuMemcpyHtoDAsync_v2, DEVICE(to), HOST(from), CUdeviceptr to, const void *from)
LINEAR_ASYNC(cuMemcpyDtoHAsync_v2, HOST(to), DEVICE(from), void *to, CUdeviceptr from)
LINEAR_ASYNC(cuMemcpyDtoDAsync_v2, DEVICE(to), DEVICE(from), CUdeviceptr to, CUdeviceptr from)
LINEAR_ASYNC(cuMemcpyHtoAAsync_v2, ARRAY(to, to_at), HOST(from), CUarray to, size_t to_at, const void *from)
LINEAR_ASYNC(cuMemcpyAtoHAsync_v2, HOST(to), ARRAY(from, from_at), void *to, CUarray from, size_t from_at)
/* clang-format on */

/* The attributes permit reorderings, which are not made use of. */
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes,
                               size_t count, CUmemcpyAttributes *attributes,
                               size_t *indices, size_t nattributes, CUstream stream)
{
    HD_NEED(count != 0 && to && from && sizes);
    for (size_t i = 0; i < count; i++)
        HD_TRY(cuMemcpyAsync(to[i], from[i], sizes[i], stream));
    return CUDA_SUCCESS;
}

/* -- Boxes ------------------------------------------------------------------------- */

/* A side of a box of any of the three types, whose fields have the prefix dst or src.
 */
#define SIDE_2D(box, p)                                                                \
    (hd_side)                                                                          \
    {                                                                                  \
        .type = (box)->p##MemoryType, .host = (box)->p##Host,                          \
        .device = (box)->p##Device, .array = (box)->p##Array, .x = (box)->p##XInBytes, \
        .y = (box)->p##Y, .pitch = (box)->p##Pitch                                     \
    }

static CUresult copy_2d(const CUDA_MEMCPY2D *box, CUstream stream, bool async)
{
    HD_NEED(box);
    return copy(stream, SIDE_2D(box, dst), SIDE_2D(box, src),
                (hd_extent){box->WidthInBytes, box->Height, 1}, async);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *box)
{
    return copy_2d(box, NULL, false);
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *box)
{
    return copy_2d(box, NULL, false);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *box, CUstream stream)
{
    return copy_2d(box, stream, true);
}

typedef struct {
    hd_side to, from;
    hd_extent extent;
} request;

static request request_3d(const CUDA_MEMCPY3D *box)
{
    request asked = {SIDE_2D(box, dst),
                     SIDE_2D(box, src),
                     {box->WidthInBytes, box->Height, box->Depth}};
    asked.to.z = box->dstZ;
    asked.to.height = box->dstHeight;
    asked.from.z = box->srcZ;
    asked.from.height = box->srcHeight;
    return asked;
}

static CUresult copy_3d(const CUDA_MEMCPY3D *box, CUstream stream, bool async)
{
    HD_NEED(box);
    const request asked = request_3d(box);
    return copy(stream, asked.to, asked.from, asked.extent, async);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *box)
{
    return copy_3d(box, NULL, false);
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *box, CUstream stream)
{
    return copy_3d(box, stream, true);
}

/* -- Nodes of graphs --------------------------------------------------------------- */

CUresult hd_copy_create(const CUDA_MEMCPY3D *box, hd_work **work)
{
    request asked = request_3d(box);
    hd_transfer wanted;
    size_t depth = 0;

    HD_REFUSE_IF(hd_extent_is_empty(asked.extent), "the box of the copy is empty");
    HD_TRY(hd_transfer_plan(&asked.to, &asked.from, asked.extent, &wanted, &depth));
    return hd_transfer_create(&wanted, depth, 0, (hd_transfer **)work);
}

CUresult hd_copy_params(const hd_work *work, CUDA_MEMCPY3D *box)
{
    const hd_transfer *transfer = (const hd_transfer *)work;
    const hd_allocation *to = hd_memory_find(transfer->to);
    const hd_allocation *from = hd_memory_find(transfer->from);
    size_t height = transfer->height != 0 ? transfer->height : 1;

    HD_FAIL_IF((to && to->kind == HD_MEMORY_ARRAY) ||
                   (from && from->kind == HD_MEMORY_ARRAY),
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
    return copy_peer(to_context, from_context, DEVICE(to), DEVICE(from),
                     (hd_extent){size, 1, 1}, NULL, false);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t size, CUstream stream)
{
    return copy_peer(to_context, from_context, DEVICE(to), DEVICE(from),
                     (hd_extent){size, 1, 1}, stream, true);
}

static CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER *box, CUstream stream, bool async)
{
    HD_NEED(box);
    hd_side to = SIDE_2D(box, dst), from = SIDE_2D(box, src);
    to.z = box->dstZ;
    to.height = box->dstHeight;
    from.z = box->srcZ;
    from.height = box->srcHeight;
    return copy_peer(box->dstContext, box->srcContext, to, from,
                     (hd_extent){box->WidthInBytes, box->Height, box->Depth}, stream,
                     async);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *box)
{
    return copy_3d_peer(box, NULL, false);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *box, CUstream stream)
{
    return copy_3d_peer(box, stream, true);
}
