/* Launches over iteration spaces: what a block and a thread of the templates of
   elementwise.cuh, strided.cuh and tiles.cuh take. */
#include "kernel_text.h"

enum { SPACE_AXES = 6, MOST_ARRAYS = KN_MOST_OPERANDS }; /* as in strided.cuh */

size_t kn_widest_of(const kn_iteration_space *space, int results)
{
    size_t widest = 1;
    for (int k = 0; k < space->arrays; k++)
        if (space->size[k] > widest &&
            (k < results || !(space->fixed >> space->operand[k] & 1)))
            widest = space->size[k];
    return widest;
}

size_t kn_widest_result_of(const kn_iteration_space *space, int results)
{
    size_t widest = 0;
    for (int k = 0; k < results; k++)
        if (space->size[k] > widest)
            widest = space->size[k];
    return widest;
}

/* As flat_elements of elementwise.cuh. */
static unsigned flat_elements(const kn_tuning *tuning, size_t widest, size_t result)
{
    unsigned bytes = tuning->flat_bytes;
    int is_narrow = bytes > 1 && result && 4 * result <= widest && bytes % widest == 0;
    return kn_each_of(tuning, widest) << is_narrow;
}

int kn_launch_flat(bd_context *context, const kn_loaded *loaded, size_t n,
                   size_t widest, size_t result, CUstream stream, void **params)
{
    size_t share = (size_t)KN_BLOCK * flat_elements(loaded->tuning, widest, result);
    unsigned grid[2] = {(unsigned)kn_divide_up(n, share), 1};
    unsigned block[2] = {KN_BLOCK, 1};
    params[0] = &n;
    return kn_launch(context, loaded->function[0], grid, block, stream, params);
}

/* pycuda::iteration_space of strided.cuh, with as many rows of strides as there are
 * arrays. */
typedef struct {
    long long columns;
    unsigned rows, axes;
    unsigned length[SPACE_AXES], magic[SPACE_AXES], shift[SPACE_AXES];
    long long stride[MOST_ARRAYS][SPACE_AXES];
} space_parameter;

/* Division of integers below 2^31 as a multiplication (Granlund and Montgomery, 1994).
 */
static void set_divisor(space_parameter *w, int d, unsigned length)
{
    unsigned shift = length > 1 ? 32 - (unsigned)__builtin_clz(length - 1) : 0;
    w->length[d] = length;
    w->shift[d] = shift;
    w->magic[d] = (unsigned)((((1ull << shift) - length) << 32) / length + 1);
}

/* Pieces of `size`, a power of two, that it takes for n. */
static unsigned long long pieces(unsigned long long n, unsigned size)
{
    return (n + size - 1) >> __builtin_ctz(size);
}

unsigned long long kn_rows_beyond(const kn_iteration_space *space, int axes)
{
    unsigned long long rows = 1;
    for (int d = axes; d < space->ndim; d++)
        rows *= space->length[d];
    return rows;
}

kn_cut kn_cut_into(const kn_iteration_space *space, const kn_block_shape *shape)
{
    kn_cut into = {.rows = kn_rows_beyond(space, shape->is_tile ? 2 : 1),
                   .blocks = pieces(space->length[0], shape->width)};
    into.bands = shape->is_tile ? pieces(space->length[1], shape->height) * into.rows
                                : pieces(into.rows, shape->height);
    return into;
}

kn_block_shape kn_shape_of_tiles(unsigned side)
{
    return (kn_block_shape){side, side, {32, 8}, 1, 1};
}

kn_block_shape kn_shape_of_rows(const kn_iteration_space *space, unsigned width,
                                unsigned each)
{
    unsigned long long rows = kn_rows_beyond(space, 1);
    kn_block_shape shape = {.height = 1, .threads = {1}, .segments = 1};
    while (shape.threads[0] < width && shape.threads[0] * each < space->length[0])
        shape.threads[0] *= 2;
    while (shape.threads[0] * shape.height < KN_BLOCK && shape.height < rows)
        shape.height *= 2;
    shape.width = shape.threads[0] * each;
    shape.threads[1] = shape.height;
    return shape;
}

/* Slowest axes are taken apart until what is left fits a grid. */
int kn_launch_strided(bd_context *context, kn_loaded *loaded, kn_iteration_space *space,
                      const kn_block_shape *shape, CUdeviceptr *pointers,
                      CUstream stream, void **params)
{
    kn_cut into = kn_cut_into(space, shape);
    if (into.rows > INT_MAX || into.blocks * into.bands > INT_MAX ||
        space->ndim > SPACE_AXES) {
        int d = --space->ndim, result = 0;
        for (long long i = 0; i < space->length[d] && !result; i++) {
            result = kn_launch_strided(context, loaded, space, shape, pointers, stream,
                                       params);
            for (int k = 0; k < space->arrays; k++)
                pointers[k] += space->stride[k][d];
        }
        for (int k = 0; k < space->arrays; k++)
            pointers[k] -= space->length[d] * space->stride[k][d];
        space->ndim++;
        return result;
    }
    space_parameter w = {space->length[0], (unsigned)into.rows, (unsigned)space->ndim};
    for (int d = 0; d < SPACE_AXES; d++) {
        set_divisor(&w, d,
                    !d                ? (unsigned)into.blocks
                    : d < space->ndim ? (unsigned)space->length[d]
                                      : 1);
        for (int k = 0; k < space->arrays; k++)
            w.stride[k][d] = d < space->ndim ? space->stride[k][d] : 0;
    }
    unsigned grid[2] = {(unsigned)(into.blocks * into.bands), shape->segments};
    params[0] = &w;
    return kn_launch(context, loaded->function[0], grid, shape->threads, stream,
                     params);
}
