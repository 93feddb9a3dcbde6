/* The Context struct, for the files of this room that follow a resource to the context
 * it lives in. */
#ifndef PYCUDA_BINDING_CONTEXT_H
#define PYCUDA_BINDING_CONTEXT_H

#include "object.h"

typedef enum {
    BD_CTX_OWNED,   /* made by make_context: destroyed with the last reference */
    BD_CTX_PRIMARY, /* the device's own, retained `retains` times */
    BD_CTX_FOREIGN, /* found current: another library's, never destroyed here */
} bd_context_kind;

/* Bytes of memory that are alive, and the most that were. */
typedef struct {
    int64_t bytes, most;
} bd_count;

struct bd_context {
    py_object base;
    CUcontext handle; /* as in bd_handle */
    bd_state *state;  /* borrowed: of the module, which is the parent */
    CUdevice device;
    bd_context_kind kind;
    int dead;     /* detached: handles that live in it are gone */
    int failed;   /* a fault was reported: nothing in it works any more */
    int retains;  /* of a primary context */
    int attaches; /* attach() that no detach() answered yet */
    int pushes;   /* of the thread that called the first of these, before it */
    int exported; /* memory of it was, by its address: which one is not known */
    int captures; /* of its streams, under way: a wait for the context ends them */
    int host_allocations; /* of it: NumPy's arrays look into them */
    int is_doomed;        /* dead, and destroyed when the last of those is gone */
    bd_count live[2];     /* of the device, of the host */
    bd_pool *pool;        /* owned: blocks for bd_allocate(NULL), made on first use */
    void *kernels;        /* owned: see bd_context_kernels */
    void *libraries;      /* owned: see bd_context_libraries */
    struct bd_staging *staging; /* owned: see staging.h */
    bd_context *next;           /* borrowed: the list in bd_state */
};

/* The living Context of a handle, or NULL. */
bd_context *bd_context_find(bd_state *state, CUcontext handle);
/* Takes it off the list of living ones. */
void bd_context_unlink(bd_context *self);

/* Notes a push of this thread, with a reference; where the latest push of a handle is,
   or -1: another library pushed; drops that, and its reference (0: there is none). */
int bd_push_note(bd_context *self);
Py_ssize_t bd_push_find(CUcontext handle);
int bd_push_count(CUcontext handle);
int bd_push_drop(CUcontext handle);

/* The Context of a handle: a living one, or a new wrapper of that kind. New reference.
 */
bd_context *bd_context_wrap(bd_state *state, CUcontext handle, bd_context_kind kind);
/* The Context of a handle that the driver just made and pushed; on failure the driver's
 * context is destroyed. */
PyObject *bd_context_made(bd_state *state, CUcontext handle);
/* -1 and RuntimeError if the object's context, or the object itself if it is one, was
   destroyed. */
int bd_context_check_of(PyObject *object);
/* One of its host_allocations is gone. */
void bd_context_release_host(bd_context *self);
/* Lets go of wrappers of other libraries' contexts, when the module is torn down. */
void bd_contexts_forget(bd_state *state);
/* Asked by the host device while a call waits: runs Python's signal handlers. What one
   raises becomes the exception of that call, or of the next instruction of the main
   thread if the call is a destructor's. At the interpreter's exit, work gets a while to
   end. Negative: no other thread runs Python. data: the bd_state. */
int bd_give_up(unsigned long long waited, void *data);
/* Notes that the current context met an error from which contexts do not recover. */
void bd_context_note_failure(bd_state *state, CUresult status);

/* A Device of an ordinal. New reference. */
PyObject *bd_device_wrap(bd_state *state, CUdevice handle);

#endif
