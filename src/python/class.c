/* Classes from descriptions, and the common head of their instances: what visits,
   clears and frees it, and what is released before that (PY_RELEASED). */
#include "class.h"

static PyMemberDef members[] = {PY_MEMBERS, {NULL}};

void *py_object_new_of(PyTypeObject *type, void *context, PyObject *parent)
{
    Py_XINCREF(context); /* before the collector may run and end it */
    py_object *self = (py_object *)type->tp_alloc(type, 0);
    if (!self) {
        Py_XDECREF(context);
        return NULL;
    }
    self->context = context;
    self->parent = Py_XNewRef(parent);
    return self;
}

int py_object_traverse(PyObject *self, visitproc visit, void *arg)
{
    py_object *object = (py_object *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(object->dict);
    Py_VISIT((PyObject *)object->context);
    Py_VISIT(object->parent);
    Py_VISIT(object->other);
    return 0;
}

int py_object_clear(PyObject *self)
{
    py_object *object = (py_object *)self;
    Py_CLEAR(object->dict);
    Py_CLEAR(object->other);
    Py_CLEAR(object->parent);
    /* The context stays until dealloc: methods rely on it. */
    return 0;
}

/* Whether a reference was taken meanwhile: a failure shows the object to
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
    py_object *object = (py_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    py_object_clear(self);
    PyObject *context = (PyObject *)object->context;
    object->context = NULL;
    Py_XDECREF(context);
    type->tp_free(self);
    Py_DECREF(type);
}

void py_object_dealloc_with(PyObject *self, destructor dealloc, destructor release)
{
    const py_object *object = (py_object *)self;
    /* A __del__ that was put into the class; that of a subclass ran already. */
    if (Py_TYPE(self)->tp_finalize && PyObject_CallFinalizerFromDealloc(self) < 0)
        return;
    PyObject_GC_UnTrack(self);
    if (object->weakrefs)
        PyObject_ClearWeakRefs(self);
    if (release && release_taken(self, release)) {
        PyObject_GC_Track(self);
        return;
    }
    if (py_object_ends_alone(object)) {
        object_free(self);
        return;
    }
    Py_TRASHCAN_BEGIN(self, dealloc) /* which may call it again: all above bears that */
        object_free(self);
    Py_TRASHCAN_END
}

void py_object_dealloc(PyObject *self)
{
    py_object_dealloc_with(self, py_object_dealloc, NULL);
}

PyObject *py_object_plain_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return py_object_new_of(type, NULL, NULL);
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

/* `__dict__`, as classes made by Python code have it, so that vars() works. */
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

PyTypeObject *py_class_create(PyObject *module, const py_class *class,
                              PyTypeObject *base, PyTypeObject *second)
{
    int root = !base;
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
        {Py_tp_repr, class->repr},
        {Py_tp_members, class->members ? class->members
                        : root         ? members
                                       : NULL},
        {Py_tp_traverse, py_object_traverse},
        {Py_tp_clear, class->clear ? class->clear
                      : root       ? py_object_clear
                                   : base->tp_clear},
        {Py_tp_dealloc, class->dealloc ? class->dealloc
                        : root         ? py_object_dealloc
                                       : base->tp_dealloc},
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
    PyObject *bases =
        second ? PyTuple_Pack(2, base, second) : Py_XNewRef((PyObject *)base);
    if (!bases && !root)
        return NULL;
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, bases);
    Py_XDECREF(bases);
    if (type && ((root && add_dict(type)) || PyModule_AddType(module, type)))
        Py_CLEAR(type);
    return type;
}
