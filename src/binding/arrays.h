/* CUDA arrays, textures and their descriptors inside the room; and attributes that are
   numbers in a struct. */
#ifndef PYCUDA_BINDING_ARRAYS_H
#define PYCUDA_BINDING_ARRAYS_H

#include "context.h"

/* The handle of an Array that was not freed and whose context lives. */
int bd_array(bd_state *state, PyObject *object, CUarray *handle);
/* An Array around a handle that `owner` owns. New reference. */
PyObject *bd_array_borrow(bd_state *state, CUarray handle, PyObject *owner);
/* The driver's descriptor behind an ArrayDescriptor. */
int bd_array_descriptor(bd_state *state, PyObject *object,
                        CUDA_ARRAY_DESCRIPTOR *descriptor);

/* 1 and its value if that is a TextureObject or SurfaceObject; 0 if not; -1 and an
   exception if it was freed. */
int bd_texture_value(bd_state *state, PyObject *object, CUdeviceptr *value);
/* -1 and an exception that names `what` if the driver has no references. */
int bd_references_exist(const char *what);

/* Attributes that are numbers inside the instance: the closure of bd_number_get and
 * bd_number_set. */
typedef struct {
    size_t offset, size;     /* in the instance; 4 or 8 bytes */
    const char *enumeration; /* values come back as members of it; NULL: int */
} bd_number;

PyObject *bd_number_get(PyObject *self, void *number);
int bd_number_set(PyObject *self, PyObject *value, void *number);
#define BD_NUMBER(name, type, field, enumeration)                          \
    {                                                                      \
        name, bd_number_get, bd_number_set, NULL, &(bd_number)             \
        {                                                                  \
            offsetof(type, field), sizeof(((type *)0)->field), enumeration \
        }                                                                  \
    }

#endif
