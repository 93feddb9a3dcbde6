/* The launch path: arguments into one buffer, one cuLaunchKernel. The buffer is on the
   stack, its layout is the Function's table; nothing is allocated for a launch unless
   its arguments are larger than usual. */
#include <limits.h>
#include <string.h>
#include <time.h>
#include "kernel.h"
#include "memory.h"

enum {
    USUAL_BYTES = 1024, /* of arguments */
    MOST_ATTRIBUTES = 3,
    MOST_STAGED = 16 /* In, Out and InOut of a launch */
};

typedef struct {
    bd_geometry geometry;
    PyObject *stream; /* borrowed; NULL: the null stream */
    size_t bytes;     /* of arguments */
    int handlers;     /* how many arguments are In, Out or InOut */
    char *arguments;  /* points at `usual` or owned */
    _Alignas(16) char usual[USUAL_BYTES];
    CUlaunchAttribute attributes[MOST_ATTRIBUTES];
} launch;

static void launch_init(launch *self)
{
    memset(self, 0, offsetof(launch, usual));
    self->arguments = self->usual;
    for (int i = 0; i < 3; i++)
        self->geometry.grid[i] = 1;
}

static void launch_clear(launch *self)
{
    if (self->arguments != self->usual)
        PyMem_Free(self->arguments);
}

static int launch_reserve(launch *self, size_t bytes)
{
    self->bytes = bytes;
    if (bytes <= USUAL_BYTES)
        return 0;
    char *larger = bytes <= BD_MOST_ARGUMENTS ? PyMem_Malloc(bytes) : NULL;
    if (!larger) {
        PyErr_Format(PyExc_ValueError, "%zu bytes of kernel arguments are too many",
                     bytes);
        return -1;
    }
    self->arguments = larger;
    return 0;
}

/* -- The launch itself ---------------------------------------------------------- */

/* Not of one that the collector released, or whose context ended. */
static int check_usable(bd_function *self)
{
    return self->handle && !self->base.context->dead
               ? 0
               : bd_handle_check((PyObject *)self, "it was released");
}

/* The driver's `extra` list: one buffer in place of single arguments. */
#define EXTRA(launch)                                                                  \
    ((launch)->bytes ? (void *[]){CU_LAUNCH_PARAM_BUFFER_POINTER, (launch)->arguments, \
                                  CU_LAUNCH_PARAM_BUFFER_SIZE, &(launch)->bytes,       \
                                  CU_LAUNCH_PARAM_END}                                 \
                     : NULL)

static int launch_go(bd_function *self, launch *launch)
{
    bd_state *state = self->base.context->state;
    if (bd_write_pending(state)) /* arguments may hide addresses */
        return -1;
    if (check_usable(self)) /* packing an argument may have ended its context */
        return -1;
    CUresult status =
        bd_launch(state, self->handle, &launch->geometry, NULL, EXTRA(launch));
    if (status)
        bd_launch_refused(self, status, "cuLaunchKernel", &launch->geometry);
    return status ? -1 : 0;
}

/* -- Arguments ------------------------------------------------------------------ */

static int wrong_count(bd_function *self, const bd_signature *signature,
                       Py_ssize_t given)
{
    PyObject *shown = bd_params_show(signature);
    if (shown)
        PyErr_Format(PyExc_TypeError, "kernel '%s' takes %d arguments %U, got %zd",
                     self->name, signature->count, shown, given);
    Py_XDECREF(shown);
    return -1;
}

static int pack_all(bd_function *self, bd_signature *signature, launch *launch,
                    PyObject *const *args, Py_ssize_t nargs)
{
    if (launch_reserve(launch, signature->bytes))
        return -1;
    if (nargs != signature->count)
        return wrong_count(self, signature, nargs);
    signature->holders++;
    int packed = 0;
    for (Py_ssize_t i = 0; i < nargs && packed >= 0; i++) {
        bd_param *param = &signature->params[i];
        packed = bd_pack(self, param, i, args[i], launch->arguments + param->offset);
        launch->handlers += packed;
    }
    bd_signature_drop(signature);
    return packed < 0 ? -1 : 0;
}

/* The driver tells nothing: each argument lies where C would put it after the one
 * before. */
static int pack_blindly(bd_function *self, launch *launch, PyObject *const *args,
                        Py_ssize_t nargs)
{
    size_t bytes = 0;
    if (launch_reserve(launch, USUAL_BYTES))
        return -1;
    for (Py_ssize_t i = 0; i < nargs; i++) {
        bd_param param;
        size_t alignment;
        if (bd_pack_natural(self, i, args[i], &param, &alignment))
            return -1;
        bytes = (bytes + alignment - 1) / alignment * alignment;
        if (bytes + param.size > USUAL_BYTES) {
            PyErr_SetString(PyExc_ValueError, "too many bytes of kernel arguments");
            return -1;
        }
        int packed = bd_pack(self, &param, i, args[i], launch->arguments + bytes);
        if (packed < 0)
            return -1;
        launch->handlers += packed;
        bytes += param.size;
    }
    launch->bytes = bytes;
    return 0;
}

static int pack(bd_function *self, launch *launch, PyObject *const *args,
                Py_ssize_t nargs)
{
    return self->signature ? pack_all(self, self->signature, launch, args, nargs)
                           : pack_blindly(self, launch, args, nargs);
}

static int set_stream(bd_function *self, launch *launch, PyObject *stream)
{
    launch->stream = stream == Py_None ? NULL : stream;
    return bd_stream(self->base.context->state, launch->stream,
                     &launch->geometry.stream);
}

static int set_shared(launch *launch, PyObject *shared)
{
    return py_flags(shared, "shared memory size", &launch->geometry.shared);
}

/* -- Function.__call__ ---------------------------------------------------------- */

enum {
    BLOCK,
    GRID,
    STREAM,
    SHARED,
    TEXREFS,
    TIME_KERNEL,
    COOPERATIVE,
    CLUSTER,
    PRIORITY,
    KEYWORDS
};
static const char *const keywords[KEYWORDS] = {"block",       "grid",    "stream",
                                               "shared",      "texrefs", "time_kernel",
                                               "cooperative", "cluster", "priority"};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Launch attributes of cuLaunchKernelEx. */
static int set_attributes(launch *launch, PyObject *const *values)
{
    CUlaunchAttribute *next = launch->attributes;
    int cooperative = 0;
    unsigned cluster[3];
    int64_t priority;
    if (py_flag(values[COOPERATIVE], &cooperative))
        return -1;
    if (cooperative)
        *next++ = (CUlaunchAttribute){CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                                      .value.cooperative = 1};
    if (values[CLUSTER] && values[CLUSTER] != Py_None) {
        if (bd_extent(values[CLUSTER], "cluster", cluster))
            return -1;
        *next++ = (CUlaunchAttribute){
            CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
            .value.clusterDim = {cluster[0], cluster[1], cluster[2]}};
    }
    if (values[PRIORITY] && values[PRIORITY] != Py_None) {
        if (py_signed(values[PRIORITY], "priority", INT_MIN, INT_MAX, &priority))
            return -1;
        *next++ = (CUlaunchAttribute){CU_LAUNCH_ATTRIBUTE_PRIORITY,
                                      .value.priority = (int)priority};
    }
    launch->geometry.attributes = launch->attributes;
    launch->geometry.nattributes = (unsigned)(next - launch->attributes);
    return 0;
}

static int is_handler(bd_function *self, PyObject *object)
{
    return PyObject_TypeCheck(object,
                              self->base.context->state->type[BD_ARGUMENT_HANDLER]);
}

/* The copies of In, Out and InOut around a launch. */
static int launch_with_handlers(bd_function *self, launch *launch,
                                PyObject *const *args, Py_ssize_t nargs, int *posts)
{
    for (Py_ssize_t i = 0; i < nargs; i++)
        if (is_handler(self, args[i])) {
            int post = bd_handler_before(args[i], launch->stream);
            if (post < 0)
                return -1;
            *posts += post;
        }
    return launch_go(self, launch);
}

/* -- Small arrays, through page-locked memory ------------------------------------ */

/* The handlers of a launch, and where they have their bytes. */
typedef struct {
    PyObject *handler; /* borrowed */
    size_t at, bytes;
} staged;

/* How many there are; 0: copies are made one by one, for want of anything to bring
   back, for which one wait is enough, or of room. */
static int stage(bd_function *self, PyObject *const *args, Py_ssize_t nargs,
                 staged *all)
{
    PyTypeObject *in = self->base.context->state->type[BD_IN];
    int count = 0, brings_back = 0;
    size_t at = 0, bytes;
    for (Py_ssize_t i = 0; i < nargs; i++)
        if (is_handler(self, args[i])) {
            if (count == MOST_STAGED ||
                (bytes = bd_handler_bytes(args[i])) > BD_STAGING_BYTES - at)
                return 0;
            all[count++] = (staged){args[i], at, bytes};
            brings_back |= Py_TYPE(args[i]) != in;
            at += (bytes + 255) / 256 * 256;
            at = at < BD_STAGING_BYTES ? at : BD_STAGING_BYTES;
        }
    return brings_back ? count : 0;
}

static int enqueue_staged(bd_function *self, launch *launch, const staged *all,
                          int count, bd_staging *staging)
{
    CUstream stream = launch->geometry.stream;
    for (int i = 0; i < count; i++)
        if (bd_handler_send(all[i].handler, staging, all[i].at, all[i].bytes, stream))
            return -1;
    if (launch_go(self, launch))
        return -1;
    for (int i = 0; i < count; i++)
        if (bd_handler_fetch(all[i].handler, staging, all[i].at, all[i].bytes, stream))
            return -1;
    return 0;
}

static int run_staged(bd_function *self, launch *launch, const staged *all, int count,
                      bd_staging *staging)
{
    bd_state *state = self->base.context->state;
    int failed = enqueue_staged(self, launch, all, count, staging);
    if (failed) /* what was enqueued must not meet the memory's next user */
        BD_UNLOCKED(cu.cuCtxSynchronize());
    else
        failed = launch->stream ? BD_CALL_UNLOCKED(state, cuStreamSynchronize,
                                                   launch->geometry.stream)
                                : BD_CALL_UNLOCKED(state, cuCtxSynchronize);
    for (int i = 0; i < count && !failed; i++)
        failed = bd_handler_deliver(all[i].handler, staging, all[i].at, all[i].bytes);
    bd_staging_return(staging);
    return failed ? -1 : 0;
}

static PyObject *run(bd_function *self, launch *launch, PyObject *const *args,
                     Py_ssize_t nargs, int time_kernel)
{
    bd_state *state = self->base.context->state;
    staged all[MOST_STAGED];
    bd_staging *staging;
    int posts = 0, count;
    if (launch->handlers && !time_kernel && (count = stage(self, args, nargs, all)) &&
        (staging = bd_staging_lend(state))) {
        if (run_staged(self, launch, all, count, staging))
            return NULL;
        Py_RETURN_NONE;
    }
    double start = time_kernel ? seconds_now() : 0;
    if (launch->handlers ? launch_with_handlers(self, launch, args, nargs, &posts)
                         : launch_go(self, launch))
        return NULL;
    if (!launch->stream && (posts || time_kernel) &&
        BD_CALL_UNLOCKED(state, cuCtxSynchronize))
        return NULL;
    /* An In may be gone on return, and its memory be used again at once. */
    if (launch->stream && launch->handlers && !posts &&
        BD_CALL_UNLOCKED(state, cuStreamSynchronize, launch->geometry.stream))
        return NULL;
    double elapsed = time_kernel ? seconds_now() - start : 0;
    for (Py_ssize_t i = 0; posts && i < nargs; i++)
        if (is_handler(self, args[i]) && bd_handler_after(args[i], launch->stream))
            return NULL;
    if (time_kernel)
        return PyFloat_FromDouble(elapsed);
    Py_RETURN_NONE;
}

PyObject *bd_function_call(PyObject *object, PyObject *const *args, size_t nargsf,
                           PyObject *names)
{
    bd_function *self = (bd_function *)object;
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    PyObject *values[KEYWORDS] = {NULL}, *result = NULL;
    int time_kernel = 0;
    launch launch;
    launch_init(&launch);
    if (names && py_sort_keywords(names, args + nargs, keywords, KEYWORDS, values,
                                  PyExc_ValueError, "extra keyword arguments: %U"))
        return NULL;
    if (!values[BLOCK] || values[BLOCK] == Py_None) {
        PyErr_SetString(PyExc_ValueError,
                        "must specify block size: block=(threads, 1, 1), and "
                        "grid=(blocks, 1) for more than one block");
        return NULL;
    }
    if (check_usable(self) || bd_params_look(self) ||
        bd_extent(values[BLOCK], "block", launch.geometry.block) ||
        (values[GRID] && bd_extent(values[GRID], "grid", launch.geometry.grid)) ||
        set_stream(self, &launch, values[STREAM]) ||
        set_shared(&launch, values[SHARED]) ||
        py_flag(values[TIME_KERNEL], &time_kernel) || set_attributes(&launch, values))
        return NULL;
    if (time_kernel && launch.stream) {
        PyErr_SetString(PyExc_AssertionError,
                        "Can't time the kernel on an asynchronous invocation");
        return NULL;
    }
    /* texrefs are bound in the Module itself; there is nothing to do for them. */
    if (pack(self, &launch, args, nargs) == 0)
        result = run(self, &launch, args, nargs, time_kernel);
    launch_clear(&launch);
    return result;
}

/* One block of memory: the driver's parameters and all that they point at. */
typedef struct {
    CUDA_KERNEL_NODE_PARAMS params;
    void *extra[5];
    size_t bytes;
    _Alignas(16) char arguments[];
} kept_launch;

static kept_launch *keep(bd_function *self, const launch *launch)
{
    const bd_geometry *g = &launch->geometry;
    kept_launch *kept = PyMem_Malloc(sizeof *kept + launch->bytes);
    if (!kept)
        return (kept_launch *)PyErr_NoMemory();
    kept->bytes = launch->bytes;
    memcpy(kept->arguments, launch->arguments, launch->bytes);
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, kept->arguments,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &kept->bytes, CU_LAUNCH_PARAM_END};
    memcpy(kept->extra, extra, sizeof extra);
    kept->params = (CUDA_KERNEL_NODE_PARAMS){.func = self->handle,
                                             .gridDimX = g->grid[0],
                                             .gridDimY = g->grid[1],
                                             .gridDimZ = g->grid[2],
                                             .blockDimX = g->block[0],
                                             .blockDimY = g->block[1],
                                             .blockDimZ = g->block[2],
                                             .sharedMemBytes = g->shared,
                                             .extra = kept->bytes ? kept->extra : NULL};
    return kept;
}

CUDA_KERNEL_NODE_PARAMS *bd_launch_params(bd_state *state, PyObject **in)
{
    bd_function *self = (bd_function *)in[0];
    PyObject *args = NULL;
    kept_launch *kept = NULL;
    launch launch;
    launch_init(&launch);
    if (bd_instance(state, in[0], BD_FUNCTION, "function") || check_usable(self) ||
        bd_params_look(self) || bd_extent(in[2], "block", launch.geometry.block) ||
        (in[3] && bd_extent(in[3], "grid", launch.geometry.grid)) ||
        set_shared(&launch, in[4]) ||
        !(args = py_items(in[1], "args: expected a sequence of arguments")) ||
        pack(self, &launch, PySequence_Fast_ITEMS(args), PyTuple_GET_SIZE(args)))
        goto done;
    if (launch.handlers)
        PyErr_SetString(PyExc_TypeError,
                        "In, Out and InOut are for calls: a node takes "
                        "device memory, and copies are nodes");
    else
        kept = keep(self, &launch);
done:
    launch_clear(&launch);
    Py_XDECREF(args);
    return kept ? &kept->params : NULL;
}

int bd_launch_params_check(PyObject *function, CUresult status, const char *routine,
                           const CUDA_KERNEL_NODE_PARAMS *params)
{
    const bd_geometry geometry = {
        .grid = {params->gridDimX, params->gridDimY, params->gridDimZ},
        .block = {params->blockDimX, params->blockDimY, params->blockDimZ},
        .shared = params->sharedMemBytes};
    if (status)
        bd_launch_refused((bd_function *)function, status, routine, &geometry);
    return status ? -1 : 0;
}

/* -- Prepared calls ---------------------------------------------------------------- */

/* fixed: how many arguments come before the kernel's: grid, block and perhaps stream.
 */
static int prepared_go(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                       PyObject *names, Py_ssize_t fixed)
{
    static const char *const known = "shared_size";
    bd_function *self = (bd_function *)object;
    PyObject *shared = NULL;
    int result = -1;
    launch launch;
    launch_init(&launch);
    if (check_usable(self))
        return -1;
    if (!self->prepared) {
        PyErr_Format(PyExc_AttributeError,
                     "arg_format of kernel '%s' is not set: call prepare() first",
                     self->name);
        return -1;
    }
    if (nargs < fixed) {
        PyErr_Format(PyExc_TypeError, "prepared call: expected %s before the arguments",
                     fixed == 3 ? "grid, block and stream" : "grid and block");
        return -1;
    }
    if (names && (py_sort_keywords(names, args + nargs, &known, 1, &shared,
                                   PyExc_TypeError, "unknown keyword arguments: %U") ||
                  set_shared(&launch, shared)))
        return -1;
    if (bd_extent(args[0], "grid", launch.geometry.grid) ||
        bd_extent(args[1], "block", launch.geometry.block) ||
        (fixed == 3 && set_stream(self, &launch, args[2])) ||
        pack_all(self, self->prepared, &launch, args + fixed, nargs - fixed))
        goto done;
    if (launch.handlers)
        PyErr_SetString(PyExc_TypeError,
                        "prepared calls take addresses, not In, Out or InOut");
    else
        result = launch_go(self, &launch);
done:
    launch_clear(&launch);
    return result;
}

const char bd_prepared_call_doc[] =
    "prepared_call($self, grid, block, *args, shared_size=0)\n--\n\nLaunches with "
    "arguments as prepare() declared them. CUDA: cuLaunchKernel.";

PyObject *bd_prepared_call(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                           PyObject *names)
{
    return prepared_go(self, args, nargs, names, 2) ? NULL : Py_NewRef(Py_None);
}

const char bd_prepared_async_call_doc[] =
    "prepared_async_call($self, grid, block, stream, *args, shared_size=0)\n--\n\nThe "
    "same in a stream (None: the null stream). CUDA: cuLaunchKernel.";

PyObject *bd_prepared_async_call(PyObject *self, PyObject *const *args,
                                 Py_ssize_t nargs, PyObject *names)
{
    return prepared_go(self, args, nargs, names, 3) ? NULL : Py_NewRef(Py_None);
}

/* -- The lowest level -------------------------------------------------------------- */

const char bd_launch_kernel_doc[] =
    "_launch_kernel($self, grid, block, arguments, shared, stream)\n--\n\nLaunches "
    "with the arguments' bytes as they lie in a buffer. CUDA: cuLaunchKernel.";

PyObject *bd_launch_kernel(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                           PyObject *names)
{
    bd_function *self = (bd_function *)object;
    PyObject *in[5] = {NULL};
    Py_buffer view;
    launch launch;
    launch_init(&launch);
    if (py_parse(bd_launch_kernel_doc, 5, 5, args, nargs, names, in) ||
        check_usable(self) || bd_extent(in[0], "grid", launch.geometry.grid) ||
        bd_extent(in[1], "block", launch.geometry.block) ||
        set_shared(&launch, in[3]) || set_stream(self, &launch, in[4]) ||
        bd_buffer(in[2], &view, 0))
        return NULL;
    launch.arguments = view.buf;
    launch.bytes = view.len;
    int failed = launch_go(self, &launch);
    PyBuffer_Release(&view);
    return failed ? NULL : Py_NewRef(Py_None);
}
