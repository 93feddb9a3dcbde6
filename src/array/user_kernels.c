/* The class behind ElementwiseKernel, ReductionKernel and the scan kernels: words of a
   user, made into kernels when first called in a context, and called with arrays. */
#include "kernel_arguments.h"
#include <string.h>

#define SELF(object) ((ar_generated *)(object))

/* -- Definition ----------------------------------------------------------------- */

static void undefine(PyObject *object)
{
    ar_generated *self = SELF(object);
    if (self->program)
        kn_program_forget(self->state, self->program);
    for (int i = 0; i < self->count; i++) {
        Py_XDECREF(self->parameters[i].name);
        Py_XDECREF(self->parameters[i].dtype);
    }
    PyMem_Free(self->parameters);
    self->parameters = NULL;
    self->count = self->program = 0;
    Py_CLEAR(self->texts);
    Py_CLEAR(self->options);
    Py_CLEAR(self->dtype);
}
PY_RELEASED(undefine)

/* (name, dtype, is_vector, is_exact) */
static int parameter_add(ar_generated *self, PyObject *tuple)
{
    ar_parameter *at = &self->parameters[self->count];
    PyObject *dtype;
    if (!PyArg_ParseTuple(tuple, "UOii", &at->name, &dtype, &at->is_vector,
                          &at->is_exact))
        return -1;
    at->dtype = NULL;
    if (!PyArray_DescrConverter(dtype, &at->dtype))
        return -1;
    Py_INCREF(at->name);
    at->offset = self->bytes;
    size_t size = at->is_vector ? 8 : PyDataType_ELSIZE(at->dtype);
    self->bytes += (size + 15) / 16 * 16;
    self->count++;
    return 0;
}

static int kind_parse(PyObject *object, ar_kernel_kind *kind)
{
    static const char *const names[] = {[AR_ELEMENTWISE] = "elementwise",
                                        [AR_REDUCTION] = "reduction",
                                        [AR_SCAN] = "scan"};
    for (int i = AR_ELEMENTWISE; i <= AR_SCAN && PyUnicode_Check(object); i++)
        if (!PyUnicode_CompareWithASCIIString(object, names[i])) {
            *kind = i;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "there is no kind of kernel %R", object);
    return -1;
}

static int all_text(PyObject *tuple)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++)
        if (!PyUnicode_Check(PyTuple_GET_ITEM(tuple, i)) ||
            !PyUnicode_AsUTF8(PyTuple_GET_ITEM(tuple, i))) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_TypeError, "expected text, got %s",
                             Py_TYPE(PyTuple_GET_ITEM(tuple, i))->tp_name);
            return 0;
        }
    return 1;
}

BD_METHOD(generated_define, 6, 6,
          "_define($self, kind, parameters, texts, dtype, options, keep)",
          "Says what the kernel is. kind: 'elementwise', 'reduction' or 'scan'; "
          "parameters: tuples (name, "
          "dtype, is_vector, is_exact); texts: name, preamble, arguments, and those of "
          "the kind; dtype: of results.")
{
    ar_generated *kernel = SELF(self);
    PyObject *list = py_items(in[1], "parameters: expected a list");
    int failed = !list || !PyTuple_Check(in[2]) || !all_text(in[2]);
    if (kernel->calls) {
        Py_XDECREF(list);
        return PyErr_Format(PyExc_RuntimeError,
                            "kernel '%s' is being called and cannot be defined anew "
                            "until that returns: make another kernel",
                            ar_text(kernel, AR_NAME));
    }
    undefine(self);
    kernel->bytes = 0;
    failed = failed || kind_parse(in[0], &kernel->kind);
    Py_ssize_t count = list ? PyTuple_GET_SIZE(list) : 0;
    if (count > AR_MOST_ARGUMENTS) {
        PyErr_Format(PyExc_ValueError, "a kernel takes at most %d arguments, not %zd",
                     AR_MOST_ARGUMENTS, count);
        failed = 1;
    }
    if (!failed &&
        !(kernel->parameters = PyMem_Calloc(count + 1, sizeof(ar_parameter)))) {
        PyErr_NoMemory();
        failed = 1;
    }
    for (Py_ssize_t i = 0; i < count && !failed; i++)
        failed = parameter_add(kernel, PyTuple_GET_ITEM(list, i));
    Py_XDECREF(list);
    if (failed || py_flag(in[5], &kernel->keep) ||
        (in[3] != Py_None && !PyArray_DescrConverter(in[3], &kernel->dtype)))
        return NULL;
    kernel->texts = Py_NewRef(in[2]);
    kernel->options = in[4] == Py_None ? NULL : Py_NewRef(in[4]);
    kernel->state = bd_state_from(self);
    Py_XSETREF(kernel->base.other,
               Py_NewRef(PyType_GetModule(kernel->state->array_type)));
    kernel->program = kn_program_new(kernel->state);
    Py_RETURN_NONE;
}

/* The kernel in the current context. */
static const kn_loaded *load(ar_generated *self, bd_context *context, int variant,
                             uint32_t views)
{
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = self->program;
    key.variant = variant;
    key.views = views;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    const kn_tuning *tuning = kn_tuning_of(context);
    if (!tuning)
        return NULL;
    cmp_text source = {0};
    int in_one_launch = tuning->scan_blocks > 0;
    kn_user user = {ar_text(self, AR_NAME), ar_text(self, AR_PREAMBLE),
                    ar_text(self, AR_ARGUMENTS)};
    for (int i = 0; i < self->count && i < AR_MOST_VIEWED; i++)
        if (views & 1u << i)
            user.view[user.views++] = PyUnicode_AsUTF8(self->parameters[i].name);
    enum { STAGES = 3 };
    char stages[STAGES][200];
    const char *names[STAGES] = {user.name, stages[1], stages[2]};
    if (self->kind == AR_ELEMENTWISE)
        kn_put_elementwise(&source, &user, variant, ar_text(self, AR_OPERATION),
                           ar_text(self, AR_LOOP_PREP), ar_text(self, AR_AFTER_LOOP));
    else if (self->kind == AR_REDUCTION)
        kn_put_reduction(&source, &user,
                         &(kn_reduction_words){
                             .type = ar_text(self, AR_TYPE),
                             .result_type = ar_text(self, AR_TYPE),
                             .neutral = ar_text(self, AR_NEUTRAL),
                             .map = ar_text(self, AR_MAP),
                             .reduce = ar_text(self, AR_REDUCE),
                             .commutes = *ar_text(self, AR_COMMUTES) != 0,
                         });
    else {
        static const char *const suffix[] = {"scan", "sums", "carry"};
        kn_put_scan(&source, &user, ar_text(self, AR_TYPE), ar_text(self, AR_NEUTRAL),
                    ar_text(self, AR_COMBINE), *ar_text(self, AR_EXCLUSIVE) != 0,
                    in_one_launch);
        for (int i = 0; i < STAGES; i++)
            snprintf(stages[i], sizeof *stages, "%s_%s", user.name, suffix[i]);
        names[0] = stages[0];
    }
    return kn_load(context, &key, &source, self->options, self->keep,
                   self->kind == AR_SCAN && !in_one_launch ? STAGES : 1, names);
}

/* -- Calls ----------------------------------------------------------------------- */

/* Sorts keywords into values. */
static int take_keywords(const ar_generated *self, PyObject *names,
                         PyObject *const *from, const char *const *known, int count,
                         PyObject **values)
{
    if (py_sort_keywords(names, from, known, count, values, PyExc_TypeError,
                         "invalid keyword arguments specified: %U"))
        return -1;
    for (int i = 0; i < count; i++)
        values[i] = values[i] == Py_None ? NULL : values[i];
    if (self->program)
        return 0;
    PyErr_SetString(PyExc_RuntimeError, "the kernel was not defined: __init__ of its "
                                        "class was not called");
    return -1;
}

/* -- ElementwiseKernel ---------------------------------------------------------- */

typedef struct {
    int64_t start, stop, step;
    size_t count; /* how many values i takes */
} range;

static int range_parse(PyObject *object, int is_slice, npy_intp n, range *range)
{
    Py_ssize_t start, stop, step;
    if (!PySlice_Check(object)) {
        PyErr_Format(PyExc_TypeError, "range and slice: expected a slice, got %s",
                     Py_TYPE(object)->tp_name);
        return -1;
    }
    if (PySlice_Unpack(object, &start, &stop, &step))
        return -1;
    if (is_slice)
        PySlice_AdjustIndices(n, &start, &stop, step);
    else if (((PySliceObject *)object)->stop == Py_None) {
        PyErr_SetString(PyExc_TypeError, "range: the slice must have a stop");
        return -1;
    }
    uint64_t span = step > 0 ? (uint64_t)stop - start : (uint64_t)start - stop;
    uint64_t stride = step > 0 ? (uint64_t)step : -(uint64_t)step;
    int is_empty = step > 0 ? start >= stop : start <= stop;
    range->start = start;
    range->stop = stop;
    range->step = step;
    range->count = is_empty ? 0 : (span - 1) / stride + 1;
    return 0;
}

/* Whether each element is a matter of its own: vectors used at [i] only, without bytes
   in common, and no words before or after the loop. */
static int are_apart(const ar_generated *self, const ar_arguments *arguments)
{
    int apart = self->count <= 16 && !arguments->views &&
                !*ar_text(self, AR_LOOP_PREP) && !*ar_text(self, AR_AFTER_LOOP);
    for (int i = 0; i < self->count && apart; i++) {
        ar_array *array = arguments->vectors[i];
        apart = !array || self->parameters[i].is_exact;
        for (int k = 0; k < i && array; k++)
            apart &=
                !arguments->vectors[k] || !ar_overlap(array, arguments->vectors[k]);
    }
    return apart;
}

static int run_all(ar_generated *self, bd_context *context, ar_arguments *arguments,
                   CUstream stream)
{
    size_t n = arguments->first->size;
    const kn_loaded *loaded;
    arguments->params[2] = &n;
    if (ar_arguments_check_sizes(self, arguments))
        return -1;
    if (n == 0)
        return 0;
    const kn_tuning *tuning = kn_tuning_of(context);
    if (!tuning)
        return -1;
    kn_loop loop =
        tuning->has_apart && are_apart(self, arguments) ? KN_LOOP_APART : KN_LOOP_ALL;
    return !(loaded = load(self, context, loop, arguments->views)) ||
                   kn_launch_elementwise(context, loaded, n, loop, stream,
                                         arguments->params + 2)
               ? -1
               : 0;
}

static int run_range(ar_generated *self, bd_context *context, ar_arguments *arguments,
                     CUstream stream, PyObject *object, int is_slice)
{
    range range;
    const kn_loaded *loaded;
    if (range_parse(object, is_slice, arguments->first->size, &range))
        return -1;
    if (range.count == 0)
        return 0;
    arguments->params[0] = &range.start;
    arguments->params[1] = &range.stop;
    arguments->params[2] = &range.step;
    kn_loop loop = range.step == 1 ? KN_LOOP_UNIT_RANGE : KN_LOOP_RANGE;
    return !(loaded = load(self, context, loop, arguments->views)) ||
                   kn_launch_elementwise(context, loaded, range.count, loop, stream,
                                         arguments->params)
               ? -1
               : 0;
}

static const char generated_elementwise_doc[] =
    "_elementwise($self, *args, range=None, slice=None, stream=None)\n--\n\n"
    "Runs an element-wise kernel.";

static PyObject *generated_elementwise(PyObject *object, PyObject *const *args,
                                       Py_ssize_t nargs, PyObject *names)
{
    static const char *const known[] = {"range", "slice", "stream"};
    ar_generated *self = SELF(object);
    bd_state *state = self->state;
    PyObject *values[3] = {NULL};
    ar_arguments arguments;
    CUstream stream;
    int failed = -1;
    bd_context *context;
    if (take_keywords(self, names, args + nargs, known, 3, values) ||
        bd_stream(state, values[2], &stream))
        return NULL;
    if (values[0] && values[1]) {
        PyErr_SetString(PyExc_TypeError, "may not specify both range and slice");
        return NULL;
    }
    if (!(context = bd_context_hold(state)))
        return NULL;
    self->calls++; /* arguments may run a user's code */
    if (ar_arguments_take(self, &arguments, args, nargs) == 0) {
        if (!arguments.first)
            PyErr_SetString(
                PyExc_AssertionError,
                "an element-wise kernel needs at least one vector argument");
        else if (values[0] || values[1])
            failed = run_range(self, context, &arguments, stream,
                               values[values[0] ? 0 : 1], values[1] != NULL);
        else
            failed = run_all(self, context, &arguments, stream);
    }
    ar_arguments_clear(self, &arguments);
    self->calls--;
    Py_DECREF((PyObject *)context);
    return failed ? NULL : Py_NewRef(Py_None);
}

/* -- ReductionKernel ------------------------------------------------------------ */

static ar_array *result_of(ar_generated *self, const ar_arguments *arguments,
                           PyObject *out, PyObject *allocator)
{
    if (!out)
        return ar_new_single(arguments->first, self->dtype, allocator);
    if (!ar_expect(out, "out"))
        return NULL;
    if (!PyArray_EquivTypes(AR(out)->dtype, self->dtype))
        PyErr_SetString(PyExc_ValueError, "out must have the same dtype as dtype_out");
    else if (AR(out)->size == 0)
        PyErr_SetString(PyExc_ValueError, "out array is empty");
    else
        return AR(Py_NewRef(out));
    return NULL;
}

static const char generated_reduction_doc[] =
    "_reduction($self, *args, stream=None, out=None, allocator=None)\n--\n\n"
    "Runs a reduction.";

static PyObject *generated_reduction(PyObject *object, PyObject *const *args,
                                     Py_ssize_t nargs, PyObject *names)
{
    static const char *const known[] = {"stream", "out", "allocator", "kernel_wrapper"};
    ar_generated *self = SELF(object);
    bd_state *state = self->state;
    PyObject *values[4] = {NULL};
    ar_arguments arguments;
    CUstream stream;
    kn_result_place to = {0};
    const kn_loaded *loaded;
    ar_array *result = NULL;
    bd_context *context;
    if (take_keywords(self, names, args + nargs, known, 4, values) ||
        bd_stream(state, values[0], &stream) || !(context = bd_context_hold(state)))
        return NULL;
    self->calls++; /* arguments may run a user's code */
    if (ar_arguments_take(self, &arguments, args, nargs) ||
        ar_arguments_check_sizes(self, &arguments))
        goto done;
    if (!arguments.first) {
        PyErr_SetString(PyExc_AssertionError,
                        "a reduction needs at least one vector argument");
        goto done;
    }
    result = result_of(self, &arguments, values[1], values[2]);
    if (result && ((values[1] ? ar_address(result, &to.result)
                              : ar_result_place(result, stream, &to)) ||
                   !(loaded = load(self, context, 0, arguments.views)) ||
                   kn_launch_reduction(context, loaded, arguments.first->size,
                                       PyDataType_ELSIZE(self->dtype), &to, stream,
                                       arguments.params)))
        Py_CLEAR(result);
done:
    ar_arguments_clear(self, &arguments);
    self->calls--;
    Py_DECREF((PyObject *)context);
    return (PyObject *)result;
}

/* -- Scan kernels --------------------------------------------------------------- */

static int check_scan(const ar_generated *self, const ar_array *array,
                      const char *which)
{
    if (!PyArray_EquivTypes(array->dtype, self->dtype) &&
        !ar_laid_out_alike(array->dtype, self->dtype))
        PyErr_Format(PyExc_TypeError, "%s of scan '%s': expected dtype %S, got %S",
                     which, ar_text(self, AR_NAME), self->dtype, array->dtype);
    else if (array->ndim != 1)
        PyErr_Format(PyExc_ValueError, "%s of scan '%s': expected one axis, got %d",
                     which, ar_text(self, AR_NAME), array->ndim);
    else
        return 0;
    return -1;
}

/* The array to write to: given, new, or the input itself. */
static ar_array *scan_output(ar_generated *self, ar_array *input, PyObject *output,
                             PyObject *allocator)
{
    if (!output || output == Py_None)
        return AR(Py_NewRef((PyObject *)input));
    if (PyUnicode_Check(output) && !PyUnicode_CompareWithASCIIString(output, "new"))
        return allocator && allocator != Py_None
                   ? ar_new(self->state, input->dtype, 1, input->shape, NULL, allocator)
                   : ar_like(input, input->dtype, 'C');
    if (ar_expect(output, "output_ary") &&
        check_scan(self, AR(output), "output_ary") == 0) {
        if (AR(output)->size == input->size)
            return AR(Py_NewRef(output));
        PyErr_SetString(PyExc_ValueError, "input and output must have the same shape");
    }
    return NULL;
}

/* What is no single stretch is copied to one, before and after; so is a result that
   would be written over elements that are still to be read. */
static int scan(ar_generated *self, bd_context *context, ar_array *input,
                ar_array *output, CUstream stream)
{
    CUdeviceptr from, to;
    const kn_loaded *loaded;
    int failed = -1;
    ar_array *dense = ar_contiguous(input, stream), *result = NULL;
    if (dense && (!output->order ||
                  (ar_overlap(dense, output) && !ar_same_elements(dense, output))))
        result = ar_like(output, output->dtype, 'C');
    else if (dense)
        result = AR(Py_NewRef((PyObject *)output));
    if (result && !ar_address(dense, &from) && !ar_address(result, &to) &&
        (loaded = load(self, context, 0, 0)))
        failed = kn_launch_scan(context, loaded, input->size,
                                PyDataType_ELSIZE(self->dtype), from, to, stream) ||
                 (result != output && ar_assign(output, (PyObject *)result, stream));
    Py_XDECREF(dense);
    Py_XDECREF(result);
    return failed ? -1 : 0;
}

BD_METHOD(generated_scan, 1, 4,
          "_scan($self, input_ary, output_ary=None, allocator=None, stream=None)",
          "Runs a scan.")
{
    ar_generated *kernel = SELF(self);
    bd_state *state = kernel->state;
    CUstream stream;
    ar_array *input = NULL, *output = NULL;
    bd_context *context;
    if (take_keywords(kernel, NULL, NULL, NULL, 0, NULL) ||
        bd_stream(state, in[3], &stream) || !(context = bd_context_hold(state)))
        return NULL;
    kernel->calls++; /* arguments may run a user's code */
    int found = ar_from(state, in[0], &input);
    if (found == 0)
        PyErr_Format(PyExc_TypeError, "input_ary: expected a GPUArray, got %s",
                     Py_TYPE(in[0])->tp_name);
    if (found > 0 && !check_scan(kernel, input, "input_ary"))
        output = scan_output(kernel, input, in[1], in[2]);
    if (output && input->size && scan(kernel, context, input, output, stream))
        Py_CLEAR(output);
    Py_XDECREF(input);
    kernel->calls--;
    Py_DECREF((PyObject *)context);
    return (PyObject *)output;
}

/* -- The class ------------------------------------------------------------------ */

static PyMethodDef generated_methods[] = {
    BD_ROW("_define", generated_define),
    BD_ROW("_elementwise", generated_elementwise),
    BD_ROW("_reduction", generated_reduction),
    BD_ROW("_scan", generated_scan),
    {NULL},
};

static PyMemberDef generated_members[] = {PY_MEMBERS, {NULL}};

int ar_generated_types_create(bd_state *state, PyObject *module)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, "A kernel made of a user's words."},
        {Py_tp_new, PyType_GenericNew},
        {Py_tp_dealloc, undefine_dealloc},
        {Py_tp_traverse, py_object_traverse},
        {Py_tp_clear, undefine_clear},
        {Py_tp_methods, generated_methods},
        {Py_tp_members, generated_members},
        {0, NULL},
    };
    PyType_Spec spec = {"pycuda._native.GeneratedKernel", sizeof(ar_generated), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                        slots};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int failed = !type || PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
