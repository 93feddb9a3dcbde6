/* What memory is alive, and where the program allocated it: for tools.live_memory(),
   and for whoever has an address and wants to tell a user whose it is. Everything under
   the GIL. */
#ifndef PYCUDA_BINDING_LIVE_H
#define PYCUDA_BINDING_LIVE_H

#include "context.h"
#include "python/site.h"

enum { BD_LIVE_AXES = 4 };

/* Part of each object that owns memory (memory.c), from allocation to release. */
typedef struct bd_live bd_live;
struct bd_live {
    bd_live *next, **link; /* borrowed: the list in bd_state; link NULL: not in it */
    bd_device_pointer *memory; /* borrowed: what this is part of */
    py_site allocated;         /* by the frame nearest to here outside the package */
    PyObject *dtype; /* owned: of the array that it was allocated for; NULL: of none */
    int ndim;
    Py_ssize_t shape[BD_LIVE_AXES]; /* of the first axes */
    int on_host;
};

/* Memory begins and ends to be alive; the latter may be said more than once. */
void bd_live_begin(bd_live *live, bd_device_pointer *memory, int on_host);
void bd_live_end(bd_live *live);
/* The first array that memory is for. */
void bd_live_note_array(bd_live *live, PyObject *dtype, int ndim,
                        const Py_ssize_t *shape);

/* Tells the driver how much of each block of device memory is used: pools round up. */
void bd_live_measure(const bd_state *state);
/* The memory that the address lies in, or NULL. Walks the list. */
const bd_live *bd_live_find(bd_state *state, CUdeviceptr address);
/* What a user calls the address: "element 1000 of x, an array of 1000 float32 allocated
   at program.py:12"; where it was allocated and where it was freed, its dtype and its
   shape: a new tuple. base: an address in the memory that was meant (that of the
   argument, say); `address` may lie beyond either end of it. name: of the variable, or
   NULL. is_freed: of memory that was. None: nobody owns what `base` is in, nor did
   lately. NULL: an exception. */
PyObject *bd_live_describe(bd_state *state, CUdeviceptr base, CUdeviceptr address,
                           const char *name, int is_freed);

/* Memory that was freed while checks were on (bd_state.freed, a ring). */
enum { BD_FREED_KEPT = 256 };
typedef struct bd_freed bd_freed;
struct bd_freed {
    CUdeviceptr pointer;
    size_t size;
    bd_live live; /* dtype and the code of its site are owned; no place in the list */
    py_site site;
};
void bd_live_forget(bd_state *state); /* what was freed */

#endif
