/* The parts of every type of this room: handles of the driver, methods with their
   signatures, methods that are one driver call, and conversions. */
#ifndef PYCUDA_BINDING_OBJECT_H
#define PYCUDA_BINDING_OBJECT_H

#include "native.h"
#include "python/convert.h"
#include "python/signature.h"

/* A driver object: its handle, first after the head. 0: freed. */
typedef struct {
    py_object base;
    uint64_t handle;
} bd_handle;

/* -1 and an exception if its context was destroyed, or the handle is 0: that is `why`.
 */
int bd_handle_check(PyObject *self, const char *why);
/* The property `handle`. */
PyObject *bd_handle_get(PyObject *self, void *closure);
extern PyGetSetDef bd_handle_getset[];
/* tp_repr: "<class, text of the format, state>", where a context that was destroyed
   is the state; NULL: none. No format raises, and nothing is asked of the driver that
   could change or wait for something. */
PyObject *bd_show(PyObject *self, const char *state, const char *format, ...);
/* The same of an object that is a handle and nothing else. */
PyObject *bd_handle_repr(PyObject *self);
#define BD_HANDLE(type, self) ((type)(uintptr_t)((bd_handle *)(self))->handle)
#define BD_CONTEXT_OF(self) (((py_object *)(self))->context)

/* Instances that stand for device memory start so. */
typedef struct {
    py_object base;
    CUdeviceptr pointer;
    size_t size; /* bytes asked for */
    int freed;   /* the address is kept for int(), and refused elsewhere */
    int shared;  /* others reach the memory, too, not by way of this module */
    int holds;   /* it counts among its context's host_allocations */
    uint64_t
        echo; /* see bd_echo_begin: its number; 0: none, or others have the address */
} bd_device_pointer;

/* The context is not destroyed before this memory, into which NumPy's arrays look. */
void bd_memory_hold(bd_device_pointer *self);

/* Why the handle of a Graph or GraphNode may be 0. */
#define BD_GRAPH_GONE "it was removed, or its capture has not ended well"

/* Keeps an object in `other` for as long as `self`, or until the next; None. */
PyObject *bd_hold(PyObject *self, PyObject *object);

/* A new instance of one of our types: fields are zero, `context` and `parent` are
   retained. */
static inline void *bd_object_new(bd_state *state, int type, bd_context *context,
                                  PyObject *parent)
{
    return py_object_new_of(state->type[type], context, parent);
}

/* The state behind an instance. */
bd_state *bd_state_from(void *object);

/* tp_getattro: what the class has, else get_attribute() of the member of an enumeration
   with that name in upper case. */
PyObject *bd_enum_getattr(PyObject *self, PyObject *name, const char *enumeration);

/* BD_CLASS(STREAM, "Stream", bd_handle, doc, .new = ..., .methods = ...);
 * module/native.c finds it by its id. */
#define BD_CLASS(id, name, type, ...) \
    const py_class bd_class_##id = {"pycuda.driver." name, sizeof(type), __VA_ARGS__}

/* One entry point with its parameters in 64-bit slots; see calls.c. */
typedef CUresult bd_invoker(const uint64_t *slots);
#define F(name, ...) bd_invoker bd_invoke_##name;
#include "cuda/functions.def"
#undef F
/* An entry point and its name: two arguments, two fields of a row, or a bd_entry. */
#define BD_ENTRY(name) bd_invoke_##name, #name
typedef struct {
    bd_invoker *invoke;
    const char *routine;
} bd_entry;

/* A call under a context, in any thread; nothing is done (and nothing is lost) if that
   is gone. */
CUresult bd_invoke_in(bd_context *context, bd_invoker *invoke, const uint64_t *slots);
/* Failure of a release, to sys.unraisablehook. */
void bd_report(PyObject *object, CUresult status, const char *routine);
/* Destroys the handle, unless it is part of the object's parent. */
void bd_handle_destroy(PyObject *self, bd_invoker *destroy, const char *routine);
/* A class whose release is that. */
#define BD_DESTROYED(id, entry)                   \
    static void id(PyObject *self)                \
    {                                             \
        bd_handle_destroy(self, BD_ENTRY(entry)); \
    }                                             \
    PY_RELEASED(id)

/* -- Methods -------------------------------------------------------------------- */

/* BD_METHOD(c_name, required, total, "name(a, b=0)", "What it does.") { body }: the
   body has `self` and `in`, the arguments in the order of the signature, NULL where
   left out. The signature is also what keywords are looked up in and what
   inspect.signature shows. */
#define BD_METHOD(id, required, total, signature, text)                          \
    static const char id##_doc[] = signature "\n--\n\n" text;                    \
    static PyObject *id##_body(PyObject *self, PyObject **in);                   \
    static PyObject *id(PyObject *self, PyObject *const *args, Py_ssize_t nargs, \
                        PyObject *names)                                         \
    {                                                                            \
        PyObject *in[(total) + 1] = {NULL};                                      \
        if (py_parse(id##_doc, required, total, args, nargs, names, in))         \
            return NULL;                                                         \
        return id##_body(self, in);                                              \
    }                                                                            \
    static PyObject *id##_body(PyObject *self, PyObject **in)
#define BD_ROW(name, id) \
    {name, (PyCFunction)(void (*)(void))id, METH_FASTCALL | METH_KEYWORDS, id##_doc}
/* A method that does not look at the instance; `self` is the class. */
#define BD_ROW_CLASS(name, id)              \
    {name, (PyCFunction)(void (*)(void))id, \
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS, id##_doc}
/* tp_new: BD_NEW(c_name, required, total, "Name(a, b=0)", "What it is.") { body }: the
   body has `type`, `state` and `in`; c_name_doc documents the class. */
#define BD_NEW(id, required, total, signature, text)                                \
    static const char id##_doc[] = signature "\n--\n\n" text;                       \
    static PyObject *id##_body(PyTypeObject *type, bd_state *state, PyObject **in); \
    static PyObject *id(PyTypeObject *type, PyObject *args, PyObject *kwargs)       \
    {                                                                               \
        PyObject *in[(total) + 1] = {NULL};                                         \
        if (py_parse_tuple(id##_doc, required, total, args, kwargs, in))            \
            return NULL;                                                            \
        return id##_body(type, bd_state_of(type), in);                              \
    }                                                                               \
    static PyObject *id##_body(PyTypeObject *type, bd_state *state, PyObject **in)
/* A new object whose handle one driver call makes; NULL if either fails. */
#define BD_MAKE(state, object, entry, type, ...)                                \
    ({                                                                          \
        bd_handle *made_ = (object);                                            \
        if (made_ &&                                                            \
            BD_CALL(state, entry,                                               \
                    (type *)(void *)&made_->handle __VA_OPT__(, ) __VA_ARGS__)) \
            Py_CLEAR(made_);                                                    \
        (PyObject *)made_;                                                      \
    })

/* Module functions of the room's files, ended by a row of NULLs; `self` is the module.
 */
extern PyMethodDef bd_device_methods[], bd_allocation_methods[], bd_host_methods[],
    bd_copy_methods[], bd_module_methods[], bd_pool_methods[], bd_enum_methods[],
    bd_streammem_methods[], bd_graphics_methods[], bd_live_methods[],
    bd_check_methods[];

/* -- Conversions: 0, or -1 and an exception; see also python/convert.h ---------- */

/* An instance of one of our types; the error names the expected class. */
int bd_instance(bd_state *state, PyObject *object, int type, const char *what);
/* A contiguous buffer (C or Fortran order) without Python objects in it, whose
   references must not be copied as bytes; released by PyBuffer_Release. */
int bd_buffer(PyObject *object, Py_buffer *view, int writable);
/* TypeError if a buffer with a format holds Python objects. */
int bd_refuse_object_view(const Py_buffer *view);
/* Grid or block: 1 to 3 integers in a tuple, list or array, or one integer; the rest
 * become 1. */
int bd_extent(PyObject *object, const char *what, unsigned extent[3]);

/* -- Enumerations --------------------------------------------------------------- */

/* The member of a value, or an unnamed one. */
PyObject *bd_enum_member(bd_state *state, const char *enumeration, long value);

#endif
