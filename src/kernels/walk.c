/* The shape of an element-wise operation, made as simple as it can be: axes sorted by
   stride, those of length one dropped, neighbours merged that lie one behind the other
   in every operand. What is left with one axis and no gaps is flat. */
#include "kernel_text.h"
#include <stdlib.h>

/* 1: axis `a` should come before (be faster than) axis `b`; -1: after it; 0: the
   strides leave it open. The first operand in which they differ decides; a stride of 0
   says nothing. */
static int compare_axes(int a, int b, int count, const npy_intp *const *strides)
{
    for (int k = 0; k < count; k++) {
        npy_intp x = Py_ABS(strides[k][a]), y = Py_ABS(strides[k][b]);
        if (x != y && x && y)
            return x < y ? 1 : -1;
    }
    return 0;
}

/* Insertion from the last axis, C order's fastest. "Open" is not transitive, so an axis
   is compared beyond those of which that is said, up to one that it must follow. */
void kn_order_axes(int ndim, int count, const npy_intp *const *strides, int *order)
{
    for (int i = 0; i < ndim; i++) {
        int axis = ndim - 1 - i, at = i;
        for (int k = i - 1; k >= 0; k--) {
            int comparison = compare_axes(axis, order[k], count, strides);
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
static int continues(const kn_walk *walk, int d)
{
    for (int k = 0; k < walk->arrays; k++)
        if (walk->stride[k][d] != walk->stride[k][d - 1] * walk->length[d - 1])
            return 0;
    return 1;
}

static void append_axis(kn_walk *walk, const npy_intp *const *strides, int axis,
                        npy_intp length)
{
    int d = walk->ndim++;
    walk->length[d] = length;
    for (int k = 0; k < walk->arrays; k++)
        walk->stride[k][d] = strides[k][axis];
    if (d > 0 && continues(walk, d)) {
        walk->length[d - 1] *= length;
        walk->ndim--;
    }
}

static void set_layout(kn_walk *walk, int is_fold)
{
    walk->layout = walk->ndim == 1 && !is_fold ? KN_FLAT : KN_ROWS;
    walk->fixed = 0;
    for (int k = 0; k < walk->arrays; k++) {
        if (walk->stride[k][0] == (long long)walk->size[k])
            continue;
        walk->layout = walk->stride[k][0] || k == 0 ? KN_STRIDED : KN_ROWS;
        if (walk->layout == KN_STRIDED)
            break;
        walk->fixed |= 1u << walk->operand[k];
    }
}

void kn_walk_make(kn_walk *walk, const kn_request *request)
{
    const npy_intp *strides[KN_MOST_OPERANDS];
    int order[KN_MOST_AXES];
    const char *letters = kn_operations[request->operation].operands;
    walk->ndim = walk->arrays = 0;
    walk->count = 1;
    for (int k = 0; letters[k] && letters[k] != 'i'; k++) {
        const kn_operand *operand = &request->operand[k];
        if (!operand->strides)
            continue;
        walk->operand[walk->arrays] = k;
        walk->size[walk->arrays] =
            operand->storage ? kn_type_size(operand->storage) : request->itemsize;
        strides[walk->arrays++] = operand->strides;
    }
    for (int d = 0; d < request->ndim; d++)
        walk->count *= request->shape[d];
    if (request->ndim > 1)
        kn_order_axes(request->ndim, walk->arrays, strides, order);
    else
        order[0] = 0;
    for (int i = 0; i < request->ndim; i++)
        if (request->shape[order[i]] != 1)
            append_axis(walk, strides, order[i], request->shape[order[i]]);
    if (walk->ndim == 0) { /* one element */
        walk->ndim = 1;
        walk->length[0] = 1;
        for (int k = 0; k < walk->arrays; k++)
            walk->stride[k][0] = walk->size[k];
    }
    set_layout(walk, kn_operations[request->operation].first != NULL);
}
