/* The door of the room: NVIDIA's libraries of functions on arrays, where there are any.
   Nothing here is needed: what cannot be served is for the caller to do in another
   way. See README.md. */
#ifndef PYCUDA_LIBRARIES_H
#define PYCUDA_LIBRARIES_H

#include "binding/native.h"
#include "cuda/nccl.h"

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

/* Factorisations of `count` matrices of m rows and n columns, and what is done with
   them; each matrix lies column by column, without gaps behind the last one, and is
   overwritten. No dimension is 0. `info` gets an int for each: 0, or what failed. */
typedef enum {
    LIB_LU,          /* n x n; values: n numbers of rows, from 1, as int64_t */
    LIB_LU_SOLVE,    /* a, values of LIB_LU; b, n x k: right sides, then solutions */
    LIB_CHOLESKY,    /* n x n; info > 0: it is not positive definite */
    LIB_QR,          /* values: k = min(m, n) factors of the reflections */
    LIB_REFLECTIONS, /* the first n columns of the product of k reflections */
    LIB_EIGEN,       /* n x n, Hermitian; values: n real ones; vectors go to a */
    LIB_SVD,         /* m >= n; values: n real ones; b: k left vectors, m x k; c: right
                        ones, n x n, as rows; k: n or m */
    LIB_SVD_POLAR,   /* the same, faster, c as columns; info: perhaps LIB_INEXACT; b
                        and c, k = n, are needed where no vectors are wanted, too */
    LIB_EIGEN_GENERAL, /* n x n; values: n complex ones; c: right vectors as columns; of
                          a pair of complex values of a real matrix the real parts, then
                          the imaginary ones of the first. From CUDA 12.6 on. */
} lib_factoring;
enum { LIB_INEXACT = 0x7fffffff }; /* of another matrix, nearby: this is singular */
typedef struct {
    lib_factoring kind;
    lib_type type;
    int is_upper, is_transposed, has_vectors; /* the triangle that is read; of a */
    long long m, n, k, count;
    CUdeviceptr a, values, b, c, info;
    CUstream stream;
} lib_factors;

/* By cuSOLVER; as lib_multiply. */
const char *lib_factor(bd_context *context, const lib_factors *factors);
int lib_has_solver(bd_state *state);
/* Whether it takes all matrices of LIB_EIGEN at once: from CUDA 12.6 on. */
int lib_has_eigen_of_stacks(bd_state *state);

/* y = a x for a sparse matrix stored by rows and a matrix of n columns, whose rows are
   `down` elements apart; y lies row by row. No dimension is 0. */
typedef struct {
    lib_type type;
    int is_wide; /* numbers of elements and columns are int64_t */
    long long rows, columns, elements;
    CUdeviceptr starts, indices, data; /* of a: rows + 1, elements, elements */
    long long n, down;
    CUdeviceptr x, y;
    CUstream stream;
} lib_sparse_product;

/* By cuSPARSE; as lib_multiply. */
const char *lib_sparse_multiply(bd_context *context, const lib_sparse_product *product);
int lib_has_sparse(bd_state *state);

/* -- Collective operations by NCCL (nccl.c) -------------------------------------- */

typedef enum {
    LIB_ALL_REDUCE,
    LIB_BROADCAST,
    LIB_REDUCE,
    LIB_ALL_GATHER,
    LIB_REDUCE_SCATTER,
    LIB_SEND,
    LIB_RECEIVE,
    LIB_COLLECTIVES
} lib_collective_kind;

/* A communicator, in a capsule that owns it. */
typedef struct {
    bd_context *context;   /* owned: a device's primary one */
    struct ncclComm *comm; /* owned; NULL: it was ended */
    int size, rank;
    int calls; /* of it under way, without the GIL */
} lib_ranks;

/* What one rank asks. type, operation: as NCCL has them; root: or the peer. */
typedef struct {
    lib_ranks *ranks; /* borrowed */
    lib_collective_kind kind;
    CUdeviceptr from, to;
    size_t count;
    unsigned type, operation;
    int root;
    CUstream stream;
} lib_collective;

/* The version that NCCL says it is; -1: exception, as there is none. */
int lib_nccl_version(bd_state *state);
PyObject *lib_nccl_id(bd_state *state); /* bytes */
/* list of capsules: so many ranks of `size`, from that number on, each in a context. */
PyObject *lib_ranks_join(bd_state *state, bd_context *const *contexts, int count,
                         int first, int size, const char id[NCCL_UNIQUE_ID_BYTES]);
/* NULL: ValueError, it is none or was ended. */
lib_ranks *lib_ranks_of(PyObject *capsule);
/* -1: it was, or its context was destroyed. */
int lib_ranks_check(const lib_ranks *ranks);
/* Ends it; aborts: what is under way ends, too. */
int lib_ranks_end(bd_state *state, PyObject *capsule, int aborts);
/* As one group, all or, where one is refused, none or some. */
int lib_collectives_run(bd_state *state, const lib_collective *all, int count);

/* dict: the name of a library -> its path, or why it is not used. */
PyObject *lib_found(bd_state *state);

#endif
