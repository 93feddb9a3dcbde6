/* What the whole process shares: one struct, one lock, and a record for each thread.

   There is one lock, `hd.lock`. Entry points (cu...) take it through HD_ENTER
   (api/entry.h) and everything named hd_... runs under it, unless the name ends in
   _unlocked. Nothing that can take long happens under it: kernels, copies, callbacks,
   waits, loading and output drop it. What one file alone uses is static there, guarded
   by the same lock. Pointers to what upper folders define are theirs: this folder only
   keeps them. */
#ifndef HOSTCUDA_PROCESS_H
#define HOSTCUDA_PROCESS_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "address_range.h"
#include "error.h"
#include "handles.h"
#include "memory_registry.h"

#define HD_DRIVER_VERSION 13000
#define HD_DEVICES_MAX 64
#define HD_DETAIL 512 /* bytes of an explanation */
#define HD_LINE 64    /* bytes of a line of caches */

typedef struct hd_context hd_context;

typedef struct hd_device {
    int ordinal;
    size_t memory_used;
    hd_context *primary; /* owned; made when first retained, then kept */
    unsigned primary_refs, primary_flags;
    struct hd_mempool *pools;                       /* owned; see mempools.c */
    struct hd_mempool *default_pool, *current_pool; /* borrowed from those */
} hd_device;

/* A record for each thread that has called the library, and for each of its own. */
typedef struct hd_thread {
    void **stack; /* owned: handles of the contexts pushed here, the current one last */
    size_t depth, capacity;
    struct hd_work *_Atomic waits_for; /* borrowed: the work that it waits for; NULL
                                          once that has ended, with this status */
    CUresult done_status;
    struct hd_thread *waiting_next; /* link in hd_work.waiters */
    pthread_cond_t wake;
    struct hd_worker *volatile worker; /* borrowed: set while it runs pieces of work */
    pthread_t id;
    bool is_worker, in_call; /* a thread of the pool; in the midst of a host function */
    char *signal_stack;      /* owned; NULL until it first runs a kernel */
    enum { HD_SIGNALS_UNKNOWN, HD_SIGNALS_OPEN, HD_SIGNALS_BLOCKED } signals;
    CUstreamCaptureMode capture_mode; /* cuThreadExchangeStreamCaptureMode */
    char detail[HD_DETAIL];           /* why the last call failed */
} hd_thread;

extern struct hd_process {
    pthread_mutex_t lock;
    char behind[HD_LINE];
    _Atomic int state; /* 0 new, HD_READY, HD_FORKED */
    unsigned ndevices, nthreads;
    size_t memory; /* bytes of each device's memory */
    size_t page;   /* bytes of a page of the system's memory */
    size_t cache;  /* bytes of the last cache; SIZE_MAX: not known */
    char name[96]; /* of the devices */
    int clock_khz;
    hd_device devices[HD_DEVICES_MAX];
    hd_context *contexts; /* owned: the living ones, the newest first */
    hd_handle_table handles;
    hd_address_range range;
    hd_registry registry;
    size_t live[HD_LIVE];    /* objects that users own: cuxGetLiveObjects */
    cuxPrintFunction print;  /* gets device printf; NULL: stdout does */
    void *print_data;        /* borrowed */
    size_t host_memory;      /* allocations that the host may write to as well */
    cuxWaitFunction give_up; /* asked by waiting threads; NULL: they wait for ever */
    void *give_up_data;      /* borrowed */
    cuxLoadFunction load;    /* compiles code that images have not; NULL: nobody does */
    void *load_data;         /* borrowed */
    uint64_t serial; /* the number that was given last: to a stream, context, allocation
                        or work */
    bool mixed; /* a kernel of one context ran in a stream of another, so waiting for
                   one context means waiting for all */
    /* Called when a thread ends; set by start.c, on behalf of upper folders. */
    void (*thread_ends_unlocked)(hd_thread *);
    pthread_key_t thread_key;
} hd;

enum { HD_READY = 1, HD_FORKED };

/* Of the initial-exec model, so that a signal handler may read it. */
extern _Thread_local hd_thread *hd_self __attribute__((tls_model("initial-exec")));

/* Takes the lock that another thread has. */
void hd_lock_contended(void);

static inline void hd_lock(void)
{
    if (pthread_mutex_trylock(&hd.lock) != 0)
        hd_lock_contended();
}

static inline void hd_unlock(void)
{
    pthread_mutex_unlock(&hd.lock);
}

/* The time of a monotonic clock. */
static inline uint64_t hd_nanoseconds_unlocked(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* Removes an item from a list that has it; `next` is the member that links it. */
#define HD_UNLINK(list, item, next)   \
    do {                              \
        typeof(item) *link = &(list); \
        while (*link != (item))       \
            link = &(*link)->next;    \
        *link = (item)->next;         \
    } while (0)

/* Creates the calling thread's record, which must not exist yet. */
CUresult hd_thread_start_unlocked(void);
/* From here on a thread's end frees its record. Called once. */
CUresult hd_threads_start(void);

#endif
