/* Fusion. Inside of gpuarray.lazy() an element-wise operation on arrays of one layout
   makes its result, an ordinary array, and a step that says how to compute it, and
   leaves the memory unwritten. Before any device address is used, be it to copy or to
   change an operand in place, and before any kernel or graph is launched
   (bd_write_pending), `settle` writes all results that are still alive, oldest first:
   one kernel each, with the unwritten steps behind it (kn_chain). What it reads of
   others that were written meanwhile it reads from their memory. */
#include "pending.h"
#include <string.h>

/* In a kernel; results, so that looking through them is quick; and when to count those
   that are used twice once. */
enum { MOST_STEPS = 40, MOST_OPERANDS = KN_CHAIN_OPERANDS - 1, MOST_PENDING = 100 };
_Static_assert((int)MOST_STEPS < (int)KN_CHAIN_STEPS,
               "an expression and the step on it fit");
_Static_assert(KN_OPERATION_COUNT < 256, "an operation is a byte of a step");

/* Operations that round once at most. Others, as exp, are compiled with fused
   multiply-adds inside, and would give other last bits in a kernel without. */
static const uint8_t is_fusable[KN_OPERATION_COUNT] = {
    [KN_ADD] = 1,           [KN_SUBTRACT] = 1,    [KN_MULTIPLY] = 1,
    [KN_DIVIDE] = 1,        [KN_NEGATIVE] = 1,    [KN_POSITIVE] = 1,
    [KN_ABSOLUTE] = 1,      [KN_AND] = 1,         [KN_OR] = 1,
    [KN_XOR] = 1,           [KN_INVERT] = 1,      [KN_LEFT_SHIFT] = 1,
    [KN_RIGHT_SHIFT] = 1,   [KN_EQUAL] = 1,       [KN_NOT_EQUAL] = 1,
    [KN_LESS] = 1,          [KN_LESS_EQUAL] = 1,  [KN_GREATER] = 1,
    [KN_GREATER_EQUAL] = 1, [KN_LOGICAL_AND] = 1, [KN_LOGICAL_OR] = 1,
    [KN_LOGICAL_XOR] = 1,   [KN_LOGICAL_NOT] = 1, [KN_MAXIMUM] = 1,
    [KN_MINIMUM] = 1,       [KN_FMAX] = 1,        [KN_FMIN] = 1,
    [KN_COPYSIGN] = 1,      [KN_SQUARE] = 1,      [KN_RECIPROCAL] = 1,
    [KN_SIGNBIT] = 1,       [KN_DEG2RAD] = 1,     [KN_RAD2DEG] = 1,
    [KN_SIGN] = 1,          [KN_FABS] = 1,        [KN_FLOOR] = 1,
    [KN_CEIL] = 1,          [KN_TRUNC] = 1,       [KN_RINT] = 1,
    [KN_SQRT] = 1,          [KN_ISNAN] = 1,       [KN_ISINF] = 1,
    [KN_ISFINITE] = 1,      [KN_WHERE] = 1,       [KN_IF_POSITIVE] = 1,
    [KN_CLIP] = 1,
};

/* -- What can be pending --------------------------------------------------------- */

static int is_plain(uint8_t type)
{
    return type >= KN_BOOL && type <= KN_F64 && kn_type_compute(type) == type;
}

/* Only what this module does is known to come before or after: memory that others reach
   is read and written at once. */
static int is_ours(bd_state *state, const ar_array *array)
{
    return is_plain(array->type) && bd_memory_is_private(state, AR_MEMORY(array));
}

static int can_be_pending(bd_state *state, const ar_call *call, int is_given)
{
    if (!is_fusable[call->operation] || call->stream != bd_stream_usual(state) ||
        !call->out[0]->size || !is_plain(call->types[0]) ||
        !is_ours(state, call->out[0]) ||
        (is_given && call->out[0]->type != call->types[0]))
        return 0;
    for (int k = 0; k < call->inputs; k++) {
        const ar_array *array = call->in[k].array;
        if (!is_plain(call->types[1 + k]) || (array && !is_ours(state, array)))
            return 0;
    }
    return 1;
}

/* -- Scopes ---------------------------------------------------------------------- */

/* That of the calling thread; NULL: it is in none. */
static ar_scope *scope_of_thread(const ar_lazy *lazy)
{
    unsigned long thread = PyThread_get_thread_ident();
    for (int k = 0; k < lazy->scope_count; k++)
        if (lazy->scopes[k].thread == thread)
            return &lazy->scopes[k];
    return NULL;
}

static int scope_enter(ar_lazy *lazy)
{
    ar_scope *scope = scope_of_thread(lazy), *more;
    if (scope) {
        scope->depth++;
        return 0;
    }
    more = PyMem_Realloc(lazy->scopes, (lazy->scope_count + 1) * sizeof *more);
    if (!more) {
        PyErr_NoMemory();
        return -1;
    }
    lazy->scopes = more;
    more[lazy->scope_count++] = (ar_scope){PyThread_get_thread_ident(), 1};
    return 0;
}

/* Whether it was the outermost one of the thread; -1: RuntimeError. */
static int scope_leave(ar_lazy *lazy)
{
    ar_scope *scope = scope_of_thread(lazy);
    if (!scope) {
        PyErr_SetString(PyExc_RuntimeError,
                        "lazy(): left in another thread than it was entered in");
        return -1;
    }
    if (--scope->depth)
        return 0;
    *scope = lazy->scopes[--lazy->scope_count];
    return 1;
}

/* -- From a step to a kernel ----------------------------------------------------- */

/* Arrays of one address and type are one operand. */
static int place_array(kn_chain *chain, ar_array *array, uint8_t *from)
{
    CUdeviceptr address;
    int at = 0;
    if (ar_address(array, &address))
        return -1;
    while (at < chain->operands &&
           (chain->value[at] != address || chain->type[at] != array->type))
        at++;
    if (at == chain->operands) {
        chain->value[at] = address;
        chain->type[at] = array->type;
        chain->operands++;
    }
    *from = (uint8_t)(at | KN_CHAIN_OPERAND);
    return 0;
}

/* Puts the step behind those that it reads into the chain. */
static int place_step(kn_chain *chain, ar_step *step, uint64_t walk, uint8_t *from)
{
    kn_chain_step placed = {0};
    if (step->written)
        return place_array(chain, step->written, from);
    if (step->walk == walk) {
        *from = step->place;
        return 0;
    }
    placed.operation = step->operation;
    memcpy(placed.types, step->types, 1 + step->inputs);
    for (int k = 0; k < step->inputs; k++) {
        const ar_read *read = &step->read[k];
        int failed = 0;
        switch (read->kind) {
        case AR_READS_ARRAY:
            failed = place_array(chain, read->array, &placed.from[k]);
            break;
        case AR_READS_STEP:
            failed = place_step(chain, read->step, walk, &placed.from[k]);
            break;
        default:
            placed.from[k] = (uint8_t)(chain->operands | KN_CHAIN_OPERAND);
            chain->type[chain->operands] = step->types[1 + k] | KN_CHAIN_SCALAR;
            chain->value[chain->operands++] = read->value;
        }
        if (failed)
            return -1;
    }
    step->walk = walk;
    *from = step->place = (uint8_t)chain->steps;
    chain->step[chain->steps++] = placed;
    return 0;
}

/* The chain that computes the array: its step, or itself. */
static int chain_make(ar_lazy *lazy, kn_chain *chain, ar_array *array, ar_step *step)
{
    uint8_t last;
    chain->steps = chain->operands = 0;
    return step ? place_step(chain, step, ++lazy->walks, &last)
                : place_array(chain, array, &last);
}

/* Computes the step, in its context, to the memory of `out`. */
static int write_step(ar_lazy *lazy, ar_step *step, ar_array *out)
{
    kn_chain chain;
    chain.n = out->size;
    chain.stream = step->stream;
    if (chain_make(lazy, &chain, out, step) || ar_address(out, &chain.result))
        return -1;
    lazy->kernels++;
    lazy->operations += chain.steps;
    return kn_chain_run(step->context, &chain);
}

/* -- Settling -------------------------------------------------------------------- */

/* Writes the oldest pending result. What went with its context is forgotten: whoever
   uses the array hears of that. So is what is about to end, whose reference count is 0.
 */
static int write_oldest(ar_lazy *lazy)
{
    ar_array *array = lazy->pending.next->result;
    int is_alive = Py_REFCNT((PyObject *)array) > 0;
    ar_step *step = ar_pending_take(array);
    int entered = is_alive ? bd_context_enter(step->context) : -1, failed = 0;
    if (is_alive)
        Py_INCREF((PyObject *)array);
    if (entered >= 0)
        failed = write_step(lazy, step, array);
    bd_context_leave(step->context, entered);
    if (entered >= 0 && !failed && step->references > 1) {
        step->written = AR(Py_NewRef((PyObject *)array));
        ar_step_forget_reads(step);
    }
    ar_step_release(step);
    if (is_alive)
        Py_DECREF((PyObject *)array);
    return failed;
}

/* While it holds the lock, a thread uses addresses without settling; others that want
   one wait for it. */
static void lock(ar_lazy *lazy)
{
    if (!PyThread_acquire_lock(lazy->lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS;
        PyThread_acquire_lock(lazy->lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS;
    }
    lazy->settler = PyThread_get_thread_ident();
}

static void unlock(ar_lazy *lazy)
{
    lazy->settler = 0;
    PyThread_release_lock(lazy->lock);
}

static int is_settling(const ar_lazy *lazy)
{
    return lazy->settler && lazy->settler == PyThread_get_thread_ident();
}

/* state->write_pending. An error ends it: the result that is in error is forgotten, and
   the others are still pending. */
static int settle(bd_state *state)
{
    ar_lazy *lazy = state->lazy;
    int failed = 0;
    if (is_settling(lazy))
        return 0;
    lock(lazy);
    while (lazy->count && !failed)
        failed = write_oldest(lazy);
    if (!lazy->count)
        state->write_pending = NULL;
    unlock(lazy);
    return failed;
}

/* -- Recording ------------------------------------------------------------------- */

static uint16_t add(uint16_t a, uint16_t b)
{
    return a + b < UINT16_MAX ? a + b : UINT16_MAX;
}

static void read_array(ar_step *step, int k, ar_array *array)
{
    ar_read *read = &step->read[k];
    ar_step *behind = array->pending;
    if (!behind) {
        *read = (ar_read){AR_READS_ARRAY, .array = AR(Py_NewRef((PyObject *)array))};
        step->operands = add(step->operands, 1);
        return;
    }
    *read = (ar_read){AR_READS_STEP, .step = behind};
    behind->references++;
    step->operations = add(step->operations, behind->operations);
    step->operands = add(step->operands, behind->operands);
}

static ar_step *step_make(bd_context *context, const ar_call *call,
                          const kn_request *request)
{
    ar_step *step = ar_step_new(context);
    if (!step)
        return NULL;
    step->operation = (uint8_t)call->operation;
    step->inputs = (uint8_t)call->inputs;
    step->operations = 1;
    step->stream = call->stream;
    memcpy(step->types, call->types, 1 + call->inputs);
    for (int k = 0; k < call->inputs; k++) {
        ar_read *read = &step->read[k];
        if (call->in[k].array) {
            read_array(step, k, call->in[k].array);
            continue;
        }
        read->kind = AR_READS_SCALAR;
        memcpy(&read->value, request->operand[1 + k].value, sizeof read->value);
        step->operands = add(step->operands, 1);
    }
    return step;
}

/* How many operations and operands the expression has, those used twice once. */
static void count(ar_step *step, uint64_t walk, int *operations, int *operands)
{
    if (step->walk == walk)
        return;
    step->walk = walk;
    ++*operations;
    for (int k = 0; k < step->inputs; k++)
        if (step->read[k].kind == AR_READS_STEP && !step->read[k].step->written)
            count(step->read[k].step, walk, operations, operands);
        else
            ++*operands;
}

static int is_long(ar_lazy *lazy, ar_step *step)
{
    int operations = 0, operands = 0;
    if (step->operations <= MOST_STEPS && step->operands <= MOST_OPERANDS)
        return 0;
    count(step, ++lazy->walks, &operations, &operands);
    return operations > MOST_STEPS || operands > MOST_OPERANDS;
}

/* Whether the expression reads memory that the array has. */
static int reads(ar_step *step, uint64_t walk, const ar_array *array)
{
    if (step->written)
        return ar_overlap(step->written, array);
    if (step->walk == walk)
        return 0;
    step->walk = walk;
    for (int k = 0; k < step->inputs; k++) {
        const ar_read *read = &step->read[k];
        if (read->kind == AR_READS_ARRAY
                ? ar_overlap(read->array, array)
                : read->kind == AR_READS_STEP && reads(read->step, walk, array))
            return 1;
    }
    return 0;
}

/* Whether something is pending that the step reads from memory, or that reads or is
   what it writes. */
static int is_entangled(ar_lazy *lazy, ar_step *step, const ar_array *out)
{
    for (ar_step *at = lazy->pending.next; at != &lazy->pending; at = at->next)
        if (reads(step, ++lazy->walks, at->result) ||
            (at->result != out &&
             (reads(at, ++lazy->walks, out) || ar_overlap(at->result, out))))
            return 1;
    return 0;
}

/* Operands may be what a pending result was made of meanwhile. */
static int write_given(bd_state *state, ar_step *step, ar_array *out)
{
    ar_lazy *lazy = state->lazy;
    lock(lazy);
    if (out->pending)
        ar_pending_drop(out);
    int failed = write_step(lazy, step, out);
    unlock(lazy);
    ar_step_release(step);
    return failed ? -1 : 1;
}

int ar_defer(bd_state *state, bd_context *context, const ar_call *call,
             const kn_request *request, int is_given)
{
    ar_lazy *lazy = state->lazy;
    ar_array *out = call->out[0];
    ar_step *step;
    if (is_settling(lazy) || !scope_of_thread(lazy) ||
        !can_be_pending(state, call, is_given))
        return 0;
    if (!(step = step_make(context, call, request)))
        return -1;
    if (lazy->count >= MOST_PENDING || is_long(lazy, step) ||
        (is_given && is_entangled(lazy, step, out))) {
        ar_step_release(step);
        if (settle(state) || !(step = step_make(context, call, request)))
            return -1;
    }
    if (is_given)
        return write_given(state, step, out);
    ar_pending_add(lazy, out, step);
    state->write_pending = settle;
    return 1;
}

/* -- Reductions ------------------------------------------------------------------ */

/* Whether a pending result can be left out of a list that is written: nothing that is
   pending reads its memory, as by a view. A second reduction of it finds it in memory.
 */
static int is_for_reduction(ar_lazy *lazy, const ar_array *array)
{
    if (array->pending->is_reduced)
        return 0;
    for (ar_step *at = lazy->pending.next; at != &lazy->pending; at = at->next)
        if (reads(at, ++lazy->walks, array))
            return 0;
    return 1;
}

/* One launch over the chains, whose steps are taken out of the list meanwhile. */
static int reduce_chains(bd_state *state, bd_context *context, kn_reduction *reduction,
                         ar_array *const *in, ar_step *const *steps, int inputs,
                         ar_array *result)
{
    ar_lazy *lazy = state->lazy;
    kn_chain chains[AR_MOST_REDUCED];
    int failed = 0;
    while (lazy->count && !failed)
        failed = write_oldest(lazy);
    for (int k = 0; k < inputs && !failed; k++) {
        failed = chain_make(lazy, &chains[k], in[k], steps[k]);
        reduction->chain[k] = &chains[k];
    }
    failed = failed || ar_result_place(result, reduction->stream, &reduction->to) ||
             kn_reduce(context, reduction);
    reduction->chain[0] = reduction->chain[1] = NULL;
    return failed ? -1 : 0;
}

int ar_defer_reduction(bd_state *state, bd_context *context, kn_reduction *reduction,
                       ar_array *const *in, int inputs, ar_array *result)
{
    ar_lazy *lazy = state->lazy;
    ar_step *steps[AR_MOST_REDUCED] = {NULL};
    int pending = 0,
        fits = is_plain(reduction->compute) && is_plain(reduction->storage);
    if (!lazy->count || is_settling(lazy))
        return 0;
    for (int k = 0; k < inputs && fits; k++) {
        const ar_step *step = in[k]->pending;
        fits = is_plain(in[k]->type);
        if (step)
            fits &= step->context == context && step->stream == reduction->stream &&
                    is_for_reduction(lazy, in[k]);
        for (int other = 0; other < k; other++) /* views of each other, or the same */
            fits &= !ar_overlap(in[other], in[k]);
        pending += step != NULL;
    }
    if (!fits || !pending)
        return 0;
    lock(lazy);
    for (int k = 0; k < inputs; k++) /* another thread may have written it now */
        steps[k] = in[k]->pending ? ar_pending_take(in[k]) : NULL;
    int failed = reduce_chains(state, context, reduction, in, steps, inputs, result);
    for (int k = 0; k < inputs; k++)
        if (steps[k]) {
            steps[k]->is_reduced = 1;
            ar_pending_add(lazy, in[k], steps[k]);
        }
    unlock(lazy);
    return failed ? -1 : 1;
}

/* -- For pycuda/_lazy.py --------------------------------------------------------- */

BD_METHOD(lazy_enter, 0, 0, "_lazy_enter()",
          "Operations of this thread may be pending until _lazy_exit().")
{
    if (scope_enter(bd_state_get(self)->lazy))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(
    lazy_exit, 0, 3, "_lazy_exit(type=None, value=None, traceback=None)",
    "The end of the innermost one; that of the outermost one writes pending results.")
{
    bd_state *state = bd_state_get(self);
    int is_outermost = scope_leave(state->lazy);
    if (is_outermost < 0 || (is_outermost && bd_write_pending(state)))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(
    lazy_counts, 0, 0, "_lazy_counts()",
    "How many results are pending; how many kernels were run for those that were, "
    "of how many operations together; and how many forms of expressions there "
    "were.")
{
    bd_state *state = bd_state_get(self);
    const ar_lazy *lazy = state->lazy;
    return Py_BuildValue("iKKI", lazy->count, (unsigned long long)lazy->kernels,
                         (unsigned long long)lazy->operations, kn_chain_count(state));
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
    BD_ROW("_lazy_enter", lazy_enter),
    BD_ROW("_lazy_exit", lazy_exit),
    BD_ROW("_lazy_counts", lazy_counts),
    BD_ROW("_overlap", overlap),
    BD_ROW("_share", share),
    {NULL},
};
