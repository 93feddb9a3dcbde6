/* Pending results: while pycuda/_lazy.py has a recorder here, an element-wise operation
   on arrays of one layout goes to it once types and results are known. If the recorder
   takes it, the result is an array whose memory nobody has written yet; before any
   address is given out (bd_pointer), and before any launch, the recorder's other
   function is called to write it. */
#include "array.h"
#include <string.h>

static int is_plain(uint8_t type)
{
    return type >= KN_BOOL && type <= KN_F64 && kn_type_compute(type) == type;
}

/* Only what this module does is known to come before or after: memory that others reach
   is read and written at once. */
static int is_ours(bd_state *state, const ar_array *array)
{
    return !array ||
           (is_plain(array->type) && bd_memory_is_private(state, AR_MEMORY(array)));
}

/* One result and up to three operands that are elements or scalars, all of plain types:
   _lazy.py names them a, b and c. */
static int can_be_pending(bd_state *state, const ar_call *call, int is_given)
{
    const kn_signature *signature = kn_operations[call->operation].signature;
    int can = call->outputs == 1 && call->inputs <= 3 && call->stream == NULL &&
              call->out[0]->size > 0 &&
              (!is_given || call->out[0]->type == call->types[0]);
    for (int k = 0; signature->variable[k].role; k++)
        can &= signature->variable[k].role >= KN_ELEMENT;
    for (int k = 0; k < call->outputs + call->inputs; k++)
        can &= is_plain(call->types[k]);
    for (int k = 0; k < call->inputs; k++)
        can &= is_ours(state, call->in[k].array);
    return can && is_ours(state, call->out[0]);
}

int ar_defer(bd_state *state, const ar_call *call, const kn_request *request,
             int is_given)
{
    const kn_operation *operation = &kn_operations[call->operation];
    PyObject *recorder = AR_OBJECTS(state)->recorder, *answer = NULL;
    if (!recorder || !can_be_pending(state, call, is_given))
        return 0;
    PyObject *operands = PyTuple_New(call->inputs);
    PyObject *dtypes = PyTuple_New(1 + call->inputs);
    int failed = !operands || !dtypes;
    for (int k = 0; k <= call->inputs && !failed; k++) {
        PyArray_Descr *dtype = kn_type_dtype(call->types[k]);
        PyTuple_SET_ITEM(dtypes, k, (PyObject *)dtype);
        PyObject *operand = k ? Py_XNewRef((PyObject *)call->in[k - 1].array) : NULL;
        if (k && !operand && dtype)
            operand = PyArray_Scalar((void *)request->operand[k].value, dtype, NULL);
        if (k)
            PyTuple_SET_ITEM(operands, k - 1, operand);
        failed = !dtype || (k && !operand);
    }
    if (!failed)
        answer = PyObject_CallFunction(recorder, "(ssO)OOi", operation->name,
                                       operation->code, dtypes, call->out[0], operands,
                                       is_given);
    Py_XDECREF(operands);
    Py_XDECREF(dtypes);
    int taken = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return taken;
}

BD_METHOD(
    on_operation, 1, 1, "_on_operation(recorder)",
    "recorder((name, code, dtypes), out, operands, is_given) is asked before each\n"
    "element-wise operation whether it takes that over; None: no more. dtypes: that\n"
    "of the result, then those that the operation takes its operands in.")
{
    ar_objects *objects = AR_OBJECTS(bd_state_get(self));
    Py_XSETREF(objects->recorder, in[0] == Py_None ? NULL : Py_NewRef(in[0]));
    Py_RETURN_NONE;
}

BD_METHOD(on_address, 1, 1, "_on_address(write_pending)",
          "write_pending() is called before any device address is used, or anything is "
          "launched; "
          "None: no more.")
{
    bd_state *state = bd_state_get(self);
    Py_XSETREF(state->write_pending, in[0] == Py_None ? NULL : Py_NewRef(in[0]));
    Py_RETURN_NONE;
}

BD_METHOD(overlap, 2, 2, "_overlap(a, b)",
          "Whether two GPUArrays have bytes in common.")
{
    return ar_expect(in[0], "a") && ar_expect(in[1], "b")
               ? PyBool_FromLong(ar_overlap(AR(in[0]), AR(in[1])))
               : NULL;
}

BD_METHOD(share, 1, 1, "_share(array)",
          "Operations on the array's memory do not wait from now on.")
{
    if (!ar_expect(in[0], "array"))
        return NULL;
    bd_memory_share(bd_state_get(self), in[0]);
    Py_RETURN_NONE;
}

PyMethodDef ar_lazy_functions[] = {
    BD_ROW("_on_operation", on_operation),
    BD_ROW("_on_address", on_address),
    BD_ROW("_overlap", overlap),
    BD_ROW("_share", share),
    {NULL},
};
