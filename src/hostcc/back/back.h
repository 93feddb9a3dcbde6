/* back/: from scalar regions to an image. Each function is a stage, or part of one. */
#ifndef HOSTCC_BACK_H
#define HOSTCC_BACK_H

#include "hostcc/ir/uniformity.h"
#include "hostcc/ir/unit.h"

/* alike_lanes.c: the full code of a long region, if it is right for any lanes of a
   vector, or NULL. From then on it is called. */
cc_value cc_code_of_any_lanes(cc_value region, cc_uniformity_rules, cc_value full);

/* alike_arrays.c: of a kernel's only region: local arrays that are the same in all
   lanes become one for all. */
void cc_share_alike_arrays(cc_unit *, cc_value region, cc_uniformity_rules);

/* block_loops.c: vectorizes every region and makes the layouts' run, or pass and
   resume. */
void cc_block_loops(cc_unit *);

/* What runs a block of one row of so many threads, all of them alive, from a state to
   its end, without anybody's help: i32(launch, frame). */
typedef struct {
    unsigned first, threads;
    cc_value function; /* NULL: none is made */
} cc_block_code;

/* lone_vector.c: of one vector. Whether to make it, where these are the full codes of
   the regions. Changes the regions: it comes last. */
bool cc_is_for_lone_vectors(const cc_unit *, const cc_kernel *, const cc_value *full);
cc_value cc_lone_vector(cc_unit *, const cc_kernel *);
/* known_block.c: of several. Whether to make it, and for which blocks. */
bool cc_find_known_block(cc_unit *, const cc_kernel *, const cc_value *full,
                         cc_block_code *);
void cc_known_block(cc_unit *, const cc_kernel *, const cc_value *full,
                    cc_block_code *);
/* Part of inline. */
void cc_place_known_contexts(cc_unit *);
/* shared_registers.c: whether i loads that field of the frame, a function's second
   parameter. */
bool cc_is_frame_field(cc_unit *, cc_value i, size_t field);
/* Tells that nobody else sees shared memory while the function runs,
   nor reads it later; what becomes of that, as part of optimize. */
void cc_owns_shared(cc_unit *, cc_value function, unsigned bytes);
void cc_shared_in_registers(cc_unit *);
/* order_of_use.c: of a function without loops. */
void cc_order_by_use(cc_unit *, const cc_cfg *);

/* pass_chain.c: passes that go on with the next by themselves. */
void cc_chain_passes(cc_unit *, const cc_layout *);

/* block_values.c: whether i reads a value that every vector of a block has saved alike.
 */
bool cc_is_block_value(cc_value i);

/* -- row_values.c -- */

/* A row of a block, and where code of it is emitted. */
typedef struct {
    cc_builder b;
    cc_value launch, *index, *block_dim, y, z; /* a number for each dimension */
} cc_thread_row;

/* By how much v grows from thread to thread of a row, modulo its type's range. False:
   not evenly, or a row cannot compute it of arguments, their members, registers, values
   of the block and constants alone. */
bool cc_growth_in_row(cc_value v, int64_t *n);
/* What it is for the row's first thread. */
cc_value cc_of_row(cc_unit *, const cc_kernel *, const cc_thread_row *, cc_value v);

/* -- decided_code.c -- */

/* Whether i is known to be `result`. */
typedef bool cc_decision(cc_value i, const void *data, bool *result);

/* Whether in a pass from that state, where `full` has the full codes, one vector tells
   of all where they go. */
bool cc_goes_together(const cc_layout *, unsigned state, const cc_value *full);
/* Whether code for some vectors of a block is of use in passes from that state. */
bool cc_may_decide(const cc_unit *, const cc_layout *, unsigned state);
/* Full code of the state's region in rows, with what `decide` knows. */
cc_value cc_decided_code(cc_unit *, cc_kernel *, unsigned state, const char *suffix,
                         cc_decision *decide, const void *data);

/* -- row_guard.c -- */

/* A comparison at a region's start: threads for which it is not `wanted` do nothing. It
   is so as long as `first`, which counts with the threads of a row, is below `end`. */
typedef struct {
    const cc_kernel *kernel;
    cc_value test, first, end, wanted;
    bool is_signed, or_equal;
} cc_row_guard;

/* False: there is none that a row can compute. */
bool cc_find_row_guard(cc_unit *, const cc_kernel *, cc_value region, cc_row_guard *);
/* i32: how many threads from the row's start on, of blockDim.x, are below the end. i1:
   whether `first` perhaps wraps around in the row, so that some behind them are too. */
cc_value cc_row_guard_threads(cc_unit *, const cc_row_guard *, const cc_thread_row *,
                              cc_value *wraps);

/* -- row_sides.c -- */

/* Full code of a region for the vectors of a row of which all threads are below `start`
   (a multiple of the width), or from `end` on. NULL: code of all vectors is as good. */
typedef struct {
    unsigned start, end;
    cc_value below, above;
} cc_row_sides;

/* Of each state of the kernel's rows: makes that code, where a pass of whole blocks
   gains by it. */
cc_row_sides *cc_find_row_sides(cc_unit *, cc_kernel *, const cc_value *full);

/* -- row_interior.c -- */

/* Full code of a region for vectors in which its comparisons go their usual way; NULL:
   there is none. */
typedef struct {
    const cc_kernel *kernel;
    cc_value full;
} cc_row_interior;

/* Whether the state's region has enough comparisons for it. */
bool cc_has_interior(const cc_unit *, const cc_layout *, unsigned state);
/* Of each state of the kernel's rows. */
cc_row_interior *cc_find_row_interiors(cc_unit *, cc_kernel *, const cc_value *full);
/* i32: the first thread of the interior, and how many threads from there on a vector of
   it may start at. */
void cc_interior_of_row(cc_unit *, const cc_row_interior *, const cc_thread_row *,
                        cc_value region, unsigned width, cc_value range[2]);

void cc_thread_entries(cc_unit *); /* thread_entries.c: layouts of threads */
/* lazy_loading.c: kernels that are compiled when they are loaded */
void cc_defer_source(cc_unit *);
void cc_defer_scalar(cc_unit *);
void cc_defer_vectors(cc_unit *);
void cc_import_variables(cc_unit *);
bool cc_carries_object(const cc_unit *); /* the image does: some code of it waits */
/* Where a kernel compiled by itself finds the address of another image's variable;
   NULL: it has it, or does not use it. */
cc_value cc_import_of(cc_unit *, cc_value variable);
void cc_image_table(cc_unit *);      /* image_table.c */
void cc_inline(cc_unit *);           /* optimize.c */
void cc_divide(cc_unit *);           /* parallel_codegen.c */
void cc_optimize(cc_unit *);         /* optimize.c */
void cc_write_debug_info(cc_unit *); /* debug_info.c */
void cc_emit(cc_unit *);             /* emit.c */
void cc_link(cc_unit *);             /* emit.c */
/* lld.cpp: links as the command `words` of ld says; the output "-" is `file`. */
bool cc_lld(unsigned n, const char *const *words, int file);

/* -- retry.c -- */

#define CC_LLVM_FAILED 75 /* exit status of a child, for its parent */

void cc_retry_if_llvm_fails(const cc_unit *); /* from here on */
noreturn void cc_retry(const cc_unit *);      /* compiles all again without AVX-512 */

#endif
