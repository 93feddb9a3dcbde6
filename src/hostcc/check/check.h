/* check/: check mode (--check=...). Puts a pseudo function hc.check... in front of each
   access of the scalar code, where all that the source says is still known; vector/
   makes code of it that compares addresses of a whole vector. */
#ifndef HOSTCC_CHECK_H
#define HOSTCC_CHECK_H

#include "hostcc/ir/unit.h"

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

/* -- check_sites.c: the place in the source -- */

/* What an instruction of the scalar code accesses. */
typedef struct {
    cc_value at; /* the instruction */
    cc_value pointer;
    cc_value length; /* of memcpy and its kind: bytes; else NULL */
    hc_access_kind kind;
    unsigned bytes, alignment;
} cc_access;

/* A constant hc_access. `name`: of the variable or parameter, "" if not known. */
cc_value cc_access_row(cc_unit *, const cc_access *, const hc_access *facts,
                       const char *name);
/* Whether the instruction belongs to texture functions of the device library, which
   read behind objects that hostcuda made. */
bool cc_is_of_textures(cc_unit *, cc_value i);

/* -- check_accesses.c: stages -- */

void cc_check_accesses(cc_unit *);

#endif
