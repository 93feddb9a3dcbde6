/* Scans (running sums and the like) in three launches: `sums` folds each block's share
   of the elements, `carry` scans those sums in one block, `scan` goes over the elements
   again and writes. A thread takes `each` neighbouring elements, so the order of
   folding is that of the elements: the operation has to be associative, not
   commutative. With one block alone `scan` is enough, and carry is null. */
#ifndef PYCUDA_SCAN_CUH
#define PYCUDA_SCAN_CUH

#include "operations.cuh"

namespace pycuda
{

enum { scan_block = 256 }; /* threads; the launcher knows */

/* A value, or nothing: what there is before the first element. */
template <class T> struct maybe {
    T value;
    bool some;
};

template <class Op, class T> PYCUDA_DEVICE maybe<T> join(maybe<T> a, maybe<T> b)
{
    if (!a.some)
        return b;
    if (b.some)
        a.value = Op::of(a.value, b.value);
    return a;
}

/* All elements from first to last. */
template <class Op, class T>
PYCUDA_DEVICE maybe<T> fold(const T *x, size_t first, size_t last)
{
    maybe<T> sum;
    sum.some = false;
    for (size_t i = first; i < last; i++) {
        sum.value = sum.some ? Op::of(sum.value, x[i]) : x[i];
        sum.some = true;
    }
    return sum;
}

/* What the threads before this one have, joined; `total` is that of all. */
template <class Op, class T>
PYCUDA_DEVICE maybe<T> scan_of_block(maybe<T> value, maybe<T> *total)
{
    __shared__ __align__(16) char memory[sizeof(maybe<T>) * scan_block];
    maybe<T> *s = (maybe<T> *)memory, before;
    unsigned t = threadIdx.x;
    s[t] = value;
    __syncthreads();
    for (unsigned k = 1; k < scan_block; k *= 2) {
        maybe<T> left = s[t < k ? t : t - k], right = s[t];
        __syncthreads();
        if (t >= k)
            s[t] = join<Op>(left, right);
        __syncthreads();
    }
    *total = s[scan_block - 1];
    before = s[t ? t - 1 : 0];
    before.some = t && before.some;
    __syncthreads();
    return before;
}

template <class Op, class T>
PYCUDA_DEVICE void scan_sums(const T *input, T *, char *carry, size_t n, unsigned each)
{
    size_t first = ((size_t)blockIdx.x * scan_block + threadIdx.x) * each;
    size_t last = first + each < n ? first + each : n;
    maybe<T> total;
    scan_of_block<Op>(fold<Op>(input, first, last), &total);
    if (threadIdx.x == 0)
        ((maybe<T> *)carry)[blockIdx.x] = total;
}

/* n sums, at most `each` for each thread, become what there is before each block. */
template <class Op, class T>
PYCUDA_DEVICE void scan_carry(const T *, T *, char *carry, size_t n, unsigned each)
{
    maybe<T> *sums = (maybe<T> *)carry, mine, total;
    size_t first = (size_t)threadIdx.x * each,
           last = first + each < n ? first + each : n;
    mine.some = false;
    for (size_t i = first; i < last; i++)
        mine = join<Op>(mine, sums[i]);
    mine = scan_of_block<Op>(mine, &total);
    for (size_t i = first; i < last; i++) {
        maybe<T> next = join<Op>(mine, sums[i]);
        sums[i] = mine;
        mine = next;
    }
}

template <class Op, class T>
PYCUDA_DEVICE void scan_scan(const T *input, T *output, char *carry, size_t n,
                             unsigned each)
{
    size_t first = ((size_t)blockIdx.x * scan_block + threadIdx.x) * each;
    size_t last = first + each < n ? first + each : n;
    maybe<T> before, total;
    before = scan_of_block<Op>(fold<Op>(input, first, last), &total);
    if (carry)
        before = join<Op>(((const maybe<T> *)carry)[blockIdx.x], before);
    for (size_t i = first; i < last; i++) {
        T x = input[i];
        maybe<T> next;
        next.value = before.some ? Op::of(before.value, x) : x;
        next.some = true;
        if (Op::exclusive)
            output[i] =
                before.some ? Op::of(Op::neutral(), before.value) : Op::neutral();
        else
            output[i] = next.value;
        before = next;
    }
}

} // namespace pycuda

#endif
