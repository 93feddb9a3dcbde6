/* Fourier transforms by cuFFT. A plan is for arrays without gaps; the memory in which
   it works is lent by the context's pool for one call, so that plans that wait hold
   none. */
#include <string.h>
#include "loading.h"

/* cufftType: of float, and of double. */
static const unsigned types[][2] = {
    [LIB_COMPLEX] = {0x29, 0x69},
    [LIB_FROM_REAL] = {0x2a, 0x6a},
    [LIB_TO_REAL] = {0x2c, 0x6c},
};

/* 0, or the status and the routine that failed. */
static unsigned plan_fill(const lib_fft *fft, lib_handle *handle, const char **routine)
{
    lib_plan *plan = &handle->plan;
    unsigned status = fft->cufftSetAutoAllocation(handle->fft, 0);
    *routine = "cufftSetAutoAllocation";
    if (status)
        return status;
    *routine = "cufftMakePlanMany64";
    return fft->cufftMakePlanMany64(handle->fft, plan->rank, plan->length, NULL, 1, 0,
                                    NULL, 1, 0, plan->type, plan->count, &handle->area);
}

static unsigned make(const void *entries, lib_handle *handle, const char **routine)
{
    const lib_fft *fft = entries;
    *routine = "cufftCreate";
    unsigned status = fft->cufftCreate(&handle->fft);
    if (status)
        return status;
    status = plan_fill(fft, handle, routine);
    if (status)
        fft->cufftDestroy(handle->fft);
    return status;
}

static const char *call(bd_state *state, const lib_fft *fft, const lib_handle *with,
                        const lib_transform *transform, CUdeviceptr area)
{
    unsigned status =
        BD_BRIEFLY(state, (CUresult)fft->cufftSetStream(with->fft, transform->stream));
    if (status)
        return lib_raise(state, LIB_FFT, status, "cufftSetStream");
    status = BD_BRIEFLY(
        state, (CUresult)fft->cufftSetWorkArea(with->fft, (void *)(uintptr_t)area));
    if (status)
        return lib_raise(state, LIB_FFT, status, "cufftSetWorkArea");
    status = BD_BRIEFLY(
        state, (CUresult)fft->cufftXtExec(with->fft, (void *)(uintptr_t)transform->from,
                                          (void *)(uintptr_t)transform->to,
                                          transform->is_inverse ? 1 : -1));
    return status ? lib_raise(state, LIB_FFT, status, "cufftXtExec") : "cufftXtExec";
}

const char *lib_transform_run(bd_context *context, const lib_transform *transform)
{
    bd_state *state = bd_context_state(context);
    const lib_fft *fft = lib_entries(state, LIB_FFT);
    lib_handle wanted;
    CUdeviceptr area = 0;
    if (!fft)
        return "";
    memset(&wanted, 0, sizeof wanted); /* plans are compared byte by byte */
    wanted.id = LIB_FFT;
    lib_plan *plan = &wanted.plan;
    plan->type = types[transform->kind][transform->is_wide];
    plan->rank = transform->rank;
    memcpy(plan->length, transform->length, plan->rank * sizeof *plan->length);
    plan->count = transform->count;
    Py_INCREF((PyObject *)context); /* the GIL may be let go */
    lib_handle *with = lib_handle_lend(context, &wanted, make);
    PyObject *memory = with ? bd_allocate(state, NULL, NULL, with->area, &area) : NULL;
    const char *routine = memory ? call(state, fft, with, transform, area) : NULL;
    if (with)
        lib_handle_return(with);
    Py_XDECREF(memory); /* given back in the order of the stream */
    Py_DECREF((PyObject *)context);
    return routine;
}

int lib_has_fft(bd_state *state)
{
    return lib_entries(state, LIB_FFT) != NULL;
}
