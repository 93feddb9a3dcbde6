/* What the whole process shares: one struct, one lock, a record for each thread, and
   the way into and out of every entry point.

   There is one lock, `hd.lock`. Entry points (cu...) take it through HD_ENTER and
   everything named hd_... runs under it, unless the name ends in _unlocked. Nothing
   that can take long happens under it: kernels, copies, callbacks, waits, loading and
   output drop it. What all files need of the C library comes with this header, too. */
#ifndef HOSTCUDA_PROCESS_H
#define HOSTCUDA_PROCESS_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"
#include "memory_registry.h"
#include "hostcuda/run/workers.h"

/* Every entry point, so that a definition with a wrong parameter does not compile. */
#pragma GCC visibility push(default)
#define F(name, suffix, version, ...) CUresult name##suffix(CU_PARAMS(__VA_ARGS__));
#include "cuda/functions.def"
#include "cuda/missing.def"
#undef F
#pragma GCC visibility pop

#define HD_DRIVER_VERSION 13000
#define HD_DEVICES_MAX 64
#define HD_DETAIL 512 /* bytes of an explanation */
#define HD_FAULTS 4   /* kinds of signals that kernels raise, see faults.c */

typedef struct hd_context hd_context;

typedef struct hd_device {
    int ordinal;
    size_t memory_used;
    hd_context *primary; /* owned; made when first retained, then kept */
    unsigned primary_refs, primary_flags;
    struct hd_mempool *pools;                       /* owned; see mempools.c */
    struct hd_mempool *default_pool, *current_pool; /* borrowed from those */
} hd_device;

/* What we keep for each thread that ever called us, and for our own. */
typedef struct hd_thread {
    void **stack; /* owned: handles of the contexts pushed here, the current one last */
    size_t depth, capacity;
    struct hd_work *waits_for; /* borrowed: NULL when that is done, with this status */
    CUresult done_status;
    struct hd_thread *waiting_next; /* in hd_work.waiters, while it waits for that */
    pthread_cond_t wake;
    hd_worker *volatile worker; /* borrowed: set while it runs pieces of work */
    pthread_t id;
    bool is_worker, in_call; /* one of the pool's own; it runs a host function */
    char *signal_stack;      /* owned; NULL until it first runs a kernel */
    enum { HD_SIGNALS_UNKNOWN, HD_SIGNALS_OPEN, HD_SIGNALS_BLOCKED } signals;
    CUstreamCaptureMode capture_mode; /* what it may call during captures */
    char detail[HD_DETAIL];           /* why the last call failed */
} hd_thread;

/* The one mutable global. */
extern struct hd_process {
    pthread_mutex_t lock;
    pthread_once_t once;
    _Atomic int state; /* 0 new, HD_READY, HD_FORKED */
    CUresult init_status;
    unsigned ndevices, nthreads;
    size_t memory; /* bytes a device */
    size_t page;   /* bytes, of the system */
    char name[96]; /* of the devices */
    int clock_khz;
    hd_device devices[HD_DEVICES_MAX];
    hd_context *contexts, *spare_contexts; /* owned; see contexts.c */
    struct hd_line_table *open_images;     /* borrowed: of modules, see line_table.c */
    struct hd_capture *captures;           /* owned: under way, see captures.c */
    struct hd_stream
        *due; /* borrowed: streams that may be able to go on, see queues.c */
    hd_handle_table handles;
    hd_registry registry;
    hd_pool pool;
    size_t live[HD_LIVE];    /* objects that users own: cuxGetLiveObjects */
    cuxPrintFunction print;  /* gets device printf; NULL: stdout does */
    void *print_data;        /* borrowed */
    cuxWaitFunction give_up; /* asked by those who wait; NULL: they wait for ever */
    void *give_up_data;      /* borrowed */
    uint64_t serial;         /* of the last stream, context, allocation or work */
    bool mixed; /* a kernel ran in another context's stream: drain one, drain all */
    _Atomic uint64_t loads;  /* of images, so far */
    volatile bool unguarded; /* faults: a handler of others is in front, see faults.c */
    pthread_key_t thread_key;
} hd;

enum { HD_READY = 1, HD_FORKED };

/* Initial-exec, so that a signal handler may read it. */
extern _Thread_local hd_thread *hd_self __attribute__((tls_model("initial-exec")));

/* Takes the lock. Fails where cuInit has not run, or ran in the parent process. */
CUresult hd_enter(void);
void hd_leave(int *);

#define HD_TRY(call)                    \
    do {                                \
        CUresult try_status = (call);   \
        if (try_status != CUDA_SUCCESS) \
            return try_status;          \
    } while (0)

/* The same, and takes back what went before. */
#define HD_TRY_OR(call, undo)             \
    do {                                  \
        CUresult try_status = (call);     \
        if (try_status != CUDA_SUCCESS) { \
            undo;                         \
            return try_status;            \
        }                                 \
    } while (0)

/* What an argument must be, where INVALID_VALUE says enough. */
#define HD_NEED(condition)                   \
    do {                                     \
        if (!(condition))                    \
            return CUDA_ERROR_INVALID_VALUE; \
    } while (0)

/* The same with a status, and a sentence about why not, for cuxGetErrorDetail. */
#define HD_FAIL_IF(condition, status, ...)       \
    do {                                         \
        if (condition)                           \
            return hd_fail(status, __VA_ARGS__); \
    } while (0)
#define HD_REFUSE_IF(condition, ...) \
    HD_FAIL_IF(condition, CUDA_ERROR_INVALID_VALUE, __VA_ARGS__)

/* The last line of an entry point that answers one question. */
#define HD_ANSWER(pointer, value)   \
    do {                            \
        HD_NEED((pointer) != NULL); \
        *(pointer) = (value);       \
        return CUDA_SUCCESS;        \
    } while (0)

/* The first line of an entry point: holds the lock until any of its returns. */
#define HD_ENTER()      \
    HD_TRY(hd_enter()); \
    __attribute__((cleanup(hd_leave), unused)) int hd_entered = 0

/* The same, and declares the object of a handle. */
#define HD_ENTER_FIND(type, variable, kind, handle) \
    HD_ENTER();                                     \
    HD_FIND(type, variable, kind, handle)

/* The same, and declares the current context, which must be there and well. */
#define HD_ENTER_CONTEXT(context) \
    HD_ENTER();                   \
    hd_context *context = NULL;   \
    HD_TRY(hd_context_current(&context))

/* Takes an item that is there out of a list; `next` is the member that links it. */
#define HD_UNLINK(list, item, next)   \
    do {                              \
        typeof(item) *link = &(list); \
        while (*link != (item))       \
            link = &(*link)->next;    \
        *link = (item)->next;         \
    } while (0)

static inline void hd_lock(void)
{
    pthread_mutex_lock(&hd.lock);
}

static inline void hd_unlock(void)
{
    pthread_mutex_unlock(&hd.lock);
}

/* An entry point that answers one question by the parameter `answer`. */
#define HD_QUESTION(name, parameters, enter, value) \
    CUresult name parameters                        \
    {                                               \
        enter;                                      \
        HD_ANSWER(answer, value);                   \
    }

/* An entry point after which nothing is to be done. */
#define HD_NOTHING(name, parameters, enter) \
    CUresult name parameters                \
    {                                       \
        enter;                              \
        return CUDA_SUCCESS;                \
    }

/* Makes this thread's record if there is none yet. */
CUresult hd_thread_start_unlocked(void);
/* Notes why the running call fails, for cuxGetErrorDetail; returns the status. */
CUresult hd_fail(CUresult status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Doubles an array of so many bytes an element where it is full. */
CUresult hd_array_grow(void *array, size_t element, size_t count, size_t *capacity);
uint64_t hd_nanoseconds_unlocked(void);
CUresult hd_device_find(CUdevice ordinal, hd_device **device);

#define HD_ENTER_DEVICE(ordinal, device) \
    HD_ENTER();                          \
    hd_device *device = NULL;            \
    HD_TRY(hd_device_find(ordinal, &device))

#endif
