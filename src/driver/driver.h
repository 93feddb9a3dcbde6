/* The waist: one table of driver entry points, filled from whichever library implements
   the CUDA driver API here, so that nothing above it asks whether a GPU or the host
   device answers. Knows neither Python nor compilers: status and message come back. */
#ifndef PYCUDA_DRIVER_H
#define PYCUDA_DRIVER_H

#include "cuda/types.h"
#include <stdint.h>

typedef struct {
#define F(name, suffix, version, ...) CUresult (*name)(CU_PARAMS(__VA_ARGS__));
#include "cuda/functions.def"
#undef F
} drv_table;

/* Never null: entries answer CUDA_ERROR_NOT_INITIALIZED until drv_load succeeds, and
   after it CUDA_ERROR_NOT_SUPPORTED where the library lacks them. */
extern drv_table cu;

typedef struct {
    const char
        *path;   /* of the library, as the loader resolved it; NULL: none is loaded */
    int version; /* cuDriverGetVersion: 12040 is CUDA 12.4 */
    int is_host; /* the host device, recognised by its extensions */
    int forked;  /* this process is the child of one that had initialised the driver */
} drv_info;

/* Chooses and loads the driver that PYCUDA_DRIVER names: `cuda`, `host`, the path of a
   library, or `auto` (the default): a GPU if there is one, else the host device, with
   one line on stderr. `host_library` is the path of libhostcuda.so; it need not exist.
   On failure `message` (at most `size` bytes) says what was tried and what would help.
   The first success is final: later calls return at once. `auto` calls cuInit, `cuda`
   and `host` do not. Not to be called by two threads at a time. PYCUDA_TRACE=1 (or a
   file) in the environment starts the trace of calls. */
CUresult drv_load(const char *host_library, char *message, size_t size);

/* To be called after cuInit. In children of a fork from here on every entry answers
   CUDA_ERROR_NOT_INITIALIZED: a driver's threads and devices stay with the parent. */
void drv_note_init(void);

/* What the host device calls while a call waits (cuxSetWaitFunction) and for code that
   is not compiled (cuxSetLoadFunction), until that is taken back for the same data. A
   driver outlives the modules that it calls. */
void drv_set_callbacks(cuxWaitFunction wait, cuxLoadFunction load, void *data);
void drv_forget_callbacks(const void *data);

/* What is loaded; borrowed, lives as long as the process. */
const drv_info *drv_get_info(void);

/* "CUDA_ERROR_INVALID_VALUE" and "invalid argument"; needs no driver. */
const char *drv_result_name(CUresult result);
const char *drv_result_text(CUresult result);

/* -- A recording of calls, for a profile ------------------------------------------- */

typedef enum { DRV_CALL, DRV_KERNEL, DRV_COPY, DRV_FILL, DRV_GRAPH } drv_work;

typedef struct {
    const char *name;    /* of the entry point */
    uint64_t begin, end; /* of the call: nanoseconds of CLOCK_MONOTONIC */
    int index, thread;   /* gettid() */
    CUresult result;
    drv_work work; /* what ran on a device then, unless DRV_CALL */
    CUstream stream;
    uint64_t started, ended; /* of that work, on the same clock; 0: not known */
    int device;
    size_t bytes;        /* of a copy; 0: not said */
    unsigned extents[6]; /* grid and block of a kernel */
    char kernel[128];
    int place; /* inside the room: its context, and the events around the work */
    CUevent before, after;
} drv_record;

/* Every call is recorded from here on, until drv_record_stop: that waits for all work
   of the contexts seen. The records are borrowed until drv_record_clear. After
   drv_load; not while another thread makes its first calls. */
void drv_record_start(void);
const drv_record *drv_record_stop(size_t *count);
void drv_record_clear(void);

/* Threads without a context, but for the caller's, get that one when a call needs it,
   each once; NULL: they do not. */
void drv_serve(CUcontext context);
void drv_serve_end(CUcontext context); /* if it is that one */

/* For tests: the nth call from now of the entry point (1: the next) does not reach the
   driver but returns `result`; nth 0 takes that back. NOT_FOUND: there is none. */
CUresult drv_inject(const char *name, unsigned nth, CUresult result);

#endif
