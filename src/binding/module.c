/* Module: kernels and globals of one loaded image; and the Linker, which makes a Module
   of several objects. Both take just-in-time options and give the log to a message
   handler. */
#include <elf.h>
#include <string.h>
#include "compile/compile.h"
#include "arrays.h"
#include "kernel.h"
#include "memory.h"
#include "python/log.h"

/* -- Options and logs ----------------------------------------------------------- */

enum { LOG_BYTES = 32768, MAX_OPTIONS = 40 };

typedef struct {
    unsigned count;
    CUjit_option names[MAX_OPTIONS];
    void *values[MAX_OPTIONS];
    char info[LOG_BYTES], error[LOG_BYTES];
} jit;

static void jit_add(jit *self, CUjit_option name, uintptr_t value)
{
    self->names[self->count] = name;
    self->values[self->count++] = (void *)value;
}

/* Options whose value is an address that the driver reads or writes. */
static int refuse_address(unsigned option)
{
    switch (option) {
    case CU_JIT_INFO_LOG_BUFFER:
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
    case CU_JIT_ERROR_LOG_BUFFER:
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        PyErr_SetString(PyExc_ValueError,
                        "options: the buffers of the logs are set already; "
                        "message_handler is given what is in them");
        return -1;
    case CU_JIT_GLOBAL_SYMBOL_NAMES:
    case CU_JIT_GLOBAL_SYMBOL_ADDRESSES:
    case CU_JIT_GLOBAL_SYMBOL_COUNT:
    case CU_JIT_REFERENCED_KERNEL_NAMES:
    case CU_JIT_REFERENCED_KERNEL_COUNT:
    case CU_JIT_REFERENCED_VARIABLE_NAMES:
    case CU_JIT_REFERENCED_VARIABLE_COUNT:
        PyErr_Format(PyExc_ValueError,
                     "options: jit_option %u takes a table in memory, and values here "
                     "are integers; leave it out",
                     option);
        return -1;
    default:
        return 0;
    }
}

static int pair_parse(PyObject *pair, PyObject **name, PyObject **value)
{
    if (PyTuple_Check(pair))
        return PyArg_ParseTuple(pair, "OO:options", name, value);
    PyErr_SetString(PyExc_TypeError, "options: expected (jit_option, value) pairs");
    return 0;
}

/* An iterable of (jit_option, int) pairs, or NULL. */
static int jit_init(jit *self, PyObject *options, int verbose)
{
    self->count = 0;
    *self->info = *self->error = 0;
    jit_add(self, CU_JIT_INFO_LOG_BUFFER, (uintptr_t)self->info);
    jit_add(self, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
    jit_add(self, CU_JIT_ERROR_LOG_BUFFER, (uintptr_t)self->error);
    jit_add(self, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
    if (verbose)
        jit_add(self, CU_JIT_LOG_VERBOSE, 1);
    PyObject *pairs =
        options && options != Py_None
            ? py_items(options, "options: expected (jit_option, value) pairs")
            : PyTuple_New(0);
    int result = pairs ? 0 : -1;
    for (Py_ssize_t i = 0; pairs && i < PyTuple_GET_SIZE(pairs); i++) {
        PyObject *name, *value, *pair = PyTuple_GET_ITEM(pairs, i);
        unsigned option = 0;
        int64_t number;
        if (self->count == MAX_OPTIONS) {
            PyErr_SetString(PyExc_ValueError, "options: too many");
            result = -1;
        } else if (!pair_parse(pair, &name, &value) ||
                   py_flags(name, "jit_option", &option) || refuse_address(option) ||
                   py_signed(value, "option value", INT64_MIN, INT64_MAX, &number))
            result = -1;
        if (result)
            break;
        jit_add(self, option, (uintptr_t)number);
    }
    Py_XDECREF(pairs);
    return result;
}

/* Tells the handler, then raises if the status is a failure. */
static int jit_finish(bd_state *state, jit *self, CUresult status, const char *routine,
                      PyObject *handler)
{
    if (handler && handler != Py_None) {
        PyObject *done = PyObject_CallFunction(
            handler, "ONN", status ? Py_False : Py_True,
            PyUnicode_DecodeUTF8(self->info, strlen(self->info), "replace"),
            PyUnicode_DecodeUTF8(self->error, strlen(self->error), "replace"));
        if (!done)
            return -1;
        Py_DECREF(done);
    }
    if (status && *self->error)
        bd_raise_because(state, status, routine, "%s", self->error);
    else if (status)
        bd_raise(state, status, routine);
    return status ? -1 : 0;
}

/* -- Module --------------------------------------------------------------------- */

/* Takes the handle, also on failure. entries: what PTX declares of the kernels, kept in
 * `other` as bytes (params.c reads it); taken, too. */
static PyObject *wrap(bd_state *state, bd_context *context, CUmodule handle,
                      cmp_text *entries)
{
    bd_handle *self = bd_object_new(state, BD_MODULE, context, NULL);
    if (!self)
        BD_UNLOCKED(cu.cuModuleUnload(handle));
    else
        self->handle = (uintptr_t)handle;
    if (self && entries->size && !entries->failed &&
        !(self->base.other = PyBytes_FromStringAndSize(entries->bytes, entries->size)))
        Py_CLEAR(self);
    cmp_text_clear(entries);
    return (PyObject *)self;
}

BD_DESTROYED(module_release, cuModuleUnload)

/* The linkage names of a module's kernels; an empty list if the driver does not tell,
   as before CUDA 12.4. */
static PyObject *kernel_names(PyObject *self)
{
    CUfunction *functions = NULL;
    CUmodule module = BD_HANDLE(CUmodule, self);
    const char *name;
    unsigned count = 0;
    if (cu.cuModuleGetFunctionCount(&count, module) || !count ||
        !(functions = PyMem_Malloc(count * sizeof *functions)) ||
        cu.cuModuleEnumerateFunctions(functions, count, module))
        count = 0;
    PyObject *names = PyList_New(0);
    for (unsigned i = 0; names && i < count; i++) {
        PyObject *item = cu.cuFuncGetName(&name, functions[i])
                             ? NULL
                             : PyUnicode_DecodeUTF8(name, strlen(name), "replace");
        if (item && PyList_Append(names, item))
            Py_CLEAR(names);
        Py_XDECREF(item);
    }
    PyMem_Free(functions);
    return names;
}

/* LogicError that names the kernels that there are, the most alike first. */
static void raise_no_kernel(PyObject *self, PyObject *name, const char *text)
{
    PyObject *names = kernel_names(self), *alike = NULL, *list = NULL;
    PyObject *comma = PyUnicode_FromString(", "),
             *difflib = names && PyList_GET_SIZE(names)
                            ? PyImport_ImportModule("difflib")
                            : NULL;
    if (difflib && comma) /* (word, words, how many, how alike at least) */
        alike = PyObject_CallMethod(difflib, "get_close_matches", "OOid", name, names,
                                    10, 0.0);
    if (alike)
        list = PyUnicode_Join(comma, alike);
    PyErr_Clear();
    bd_raise_because(
        bd_state_from(self), CUDA_ERROR_NOT_FOUND, "cuModuleGetFunction",
        "no kernel '%s' in the module%s%s%s%s", text, list ? ", which has " : "",
        list ? PyUnicode_AsUTF8(list) : "",
        list && strstr(PyUnicode_AsUTF8(list), "_Z")
            ? " (names of C++; extern \"C\" __global__ keeps those of the source)"
            : "",
        strchr(text, '<') ? "; a template is compiled where the source names it: "
                            "template __global__ void f<float>(float *);"
                          : "");
    Py_XDECREF(list);
    Py_XDECREF(alike);
    Py_XDECREF(difflib);
    Py_XDECREF(comma);
    Py_XDECREF(names);
}

/* Looks a name up in a module, by an entry point that takes (result, its size unless
   `size` is NULL, module, name). Returns the name as C text; NULL: an exception, which
   says that the module has no such `what`. */
static const char *find(PyObject *self, PyObject *name, bd_invoker *entry,
                        const char *routine, const char *what, void *found,
                        size_t *size)
{
    const char *text = py_text(name);
    if (!text || bd_context_check_of(self))
        return NULL;
    const uint64_t slots[] = {(uintptr_t)found, (uintptr_t)size,
                              ((bd_handle *)self)->handle, (uintptr_t)text};
    const uint64_t unsized[] = {slots[0], slots[2], slots[3]};
    CUresult status = BD_BRIEFLY(bd_state_from(self), entry(size ? slots : unsized));
    if (status == CUDA_ERROR_NOT_FOUND && entry == bd_invoke_cuModuleGetFunction) {
        raise_no_kernel(self, name, text);
        return NULL;
    }
    if (status == CUDA_ERROR_NOT_FOUND)
        return bd_raise_because(bd_state_from(self), status, routine,
                                "no %s '%s' in the module", what, text);
    return bd_check(bd_state_from(self), status, routine) ? NULL : text;
}

/* The linkage name of an instance of a template, "f<float>", if there is one such; else
   the name itself. */
static PyObject *linkage_name(PyObject *self, PyObject *name)
{
    PyObject *names = kernel_names(self), *found = NULL;
    PyObject *module = names ? PyImport_ImportModule("pycuda._mangling") : NULL;
    if (module)
        found = PyObject_CallMethod(module, "find", "OO", name, names);
    Py_XDECREF(module);
    Py_XDECREF(names);
    if (found == Py_None)
        Py_SETREF(found, Py_NewRef(name));
    return found;
}

BD_METHOD(module_get_function, 1, 1, "get_function($self, name)",
          "The kernel of that (linkage) name as a Function, or the instance of a "
          "template, as in 'f<float, 3>'; LogicError if there is none. CUDA: "
          "cuModuleGetFunction.")
{
    CUfunction handle;
    const char *text = py_text(in[0]), *name = NULL;
    if (!text || bd_context_check_of(self))
        return NULL;
    PyObject *wanted = strchr(text, '<') ? linkage_name(self, in[0]) : Py_NewRef(in[0]);
    if (wanted)
        name =
            find(self, wanted, BD_ENTRY(cuModuleGetFunction), "kernel", &handle, NULL);
    PyObject *function = name && !bd_function_load(bd_state_from(self), handle, name, 0)
                             ? bd_function_wrap(self, handle, name)
                             : NULL;
    Py_XDECREF(wanted);
    return function;
}

BD_METHOD(module_get_global, 1, 1, "get_global($self, name)",
          "(address, size in bytes) of a __device__ or __constant__ variable. CUDA: "
          "cuModuleGetGlobal.")
{
    CUdeviceptr pointer;
    size_t size;
    return find(self, in[0], BD_ENTRY(cuModuleGetGlobal), "global", &pointer, &size)
               ? Py_BuildValue("Kn", pointer, (Py_ssize_t)size)
               : NULL;
}

/* The declared reference of that name; what: "texture reference" or "surface
 * reference". */
static PyObject *reference(PyObject *self, PyObject *name, bd_invoker *entry,
                           const char *routine, int type, const char *what)
{
    bd_handle *made = NULL;
    uint64_t handle;
    if (!bd_references_exist(what) &&
        find(self, name, entry, routine, what, &handle, NULL))
        made = bd_object_new(bd_state_from(self), type, BD_CONTEXT_OF(self), self);
    if (made)
        made->handle = handle;
    return (PyObject *)made;
}

BD_METHOD(module_get_texref, 1, 1, "get_texref($self, name)",
          "The TextureReference of that name; on the host device alone. CUDA: "
          "cuModuleGetTexRef.")
{
    return reference(self, in[0], BD_ENTRY(cuModuleGetTexRef), BD_TEXTURE_REFERENCE,
                     "texture reference");
}

BD_METHOD(module_get_surfref, 1, 1, "get_surfref($self, name)",
          "The SurfaceReference of that name; on the host device alone. CUDA: "
          "cuModuleGetSurfRef.")
{
    return reference(self, in[0], BD_ENTRY(cuModuleGetSurfRef), BD_SURFACE_REFERENCE,
                     "surface reference");
}

BD_METHOD(module_kernel_names, 0, 0, "_kernel_names($self)",
          "The linkage names of the kernels; empty if the driver is older than CUDA "
          "12.4. CUDA: cuModuleEnumerateFunctions, cuFuncGetName.")
{
    return bd_context_check_of(self) ? NULL : kernel_names(self);
}

static PyMethodDef methods[] = {
    BD_ROW("get_function", module_get_function),
    BD_ROW("_kernel_names", module_kernel_names),
    BD_ROW("get_global", module_get_global),
    BD_ROW("get_texref", module_get_texref),
    BD_ROW("get_surfref", module_get_surfref),
    {NULL},
};

BD_CLASS(MODULE, "Module", bd_handle,
         "Kernels and globals of a loaded image. Unloaded with the last reference; "
         "Functions hold one.",
         .repr = bd_handle_repr, .methods = methods, .getset = bd_handle_getset,
         PY_RELEASE(module_release));

BD_METHOD(module_from_file, 1, 1, "module_from_file(filename)",
          "A Module from an image on disk; RuntimeError if there is no such file. "
          "CUDA: cuModuleLoad.")
{
    bd_state *state = bd_state_get(self);
    cmp_text entries = {0};
    PyObject *path = NULL, *module = NULL;
    CUmodule handle;
    if (!PyUnicode_FSConverter(in[0], &path))
        return NULL;
    const char *name = PyBytes_AS_STRING(path);
    bd_context *context = bd_context_hold(state);
    if (context && !BD_CALL_UNLOCKED(state, cuModuleLoad, &handle, name)) {
        cmp_entries_read(name, &entries);
        module = wrap(state, context, handle, &entries);
    }
    Py_XDECREF((PyObject *)context);
    Py_DECREF(path);
    return module;
}

/* Drivers are told where an image starts, and read on as far as its tables say. */
static int is_cut_off(const Py_buffer *image)
{
    Elf64_Ehdr elf;
    size_t length = image->len;
    if (length < SELFMAG || memcmp(image->buf, ELFMAG, SELFMAG))
        return 0;
    if (length < sizeof elf)
        return 1;
    memcpy(&elf, image->buf, sizeof elf);
    size_t sections = (size_t)elf.e_shnum * elf.e_shentsize;
    size_t segments = (size_t)elf.e_phnum * elf.e_phentsize;
    return sections > length || elf.e_shoff > length - sections || segments > length ||
           elf.e_phoff > length - segments;
}

BD_METHOD(module_from_buffer, 1, 3,
          "module_from_buffer(buffer, options=[], message_handler=None)",
          "A Module from an image in memory (any contiguous buffer; PTX text ends with "
          "a zero byte, as bytes objects do). options: pairs (jit_option, int). "
          "message_handler(success, info, error) gets the compiler's logs. CUDA: "
          "cuModuleLoadDataEx.")
{
    bd_state *state = bd_state_get(self);
    Py_buffer view;
    cmp_text entries = {0};
    CUmodule handle = NULL;
    PyObject *module = NULL;
    jit options;
    if (bd_buffer(in[0], &view, 0))
        return NULL;
    int cut = is_cut_off(&view);
    if (cut)
        bd_raise_because(state, CUDA_ERROR_INVALID_IMAGE, "cuModuleLoadDataEx",
                         "%zd bytes are not all of the image", view.len);
    if (cut || jit_init(&options, in[1], 0)) {
        PyBuffer_Release(&view);
        return NULL;
    }
    bd_context *context = bd_context_hold(state);
    if (!context) {
        PyBuffer_Release(&view);
        return NULL;
    }
    CUresult status = BD_UNLOCKED(cu.cuModuleLoadDataEx(
        &handle, view.buf, options.count, options.names, options.values));
    if (!status)
        cmp_entries_find(view.buf, view.len, &entries);
    if (!status)
        py_log("debug", "loaded a module of %zd bytes", view.len);
    PyBuffer_Release(&view);
    if (jit_finish(state, &options, status, "cuModuleLoadDataEx", in[2]) == 0)
        module = wrap(state, context, handle, &entries);
    else if (!status)
        BD_UNLOCKED(cu.cuModuleUnload(handle));
    cmp_text_clear(&entries);
    Py_DECREF((PyObject *)context);
    return module;
}

PyMethodDef bd_module_methods[] = {
    BD_ROW("module_from_file", module_from_file),
    BD_ROW("module_from_buffer", module_from_buffer),
    {NULL},
};

/* -- Linker --------------------------------------------------------------------- */

typedef struct {
    py_object base;     /* other: the message handler */
    CUlinkState handle; /* as in bd_handle */
    cmp_text entries;   /* owned: of the images added so far */
    jit options;        /* the driver writes to its logs until the link is destroyed */
    int busy;           /* a call is under way, perhaps in another thread */
} linker;

#define LINKER(self) ((linker *)(self))

BD_NEW(linker_new, 0, 3,
       "Linker(message_handler=None, options=None, log_verbose=False)",
       "Links objects, PTX and libraries into a Module. options: pairs (jit_option, "
       "int). CUDA: cuLinkCreate.")
{
    int verbose = 0;
    bd_context *context;
    if (py_flag(in[2], &verbose) || !(context = bd_context_current(state)))
        return NULL;
    linker *self = py_object_new_of(type, context, NULL);
    if (!self)
        return NULL;
    self->base.other = Py_XNewRef(in[0]);
    jit *options = &self->options;
    if (jit_init(options, in[1], verbose) ||
        BD_CALL(state, cuLinkCreate, options->count, options->names, options->values,
                &self->handle))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void linker_release(PyObject *self)
{
    bd_handle_destroy(self, BD_ENTRY(cuLinkDestroy));
    cmp_text_clear(&LINKER(self)->entries);
}
PY_RELEASED(linker_release)

/* 0: the caller has it for himself until he sets busy to 0. */
static int linker_take(PyObject *self)
{
    if (bd_handle_check(self, "it was linked already"))
        return -1;
    if (LINKER(self)->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Linker: another call is under way, in another thread or in "
                        "its message_handler");
        return -1;
    }
    LINKER(self)->busy = 1;
    return 0;
}

/* The handler hears of failures here and of success when all is linked. */
static PyObject *linker_added(PyObject *self, CUresult status, const char *routine)
{
    PyObject *handler = status ? LINKER(self)->base.other : NULL;
    int failed = jit_finish(bd_state_from(self), &LINKER(self)->options, status,
                            routine, handler);
    LINKER(self)->busy = 0;
    return failed ? NULL : Py_NewRef(Py_None);
}

BD_METHOD(
    linker_add_data, 2, 3, "add_data($self, data, input_type, name='unknown')",
    "Adds an image in memory: jit_input_type says of which kind. CUDA: cuLinkAddData.")
{
    unsigned type = 0;
    const char *name = in[2] ? py_text(in[2]) : "unknown";
    Py_buffer view;
    if (!name || py_flags(in[1], "input_type", &type) || bd_buffer(in[0], &view, 0))
        return NULL;
    if (linker_take(self)) {
        PyBuffer_Release(&view);
        return NULL;
    }
    size_t size = cmp_entries_find(view.buf, view.len, &LINKER(self)->entries);
    CUresult status = BD_UNLOCKED(cu.cuLinkAddData(LINKER(self)->handle, type, view.buf,
                                                   size, name, 0, NULL, NULL));
    PyBuffer_Release(&view);
    return linker_added(self, status, "cuLinkAddData");
}

BD_METHOD(
    linker_add_file, 2, 2, "add_file($self, filename, input_type)",
    "Adds an image on disk: jit_input_type says of which kind. CUDA: cuLinkAddFile.")
{
    unsigned type = 0;
    PyObject *path = NULL;
    if (py_flags(in[1], "input_type", &type) || !PyUnicode_FSConverter(in[0], &path))
        return NULL;
    if (linker_take(self)) {
        Py_DECREF(path);
        return NULL;
    }
    CUresult status = BD_UNLOCKED(cu.cuLinkAddFile(
        LINKER(self)->handle, type, PyBytes_AS_STRING(path), 0, NULL, NULL));
    Py_DECREF(path);
    return linker_added(self, status, "cuLinkAddFile");
}

BD_METHOD(linker_link_module, 0, 0, "link_module($self)",
          "Links what was added into a Module; the Linker is used up. CUDA: "
          "cuLinkComplete, cuModuleLoadData.")
{
    bd_state *state = bd_state_from(self);
    CUmodule handle;
    void *image = NULL;
    size_t size;
    bd_context *context = bd_context_hold(state);
    if (!context || linker_take(self)) {
        Py_XDECREF((PyObject *)context);
        return NULL;
    }
    CUresult status =
        BD_UNLOCKED(cu.cuLinkComplete(LINKER(self)->handle, &image, &size));
    PyObject *result = NULL;
    if (jit_finish(state, &LINKER(self)->options, status, "cuLinkComplete",
                   LINKER(self)->base.other) == 0 &&
        !BD_CALL_UNLOCKED(state, cuModuleLoadData, &handle, image))
        result = wrap(state, context, handle, &LINKER(self)->entries);
    linker_release(self);
    LINKER(self)->busy = 0;
    Py_DECREF((PyObject *)context);
    return result;
}

static PyMethodDef linker_methods[] = {
    BD_ROW("add_data", linker_add_data),
    BD_ROW("add_file", linker_add_file),
    BD_ROW("link_module", linker_link_module),
    {NULL},
};

BD_CLASS(LINKER, "Linker", linker, linker_new_doc, .new = linker_new,
         .repr = bd_handle_repr, .methods = linker_methods, PY_RELEASE(linker_release));
