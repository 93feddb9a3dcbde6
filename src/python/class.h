/* Classes from descriptions. All instances have one head, so that one set of functions
   visits, clears and frees them. A class says how what it stands for is released
   (PY_RELEASED): that runs after every __del__ of the instance and of what the
   collector found with it, and before the references below are dropped. Parents are
   still alive then, so destruction is in order by construction. */
#ifndef PYCUDA_PYTHON_CLASS_H
#define PYCUDA_PYTHON_CLASS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#if PY_VERSION_HEX < 0x030d0000
#define Py_IsFinalizing _Py_IsFinalizing
#endif

struct bd_context; /* a Python object, of which nothing is known here */

typedef struct {
    PyObject_HEAD PyObject *dict, *weakrefs;
    struct bd_context *context; /* owned: the context this lives in; NULL if none */
    PyObject *parent; /* owned: what this is a part of (a Function's Module, a block's
                         pool) */
    PyObject *other;  /* owned: a second such object */
} py_object;

/* Whether to drop its references ends no other object and runs no code, so that this
   is no link of a chain of objects, of any length, that end one in the other. */
static inline int py_object_ends_alone(const py_object *object)
{
    PyObject *parent = object->parent, *other = object->other;
    return !object->dict && !(parent && Py_REFCNT(parent) == 1) &&
           !(other && (Py_REFCNT(other) == 1 || other == parent));
}

/* A new instance: fields are zero, `context` and `parent` are retained. */
void *py_object_new_of(PyTypeObject *type, void *context, PyObject *parent);

/* One class. What is left out is inherited; a class without `new` cannot be called. */
typedef struct {
    const char *name; /* with module */
    size_t size;
    const char *doc;
    newfunc new;
    initproc init;
    PyMethodDef *methods;
    PyGetSetDef *getset;
    inquiry clear; /* PY_RELEASE: these two */
    destructor dealloc;
    unaryfunc integer; /* __int__ and __index__ */
    lenfunc length;
    ternaryfunc call;
    getattrofunc getattro;
    richcmpfunc compare;
    hashfunc hash;
    reprfunc repr;
    PyMemberDef *members; /* PY_MEMBERS and more; NULL: those */
    int vectorcall;       /* one member says where */
    int second; /* whoever keeps the classes: which is a second base; 0: none */
} py_class;

/* Members that every class has: where its instances keep attributes and weak
 * references. */
#define PY_MEMBERS                                                                \
    {"__dictoffset__", T_PYSSIZET, offsetof(py_object, dict), READONLY},          \
    {                                                                             \
        "__weaklistoffset__", T_PYSSIZET, offsetof(py_object, weakrefs), READONLY \
    }

/* The class, added to the module under its name. base, second: NULL for none. */
PyTypeObject *py_class_create(PyObject *module, const py_class *class,
                              PyTypeObject *base, PyTypeObject *second);
/* The slots of instances that start with py_object, for types that are made elsewhere.
 */
int py_object_traverse(PyObject *self, visitproc visit, void *arg);
int py_object_clear(PyObject *self);
void py_object_dealloc(PyObject *self);
/* The same for a class that releases something. dealloc: the calling function. */
void py_object_dealloc_with(PyObject *self, destructor dealloc, destructor release);
/* Defines the slots of such a class around the function that releases, which may be
   called more than once, and every method has to bear an instance that it was called
   for. */
#define PY_RELEASED(id)                                 \
    static int id##_clear(PyObject *self)               \
    {                                                   \
        id(self);                                       \
        return py_object_clear(self);                   \
    }                                                   \
    static void id##_dealloc(PyObject *self)            \
    {                                                   \
        py_object_dealloc_with(self, id##_dealloc, id); \
    }
#define PY_RELEASE(id) .clear = id##_clear, .dealloc = id##_dealloc
/* tp_new that looks at no argument. */
PyObject *py_object_plain_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);

#endif
