/* The functions that running kernels may call: printf, malloc, traps, time. */
#ifndef HOSTCUDA_SERVICES_H
#define HOSTCUDA_SERVICES_H

#include "abi/image.h"
#include "context_state.h"

extern const hc_services hd_services;
/* Writes what kernels of the context printed to stdout. Drops the lock. */
void hd_print_flush(hd_context *context);

#endif
