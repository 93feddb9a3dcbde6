/* Context: one object for each living driver context, whoever made it. "Current" is
   what the driver says: this room keeps no stack of its own, so that it works among
   other libraries and any thread may push. A push holds a reference, so a context whose
   last variable is gone lives until it is popped, or until the thread ends that pushed
   it. With the last reference an own context is destroyed and a primary one released.
   Nothing here aborts. */
#include "memory.h"
#include <limits.h>

#define SELF(self) ((bd_context *)(self))
#define CLASS_STATE(self) bd_state_of((PyTypeObject *)(self))

/* -- The list of contexts ------------------------------------------------------- */

/* The living Context of a handle. */
static bd_context *find(bd_state *state, CUcontext handle)
{
    bd_context *context = state->contexts;
    while (context && context->handle != handle)
        context = context->next;
    return context;
}

static void unlink_from_list(bd_context *self)
{
    bd_context **at = &self->state->contexts;
    while (*at && *at != self)
        at = &(*at)->next;
    if (*at)
        *at = self->next;
}

/* -- Pushes --------------------------------------------------------------------- */

#define PUSHED "pycuda: contexts pushed"

/* What this thread pushed here, the latest last, dead ones too: a list in Python's
 * record of the thread, which goes when the thread ends. Borrowed; NULL: none yet. */
static PyObject *pushes(void)
{
    PyObject *record = PyThreadState_GetDict();
    return record ? PyDict_GetItemString(record, PUSHED) : NULL;
}

static int push_note(bd_context *self)
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
static Py_ssize_t push_find(CUcontext handle)
{
    PyObject *list = pushes();
    Py_ssize_t at = list ? PyList_GET_SIZE(list) : 0;
    while (--at >= 0 && SELF(PyList_GET_ITEM(list, at))->handle != handle)
        continue;
    return at;
}

/* Drops that, and its reference; 0 if there is none. */
static int push_drop(CUcontext handle)
{
    Py_ssize_t at = push_find(handle);
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
    bd_context *self = find(state, handle);
    if (self) {
        int held = self->kind == BD_CTX_FOREIGN && kind != BD_CTX_FOREIGN;
        if (held)
            self->kind = kind;
        if (kind == BD_CTX_PRIMARY)
            self->retains++;
        if (!held) /* else the reference of the list becomes the caller's */
            Py_INCREF(self);
        return self;
    }
    while (push_drop(handle)) /* of a dead one: the driver uses the handle again */
        continue;
    self = bd_object_new(state, BD_CONTEXT, NULL, NULL);
    if (!self)
        return NULL;
    self->state = state;
    self->handle = handle;
    self->kind = kind;
    self->retains = kind == BD_CTX_PRIMARY;
    int entered = bd_context_enter(self);
    if (entered < 0 || cu.cuCtxGetDevice(&self->device))
        self->device = -1;
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
    if (push_note(context))
        Py_CLEAR(context);
    return (PyObject *)context;
}

void bd_contexts_forget(bd_state *state)
{
    for (bd_context *next, *context = state->contexts; context; context = next) {
        next = context->next;
        if (context->kind == BD_CTX_FOREIGN) {
            unlink_from_list(context);
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
            bd_context *context = find(state, handle);
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
                                "no currently active context? `import pycuda.autoinit` "
                                "makes one; a thread other than the one that made it "
                                "calls its push() first and Context.pop() at the end");
    bd_context *context = find(state, handle);
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

/* -- Life and death ------------------------------------------------------------- */

/* After this the driver knows nothing of the context any more, or nothing through us.
   Other threads may come by when the GIL is let go: they find it dead. */
static CUresult let_go(bd_context *self, const char **routine)
{
    CUresult status = CUDA_SUCCESS;
    /* What lives in an own context goes with it. */
    int entered = self->kind == BD_CTX_OWNED ? -1 : bd_context_enter(self);
    void *kernels = self->kernels;
    bd_pool *pool = self->pool;
    self->kernels = NULL;
    self->pool = NULL;
    self->dead = 1;
    unlink_from_list(self);
    if (kernels)
        self->state->release_kernels(kernels, entered >= 0);
    bd_pool_destroy(pool, entered >= 0);
    bd_context_leave(self, entered);
    if (self->kind == BD_CTX_OWNED) {
        *routine = "cuCtxDestroy";
        status = BD_UNLOCKED(cu.cuCtxDestroy(self->handle));
    }
    for (; self->kind == BD_CTX_PRIMARY && self->retains > 0; self->retains--) {
        *routine = "cuDevicePrimaryCtxRelease";
        CUresult one = BD_UNLOCKED(cu.cuDevicePrimaryCtxRelease(self->device));
        status = status ? status : one;
    }
    return status;
}

static void context_release(PyObject *self)
{
    const char *routine = NULL;
    if (SELF(self)->dead || !SELF(self)->handle)
        return;
    CUresult status = let_go(SELF(self), &routine);
    if (status)
        bd_report(self, status, routine);
}
BD_RELEASED(context_release)

/* Contexts destroyed while they lay deeper in the stack come to the top one day. */
static void skip_destroyed(bd_state *state)
{
    CUcontext handle = NULL;
    while (cu.cuCtxGetCurrent(&handle) == CUDA_SUCCESS && handle &&
           !find(state, handle) && push_find(handle) >= 0 &&
           cu.cuCtxPopCurrent(&handle) == CUDA_SUCCESS)
        push_drop(handle);
}

static int push(bd_context *self)
{
    CUcontext popped;
    if (bd_context_check(self) ||
        bd_check(self->state, cu.cuCtxPushCurrent(self->handle), "cuCtxPushCurrent"))
        return -1;
    if (push_note(self) == 0)
        return 0;
    cu.cuCtxPopCurrent(&popped);
    return -1;
}

BD_METHOD(context_push, 0, 0, "push($self)",
          "Makes this context current in the calling thread, on top of what is. Any "
          "thread may push, and more than once. CUDA: cuCtxPushCurrent.")
{
    return push(SELF(self)) ? NULL : Py_NewRef(Py_None);
}

static int pop(bd_state *state)
{
    CUcontext handle = NULL;
    if (bd_check(state, cu.cuCtxGetCurrent(&handle), "cuCtxGetCurrent"))
        return -1;
    if (!handle) {
        bd_raise_because(state, CUDA_ERROR_INVALID_CONTEXT, "context::pop",
                         "cannot pop non-current context");
        return -1;
    }
    if (bd_check(state, cu.cuCtxPopCurrent(&handle), "cuCtxPopCurrent"))
        return -1;
    push_drop(handle);
    skip_destroyed(state);
    return 0;
}

BD_METHOD(context_pop, 0, 0, "pop($type)",
          "Takes the top context of the calling thread off its stack; the one below "
          "becomes current. LogicError if there is none. CUDA: cuCtxPopCurrent.")
{
    if (pop(CLASS_STATE(self)))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(context_detach, 0, 0, "detach($self)",
          "Destroys the context with all that lives in it (a primary context: releases "
          "it). If it was current, the one below becomes current. LogicError the "
          "second time. CUDA: cuCtxDestroy, cuDevicePrimaryCtxRelease.")
{
    bd_context *context = SELF(self);
    CUcontext current = NULL, popped;
    const char *routine = NULL;
    if (context->dead)
        return bd_raise_because(context->state, CUDA_ERROR_INVALID_CONTEXT,
                                "context::detach",
                                "cannot detach from invalid context");
    if (context->kind == BD_CTX_PRIMARY && context->retains > 1) {
        context->retains--;
        if (BD_CALL_UNLOCKED(context->state, cuDevicePrimaryCtxRelease,
                             context->device))
            return NULL;
        Py_RETURN_NONE;
    }
    while (cu.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context->handle &&
           push_find(current) >= 0 && cu.cuCtxPopCurrent(&popped) == CUDA_SUCCESS)
        push_drop(current);
    if (context->kind == BD_CTX_FOREIGN)
        Py_DECREF(context); /* the list's; the caller holds another */
    CUresult status = let_go(context, &routine);
    skip_destroyed(context->state);
    if (bd_check(context->state, status, routine))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(context_attach, 0, 1, "attach($type, flags=0)",
          "The context that is current in this thread, whoever made it, pushed once "
          "more: pop() it when done. CUDA: cuCtxGetCurrent, cuCtxPushCurrent.")
{
    bd_context *context = bd_context_current(CLASS_STATE(self));
    return !context || push(context) ? NULL : Py_NewRef((PyObject *)context);
}

BD_METHOD(context_get_current, 0, 0, "get_current($type)",
          "The Context that is current in this thread, whoever made it, or None. CUDA: "
          "cuCtxGetCurrent.")
{
    bd_state *state = CLASS_STATE(self);
    CUcontext handle = NULL;
    if (!drv_get_info()->forked && (cu.cuCtxGetCurrent(&handle) || !handle))
        Py_RETURN_NONE;
    return Py_XNewRef((PyObject *)bd_context_current(state));
}

BD_RUN(context_get_device, 0, 0, cuCtxGetDevice, "V", "get_device($type)",
       "The Device of the current context.")

BD_RUN(context_synchronize, 0, 0, cuCtxSynchronize, "!", "synchronize($type)",
       "Waits until all work of the current context is done. Faults of kernels are "
       "raised here.")
BD_RUN(context_set_limit, 2, 2, cuCtxSetLimit, "uz", "set_limit($type, limit, value)",
       "Sets a limit of the current context, in its unit (mostly bytes).")
BD_RUN(context_get_limit, 1, 1, cuCtxGetLimit, "Zu", "get_limit($type, limit)",
       "A limit of the current context.")
BD_RUN(context_set_cache_config, 1, 1, cuCtxSetCacheConfig, "u",
       "set_cache_config($type, fc)",
       "How the current context divides L1 cache and shared memory: func_cache.")
BD_RUN(context_get_cache_config, 0, 0, cuCtxGetCacheConfig, "E(func_cache)",
       "get_cache_config($type)", "A func_cache.")
BD_RUN(context_set_shared_config, 1, 1, cuCtxSetSharedMemConfig, "u",
       "set_shared_config($type, sc)",
       "Width of shared memory banks: shared_config; deprecated by CUDA.")
BD_RUN(context_get_shared_config, 0, 0, cuCtxGetSharedMemConfig, "E(shared_config)",
       "get_shared_config($type)", "A shared_config; deprecated by CUDA.")
BD_RUN(context_get_api_version, 0, 0, cuCtxGetApiVersion, "@U",
       "get_api_version($self)", "Version of the API this context was made with.")
BD_RUN(context_enable_peer_access, 1, 2, cuCtxEnablePeerAccess, "cu",
       "enable_peer_access($type, peer, flags=0)",
       "Lets the current context use memory of the Context `peer`.")
BD_RUN(context_disable_peer_access, 1, 2, cuCtxDisablePeerAccess, "c",
       "disable_peer_access($type, peer, flags=0)",
       "Takes enable_peer_access back; flags are ignored.")

BD_METHOD(context_enter, 0, 0, "__enter__($self)", "push()")
{
    return push(SELF(self)) ? NULL : Py_NewRef(self);
}

BD_METHOD(context_exit, 0, 3, "__exit__($self, type=None, value=None, traceback=None)",
          "pop()")
{
    if (!SELF(self)->dead && pop(SELF(self)->state))
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef context_methods[] = {
    BD_ROW("push", context_push),
    BD_ROW_CLASS("pop", context_pop),
    BD_ROW("detach", context_detach),
    BD_ROW_CLASS("attach", context_attach),
    BD_ROW_CLASS("get_current", context_get_current),
    BD_ROW_CLASS("get_device", context_get_device),
    BD_ROW_CLASS("synchronize", context_synchronize),
    BD_ROW_CLASS("set_limit", context_set_limit),
    BD_ROW_CLASS("get_limit", context_get_limit),
    BD_ROW_CLASS("set_cache_config", context_set_cache_config),
    BD_ROW_CLASS("get_cache_config", context_get_cache_config),
    BD_ROW_CLASS("set_shared_config", context_set_shared_config),
    BD_ROW_CLASS("get_shared_config", context_get_shared_config),
    BD_ROW("get_api_version", context_get_api_version),
    BD_ROW_CLASS("enable_peer_access", context_enable_peer_access),
    BD_ROW_CLASS("disable_peer_access", context_disable_peer_access),
    BD_ROW("__enter__", context_enter),
    BD_ROW("__exit__", context_exit),
    {NULL},
};

BD_CLASS(CONTEXT, "Context", bd_context,
         "A driver context: made by Device.make_context or retain_primary_context, or "
         "found current by Context.get_current. `with context:` pushes and pops. The "
         "same driver context is the same object.",
         .methods = context_methods, .getset = bd_handle_getset,
         BD_RELEASE(context_release));
