/* Contexts: the owners of everything else. */
#ifndef HOSTCUDA_CONTEXT_STATE_H
#define HOSTCUDA_CONTEXT_STATE_H

#include "hostcuda/core/process.h"
#include "queues.h"

/* The memory of a context's record is never given back to malloc: a thread that waited
   finds a record still, if perhaps of a later context. */
struct hd_context {
    hd_object object;
    hd_context *next; /* in hd.contexts or hd.spare_contexts */
    hd_device *device;
    bool alive, primary;
    unsigned flags;
    uint64_t id;
    CUresult error; /* sticky: what ended a kernel; every later call answers it */
    char detail[HD_DETAIL];
    hd_object *children;        /* owned: modules, streams, events, arrays */
    hd_stream legacy, *streams; /* the default stream; all streams, it included */
    size_t limits[CU_LIMIT_MAX];
    CUfunc_cache cache;
    CUsharedconfig banks;
    uint64_t peers; /* a bit for each device with access enabled */
    char *printed;  /* owned: device printf that nobody has seen yet */
    size_t printed_size, printed_capacity;
    size_t heap_used;
    uint64_t given_up; /* work up to this serial has been waited for long enough */
    unsigned doomed;   /* allocations that go when such work is done */
    hd_region *roomy[HD_CLASSES]; /* borrowed from the registry */
};

/* The thread's current context; fails where there is none, it is dead or in error. */
CUresult hd_context_current(hd_context **context);
/* The context's sticky error, noted for cuxGetErrorDetail. */
CUresult hd_context_status(const hd_context *context);
/* Puts the context in error, unless it is; with CUDA_SUCCESS, only keeps the text. */
void hd_context_poison(hd_context *context, CUresult status, const char *detail);
/* A zeroed child of `size` bytes with a handle, counted, and how it ends. */
CUresult hd_child_create(hd_context *context, hd_kind kind, size_t size,
                         void (*destroy)(hd_object *), void *child);
/* Takes the handle back; destroy also frees the child. */
void hd_child_retire(hd_object *child);
void hd_child_destroy(hd_object *child);
/* Waits for the context's work, then has the child destroyed. Drops the lock. */
CUresult hd_child_unload(hd_kind kind, const void *handle);

/* An entry point that destroys a child of a context. */
#define HD_DESTROYER(name, type, kind)                  \
    CUresult name(type handle)                          \
    {                                                   \
        HD_ENTER_FIND(hd_object, object, kind, handle); \
        object->destroy(object);                        \
        return CUDA_SUCCESS;                            \
    }
/* Writes what kernels of the context printed to stdout. Drops the lock. */
void hd_print_flush(hd_context *context);
/* Ends what a thread that exits leaves behind. */
void hd_context_forget_thread(const hd_thread *thread);

#endif
