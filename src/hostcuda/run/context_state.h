/* The records of contexts, the owners of everything else, and of what they own. */
#ifndef HOSTCUDA_CONTEXT_STATE_H
#define HOSTCUDA_CONTEXT_STATE_H

#include "work.h"

/* The memory of a context's record is never given back to malloc: a thread that waited
   finds a record still, if perhaps of a later context. */
struct hd_context {
    hd_object object;
    hd_context *next; /* in hd.contexts, or the list of free records */
    hd_device *device;
    bool alive, primary;
    uint64_t users; /* as cuCtxDetach counts them: by cuCtxCreate and cuCtxAttach */
    unsigned flags;
    uint64_t id;
    CUresult
        error; /* sticky: the failure of a kernel, which every later call returns */
    char detail[HD_DETAIL];
    char finding[HD_DETAIL];    /* of check mode, yet to be told; "": none */
    hd_object *children;        /* owned: modules, streams, events, arrays */
    hd_stream legacy, *streams; /* the default stream; all streams, it included */
    size_t limits[CU_LIMIT_MAX];
    CUfunc_cache cache;
    CUsharedconfig banks;
    uint64_t peers; /* a bit for each device with access enabled */
    char *printed;  /* owned: output of device printf, not written yet */
    size_t printed_size, printed_capacity;
    hd_memory_owner memory;
    uint64_t given_up; /* the user gave up waiting for work up to this serial */
};

/* The thread's current context. Fails if there is none, or it is destroyed or in error.
 */
CUresult hd_context_current(hd_context **context);
/* The context's sticky error, noted for cuxGetErrorDetail. */
CUresult hd_context_status(const hd_context *context);
/* Puts the context in error, unless it is in error; with CUDA_SUCCESS, only keeps the
   text. */
void hd_context_set_error(hd_context *context, CUresult status, const char *detail);
/* Creates a zeroed child of `size` bytes with a handle, which hd.live counts; `destroy`
   is how it ends. */
CUresult hd_child_create(hd_context *context, hd_kind kind, size_t size,
                         void (*destroy)(hd_object *), void *child);
/* hd_child_retire makes the child's handle stale, hd_child_destroy also frees the
   child. */
void hd_child_retire(hd_object *child);
void hd_child_destroy(hd_object *child);
/* Destroys the child behind a handle. */
CUresult hd_child_end(hd_kind kind, const void *handle);

#endif
