/* Collective operations by NCCL: of a GPU's where there is one, on the host device of
   the driver itself. NCCL works in the primary context of each device, so communicators
   are of those alone; each call is made with it current, and leaves what was current as
   it was. All calls are made without the GIL, as they may wait for other ranks. */
#include <string.h>
#include "loading.h"

#define CAPSULE "pycuda.nccl"

static const lib_nccl *find(bd_state *state)
{
    const lib_nccl *nccl = lib_entries(state, LIB_NCCL);
    if (!nccl)
        bd_raise_because(state, CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "NCCL", "%s",
                         lib_absence(state, LIB_NCCL));
    return nccl;
}

/* What came of calls: of the first that failed its name, and what NCCL said of it. */
typedef struct {
    unsigned status;
    const char *routine;
    char text[400];
} outcome;

/* Notes a failure, right after the call, in its thread. */
static unsigned note(const lib_nccl *nccl, outcome *of, unsigned status,
                     const char *routine)
{
    if (status && !of->status) {
        const char *text = nccl->ncclGetLastError(NULL);
        of->status = status;
        of->routine = routine;
        snprintf(of->text, sizeof of->text, "%s", text ? text : "");
    }
    return status;
}

/* -1: it is one, raised. */
static int check(bd_state *state, const outcome *of)
{
    if (of->status == ncclInProgress && drv_get_info()->is_host)
        bd_raise(state, CUDA_ERROR_NOT_READY, of->routine); /* a wait was given up */
    else if (of->status)
        lib_raise_because(state, LIB_NCCL, of->status, of->routine, of->text);
    return of->status ? -1 : 0;
}

int lib_nccl_version(bd_state *state)
{
    const lib_nccl *nccl = find(state);
    outcome of = {0};
    int version = 0;
    if (nccl)
        note(nccl, &of, nccl->ncclGetVersion(&version), "ncclGetVersion");
    return !nccl || check(state, &of) ? -1 : version;
}

static unsigned make_id(const lib_nccl *nccl, ncclUniqueId *id, outcome *of)
{
    return note(nccl, of, nccl->ncclGetUniqueId(id), "ncclGetUniqueId");
}

PyObject *lib_nccl_id(bd_state *state)
{
    const lib_nccl *nccl = find(state);
    ncclUniqueId id;
    outcome of = {0};
    if (nccl)
        BD_UNLOCKED((CUresult)make_id(nccl, &id, &of));
    return !nccl || check(state, &of)
               ? NULL
               : PyBytes_FromStringAndSize(id.internal, sizeof id);
}

/* -- Communicators ---------------------------------------------------------------- */

lib_ranks *lib_ranks_of(PyObject *capsule)
{
    lib_ranks *ranks = PyCapsule_IsValid(capsule, CAPSULE)
                           ? PyCapsule_GetPointer(capsule, CAPSULE)
                           : NULL;
    if (ranks && ranks->comm)
        return ranks;
    PyErr_SetString(PyExc_ValueError, "the communicator was closed");
    return NULL;
}

int lib_ranks_check(const lib_ranks *ranks)
{
    if (!ranks->comm)
        PyErr_SetString(PyExc_ValueError, "the communicator was closed");
    return !ranks->comm || bd_context_check(ranks->context) ? -1 : 0;
}

/* Notes what comes of the call, which is made with the context current. */
#define IN_CONTEXT(nccl, of, context_, call, routine)       \
    ({                                                      \
        CUcontext popped_;                                  \
        int entered_ = !cu.cuCtxPushCurrent(context_);      \
        unsigned status_ = note(nccl, of, (call), routine); \
        if (entered_)                                       \
            cu.cuCtxPopCurrent(&popped_);                   \
        status_;                                            \
    })

/* The context may be gone by now. */
static unsigned end(const lib_nccl *nccl, CUcontext context, struct ncclComm *comm,
                    int aborts, outcome *of)
{
    if (aborts)
        return IN_CONTEXT(nccl, of, context, nccl->ncclCommAbort(comm),
                          "ncclCommAbort");
    return IN_CONTEXT(nccl, of, context, nccl->ncclCommDestroy(comm),
                      "ncclCommDestroy");
}

int lib_ranks_end(bd_state *state, PyObject *capsule, int aborts)
{
    lib_ranks *ranks = lib_ranks_of(capsule);
    outcome of = {0};
    if (!ranks)
        return -1;
    if (ranks->calls && !aborts) {
        PyErr_SetString(PyExc_ValueError,
                        "a call of another thread uses the communicator; abort() ends "
                        "it all the same");
        return -1;
    }
    struct ncclComm *comm = ranks->comm;
    const lib_nccl *nccl = lib_entries(state, LIB_NCCL);
    CUcontext context = bd_context_handle(ranks->context);
    ranks->comm = NULL;
    BD_UNLOCKED((CUresult)end(nccl, context, comm, aborts, &of));
    return check(state, &of);
}

/* Nobody has it any more; failures are told, since nothing can be raised. */
static void forget(PyObject *capsule)
{
    lib_ranks *ranks = PyCapsule_GetPointer(capsule, CAPSULE);
    bd_state *state = bd_context_state(ranks->context);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (ranks->comm && lib_ranks_end(state, capsule, 0))
        PyErr_WriteUnraisable(capsule);
    PyErr_Restore(type, value, traceback);
    Py_DECREF((PyObject *)ranks->context);
    PyMem_Free(ranks);
}

static PyObject *capsule_new(bd_context *context, int size, int rank)
{
    lib_ranks *ranks = PyMem_Calloc(1, sizeof *ranks);
    PyObject *capsule = ranks ? PyCapsule_New(ranks, CAPSULE, forget) : NULL;
    if (!capsule) {
        PyMem_Free(ranks);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    ranks->context = (bd_context *)Py_NewRef((PyObject *)context);
    ranks->size = size;
    ranks->rank = rank;
    return capsule;
}

/* ValueError unless it is its device's primary context. */
static int check_primary(bd_state *state, bd_context *context)
{
    CUdevice device = bd_context_device(context);
    CUcontext primary = NULL;
    unsigned flags;
    int is_active = 0;
    if (bd_context_check(context) ||
        BD_CALL(state, cuDevicePrimaryCtxGetState, device, &flags, &is_active))
        return -1;
    if (is_active) { /* it is not made by this */
        if (BD_CALL(state, cuDevicePrimaryCtxRetain, &primary, device))
            return -1;
        cu.cuDevicePrimaryCtxRelease(device);
    }
    if (primary == bd_context_handle(context))
        return 0;
    PyErr_SetString(PyExc_ValueError,
                    "NCCL works in the primary context of a device, and the context "
                    "is another one: `import pycuda.autoprimaryctx` in place of "
                    "pycuda.autoinit, Device.retain_primary_context() in place of "
                    "make_context()");
    return -1;
}

typedef struct {
    const lib_nccl *nccl;
    int count, size;
    ncclUniqueId id;
    lib_ranks **ranks;
    CUcontext *contexts;
    outcome of;
} joining;

static unsigned join(joining *all)
{
    const lib_nccl *nccl = all->nccl;
    note(nccl, &all->of, nccl->ncclGroupStart(), "ncclGroupStart");
    for (int i = 0; i < all->count && !all->of.status; i++)
        IN_CONTEXT(nccl, &all->of, all->contexts[i],
                   nccl->ncclCommInitRank(&all->ranks[i]->comm, all->size, all->id,
                                          all->ranks[i]->rank),
                   "ncclCommInitRank");
    return IN_CONTEXT(nccl, &all->of, all->contexts[0], nccl->ncclGroupEnd(),
                      "ncclCommInitRank");
}

/* The ranks of the capsules of the list take part; -1: exception. */
static int join_all(bd_state *state, PyObject *list, int size, const char *id)
{
    int count = (int)PyList_GET_SIZE(list);
    lib_ranks *ranks[count];
    CUcontext contexts[count];
    joining all = {.nccl = lib_entries(state, LIB_NCCL),
                   .count = count,
                   .size = size,
                   .ranks = ranks,
                   .contexts = contexts};
    memcpy(all.id.internal, id, sizeof all.id);
    for (int i = 0; i < count; i++) {
        ranks[i] = PyCapsule_GetPointer(PyList_GET_ITEM(list, i), CAPSULE);
        contexts[i] = bd_context_handle(ranks[i]->context);
    }
    BD_UNLOCKED((CUresult)join(&all));
    for (int i = 0; i < count && all.of.status; i++)
        ranks[i]->comm = NULL;
    return check(state, &all.of);
}

PyObject *lib_ranks_join(bd_state *state, bd_context *const *contexts, int count,
                         int first, int size, const char id[NCCL_UNIQUE_ID_BYTES])
{
    PyObject *list = find(state) ? PyList_New(0) : NULL;
    for (int i = 0; list && i < count; i++) {
        PyObject *capsule = check_primary(state, contexts[i])
                                ? NULL
                                : capsule_new(contexts[i], size, first + i);
        if (!capsule || PyList_Append(list, capsule))
            Py_CLEAR(list);
        Py_XDECREF(capsule);
    }
    if (list && join_all(state, list, size, id))
        Py_CLEAR(list);
    return list;
}

/* -- Calls ------------------------------------------------------------------------ */

static const char *const routines[LIB_COLLECTIVES] = {
    [LIB_ALL_REDUCE] = "ncclAllReduce",
    [LIB_BROADCAST] = "ncclBroadcast",
    [LIB_REDUCE] = "ncclReduce",
    [LIB_ALL_GATHER] = "ncclAllGather",
    [LIB_SEND] = "ncclSend",
    [LIB_REDUCE_SCATTER] = "ncclReduceScatter",
    [LIB_RECEIVE] = "ncclRecv",
};

static unsigned call(const lib_nccl *nccl, const lib_collective *c,
                     struct ncclComm *comm)
{
    const void *from = (const void *)(uintptr_t)c->from;
    void *to = (void *)(uintptr_t)c->to;
    switch (c->kind) {
    case LIB_ALL_REDUCE:
        return nccl->ncclAllReduce(from, to, c->count, c->type, c->operation, comm,
                                   c->stream);
    case LIB_BROADCAST:
        return nccl->ncclBroadcast(from, to, c->count, c->type, c->root, comm,
                                   c->stream);
    case LIB_REDUCE:
        return nccl->ncclReduce(from, to, c->count, c->type, c->operation, c->root,
                                comm, c->stream);
    case LIB_ALL_GATHER:
        return nccl->ncclAllGather(from, to, c->count, c->type, comm, c->stream);
    case LIB_REDUCE_SCATTER:
        return nccl->ncclReduceScatter(from, to, c->count, c->type, c->operation, comm,
                                       c->stream);
    case LIB_SEND:
        return nccl->ncclSend(from, c->count, c->type, c->root, comm, c->stream);
    default:
        return nccl->ncclRecv(to, c->count, c->type, c->root, comm, c->stream);
    }
}

/* The contexts and communicators stand in arrays, since other threads may end those
   meanwhile. */
typedef struct {
    const lib_nccl *nccl;
    const lib_collective *all;
    int count;
    CUcontext *contexts;     /* owned */
    struct ncclComm **comms; /* owned */
    outcome of;
} calling;

static unsigned call_all(calling *c)
{
    const lib_nccl *nccl = c->nccl;
    if (c->count > 1)
        note(nccl, &c->of, nccl->ncclGroupStart(), "ncclGroupStart");
    for (int i = 0; i < c->count && !c->of.status; i++)
        IN_CONTEXT(nccl, &c->of, c->contexts[i], call(nccl, &c->all[i], c->comms[i]),
                   routines[c->all[i].kind]);
    if (c->count > 1)
        IN_CONTEXT(nccl, &c->of, c->contexts[0], nccl->ncclGroupEnd(), "ncclGroupEnd");
    return c->of.status;
}

int lib_collectives_run(bd_state *state, const lib_collective *all, int count)
{
    calling c = {.nccl = lib_entries(state, LIB_NCCL),
                 .all = all,
                 .count = count,
                 .contexts = PyMem_Calloc(count + 1, sizeof *c.contexts),
                 .comms = PyMem_Calloc(count + 1, sizeof(void *))};
    int failed = !c.contexts || !c.comms;
    if (failed)
        PyErr_NoMemory();
    for (int i = 0; i < count && !failed; i++) {
        c.contexts[i] = bd_context_handle(all[i].ranks->context);
        c.comms[i] = all[i].ranks->comm;
        all[i].ranks->calls++;
    }
    if (!failed) {
        BD_UNLOCKED((CUresult)call_all(&c));
        failed = check(state, &c.of);
    }
    for (int i = 0; i < count && c.contexts && c.comms; i++)
        all[i].ranks->calls--;
    PyMem_Free(c.contexts);
    PyMem_Free(c.comms);
    return failed ? -1 : 0;
}
