/* Collective operations on arrays: what is asked of a rank, checked, for NCCL. Which
   function of pycuda/nccl.py asks for what stands there. */
#include "array.h"
#include "libraries/libraries.h"

/* What NCCL reduces, and how many numbers an element is. */
static const struct {
    int8_t type, count;
} types[KN_TYPE_COUNT] = {
    [KN_I8] = {ncclInt8, 1},     [KN_U8] = {ncclUint8, 1},
    [KN_I32] = {ncclInt32, 1},   [KN_U32] = {ncclUint32, 1},
    [KN_I64] = {ncclInt64, 1},   [KN_U64] = {ncclUint64, 1},
    [KN_F16] = {ncclFloat16, 1}, [KN_BF16] = {ncclBfloat16, 1},
    [KN_F32] = {ncclFloat32, 1}, [KN_F64] = {ncclFloat64, 1},
    [KN_C64] = {ncclFloat32, 2}, [KN_C128] = {ncclFloat64, 2},
};

static const struct {
    const char *name;
    int reduces, gives, gets, has_parts; /* arrays; one is parts, one for each rank */
} kinds[LIB_COLLECTIVES] = {
    [LIB_ALL_REDUCE] = {"all_reduce", 1, 1, 1, 0},
    [LIB_BROADCAST] = {"broadcast", 0, 1, 1, 0},
    [LIB_REDUCE] = {"reduce", 1, 1, 1, 0},
    [LIB_ALL_GATHER] = {"all_gather", 0, 1, 1, 1},
    [LIB_REDUCE_SCATTER] = {"reduce_scatter", 1, 1, 1, 1},
    [LIB_SEND] = {"send", 0, 1, 0, 0},
    [LIB_RECEIVE] = {"recv", 0, 0, 1, 0},
};

/* -- Checks ----------------------------------------------------------------------- */

static int check_array(const lib_collective *c, const ar_array *array)
{
    const lib_ranks *ranks = c->ranks;
    bd_context *context = array->head.base.context;
    if (context != ranks->context) {
        PyErr_Format(PyExc_ValueError,
                     "%s: the array is in %s of device %d, and rank %d works in the "
                     "primary context of device %d",
                     kinds[c->kind].name, context ? "a context" : "memory",
                     context ? bd_context_device(context) : -1, ranks->rank,
                     bd_context_device(ranks->context));
        return -1;
    }
    int orders = kinds[c->kind].has_parts ? AR_C : AR_C | AR_F;
    if (array->order & orders)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "%s: the array has gaps between its elements, or another order than "
                 "C; its copy() has not",
                 kinds[c->kind].name);
    return -1;
}

/* Whether types and sizes of two arrays fit. */
static int check_pair(const lib_collective *c, const ar_array *from, const ar_array *to)
{
    const char *name = kinds[c->kind].name;
    npy_intp parts = kinds[c->kind].has_parts ? c->ranks->size : 1, size = parts;
    int gathers = c->kind == LIB_ALL_GATHER;
    const ar_array *whole = gathers ? to : from, *part = gathers ? from : to;
    if (!PyArray_EquivTypes(from->dtype, to->dtype)) {
        PyErr_Format(PyExc_TypeError, "%s: from %R to %R", name,
                     (PyObject *)from->dtype, (PyObject *)to->dtype);
        return -1;
    }
    if (part->size && whole->size / part->size != parts)
        size = -1;
    if (size < 0 || whole->size != part->size * parts) {
        PyErr_Format(
            PyExc_ValueError,
            "%s: from %zd elements to %zd of %d ranks; %s has as many as %s%s", name,
            from->size, to->size, c->ranks->size, gathers ? "out_array" : "in_array",
            gathers ? "in_array" : "out_array", parts > 1 ? ", for each rank" : "");
        return -1;
    }
    if (parts == 1 && !(from->order & to->order)) {
        PyErr_Format(PyExc_ValueError, "%s: one array is in C order, one in Fortran's",
                     name);
        return -1;
    }
    return 0;
}

/* In place is the one way in which NCCL allows the two to overlap. */
static int check_overlap(const lib_collective *c, const ar_array *from,
                         const ar_array *to)
{
    int gathers = c->kind == LIB_ALL_GATHER;
    const ar_array *part = gathers ? from : to;
    size_t offset = kinds[c->kind].has_parts
                        ? c->ranks->rank * part->size * (size_t)AR_ITEMSIZE(part)
                        : 0;
    CUdeviceptr at = gathers ? c->from : c->to, whole = gathers ? c->to : c->from;
    if (at == whole + offset || !ar_overlap(from, to))
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "%s: the arrays overlap; in place, the part of rank %d begins %zu "
                 "bytes behind the whole",
                 kinds[c->kind].name, c->ranks->rank, offset);
    return -1;
}

/* The type that NCCL is told, and how many elements of it `array` has. */
static int set_type(lib_collective *c, const ar_array *array)
{
    int is_complex = array->type == KN_C64 || array->type == KN_C128;
    if (!kinds[c->kind].reduces) {
        c->type = ncclUint8; /* whatever they are */
        c->count = array->size * AR_ITEMSIZE(array);
        return 0;
    }
    if (types[array->type].count &&
        (!is_complex || c->operation == ncclSum || c->operation == ncclAvg)) {
        c->type = types[array->type].type;
        c->count = array->size * types[array->type].count;
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "%s of %R: NCCL has int8, uint8, int32, uint32, int64, uint64, "
                 "float16, bfloat16, float32 and float64, and of complex64 and "
                 "complex128 sums and averages",
                 kinds[c->kind].name, (PyObject *)array->dtype);
    return -1;
}

/* -- Parsing ---------------------------------------------------------------------- */

static int parse_stream(bd_state *state, lib_collective *c, PyObject *object)
{
    if (object == Py_None)
        return 0; /* the default stream of the rank's context */
    if (bd_stream(state, object, &c->stream))
        return -1;
    if (!PyObject_TypeCheck(object, state->type[BD_STREAM]) ||
        BD_CONTEXT_OF(object) == c->ranks->context)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "%s: the stream is not of the primary context of device %d",
                 kinds[c->kind].name, bd_context_device(c->ranks->context));
    return -1;
}

static int parse_arrays(lib_collective *c, PyObject *from, PyObject *to)
{
    int gives = kinds[c->kind].gives, gets = kinds[c->kind].gets;
    if (c->kind == LIB_REDUCE && to == Py_None) {
        if (c->root == c->ranks->rank) {
            PyErr_SetString(PyExc_ValueError, "reduce: the root needs an out_array");
            return -1;
        }
        gets = 0;
    }
    if ((gives && !ar_expect(from, "in_array")) ||
        (gets && !ar_expect(to, "out_array")))
        return -1;
    if ((gives && check_array(c, AR(from))) || (gets && check_array(c, AR(to))) ||
        (gives && gets && check_pair(c, AR(from), AR(to))))
        return -1;
    const ar_array *part = !gives || c->kind == LIB_REDUCE_SCATTER ? AR(to) : AR(from);
    if (set_type(c, part) || (gives && ar_address(AR(from), &c->from)) ||
        (gets && ar_address(AR(to), &c->to)))
        return -1;
    return gives && gets ? check_overlap(c, AR(from), AR(to)) : 0;
}

/* (communicator, kind, from, to, operation, root, stream): of pycuda/nccl.py. What may
   run code of the user's; arrays are borrowed from the tuple. */
static int parse(bd_state *state, PyObject *object, lib_collective *c,
                 PyObject *arrays[2])
{
    PyObject *capsule, *stream;
    int kind, operation, root;
    if (!PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "a call is a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(object, "OiOOiiO", &capsule, &kind, &arrays[0], &arrays[1],
                          &operation, &root, &stream) ||
        !(c->ranks = lib_ranks_of(capsule)))
        return -1;
    if (kind < 0 || kind >= LIB_COLLECTIVES) {
        PyErr_Format(PyExc_ValueError, "%d is no operation", kind);
        return -1;
    }
    c->kind = kind;
    c->operation = operation;
    c->root = root;
    if (root >= 0 && root < c->ranks->size)
        return parse_stream(state, c, stream);
    PyErr_Format(PyExc_ValueError, "%s: rank %d of %d", kinds[kind].name, root,
                 c->ranks->size);
    return -1;
}

/* Whether what was asked for can be done; from here on no code of the user's runs. */
static int check(lib_collective *c, PyObject *const arrays[2])
{
    return lib_ranks_check(c->ranks) || parse_arrays(c, arrays[0], arrays[1]) ? -1 : 0;
}

/* -- Functions -------------------------------------------------------------------- */

/* All of them, as lib_collectives_run takes them; NULL: exception. */
static lib_collective *parse_all(bd_state *state, PyObject *calls)
{
    Py_ssize_t count = PyTuple_GET_SIZE(calls);
    lib_collective *all = PyMem_Calloc(count + 1, sizeof *all);
    PyObject *(*arrays)[2] = PyMem_Calloc(count + 1, sizeof *arrays);
    int failed = !all || !arrays;
    if (failed)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count && !failed; i++)
        failed = parse(state, PyTuple_GET_ITEM(calls, i), &all[i], arrays[i]);
    for (Py_ssize_t i = 0; i < count && !failed; i++)
        failed = check(&all[i], arrays[i]);
    PyMem_Free(arrays);
    if (failed)
        PyMem_Free(all);
    return failed ? NULL : all;
}

BD_METHOD(nccl_run, 1, 2, "_nccl_run(calls, checks=False)",
          "Makes the calls of a list as one group, each a tuple (communicator, kind, "
          "from, to, operation, root or peer, stream); checks: only raises what that "
          "would, before any of them is made.")
{
    bd_state *state = bd_state_get(self);
    int checks = 0;
    if (py_flag(in[1], &checks))
        return NULL;
    PyObject *calls = py_items(in[0], "a list of calls");
    lib_collective *all = calls ? parse_all(state, calls) : NULL;
    int failed = !all;
    if (all && !checks)
        failed = lib_collectives_run(state, all, (int)PyTuple_GET_SIZE(calls));
    PyMem_Free(all);
    Py_XDECREF(calls);
    return failed ? NULL : Py_NewRef(Py_None);
}

BD_METHOD(nccl_version, 0, 0, "_nccl_version()", "Of NCCL: 22703 is 2.27.3.")
{
    int version = lib_nccl_version(bd_state_get(self));
    return version < 0 ? NULL : PyLong_FromLong(version);
}

BD_METHOD(nccl_id, 0, 0, "_nccl_id()", "A new id, bytes.")
{
    return lib_nccl_id(bd_state_get(self));
}

BD_METHOD(nccl_join, 4, 4, "_nccl_join(contexts, first, size, id)",
          "A list of communicators: as many ranks of `size`, numbered from `first` on, "
          "each in one of the contexts. Waits for the others.")
{
    bd_state *state = bd_state_get(self);
    int64_t first, size;
    char *id;
    Py_ssize_t bytes;
    PyObject *list = NULL;
    if (py_signed(in[1], "rank", INT_MIN, INT_MAX, &first) ||
        py_signed(in[2], "size", INT_MIN, INT_MAX, &size) ||
        PyBytes_AsStringAndSize(in[3], &id, &bytes))
        return NULL;
    PyObject *contexts = py_items(in[0], "contexts");
    Py_ssize_t count = contexts ? PyTuple_GET_SIZE(contexts) : 0;
    int fits = contexts && bytes == NCCL_UNIQUE_ID_BYTES && count > 0 &&
               count <= 1024 && first >= 0 && first + count <= size;
    for (Py_ssize_t i = 0; i < count && fits; i++)
        fits =
            PyObject_TypeCheck(PyTuple_GET_ITEM(contexts, i), state->type[BD_CONTEXT]);
    if (fits)
        list = lib_ranks_join(state, (bd_context **)&PyTuple_GET_ITEM(contexts, 0),
                              (int)count, (int)first, (int)size, id);
    else if (contexts)
        PyErr_Format(PyExc_ValueError,
                     "%zd ranks from %lld on of %lld, by an id of %zd bytes; there are "
                     "ranks 0 to size - 1, each in a Context, and an id has %d bytes",
                     count, (long long)first, (long long)size, bytes,
                     NCCL_UNIQUE_ID_BYTES);
    Py_XDECREF(contexts);
    return list;
}

BD_METHOD(nccl_end, 2, 2, "_nccl_end(communicator, aborts)",
          "Ends it. aborts: what is under way ends, too, whatever becomes of it.")
{
    int aborts = 0;
    if (py_flag(in[1], &aborts) || lib_ranks_end(bd_state_get(self), in[0], aborts))
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef ar_collective_functions[] = {
    BD_ROW("_nccl_run", nccl_run), BD_ROW("_nccl_version", nccl_version),
    BD_ROW("_nccl_id", nccl_id),   BD_ROW("_nccl_join", nccl_join),
    BD_ROW("_nccl_end", nccl_end), {NULL},
};
