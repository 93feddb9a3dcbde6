/* The handles that libraries have in a context, a list that belongs to it: those of
   cuBLAS, cuSOLVER and cuSPARSE as many as calls went on at a time, those of cuFFT a
   plan for each kind of transform, of which the ones that were used last are kept. They
   end before the context does, while it is current. */
#include <stdlib.h>
#include <string.h>
#include "loading.h"

enum { MOST_PLANS = 16 }; /* of a context: they are small, but for twiddle factors */

static unsigned end(const void *entries, const lib_handle *handle)
{
    switch (handle->id) {
    case LIB_BLAS:
        return ((const lib_blas *)entries)->cublasDestroy_v2(handle->blas);
    case LIB_FFT:
        return ((const lib_fft *)entries)->cufftDestroy(handle->fft);
    case LIB_SPARSE:
        return ((const lib_sparse *)entries)->cusparseDestroy(handle->sparse);
    default:
        ((const lib_solver *)entries)->cusolverDnDestroyParams(handle->params);
        return ((const lib_solver *)entries)->cusolverDnDestroy(handle->solver);
    }
}

static void destroy(bd_state *state, const lib_handle *handle)
{
    const void *entries = lib_entries(state, handle->id);
    if (entries)
        BD_UNLOCKED((CUresult)end(entries, handle));
}

static void release(bd_state *state, void *handles, int alive)
{
    for (lib_handle *one = handles, *next; one; one = next) {
        next = one->next;
        one->is_left = 1;
        if (one->is_lent)
            continue; /* its call comes back to a context that is gone */
        if (alive)
            destroy(state, one);
        free(one);
    }
}

/* One that is free, lent; NULL: there is none. */
static lib_handle *find(bd_context *context, const lib_handle *wanted)
{
    lib_handle **first = (lib_handle **)bd_context_libraries(context);
    for (lib_handle **at = first, *one; (one = *at); at = &one->next)
        if (!one->is_lent && one->id == wanted->id &&
            !memcmp(&wanted->plan, &one->plan, sizeof one->plan)) {
            *at = one->next; /* the one that was used last comes first */
            one->next = *first;
            *first = one;
            one->is_lent = 1;
            return one;
        }
    return NULL;
}

/* Takes the plan that has not been used for longest off the list if there are too many;
   NULL: there are not. */
static lib_handle *take_oldest(lib_handle **first)
{
    lib_handle **oldest = NULL;
    int plans = 0;
    for (lib_handle **at = first; *at; at = &(*at)->next)
        if ((*at)->id == LIB_FFT) {
            plans++;
            oldest = (*at)->is_lent ? oldest : at;
        }
    if (plans <= MOST_PLANS || !oldest)
        return NULL;
    lib_handle *taken = *oldest;
    *oldest = taken->next;
    return taken;
}

/* A copy of it for the context, lent; NULL: exception, and its handle is destroyed. */
static lib_handle *keep(bd_context *context, const lib_handle *made)
{
    bd_state *state = bd_context_state(context);
    lib_handle *one = bd_context_check(context) ? NULL : malloc(sizeof *one);
    if (!one) {
        destroy(state, made);
        return PyErr_Occurred() ? NULL : (lib_handle *)PyErr_NoMemory();
    }
    lib_handle **first = (lib_handle **)bd_context_libraries(context);
    *one = *made;
    one->is_lent = 1;
    one->next = *first;
    *first = one;
    lib_handle *oldest = take_oldest(first);
    if (oldest)
        destroy(state, oldest); /* others may run: nothing of the list is used after */
    free(oldest);
    return one;
}

lib_handle *lib_handle_lend(bd_context *context, const lib_handle *wanted,
                            lib_make make)
{
    bd_state *state = bd_context_state(context);
    const void *entries = lib_entries(state, wanted->id);
    lib_handle made = *wanted, *kept = find(context, wanted);
    const char *routine;
    if (kept)
        return kept;
    unsigned status = BD_UNLOCKED((CUresult)make(entries, &made, &routine));
    if (lib_is_out_of_memory(wanted->id, status)) {
        bd_memory_reclaim(state, context);
        status = BD_UNLOCKED((CUresult)make(entries, &made, &routine));
    }
    return status ? lib_raise(state, wanted->id, status, routine)
                  : keep(context, &made);
}

void lib_handle_return(lib_handle *handle)
{
    handle->is_lent = 0;
    if (handle->is_left)
        free(handle);
}

void lib_init(bd_state *state)
{
    state->libraries = calloc(1, sizeof(lib_loaded)); /* NULL: there are none */
    state->release_libraries = release;
}

void lib_end(bd_state *state)
{
    free(state->libraries);
    state->libraries = NULL;
}
