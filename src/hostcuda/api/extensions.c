/* Extensions of the driver API (cux...), and the profiler's two entry points, which do
   nothing. */
#include "entry.h"

CUresult cuxGetErrorDetail(const char **detail)
{
    HD_ANSWER(detail, hd_self ? hd_self->detail : "");
}

CUresult cuxGetLiveObjects(const char *kind, size_t *count)
{
    static const char *const names[HD_LIVE] = {
        [HD_CONTEXT] = "context",     [HD_MODULE] = "module", [HD_STREAM] = "stream",
        [HD_EVENT] = "event",         [HD_ARRAY] = "array",   [HD_LINK] = "link",
        [HD_REFERENCE] = "reference", [HD_MEMORY] = "memory", [HD_GRAPH] = "graph",
        [HD_EXEC] = "executable",     [HD_MEMPOOL] = "pool",  [HD_LIBRARY] = "library"};
    size_t found = 0, known = !kind;
    HD_ENTER();
    for (int i = 0; i < HD_LIVE; i++) {
        if (kind && (!names[i] || strcmp(kind, names[i]) != 0))
            continue;
        known = 1;
        found += hd.live[i];
    }
    HD_REFUSE_IF(!known, "\"%s\" is not a kind of object", kind);
    HD_ANSWER(count, found);
}

CUresult cuxSetPrintFunction(cuxPrintFunction function, void *data)
{
    HD_ENTER();
    hd.print = function;
    hd.print_data = data;
    return CUDA_SUCCESS;
}

CUresult cuxSetWaitFunction(cuxWaitFunction function, void *data)
{
    HD_ENTER();
    hd.give_up = function;
    hd.give_up_data = data;
    return CUDA_SUCCESS;
}

CUresult cuProfilerStart(void)
{
    HD_ENTER();
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void)
{
    HD_ENTER();
    return CUDA_SUCCESS;
}
