/* Check mode: what a checked kernel (hostcc --check=...) and hostcuda agree on. A
   kernel compares addresses itself, for vectors as a whole; where something seems
   wrong, it asks hostcuda, which looks at each lane, reports, and ends the block if it
   must. */
#ifndef PYCUDA_ABI_CHECK_H
#define PYCUDA_ABI_CHECK_H

#include <stdint.h>

/* Kinds of checks: bits in hc_kernel.checks. The driver's cuxCheckKind has the same. */
#define HC_CHECK_MEMORY 1u
#define HC_CHECK_RACE 2u
#define HC_CHECK_INIT 4u
#define HC_CHECK_SYNC 8u

typedef enum { HC_READ = 1, HC_WRITE, HC_ATOMIC, HC_FREE } hc_access_kind;

/* What an address is held against. */
typedef enum {
    HC_BY_BOUNDS,  /* `where` is an address: what hc_launch.bounds[bounds] says */
    HC_BY_SIZE,    /* `where` is the distance from the start of a variable of `size`
                      bytes; with HC_DYNAMIC from that of dynamic shared memory */
    HC_BY_ADDRESS, /* `where` is an address: whatever allocation or variable has it */
    HC_BY_FREE,    /* `where` is what free is given: where malloc's memory begins */
    HC_BY_TEXTURE, /* `where` is taken for a texture's record */
    HC_BY_SURFACE, /* `where` is taken for a surface's record */
    HC_BY_PLACE,   /* `where` is in a surface, or is less than HC_NOWHERE */
} hc_check_way;

typedef enum {
    HC_SPACE_UNKNOWN,
    HC_SPACE_GLOBAL,
    HC_SPACE_SHARED,
    HC_SPACE_LOCAL,
    HC_SPACE_CONSTANT,
} hc_space;

#define HC_DYNAMIC UINT64_MAX
#define HC_NOWHERE 4096
/* What checks by address have found last, in a frame; and those by the ways that follow
   HC_BY_FREE, which have one each. */
#define HC_KNOWN 8
#define HC_KNOWN_OBJECTS 3

/* A place in the user's text. */
typedef struct {
    const char *file; /* NULL: not known */
    uint32_t line, column;
} hc_site;

/* One access of the source, in the image. */
typedef struct {
    hc_site site;
    const char *variable; /* parameter or variable that the pointer comes from; "" */
    uint64_t size;        /* of HC_BY_SIZE */
    uint32_t kind;        /* hc_access_kind */
    uint32_t way;         /* hc_check_way */
    uint32_t space;       /* hc_space */
    uint32_t bytes;       /* that a thread accesses */
    uint32_t alignment;   /* that the address needs: a power of two */
    uint32_t bounds;      /* of HC_BY_BOUNDS; of HC_BY_ADDRESS in hc_frame.known */
} hc_access;

/* HC_CHECK_INIT: for each byte of memory from base on a mark at the same distance from
   `marks`, all bits set if somebody has written it. Marks of other memory: `elsewhere`,
   always set. */
typedef struct {
    uint64_t base, size;
    char *marks, *elsewhere;
} hc_written;

#define HC_ELSEWHERE 256 /* bytes there, and on each side of a block's marks */

/* What a pointer among the parameters points into: the whole allocation. Size 0: none
   that is known. */
typedef struct {
    uint64_t base, size;
} hc_bounds;

#endif
