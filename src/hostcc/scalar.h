/* -- scalar.c: functions that are not inlined -- */
#ifndef HOSTCC_SCALAR_H
#define HOSTCC_SCALAR_H

#include "hostcc.h"

/* Marks functions to be inlined, except recursive ones and those whose address is
 * taken. */
void cc_mark_inlining(cc_unit *);
/* Gives the remaining functions their thread: registers, shared memory and services. */
void cc_lower_scalar_functions(cc_unit *);

#endif
