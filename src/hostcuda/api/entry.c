/* The way into and out of every entry point. */
#include "entry.h"

CUresult hd_not_initialized(void)
{
    return hd_fail(
        CUDA_ERROR_NOT_INITIALIZED,
        hd.state == HD_FORKED
            ? "this process was forked from one that had initialised the host device, "
              "and has none of its threads: start it with the method \"spawn\", or "
              "initialise the device in the child alone"
            : "cuInit was not called, or failed");
}

CUresult hd_enter_unlocked(void)
{
    if (atomic_load_explicit(&hd.state, memory_order_acquire) != HD_READY)
        return hd_not_initialized();
    if (!hd_self)
        HD_TRY(hd_thread_start_unlocked());
    hd_self->detail[0] = '\0';
    return CUDA_SUCCESS;
}

CUresult hd_enter(void)
{
    HD_TRY(hd_enter_unlocked());
    hd_lock();
    return CUDA_SUCCESS;
}

void hd_leave(int *entered)
{
    hd_unlock();
}
