/* Extensions of the driver API (cux...), and the profiler's two entry points, which do
   nothing. */
#include "entry.h"
#include "hostcuda/core/written_memory.h"
#include "hostcuda/run/check_reports.h"
#include "hostcuda/run/coverage.h"
#include "hostcuda/run/samples.h"

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

CUresult cuxSetCheck(unsigned int kinds)
{
    const unsigned all = CUX_CHECK_MEMORY | CUX_CHECK_RACE | CUX_CHECK_INIT |
                         CUX_CHECK_SYNC | CUX_CHECK_ORDER | CUX_CHECK_COVERAGE;
    HD_ENTER();
    HD_REFUSE_IF((kinds & ~all) != 0, "%#x has bits that are no kind of check", kinds);
    hd_check_kinds = kinds;
    if (kinds & CUX_CHECK_INIT)
        hd_written_begin();
    return CUDA_SUCCESS;
}

CUresult cuxGetCheck(unsigned int *kinds)
{
    HD_ENTER();
    HD_ANSWER(kinds, hd_check_kinds);
}

CUresult cuxSetCheckSeed(unsigned long long seed)
{
    HD_ENTER();
    hd_check_seed = seed;
    return CUDA_SUCCESS;
}

CUresult cuxGetCheckReport(size_t number, cuxCheckReport *report)
{
    HD_ENTER();
    const cuxCheckReport *found = hd_check_report_at(number);
    HD_FAIL_IF(!found, CUDA_ERROR_NOT_FOUND, "there is no report %zu", number);
    HD_ANSWER(report, *found);
}

CUresult cuxClearCheckReports(void)
{
    HD_ENTER();
    hd_check_reports_clear();
    return CUDA_SUCCESS;
}

CUresult cuxGetCoverage(size_t number, cuxCoverage *coverage)
{
    HD_ENTER();
    HD_NEED(coverage);
    HD_FAIL_IF(!hd_coverage_at(number, coverage), CUDA_ERROR_NOT_FOUND,
               "there is no kernel %zu that counts", number);
    return CUDA_SUCCESS;
}

CUresult cuxGetCoverageCounts(size_t number, size_t counters,
                              unsigned long long *counts)
{
    HD_ENTER();
    HD_NEED(counts);
    HD_FAIL_IF(!hd_coverage_counts(number, counters, counts), CUDA_ERROR_NOT_FOUND,
               "there is no kernel %zu that counts", number);
    return CUDA_SUCCESS;
}

CUresult cuxSetSampling(unsigned int microseconds)
{
    HD_ENTER();
    return hd_samples_set(microseconds);
}

CUresult cuxGetSample(size_t number, cuxSample *sample)
{
    HD_ENTER();
    const cuxSample *found = hd_sample_at(number);
    HD_FAIL_IF(!found, CUDA_ERROR_NOT_FOUND, "there is no sample %zu", number);
    HD_ANSWER(sample, *found);
}

CUresult cuxSetAllocationUse(CUdeviceptr address, size_t bytes)
{
    const char *at = (const char *)(uintptr_t)address;
    HD_ENTER();
    hd_allocation *allocation = hd_memory_find(at);
    HD_TRY(hd_memory_check(allocation, at, bytes));
    __atomic_store_n(&allocation->used_from, (size_t)(at - allocation->base),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&allocation->used, bytes, __ATOMIC_RELAXED);
    return CUDA_SUCCESS;
}

CUresult cuxSetPrintFunction(cuxPrintFunction function, void *data)
{
    HD_ENTER();
    hd.print = function;
    hd.print_data = data;
    return CUDA_SUCCESS;
}

CUresult cuxSetLoadFunction(cuxLoadFunction function, void *data)
{
    HD_ENTER();
    hd.load = function;
    hd.load_data = data;
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
