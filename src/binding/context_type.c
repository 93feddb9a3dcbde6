/* The class Context. A push holds a reference, so a context whose last variable is gone
   lives until it is popped, or until the thread ends that pushed it. With the last
   reference an own context is destroyed and a primary one released. Nothing here
   aborts.
 */
#include "calls.h"
#include "context.h"
#include "staging.h"

#define SELF(self) ((bd_context *)(self))
#define CLASS_STATE(self) bd_state_of((PyTypeObject *)(self))

/* -- Life and death ------------------------------------------------------------- */

/* After this the driver knows nothing of the context any more, or nothing through us.
   Other threads may come by when the GIL is let go: they find it dead. */
static CUresult let_go(bd_context *self, const char **routine)
{
    CUresult status = CUDA_SUCCESS;
    /* An own context takes everything that lives in it along, but for what libraries
       keep on the host. */
    int takes_all = self->kind == BD_CTX_OWNED;
    int entered = takes_all && !self->libraries ? -1 : bd_context_enter(self);
    int alive = !takes_all && entered >= 0;
    void *kernels = self->kernels, *libraries = self->libraries;
    bd_pool *pool = self->pool;
    bd_staging *staging = self->staging;
    self->kernels = self->libraries = NULL;
    self->pool = NULL;
    self->staging = NULL;
    self->dead = 1;
    bd_context_unlink(self);
    if (libraries)
        self->state->release_libraries(self->state, libraries, entered >= 0);
    if (kernels)
        self->state->release_kernels(kernels, alive);
    self->state->release_pool(pool, alive);
    bd_staging_release(staging, alive);
    bd_context_leave(self, entered);
    if (self->kind == BD_CTX_OWNED && self->host_allocations) {
        CUcontext popped;
        self->is_doomed = 1; /* NumPy would read memory that is unmapped */
        self->host_allocations++;
        if (!cu.cuCtxPushCurrent(self->handle)) {
            BD_UNLOCKED(cu.cuCtxSynchronize()); /* cuCtxDestroy waits, too */
            cu.cuCtxPopCurrent(&popped);
        }
        bd_context_release_host(self);
    } else if (self->kind == BD_CTX_OWNED) {
        *routine = "cuCtxDestroy";
        status = BD_UNLOCKED(cu.cuCtxDestroy(self->handle));
    }
    drv_serve_end(self->handle);
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
PY_RELEASED(context_release)

/* Contexts destroyed while they lay deeper in the stack come to the top one day. */
static void skip_destroyed(bd_state *state)
{
    CUcontext handle = NULL;
    while (cu.cuCtxGetCurrent(&handle) == CUDA_SUCCESS && handle &&
           !bd_context_find(state, handle) && bd_push_find(handle) >= 0 &&
           cu.cuCtxPopCurrent(&handle) == CUDA_SUCCESS)
        bd_push_drop(handle);
}

static int push(bd_context *self)
{
    CUcontext popped;
    if (bd_context_check(self) ||
        bd_check(self->state, cu.cuCtxPushCurrent(self->handle), "cuCtxPushCurrent"))
        return -1;
    if (bd_push_note(self) == 0)
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
    bd_push_drop(handle);
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

/* Answers an attach(): takes off what that pushed, unless pop() has. */
static PyObject *detach_once(bd_context *self)
{
    CUcontext current = NULL;
    self->attaches--;
    if (bd_push_count(self->handle) > self->pushes &&
        cu.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == self->handle &&
        pop(self->state))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(context_detach, 0, 0, "detach($self)",
          "Destroys the context with all that lives in it (a primary context: releases "
          "it); after attach() ends that, and the context stays. If it was current, "
          "the one below becomes current. While NumPy arrays "
          "in page-locked or managed memory of it are alive, it cannot be used any "
          "more, and is destroyed with the last of them. LogicError the second time. "
          "CUDA: cuCtxDestroy, cuDevicePrimaryCtxRelease.")
{
    bd_context *context = SELF(self);
    CUcontext current = NULL, popped;
    const char *routine = NULL;
    if (context->dead)
        return bd_raise_because(context->state, CUDA_ERROR_INVALID_CONTEXT,
                                "context::detach",
                                "cannot detach from invalid context");
    if (context->attaches > (context->kind == BD_CTX_FOREIGN))
        return detach_once(context);
    if (context->kind == BD_CTX_PRIMARY && context->retains > 1) {
        context->retains--;
        if (BD_CALL_UNLOCKED(context->state, cuDevicePrimaryCtxRelease,
                             context->device))
            return NULL;
        Py_RETURN_NONE;
    }
    while (cu.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context->handle &&
           bd_push_find(current) >= 0 && cu.cuCtxPopCurrent(&popped) == CUDA_SUCCESS)
        bd_push_drop(current);
    if (context->kind == BD_CTX_FOREIGN)
        Py_DECREF(context); /* the list's; the caller holds another */
    CUresult status = let_go(context, &routine);
    skip_destroyed(context->state);
    if (bd_check(context->state, status, routine))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(
    context_attach, 0, 1, "attach($type, flags=0)",
    "The context that is current in this thread, whoever made it, pushed once "
    "more: pop() it when done, or detach(), which leaves it to who made it. CUDA: "
    "cuCtxGetCurrent, cuCtxPushCurrent.")
{
    bd_context *context = bd_context_current(CLASS_STATE(self));
    int pushes = context ? bd_push_count(context->handle) : 0;
    if (!context || push(context))
        return NULL;
    context->pushes = context->attaches++ ? context->pushes : pushes;
    return Py_NewRef((PyObject *)context);
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

BD_RUN(context_get_device, 0, 0, cuCtxGetDevice, "get_device($type)",
       "The Device of the current context.", .passes = {OUT_DEVICE})

BD_RUN(context_synchronize, 0, 0, cuCtxSynchronize, "synchronize($type)",
       "Waits until all work of the current context is done. Faults of kernels are "
       "raised here.",
       .may_wait = 1)
BD_RUN(context_set_limit, 2, 2, cuCtxSetLimit, "set_limit($type, limit, value)",
       "Sets a limit of the current context, in its unit (mostly bytes).",
       .passes = {ARG_UINT32, ARG_SIZE})
BD_RUN(context_get_limit, 1, 1, cuCtxGetLimit, "get_limit($type, limit)",
       "A limit of the current context.", .passes = {OUT_SIZE, ARG_UINT32})
BD_RUN(context_set_cache_config, 1, 1, cuCtxSetCacheConfig,
       "set_cache_config($type, fc)",
       "How the current context divides L1 cache and shared memory: func_cache.",
       .passes = {ARG_UINT32})
BD_RUN(context_get_cache_config, 0, 0, cuCtxGetCacheConfig, "get_cache_config($type)",
       "A func_cache.", .passes = {OUT_ENUM}, .enumeration = "func_cache")
BD_RUN(context_set_shared_config, 1, 1, cuCtxSetSharedMemConfig,
       "set_shared_config($type, sc)",
       "Width of shared memory banks: shared_config; deprecated by CUDA.",
       .passes = {ARG_UINT32})
BD_RUN(context_get_shared_config, 0, 0, cuCtxGetSharedMemConfig,
       "get_shared_config($type)", "A shared_config; deprecated by CUDA.",
       .passes = {OUT_ENUM}, .enumeration = "shared_config")
BD_RUN(context_get_api_version, 0, 0, cuCtxGetApiVersion, "get_api_version($self)",
       "Version of the API this context was made with.",
       .passes = {PASS_SELF, OUT_UINT})
BD_RUN(context_enable_peer_access, 1, 2, cuCtxEnablePeerAccess,
       "enable_peer_access($type, peer, flags=0)",
       "Lets the current context use memory of the Context `peer`.",
       .passes = {ARG_CONTEXT, ARG_UINT32})
BD_RUN(context_disable_peer_access, 1, 2, cuCtxDisablePeerAccess,
       "disable_peer_access($type, peer, flags=0)",
       "Takes enable_peer_access back; flags are ignored.", .passes = {ARG_CONTEXT})

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

static PyObject *context_repr(PyObject *object)
{
    static const char *const kinds[] = {[BD_CTX_OWNED] = "",
                                        [BD_CTX_PRIMARY] = "primary, ",
                                        [BD_CTX_FOREIGN] = "foreign, "};
    bd_context *self = (bd_context *)object;
    CUcontext current = NULL;
    int is_current = !cu.cuCtxGetCurrent(&current) && current == self->handle;
    return bd_show(object,
                   self->dead     ? "destroyed"
                   : self->failed ? "unusable after a fault"
                   : is_current   ? "current"
                                  : "not current",
                   "%p, %sof device %d", (void *)self->handle, kinds[self->kind],
                   (int)self->device);
}

BD_CLASS(CONTEXT, "Context", bd_context,
         "A driver context: made by Device.make_context or retain_primary_context, or "
         "found current by Context.get_current. `with context:` pushes and pops. The "
         "same driver context is the same object.",
         .methods = context_methods, .getset = bd_handle_getset, .repr = context_repr,
         PY_RELEASE(context_release));
