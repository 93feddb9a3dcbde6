/* Function: a kernel of a Module, its attributes, prepare(). Calling it is launch.c. */
#include <string.h>
#include <unistd.h>
#include "calls.h"
#include "arrays.h"
#include "kernel.h"
#include "compile/compile.h"

#define SELF(self) ((bd_function *)(self))
#define TEXREFS(self) (((py_object *)(self))->other)

PyObject *bd_function_wrap(PyObject *module, CUfunction handle, const char *name)
{
    bd_state *state = bd_state_from(module);
    bd_function *self =
        bd_object_new(state, BD_FUNCTION, BD_CONTEXT_OF(module), module);
    if (!self)
        return NULL;
    self->handle = handle;
    self->vectorcall = bd_function_call;
    if (!(self->name = PyMem_Malloc(strlen(name) + 1))) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    strcpy(self->name, name);
    return (PyObject *)self;
}

/* The options that an image was compiled with, but for the folder of the cache, which
   its kernels go to, too, where it still is. */
static void take_options(cmp_request *request, const char *options,
                         char cache[PATH_MAX])
{
    static const char folder[] = "--pch-dir=";
    request->cache_dir = cache;
    for (int length; *options; options += length + 1) {
        length = (int)strcspn(options, "\n");
        if (strncmp(options, folder, sizeof folder - 1))
            cmp_put(&request->options, "%.*s", length, options);
        else
            snprintf(cache, PATH_MAX, "%.*s", length - (int)sizeof folder + 1,
                     options + sizeof folder - 1);
    }
    if (*cache && access(cache, W_OK))
        request->cache_dir = NULL;
}

int bd_function_load(bd_state *state, CUfunction handle, const char *name,
                     unsigned layout)
{
    cmp_request request = {
        .target = "cubin", .kernel = name, .layout = layout ? "linear" : "rows"};
    const void *object = NULL;
    const char *options;
    char cache[PATH_MAX] = "";
    cmp_outcome outcome = {{0}};
    if (cu.cuxFuncGetObject(handle, layout, &object, &request.object_bytes, &options) ||
        !object)
        return 0;
    request.object = object;
    take_options(&request, options, cache);
    int failed = cmp_compile_or_raise(&request, &outcome) ||
                 BD_CALL_UNLOCKED(state, cuxFuncLoadImage, handle, outcome.image.bytes);
    cmp_text_clear(&request.options);
    cmp_outcome_clear(&outcome);
    return failed ? -1 : 0;
}

CUresult bd_load_linear(CUfunction handle, char *text, size_t size, void *data)
{
    PyObject *before_type, *before, *before_traceback;
    const char *name = NULL;
    if (!Py_IsInitialized() || Py_IsFinalizing())
        return CUDA_ERROR_NOT_READY;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyErr_Fetch(&before_type, &before, &before_traceback);
    CUresult status = cu.cuFuncGetName(&name, handle);
    char *copy = status == CUDA_SUCCESS ? strdup(name) : NULL; /* its module may go */
    if (status == CUDA_SUCCESS && !copy) {
        status = CUDA_ERROR_OUT_OF_MEMORY;
    } else if (copy && bd_function_load(data, handle, copy, 1)) {
        bd_raise_behind(data, text, size);
        status = CUDA_ERROR_NOT_READY;
    }
    free(copy);
    PyErr_Restore(before_type, before, before_traceback);
    PyGILState_Release(gil);
    return status;
}

static void function_release(PyObject *self)
{
    bd_signature_drop(SELF(self)->signature);
    bd_signature_drop(SELF(self)->prepared);
    SELF(self)->signature = SELF(self)->prepared = NULL;
    SELF(self)->handle = NULL;
    PyMem_Free(SELF(self)->name);
    SELF(self)->name = NULL;
    Py_CLEAR(SELF(self)->arg_format);
}
PY_RELEASED(function_release)

BD_METHOD(function_prepare, 1, 2, "prepare($self, arg_types, texrefs=None)",
          "Declares the parameters for the prepared_* calls: a list of NumPy scalar "
          "types, dtypes, letters of the struct module, and anything else for a "
          "pointer; or one string of letters ('PPif'). Checked against the kernel "
          "where the driver tells. Returns the function. CUDA: cuFuncGetParamInfo.")
{
    PyObject *texrefs = in[1] && in[1] != Py_None ? Py_NewRef(in[1]) : PyList_New(0);
    if (!texrefs || bd_params_prepare(SELF(self), in[0])) {
        Py_XDECREF(texrefs);
        return NULL;
    }
    Py_XSETREF(TEXREFS(self), texrefs);
    return Py_NewRef(self);
}

BD_RUN(function_get_attribute, 1, 1, cuFuncGetAttribute, "get_attribute($self, attr)",
       "The value of a function_attribute.", .passes = {OUT_INT, ARG_INT, PASS_SELF})
BD_RUN(function_set_attribute, 2, 2, cuFuncSetAttribute,
       "set_attribute($self, attr, value)", "Sets a function_attribute.",
       .passes = {PASS_SELF, ARG_INT, ARG_INT})
BD_RUN(function_set_cache_config, 1, 1, cuFuncSetCacheConfig,
       "set_cache_config($self, fc)",
       "How the kernel divides L1 cache and shared memory: func_cache.",
       .passes = {PASS_SELF, ARG_UINT32})
BD_RUN(function_set_shared_config, 1, 1, cuFuncSetSharedMemConfig,
       "set_shared_config($self, sc)",
       "Width of shared memory banks: shared_config; deprecated by CUDA.",
       .passes = {PASS_SELF, ARG_UINT32})

BD_RUN(function_max_active_blocks, 1, 2, cuOccupancyMaxActiveBlocksPerMultiprocessor,
       "max_active_blocks($self, block_size, shared=0)",
       "Blocks of so many threads and bytes of dynamic shared memory that one "
       "multiprocessor holds at once.",
       .passes = {OUT_INT, PASS_SELF, ARG_INT, ARG_SIZE})
BD_RUN(function_max_potential_block_size, 0, 2, cuOccupancyMaxPotentialBlockSize,
       "max_potential_block_size($self, shared=0, limit=0)",
       "(grid size, block size): the threads a block of best occupancy has, and the "
       "blocks that fill the device.",
       .passes = {OUT_INT, OUT_INT, PASS_SELF, PASS_CONSTANT, ARG_SIZE, ARG_INT})
BD_RUN(function_available_shared, 2, 2, cuOccupancyAvailableDynamicSMemPerBlock,
       "available_shared($self, blocks, block_size)",
       "Bytes of dynamic shared memory with which a multiprocessor still holds so many "
       "blocks.",
       .passes = {OUT_SIZE, PASS_SELF, ARG_INT, ARG_INT})

BD_METHOD(function_param_set_texref, 1, 1, "param_set_texref($self, texref)",
          "Does nothing: a TextureReference is its Module's. On the host device alone.")
{
    if (bd_references_exist("param_set_texref") ||
        bd_instance(bd_state_from(self), in[0], BD_TEXTURE_REFERENCE, "texref"))
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef function_methods[] = {
    BD_ROW("prepare", function_prepare),
    BD_ROW("prepared_call", bd_prepared_call),
    BD_ROW("prepared_async_call", bd_prepared_async_call),
    BD_ROW("_launch_kernel", bd_launch_kernel),
    BD_ROW("get_attribute", function_get_attribute),
    BD_ROW("set_attribute", function_set_attribute),
    BD_ROW("set_cache_config", function_set_cache_config),
    BD_ROW("set_shared_config", function_set_shared_config),
    BD_ROW("max_active_blocks", function_max_active_blocks),
    BD_ROW("max_potential_block_size", function_max_potential_block_size),
    BD_ROW("available_shared", function_available_shared),
    BD_ROW("param_set_texref", function_param_set_texref),
    {NULL},
};

/* Not in __dict__: while an instance has none, Python 3.11 and later find methods
   without looking through anything, and calls of them are what programs are full of.
   For the same reason each function_attribute is a property (pycuda/driver.py), and
   attributes are looked up as objects in general do that. */
static PyMemberDef function_members[] = {
    PY_MEMBERS,
    {"name", T_STRING, offsetof(bd_function, name), READONLY,
     "The kernel's (linkage) name."},
    {"arg_format", T_OBJECT_EX, offsetof(bd_function, arg_format), READONLY,
     "What prepare() declared, as one string of letters."},
    {"texrefs", T_OBJECT_EX, offsetof(py_object, other), 0,
     "The texture references that prepare() was given."},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(bd_function, vectorcall), READONLY},
    {NULL},
};

static PyObject *function_repr(PyObject *self)
{
    const bd_function *function = SELF(self);
    PyObject *types = NULL;
    if (bd_params_look(SELF(self)))
        PyErr_Clear(); /* it is no more */
    else if (function->signature)
        types = bd_params_show(function->signature);
    PyObject *text =
        bd_show(self, function->handle ? NULL : "released", types ? "'%s' %U" : "'%s'",
                function->name ? function->name : "", types);
    Py_XDECREF(types);
    return text;
}

BD_CLASS(
    FUNCTION, "Function", bd_function,
    "A kernel. Call it: f(*args, block, grid=(1, 1), stream=None, shared=0, "
    "texrefs=[], time_kernel=False, cooperative=False, cluster=None, priority=None). "
    "block, grid: up to three integers; shared: bytes "
    "of dynamic shared memory; time_kernel: wait and return seconds; cooperative: all "
    "blocks run at once and may wait for each other; cluster: blocks of a "
    "cluster.\n\nArguments: "
    "device memory (allocations, GPU arrays, anything with __cuda_array_interface__), "
    "In, Out and InOut around host arrays, NumPy scalars, NumPy records for structs, "
    "and Python numbers where the driver knows the parameter's type. TypeError says "
    "which argument is wrong. Each function_attribute is an attribute in lower case "
    "(f.num_regs). CUDA: cuLaunchKernel.",
    .methods = function_methods, .repr = function_repr, .getset = bd_handle_getset,
    PY_RELEASE(function_release), .call = PyVectorcall_Call,
    .members = function_members, .vectorcall = 1);
