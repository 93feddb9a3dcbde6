/* Stream-ordered memory: pools of a device. A block that is freed in a stream waits in
   its pool until the stream has come there; the same stream may have it again at once.
 */
#ifndef HOSTCUDA_MEMPOOLS_H
#define HOSTCUDA_MEMPOOLS_H

#include "process.h"

typedef struct hd_mempool hd_mempool;

/* An allocation of a pool ends: the books are kept. */
void hd_mempool_forget(hd_allocation *allocation);
/* After a synchronization: pools keep no more idle memory than their threshold says.
   Drops the lock. */
void hd_mempools_trim(hd_device *device);
/* When memory is short: they give back all they can. True if that was anything. Drops
   the lock. */
bool hd_mempools_empty(hd_device *device);
/* Memory of the device's current pool, not bound to any stream. */
CUresult hd_mempool_allocate(struct hd_context *context, size_t size,
                             hd_allocation **allocation);
CUmemoryPool hd_mempool_handle(const hd_allocation *allocation);

#endif
