/* front/: from the command line and the source to scalar code of this machine, with
   kernels and their parameters known. Each section is one file. */
#ifndef HOSTCC_FRONT_H
#define HOSTCC_FRONT_H

#include "hostcc/front/clang_job.h"
#include "hostcc/ir/unit.h"

/* -- clang.cpp: clang's front end, with clang_job.h -- */

/* Constants made of this one become instructions where functions use them. */
void cc_expand_constants(cc_value of);

/* -- options.c: the command line -- */

void cc_options_parse(cc_options *, int argc, char **argv);
void cc_add(cc_words *, const char *const *words); /* ends with NULL */
#define CC_ADD(list, ...) cc_add(list, (const char *const[]){__VA_ARGS__, NULL})
char *cc_options_text(const cc_options *);
const char *cc_producer(void); /* "hostcc VERSION, LLVM 19.1.7, abi 7" */

/* -- precompiled.c: precompiled headers; leading_includes.c: that of what a source
   begins with -- */

#define CC_MIX_BEGIN 0xcbf29ce484222325u
uint64_t cc_mix(uint64_t hash, const void *, size_t bytes);
uint64_t cc_digest(const char *, size_t bytes);
char *cc_map_file(const char *path, size_t *bytes); /* NULL: no file, or empty */
/* The name with the digest of the file's content. */
char *cc_named_by_content(const char *name, const char *path);
/* Does that work in a process of its own: its result, less than 0 if that cannot be. */
int cc_in_child(int (*work)(void *), void *);
/* device.h precompiled with these words and the options of the language. NULL: there
   can be none. */
const char *cc_precompiled_library(cc_unit *, const cc_words *base);
const char *cc_device_library(void); /* its folder */

/* NULL: the source begins with nothing to be precompiled on top of that library. */
cc_leading *cc_find_leading(cc_unit *, const cc_words *base, const char *library,
                            const char *source);
/* If that is wanted: in the background, by a process that outlives this one. */
void cc_precompile_leading(cc_unit *);
/* That a source that begins so is right and took clang so long. */
void cc_remember_leading(const cc_leading *, double milliseconds);

/* -- frontend.c, ptx.c, objects.c: from sources to a module -- */

void cc_frontend(cc_unit *);
/* Compiles a text beside the source; NULL: it has errors, as the messages say. */
LLVMModuleRef cc_compile_text(cc_unit *, const char *text, char **messages);
void cc_translate_ptx(cc_unit *); /* part of retarget */
void cc_place_carry(cc_unit *);   /* parts of simplify */
void cc_refuse_carry_into_functions(cc_unit *);
/* Of one that runs by itself; NULL: it has none. */
cc_value cc_carry_of_thread(cc_unit *);
void cc_return_at_exits(cc_unit *);
void cc_refuse_ptx(cc_value call, const char *function); /* if only GPUs can do that */
void cc_move_stack_memory(cc_unit *);                    /* the same; stack_memory.c */
bool cc_link_objects(cc_unit *);                         /* false: the source is text */
noreturn void cc_write_object(cc_unit *);
void cc_name_internals(cc_unit *); /* internal_names.c: as nvcc does */
/* arch_guards.c: of code for newer GPUs, which is not compiled. */
void cc_warn_of_arch(const cc_unit *);
/* lazy_objects.c: for kernels that may be compiled later; and of such an object, the
   kernel of that name with what it uses. */
void cc_keep_object(cc_unit *);
void cc_leave_kernel(cc_unit *, const char *name);

/* -- places.c: places in the user's text -- */

/* Where the instruction stands, or the user's call that it was inlined for; without
   debug information (file NULL, 0, 0). */
cc_place cc_place_of(cc_unit *, cc_value instruction);
bool cc_is_users_file(LLVMMetadataRef file);
/* The same of a DILocation. */
LLVMMetadataRef cc_users_location(cc_unit *, LLVMMetadataRef location);
bool cc_is_users_function(cc_unit *, cc_value f); /* while it has debug information */

/* -- retarget.c and its parts -- */

void cc_retarget(cc_unit *);
/* builtin_variables.c: threadIdx and its like, declared in objects; then registers */
void cc_declare_builtin_variables(cc_unit *);
void cc_read_builtin_variables(cc_unit *);
void cc_find_parameters(cc_unit *);  /* parameters.c */
void cc_fix_parameters(cc_unit *);   /* likewise, a stage of its own */
void cc_define_behaviour(cc_unit *); /* defined_behaviour.c */
void cc_shared_tables(cc_unit *);    /* shared_memory.c */

/* texture_references.c: texture and surface references */
void cc_find_references(cc_unit *);
void cc_load_references(cc_unit *);
uint64_t cc_global_kind(cc_unit *, cc_value global, bool is_constant);

/* -- simplify.c and its parts -- */

/* Copies structures past variables between, and once where two ways do. */
void cc_forward_copies(cc_unit *);
void cc_simplify(cc_unit *);
void cc_flush_denormals(cc_unit *); /* denormals.c */

/* debug_variables.c: what a debugger is told of variables, where threads run one at a
   time. */
void cc_debug_variables(cc_unit *);
void cc_forget_library_variables(cc_unit *); /* before it is inlined */

/* -- equal_phis.c, equal_stores.c, row_loops.c, grid_loops.c,
   induction_variables.c, shared_memory.c: stages of their own -- */

/* Phis that merge one computation of one value become that computation. */
void cc_merge_equal_phis(cc_unit *);
/* Whether both compute the same of the same values; and that once more, where both ways
   meet. */
bool cc_are_equal(cc_value, cc_value);
cc_value cc_compute_once(cc_builder at, cc_value, cc_value);
/* The last instruction of a block that leads only to `to`, but for what touches no
   memory; or NULL. */
cc_value cc_last_effect(cc_block from, cc_block to);
/* Stores to one place at the ends of two ways become one where they meet. */
void cc_merge_equal_stores(cc_unit *);
/* Makes several iterations one in loops along rows of each thread's. */
void cc_unroll_rows(cc_unit *);
/* Lets each vector go along elements that lie one behind the other, in loops that
   stride over the grid. Sets the width of such kernels. */
void cc_order_grid_loops(cc_unit *);
/* Makes loop counters of values that are the same in all lanes. */
void cc_induction_variables(cc_unit *);
/* Unsigned indices into shared memory wrap around as on GPUs. */
void cc_wrap_shared_indices(cc_unit *);
/* Gives each __shared__ variable its place in the block's shared memory and turns its
   uses into calls hc.shared(offset). Sets shared_bytes of each kernel. */
void cc_lower_shared(cc_unit *);

/* -- scalar_functions.c: functions that cannot be inlined run thread by thread -- */

/* A service of hostcuda that generated code calls: a function that takes the frame and,
   if it is fatal, the thread before the call's own arguments. */
typedef struct {
    bool known; /* it is one */
    bool fatal;
    size_t offset; /* in hc_services */
} cc_service;

/* Whether more is done with a function than to call it. */
bool cc_is_address_taken(cc_value function);
/* Marks functions to be inlined, except recursive ones, those whose address is taken,
   and large ones of kernels that would become too large. */
void cc_mark_inlining(cc_unit *);
/* fetches.c: whether f fetches from a texture and stays a function, of vectors. Inlines
   it where there is one quick fetch. */
bool cc_keep_fetch(cc_unit *, cc_value f);
void cc_inline_fetches(cc_unit *);
/* Gives the remaining functions their thread: registers, shared memory and services. */
void cc_lower_scalar_functions(cc_unit *);
const cc_service *cc_service_of(cc_value call);
/* They find their thread here, in thread-local storage of the image: an hc_thread. */
cc_value cc_thread_record(cc_unit *);
/* Loads a field of it, of its launch or of its frame. */
cc_value cc_thread_field(cc_unit *, cc_builder, size_t offset, cc_type);
cc_value cc_thread_launch(cc_unit *, cc_builder);
cc_value cc_thread_frame(cc_unit *, cc_builder);
/* The function at that offset of hc_services. */
cc_value cc_thread_service(cc_unit *, cc_builder, size_t offset);
bool cc_is_thread_function(cc_value call); /* one that may look for its thread */
/* What __hostcc_products_of_halves gives for numbers or vectors; 16 is of their type.
 */
cc_value cc_products_of_halves(cc_builder, cc_value x, cc_value y, cc_value sixteen);

#endif
