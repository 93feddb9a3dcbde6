/* The common head of all types (visit, clear, free) and the argument parser of their
   methods. The parser reads names from the signature that also documents the method, so
   that a signature is written once. */
#include "context.h"
#include <string.h>

static PyMemberDef members[] = {BD_MEMBERS, {NULL}};

bd_state *bd_state_from(void *object)
{
    bd_object *self = object;
    return self->context ? bd_context_state(self->context) : bd_state_of(Py_TYPE(self));
}

void *bd_object_new_of(PyTypeObject *type, bd_context *context, PyObject *parent)
{
    bd_object *self = (bd_object *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->context = (bd_context *)Py_XNewRef((PyObject *)context);
    self->parent = Py_XNewRef(parent);
    return self;
}

void *bd_object_new(bd_state *state, int type, bd_context *context, PyObject *parent)
{
    return bd_object_new_of(state->type[type], context, parent);
}

int bd_object_traverse(PyObject *self, visitproc visit, void *arg)
{
    bd_object *object = (bd_object *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(object->dict);
    Py_VISIT((PyObject *)object->context);
    Py_VISIT(object->parent);
    Py_VISIT(object->other);
    return 0;
}

int bd_object_clear(PyObject *self)
{
    bd_object *object = (bd_object *)self;
    Py_CLEAR(object->dict);
    Py_CLEAR(object->other);
    Py_CLEAR(object->parent);
    /* The context stays until dealloc: methods rely on it. */
    return 0;
}

/* Whether somebody took a reference: a failure shows the object to
 * sys.unraisablehook. It is released nevertheless. */
static int release_taken(PyObject *self, destructor release)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    int raising = PyErr_Occurred() != NULL;
    if (raising)
        PyErr_Fetch(&type, &value, &traceback);
    Py_SET_REFCNT(self, 1);
    release(self);
    Py_SET_REFCNT(self, Py_REFCNT(self) - 1);
    if (raising)
        PyErr_Restore(type, value, traceback);
    return Py_REFCNT(self) > 0;
}

static void object_free(PyObject *self)
{
    bd_object *object = (bd_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    bd_object_clear(self);
    PyObject *context = (PyObject *)object->context;
    object->context = NULL;
    Py_XDECREF(context);
    type->tp_free(self);
    Py_DECREF(type);
}

static void object_end(PyObject *self, destructor release)
{
    if (((bd_object *)self)->weakrefs)
        PyObject_ClearWeakRefs(self);
    if (release && release_taken(self, release))
        PyObject_GC_Track(self);
    else
        object_free(self);
}

void bd_object_dealloc_with(PyObject *self, destructor dealloc, destructor release)
{
    const bd_object *object = (bd_object *)self;
    /* A __del__ that was put into the class; that of a subclass ran already. */
    if (Py_TYPE(self)->tp_finalize && PyObject_CallFinalizerFromDealloc(self) < 0)
        return;
    PyObject_GC_UnTrack(self);
    if (!object->parent && !object->other) {
        object_end(self, release);
        return;
    }
    Py_TRASHCAN_BEGIN(self, dealloc) /* chains of any length may end here */
        object_end(self, release);
    Py_TRASHCAN_END
}

void bd_object_dealloc(PyObject *self)
{
    bd_object_dealloc_with(self, bd_object_dealloc, NULL);
}

int bd_handle_check(PyObject *self, const char *why)
{
    if (bd_context_check_of(self))
        return -1;
    if (((bd_handle *)self)->handle)
        return 0;
    bd_raise_because(bd_state_from(self), CUDA_ERROR_INVALID_HANDLE,
                     _PyType_Name(Py_TYPE(self)), "%s", why);
    return -1;
}

CUresult bd_invoke_in(bd_context *context, bd_invoker *invoke, const uint64_t *slots)
{
    int entered = bd_context_enter(context);
    if (entered < 0)
        return CUDA_SUCCESS;
    CUresult status = BD_UNLOCKED(invoke(slots));
    bd_context_leave(context, entered);
    return status;
}

/* The handle goes first: another thread may be about to free it, too. */
void bd_handle_destroy(PyObject *self, bd_invoker *destroy, const char *routine)
{
    uint64_t handle = ((bd_handle *)self)->handle;
    ((bd_handle *)self)->handle = 0;
    CUresult status = handle && !((bd_object *)self)->parent
                          ? bd_invoke_in(BD_CONTEXT_OF(self), destroy, &handle)
                          : CUDA_SUCCESS;
    if (status)
        bd_report(self, status, routine);
}

PyObject *bd_handle_get(PyObject *self, void *closure)
{
    return PyLong_FromUnsignedLongLong(((bd_handle *)self)->handle);
}

PyGetSetDef bd_handle_getset[] = {
    {"handle", bd_handle_get, NULL, "The driver's handle as an integer."},
    {NULL},
};

PyObject *bd_object_plain_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return bd_object_new_of(type, NULL, NULL);
}

/* For subclasses whose __init__ calls this one, as PyCUDA's must: __new__ did it all.
 */
static int no_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return 0;
}

static PyObject *no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyErr_SetString(PyExc_RuntimeError,
                    "This class cannot be instantiated from Python");
    return NULL;
}

/* What the interpreter gives to classes that Python code makes: vars() works. */
static int add_dict(PyTypeObject *type)
{
    static PyGetSetDef row = {"__dict__", PyObject_GenericGetDict,
                              PyObject_GenericSetDict, NULL, NULL};
    PyObject *descriptor = PyDescr_NewGetSet(type, &row);
    int failed = !descriptor || /* setattr() means the type's own __dict__ */
                 PyDict_SetItemString(type->tp_dict, row.name, descriptor);
    PyType_Modified(type);
    Py_XDECREF(descriptor);
    return failed ? -1 : 0;
}

int bd_class_create(bd_state *state, PyObject *module, int id, const bd_class *class,
                    int base)
{
    int root = base < 0;
    PyTypeObject *first = root ? NULL : state->type[base];
    const PyType_Slot all[] = {
        {Py_tp_doc, (void *)class->doc},
        {Py_tp_new, class->new || !root ? class->new : no_new},
        {Py_tp_init, class->init || !root ? class->init : no_init},
        {Py_tp_methods, class->methods},
        {Py_tp_getset, class->getset},
        {Py_nb_int, class->integer},
        {Py_nb_index, class->integer},
        {Py_sq_length, class->length},
        {Py_tp_call, class->call},
        {Py_tp_getattro, class->getattro},
        {Py_tp_richcompare, class->compare},
        {Py_tp_hash, class->hash},
        {Py_tp_members, class->members ? class->members
                        : root         ? members
                                       : NULL},
        {Py_tp_traverse, bd_object_traverse},
        {Py_tp_clear, class->clear ? class->clear
                      : root       ? bd_object_clear
                                   : first->tp_clear},
        {Py_tp_dealloc, class->dealloc ? class->dealloc
                        : root         ? bd_object_dealloc
                                       : first->tp_dealloc},
    };
    PyType_Slot slots[sizeof all / sizeof *all + 1];
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].pfunc)
            slots[count++] = all[i];
    slots[count] = (PyType_Slot){0, NULL};
    unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
    if (class->vectorcall)
        flags |= Py_TPFLAGS_HAVE_VECTORCALL;
    PyType_Spec spec = {class->name, (int)class->size, 0, flags, slots};
    PyObject *bases = class->second ? PyTuple_Pack(2, first, state->type[class->second])
                      : root        ? NULL
                                    : Py_NewRef((PyObject *)first);
    if (!bases && !root)
        return -1;
    state->type[id] = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, bases);
    Py_XDECREF(bases);
    if (!state->type[id] || (root && add_dict(state->type[id])))
        return -1;
    return PyModule_AddType(module, state->type[id]);
}

/* -- Arguments ------------------------------------------------------------------ */

/* The position of a name in "f($self, a, b=0, *, c)", or -1. */
static int position(const char *signature, const char *name, size_t length)
{
    int i = 0;
    const char *p = strchr(signature, '(');
    while (p && *p != ')') {
        p += 1 + (p[1] == ' ');
        size_t n = strcspn(p, "=,)");
        const char *next = p + strcspn(p, ",)");
        if (*p != '$' && *p != '*' && *p != '/') {
            if (n == length && memcmp(p, name, n) == 0)
                return i;
            i++;
        }
        p = next;
    }
    return -1;
}

static int fail(const char *signature, const char *format, PyObject *name)
{
    int length = (int)strcspn(signature, "\n");
    PyObject *reason = PyUnicode_FromFormat(format, name);
    char shown[256];
    snprintf(shown, sizeof shown, "%.*s", length, signature);
    char *self = strchr(shown, '$');
    if (self) { /* "$self" or "$type": a method is shown as its caller writes it */
        char *rest = self + 5 + (self[5] == ',' ? 2 : 0);
        memmove(self, rest, strlen(rest) + 1);
    }
    if (reason)
        PyErr_Format(PyExc_TypeError, "%s: %U", shown, reason);
    Py_XDECREF(reason);
    return -1;
}

static int keyword(const char *signature, int total, PyObject *name, PyObject *value,
                   PyObject **in)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text)
        return -1;
    int i = position(signature, text, length);
    if (i < 0 || i >= total)
        return fail(signature, "there is no argument '%U'", name);
    if (in[i])
        return fail(signature, "argument '%U' is given twice", name);
    in[i] = value;
    return 0;
}

static int check_required(const char *signature, int required, PyObject **in)
{
    for (int i = 0; i < required; i++)
        if (!in[i]) {
            PyObject *number = PyLong_FromLong(i + 1);
            if (number)
                fail(signature, "argument %S is missing", number);
            Py_XDECREF(number);
            return -1;
        }
    return 0;
}

int bd_parse(const char *signature, int required, int total, PyObject *const *args,
             Py_ssize_t nargs, PyObject *names, PyObject **in)
{
    if (nargs > total)
        return fail(signature, "too many arguments", NULL);
    for (Py_ssize_t i = 0; i < nargs; i++)
        in[i] = args[i];
    if (!names && nargs >= required)
        return 0;
    Py_ssize_t count = names ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (keyword(signature, total, PyTuple_GET_ITEM(names, i), args[nargs + i], in))
            return -1;
    return check_required(signature, required, in);
}

int bd_parse_tuple(const char *signature, int required, int total, PyObject *args,
                   PyObject *kwargs, PyObject **in)
{
    Py_ssize_t count = PyTuple_GET_SIZE(args), at = 0;
    PyObject *name, *value;
    if (count > total)
        return fail(signature, "too many arguments", NULL);
    for (Py_ssize_t i = 0; i < count; i++)
        in[i] = PyTuple_GET_ITEM(args, i);
    while (kwargs && PyDict_Next(kwargs, &at, &name, &value))
        if (keyword(signature, total, name, value, in))
            return -1;
    return check_required(signature, required, in);
}
