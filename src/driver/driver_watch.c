/* Watching calls: one wrapper an entry point, put into `cu` in place of the library's
   function when a trace or a recording is wanted or a test injects a failure; and
   another, which looks at results alone, where threads are to be served a context, for
   programs run so from beginning to end. Nobody who does not watch pays anything: the
   wrappers are reached only through the table.

   The trace is one line a call: name(arguments as integers) = result, microseconds. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "driver_table.h"

typedef struct {
    drv_index index;
    int count; /* of arguments */
    const long long *arguments;
    uint64_t start;
    CUresult result;
    drv_record *record; /* owned by the recording; NULL: there is none */
} call;

/* Failures to come: `left` calls from now, the last of them fails. */
static struct {
    atomic_uint left;
    CUresult result;
} injected[DRV_COUNT];

static FILE *trace;               /* owned; NULL: off */
static _Atomic(CUcontext) served; /* borrowed; see serve() */
static _Thread_local int had_it;  /* a thread that took it off its stack does without */

/* False if the call is to fail without reaching the driver. */
static int call_begin(call *c)
{
    unsigned left = atomic_load(&injected[c->index].left);
    while (left &&
           !atomic_compare_exchange_weak(&injected[c->index].left, &left, left - 1))
        continue;
    if (trace)
        c->start = drv_now();
    if (atomic_load(&drv_recording))
        c->record = drv_record_before(c->index, c->arguments);
    c->result = injected[c->index].result;
    return left != 1;
}

/* Whether the thread had no context and has the served one now, for the first time. */
static int serve(void)
{
    CUcontext context = atomic_load(&served), own = NULL;
    if (!context || had_it || drv_real.cuCtxGetCurrent(&own) || own ||
        drv_real.cuCtxSetCurrent(context))
        return 0;
    had_it = 1;
    return 1;
}

/* Whether a call with that result is to be made again; of cuCtxGetCurrent, what it
   found, too. */
static int is_for_another(CUresult result)
{
    return __builtin_expect(result == CUDA_ERROR_INVALID_CONTEXT, 0) && serve();
}
static int is_none_for_another(CUresult result, const CUcontext *current)
{
    return result == CUDA_SUCCESS && current && !*current && serve();
}

static int call_failed(call *c)
{
    return c->index == DRV_cuCtxGetCurrent
               ? is_none_for_another(c->result, (CUcontext *)(uintptr_t)c->arguments[0])
               : is_for_another(c->result);
}

static CUresult call_end(call *c)
{
    if (c->record)
        drv_record_after(c->record, c->result);
    if (!trace)
        return c->result;
    char line[512];
    int n = snprintf(line, sizeof line, "%s(", drv_rows[c->index].name);
    for (int i = 0; i < c->count; i++) {
        long long v = c->arguments[i];
        const char *format = v > -65536 && v < 65536 ? "%s%lld" : "%s0x%llx";
        n += snprintf(line + n, sizeof line - n, format, i ? ", " : "", v);
    }
    fprintf(trace, "%s) = %s, %.1f us\n", line, drv_result_name(c->result),
            (drv_now() - c->start) * 1e-3);
    return c->result;
}

/* An argument as an integer; structures passed by value show as 0. */
#define INT(a)               \
    (long long)_Generic((a), \
        CUipcMemHandle: 0,   \
        CUipcEventHandle: 0, \
        CUmemLocation: 0,    \
        default: (a))

#define F(name, suffix, version, ...)                              \
    static CUresult watched_##name(CU_PARAMS(__VA_ARGS__))         \
    {                                                              \
        call c = {DRV_##name, CU_COUNT(__VA_ARGS__),               \
                  (const long long[]){CU_EACH(INT, __VA_ARGS__)}}; \
        if (call_begin(&c))                                        \
            do                                                     \
                c.result = drv_real.name(CU_ARGS(__VA_ARGS__));    \
            while (call_failed(&c));                               \
        return call_end(&c);                                       \
    }
#include "cuda/functions.def"
#undef F

drv_entry *drv_watched(drv_index index)
{
    static drv_entry *const wrappers[DRV_COUNT] = {
#define F(name, suffix, version, ...) (drv_entry *)watched_##name,
#include "cuda/functions.def"
#undef F
    };
    return wrappers[index];
}

/* -- Serving alone ----------------------------------------------------------------- */

#define F(name, suffix, version, ...)                                                 \
    static CUresult served_##name(CU_PARAMS(__VA_ARGS__))                             \
    {                                                                                 \
        CUresult result = drv_real.name(CU_ARGS(__VA_ARGS__));                        \
        return is_for_another(result) ? drv_real.name(CU_ARGS(__VA_ARGS__)) : result; \
    }
#include "cuda/functions.def"
#undef F

static CUresult served_current(CUcontext *current)
{
    CUresult result = drv_real.cuCtxGetCurrent(current);
    return is_none_for_another(result, current) ? drv_real.cuCtxGetCurrent(current)
                                                : result;
}

static drv_entry *served_entry(drv_index index)
{
    static drv_entry *const wrappers[DRV_COUNT] = {
#define F(name, suffix, version, ...) (drv_entry *)served_##name,
#include "cuda/functions.def"
#undef F
    };
    return index == DRV_cuCtxGetCurrent ? (drv_entry *)served_current : wrappers[index];
}

/* -- Watching all ------------------------------------------------------------------ */

/* Wrappers for all entries, or for those with a failure to come. */
static void watch(int all)
{
    for (int i = 0; !drv_loaded.forked && i < DRV_COUNT; i++)
        *drv_slot(&cu, &drv_rows[i]) =
            all || trace || atomic_load(&injected[i].left) ? drv_watched(i)
            : atomic_load(&served)                         ? served_entry(i)
                                   : *drv_slot(&drv_real, &drv_rows[i]);
}

void drv_record_start(void)
{
    atomic_store(&drv_recording, 1);
    watch(1);
}

const drv_record *drv_record_stop(size_t *count)
{
    atomic_store(&drv_recording, 0);
    watch(0);
    drv_record_settle(NULL);
    return drv_record_get(count);
}

void drv_serve(CUcontext context)
{
    had_it = context != NULL;
    atomic_store(&served, context);
    watch(atomic_load(&drv_recording));
}

void drv_serve_end(CUcontext context)
{
    if (atomic_load(&served) == context)
        drv_serve(NULL);
}

int drv_trace_open(void)
{
    const char *where = getenv("PYCUDA_TRACE");
    if (trace || !where || !*where || !strcmp(where, "0"))
        return trace != NULL;
    trace = strcmp(where, "1") ? fopen(where, "ae") : stderr;
    if (!trace)
        return -1;
    setvbuf(trace, NULL, _IOLBF, 0);
    return 1;
}

CUresult drv_inject(const char *name, unsigned nth, CUresult result)
{
    for (int i = 0; i < DRV_COUNT; i++) {
        if (strcmp(drv_rows[i].name, name))
            continue;
        injected[i].result = result;
        atomic_store(&injected[i].left, nth);
        *drv_slot(&cu, &drv_rows[i]) = drv_watched(i);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}
