/* NumPy's C API for the files of the extension; state.c imports it, once, for all
 * rooms. */
#ifndef PYCUDA_BINDING_NUMPY_API_H
#define PYCUDA_BINDING_NUMPY_API_H

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL pycuda_numpy
#ifndef BD_IMPORT_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

/* PyArray_FromAny for what a user gave. NumPy reads on in a list that an item's
   __float__ shortens, so lists are copied first. Takes the reference to
   dtype. */
PyArrayObject *bd_numpy_from(PyObject *object, PyArray_Descr *dtype, int flags);

#endif
