/* Pending results and the steps that compute them: inside of pending.c, which keeps
   them, and lazy.c, which makes and takes them. */
#ifndef PYCUDA_PENDING_H
#define PYCUDA_PENDING_H

#include "array.h"

/* What a step reads. */
typedef enum { AR_READS_SCALAR, AR_READS_ARRAY, AR_READS_STEP } ar_read_kind;
typedef struct {
    uint8_t kind;
    union {
        uint64_t value;  /* of a scalar: its bytes */
        ar_array *array; /* owned */
        ar_step *step;   /* owned: a reference */
    };
} ar_read;

/* An operation that was asked for, of elements of one layout. */
struct ar_step {
    uint32_t references;
    uint8_t operation, inputs, types[1 + KN_CHAIN_INPUTS]; /* the result's first */
    /* Of the expression, at most: what is used twice counts twice. */
    uint16_t operations, operands;
    ar_read read[KN_CHAIN_INPUTS];
    bd_context *context; /* owned */
    CUstream stream;     /* borrowed: outlived by the scope or the capture */
    ar_array *written; /* owned: the result, once it is in memory; it reads nothing then
                        */
    ar_array *result;  /* borrowed: which is pending; NULL: none is any more */
    ar_step *next, *previous; /* in the list of pending results */
    ar_lazy *lazy;            /* borrowed: whose list that is */
    uint64_t walk;            /* the last one that came by, */
    uint8_t place;            /* and where it put the step */
    uint8_t is_reduced;       /* a reduction computed it, too */
};

typedef struct {
    unsigned long thread;
    int depth; /* how many lazy() it is in */
} ar_scope;

/* All of fusion, once for the module. Changed under the GIL; who writes pending results
   holds `lock` beside it, since kernels are compiled and launched without the GIL. */
struct ar_lazy {
    ar_step pending;  /* head of the list, oldest first; no step itself */
    int count;        /* of pending results */
    ar_scope *scopes; /* owned: of threads that are in one */
    int scope_count;
    PyThread_type_lock lock; /* owned */
    unsigned long settler;   /* the thread that holds it; 0: none */
    uint64_t walks;
    uint64_t kernels, operations; /* run for pending results so far */
};

/* A step without operands; NULL: MemoryError. */
ar_step *ar_step_new(bd_context *context);
void ar_step_release(ar_step *step);
/* Lets go of what the step reads. */
void ar_step_forget_reads(ar_step *step);
/* The array's value is what the step computes, which belongs to the array from now on.
 */
void ar_pending_add(ar_lazy *lazy, ar_array *array, ar_step *step);
/* It no longer is: the step, which belongs to the caller. */
ar_step *ar_pending_take(ar_array *array);

#endif
