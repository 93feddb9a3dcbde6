/* What running kernels may ask of us: printf, assert, trap, malloc, clocks. */
#ifndef HOSTCUDA_SERVICES_H
#define HOSTCUDA_SERVICES_H

#include "abi/frame.h"
#include "process.h"

extern const hc_services hd_services;

/* Writes what kernels of the context printed to stdout. Drops the lock. */
void hd_print_flush(hd_context *context);
/* prints.c: formats one device printf into worker->line. Returns its length, and the
   number of arguments it took; -1 where the format is none. */
int hd_print_format_unlocked(hd_worker *worker, const char *format,
                             const void *arguments, size_t *length);

#endif
