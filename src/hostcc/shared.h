/* -- shared.c: shared memory -- */
#ifndef HOSTCC_SHARED_H
#define HOSTCC_SHARED_H

#include "hostcc.h"

/* Gives each __shared__ variable its place in the block's shared memory and turns what
   refers to it into calls hc.shared(offset). Sets shared_bytes of each kernel. */
void cc_lower_shared(cc_unit *);

#endif
