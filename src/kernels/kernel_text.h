/* Inside this folder: building source text, scratch memory, iteration spaces. */
#ifndef PYCUDA_KERNEL_TEXT_H
#define PYCUDA_KERNEL_TEXT_H

#include "kernels.h"

/* Appends to a text; a failure stays noted in it. */
void kn_put(cmp_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "pycuda_add" of "ADD". */
void kn_lower(const char *id, char name[40]);
const char *kn_type_name(kn_type type); /* in CUDA C++ */
/* The headers that those of 16 bits among the types in memory ask for. */
void kn_put_narrow(cmp_text *text, const uint8_t *storage, int count);

/* At least that many bytes of device memory to work in, after a counter of 16 bytes
   that is zero before each launch and that kernels leave so. The caller's alone until
   kn_scratch_used says that its launches are enqueued in that stream. */
int kn_scratch(bd_context *context, CUstream stream, size_t bytes,
               CUdeviceptr *pointer);
void kn_scratch_used(bd_context *context, CUdeviceptr pointer);

/* -- Chains (chain.c) ------------------------------------------------------------ */

enum { KN_CHAIN_FORM = 2 + 8 * KN_CHAIN_STEPS + KN_CHAIN_OPERANDS }; /* bytes at most */
_Static_assert(sizeof(kn_chain_step) == 8, "as a form counts them");
/* Writes the chain's form: how many bytes that are. */
size_t kn_chain_form(const kn_chain *chain, uint8_t *bytes);
/* The number of what these bytes say, a program; 0: exception. */
uint32_t kn_chain_number(bd_state *state, const uint8_t *bytes, size_t size);
/* A struct whose [i] is an element; its bytes are the chain's `value`. */
void kn_put_chain(cmp_text *text, const kn_chain *chain, const char *name);
/* ("-fmad=false",): a product is rounded before it is added to something. */
PyObject *kn_chain_options(void);

/* -- Iteration spaces (iteration_space.c) ---------------------------------------- */

/* By which template a kernel runs: over one stretch of memory, over rows without gaps,
   whatever the strides, by tiles where some operand lies along another axis, or on the
   host device over rows without gaps that are short, and over such whose elements are a
   few apart. */
typedef enum {
    KN_FLAT,
    KN_ROWS,
    KN_STRIDED,
    KN_TILES,
    KN_SHORT_ROWS,
    KN_STEPPED
} kn_layout;

/* A request's axes after they were sorted and merged: axis 0 is the fastest. */
typedef struct {
    int ndim, arrays; /* arrays: operands that have strides */
    long long length[KN_MOST_AXES], stride[KN_MOST_OPERANDS][KN_MOST_AXES];
    uint8_t operand[KN_MOST_OPERANDS]; /* which of the request's they are */
    size_t size[KN_MOST_OPERANDS];     /* bytes of an element */
    kn_layout layout;
    unsigned fixed; /* bit k: as in kn_key, of KN_ROWS and KN_TILES */
    size_t count;   /* elements */
} kn_iteration_space;

enum { KN_TILE_BYTES = 32 }; /* of operands' elements in shared memory, at most */

void kn_iteration_space_make(kn_iteration_space *space, const kn_request *request);
/* Swaps axes 0 and 1 where rows are many and of a few elements, so that vectors of the
   host device are full. */
void kn_iteration_space_lengthen(kn_iteration_space *space,
                                 const kn_operation *operation);
/* kn_key.steps of a strided space; 0: all are KN_STEP_ANY, or operands are too many. */
uint16_t kn_iteration_space_steps(const kn_iteration_space *space);
/* Makes axis 1 of a strided space that along which operands lie that do not lie along
   axis 0, and tiles of it, if that helps. bytes: of their elements as they are computed
   with, 0: there are none. */
unsigned kn_iteration_space_tile(kn_iteration_space *space, const kn_request *request);

/* -- Launches over them (space_launch.c) ----------------------------------------- */

/* What a block takes of a space: `width` elements of a row, of `height` rows; or a tile
   of axes 0 and 1 of that size. Of so many segments of an axis that is reduced each is
   a block's. */
typedef struct {
    unsigned width, height, threads[2], segments;
    int is_tile;
} kn_block_shape;

/* How many blocks there are along axis 0 and along all others; rows: of elements. */
typedef struct {
    unsigned long long rows, blocks, bands;
} kn_cut;

/* Bytes of the widest operand but those of which a row has one element. */
size_t kn_widest_of(const kn_iteration_space *space, int results);
/* Those of the widest result, none: 0. */
size_t kn_widest_result_of(const kn_iteration_space *space, int results);
/* Elements that a thread takes, where the widest has so many bytes. */
static inline unsigned kn_each_of(const kn_tuning *tuning, size_t widest)
{
    unsigned bytes = tuning->flat_bytes;
    return widest > bytes || bytes % widest ? 1 : bytes / (unsigned)widest;
}
unsigned long long kn_rows_beyond(const kn_iteration_space *space, int axes);
kn_cut kn_cut_into(const kn_iteration_space *space, const kn_block_shape *shape);
kn_block_shape kn_shape_of_tiles(unsigned side);
/* Rows of `width` threads at most, each of which takes so many elements. */
kn_block_shape kn_shape_of_rows(const kn_iteration_space *space, unsigned width,
                                unsigned each);

/* widest, result: bytes of the widest operand and result. params: the first one is
   filled in here. */
int kn_launch_flat(bd_context *context, const kn_loaded *loaded, size_t n,
                   size_t widest, size_t result, CUstream stream, void **params);
int kn_launch_strided(bd_context *context, kn_loaded *loaded, kn_iteration_space *space,
                      const kn_block_shape *shape, CUdeviceptr *pointers,
                      CUstream stream, void **params);

/* -- Launches of axis reductions (axis_launch.c) --------------------------------- */

/* pycuda::reduced_axis, with as many strides as there are arrays. */
typedef struct {
    long long length;
    double divisor;
    CUdeviceptr finished, partial;
    unsigned sharing, apart, width, height, is_rooted;
    long long stride[KN_MOST_OPERANDS];
} kn_axis_parameter;

kn_axis_parameter kn_axis_of(const kn_request *request);
/* As in kn_key. A space of rows becomes strided if threads of a GPU would have several
   results of it, and must not. */
uint32_t kn_results_alone(const kn_tuning *tuning, const kn_request *request,
                          kn_iteration_space *space);
/* params: the first two are filled in here. */
int kn_launch_axis(bd_context *context, kn_loaded *loaded, kn_iteration_space *space,
                   const kn_request *request, int shares, kn_axis_parameter *axis,
                   CUdeviceptr *pointers, void **params);

#endif
