/* printf in kernels, and the output that is kept for the next synchronization. */
#ifndef HOSTCUDA_DEVICE_PRINTF_H
#define HOSTCUDA_DEVICE_PRINTF_H

#include "context_state.h"
#include "workers.h"

/* The service: returns the number of arguments that the format took, or -1. */
int hd_print_unlocked(hc_frame *frame, const char *format, const void *arguments);
/* Writes the context's output to stdout, or hands it to the user. Drops the lock. */
void hd_print_flush(hd_context *context);

#endif
