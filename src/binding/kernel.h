/* Functions inside the room: parameters, packing, launching. */
#ifndef PYCUDA_BINDING_KERNEL_H
#define PYCUDA_BINDING_KERNEL_H

#include "context.h"
#include "staging.h"

/* The kind of value that a kernel parameter holds, as far as it is known. */
typedef enum {
    BD_ANY, /* only the size is known */
    BD_POINTER,
    BD_INTEGER, /* PTX tells no more: of either sign, or a pointer */
    BD_SIGNED,
    BD_UNSIGNED,
    BD_BOOL,
    BD_FLOAT,
    BD_COMPLEX,
    BD_BYTES, /* a struct or vector */
} bd_kind;

typedef struct {
    uint32_t offset, size; /* bytes */
    uint8_t kind;          /* bd_kind */
    uint8_t declared;      /* by prepare(): numbers of other types are converted */
    uint8_t element;       /* bytes of what a pointer points at; 0: not known, or it
                              may point at anything */
    uint8_t element_kind;  /* bd_kind; BD_BYTES: at anything */
    PyTypeObject *scalar;  /* borrowed: NumPy's class for exactly this, or the last one
                              that did, or NULL */
    char *type;            /* owned: the C type as the source spells it, or NULL */
} bd_param;

/* More bytes of arguments than any driver takes. */
enum { BD_MOST_ARGUMENTS = 65536 };

typedef struct {
    int holders;      /* the Function, and every call that walks it: packing runs Python
                         code, which may declare another one */
    int count;        /* of params */
    size_t bytes;     /* of all of them, with the gaps */
    bd_param *params; /* owned */
} bd_signature;

void bd_signature_free(bd_signature *signature);
static inline void bd_signature_drop(bd_signature *signature)
{
    if (signature && --signature->holders == 0)
        bd_signature_free(signature);
}

typedef struct {
    py_object base;    /* parent: the Module; other: prepare()'s texrefs */
    CUfunction handle; /* as in bd_handle */
    vectorcallfunc vectorcall;
    char *name;              /* owned */
    int looked;              /* the driver was asked for its signature */
    bd_signature *signature; /* the driver's; NULL: it does not tell */
    bd_signature *prepared;  /* prepare()'s; NULL: it was not called */
    PyObject *arg_format;    /* owned: str, of the same; NULL: the same */
} bd_function;

PyObject *bd_function_wrap(PyObject *module, CUfunction handle, const char *name);

/* -- Parameters (params.c) ------------------------------------------------------ */

/* Fills self->signature once, from the module's PTX or from the driver; it stays NULL
 * where neither can tell. */
int bd_params_look(bd_function *self);
/* Fills self->prepared and self->arg_format from prepare()'s list. */
int bd_params_prepare(bd_function *self, PyObject *types);
/* "(const float *, unsigned int)", as far as it is known. New reference. */
PyObject *bd_params_show(const bd_signature *signature);

/* -- Packing (pack.c) ----------------------------------------------------------- */

/* Whether the parameter may hold an address. */
static inline int bd_is_address(const bd_param *param)
{
    return param->size == 8 && param->kind <= BD_UNSIGNED;
}

/* Writes one argument; `param` learns the class of a scalar that fits. 0; 1 if it is an
 * ArgumentHandler; -1 and an exception that names kernel and index. */
int bd_pack(bd_function *self, bd_param *param, int index, PyObject *object, char *to);
/* Size, kind and alignment that an argument has by itself, where the driver tells
 * nothing. */
int bd_pack_natural(bd_function *self, int index, PyObject *object, bd_param *param,
                    size_t *alignment);

/* -- Geometry (geometry.c) ------------------------------------------------------ */

/* Raises that failure of a launch, or of a call that notes one for later: with the
   limit that was not kept to, if it is that. */
void bd_launch_refused(bd_function *self, CUresult status, const char *routine,
                       const bd_geometry *geometry);

/* -- Launching (launch.c) ------------------------------------------------------- */

PyObject *bd_function_call(PyObject *self, PyObject *const *args, size_t nargsf,
                           PyObject *names);
extern const char bd_prepared_call_doc[], bd_prepared_async_call_doc[],
    bd_launch_kernel_doc[];
PyObject *bd_prepared_call(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *bd_prepared_async_call(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *bd_launch_kernel(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

/* A launch that is not made now, of the Function, its arguments, block, grid and shared
   in in[]. To be freed by PyMem_Free; NULL and an exception. */
CUDA_KERNEL_NODE_PARAMS *bd_launch_params(bd_state *state, PyObject **in);
/* -1 and an exception if the driver did not take those of a Function. */
int bd_launch_params_check(PyObject *function, CUresult status, const char *routine,
                           const CUDA_KERNEL_NODE_PARAMS *params);

/* -- In, Out, InOut (handler.c) ------------------------------------------------- */

/* The device memory behind a handler, allocated if there is none yet. */
int bd_handler_pointer(PyObject *handler, CUdeviceptr *pointer);
/* The NumPy array of In, Out or InOut itself; borrowed. NULL: it has none, or is of a
   derived class, which may bring other memory. */
PyObject *bd_handler_numbers(PyObject *handler);
/* pre_call, overridden ones too. 1: there is a post_call to make after the launch. */
int bd_handler_before(PyObject *handler, PyObject *stream);
int bd_handler_after(PyObject *handler, PyObject *stream);
/* The same for small arrays, by way of page-locked memory: how many bytes one has,
   SIZE_MAX: none, or it is of a derived class; its copy there and on to the device;
   back, both enqueued; and, after a wait, to the array. */
size_t bd_handler_bytes(PyObject *handler);
int bd_handler_send(PyObject *handler, const bd_staging *staging, size_t at,
                    size_t bytes, CUstream stream);
int bd_handler_fetch(PyObject *handler, const bd_staging *staging, size_t at,
                     size_t bytes, CUstream stream);
int bd_handler_deliver(PyObject *handler, const bd_staging *staging, size_t at,
                       size_t bytes);

#endif
