/* -- block.c: loops over the vectors of a block -- */
#ifndef HOSTCC_BLOCK_H
#define HOSTCC_BLOCK_H

#include "vector.h"

/* Vectorizes every region of the kernel and makes its layouts' run, or pass and resume.
 */
void cc_blocks(cc_unit *, cc_kernel *);

#endif
