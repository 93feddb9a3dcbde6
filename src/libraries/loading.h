/* Inside the room: libraries that were looked for, and their entry points. */
#ifndef PYCUDA_LIBRARIES_LOADING_H
#define PYCUDA_LIBRARIES_LOADING_H

#include <limits.h>
#include "libraries.h"

struct cublasContext; /* NVIDIA's */

typedef struct {
#define LIBRARY(name, parameters) unsigned(*name) parameters;
#include "libraries/blas.def"
#undef LIBRARY
} lib_blas;

typedef enum { LIB_BLAS, LIB_COUNT } lib_id;

typedef struct {
    int is_known;  /* it was looked for */
    int is_usable; /* all entries are there */
    char path[PATH_MAX];
    char why[PATH_MAX + 400]; /* it is not used */
    void *entry[24];
} lib_library;

/* What bd_state.libraries points to. */
typedef struct {
    lib_library library[LIB_COUNT];
} lib_loaded;

/* The entry points of a library, a lib_blas for LIB_BLAS; NULL: there is none. It stays
   loaded. */
const void *lib_entries(bd_state *state, lib_id id);

#endif
