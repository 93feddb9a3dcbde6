/* Kernels that users write, and what is passed to them: inside of user_kernels.c and
   kernel_arguments.c. */
#ifndef PYCUDA_KERNEL_ARGUMENTS_H
#define PYCUDA_KERNEL_ARGUMENTS_H

#include "array.h"

typedef struct {
    PyObject *name;       /* owned */
    PyArray_Descr *dtype; /* owned */
    int is_vector;
    int is_exact;  /* of a vector: used at [i] only, so its size must be that of others
                    */
    size_t offset; /* of its bytes among those of all */
} ar_parameter;

typedef enum { AR_ELEMENTWISE, AR_REDUCTION, AR_SCAN } ar_kernel_kind;

typedef struct {
    py_object base;   /* other: pycuda._native, which may end before the kernel does */
    uint32_t program; /* 0: not defined yet */
    bd_state *state;  /* of a defined kernel; borrowed: outlived by that */
    ar_kernel_kind kind;
    int keep, count;
    int calls;                /* under way: it must stay as it is */
    size_t bytes;             /* of all arguments */
    ar_parameter *parameters; /* owned */
    PyObject *texts;          /* owned: by ar_kernel_text */
    PyObject *options;        /* owned: a sequence of str, or NULL */
    PyArray_Descr *dtype;     /* owned: of results; NULL: element-wise */
} ar_generated;

/* The texts of a kernel: three of all kinds, then the kind's own. */
typedef enum {
    AR_NAME,
    AR_PREAMBLE,
    AR_ARGUMENTS,
    AR_OPERATION = 3,
    AR_LOOP_PREP,
    AR_AFTER_LOOP,
    AR_TYPE = 3, /* of reductions and scans */
    AR_NEUTRAL,
    AR_MAP,
    AR_REDUCE,
    AR_COMMUTES, /* "" or not */
    AR_COMBINE = 5,
    AR_EXCLUSIVE, /* "" or not */
} ar_kernel_text;
const char *ar_text(const ar_generated *self, ar_kernel_text which);

/* Arguments: as many pointers as fit those of a launch. Views: parameters that can be.
 */
enum { AR_MOST_ARGUMENTS = 512, AR_MOST_VIEWED = 32, AR_USUAL_BYTES = 1024 };

typedef struct {
    ar_array *vectors[AR_MOST_ARGUMENTS]; /* owned */
    ar_array *first;                      /* borrowed: the first vector */
    uint32_t views; /* bit i: vector i is passed with its layout */
    kn_view_layout layouts[KN_MOST_VIEWS];
    void *params[3 + AR_MOST_ARGUMENTS +
                 KN_MOST_VIEWS]; /* three before those of the declaration */
    char *bytes;                 /* `usual`, or owned */
    _Alignas(16) char usual[AR_USUAL_BYTES];
} ar_arguments;

/* Whether elements are the same numbers in the same places, as of complex64 and float2:
   signed or not, and by what name, is for the kernel to say. */
int ar_laid_out_alike(PyArray_Descr *a, PyArray_Descr *b);
/* Fills params[3] and on. Clear them in either case. */
int ar_arguments_take(ar_generated *self, ar_arguments *arguments,
                      PyObject *const *args, Py_ssize_t nargs);
int ar_arguments_check_sizes(const ar_generated *self, const ar_arguments *arguments);
void ar_arguments_clear(const ar_generated *self, ar_arguments *arguments);

#endif
