/* Methods that are one call of the driver (calls.h): bd_run fills the entry point's
   parameters from arguments and from self as the row says, calls, and makes Python
   objects of the results. Parameters travel as 64-bit slots; one invoker an entry
   point, made from functions.def, gives them their types back. */
#include <limits.h>
#include <string.h>
#include "arrays.h"
#include "calls.h"
#include "memory.h"

enum { MOST_SLOTS = 8, MOST_RESULTS = 2, TEXT_ROOM = 256 };

typedef struct {
    const bd_row *row;
    bd_state *state;
    PyObject *self;
    uint64_t slots[MOST_SLOTS];
    uint64_t results[MOST_RESULTS];
    uint8_t kinds[MOST_RESULTS]; /* of the results */
    int result_count;
    Py_buffer view; /* obj NULL: none */
    PyObject *made; /* owned: OUT_OBJECT, OUT_STRUCT */
    char *bytes;    /* borrowed: TEXT_ROOM for OUT_IPC_HANDLE and OUT_TEXT */
} call;

/* The groups of bd_parameter. */
static int takes_argument(bd_parameter kind)
{
    return kind >= ARG_UINT8 && kind <= ARG_DESCRIPTOR;
}

static int is_handle(bd_parameter kind)
{
    return kind >= ARG_ARRAY && kind <= PASS_SELF;
}

static int is_result(bd_parameter kind)
{
    return kind >= OUT_INT;
}

static int is_instance(PyObject *self)
{
    return !PyModule_Check(self) && !PyType_Check(self);
}

/* -- Arguments ------------------------------------------------------------------ */

/* Where arguments are objects of ours. */
static const struct {
    int type;
    const char *what, *gone;
} object_kinds[] = {
    [ARG_ARRAY] = {BD_ARRAY, "array", "it was freed"},
    [ARG_EVENT] = {BD_EVENT, "event", "it was released"},
    [ARG_CONTEXT] = {BD_CONTEXT, "context", "it was released"},
    [ARG_DEVICE] = {BD_DEVICE, "device", NULL}, /* handle 0 is one */
    [ARG_DEVICE_OR_OWN] = {BD_DEVICE, "device", NULL},
    [ARG_NODE] = {BD_GRAPH_NODE, "node", BD_GRAPH_GONE},
    [ARG_NODE_LIST] = {BD_GRAPH_NODE, "node", BD_GRAPH_GONE},
    [ARG_DESCRIPTOR] = {BD_ARRAY_DESCRIPTOR, "descr", NULL},
};

static int check_object(const call *c, bd_parameter kind, PyObject *object)
{
    const char *gone = object_kinds[kind].gone;
    return bd_instance(c->state, object, object_kinds[kind].type,
                       object_kinds[kind].what) ||
           (gone && bd_handle_check(object, gone));
}

static bd_context *context_of(const call *c)
{
    return is_instance(c->self) ? BD_CONTEXT_OF(c->self) : bd_context_current(c->state);
}

static int fill_object(const call *c, bd_parameter kind, PyObject *object,
                       uint64_t *slot)
{
    if (object == Py_None && kind == ARG_DEVICE_OR_OWN)
        object = NULL;
    if ((!object || object == Py_None) && kind == ARG_CONTEXT)
        object = (PyObject *)bd_context_current(c->state);
    if (!object && kind == ARG_DEVICE_OR_OWN) {
        bd_context *context = context_of(c);
        *slot = context ? (uint64_t)bd_context_device(context) : 0;
        return context ? 0 : -1;
    }
    if (!object || check_object(c, kind, object))
        return -1;
    uint64_t *handle = &((bd_handle *)object)->handle;
    int by_address = kind == ARG_NODE_LIST || kind == ARG_DESCRIPTOR;
    *slot = by_address ? (uintptr_t)handle : *handle;
    return 0;
}

/* An integer; the error for anything else names the argument. */
static int fill_unsigned(const call *c, int at, PyObject *object, uint64_t most,
                         uint64_t *slot)
{
    char name[40];
    long long small = object ? py_small(object) : 0;
    if (small >= 0 && (uint64_t)small <= most) {
        *slot = (uint64_t)small;
        return 0;
    }
    py_argument_name(c->row->doc, at, name, sizeof name);
    return py_unsigned_slowly(object, name, most, slot);
}

static int fill_int(const call *c, int at, PyObject *object, uint64_t *slot)
{
    char name[40];
    int64_t value = 0;
    py_argument_name(c->row->doc, at, name, sizeof name);
    int failed = object && py_signed(object, name, INT_MIN, INT_MAX, &value);
    *slot = (uint64_t)value;
    return failed;
}

static int fill_buffer(call *c, PyObject *object, int writable, uint64_t *slot)
{
    if (bd_buffer(object, &c->view, writable)) {
        c->view.obj = NULL;
        return -1;
    }
    *slot = (uintptr_t)c->view.buf;
    return 0;
}

/* The argument number `at`, NULL if it was left out. */
static int fill_argument(call *c, bd_parameter kind, int at, PyObject *object,
                         uint64_t *slot)
{
    CUdeviceptr pointer = 0;
    CUstream stream = NULL;
    int failed, truth = 0;
    switch (kind) {
    case ARG_UINT8:
        return fill_unsigned(c, at, object, UINT8_MAX, slot);
    case ARG_UINT16:
        return fill_unsigned(c, at, object, UINT16_MAX, slot);
    case ARG_UINT32:
        return fill_unsigned(c, at, object, UINT32_MAX, slot);
    case ARG_SIZE:
        return fill_unsigned(c, at, object, SIZE_MAX, slot);
    case ARG_INT:
        return fill_int(c, at, object, slot);
    case ARG_FLAG:
        failed = py_flag(object, &truth);
        *slot = truth;
        return failed;
    case ARG_TEXT:
        *slot = object ? (uintptr_t)py_text(object) : 0;
        return *slot || !object ? 0 : -1;
    case ARG_ADDRESS:
        failed = bd_pointer(c->state, object, &pointer);
        *slot = pointer;
        return failed;
    case ARG_READABLE:
    case ARG_WRITABLE:
        return fill_buffer(c, object, kind == ARG_WRITABLE, slot);
    default: /* ARG_STREAM */
        failed = bd_stream(c->state, object, &stream);
        *slot = (uintptr_t)stream;
        return failed;
    }
}

/* -- Results -------------------------------------------------------------------- */

/* The instance that the driver fills; its field follows the head. */
static int make_object(call *c, int in_context, uint64_t *slot)
{
    PyTypeObject *type =
        PyType_Check(c->self) ? (PyTypeObject *)c->self : c->state->type[c->row->makes];
    bd_context *context = in_context ? context_of(c) : NULL;
    if ((in_context && !context) || !(c->made = py_object_new_of(type, context, NULL)))
        return -1;
    *slot = (uintptr_t)&((bd_handle *)c->made)->handle;
    return 0;
}

/* Where the driver writes a result. */
static int fill_result(call *c, bd_parameter kind, uint64_t *slot)
{
    int i = c->result_count++;
    c->kinds[i] = kind;
    switch (kind) {
    case OUT_OBJECT:
    case OUT_STRUCT:
        return make_object(c, kind == OUT_OBJECT, slot);
    case OUT_TEXT:
    case OUT_IPC_HANDLE:
        *slot = (uintptr_t)c->bytes;
        return 0;
    default:
        *slot = (uintptr_t)&c->results[i];
        return 0;
    }
}

static PyObject *result(const call *c, int i)
{
    uint64_t raw = c->results[i];
    float real;
    switch (c->kinds[i]) {
    case OUT_INT:
        return PyLong_FromLong((int)raw);
    case OUT_UINT:
        return PyLong_FromUnsignedLong((unsigned)raw);
    case OUT_FLAG:
        return PyBool_FromLong((int)raw);
    case OUT_FLOAT:
        memcpy(&real, &raw, sizeof real);
        return PyFloat_FromDouble(real);
    case OUT_ENUM:
        return bd_enum_member(c->state, c->row->enumeration, (int)raw);
    case OUT_DEVICE:
        return bd_device_wrap(c->state, (CUdevice)raw);
    case OUT_ARRAY:
        return bd_array_borrow(c->state, (CUarray)(uintptr_t)raw, c->self);
    case OUT_TEXT:
        return PyUnicode_FromString(c->bytes);
    case OUT_IPC_HANDLE:
        return PyByteArray_FromStringAndSize(c->bytes, sizeof(CUipcMemHandle));
    case OUT_OBJECT:
    case OUT_STRUCT:
        return Py_NewRef(c->made);
    default: /* OUT_SIZE, OUT_ADDRESS */
        return PyLong_FromUnsignedLongLong(raw);
    }
}

static PyObject *results(const call *c)
{
    if (c->result_count == 0)
        Py_RETURN_NONE;
    if (c->result_count == 1)
        return result(c, 0);
    PyObject *tuple = PyTuple_New(c->result_count);
    for (int i = 0; tuple && i < c->result_count; i++) {
        PyObject *item = result(c, i);
        if (!item)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, item);
    }
    return tuple;
}

/* -- The call ------------------------------------------------------------------- */

static int fill_self(const call *c, uint64_t *slot)
{
    if (bd_context_check_of(c->self))
        return -1;
    *slot = ((bd_handle *)c->self)->handle;
    if (*slot || !BD_CONTEXT_OF(c->self)) /* Device 0 has no context */
        return 0;
    int is_graph = PyObject_TypeCheck(c->self, c->state->type[BD_GRAPH]);
    return bd_handle_check(c->self, is_graph ? BD_GRAPH_GONE : "it was freed");
}

/* Handles last: the conversion of other arguments runs Python code, which may end a
   context or free an array. */
static int fill_all(call *c, PyObject **in)
{
    const bd_row *row = c->row;
    struct {
        uint8_t slot, at;
    } handles[MOST_SLOTS];
    int handle_count = 0, taken = 0, failed = 0;
    for (int i = 0; i < MOST_SLOTS && row->passes[i] != PASS_NO_MORE && !failed; i++) {
        bd_parameter kind = row->passes[i];
        uint64_t *slot = &c->slots[i];
        int at = 0;
        if (takes_argument(kind)) {
            at = row->order[taken] ? row->order[taken] - 1 : taken;
            taken++;
        }
        if (is_handle(kind)) {
            handles[handle_count].slot = i;
            handles[handle_count++].at = at;
        } else if (is_result(kind))
            failed = fill_result(c, kind, slot);
        else if (takes_argument(kind))
            failed = fill_argument(c, kind, at, in[at], slot);
        else
            *slot = kind == PASS_CONSTANT       ? (uint64_t)row->constant
                    : kind == PASS_BUFFER_BYTES ? (uint64_t)c->view.len
                                                : TEXT_ROOM;
    }
    for (int i = 0; i < handle_count && !failed; i++) {
        int slot = handles[i].slot;
        failed =
            row->passes[slot] == PASS_SELF
                ? fill_self(c, &c->slots[slot])
                : fill_object(c, row->passes[slot], in[handles[i].at], &c->slots[slot]);
    }
    return failed ? -1 : 0;
}

static PyObject *answer(const call *c, CUresult status, PyObject **in)
{
    const bd_row *row = c->row;
    if (row->returns == RETURN_WHETHER_READY && status == CUDA_ERROR_NOT_READY)
        Py_RETURN_FALSE;
    if (bd_check(c->state, status, row->entry.routine))
        return NULL;
    if (row->holds)
        Py_DECREF(bd_hold(c->self, in[0]));
    return row->returns == RETURN_SELF            ? Py_NewRef(c->self)
           : row->returns == RETURN_WHETHER_READY ? Py_NewRef(Py_True)
                                                  : results(c);
}

PyObject *bd_run(const bd_row *row, PyObject *self, PyObject *const *args,
                 Py_ssize_t nargs, PyObject *names)
{
    PyObject *in[sizeof row->order] = {NULL}, *made = NULL;
    char bytes[TEXT_ROOM];
    call c = {.row = row, .self = self, .bytes = bytes};
    if (py_parse(row->doc, row->required, row->total, args, nargs, names, in))
        return NULL;
    c.state = PyModule_Check(self) ? bd_state_get(self)
              : PyType_Check(self) ? bd_state_of((PyTypeObject *)self)
                                   : bd_state_from(self);
    if (fill_all(&c, in) == 0) {
        PyThreadState *released =
            row->may_wait || c.state->callbacks ? PyEval_SaveThread() : NULL;
        CUresult status = row->entry.invoke(c.slots);
        if (released)
            PyEval_RestoreThread(released);
        made = answer(&c, status, in);
    }
    if (c.view.obj)
        PyBuffer_Release(&c.view);
    Py_XDECREF(c.made);
    return made;
}
