/* What pycuda/compiler.py calls: a request from Python values, the outcome as a tuple.
   The exception for a kernel that does not compile is made there, and raised here for
   sources of all kinds. */
#include "compile_job.h"

int cmp_words_from(PyObject *object, void *words)
{
    if (object == Py_None)
        return 1;
    /* A tuple: paths may be objects, whose __fspath__ could change a list. */
    PyObject *items = PyUnicode_Check(object) ? NULL : PySequence_Tuple(object), *word;
    int good = items != NULL;
    if (!items)
        PyErr_Format(PyExc_TypeError,
                     "options and include_dirs are lists of str, not %R", object);
    for (Py_ssize_t i = 0; good && i < PyTuple_GET_SIZE(items); i++)
        /* 1 and no other truth: more bits ask for a second call, to clean up. */
        if ((good = PyUnicode_FSConverter(PyTuple_GET_ITEM(items, i), &word) != 0)) {
            cmp_put(words, "%s", PyBytes_AS_STRING(word));
            Py_DECREF(word);
        }
    Py_XDECREF(items);
    return good;
}

static PyObject *words_object(const cmp_text *words)
{
    PyObject *list = PyList_New(0);
    for (const char *word = NULL; list && (word = cmp_next(words, word));) {
        PyObject *item = PyUnicode_DecodeFSDefault(word);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* A compiler quotes the source, whatever its bytes are. */
static PyObject *text_object(const cmp_text *text)
{
    const char *bytes = text->bytes ? text->bytes : "";
    return PyUnicode_DecodeUTF8(bytes, strlen(bytes), "replace");
}

static void raise_compile_error(const cmp_outcome *outcome)
{
    PyObject *module = PyImport_ImportModule("pycuda.compiler");
    PyObject *error = module ? PyObject_CallMethod(module, "_compile_error", "NNNN",
                                                   text_object(&outcome->message),
                                                   words_object(&outcome->command),
                                                   text_object(&outcome->output),
                                                   text_object(&outcome->errors))
                             : NULL;
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(module);
}

int cmp_compile_or_raise(const cmp_request *request, cmp_outcome *outcome)
{
    if (cmp_compile(request, outcome))
        return -1;
    if (*outcome->folder)
        PySys_FormatStdout("*** compiler output in %s\n", outcome->folder);
    if (outcome->image.size)
        return 0;
    raise_compile_error(outcome);
    return -1;
}

PyDoc_STRVAR(
    compile_doc,
    "_compile_source(source, options, include_dirs, target, arch, code, compiler, "
    "cache_dir, no_extern_c, keep, checks)\n--\n\n"
    "Compile CUDA C for the current device, or find the image in the cache.\n\n"
    "Returns (image, stdout, stderr). Raises CompileError.");

static PyObject *compile_source(PyObject *module, PyObject *arguments)
{
    cmp_request request = {0};
    cmp_outcome outcome;
    PyObject *result = NULL;
    char *source = NULL; /* bytes as they are, or UTF-8 */
    if (PyArg_ParseTuple(arguments, "etO&O&szzzzppz:_compile_source", "utf-8", &source,
                         cmp_words_from, &request.options, cmp_words_from,
                         &request.include_dirs, &request.target, &request.arch,
                         &request.code, &request.compiler, &request.cache_dir,
                         &request.no_extern_c, &request.keep, &request.checks)) {
        request.source = source;
        if (!cmp_compile_or_raise(&request, &outcome))
            result = Py_BuildValue(
                "y#NN", outcome.image.bytes, (Py_ssize_t)outcome.image.size,
                text_object(&outcome.output), text_object(&outcome.errors));
        cmp_outcome_clear(&outcome);
    }
    PyMem_Free(source);
    cmp_text_clear(&request.options);
    cmp_text_clear(&request.include_dirs);
    return result;
}

PyDoc_STRVAR(find_doc,
             "_find_compiler(name)\n--\n\n"
             "Where hostcc, nvcc or nvrtc is: (path, None), or (None, what was "
             "looked for and what would help).");

static PyObject *find_compiler(PyObject *module, PyObject *name)
{
    static const cmp_backend *const all[] = {&cmp_hostcc, &cmp_nvcc, &cmp_nvrtc};
    const char *wanted = PyUnicode_AsUTF8(name);
    for (size_t i = 0; wanted && i < sizeof all / sizeof *all; i++) {
        if (strcmp(wanted, all[i]->name))
            continue;
        cmp_request request = {0};
        cmp_outcome outcome = {{0}};
        cmp_job job = {.request = &request, .outcome = &outcome};
        PyObject *found =
            all[i]->find(&job)
                ? Py_BuildValue("NO", PyUnicode_DecodeFSDefault(job.compiler), Py_None)
                : Py_BuildValue("ON", Py_None, text_object(&outcome.message));
        cmp_outcome_clear(&outcome);
        return found;
    }
    return wanted ? PyErr_Format(PyExc_ValueError,
                                 "a compiler is hostcc, nvcc or nvrtc, not %R", name)
                  : NULL;
}

PyDoc_STRVAR(cache_doc, "_cache_folder()\n--\n\n"
                        "The folder of compiled kernels, or an empty str: there is no "
                        "cache.");

static PyObject *cache_folder(PyObject *module, PyObject *unused)
{
    char folder[PATH_MAX] = "";
    cmp_cache_folder(NULL, folder);
    return PyUnicode_DecodeFSDefault(folder);
}

PyMethodDef cmp_functions[] = {
    {"_compile_source", compile_source, METH_VARARGS, compile_doc},
    {"_find_compiler", find_compiler, METH_O, find_doc},
    {"_cache_folder", cache_folder, METH_NOARGS, cache_doc},
    {NULL},
};
