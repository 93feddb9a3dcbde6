/* Tiles of 64 to 512 threads: part of <cooperative_groups.h>, which includes this in
   its namespace, behind the tiles of a warp. Threads of several warps meet at words of
   the block's, and values go round in shared memory: both of each size apart, since a
   tile may be in use while its halves are. */

/* What a program lends tiles to meet in. Ours need none, nor do those of new GPUs. */
template <unsigned most = 1024> struct __align__(8) block_tile_memory {
    static_assert(most <= 1024, "a block has up to 1024 threads");
    char __hc_unused[32 + most / 32 * 8];
};
template <unsigned most>
__HC_DEVICE thread_block this_thread_block(block_tile_memory<most> &)
{
    return thread_block();
}

template <unsigned N> struct __hc_wide_tile {
    static constexpr unsigned __hc_most = N;
    typedef __hc_tile<32> __hc_warp;
    __device__ static unsigned size() { return N; }
    __device__ static unsigned num_threads() { return N; }
    __device__ static unsigned thread_rank() { return thread_block::thread_rank() % N; }
    __device__ static void sync()
    {
        unsigned *tiles = __hostcc_named_barriers() + 16;
        __hc_meet(tiles + 1024 / N + thread_block::thread_rank() / N, N, 1, true);
    }
    /* Room for a value of each warp. */
    template <class T> __device__ static T *__hc_room()
    {
        static_assert(sizeof(T) <= 32,
                      "tiles of several warps exchange up to 32 bytes");
        __shared__ __align__(16) char room[32][32];
        return (T *)room[thread_block::thread_rank() / N * (N / 32)];
    }
    /* What the thread of that rank has. */
    template <class T> __device__ static T shfl(T v, unsigned rank)
    {
        T *room = __hc_room<T>();
        if (thread_rank() == rank)
            *room = v;
        sync();
        v = *room;
        sync();
        return v;
    }
    /* What lane `from` has of each warp that comes before `end`, and first, if
       anything. */
    template <class T, class F>
    __device__ static T __hc_over_warps(T v, unsigned from, unsigned end, F f, T first)
    {
        T *room = __hc_room<T>();
        if (__hc_warp::thread_rank() == from)
            room[thread_rank() / 32] = v;
        sync();
        if (end)
            first = room[0];
        for (unsigned w = 1; w < end; w++)
            first = f(first, room[w]);
        sync();
        return first;
    }
    template <class T, class F> __device__ static T __hc_reduce(T v, F f)
    {
        for (unsigned d = 16; d; d /= 2)
            v = f(v, __hc_warp::shfl_xor(v, d));
        return __hc_over_warps(v, 0, N / 32, f, v);
    }
    template <class T, class F> __device__ static T __hc_scan(T v, F f)
    {
#pragma unroll 1
        for (unsigned d = 1; d < 32; d *= 2) {
            T before = __hc_warp::shfl_up(v, d);
            v = __hc_warp::thread_rank() >= d ? f(before, v) : v;
        }
        unsigned warp = thread_rank() / 32;
        T before = __hc_over_warps(v, 31, warp, f, v);
        return warp ? f(before, v) : v;
    }
    template <class T> __device__ static T shfl_up(T v, unsigned)
    {
        unsigned warp = thread_rank() / 32;
        T before = __hc_warp::shfl_up(v, 1);
        T end = __hc_over_warps(v, 31, warp, [](T, T last) { return last; }, v);
        return __hc_warp::thread_rank() ? before : end;
    }
    __device__ static int any(int predicate)
    {
        return __hc_reduce(predicate != 0, [](int a, int b) { return a | b; });
    }
    __device__ static int all(int predicate) { return !any(!predicate); }
};
template <unsigned N, class Parent> struct __hc_wide_part : __hc_wide_tile<N> {
    __device__ static unsigned meta_group_rank() { return Parent::thread_rank() / N; }
    __device__ static unsigned meta_group_size()
    {
        return (Parent::size() + N - 1) / N;
    }
    __device__ operator thread_block_tile<N>() const
    {
        return {meta_group_rank(), meta_group_size()};
    }
};
template <unsigned N> class __hc_wide_part<N, void> : public __hc_wide_tile<N>
{
    unsigned group, groups;

  public:
    __device__ __hc_wide_part(unsigned rank, unsigned of) : group(rank), groups(of) {}
    __device__ unsigned meta_group_rank() const { return group; }
    __device__ unsigned meta_group_size() const { return groups; }
};
#define __HC_WIDE_TILE(n)                                                         \
    template <class Parent>                                                       \
    class thread_block_tile<n, Parent> : public __hc_wide_part<n, Parent>         \
    {                                                                             \
    };                                                                            \
    template <> class thread_block_tile<n, void> : public __hc_wide_part<n, void> \
    {                                                                             \
      public:                                                                     \
        using __hc_wide_part<n, void>::__hc_wide_part;                            \
    };
__HC_WIDE_TILE(64)
__HC_WIDE_TILE(128)
__HC_WIDE_TILE(256)
__HC_WIDE_TILE(512)
#undef __HC_WIDE_TILE
