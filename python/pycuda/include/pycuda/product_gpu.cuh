/* Matrix products on a GPU of compute capability 8.0 or later: a block makes a tile of
   M x N results, its warps a part each, from panels of K elements along k that arrive
   in shared memory while those before them are multiplied.

   A long sum is made of spans, so that its error grows with the length of a span and
   their number, as with a BLAS, and not with the whole length. Where tiles are fewer
   than the device has room for, they are made by split-K: each block of a tile has a
   slice of k, and sum_slices adds up what they made, in the order of k. */
#ifndef PYCUDA_PRODUCT_GPU_CUH
#define PYCUDA_PRODUCT_GPU_CUH

#include "product_warp.cuh"

namespace pycuda
{

/* Of each block; `stages`: panels of either operand in shared memory. */
template <int rows, int columns, int deep, int stages, int warps_down, int warps_across>
struct product_tile {
    enum {
        M = rows,
        N = columns,
        K = deep,
        STAGES = stages,
        DOWN = warps_down,
        ACROSS = warps_across,
        THREADS = 32 * DOWN * ACROSS,
        GROUP = 8 /* rows of tiles that are done together, from left to right: they
                     share what they read while it is in the cache */
    };
};

/* What runs are added up in. */
template <class T> struct product_sum {
    typedef float type;
};
template <> struct product_sum<double> {
    typedef double type;
};

/* `slice`: elements of k for each block of a tile, a multiple of the tile's K; `span`:
   likewise, of a span; tiles: how many of them there are down and across. */
struct product_shape {
    long long m, n, length, slice;
    int span, down, across;
};

/* Element (i, j) of matrix k of a stack, as it is for slice s of the sum. */
template <class Z> struct product_result {
    Z *first;
    long long down, across, apart, slice_apart;
};

template <int bytes> struct word_of;
template <> struct word_of<16> {
    typedef uint4 type;
};
template <> struct word_of<8> {
    typedef uint2 type;
};
template <> struct word_of<4> {
    typedef unsigned type;
};
/* As one word, which a compiler does not always see. */
PYCUDA_DEVICE void store_word(uint4 *to, uint4 x)
{
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}
PYCUDA_DEVICE void store_word(uint2 *to, uint2 x)
{
    asm volatile("st.global.v2.b32 [%0], {%1, %2};"
                 :
                 : "l"(to), "r"(x.x), "r"(x.y)
                 : "memory");
}
PYCUDA_DEVICE void store_word(unsigned *to, unsigned x) { *to = x; }

/* z = a b, or slice blockIdx.y of that; tiles are blockIdx.x, matrices of stacks
   blockIdx.z. Dynamic shared memory: the stages, and the tile's sums if a slice is
   longer than a span. */
template <class T, class Tile, int MODE_A, int MODE_B> struct product_block {
    typedef typename product_sum<T>::type C;
    typedef panel_copy<T, Tile::M, Tile::K, Tile::THREADS, MODE_A> copy_a;
    typedef panel_copy<T, Tile::N, Tile::K, Tile::THREADS, MODE_B> copy_b;
    typedef typename copy_a::layout layout_a;
    typedef typename copy_b::layout layout_b;
    typedef warp_product<T, Tile::M / Tile::DOWN, Tile::N / Tile::ACROSS> warp;
    enum {
        STAGE = layout_a::SIZE + layout_b::SIZE,
        STAGE_BYTES = STAGE * sizeof(T) * Tile::STAGES
    };
    static_assert(layout_a::SIZE * sizeof(T) % 16 == 0 && STAGE * sizeof(T) % 16 == 0,
                  "panels begin at multiples of 16 bytes");

    /* Sums of the spans so far: a thread's own, in the order in which it has them. */
    struct alignas(warp::RUN * sizeof(C)) run {
        C x[warp::RUN];
    };

    static PYCUDA_DEVICE void add_span(warp &sums, run *total, bool is_first)
    {
#pragma unroll
        for (int i = 0; i < warp::RUNS; i++) {
            run &at = total[i * Tile::THREADS];
            run sum = {};
            if (!is_first)
                sum = at;
#pragma unroll
            for (int j = 0; j < warp::RUN; j++)
                sum.x[j] += sums.sum[i][j];
            at = sum;
        }
        sums.clear();
    }

    static PYCUDA_DEVICE void copy(copy_a &a, copy_b &b, T *stage, long long left,
                                   bool is_inside)
    {
        if (is_inside && left >= Tile::K) {
            a.template run<true>(stage, Tile::K);
            b.template run<true>(stage + layout_a::SIZE, Tile::K);
        } else {
            const int rest = left < Tile::K ? (int)left : Tile::K;
            a.template run<false>(stage, rest);
            b.template run<false>(stage + layout_a::SIZE, rest);
        }
    }

    /* The tile's sums over `length` elements of k. */
    static PYCUDA_DEVICE void multiply(warp &sums, copy_a &a, copy_b &b, T *memory,
                                       long long length, int span, bool is_inside)
    {
        enum { AHEAD = Tile::STAGES - 1 };
        const int number = threadIdx.x / 32;
        const int row = number / Tile::ACROSS * (Tile::M / Tile::DOWN);
        const int column = number % Tile::ACROSS * (Tile::N / Tile::ACROSS);
        run *total = (run *)((char *)memory + STAGE_BYTES) + threadIdx.x;
        int from = 0, to = 0, in_span = span;
        bool is_first = true;
        long long to_copy = length;
        sums.clear();
#pragma unroll
        for (; to < AHEAD; to++) {
            if (to_copy > 0)
                copy(a, b, memory + to * STAGE, to_copy, is_inside);
            copies_commit();
            to_copy -= Tile::K;
        }
        for (long long left = length; left > 0; left -= Tile::K) {
            copies_wait<AHEAD - 1>();
            __syncthreads(); /* all have come, and the oldest stage has been used */
            if (to_copy > 0)
                copy(a, b, memory + to * STAGE, to_copy, is_inside);
            copies_commit();
            to_copy -= Tile::K;
            const T *stage = memory + from * STAGE;
            sums.template multiply<Tile::K, layout_a, layout_b>(
                stage, stage + layout_a::SIZE, row, column);
            from = from == AHEAD ? 0 : from + 1;
            to = to == AHEAD ? 0 : to + 1;
            in_span -= Tile::K;
            if (!in_span && left > Tile::K) {
                add_span(sums, total, is_first);
                is_first = false;
                in_span = span;
            }
        }
        if (is_first)
            return;
#pragma unroll
        for (int i = 0; i < warp::RUNS; i++)
#pragma unroll
            for (int j = 0; j < warp::RUN; j++)
                sums.sum[i][j] = total[i * Tile::THREADS].x[j] + sums.sum[i][j];
    }

    template <class Z>
    static PYCUDA_DEVICE void store(const warp &sums, product_result<Z> z,
                                    long long row, long long column, long long m,
                                    long long n)
    {
        enum { RUN = warp::RUN, BYTES = RUN * sizeof(Z) };
        typedef typename word_of<BYTES>::type word;
        const int number = threadIdx.x / 32;
        const bool at_once = z.across == 1 && column + Tile::N <= n &&
                             (unsigned long long)z.first % BYTES == 0 &&
                             z.down * sizeof(Z) % BYTES == 0;
        row += number / Tile::ACROSS * (Tile::M / Tile::DOWN);
        column += number % Tile::ACROSS * (Tile::N / Tile::ACROSS);
        if (at_once) {
#pragma unroll
            for (int i = 0; i < warp::RUNS; i++) {
                const place_of_run place = sums.place(i);
                alignas(word) Z whole[RUN];
#pragma unroll
                for (int j = 0; j < RUN; j++)
                    whole[j] = convert<Z>(sums.sum[i][j]);
                word *to = (word *)(z.first + (row + place.row) * z.down + column +
                                    place.column);
                if (row + place.row < m)
                    store_word(to, *(const word *)whole);
            }
            return;
        }
#pragma unroll
        for (int i = 0; i < warp::RUNS; i++) {
            const place_of_run place = sums.place(i);
            const long long r = row + place.row, c = column + place.column;
#pragma unroll
            for (int j = 0; j < RUN; j++)
                if (r < m && c + j < n)
                    z.first[r * z.down + (c + j) * z.across] =
                        convert<Z>(sums.sum[i][j]);
        }
    }

    template <class Z>
    static PYCUDA_DEVICE void run_all(product_shape shape, product_result<Z> z,
                                      panel<T> a, panel<T> b)
    {
        extern __shared__ __align__(16) char memory[];
        const int group = blockIdx.x / (Tile::GROUP * shape.across) * Tile::GROUP;
        const int place = blockIdx.x % (Tile::GROUP * shape.across);
        const int height =
            shape.down - group < Tile::GROUP ? shape.down - group : Tile::GROUP;
        const long long row = (group + place % height) * (long long)Tile::M;
        const long long column = place / height * (long long)Tile::N;
        const long long first_k = blockIdx.y * shape.slice;
        const long long left = shape.length - first_k;
        copy_a from_a(a, row, shape.m, first_k, blockIdx.z);
        copy_b from_b(b, column, shape.n, first_k, blockIdx.z);
        warp sums;
        multiply(sums, from_a, from_b, (T *)memory,
                 left < shape.slice ? left : shape.slice, shape.span,
                 row + Tile::M <= shape.m && column + Tile::N <= shape.n);
        z.first += blockIdx.z * z.apart + blockIdx.y * z.slice_apart;
        store(sums, z, row, column, shape.m, shape.n);
    }
};

/* The sums of slices, which lie one after the other as whole stacks of m x n; a thread
   has an element of a row, blockIdx.y is the row. */
template <class Z, class C>
PYCUDA_DEVICE void sum_slices(long long m, long long n, int slices,
                              product_result<Z> z, const C *from)
{
    const long long column = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long apart = m * n * gridDim.z;
    if (column >= n)
        return;
    for (long long row = blockIdx.y; row < m; row += gridDim.y) {
        const C *at = from + (blockIdx.z * m + row) * n + column;
        C sum = at[0];
        for (int slice = 1; slice < slices; slice++)
            sum += at[slice * apart];
        z.first[blockIdx.z * z.apart + row * z.down + column * z.across] =
            convert<Z>(sum);
    }
}

} // namespace pycuda

#endif
