/* Methods that are one call of the driver: a row each, which bd_run carries out. */
#ifndef PYCUDA_BINDING_CALLS_H
#define PYCUDA_BINDING_CALLS_H

#include "object.h"

/* Where the value of one parameter of an entry point comes from. */
typedef enum {
    PASS_NO_MORE,
    PASS_CONSTANT,     /* the row's .constant */
    PASS_BUFFER_BYTES, /* the length of the buffer passed before */
    PASS_TEXT_ROOM,    /* how many bytes OUT_TEXT may have */

    /* An argument of the method; 0 or NULL where it was left out. */
    ARG_UINT8,
    ARG_UINT16,
    ARG_UINT32,
    ARG_INT,
    ARG_SIZE,
    ARG_FLAG,
    ARG_TEXT,
    ARG_ADDRESS,  /* device memory, see bd_pointer */
    ARG_READABLE, /* a buffer in host memory */
    ARG_WRITABLE,
    ARG_STREAM, /* see bd_stream */

    /* The handle of an argument, or of self; LogicError if that was freed. */
    ARG_ARRAY,
    ARG_EVENT,
    ARG_DEVICE,
    ARG_DEVICE_OR_OWN, /* None: that of self's context, or of the current one */
    ARG_CONTEXT,       /* None: the current one */
    ARG_NODE,
    ARG_NODE_LIST,  /* an array of that one node */
    ARG_DESCRIPTOR, /* the address of what an ArrayDescriptor says */
    PASS_SELF,

    /* A result, for which the driver is told an address. */
    OUT_INT,
    OUT_UINT,
    OUT_SIZE,
    OUT_ADDRESS,
    OUT_FLOAT,
    OUT_FLAG,
    OUT_ENUM, /* a member of the row's .enumeration */
    OUT_DEVICE,
    OUT_ARRAY, /* an Array that belongs to self */
    OUT_TEXT,
    OUT_IPC_HANDLE, /* 64 bytes */
    OUT_OBJECT,     /* a new instance of the row's .makes, which owns the handle */
    OUT_STRUCT,     /* a new instance of .makes, around what the driver wrote */
} bd_parameter;

typedef struct {
    const char *doc;
    bd_entry entry;
    int required, total; /* arguments of the method */
    int may_wait;        /* for the device: the call is made without the GIL */
    uint8_t passes[8];   /* bd_parameter: one for each of the entry point's */
    uint8_t order[6];    /* from 1: which argument each ARG_ is; 0: the next */
    /* What the method returns: its results, a tuple of them, or None; or else: */
    enum { RETURN_RESULTS, RETURN_SELF, RETURN_WHETHER_READY } returns;
    const char *enumeration;
    int makes, constant;
    int holds; /* self keeps the first argument, see bd_hold */
} bd_row;

/* BD_RUN(c_name, required, total, entry, "name(a, b=0)", "What it does.",
   .passes = {...}, ...): defines the method, for a BD_ROW in a class's list. */
#define BD_RUN(id, required, total, entry, signature, text, ...)                   \
    static const char id##_doc[] = signature "\n--\n\n" text " CUDA: " #entry "."; \
    static PyObject *id(PyObject *self, PyObject *const *args, Py_ssize_t nargs,   \
                        PyObject *names)                                           \
    {                                                                              \
        _Static_assert((total) <= sizeof((bd_row *)0)->order, "arguments");        \
        static const bd_row row = {                                                \
            id##_doc, {BD_ENTRY(entry)}, required, total, __VA_ARGS__};            \
        return bd_run(&row, self, args, nargs, names);                             \
    }
PyObject *bd_run(const bd_row *row, PyObject *self, PyObject *const *args,
                 Py_ssize_t nargs, PyObject *names);

#endif
