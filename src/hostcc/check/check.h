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
/* Whether the instruction stands in a file whose name begins so. */
bool cc_is_of_file(cc_unit *, cc_value i, const char *start);
/* Whether the instruction stands in the device library's files about textures. */
bool cc_is_in_texture_files(cc_unit *, cc_value i);

/* -- check_textures.c -- */

/* Marks what texture functions access behind objects that hostcuda made. */
void cc_mark_textures(cc_unit *);
bool cc_is_of_textures(cc_unit *, cc_value i);
/* Drops what they say. */
void cc_drop_texture_calls(cc_unit *);

/* -- check_shared.c: what may be shared memory -- */

bool cc_is_shared_variable(cc_value);
bool cc_may_be_shared(cc_unit *, cc_value pointer);
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

/* The operand of hc.race that says what is done: HC_RACE_..., so many bytes, and the
   parameter that the address comes from, of eight bytes; -1: not known. */
#define CC_RACE(kinds, bytes, word) \
    ((kinds) | (uint64_t)(bytes) << 8 | (uint64_t)((word) + 1) << 32)
#define CC_RACE_KINDS(what) ((unsigned)(what) & 0xff)
#define CC_RACE_BYTES(what) ((unsigned)(what) >> 8)
#define CC_RACE_WORD(what) ((int)((what) >> 32) - 1)

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
/* The number in its block of the thread that runs, 32 bits. */
cc_value cc_thread_number(cc_unit *, cc_builder);
/* hc.copy, of what the access reads or writes; `ask`: HC_ASK_... | HC_RACE_... << 42 */
void cc_ask_copy(cc_unit *, cc_builder, const cc_access *, uint64_t ask, cc_value row,
                 cc_value value);

/* -- check_strings.c: of printf -- */

/* Where strings stand among the arguments of a format: how many there are. */
unsigned cc_string_arguments(cc_value format, unsigned *offset, unsigned most);

/* -- check_functions.c: of one thread -- */

/* Who asks hostcuda: its frame, the table of services, the thread's number if the call
   has none. */
typedef struct {
    cc_value frame, table, thread;
} cc_asked;

/* What hc.check.copy or hc.copy with these operands asks. */
void cc_ask_of_copy(cc_unit *, cc_builder, cc_asked, cc_function_id, cc_value *operand);

/* -- count_lines.c: coverage, a stage -- */

void cc_count_lines(cc_unit *);
/* How far the lanes of a vector are apart in memory. */
typedef enum { CC_SAME_PLACE, CC_CONSECUTIVE, CC_STRIDED, CC_ANYWHERE } cc_spacing;
/* Of an access in vector code; of several such at one place, that farthest apart. */
void cc_note_access(cc_unit *, cc_value i, bool writes, cc_spacing);
const char *cc_coverage_text(cc_unit *); /* for the image; abi/coverage.h */

/* -- check_locals.c, check_accesses.c, check_races.c, check_written.c,
   check_functions.c: stages -- */

void cc_check_locals(cc_unit *);
void cc_check_accesses(cc_unit *);
void cc_check_races(cc_unit *);
void cc_check_written(cc_unit *);
void cc_check_functions(cc_unit *);

#endif
