/* Contexts: one object for each living driver context, whoever made it. "Current" is
   what the driver says: this room keeps no stack of its own, so that it works among
   other libraries and any thread may push. What a thread pushed here is noted with the
   thread. The class is in context_type.c. */
#include "context.h"
#include "python/log.h"

#define SELF(self) ((bd_context *)(self))

/* -- The list of contexts ------------------------------------------------------- */

/* The living Context of a handle. */
bd_context *bd_context_find(bd_state *state, CUcontext handle)
{
    bd_context *context = state->contexts;
    while (context && context->handle != handle)
        context = context->next;
    return context;
}

void bd_context_unlink(bd_context *self)
{
    bd_context **at = &self->state->contexts;
    while (*at && *at != self)
        at = &(*at)->next;
    if (*at)
        *at = self->next;
}

/* -- Pushes --------------------------------------------------------------------- */

#define PUSHED "pycuda: contexts pushed"

/* The contexts that this thread pushed here, the latest last, dead ones too: a list in
 * Python's record of the thread, which goes when the thread ends. Borrowed; NULL: none
 * yet. */
static PyObject *pushes(void)
{
    PyObject *record = PyThreadState_GetDict();
    return record ? PyDict_GetItemString(record, PUSHED) : NULL;
}

int bd_push_note(bd_context *self)
{
    PyObject *list = pushes(), *record = PyThreadState_GetDict();
    if (list)
        return PyList_Append(list, (PyObject *)self);
    list = PyList_New(0);
    int failed = !list || !record || PyList_Append(list, (PyObject *)self) ||
                 PyDict_SetItemString(record, PUSHED, list);
    Py_XDECREF(list);
    if (failed && !PyErr_Occurred())
        PyErr_NoMemory();
    return failed ? -1 : 0;
}

/* Where the latest push of a handle is, or -1: another library pushed. */
Py_ssize_t bd_push_find(CUcontext handle)
{
    PyObject *list = pushes();
    Py_ssize_t at = list ? PyList_GET_SIZE(list) : 0;
    while (--at >= 0 && SELF(PyList_GET_ITEM(list, at))->handle != handle)
        continue;
    return at;
}

/* How many pushes of it this thread has. */
int bd_push_count(CUcontext handle)
{
    PyObject *list = pushes();
    int count = 0;
    for (Py_ssize_t i = list ? PyList_GET_SIZE(list) : 0; i-- > 0;)
        count += SELF(PyList_GET_ITEM(list, i))->handle == handle;
    return count;
}

/* Drops that, and its reference; 0 if there is none. */
int bd_push_drop(CUcontext handle)
{
    Py_ssize_t at = bd_push_find(handle);
    if (at < 0)
        return 0;
    if (PyList_SetSlice(pushes(), at, at + 1, NULL) == 0)
        return 1;
    PyErr_Clear();
    return 0;
}

/* -- Wrapping ------------------------------------------------------------------- */

/* Another library's context becomes ours to release when its owner turns out to be the
 * device. */
bd_context *bd_context_wrap(bd_state *state, CUcontext handle, bd_context_kind kind)
{
    bd_context *self = bd_context_find(state, handle);
    if (self) {
        int held = self->kind == BD_CTX_FOREIGN && kind != BD_CTX_FOREIGN;
        if (held) {
            self->kind = kind;
            self->base.parent = Py_NewRef(state->module);
        }
        if (kind == BD_CTX_PRIMARY)
            self->retains++;
        if (!held) /* else the reference of the list becomes the caller's */
            Py_INCREF(self);
        return self;
    }
    while (bd_push_drop(handle)) /* of a dead one: the driver uses the handle again */
        continue;
    /* Else the collector may end the module, and with it the state, before it ends a
       context. The module itself forgets those that its list holds. */
    self = bd_object_new(state, BD_CONTEXT, NULL,
                         kind == BD_CTX_FOREIGN ? NULL : state->module);
    if (!self)
        return NULL;
    self->state = state;
    self->handle = handle;
    self->kind = kind;
    self->retains = kind == BD_CTX_PRIMARY;
    int entered = bd_context_enter(self);
    if (entered < 0 || cu.cuCtxGetDevice(&self->device))
        self->device = -1;
    py_log("info", "context %p on device %d", handle, (int)self->device);
    if (entered > 0)
        bd_context_leave(self, entered);
    self->next = state->contexts;
    state->contexts = self;
    if (kind == BD_CTX_FOREIGN) /* the list holds it, so that callers may borrow */
        Py_INCREF(self);
    return self;
}

PyObject *bd_context_made(bd_state *state, CUcontext handle)
{
    bd_context *context = bd_context_wrap(state, handle, BD_CTX_OWNED);
    if (!context) {
        BD_UNLOCKED(cu.cuCtxDestroy(handle));
        return NULL;
    }
    if (bd_push_note(context))
        Py_CLEAR(context);
    return (PyObject *)context;
}

void bd_context_release_host(bd_context *self)
{
    if (--self->host_allocations || !self->is_doomed)
        return;
    self->is_doomed = 0;
    CUresult status = BD_UNLOCKED(cu.cuCtxDestroy(self->handle));
    if (status)
        bd_report((PyObject *)self, status, "cuCtxDestroy");
}

void bd_contexts_forget(bd_state *state)
{
    for (bd_context *next, *context = state->contexts; context; context = next) {
        next = context->next;
        if (context->kind == BD_CTX_FOREIGN) {
            bd_context_unlink(context);
            context->dead = 1;
            Py_DECREF(context);
        }
    }
}

void bd_context_note_failure(bd_state *state, CUresult status)
{
    CUcontext handle = NULL;
    switch (status) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
        if (cu.cuCtxGetCurrent(&handle) == CUDA_SUCCESS && handle) {
            bd_context *context = bd_context_find(state, handle);
            if (context)
                context->failed = 1;
        }
        break;
    default:
        break;
    }
}

/* -- The door ------------------------------------------------------------------- */

bd_context *bd_context_current(bd_state *state)
{
    CUcontext handle = NULL;
    if (bd_check(state, cu.cuCtxGetCurrent(&handle), "cuCtxGetCurrent"))
        return NULL;
    if (!handle)
        return bd_raise_because(state, CUDA_ERROR_INVALID_CONTEXT,
                                "explicit_context_dependent",
                                "no currently active context?");
    bd_context *context = bd_context_find(state, handle);
    if (!context && (context = bd_context_wrap(state, handle, BD_CTX_FOREIGN)))
        Py_DECREF(context);
    return context;
}

bd_context *bd_context_hold(bd_state *state)
{
    return (bd_context *)Py_XNewRef((PyObject *)bd_context_current(state));
}

bd_state *bd_context_state(bd_context *context)
{
    return context->state;
}

CUcontext bd_context_handle(bd_context *context)
{
    return context->handle;
}

int bd_context_device(bd_context *context)
{
    return context->device;
}

bd_context *bd_context_each(bd_state *state, bd_context *after)
{
    bd_context *next = after ? after->next : state->contexts;
    while (next && next->dead)
        next = next->next;
    return next;
}

void **bd_context_kernels(bd_context *context)
{
    return &context->kernels;
}

void **bd_context_libraries(bd_context *context)
{
    return &context->libraries;
}

int bd_context_check(bd_context *context)
{
    if (!context->dead)
        return 0;
    PyErr_SetString(PyExc_RuntimeError, "cannot activate dead context");
    return -1;
}

int bd_context_check_of(PyObject *object)
{
    bd_context *context = BD_CONTEXT_OF(object);
    if (!context &&
        PyObject_TypeCheck(object, bd_state_of(Py_TYPE(object))->type[BD_CONTEXT]))
        context = SELF(object);
    return context ? bd_context_check(context) : 0;
}

int bd_context_enter(bd_context *context)
{
    CUcontext current = NULL;
    if (context->dead || cu.cuCtxGetCurrent(&current))
        return -1;
    if (current == context->handle)
        return 0;
    return cu.cuCtxPushCurrent(context->handle) ? -1 : 1;
}

void bd_context_leave(bd_context *context, int entered)
{
    CUcontext popped;
    if (entered > 0)
        cu.cuCtxPopCurrent(&popped);
}
