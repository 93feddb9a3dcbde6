/* Reductions of arrays along an axis, of which threads share results, on a GPU.

   As many bytes must be under way there as fill the time that memory takes to answer: a
   thread loads several elements before it uses one, and where there are too few results
   for as many threads as it takes, threads of a block share a result, and blocks do, of
   which the last one to finish combines what they left. Who takes what depends on the
   shape and the GPU alone, so the same bits come out each time. */
#ifndef PYCUDA_AXIS_SHARED_CUH
#define PYCUDA_AXIS_SHARED_CUH

#include "axis.cuh"
#include "warp.cuh"

namespace pycuda
{

enum { axis_block = 256 };
/* Four blocks at once leave a thread the registers it takes to load ahead. */
#define PYCUDA_AXIS_BOUNDS __launch_bounds__(256, 4)

/* What a thread made of its elements. take: without the bytes between its members,
   which nobody writes. */
template <class Op, class... Z> struct partial_result;
template <class Op, class Z> struct partial_result<Op, Z> {
    Z z;
    template <class... V> PYCUDA_DEVICE void first(V... v) { Op::first(z, v...); }
    template <class... V> PYCUDA_DEVICE void of(V... v) { Op::of(z, v...); }
    PYCUDA_DEVICE void take(const partial_result &b) { z = b.z; }
    PYCUDA_DEVICE void combine(const partial_result &b) { Op::combine(z, b.z); }
};
template <class Op, class Z, class U> struct partial_result<Op, Z, U> {
    Z z;
    U u;
    template <class... V> PYCUDA_DEVICE void first(V... v) { Op::first(z, u, v...); }
    template <class... V> PYCUDA_DEVICE void of(V... v) { Op::of(z, u, v...); }
    PYCUDA_DEVICE void take(const partial_result &b) { z = b.z, u = b.u; }
    PYCUDA_DEVICE void combine(const partial_result &b) { Op::combine(z, u, b.z, b.u); }
};

/* The next elements of an input that a thread takes, up to `ahead` of them, whose loads
   are under way together. */
template <int ahead, class A> struct next_elements {
    enum { bytes = sizeof(typename A::compute) };
    A a;
    typename A::compute v[ahead];
    PYCUDA_DEVICE next_elements(A a) : a(a) {}
    PYCUDA_DEVICE void load(size_t i, long long at, long long stride, int count)
    {
        A next = a;
        next.move(&at);
#pragma unroll
        for (int k = 0; k < ahead; k++) {
            typename A::compute one[1] = {};
            if (k < count)
                next.load(one, i);
            v[k] = one[0];
            next.move(&stride);
        }
    }
};
/* Places among those next ones: small numbers, which cost little. */
template <int ahead, class C, int step> struct next_elements<ahead, ramp<C, step>> {
    enum { bytes = 0 };
    int v[ahead];
    PYCUDA_DEVICE next_elements(ramp<C, step>) {}
    PYCUDA_DEVICE void load(size_t, long long, long long, int)
    {
#pragma unroll
        for (int k = 0; k < ahead; k++)
            v[k] = k;
    }
};
template <int ahead, class A> struct next_elements<ahead, beginning<A>> {
    enum { bytes = 0 };
    beginning<A> a;
    typename A::compute v[ahead];
    PYCUDA_DEVICE next_elements(beginning<A> a) : a(a) {}
    PYCUDA_DEVICE void load(size_t i, long long, long long, int)
    {
        typename A::compute one[1];
        a.load(one, i);
#pragma unroll
        for (int k = 0; k < ahead; k++)
            v[k] = one[0];
    }
};

/* Elements of a sum are added by a tree, whose rounding errors are the least. */
template <bool is_sum, int ahead, class S, class... H>
PYCUDA_DEVICE S fold_next(int count, const H &...h)
{
    S s[ahead];
    s[0].first(h.v[0]...);
    if constexpr (is_sum) {
#pragma unroll
        for (int k = 1; k < ahead; k++)
            s[k].first(h.v[k]...);
#pragma unroll
        for (int by = 1; by < ahead; by *= 2)
#pragma unroll
            for (int k = 0; k < ahead; k += 2 * by)
                if (k + by < count)
                    s[k].combine(s[k + by]);
    } else {
#pragma unroll
        for (int k = 1; k < ahead; k++)
            if (k < count)
                s[0].of(h.v[k]...);
    }
    return s[0];
}

/* The same for one result or two. The place of an extreme is a small number as long as
   it is one among those next elements, then one along the axis. */
template <bool is_sum, int ahead, class Op, class Z, class... H>
PYCUDA_DEVICE void fold_next_to(partial_result<Op, Z> &all, long long, unsigned,
                                int count, const H &...h)
{
    all = fold_next<is_sum, ahead, partial_result<Op, Z>>(count, h...);
}
template <bool is_sum, int ahead, class Op, class Z, class U, class... H>
PYCUDA_DEVICE void fold_next_to(partial_result<Op, Z, U> &all, long long k,
                                unsigned sharing, int count, const H &...h)
{
    auto found = fold_next<is_sum, ahead, partial_result<Op, int, U>>(count, h...);
    all.z = k + (long long)found.z * sharing;
    all.u = found.u;
}

/* The elements of a thread from number k on, `count` of them. */
template <bool is_sum, int ahead, int results, class S, int arrays, class... H>
PYCUDA_DEVICE S fold_from(size_t i, const reduced_axis<arrays> &axis, long long k,
                          int count, H... h)
{
    S all;
    int n = results;
    ((h.load(i, k * axis.stride[n], axis.sharing * axis.stride[n], count), n++), ...);
    fold_next_to<is_sum, ahead>(all, k, axis.sharing, count, h...);
    return all;
}

/* Results of `ahead` elements each, combined by 16, and those again: rounding errors
   hardly grow with the length. */
template <class S> struct groups {
    enum { each = 16 };
    S all, part;
    unsigned count;

    PYCUDA_DEVICE void add(const S &next)
    {
        if (count % each)
            part.combine(next);
        else {
            if (count)
                close();
            part = next;
        }
        count++;
    }
    PYCUDA_DEVICE void close()
    {
        if (count > each)
            all.combine(part);
        else
            all = part;
    }
};

/* Divided by a power of 2. */
template <class T> PYCUDA_DEVICE T over_power(T x, unsigned power)
{
    return x >> __popc(power - 1);
}

/* A thread's elements, which are `sharing` apart, `ahead` at once. */
template <bool is_sum, class S, int results, int arrays, class... A>
PYCUDA_DEVICE S fold_share(size_t i, const reduced_axis<arrays> &axis, unsigned mine,
                           A... a)
{
    enum {
        bytes = (int(next_elements<1, A>::bytes) + ...),
        ahead = bytes <= 4   ? 16
                : bytes <= 8 ? 8
                             : 4
    };
    long long step = (long long)axis.sharing * ahead, k = step * blockIdx.y + mine;
    long long full = axis.length - (ahead - 1) * (long long)axis.sharing;
    groups<S> folds;
    folds.count = 0;
    for (; k < full; k += step * gridDim.y)
        folds.add(fold_from<is_sum, ahead, results, S>(i, axis, k, ahead,
                                                       next_elements<ahead, A>(a)...));
    if (k < axis.length) {
        int count = 1 + (int)over_power(axis.length - k - 1, axis.sharing);
        folds.add(fold_from<is_sum, ahead, results, S>(i, axis, k, count,
                                                       next_elements<ahead, A>(a)...));
    }
    folds.close();
    return folds.all;
}

/* What the first `there` of those that share a result made, for the first one. */
template <class S, int count>
PYCUDA_DEVICE S combine_shares(S all, const reduced_axis<count> &axis, unsigned mine,
                               unsigned there)
{
    static_assert(sizeof(S) <= 32, "as the launcher knows");
    __shared__ __align__(16) char memory[sizeof(S) * axis_block];
    S *s = (S *)memory;
    unsigned t = threadIdx.x, by = axis.sharing / 2;
    for (; by * axis.apart >= 32; by /= 2) {
        if (mine >= by && mine < 2 * by)
            s[t] = all;
        __syncthreads();
        if (mine < by && mine + by < there)
            all.combine(s[t + by * axis.apart]);
    }
    for (; by; by /= 2) { /* of the same warp */
        S next = shuffle<lane_down>(all, by * axis.apart);
        if (mine + by < there)
            all.combine(next);
    }
    return all;
}

/* Blocks of a column of the grid share results, each takes `sharing` * `ahead` elements
   and passes over those of the others. */
template <bool is_sum, class S, int results, int step, int count, class Z, class... A>
PYCUDA_DEVICE void share_axis(const iteration_space<count> &space,
                              const reduced_axis<count> &axis, Z z, A... a)
{
    __shared__ bool is_last;
    unsigned t = threadIdx.x, mine, other;
    if (axis.apart == 1)
        mine = t & (axis.sharing - 1), other = over_power(t, axis.sharing);
    else
        mine = over_power(t, axis.apart), other = t & (axis.apart - 1);
    place<count> p(space, -step, axis.width, axis.height, other & (axis.width - 1),
                   over_power(other, axis.width));
    int n = results;
    size_t i = step ? 0 : p.column;
    S all;
    (a.move(p.at + n++), ...);
    if (p.is_inside)
        all = fold_share<is_sum, S, results>(i, axis, mine, a...);
    if (axis.sharing > 1)
        all = combine_shares(all, axis, mine, axis.sharing);
    if (gridDim.y > 1) {
        unsigned segments = gridDim.y, all_results = axis.width * axis.height;
        S *partial = (S *)axis.partial + (size_t)blockIdx.x * segments * all_results;
        if (p.is_inside && mine == 0)
            partial[blockIdx.y * all_results + other] = all;
        __threadfence();
        __syncthreads();
        if (t == 0)
            is_last = atomicAdd(axis.finished + blockIdx.x, 1u) == segments - 1;
        __syncthreads();
        if (!is_last)
            return;
        __threadfence();
        if (p.is_inside)
            for (unsigned k = mine; k < segments; k += axis.sharing) {
                S next;
                next.take(partial[k * all_results + other]);
                if (k == mine)
                    all = next;
                else
                    all.combine(next);
            }
        if (axis.sharing > 1)
            all = combine_shares(all, axis, mine,
                                 segments < axis.sharing ? segments : axis.sharing);
        if (t == 0)
            axis.finished[blockIdx.x] = 0;
    }
    if (p.is_inside && mine == 0) {
        typename Z::compute result[1] = {all.z};
        if constexpr (is_sum)
            finish_sum(result[0], axis);
        z.move(p.at);
        z.store(result, i);
    }
}

/* Of two results the second serves to combine partial ones, and is not stored. */
template <class Op, bool is_sum, int results, int step, int count, class Z, class U,
          class... A>
PYCUDA_DEVICE void reduce_shared(const iteration_space<count> &space,
                                 const reduced_axis<count> &axis, Z z, U u, A... a)
{
    typedef typename Z::compute first;
    typedef typename U::compute second;
    if constexpr (results == 1)
        share_axis<is_sum, partial_result<Op, first>, 1, step>(space, axis, z, u, a...);
    else
        share_axis<is_sum, partial_result<Op, first, second>, 2, step>(space, axis, z,
                                                                       a...);
}

} // namespace pycuda

#endif
