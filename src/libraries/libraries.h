/* The door of the room: NVIDIA's libraries of functions on arrays, where there are any.
   Nothing here is needed: what cannot be served is for the caller to do in another
   way. See README.md. */
#ifndef PYCUDA_LIBRARIES_H
#define PYCUDA_LIBRARIES_H

#include "binding/native.h"

/* The types of elements that libraries compute with. */
typedef enum {
    LIB_NONE, /* any other */
    LIB_F16,
    LIB_BF16,
    LIB_F32,
    LIB_F64,
    LIB_C64,
    LIB_C128,
    LIB_TYPE_COUNT
} lib_type;

/* A stack of matrices. Distances are in elements: from a row to the next, from a column
   to the next, from a matrix to the next. */
typedef struct {
    CUdeviceptr first;
    long long down, across, apart;
} lib_matrices;

/* z = a b, of `count` matrices each with m rows and n columns, each element the sum of
   `length` products; no dimension is 0. z lies row by row. */
typedef struct {
    lib_type type;
    long long m, n, length, count;
    lib_matrices z, a, b;
    CUstream stream;
} lib_products;

void lib_init(bd_state *state);
void lib_end(bd_state *state);

/* By cuBLAS. The entry point that served; "": none, as there is no cuBLAS, or not for
   matrices that lie so; NULL: exception. */
const char *lib_multiply(bd_context *context, const lib_products *products);
/* Whether there is a cuBLAS for this device. */
int lib_has_blas(bd_state *state);

/* Discrete Fourier transforms without a factor of `count` arrays of `rank` axes, one
   after the other without gaps; no dimension is 0. Of real numbers and to such there
   are length / 2 + 1 complex ones along the last axis. `from` is not kept. */
typedef enum { LIB_COMPLEX, LIB_FROM_REAL, LIB_TO_REAL } lib_transform_kind;
typedef struct {
    lib_transform_kind kind;
    int is_wide, is_inverse; /* of double; what is not from real numbers or to them */
    int rank;                /* 1 to 3 */
    long long length[3], count;
    CUdeviceptr from, to;
    CUstream stream;
} lib_transform;

/* By cuFFT; as lib_multiply. */
const char *lib_transform_run(bd_context *context, const lib_transform *transform);
int lib_has_fft(bd_state *state);

/* dict: the name of a library -> its path, or why it is not used. */
PyObject *lib_found(bd_state *state);

#endif
