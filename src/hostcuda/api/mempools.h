/* Pools of stream-ordered memory. */
#ifndef HOSTCUDA_MEMPOOLS_H
#define HOSTCUDA_MEMPOOLS_H

#include "hostcuda/run/queues.h"

typedef struct hd_mempool hd_mempool;

/* Makes the pool that the device has from the start; it is not counted. */
CUresult hd_mempools_start(hd_device *device);
/* Shrinks the device's pools, or one of them, to `keep` bytes, or each to its
   threshold: UINT64_MAX. True if any memory was given back. Drops the lock. */
bool hd_mempools_trim(hd_device *device, const hd_mempool *only, uint64_t keep);
/* That of the pool which the allocation is from; NULL: from none. */
CUmemoryPool hd_mempool_handle(const hd_allocation *allocation);
/* New memory; CUDA_ERROR_OUT_OF_MEMORY also where the pool may not grow so far. */
CUresult hd_mempool_grow(hd_mempool *pool, hd_context *context, size_t size,
                         hd_allocation **made);
/* Idle memory that the stream may use, or NULL; `wait`: the stream may be made to wait
   for it. */
hd_allocation *hd_mempool_reuse(hd_mempool *pool, hd_stream *stream, size_t size,
                                bool wait);
/* The allocation is idle from that point of its stream on; takes over a reference. */
void hd_mempool_retire(hd_allocation *allocation, hd_point *freed);

#endif
