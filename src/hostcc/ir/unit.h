/* unit.c: the state of a compilation, and functions that all stages share. hostcc is
   one short-lived process that compiles one file: memory is taken and never given back,
   and a refusal prints its reason and ends the process (exit status 1). */
#ifndef HOSTCC_UNIT_H
#define HOSTCC_UNIT_H

#include "abi/image.h"
#include "hostcc/ir/ir.h"

#include <stdnoreturn.h>
#include <sys/types.h>

/* -- The state of a compilation -- */

/* Of a command; ends with NULL. */
typedef struct cc_words {
    unsigned n;
    const char *word[256];
} cc_words;

typedef struct {
    char **command; /* argv, in getopt's order */
    char **source;  /* one of text, or any number of objects; ends with NULL */
    const char *output;
    cc_words language;      /* go to clang; the device library is parsed under them */
    cc_words clang;         /* go to clang */
    unsigned arch;          /* that code is asked for, 90 of sm_90; 0: of none */
    const char *pch_folder; /* for precompiled headers; NULL: do without */
    const char *depfile;
    const char *debug_folder; /* where debuggers find the source; NULL: beside it */
    const char *cpu; /* an x86-64 level to generate code for; NULL: this machine */
    unsigned checks; /* HC_CHECK_... that kernels make while they run */
    bool coverage;   /* kernels count how often each line runs */
    bool no_avx512;  /* started again by retry.c */
    enum {
        CC_GATHERS_ARE_MEASURED, /* on this machine; loads with `cpu` */
        CC_GATHERS_ARE_LOADS,
        CC_GATHERS_ARE_INSTRUCTIONS
    } gathers;
    enum {
        CC_PREFETCHES_ARE_CHOSEN, /* by the processor (vector/access.c) */
        CC_PREFETCHES_ARE_NEAR,
        CC_PREFETCHES_ARE_FAR
    } prefetches;
    enum {
        CC_LOOPS_ARE_CHOSEN, /* by their cost (vector/loop_cost.c) */
        CC_LOOPS_ARE_VECTORS,
        CC_LOOPS_ARE_SCALAR,
        CC_LOOPS_ARE_COUNTED /* scalar for half of the lanes or less */
    } divergent_loops;
    enum {
        CC_LAZY_NEVER,
        CC_LAZY_LARGE, /* kernels of large sources are compiled when they are loaded */
        CC_LAZY_ALL
    } lazy_loading;
    const char *kernel; /* of an object, the one that is compiled; NULL: all */
    enum { CC_BOTH_LAYOUTS, CC_ROWS, CC_LINEAR } layout; /* of that */
    int level;                                           /* 0..3 */
    bool preprocess, relocatable, verbose;
    bool flushes;                /* denormal numbers of float are zeros */
    LLVMDWARFEmissionKind debug; /* how much debug information goes into the image */
} cc_options;

/* A place in the user's text. */
typedef struct {
    const char *file; /* NULL: not known */
    unsigned line, column;
} cc_place;

/* One way to cut blocks into vectors (src/abi/frame.h), and the functions made for it.
 */
typedef struct {
    unsigned nstates; /* 0: layout not used; 1: no suspension point */
    struct {
        hc_state_kind kind;
        unsigned op;
        cc_place place; /* where threads wait in it */
        unsigned next;  /* state that the same pass runs after it, 0: none
                           (barrier_fusion.c) */
        bool down;      /* from the block's last vector to its first */
        bool fused;     /* to the one before: its pass runs masked code only */
        bool waited;    /* who comes had to wait for other threads before */
    } *states;
    bool together; /* all threads of a block go from state to state in the same way */
    cc_value *region; /* scalar */
    unsigned context_bytes;
    cc_value run, resume, *pass, *masked; /* hc_run, or hc_resume and each state's
                                        hc_pass and masked code */
} cc_layout;

typedef struct {
    char *name;
    cc_value function; /* the scalar kernel; in the end only a declaration is left */
    unsigned max_threads;
    bool warps;             /* uses warp functions: vectors are warps of 32 */
    bool flushes;           /* runs with denormal numbers taken for zeros */
    unsigned width;         /* lanes of a vector; 0: not chosen yet */
    unsigned checks;        /* HC_CHECK_... that it makes */
    unsigned granule_shift; /* of race checks (abi/frame.h, hc_races) */
    unsigned global_shift;  /* the same of global memory; HC_UNRACED */
    uint8_t *writes;   /* for each 8 bytes of parameters; NULL: perhaps all memory */
    unsigned streamed; /* as in abi/image.h */
    unsigned shared_bytes, local_bytes;
    unsigned nparams, param_bytes;
    hc_param *params;
    bool *by_value; /* parameter k is a struct; the function takes its address */
    cc_layout layout[2];
} cc_kernel;

/* A function of one lane as it is called for a vector (vector/vector_calls.c). */
typedef struct cc_vector_function {
    cc_value scalar, function;
    const cc_kernel *kernel; /* of the first call */
    unsigned width, layout;
    uint32_t same; /* a bit for each parameter: the same in all lanes, passed once */
    bool masked;   /* the last parameter says which lanes run */
    struct cc_vector_function *next;
} cc_vector_function;

#define CC_PARTS 16 /* at most, that are compiled apart (parallel_codegen.c) */

typedef struct {
    const cc_options *options;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    char *cpu, *features;
    unsigned vector_bits; /* of the target's widest registers */
    cc_type i1, i8, i16, i32, i64, f32, f64, ptr, none;
    unsigned nkernels;
    cc_kernel *kernels;
    cc_vector_function *vector_functions; /* called so far */
    bool known_blocks; /* some have code for blocks of a known size (known_block.c) */
    enum { CC_ALONE, CC_CHILD, CC_PARENT } role; /* CC_PARENT: only links */
    unsigned part;                               /* the child's */
    LLVMMemoryBufferRef bitcode; /* the source as bitcode, if kernels may wait for it */
    struct cc_map *hidden;       /* variables that only those kernels find by name */
    bool deferred; /* they do: the image has that in place of their code */
    struct cc_coverage *coverage; /* what counters stand for (count_lines.c), or NULL */
    unsigned counters;
    const char *object[CC_PARTS + 1]; /* each part's file; ends with NULL */
    struct cc_leading *leading;       /* what the source begins with, or NULL */
    struct cc_map *textures; /* reference -> its declared type (texture_references.c) */
    struct cc_map *users_files; /* DIFile -> whether it is the user's (places.c) */
} cc_unit;

/* -- Shared by all stages -- */

void cc_unit_begin(cc_unit *);
noreturn void cc_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *cc_alloc(size_t bytes); /* zeroed, never NULL */
char *cc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cc_passes(cc_unit *, const char *pipeline);
void cc_dump(cc_unit *, const char *stage); /* if HOSTCC_DUMP names the stage */
unsigned cc_sizeof(cc_unit *, cc_type);
cc_type cc_stored(const cc_unit *, cc_type); /* its type in memory */
cc_value cc_int(cc_type, uint64_t);
cc_value cc_offset(cc_unit *, cc_builder, cc_value base, size_t bytes);
void cc_attribute(cc_unit *, cc_value function, const char *name);
void cc_text_attribute(cc_unit *, cc_value function, const char *name,
                       const char *text);
unsigned cc_number_of_attribute(cc_value function, const char *name); /* or 0 */
void cc_param_attribute(cc_unit *, cc_value function, unsigned index, const char *name,
                        uint64_t value);
void cc_target_attributes(cc_unit *, cc_value function);
bool cc_is_kernel(const cc_unit *, cc_value function);
unsigned cc_annotation(cc_unit *, cc_value global, const char *key);
size_t cc_instructions(cc_value function); /* how many it has */
void cc_readable_param(cc_unit *, cc_value function, unsigned p, size_t bytes);

/* Lanes of a vector in so many of the widest registers, 32 bits each. */
static inline unsigned cc_lanes_in(const cc_unit *u, unsigned registers)
{
    return u->vector_bits / 32 * registers;
}

static inline bool cc_for_debuggers(const cc_unit *u) /* option -G */
{
    return u->options->debug == LLVMDWARFEmissionFull;
}

/* Threads run one at a time, their variables in memory. Checks and counters of lines
   need vectors. */
static inline bool cc_by_thread(const cc_unit *u)
{
    return cc_for_debuggers(u) && !u->options->checks && !u->options->coverage;
}

/* A load's: of memory that does not change while a kernel runs. */
#define CC_INVARIANT "invariant.load"

/* Metadata of n numbers for an instruction. */
void cc_note(cc_unit *, cc_value, const char *name, unsigned n, cc_type,
             const uint64_t *);
bool cc_is_noted(cc_unit *, cc_value, const char *name);
void cc_mark_seldom(cc_unit *, cc_value branch); /* the first of its two ways */
/* The loop whose last branch it is does so many turns at a time. */
void cc_unroll(cc_unit *, cc_value branch, unsigned turns);
cc_value cc_fixed_load(cc_unit *, cc_builder, cc_type, cc_value pointer, size_t bytes);
cc_value cc_block_dimension(cc_unit *, cc_builder, cc_value launch, unsigned dim);
/* The number of vectors in a block. */
cc_value cc_vectors_of_block(cc_unit *, cc_builder, const cc_value block_dim[3],
                             unsigned width, bool linear);
/* Where that vector of the block saves a value. Contexts lie value by value, and for
   each value vector by vector: slots used together are adjacent, and small values
   occupy few cache lines. */
cc_value cc_slot_address(cc_unit *, cc_builder, cc_value context, cc_value vectors,
                         cc_value vector, uint64_t offset, uint64_t bytes);

/* -- child_processes.c -- */

/* Waits for one of n children: its exit status, or the signal that ended it as a
   negative number. */
int cc_await(const pid_t *children, unsigned n);

#endif
