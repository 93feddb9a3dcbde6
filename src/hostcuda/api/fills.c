/* Fills: elements of 1, 2 or 4 bytes in a row or a box. */
#include "entry.h"
#include "fills.h"
#include "transfers.h"

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
    HD_TRY(hd_side_resolve(&to, (hd_extent){fill->width * element, fill->height, 1}));
    const hd_transfer wanted = {.to = to.first,
                                .width = fill->width * element,
                                .height = fill->height,
                                .to_pitch = to.pitch,
                                .value = fill->value,
                                .element = element};
    *ours = to.ours;
    return hd_transfer_create(&wanted, 1, 0, (hd_transfer **)work);
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
    return hd_submit(stream, work, ours || handle ? HD_BEGIN : HD_FINISH);
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
