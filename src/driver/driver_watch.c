/* Watching calls: one wrapper an entry point, put into `cu` in place of the library's
   function when a trace is wanted or a test injects a failure. Nobody who does not
   watch pays anything: the wrappers are reached only through the table.

   The trace is one line a call: name(arguments as integers) = result, microseconds. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "driver_table.h"

typedef struct {
    drv_index index;
    int count; /* of arguments */
    const long long *arguments;
    struct timespec start;
    CUresult result;
} call;

/* Failures to come: `left` calls from now, the last of them fails. */
static struct {
    atomic_uint left;
    CUresult result;
} injected[DRV_COUNT];

static FILE *trace; /* owned; NULL: off */

/* False if the call is to fail without reaching the driver. */
static int call_begin(call *c)
{
    unsigned left = atomic_load(&injected[c->index].left);
    while (left &&
           !atomic_compare_exchange_weak(&injected[c->index].left, &left, left - 1))
        continue;
    if (trace)
        clock_gettime(CLOCK_MONOTONIC, &c->start);
    c->result = injected[c->index].result;
    return left != 1;
}

static CUresult call_end(const call *c)
{
    if (!trace)
        return c->result;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    char line[512];
    int n = snprintf(line, sizeof line, "%s(", drv_rows[c->index].name);
    for (int i = 0; i < c->count; i++) {
        long long v = c->arguments[i];
        const char *format = v > -65536 && v < 65536 ? "%s%lld" : "%s0x%llx";
        n += snprintf(line + n, sizeof line - n, format, i ? ", " : "", v);
    }
    fprintf(trace, "%s) = %s, %.1f us\n", line, drv_result_name(c->result),
            (now.tv_sec - c->start.tv_sec) * 1e6 +
                (now.tv_nsec - c->start.tv_nsec) * 1e-3);
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
            c.result = drv_real.name(CU_ARGS(__VA_ARGS__));        \
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
