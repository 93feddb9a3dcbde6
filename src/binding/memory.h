/* Memory inside the room: what pointers, allocations, pools and host arrays need of
 * each other. */
#ifndef PYCUDA_BINDING_MEMORY_H
#define PYCUDA_BINDING_MEMORY_H

#include "context.h"
#include "pool.h"
#include "numpy_api.h"

/* An object of the class `type` (a row of memory.c) that owns the memory at `address`,
   which is released if that fails. parent: what must outlive it (a pool, a registered
   array), or NULL. */
PyObject *bd_memory_wrap(bd_state *state, int type, bd_context *context,
                         PyObject *parent, uint64_t address, size_t size);

/* Where a StreamAllocation is freed: NULL, a Stream, or an object whose handle is that;
   it is kept. */
void bd_memory_set_stream(PyObject *self, PyObject *stream, CUstream handle);

/* nb_int and nb_index of every class that starts with bd_device_pointer and holds
   device memory; also how such classes are known. */
PyObject *bd_device_pointer_int(PyObject *self);
/* The ManagedAllocation behind an array or a view of one; borrowed; NULL: none. */
PyObject *bd_managed_owner(bd_state *state, PyObject *object);
int bd_is_device_pointer(bd_state *state, PyObject *object);
/* The method as_buffer(size, offset=0) of memory of so many bytes. */
PyObject *bd_as_buffer(bd_state *state, PyObject *owner, CUdeviceptr pointer,
                       size_t bytes, PyObject *const *in);
/* Another process may reach the memory behind that from now on. */
int bd_memory_export(bd_state *state, PyObject *object);
/* Copies the 64 bytes of an inter-process handle from a bytearray or bytes. */
int bd_ipc_bytes(bd_state *state, PyObject *object, const char *routine, void *handle);

/* `call` is made again after an out of memory; evaluates to the status. Python code
   runs in between: hold the context. */
#define BD_WITH_RETRY(state, context, call)         \
    ({                                              \
        CUresult result_ = BD_BRIEFLY(state, call); \
        if (result_ == CUDA_ERROR_OUT_OF_MEMORY) {  \
            bd_memory_reclaim(state, context);      \
            result_ = BD_BRIEFLY(state, call);      \
        }                                           \
        result_;                                    \
    })

/* The arguments (shape, dtype, order="C") of every function that makes a host array. */
typedef struct {
    PyArray_Dims shape;   /* owned */
    PyArray_Descr *dtype; /* owned */
    int fortran;
    size_t bytes; /* at least 1 */
} bd_layout;

/* TypeError for a dtype with references to Python objects in it. */
int bd_refuse_objects(PyArray_Descr *dtype);
int bd_layout_parse(bd_state *state, PyObject *const *in, bd_layout *layout);
void bd_layout_clear(bd_layout *layout);
/* An array over `memory`, which becomes its base; takes the reference, also on failure.
 */
PyObject *bd_layout_array(const bd_layout *layout, PyObject *memory);

/* A PooledDeviceAllocation from the own pool of a context, which the caller holds; of
   the current one. */
PyObject *bd_pool_take_of(bd_context *context, size_t bytes, CUdeviceptr *pointer);
PyObject *bd_pool_take(bd_state *state, size_t bytes, CUdeviceptr *pointer);
#endif
