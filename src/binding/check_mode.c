/* Check mode, for pycuda/_checks.py: which kinds of checks are on, which the driver
   remembers, and its reports as dicts. What only Python knows (who allocated the
   memory, and for which array) is put in there. */
#include <string.h>
#include "calls.h"
#include "context.h"
#include "live.h"
#include "pool.h"

static const struct {
    cuxCheckKind kind;
    const char *word;
} kinds_of_code[] = {
    {CUX_CHECK_MEMORY, "memory"},     {CUX_CHECK_RACE, "race"},
    {CUX_CHECK_INIT, "init"},         {CUX_CHECK_SYNC, "sync"},
    {CUX_CHECK_COVERAGE, "coverage"},
};

unsigned bd_checks(void)
{
    unsigned kinds = 0;
    return cu.cuxGetCheck(&kinds) == CUDA_SUCCESS ? kinds : 0;
}

void bd_check_words(unsigned kinds, char words[BD_CHECK_WORDS])
{
    size_t length = 0;
    *words = 0;
    for (size_t i = 0; i < sizeof kinds_of_code / sizeof *kinds_of_code; i++)
        if (kinds & kinds_of_code[i].kind)
            length += (size_t)snprintf(words + length, BD_CHECK_WORDS - length, "%s%s",
                                       length ? "," : "", kinds_of_code[i].word);
}

void bd_checks_changed(bd_state *state)
{
    bd_context *context = NULL;
    state->keeps_freed = (bd_checks() & (CUX_CHECK_MEMORY | CUX_CHECK_INIT)) != 0;
    if (state->keeps_freed)
        bd_live_measure(state);
    while (state->keeps_freed && (context = bd_context_each(state, context))) {
        Py_INCREF((PyObject *)context); /* other threads run meanwhile */
        bd_pool_measure(context->pool, context);
        Py_DECREF((PyObject *)context);
    }
    if (state->note_checks)
        state->note_checks(state);
}

BD_METHOD(checks, 0, 2, "_checks(kinds=None, seed=None)",
          "The kinds of checks that are on, as bits (cuxCheckKind); with an argument, "
          "what they are from now on, and the seed of the order of blocks.")
{
    bd_state *state = bd_state_get(self);
    uint64_t seed = 0;
    unsigned kinds = 0;
    if (in[1] && in[1] != Py_None &&
        (py_unsigned(in[1], "seed", UINT64_MAX, &seed) ||
         BD_CALL(state, cuxSetCheckSeed, seed)))
        return NULL;
    if (in[0] && in[0] != Py_None) {
        if (py_flags(in[0], "kinds", &kinds) || BD_CALL(state, cuxSetCheck, kinds))
            return NULL;
        bd_checks_changed(state);
    }
    return PyLong_FromUnsignedLong(bd_checks());
}

/* -- Reports --------------------------------------------------------------------- */

static const char *const accesses[] = {
    [CUX_ACCESS_NONE] = NULL,     [CUX_ACCESS_READ] = "read",
    [CUX_ACCESS_WRITE] = "write", [CUX_ACCESS_ATOMIC] = "atomic",
    [CUX_ACCESS_FREE] = "free",
};
static const char *const spaces[] = {
    [CUX_SPACE_UNKNOWN] = NULL,        [CUX_SPACE_GLOBAL] = "global",
    [CUX_SPACE_SHARED] = "shared",     [CUX_SPACE_LOCAL] = "local",
    [CUX_SPACE_CONSTANT] = "constant", [CUX_SPACE_HEAP] = "heap",
};
static const char *const states[] = {
    [CUX_STATE_UNKNOWN] = NULL,
    [CUX_STATE_LIVE] = "live",
    [CUX_STATE_FREED] = "freed",
};
static const char *const faults[] = {
    [CUX_FAULT_BOUNDS] = "bounds",
    [CUX_FAULT_MISALIGNED] = "misaligned",
    [CUX_FAULT_FREED] = "freed",
    [CUX_FAULT_BAD_FREE] = "bad free",
    [CUX_FAULT_RACE] = "race",
    [CUX_FAULT_SAME_VALUE] = "same value",
    [CUX_FAULT_WARP_ORDER] = "warp order",
    [CUX_FAULT_UNWRITTEN] = "unwritten",
    [CUX_FAULT_BARRIER] = "barrier",
    [CUX_FAULT_MASK] = "mask",
    [CUX_FAULT_DEADLOCK] = "deadlock",
    [CUX_FAULT_ORDER] = "order",
};
#define NAME(names, value) \
    ((size_t)(value) < sizeof names / sizeof *names ? names[value] : NULL)

static const char *kind_name(cuxCheckKind kind)
{
    for (size_t i = 0; i < sizeof kinds_of_code / sizeof *kinds_of_code; i++)
        if (kinds_of_code[i].kind == kind)
            return kinds_of_code[i].word;
    return "order";
}

/* (file, line, block, thread, access), or None. */
static PyObject *party(const cuxParty *p, int is_there)
{
    if (!is_there)
        Py_RETURN_NONE;
    return Py_BuildValue("zI(III)(III)z", *p->site.file ? p->site.file : NULL,
                         p->site.line, p->block[0], p->block[1], p->block[2],
                         p->thread[0], p->thread[1], p->thread[2],
                         NAME(accesses, p->access));
}

BD_METHOD(check_report, 1, 1, "_check_report(number)",
          "That report as a dict; None: there are no more.")
{
    unsigned number = 0;
    cuxCheckReport r;
    if (py_flags(in[0], "number", &number))
        return NULL;
    if (cu.cuxGetCheckReport(number, &r) != CUDA_SUCCESS)
        Py_RETURN_NONE;
    return Py_BuildValue(
        "{ss ss ss sK sK s(III) s(III) ss sN sN sI sK sz sz sz sK sL sK sK ss}", "kind",
        kind_name(r.kind), "fault", NAME(faults, r.fault), "severity",
        r.is_warning ? "warning" : "error", "count", r.count, "launch", r.launch,
        "grid", r.grid[0], r.grid[1], r.grid[2], "block_shape", r.block[0], r.block[1],
        r.block[2], "kernel", r.kernel, "who", party(&r.who, 1), "other",
        party(&r.other, r.has_other), "bytes", r.bytes, "address",
        (unsigned long long)r.address, "space", NAME(spaces, r.space), "state",
        NAME(states, r.state), "variable", *r.variable ? r.variable : NULL, "base",
        (unsigned long long)r.base, "offset", r.offset, "size", r.size, "allocation",
        r.allocation, "message", r.message);
}

BD_METHOD(clear_check_reports, 0, 0, "_clear_check_reports()", "Forgets all reports.")
{
    cu.cuxClearCheckReports(); /* none before init() and on a GPU */
    Py_RETURN_NONE;
}

/* -- Coverage -------------------------------------------------------------------- */

BD_METHOD(coverage, 1, 1, "_coverage(number)",
          "Of the kernel of that number that counts how often lines run: the number of "
          "its module, how often that was loaded, what the counters stand for, its "
          "name, the lanes of a vector, "
          "and three numbers of 64 bits for each counter; None: there are no more.")
{
    unsigned number = 0;
    cuxCoverage c;
    if (py_flags(in[0], "number", &number))
        return NULL;
    if (cu.cuxGetCoverage(number, &c) != CUDA_SUCCESS)
        Py_RETURN_NONE;
    PyObject *counts = PyBytes_FromStringAndSize(
        NULL, (Py_ssize_t)(3 * c.counters * sizeof(unsigned long long)));
    if (counts)
        cu.cuxGetCoverageCounts(number, c.counters, (void *)PyBytes_AS_STRING(counts));
    return counts ? Py_BuildValue("nnysIN", (Py_ssize_t)c.module, (Py_ssize_t)c.loads,
                                  c.description, c.kernel, c.lanes, counts)
                  : NULL;
}

BD_METHOD(set_sampling, 1, 1, "_set_sampling(microseconds)",
          "Counts where kernels that count lines spend processor time; 0: no longer.")
{
    bd_state *state = bd_state_get(self);
    unsigned each = 0;
    if (py_flags(in[0], "microseconds", &each) || BD_CALL(state, cuxSetSampling, each))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(
    sample, 1, 1, "_sample(number)",
    "(number of the module, \"kernel.cu:12\", how often) of that line; None: there "
    "are no more.")
{
    unsigned number = 0;
    cuxSample s;
    if (py_flags(in[0], "number", &number))
        return NULL;
    if (cu.cuxGetSample(number, &s) != CUDA_SUCCESS)
        Py_RETURN_NONE;
    return Py_BuildValue("nsK", (Py_ssize_t)s.module, s.place, s.count);
}

PyMethodDef bd_check_methods[] = {
    BD_ROW("_checks", checks),
    BD_ROW("_coverage", coverage),
    BD_ROW("_set_sampling", set_sampling),
    BD_ROW("_sample", sample),
    BD_ROW("_check_report", check_report),
    BD_ROW("_clear_check_reports", clear_check_reports),
    {NULL},
};
