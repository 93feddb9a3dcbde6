/* Inside the room: libraries that were looked for and their entry points, what their
   statuses mean, and the handles that they have in a context. */
#ifndef PYCUDA_LIBRARIES_LOADING_H
#define PYCUDA_LIBRARIES_LOADING_H

#include <limits.h>
#include "libraries.h"

typedef enum { LIB_BLAS, LIB_FFT, LIB_SOLVER, LIB_SPARSE, LIB_NCCL, LIB_COUNT } lib_id;

/* NVIDIA's. */
struct cublasContext;
struct cusolverDnContext;
struct cusolverDnParams;
struct cusparseContext;
struct cusparseSpMatDescr;
struct cusparseDnMatDescr;
struct float2;
struct double2;

#define LIBRARY(name, parameters) unsigned(*name) parameters;
#define LIBRARY_NEWER(name, parameters) LIBRARY(name, parameters) /* or NULL */
typedef struct {
#include "libraries/blas.def"
} lib_blas;

typedef struct {
#include "libraries/fft.def"
} lib_fft;

typedef struct {
#include "libraries/solver.def"
} lib_solver;

typedef struct {
#include "libraries/sparse.def"
} lib_sparse;
#undef LIBRARY
#undef LIBRARY_NEWER

#define N(result, name, ...) result (*name)(CU_PARAMS(__VA_ARGS__));
typedef struct {
#include "cuda/nccl.def"
} lib_nccl;
#undef N

typedef struct {
    int is_known;  /* it was looked for */
    int is_usable; /* all entries are there that each version has */
    char path[PATH_MAX];
    char why[PATH_MAX + 400]; /* it is not used */
    void *entry[40];
} lib_library;

/* What bd_state.libraries points to. */
typedef struct {
    lib_library library[LIB_COUNT];
} lib_loaded;

/* The entry points of a library, a lib_blas for LIB_BLAS and so on; NULL: there is
   none. It stays loaded. */
const void *lib_entries(bd_state *state, lib_id id);
/* Why there is none. */
const char *lib_absence(bd_state *state, lib_id id);

/* -- Statuses (library_statuses.c) ------------------------------------------------ */

/* Raises what that status of the library means. Returns NULL. */
void *lib_raise(bd_state *state, lib_id id, unsigned status, const char *routine);
/* The same with what the library adds; "": nothing. */
void *lib_raise_because(bd_state *state, lib_id id, unsigned status,
                        const char *routine, const char *addition);
int lib_is_out_of_memory(lib_id id, unsigned status);

/* -- Handles (library_handles.c) -------------------------------------------------- */

/* What a plan of cuFFT is for. */
typedef struct {
    unsigned type;
    int rank;
    long long length[3], count;
} lib_plan;

/* A handle of cuBLAS, cuSOLVER or cuSPARSE or a plan of cuFFT in a context, which owns
   it. It serves one call at a time, since the GIL may be let go during one. */
typedef struct lib_handle {
    lib_id id;
    struct cublasContext *blas;       /* owned */
    int fft;                          /* owned */
    lib_plan plan;                    /* of fft; of others all is 0 */
    size_t area;                      /* bytes that it works in */
    struct cusolverDnContext *solver; /* owned */
    struct cusolverDnParams *params;  /* owned */
    struct cusparseContext *sparse;   /* owned */
    int is_lent, is_left;    /* to a call under way; its context has ended meanwhile */
    struct lib_handle *next; /* owned */
} lib_handle;

/* Makes the handle without the GIL: 0, or the status and the routine that failed. */
typedef unsigned (*lib_make)(const void *entries, lib_handle *handle,
                             const char **routine);
/* A handle of that library and plan that no other call uses, lent; NULL: exception. If
   memory for a new one runs out, the context's pool gives back what it keeps. */
lib_handle *lib_handle_lend(bd_context *context, const lib_handle *wanted,
                            lib_make make);
void lib_handle_return(lib_handle *handle);

#endif
