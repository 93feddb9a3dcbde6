/* The axes over which an operation runs, as few as possible: sorted by stride, those of
   length one dropped, neighbours merged that follow one another in memory in every
   operand. One axis without gaps is flat. */
#include "kernel_text.h"
#include <limits.h>
#include <stdlib.h>

/* 1: axis `a`, which is slower in C order, should come before (be faster than) axis
   `b`; -1: after it; 0: the strides leave it open. A stride of 0 says nothing. */
static int compare_axes(int a, int b, int count, const npy_intp *const *strides,
                        int is_c_first)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        npy_intp x = Py_ABS(strides[k][a]), y = Py_ABS(strides[k][b]);
        if (!x || !y)
            continue;
        if (is_c_first && x >= y)
            return -1;
        if (x != y && !found)
            found = x < y ? 1 : -1;
        if (found && !is_c_first)
            break;
    }
    return found;
}

/* Insertion from the last axis, C order's fastest. "Open" is not transitive, so an axis
   is compared beyond those of which that is said, up to one that it must follow. */
void kn_order_axes(int ndim, int count, const npy_intp *const *strides, int is_c_first,
                   int *order)
{
    for (int i = 0; i < ndim; i++) {
        int axis = ndim - 1 - i, at = i;
        for (int k = i - 1; k >= 0; k--) {
            int comparison = compare_axes(axis, order[k], count, strides, is_c_first);
            if (comparison < 0)
                break;
            at = comparison ? k : at;
        }
        for (int k = i; k > at; k--)
            order[k] = order[k - 1];
        order[at] = axis;
    }
}

/* Whether axis d continues where the one before it ends, in every operand. */
static int continues(const kn_iteration_space *space, int d)
{
    for (int k = 0; k < space->arrays; k++)
        if (space->stride[k][d] != space->stride[k][d - 1] * space->length[d - 1])
            return 0;
    return 1;
}

static void append_axis(kn_iteration_space *space, const npy_intp *const *strides,
                        int axis, npy_intp length)
{
    int d = space->ndim++;
    space->length[d] = length;
    for (int k = 0; k < space->arrays; k++)
        space->stride[k][d] = strides[k][axis];
    if (d > 0 && continues(space, d)) {
        space->length[d - 1] *= length;
        space->ndim--;
    }
}

/* Results have elements side by side in rows; of other operands a row may have one. */
static void set_layout(kn_iteration_space *space, const kn_operation *operation)
{
    int results = operation->signature->results;
    space->layout = space->ndim == 1 && !operation->first ? KN_FLAT : KN_ROWS;
    space->fixed = 0;
    for (int k = 0; k < space->arrays; k++) {
        if (space->stride[k][0] == (long long)space->size[k])
            continue;
        space->layout =
            space->stride[k][0] || (k == 0 && results) ? KN_STRIDED : KN_ROWS;
        if (space->layout == KN_STRIDED)
            break;
        space->fixed |= 1u << space->operand[k];
    }
}

void kn_iteration_space_make(kn_iteration_space *space, const kn_request *request)
{
    const npy_intp *strides[KN_MOST_OPERANDS];
    int order[KN_MOST_AXES];
    const kn_operation *operation = &kn_operations[request->operation];
    kn_role role;
    space->ndim = space->arrays = 0;
    for (int k = 0; (role = operation->signature->variable[k].role) >= KN_PLACE; k++) {
        const kn_operand *operand = &request->operand[k];
        if (operand->is_scalar || role == KN_TABLE)
            continue;
        space->operand[space->arrays] = k;
        space->size[space->arrays] =
            operand->storage ? kn_type_size(operand->storage) : request->itemsize;
        strides[space->arrays++] = operand->strides;
    }
    if (request->is_flat) {
        space->count = request->shape[0];
        space->layout = KN_FLAT;
        space->fixed = 0;
        return;
    }
    space->count = 1;
    for (int d = 0; d < request->ndim; d++)
        space->count *= request->shape[d];
    kn_order_axes(request->ndim, space->arrays, strides, 0, order);
    for (int i = 0; i < request->ndim; i++)
        if (request->shape[order[i]] != 1)
            append_axis(space, strides, order[i], request->shape[order[i]]);
    if (space->ndim == 0) { /* one element */
        space->ndim = 1;
        space->length[0] = 1;
        for (int k = 0; k < space->arrays; k++)
            space->stride[k][0] = space->size[k];
    }
    set_layout(space, operation);
}

static void swap_axes(kn_iteration_space *space, int a, int b)
{
    long long length = space->length[a];
    space->length[a] = space->length[b];
    space->length[b] = length;
    for (int k = 0; k < space->arrays; k++) {
        long long stride = space->stride[k][a];
        space->stride[k][a] = space->stride[k][b];
        space->stride[k][b] = stride;
    }
}

void kn_iteration_space_lengthen(kn_iteration_space *space,
                                 const kn_operation *operation)
{
    enum { SHORT = 12, MANY = 64 };
    if (space->ndim > 1 && space->length[0] < SHORT && space->length[1] >= MANY) {
        swap_axes(space, 0, 1);
        set_layout(space, operation);
    }
}

uint16_t kn_iteration_space_steps(const kn_iteration_space *space)
{
    unsigned steps = 0;
    int is_known = 0;
    for (int k = 0; k < space->arrays; k++) {
        long long size = (long long)space->size[k], step = space->stride[k][0] / size;
        int is_few =
            step * size == space->stride[k][0] && step >= -1 && step <= KN_STEP_MOST;
        unsigned code = !is_few    ? KN_STEP_ANY
                        : step < 0 ? KN_STEP_BACK
                                   : (unsigned)step;
        is_known |= is_few;
        steps |= code << KN_STEP_BITS * space->operand[k];
    }
    return is_known && steps <= UINT16_MAX ? (uint16_t)steps : 0;
}

/* Bytes of an operand's element where it is computed with. */
static unsigned computed_bytes(const kn_request *request, int operand)
{
    kn_type type = request->operand[operand].compute;
    return (unsigned)(type ? kn_type_size(type) : request->itemsize);
}

static int lies_along(const kn_iteration_space *space, int k, int d)
{
    return space->stride[k][d] == (long long)space->size[k];
}

/* Which of the arrays from `first` on lie along axis d but not along axis 0, where they
   do not stand still either: a bit for each. */
static unsigned across(const kn_iteration_space *space, int first, int d)
{
    unsigned bits = 0;
    for (int k = first; k < space->arrays; k++)
        if (lies_along(space, k, d) && !lies_along(space, k, 0) && space->stride[k][0])
            bits |= 1u << k;
    return bits;
}

unsigned kn_iteration_space_tile(kn_iteration_space *space, const kn_request *request)
{
    enum { SHORT = 16 };
    const kn_operation *operation = &kn_operations[request->operation];
    int results = operation->signature->results, d = 1;
    unsigned bytes = 0, found = 0;
    if (operation->first || !results || space->length[0] < SHORT)
        return 0;
    for (int k = 0; operation->signature->variable[k].role; k++)
        if (operation->signature->variable[k].role == KN_BASE)
            return 0;
    for (int k = 0; k < results; k++)
        if (!lies_along(space, k, 0))
            return 0;
    for (; d < space->ndim && !found; d++)
        if (space->length[d] >= SHORT && space->length[d] <= INT_MAX)
            found = across(space, results, d);
    for (int k = 0; k < space->arrays; k++)
        if (found >> k & 1) {
            space->fixed |= 1u << space->operand[k];
            bytes += computed_bytes(request, space->operand[k]);
        }
    if (!found || bytes > KN_TILE_BYTES) {
        space->fixed = 0;
        return 0;
    }
    swap_axes(space, 1, d - 1);
    space->layout = KN_TILES;
    return bytes;
}
