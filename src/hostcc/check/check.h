/* check/: check mode (--check=...). Puts a pseudo function hc.check... in front of each
   access of the scalar code, where all that the source says is still known; vector/
   makes code of it that compares addresses of a whole vector. */
#ifndef HOSTCC_CHECK_H
#define HOSTCC_CHECK_H

#include "hostcc/ir/pseudo.h"

/* -- check_roots.c: what a pointer was made from -- */

typedef enum {
    CC_ROOT_NONE,      /* nothing yet: a value made of itself alone */
    CC_ROOT_UNKNOWN,   /* loaded from memory, or of several things */
    CC_ROOT_PARAMETER, /* the word of the launch's parameters at `word` */
    CC_ROOT_VARIABLE,  /* `origin`: a variable, or a struct parameter itself */
    CC_ROOT_LOCAL,     /* `origin`: a variable of the thread */
} cc_root_kind;

typedef struct {
    cc_root_kind kind;
    cc_value origin;
    unsigned word; /* of eight bytes */
} cc_root;

/* `k`: the kernel that the pointer is in; NULL: another function. */
cc_root cc_root_of(cc_unit *, const cc_kernel *k, cc_value pointer);
/* Whether the address is a multiple of `align` if its root is. */
bool cc_keeps_alignment(cc_unit *, cc_value pointer, unsigned align);

/* Adds constant parts of an address up: for cc_address_parts. */
bool cc_add_constant(void *sum, cc_value index, uint64_t scale);

/* -- What an instruction of the scalar code accesses -- */

typedef struct {
    cc_value at; /* the instruction */
    cc_value pointer;
    cc_value source; /* of a copy: what it reads; else NULL */
    cc_value
        length; /* of a copy of so many bytes, which is not a constant; else NULL */
    hc_access_kind kind;
    unsigned bytes, alignment;
} cc_access;

/* -- check_sites.c: the place in the source -- */

/* A constant hc_access. `name`: of the variable or parameter, "" if not known. */
cc_value cc_access_row(cc_unit *, const cc_access *, const hc_access *facts,
                       const char *name);
/* Whether the instruction belongs to texture functions of the device library, which
   read behind objects that hostcuda made. */
bool cc_is_of_textures(cc_unit *, cc_value i);

/* -- check_shared.c: what may be shared memory -- */

bool cc_is_shared_variable(cc_value);
bool cc_may_be_shared(cc_value pointer);
bool cc_uses_shared(cc_value function);

/* -- check_calls.c: calls of hc.check... -- */

/* A variable, and the function that checks accesses to it. */
typedef struct {
    cc_value origin;
    cc_function_id check;
    hc_space space;
    uint64_t size; /* HC_DYNAMIC: dynamic shared memory */
    unsigned alignment;
} cc_variable;

/* The operand of hc.check... that says how many bytes, fewer than CC_DEMAND_MOST; at a
   multiple of 1 << shift; the same of the parameter that the address comes from, which
   then is enough. */
#define CC_DEMAND_MOST (1u << 24)
#define CC_DEMAND(bytes, shift, root) \
    ((bytes) | (uint64_t)(shift) << 24 | (uint64_t)(root) << 28)
#define CC_DEMAND_BYTES(demand) ((unsigned)((demand) & (CC_DEMAND_MOST - 1)))
#define CC_DEMAND_SHIFT(demand) ((unsigned)((demand) >> 24 & 15))
#define CC_DEMAND_ROOT(demand) ((unsigned)((demand) >> 28))

/* False: i accesses no memory. */
bool cc_find_access(cc_unit *, cc_value i, cc_access *);
bool cc_next_access(cc_access *); /* what the same instruction accesses besides */
/* Has been checked: needs no other. */
void cc_mark_checked(cc_unit *, cc_value i);
bool cc_is_checked(cc_unit *, cc_value i);
/* Whether an access so far from the start of a variable is right, for sure. */
bool cc_is_always_right(const cc_access *, cc_value distance, uint64_t size);
/* The same of one through a pointer that is `origin` and constants. */
bool cc_is_at_constant(cc_unit *, const cc_access *, cc_value origin, uint64_t size);
/* `look`: at the alignment, each time. */
cc_value cc_demand(cc_unit *, const cc_access *, bool look);
void cc_check_distance(cc_unit *, cc_builder, const cc_access *, cc_variable,
                       cc_value distance);

/* -- check_locals.c, check_accesses.c, check_races.c, check_written.c: stages -- */

void cc_check_locals(cc_unit *);
void cc_check_accesses(cc_unit *);
void cc_check_races(cc_unit *);
void cc_check_written(cc_unit *);

#endif
