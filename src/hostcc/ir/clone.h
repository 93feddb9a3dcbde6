/* clone.c, block_surgery.c: blocks copied and cut. */
#ifndef HOSTCC_CLONE_H
#define HOSTCC_CLONE_H

#include "hostcc/ir/unit.h"

/* A function of what a block leads to. `exit`: what the copy returns where the original
 * returns nothing; NULL: nothing. */
val cc_copy_from(cc_unit *, block, const char *name, val exit);

/* Ends a block after i, or after `end_of_head` (NULL: before all); the rest keeps its
   identity. Returns the new first part. */
block cc_split_after(cc_unit *, val i);
block cc_split_block(cc_unit *, block, val end_of_head);
/* A new block on the edge from -> to. */
block cc_split_edge(cc_unit *, block from, block to);

#endif
