/* Textures inside the room: what modules, functions and arguments need of them. */
#ifndef PYCUDA_BINDING_TEXTURE_H
#define PYCUDA_BINDING_TEXTURE_H

#include "context.h"

/* 1 and its value if that is a TextureObject or SurfaceObject; 0 if not; -1 and an
   exception if it was freed. */
int bd_texture_value(bd_state *state, PyObject *object, CUdeviceptr *value);
/* -1 and an exception that names `what` if the driver has no references. */
int bd_references_exist(const char *what);
/* Module.get_texref, get_surfref. */
PyObject *bd_module_texref(PyObject *module, PyObject *name);
PyObject *bd_module_surfref(PyObject *module, PyObject *name);

#endif
