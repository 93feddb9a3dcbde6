/* Pending results: arrays whose memory nobody has written yet, in a list, oldest first.
   Each owns the step that computes it. An array that ends leaves the list (gpuarray.c
   calls ar_pending_drop), and its step stays for as long as others read it: the result
   became part of an expression and is never written. */
#include "pending.h"

ar_step *ar_step_new(bd_context *context)
{
    ar_step *step = PyMem_Calloc(1, sizeof *step);
    if (!step)
        return (ar_step *)PyErr_NoMemory();
    step->references = 1;
    step->context = (bd_context *)Py_NewRef((PyObject *)context);
    return step;
}

/* Expressions are of bounded depth (lazy.c), so recursion is, too. */
void ar_step_forget_reads(ar_step *step)
{
    int inputs = step->inputs;
    step->inputs = 0;
    for (int k = 0; k < inputs; k++)
        if (step->read[k].kind == AR_READS_ARRAY)
            Py_DECREF((PyObject *)step->read[k].array);
        else if (step->read[k].kind == AR_READS_STEP)
            ar_step_release(step->read[k].step);
}

void ar_step_release(ar_step *step)
{
    if (--step->references)
        return;
    ar_step_forget_reads(step);
    Py_XDECREF((PyObject *)step->written);
    Py_DECREF((PyObject *)step->context);
    PyMem_Free(step);
}

void ar_pending_add(ar_lazy *lazy, ar_array *array, ar_step *step)
{
    ar_step *head = &lazy->pending;
    step->lazy = lazy;
    step->result = array;
    step->next = head;
    step->previous = head->previous;
    head->previous->next = step;
    head->previous = step;
    array->pending = step;
    lazy->count++;
}

ar_step *ar_pending_take(ar_array *array)
{
    ar_step *step = array->pending;
    array->pending = NULL;
    step->result = NULL;
    step->next->previous = step->previous;
    step->previous->next = step->next;
    step->lazy->count--;
    return step;
}

void ar_pending_drop(ar_array *array)
{
    ar_step_release(ar_pending_take(array));
}

int ar_lazy_init(bd_state *state)
{
    ar_lazy *lazy = PyMem_Calloc(1, sizeof *lazy);
    if (!lazy || !(lazy->lock = PyThread_allocate_lock())) {
        PyMem_Free(lazy);
        PyErr_NoMemory();
        return -1;
    }
    lazy->pending.next = lazy->pending.previous = &lazy->pending;
    state->lazy = lazy;
    return 0;
}

void ar_lazy_clear(bd_state *state)
{
    if (!state->lazy)
        return;
    PyThread_free_lock(state->lazy->lock);
    PyMem_Free(state->lazy->scopes);
    PyMem_Free(state->lazy);
    state->lazy = NULL;
}
