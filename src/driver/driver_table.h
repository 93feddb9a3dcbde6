/* Inside the room: the rows of the table, one an entry point. A row knows where its
   pointer lies in drv_table, so that loading, tracing and injection are loops. */
#ifndef PYCUDA_DRIVER_TABLE_H
#define PYCUDA_DRIVER_TABLE_H

#include "driver.h"
#include <stdatomic.h>

typedef void drv_entry(
    void); /* any entry point: to be stored and compared, never called */

typedef struct {
    const char *name;   /* cuMemAlloc */
    const char *symbol; /* cuMemAlloc_v2 */
    size_t offset;      /* in drv_table */
    drv_entry *absent;  /* the trampoline that stands in for it */
} drv_row;

typedef enum {
#define F(name, suffix, version, ...) DRV_##name,
#include "cuda/functions.def"
#undef F
    DRV_COUNT
} drv_index;

extern const drv_row drv_rows[DRV_COUNT];

extern drv_info drv_loaded; /* what drv_get_info gives; written by driver_load.c */

/* The library's own functions or trampolines: what `cu` holds while nobody watches. */
extern drv_table drv_real;

static inline drv_entry **drv_slot(drv_table *table, const drv_row *row)
{
    return (drv_entry **)((char *)table + row->offset);
}

/* Opens the trace that the environment asks for: 1 on, 0 off, -1: no such file. */
int drv_trace_open(void);

/* The wrapper of an entry point: it traces, records, injects failures and calls on. */
drv_entry *drv_watched(drv_index);

/* The recording (driver_record.c), whose wrappers call these around the driver's while
   drv_recording is set. Settling finds the times of the work in a context (NULL: in
   all), and waits for it. */
extern atomic_int drv_recording;
drv_record *drv_record_before(int index, const long long *arguments); /* or NULL */
void drv_record_after(drv_record *, CUresult);
void drv_record_settle(CUcontext);
const drv_record *drv_record_get(size_t *count);
uint64_t drv_now(void);

#endif
