/* pseudo.c, pseudo.def: functions that have a meaning of their own, and special
   registers, which are such functions of LLVM's. */
#ifndef HOSTCC_PSEUDO_H
#define HOSTCC_PSEUDO_H

#include "hostcc/ir/unit.h"

/* How a result differs from lane to lane. */
typedef enum {
    CC_RESULT_UNIFORM,
    CC_RESULT_VARYING,
    CC_RESULT_LANE,         /* 0, 1, 2, ... */
    CC_RESULT_SLOT,         /* an address; the second argument is the stride */
    CC_RESULT_AS_ARGUMENTS, /* uniform if all of them are */
    CC_RESULT_AS_MASK,      /* ... if the first is */
    CC_RESULT_AS_SOURCE,    /* ... if all 32 lanes read the same one */
} cc_result;

typedef enum {
    CC_FN_NONE,
#define CC_FUNCTION(id, ...) CC_FN_##id,
#include "hostcc/ir/pseudo.def"
#undef CC_FUNCTION
    CC_FN_COUNT
} cc_function_id;

typedef struct {
    const char *name;
    unsigned arguments;
    cc_result result;
    bool again;
    hc_state_kind state;
    hc_warp_op op;
} cc_function;

extern const cc_function cc_functions[CC_FN_COUNT]; /* [CC_FN_NONE]: of any other */

cc_function_id cc_function_named(const char *name);
/* The pseudo function that i calls directly; CC_FN_NONE: none of these. */
cc_function_id cc_function_of(cc_value i);
bool cc_is_check(cc_value i); /* it checks an access that follows */
bool cc_is_warp_function(cc_value i, hc_warp_op *);

/* Whether i calls a function that is compiled for vectors (vector_calls.c), and
   marks it as one. It reads memory and knows of no thread. */
#define CC_OF_VECTORS "hc.vectors"
#define CC_READS 21 /* LLVM's number: of memory of any kind, and no more */
bool cc_is_vector_call(cc_value i);
bool cc_is_of_vectors(cc_value function);

/* Calls one of the hc.* functions. */
cc_value cc_call_function(cc_unit *, cc_builder, cc_function_id, cc_type result,
                          cc_value *args);
/* Declares it, as a function of type t. */
cc_value cc_declare_function(cc_unit *, cc_function_id, cc_type t);

typedef enum { CC_NO_REGISTER, CC_TID, CC_NTID, CC_CTAID, CC_NCTAID } cc_register_id;

/* Which special register i reads; `dim`: 0 x, 1 y, 2 z. */
cc_register_id cc_register_of(cc_value i, unsigned *dim);
/* Reads the one of that name, "tid.x". */
cc_value cc_read_register(cc_unit *, cc_builder, const char *name);

#endif
