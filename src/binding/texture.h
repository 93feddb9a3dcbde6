/* Textures inside the room: what modules, functions and arguments need of them. */
#ifndef PYCUDA_BINDING_TEXTURE_H
#define PYCUDA_BINDING_TEXTURE_H

#include "context.h"

/* 1 and its value if that is a TextureObject or SurfaceObject; 0 if not; -1 and an
   exception if it was freed. */
int bd_texture_value(bd_state *state, PyObject *object, CUdeviceptr *value);
/* -1 and an exception that names `what` if the driver has no references. */
int bd_references_exist(const char *what);
/* Keeps an object for as long as `self`, or until the next; None. */
PyObject *bd_hold(PyObject *self, PyObject *object);

#endif
