/* Reductions in one launch. Operations are associative. Where they commute too, each
   block takes rows of 8 elements a thread or more: on a GPU in turn with the other
   blocks, so that all are at neighbouring addresses, on the host those of a stretch.
   Where they may not, a warp takes a stretch and folds it in the order of its elements.
   Partial results are joined in their order by trees: threads of a block, then blocks,
   by the block that is last to finish. What is folded into what depends on n and the
   grid alone, so that the same launch gives the same bits again, and nowhere are many
   elements added one by one to a growing sum, so rounding errors hardly grow with n.
   Scratch memory starts with a counter that is 0 between launches. */
#ifndef PYCUDA_REDUCTION_CUH
#define PYCUDA_REDUCTION_CUH

#include "warp.cuh"

namespace pycuda
{

/* Threads, which the launcher knows, and folds of a thread. */
#ifndef PYCUDA_GPU_SHAPE
enum { reduction_block = 32, folds = 4 };
#else
enum { reduction_block = 256, folds = 2 };
#endif

/* What a reduction to the greatest or the least element computes in. */
template <class T> struct extreme {
    typedef T type;
};
#if defined(__HOSTCC__) && !defined(PYCUDA_GPU_SHAPE)
/* On the host device NaNs are looked for beside the numbers: the greatest one of all
   elements without their signs is more than infinity if there is one. Comparisons whose
   outcomes are masks, one or two an element, take longer than memory does. */
template <class T, class W, W infinity> struct extreme_and_nan {
    T value;
    W greatest;
    extreme_and_nan() = default;
    PYCUDA_DEVICE extreme_and_nan(T value, W greatest)
        : value(value), greatest(greatest)
    {
    }
    template <class X> PYCUDA_DEVICE extreme_and_nan(X x) : value(x)
    {
        greatest = __builtin_bit_cast(W, value) & (~W(0) >> 1);
    }
    PYCUDA_DEVICE operator T() const
    {
        return greatest > infinity ? __builtin_bit_cast(T, greatest) : value;
    }
    PYCUDA_DEVICE W with(extreme_and_nan other) const
    {
        return other.greatest > greatest ? other.greatest : greatest;
    }
};
template <class T, class W, W infinity>
PYCUDA_DEVICE extreme_and_nan<T, W, infinity> maximum(extreme_and_nan<T, W, infinity> a,
                                                      extreme_and_nan<T, W, infinity> b)
{
    return {a.value > b.value ? a.value : b.value, b.with(a)};
}
template <class T, class W, W infinity>
PYCUDA_DEVICE extreme_and_nan<T, W, infinity> minimum(extreme_and_nan<T, W, infinity> a,
                                                      extreme_and_nan<T, W, infinity> b)
{
    return {a.value < b.value ? a.value : b.value, b.with(a)};
}
template <> struct extreme<float> {
    typedef extreme_and_nan<float, unsigned, 0x7f800000> type;
};
template <> struct extreme<double> {
    typedef extreme_and_nan<double, unsigned long long, 0x7ff0000000000000> type;
};
#endif

#ifndef PYCUDA_GPU_SHAPE

/* Neighbours folded in pairs, then pairs of those, and so on, in place. */
template <class T, class Reduce>
PYCUDA_DEVICE T fold_tree(T *x, unsigned n, Reduce reduce)
{
#pragma unroll 1
    for (unsigned k = 1; k < n; k *= 2)
#pragma unroll 1
        for (unsigned i = 0; i + k < n; i += 2 * k)
            x[i] = reduce(x[i], x[i + k]);
    return x[0];
}

/* The values of all threads folded in their order, for thread 0, which on the host does
   that alone: barriers take longer, and so does their code to compile. The loop over
   blockDim.x, of one turn, is what makes vectors wide. */
template <class T, class Reduce> PYCUDA_DEVICE T fold_block(T value, Reduce reduce)
{
    __shared__ __align__(16) char memory[sizeof(T) * reduction_block];
    T *s = (T *)memory;
#pragma unroll 1
    for (unsigned t = threadIdx.x; t < reduction_block; t += blockDim.x)
        s[t] = value;
    __syncthreads();
    return threadIdx.x == 0 ? fold_tree(s, reduction_block, reduce) : value;
}

/* The values of all blocks folded in their order, for thread 0 of the one that is last
   to come; false: this is another. */
template <class T, class Reduce>
PYCUDA_DEVICE bool fold_grid(T &value, T *partial, unsigned *finished, Reduce reduce)
{
    if (threadIdx.x > 0)
        return false;
    partial[blockIdx.x] = value;
    __threadfence();
    if (atomicAdd(finished, 1u) < gridDim.x - 1)
        return false;
    __threadfence();
    value = fold_tree(partial, gridDim.x, reduce);
    *finished = 0;
    return true;
}

#else

/* The same on a GPU. */
template <class T, class Reduce> PYCUDA_DEVICE T fold_block(T value, Reduce reduce)
{
    unsigned t = threadIdx.x;
    enum { warps = reduction_block / 32 };
    __shared__ __align__(16) char memory[sizeof(T) * warps];
    T *s = (T *)memory;
#pragma unroll
    for (unsigned k = 1; k < 32; k *= 2)
        value = reduce(value, shuffle<lane_down>(value, k));
    if (t % 32 == 0)
        s[t / 32] = value;
    __syncthreads();
    if (t < 32) {
        value = s[t % warps];
#pragma unroll
        for (unsigned k = 1; k < warps; k *= 2)
            value = reduce(value, shuffle<lane_down>(value, k));
    }
    __syncthreads(); /* the memory may be used again */
    return value;
}

/* Elements from `at` to `end`, fewer than a block can take at once or not: threads take
   `each` neighbours; for thread 0. */
template <class T, class Map, class Reduce>
PYCUDA_DEVICE T fold_neighbours(size_t at, size_t end, T neutral, Map map,
                                Reduce reduce)
{
    T value = neutral;
    size_t each = (end - at + reduction_block - 1) / reduction_block;
    size_t first = at + threadIdx.x * each;
    for (size_t k = 0; k < each; k++)
        if (first + k < end)
            value = reduce(value, map(first + k));
    return fold_block(value, reduce);
}

#endif

template <class T, class Reduce>
PYCUDA_DEVICE T join_folds(const T (&fold)[folds], Reduce reduce)
{
    T value = fold[0];
#pragma unroll
    for (int k = 1; k < folds; k++)
        value = reduce(value, fold[k]);
    return value;
}

/* What a thread takes of a row. Its folds need not wait for each other. */
template <class Map> struct row_of {
    enum { each = 8 };
};
template <class T, class Map, class Reduce>
PYCUDA_DEVICE void fold_row(T (&fold)[folds], size_t at, Map map, Reduce reduce)
{
#pragma unroll
    for (int k = 0; k < 8; k++)
        fold[k % folds] =
            reduce(fold[k % folds], map(at + k * reduction_block + threadIdx.x));
}

#ifdef PYCUDA_GPU_SHAPE

/* An element that is at hand, in place of its array. */
template <class A> struct element {
    A value;
    PYCUDA_DEVICE A operator[](size_t) const { return value; }
};

/* A map of the elements of an array that have 1 or 2 bytes: of these as many bytes are
   under way as of wide ones only if a thread loads neighbours at once. */
template <class Map, class A> struct map_of_narrow {
    enum { at_once = 16 / sizeof(A), loads = 2 };
    Map map;
    const A *x;

    PYCUDA_DEVICE auto operator()(size_t i) const { return map(i, x); }
    PYCUDA_DEVICE pack<A, at_once> load(size_t i) const
    {
        if ((size_t)x % 16 == 0)
            return *(const pack<A, at_once> *)(x + i);
        pack<A, at_once> some;
#pragma unroll
        for (int k = 0; k < at_once; k++)
            some.x[k] = x[i + k];
        return some;
    }
};
template <class Map, class A>
PYCUDA_DEVICE map_of_narrow<Map, A> map_narrow(Map map, const A *x)
{
    return {map, x};
}

template <class Map, class A> struct row_of<map_of_narrow<Map, A>> {
    typedef map_of_narrow<Map, A> mapped;
    enum { each = mapped::loads * mapped::at_once };
};
template <class T, class Map, class A, class Reduce>
PYCUDA_DEVICE void fold_row(T (&fold)[folds], size_t at, map_of_narrow<Map, A> map,
                            Reduce reduce)
{
    typedef map_of_narrow<Map, A> mapped;
    enum { at_once = mapped::at_once, loads = mapped::loads };
    pack<A, at_once> some[loads];
    size_t first = at + threadIdx.x * at_once, step = reduction_block * at_once;
#pragma unroll
    for (int n = 0; n < loads; n++)
        some[n] = map.load(first + n * step);
#pragma unroll
    for (int n = 0; n < loads; n++)
#pragma unroll
        for (int k = 0; k < at_once; k++)
            fold[k % folds] =
                reduce(fold[k % folds],
                       map.map(first + n * step + k, element<A>{some[n].x[k]}));
}

#endif

/* What a thread of a block has of [at, end): rows, `step` apart, whose folds are joined
   every 128 elements. */
template <class T, class Map, class Reduce>
PYCUDA_DEVICE T fold_rows(size_t at, size_t end, size_t step, T neutral, Map map,
                          Reduce reduce)
{
    enum { width = reduction_block, each = row_of<Map>::each, most = 128 / each };
    T all = neutral, fold[folds];
#pragma unroll
    for (int k = 0; k < folds; k++)
        fold[k] = neutral;
    for (unsigned row = 1; at + each * width <= end; row++, at += step) {
        fold_row(fold, at, map, reduce);
        if (row % most == 0) {
            all = reduce(all, join_folds(fold, reduce));
#pragma unroll
            for (int k = 0; k < folds; k++)
                fold[k] = neutral;
        }
    }
    all = reduce(all, join_folds(fold, reduce));
    at += threadIdx.x;
#ifndef PYCUDA_GPU_SHAPE
#pragma unroll 1
    for (int k = 0; k < 8; k++, at += width)
        if (at < end)
            all = reduce(all, map(at));
#else
#pragma unroll 1
    for (int done = 0; done < each; done += 8, at += 8 * width) {
        T rest[8]; /* read together */
#pragma unroll
        for (int k = 0; k < 8; k++)
            rest[k] = at + k * width < end ? map(at + k * width) : neutral;
#pragma unroll
        for (int k = 0; k < 8; k++)
            if (at + k * width < end)
                all = reduce(all, rest[k]);
    }
#endif
    return all;
}

/* Of two rows the lower lane of a pair keeps the first and the higher one the second:
   its own element, folded with its partner's. */
template <int bit, int rows, class T, class Reduce>
PYCUDA_DEVICE void hand_over(T (&x)[rows], Reduce reduce)
{
    bool is_higher = threadIdx.x & bit;
#pragma unroll
    for (int k = 0; k < rows; k += 2 * bit) {
        T first = x[k], second = x[k + bit], mine = is_higher ? second : first;
        T other = shuffle<lane_xor>(is_higher ? first : second, bit);
        T low = is_higher ? other : mine, high = is_higher ? mine : other;
        x[k] = reduce(low, high);
    }
}

/* The elements of a stretch in their order, for lane 0 of the warp. Lanes take `rows`
   elements 32 apart, and hand them over until lane l has as many of row l % rows. */
template <int rows, class T, class Map, class Reduce>
PYCUDA_DEVICE T fold_by_warp(size_t at, size_t end, T neutral, Map map, Reduce reduce)
{
    T all = neutral, x[rows];
    unsigned lane = threadIdx.x % 32;
    for (; at < end; at += 32 * rows) {
        bool is_full = at + 32 * rows <= end;
#pragma unroll
        for (int k = 0; k < rows; k++) {
            size_t i = at + k * 32 + lane;
            x[k] = is_full || i < end ? map(i) : neutral;
        }
        hand_over<1>(x, reduce);
        hand_over<2>(x, reduce);
        if constexpr (rows == 8)
            hand_over<4>(x, reduce);
        T sum = x[0];
#pragma unroll
        for (int k = rows; k < 32; k *= 2)
            sum = reduce(sum, shuffle<lane_down>(sum, k));
#pragma unroll
        for (int k = 1; k < rows; k *= 2)
            sum = reduce(sum, shuffle<lane_down>(sum, k));
        all = reduce(all, sum);
    }
    return all;
}

#ifdef __HOSTCC__

/* The same where all lanes do the same, so that it is scalar code, done once: four
   folds of 64 elements side by side. */
template <class T, class Map, class Reduce>
PYCUDA_DEVICE T fold_by_thread(size_t at, size_t end, T neutral, Map map, Reduce reduce)
{
    enum { each = 64 };
    T all = neutral;
    __syncwarp(); /* makes vectors warps */
    for (; at + 4 * each <= end; at += 4 * each) {
        T a = map(at), b = map(at + each), c = map(at + 2 * each),
          d = map(at + 3 * each);
        for (size_t i = at + 1; i < at + each; i++) {
            a = reduce(a, map(i));
            b = reduce(b, map(i + each));
            c = reduce(c, map(i + 2 * each));
            d = reduce(d, map(i + 3 * each));
        }
        all = reduce(all, reduce(reduce(a, b), reduce(c, d)));
    }
    for (; at < end; at++)
        all = reduce(all, map(at));
    return all;
}

#endif

/* On the host device a row is 2 or 4 registers, of 32; and LLVM's selection of
   instructions fails where halves of 64 bits that were exchanged are added, as those of
   complex numbers are. */
template <class T, class Map, class Reduce>
PYCUDA_DEVICE T fold_in_order(size_t at, size_t end, T neutral, Map map, Reduce reduce)
{
#ifdef __HOSTCC__
    if constexpr (!__is_arithmetic(T))
        return fold_by_thread(at, end, neutral, map, reduce);
    else
        return fold_by_warp < sizeof(T) == 8 ? 4 : 8 > (at, end, neutral, map, reduce);
#else
    return fold_by_warp<8>(at, end, neutral, map, reduce);
#endif
}

/* Where a result goes; echo: and in page-locked memory, from which the host reads it
   without a copy, unless that is null. */
template <class R> struct result_places {
    R *result, *echo;
};

struct as_it_is {
    template <class T> PYCUDA_DEVICE T operator()(T x) const { return x; }
};

/* commutes: a operation b is b operation a. finish: of the value of all elements. */
template <class R, bool commutes, class T, class Map, class Reduce,
          class Finish = as_it_is>
PYCUDA_DEVICE void reduce(result_places<R> to, char *scratch, size_t n, T neutral,
                          Map map, Reduce reduce, Finish finish = Finish())
{
    unsigned *finished = (unsigned *)scratch;
    T *partial = (T *)(scratch + 16), value;
    size_t shares = gridDim.x, mine = blockIdx.x;
    size_t row = row_of<Map>::each * reduction_block;
#ifndef PYCUDA_GPU_SHAPE
    const bool is_stretch = true;
#else
    const bool is_stretch = !commutes;
    if (is_stretch) {
        shares *= reduction_block / 32;
        mine = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
        row = 256;
    }
#endif
    size_t at = mine * row, end = n, step = shares * row;
    if (is_stretch) {
        size_t share = ((n + shares - 1) / shares + row - 1) / row * row;
        at = mine * share < n ? mine * share : n;
        end = n - at < share ? n : at + share;
        step = row;
    }
    if constexpr (commutes)
        value = fold_rows(at, end, step, neutral, map, reduce);
    else {
        value = fold_in_order(at, end, neutral, map, reduce);
        if (threadIdx.x % 32 > 0)
            value = neutral;
    }
    value = fold_block(value, reduce);
#ifndef PYCUDA_GPU_SHAPE
    if (gridDim.x > 1 && !fold_grid(value, partial, finished, reduce))
        return;
#else
    __shared__ bool is_last;
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            partial[blockIdx.x] = value;
            __threadfence();
            is_last = atomicAdd(finished, 1u) == gridDim.x - 1;
        }
        __syncthreads();
        if (!is_last)
            return;
        __threadfence();
        value = fold_neighbours(
            0, gridDim.x, neutral, [&](size_t i) -> T { return partial[i]; }, reduce);
        if (threadIdx.x == 0)
            *finished = 0;
    }
#endif
    if (threadIdx.x == 0) {
        R result = convert<R>(finish(value));
        *to.result = result;
        if (to.echo)
            *to.echo = result;
    }
}

/* The number of the first element for which `test` is true; n: there is none. On the
   host device vectors ask whether it is of any of their elements, and only where it is
   of which: places of all elements would be wider than most of these. */
template <class R, class Test>
PYCUDA_DEVICE void find_first(result_places<R> to, char *scratch, size_t n, Test test)
{
    auto least = [](size_t a, size_t b) -> size_t { return a < b ? a : b; };
#ifdef PYCUDA_GPU_SHAPE
    auto place = [&](size_t i) -> size_t { return test(i) ? i : n; };
    reduce<R, true, size_t>(to, scratch, n, n, place, least);
#else
    enum { width = reduction_block, rows = 8, row = rows * width };
    size_t share = ((n + gridDim.x - 1) / gridDim.x + row - 1) / row * row;
    size_t at = blockIdx.x * share < n ? blockIdx.x * share : n;
    size_t end = n - at < share ? n : at + share, place = n;
    for (; at + row <= end; at += row) {
        bool any = false;
#pragma unroll
        for (int k = 0; k < rows; k++)
            any |= test(at + k * width + threadIdx.x);
        if (__any_sync(~0u, any))
            break;
    }
    end = end - at < row ? end : at + row;
    for (at += threadIdx.x; at < end && place == n; at += width)
        if (test(at))
            place = at;
    place = fold_block(place, least);
    if (gridDim.x > 1 &&
        !fold_grid(place, (size_t *)(scratch + 16), (unsigned *)scratch, least))
        return;
    if (threadIdx.x == 0) {
        *to.result = place;
        if (to.echo)
            *to.echo = place;
    }
#endif
}

} // namespace pycuda

#endif
