/* Small copies between arrays and a GPU by way of page-locked memory: see staging.c. */
#ifndef PYCUDA_BINDING_STAGING_H
#define PYCUDA_BINDING_STAGING_H

#include "native.h"

#define BD_STAGING_BYTES ((size_t)1 << 16)

/* The memory, of BD_STAGING_BYTES, of the current context; NULL, never with an
   exception: do without. */
bd_staging *bd_staging_lend(bd_state *state);
/* Its bytes from `offset` on; NULL: they went with their context. */
unsigned char *bd_staging_at(const bd_staging *self, size_t offset);
/* What was enqueued with it must have ended. */
void bd_staging_return(bd_staging *self);
/* Of a context that ends; NULL: there is none. alive: that is current and goes on for
   others. */
void bd_staging_release(bd_staging *self, int alive);

#endif
