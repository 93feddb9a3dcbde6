/* Methods that are one driver call each, described by a row: bd_run walks the row's
   plan, fills the parameters from arguments and from self, calls, and makes Python
   objects of the results. Parameters travel as 64-bit slots; one invoker an entry
   point, made from functions.def, gives them their types back. */
#include <limits.h>
#include <string.h>
#include "arrays.h"
#include "memory.h"

#define MOST_SLOTS 20 /* room for a structure in the last parameter */

/* -- Walking a plan ------------------------------------------------------------- */

typedef struct {
    bd_state *state;
    PyObject *self;
    uint64_t slots[MOST_SLOTS];
    uint64_t results[4];
    const char *letters[4]; /* of the results, in the plan */
    int slot_count, result_count;
    Py_buffer view;
    int viewed;
    char bytes[256]; /* the results H and T */
} call;

/* Another object's handle; its context must be alive. */
static int object_handle(call *c, PyObject *object, int type, const char *what,
                         uint64_t *slot)
{
    if (bd_instance(c->state, object, type, what) ||
        (type == BD_DEVICE ? 0 : bd_handle_check(object, "it was released")))
        return -1;
    *slot = ((bd_handle *)object)->handle;
    return 0;
}

static int context_handle(call *c, PyObject *object, uint64_t *slot)
{
    if (!object || object == Py_None)
        object = (PyObject *)bd_context_current(c->state);
    return object ? object_handle(c, object, BD_CONTEXT, "context", slot) : -1;
}

static int number(PyObject *object, uint64_t max, uint64_t *slot)
{
    return object ? py_unsigned(object, "argument", max, slot) : 0;
}

/* One parameter of the entry from one argument (NULL: left out). */
static int fill(call *c, char letter, PyObject *object, uint64_t *slot)
{
    CUdeviceptr pointer = 0;
    CUstream stream = NULL;
    CUarray array = NULL;
    int64_t value = 0;
    int failed = 0;
    switch (letter) {
    case 'u':
        return number(object, UINT_MAX, slot);
    case 'x':
        return number(object, UINT8_MAX, slot);
    case 'y':
        return number(object, UINT16_MAX, slot);
    case 'z':
        return number(object, SIZE_MAX, slot);
    case 'i':
        failed = object && py_signed(object, "argument", INT_MIN, INT_MAX, &value);
        *slot = (uint64_t)value;
        return failed;
    case 'p':
        failed = bd_pointer(c->state, object, &pointer);
        *slot = pointer;
        return failed;
    case 's':
        failed = bd_stream(c->state, object, &stream);
        *slot = (uintptr_t)stream;
        return failed;
    case 't':
        *slot = object ? (uintptr_t)py_text(object) : 0;
        return *slot || !object ? 0 : -1;
    case 'e':
        return object_handle(c, object, BD_EVENT, "event", slot);
    case 'a':
        failed = bd_array(c->state, object, &array);
        *slot = (uintptr_t)array;
        return failed;
    case 'd':
        return object_handle(c, object, BD_DEVICE, "device", slot);
    case 'c':
        return context_handle(c, object, slot);
    default: /* b, w: the only ones left */
        if (bd_buffer(object, &c->view, letter == 'w'))
            return -1;
        c->viewed = 1;
        *slot = (uintptr_t)c->view.buf;
        return 0;
    }
}

static PyObject *result(const call *c, int i)
{
    uint64_t raw = c->results[i];
    float real;
    char name[40];
    switch (*c->letters[i]) {
    case 'I':
        return PyLong_FromLong((int)raw);
    case 'U':
        return PyLong_FromUnsignedLong((unsigned)raw);
    case 'B':
        return PyBool_FromLong((int)raw);
    case 'F':
        memcpy(&real, &raw, sizeof real);
        return PyFloat_FromDouble(real);
    case 'V':
        return bd_device_wrap(c->state, (CUdevice)raw);
    case 'H':
        return PyByteArray_FromStringAndSize(c->bytes, sizeof(CUipcMemHandle));
    case 'T':
        return PyUnicode_FromString(c->bytes);
    case 'A':
        return bd_array_borrow(c->state, (CUarray)(uintptr_t)raw, c->self);
    case 'E': /* E(name) */
        snprintf(name, sizeof name, "%.*s", (int)strcspn(c->letters[i] + 2, ")"),
                 c->letters[i] + 2);
        return bd_enum_member(c->state, name, (int)raw);
    default: /* Z, P */
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

static int walk(call *c, const char *plan, PyObject **in)
{
    int next = 0;
    for (; *plan; plan++) {
        uint64_t *slot = &c->slots[c->slot_count++];
        if (*plan == '@') {
            *slot = ((bd_handle *)c->self)->handle;
            if (!*slot && BD_CONTEXT_OF(c->self)) /* not of Device 0 */
                return bd_handle_check(c->self, "it was freed");
        } else if (*plan == '0')
            *slot = 0;
        else if (*plan == 'l')
            *slot = c->view.len;
        else if (*plan == 'n')
            *slot = sizeof c->bytes;
        else if (*plan >= 'A' && *plan <= 'Z') {
            *slot = *plan == 'H' || *plan == 'T'
                        ? (uintptr_t)c->bytes
                        : (uintptr_t)&c->results[c->result_count];
            c->letters[c->result_count++] = plan;
            if (*plan == 'E')
                plan += strcspn(plan, ")");
        } else {
            if (*plan > '0' && *plan <= '9')
                next = *plan++ - '1';
            if (fill(c, *plan, in[next++], slot))
                return -1;
        }
    }
    return 0;
}

PyObject *bd_run(const bd_row *row, PyObject *self, PyObject *const *args,
                 Py_ssize_t nargs, PyObject *names)
{
    PyObject *in[8] = {NULL}, *made = NULL;
    const char *plan = row->plan;
    call c = {.self = self};
    CUresult status;
    if (py_parse(row->doc, row->required, row->total, args, nargs, names, in))
        return NULL;
    int unlocked = *plan == '!';
    plan += unlocked;
    char answer = *plan == '=' || *plan == '?' ? *plan++ : 0;
    c.state = PyModule_Check(self) ? bd_state_get(self)
              : PyType_Check(self) ? bd_state_of((PyTypeObject *)self)
                                   : bd_state_from(self);
    if (!PyModule_Check(self) && !PyType_Check(self) && bd_context_check_of(self))
        return NULL;
    if (walk(&c, plan, in) == 0) {
        PyThreadState *released =
            unlocked || c.state->callbacks ? PyEval_SaveThread() : NULL;
        status = row->invoke(c.slots);
        if (released)
            PyEval_RestoreThread(released);
        if (answer == '?' && status == CUDA_ERROR_NOT_READY)
            made = Py_NewRef(Py_False);
        else if (bd_check(c.state, status, row->routine) == 0)
            made = answer == '='   ? Py_NewRef(self)
                   : answer == '?' ? Py_NewRef(Py_True)
                                   : results(&c);
    }
    if (c.viewed)
        PyBuffer_Release(&c.view);
    return made;
}
