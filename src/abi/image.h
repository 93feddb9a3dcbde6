/* What hostcc writes into a host image and hostcuda reads from it. An image is an
   address-free ELF shared object with one exported symbol, `hostcuda_image`; everything
   else hangs off it. Behind the ELF file stands a seal (seal.h). */
#ifndef PYCUDA_ABI_IMAGE_H
#define PYCUDA_ABI_IMAGE_H

#include "frame.h"

#define HC_IMAGE_SYMBOL "hostcuda_image"
#define HC_ABI_VERSION 27u /* one more with each change of src/abi, of __hc_texture */

/* Runs blocks first..last-1 (numbered x fastest) of a kernel without suspension points.
   Writes frame->index before each block, so that a fault can be attributed. */
typedef void hc_run(const hc_launch *, hc_frame *, uint64_t first, uint64_t last);

/* Runs every vector of the block with living lanes from one state to its next
   suspension point, all lanes being in that state. Where some lanes of a vector exit
   and others do not, updates alive and clears frame->whole; exited vectors are left to
   the scheduler. Returns the one state that all these vectors have reached, perhaps
   HC_EXITED, or HC_MIXED. */
typedef uint32_t hc_pass(const hc_launch *, hc_frame *, const void *masked);

/* The same for some lanes of one vector. Lanes outside `lanes` are left alone. Updates
   alive, and lane_state of the given lanes; returns as above, for the given lanes
   alone. */
typedef uint32_t hc_resume(const hc_launch *, hc_frame *, uint32_t vector,
                           uint32_t lanes, const void *masked);

typedef enum {
    HC_ENTRY,         /* state 0 */
    HC_BARRIER,       /* waits for all living threads of the block */
    HC_BARRIER_COUNT, /* the same, and reduces exchange.flag over them into
                         frame->barrier_value */
    HC_BARRIER_AND,
    HC_BARRIER_OR,
    HC_WARP,     /* waits for the lanes in exchange.mask to come with the same op */
    HC_YIELD,    /* spins: may go on at once, after others had their turn */
    HC_LOCKSTEP, /* may go on at once; waiting for the other vectors is only better for
                    caches, and if hc_state.op is not 0 for neighbouring blocks, too */
} hc_state_kind;

typedef enum {
    HC_SYNC, /* __syncwarp */
    HC_BALLOT,
    HC_SHUFFLE_INDEX,
    HC_SHUFFLE_UP,
    HC_SHUFFLE_DOWN,
    HC_SHUFFLE_XOR,
    HC_MATCH_ANY,
    HC_REDUCE_ADD,
    HC_REDUCE_MIN, /* signed 32 bit */
    HC_REDUCE_MAX,
    HC_REDUCE_UMIN,
    HC_REDUCE_UMAX,
    HC_REDUCE_AND,
    HC_REDUCE_OR,
    HC_REDUCE_XOR,
} hc_warp_op;

/* In hc_state.op of HC_WARP, beside the function: what a shuffle answers is stored as
   it is (only of kernels with HC_CHECK_SYNC). */
#define HC_WARP_OP 0xffu
#define HC_WARP_STORED 0x100u

/* Flags in hc_state.op of HC_YIELD: memory alone decides whether threads that are in
   the state once more after a turn go on, and as long as it stays as it is, turns
   change nothing; they wait for the other blocks at the barrier of the whole grid. */
#define HC_YIELD_IDLE 1u
#define HC_YIELD_GRID 2u

typedef struct {
    uint32_t kind; /* hc_state_kind */
    uint32_t op;   /* hc_warp_op of HC_WARP, HC_YIELD_... of HC_YIELD */
    hc_pass *pass;
    hc_resume *resume;
    const void *masked; /* the state's code under masks, for these two */
    hc_site site;       /* what threads wait at in this state */
} hc_state;

typedef struct {
    uint32_t offset, size; /* bytes, in hc_launch.params */
    const char *type;      /* as the source spells it: "const float *", "struct P" */
} hc_param;

/* A flag: needs vectors that are warps: the linear layout where rows would not do. */
#define HC_WARPS 1u
/* A flag: runs with denormal operands and results taken for zeros (-ftz=true). */
#define HC_FLUSHES 2u

/* A flag: has no code yet; it is compiled from hc_image.object when it is loaded. */
#define HC_UNLOADED 4u

#define HC_UNRACED 0xffffffffu

typedef struct {
    const char *name; /* linkage name, as cuModuleGetFunction takes it */
    uint32_t flags, width;
    uint32_t nparams, param_bytes;
    const hc_param *params;
    /* A layout each: [0] rows, [1] linear (HC_WARPS only). One that has neither code
       nor states is compiled from hc_image.object. */
    uint32_t nstates[2]; /* 0: `run`; else the table of states */
    hc_run *run[2];
    const hc_state *states[2];
    uint32_t shared_bytes;
    uint32_t context_bytes; /* a vector */
    uint32_t local_bytes;   /* a thread: CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES */
    uint32_t max_threads;   /* __launch_bounds__, or 1024 */
    uint32_t checks;        /* HC_CHECK_...: what it checks while it runs */
    uint32_t granule_shift; /* HC_CHECK_RACE: see hc_races */
    uint32_t global_shift; /* the same of global memory; HC_UNRACED: it accesses none */
    /* Bytes that a thread streams past the caches in a turn of HC_LOCKSTEP, or in all,
       if that is more than `cached_turns`, by the largest of such stores; 0: none. */
    uint32_t streamed;
    const uint8_t *writes; /* for each 8 bytes of parameters whether it writes what they
                              point into; NULL: it may write anything */
} hc_kernel;

typedef enum {
    HC_VARIABLE,
    HC_CONSTANT,
    HC_TEXTURE,
    HC_SURFACE,
    HC_HIDDEN, /* found by kernels that are loaded later, and nobody else */
} hc_global_kind;

/* The value of a texture or surface reference is the address of a record (the device
   library's texture_record.h), which the driver puts there. */
typedef struct {
    const char *name;
    void *address;
    uint64_t size;
    uint32_t kind;  /* hc_global_kind */
    uint8_t format; /* CUarray_format of a texture's declared type; 0: never read */
    uint8_t channels;
    uint8_t as_is; /* not read as normalized floats */
    uint8_t reserved;
} hc_global;

/* An image of imports has one kernel, compiled from another image's object. Its globals
   are that one's: their addresses go where `address` says. */
typedef struct {
    const char *producer; /* "hostcc 0.1, LLVM 19.1.7" */
    uint32_t nkernels, nglobals;
    const hc_kernel *kernels;
    const hc_global *globals;
    const char *coverage; /* coverage.h; NULL: kernels do not count */
    uint32_t ncounters, imports;
    const void *object; /* bitcode, if the code of some is not there; NULL */
    uint64_t object_bytes;
    const char *options; /* of its compilation, a line each */
} hc_image;

#endif
