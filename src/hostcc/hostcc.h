/* hostcc: CUDA C++ in, host image out. One short-lived process compiles one file:
   memory is taken and never given back, and a refusal prints its reason and ends the
   process (exit status 1). The stages run in the order of the table in main.c; each
   section below is one file. */
#ifndef HOSTCC_H
#define HOSTCC_H

#include "ir.h"
#include "abi/image.h"

#include <stdnoreturn.h>
#include <sys/types.h>

/* -- What a compilation owns -- */

/* Of a command; ends with NULL. */
typedef struct {
    unsigned n;
    const char *word[256];
} cc_words;

typedef struct {
    char **source; /* one of text, or any number of objects; ends with NULL */
    const char *output;
    cc_words language;      /* go to clang; the device library is parsed under them */
    cc_words clang;         /* go to clang */
    const char *pch_folder; /* for the precompiled device library; NULL: do without */
    const char *depfile;
    const char *cpu; /* an x86-64 level to generate code for; NULL: this machine */
    int level;       /* 0..3 */
    bool preprocess, relocatable, verbose;
    bool flushes;                /* denormal numbers of float are zeros */
    LLVMDWARFEmissionKind debug; /* what of debug information goes into the image */
} cc_options;

/* One way to cut blocks into vectors (src/abi/frame.h), and what was made for it. */
typedef struct {
    unsigned nstates; /* 0: layout not used; 1: no suspension point */
    struct {
        hc_state_kind kind;
        unsigned op;
        unsigned next; /* state that the same pass runs after it, 0: none (joined.c) */
        bool down;     /* from the block's last vector to its first */
        bool joined;   /* to the one before: its pass runs masked code only */
    } *states;
    val *region; /* scalar */
    unsigned context_bytes;
    val run, resume, *pass, *masked; /* hc_run, or hc_resume and each state's hc_pass
                                        and masked code */
} cc_layout;

typedef struct {
    char *name;
    val function; /* the scalar kernel; in the end only a declaration is left */
    unsigned max_threads;
    bool warps;     /* uses warp functions: vectors are warps of 32 */
    bool flushes;   /* runs with denormal numbers taken for zeros */
    unsigned width; /* lanes of a vector */
    unsigned shared_bytes, local_bytes;
    unsigned nparams, param_bytes;
    hc_param *params;
    bool *by_value; /* parameter k is a struct; the function takes its address */
    cc_layout layout[2];
} cc_kernel;

#define CC_PARTS 16 /* at most, that are compiled apart (parts.c) */

typedef struct {
    const cc_options *options;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    char *cpu, *features;
    unsigned vector_bits; /* of the target's widest registers */
    type i1, i8, i16, i32, i64, f32, f64, ptr, none;
    unsigned nkernels;
    cc_kernel *kernels;
    enum { CC_ALONE, CC_CHILD, CC_PARENT } role; /* CC_PARENT: only links */
    unsigned part;                               /* the child's */
    const char *object[CC_PARTS + 1];            /* each part's file; ends with NULL */
    struct cc_map *textures; /* reference -> its declared type (references.c) */
} cc_unit;

/* -- clang.cpp: clang's front end -- */

/* Does what the command `words` of clang says; it may make a module, and messages. */
bool cc_clang(unsigned n, const char *const *words, LLVMContextRef, char **messages,
              LLVMModuleRef *);
/* Constants made of this one become instructions where functions use them. */
void cc_expand_constants(val of);

/* -- options.c: the command line -- */

void cc_options_parse(cc_options *, int argc, char **argv);
void cc_add(cc_words *, const char *const *words); /* ends with NULL */
#define CC_ADD(list, ...) cc_add(list, (const char *const[]){__VA_ARGS__, NULL})
const char *cc_producer(void); /* "hostcc VERSION, LLVM 19.1.7, abi 7" */

/* -- unit.c: what all stages share -- */

void cc_unit_begin(cc_unit *);
noreturn void cc_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *cc_alloc(size_t bytes); /* zeroed, never NULL */
char *cc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cc_passes(cc_unit *, const char *pipeline);
void cc_dump(cc_unit *, const char *stage); /* if HOSTCC_DUMP names the stage */
unsigned cc_sizeof(cc_unit *, type);
type cc_stored(const cc_unit *, type); /* how it lies in an array */
val cc_int(type, uint64_t);
/* Calls a function that the pipeline talks to itself with; gone before code is
   generated. A pure one may be called again, elsewhere, or not at all. */
val cc_helper(cc_unit *, builder, const char *name, type result, unsigned n, val *args);
val cc_pure_helper(cc_unit *, builder, const char *name, type result, unsigned n,
                   val *args);
val cc_pure_function(cc_unit *, const char *name, type);
val cc_offset(cc_unit *, builder, val base, size_t bytes);
void cc_attribute(cc_unit *, val function, const char *name);
void cc_param_attribute(cc_unit *, val function, unsigned index, const char *name,
                        uint64_t value);
void cc_target_attributes(cc_unit *, val function);
bool cc_is_kernel(const cc_unit *, val function);
unsigned cc_annotation(cc_unit *, val global, const char *key);
void cc_readable_param(cc_unit *, val function, unsigned p, size_t bytes);
/* Metadata of n numbers for an instruction. */
void cc_note(cc_unit *, val, const char *name, unsigned n, type, const uint64_t *);
val cc_fixed_load(cc_unit *, builder, type, val pointer, size_t bytes);
val cc_block_dimension(cc_unit *, builder, val launch, unsigned dim);

/* -- The stages: frontend.c, retarget.c, parameters.c, shared.c, scalar.c, block.c,
   table.c, parts.c, emit.c, gather.c; see main.c -- */

void cc_frontend(cc_unit *);
/* Compiles a text beside the source; NULL: it has errors, as the messages say. */
LLVMModuleRef cc_compile_text(cc_unit *, const char *text, char **messages);
const char *cc_device_library(void);                /* its folder */
void cc_params(cc_unit *);                          /* part of retarget */
void cc_define_undefined(cc_unit *);                /* the same */
void cc_shared_tables(cc_unit *);                   /* shared.c; the same */
void cc_flush_denormals(cc_unit *);                 /* flush.c; part of simplify */
void cc_translate_ptx(cc_unit *);                   /* the same */
void cc_refuse_ptx(val call, const char *function); /* if only GPUs can do that */
void cc_retarget(cc_unit *);
void cc_simplify(cc_unit *);
/* Gives each __shared__ variable its place in the block's shared memory and turns what
   refers to it into calls hc.shared(offset). Sets shared_bytes of each kernel. */
void cc_lower_shared(cc_unit *);
/* Marks functions to be inlined, except recursive ones and those whose address is
   taken. */
void cc_mark_inlining(cc_unit *);
/* Gives the remaining functions their thread: registers, shared memory and services. */
void cc_lower_scalar_functions(cc_unit *);
/* Vectorizes every region and makes the layouts' run, or pass and resume. */
void cc_blocks(cc_unit *);
void cc_table(cc_unit *);
void cc_inline(cc_unit *);
void cc_divide(cc_unit *);
void cc_optimize(cc_unit *);
void cc_take_gathers_apart(cc_unit *);
void cc_place_joined(cc_unit *); /* part of optimize */
void cc_emit(cc_unit *);
void cc_link(cc_unit *);
int cc_await(const pid_t *children, unsigned n);

/* -- points.c: functions that wait for other lanes of the warp -- */

bool cc_is_warp_function(val, hc_warp_op *);

/* -- lines.c: which instruction comes of which line -- */

void cc_keep_lines(cc_unit *); /* part of retarget: drops all else for debuggers */
void cc_write_lines(cc_unit *);

static inline bool cc_for_debuggers(const cc_unit *u) /* option -G */
{
    return u->options->debug == LLVMDWARFEmissionFull;
}

/* -- objects.c: separate compilation -- */

bool cc_link_objects(cc_unit *); /* false: the source is text */
noreturn void cc_write_object(cc_unit *);

/* -- references.c: texture and surface references -- */

void cc_find_references(cc_unit *);
void cc_load_references(cc_unit *);
uint64_t cc_global_kind(cc_unit *, val global, bool is_constant);

#endif
