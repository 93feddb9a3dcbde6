/* intrinsic_table.c: LLVM's intrinsics. */
#ifndef HOSTCC_INTRINSIC_TABLE_H
#define HOSTCC_INTRINSIC_TABLE_H

#include "hostcc/ir/ir.h"

typedef struct {
    const char *name;       /* up to the overloads */
    const char *overload;   /* types that name it: r result, 0 1 arguments; NULL: "r" */
    unsigned scalars;       /* bit mask of arguments that stay scalar constants */
    LLVMIntPredicate order; /* chooses by the order of its two arguments */
} cc_intrinsic_row;

/* The row of an intrinsic with a vector form, or NULL. */
const cc_intrinsic_row *cc_intrinsic_find(const char *name);
bool cc_intrinsic_is_hint(const char *name); /* nothing is lost without it */
bool cc_intrinsic_is_pure(const char *name); /* harmless where no lane runs */
/* Whether i fills memory with a byte or copies memory that does not overlap, once or
   several times all the same. */
bool cc_is_fill_or_copy(cc_value i);

/* Of a call that is x if x and y are in this order, else y, and of usub.sat, which is
   x - y then, else 0: the order. 0: i is none of these. */
LLVMIntPredicate cc_intrinsic_order(cc_value i);

#endif
