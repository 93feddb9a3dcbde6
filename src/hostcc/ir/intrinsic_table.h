/* intrinsic_table.c: LLVM's intrinsics. */
#ifndef HOSTCC_INTRINSIC_TABLE_H
#define HOSTCC_INTRINSIC_TABLE_H

#include "hostcc/ir/ir.h"

typedef struct {
    const char *name;     /* up to the overloads */
    const char *overload; /* types that name it: r result, 0 1 arguments; NULL: "r" */
    unsigned scalars;     /* bit mask of arguments that stay scalar constants */
} cc_intrinsic_row;

/* The row of an intrinsic with a vector form, or NULL. */
const cc_intrinsic_row *cc_intrinsic_find(const char *name);
bool cc_intrinsic_is_hint(const char *name); /* nothing is lost without it */
bool cc_intrinsic_is_pure(const char *name); /* harmless where no lane runs */

#endif
