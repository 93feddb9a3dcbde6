/* clone.c, block_surgery.c: blocks copied and cut. */
#ifndef HOSTCC_CLONE_H
#define HOSTCC_CLONE_H

#include "hostcc/ir/unit.h"

/* A function of the blocks reachable from a block. `exit`: the copy's result where the
   original returns nothing; NULL: nothing. */
cc_value cc_copy_from(cc_unit *, cc_block, const char *name, cc_value exit);

/* Ends a block after i, or after `end_of_head` (NULL: before all); the rest keeps its
   identity. Returns the new first part. */
cc_block cc_split_after(cc_unit *, cc_value i);
cc_block cc_split_block(cc_unit *, cc_block, cc_value end_of_head);
/* Of a block that returns one of several constants: a block for each. */
void cc_split_returns(cc_unit *, cc_value function);
/* A new block on the edge from -> to. */
cc_block cc_split_edge(cc_unit *, cc_block from, cc_block to);

#endif
