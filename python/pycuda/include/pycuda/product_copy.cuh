/* Panels of matrices on their way from global to shared memory, for product_gpu.cuh:
   what a block of threads takes of an operand for one step along k, by copies that go
   on while the block computes (compute capability 8.0).

   Both operands of a product are the same to this file: `outer` counts rows of the left
   one or columns of the right one, `inner` counts k. What lies outside of the matrix is
   zero in both panels, so that it adds zeros to sums, whatever else they hold. */
#ifndef PYCUDA_PRODUCT_COPY_CUH
#define PYCUDA_PRODUCT_COPY_CUH

#include "async_copy.cuh"
#include "operations.cuh"

namespace pycuda
{

/* Distances in elements; `apart` is that of the matrices of a stack. */
template <class T> struct panel {
    const T *first;
    long long outer, inner, apart;
};

/* How consecutive threads take elements: 16 bytes each along the axis whose elements
   follow each other, all of it aligned; or one each, whatever the distances. */
enum copy_mode { COPY_OUTER, COPY_INNER, COPY_EACH_OUTER, COPY_EACH_INNER };

/* -- Panels in shared memory -- */

/* EXTENT x K elements, which lie along the axis along which they are copied; those of 4
   bytes k by k, as threads multiply them. Gaps between rows keep threads that read, or
   write, several of them apart in banks. */
template <class T, int EXTENT, int K, int MODE> struct panel_layout {
    enum {
        IS_INNER = MODE == COPY_INNER || MODE == COPY_EACH_INNER,
        IS_BY_K = sizeof(T) == 4 || !IS_INNER,
        GAP = sizeof(T) > 2 ? 4 : 8,
        PITCH = (IS_BY_K ? EXTENT : K) + GAP,
        SIZE = (IS_BY_K ? K : EXTENT) * PITCH
    };
    static PYCUDA_DEVICE int at(int outer, int k)
    {
        return IS_BY_K ? k * PITCH + outer : outer * PITCH + k;
    }
};

/* A thread's part of a panel: it takes PASSES vectors of elements. */
template <class T, int EXTENT, int K, int THREADS, int MODE> struct panel_copy {
    typedef panel_layout<T, EXTENT, K, MODE> layout;
    enum {
        IS_INNER = layout::IS_INNER,
        IS_EACH = MODE == COPY_EACH_OUTER || MODE == COPY_EACH_INNER,
        VECTOR = IS_EACH ? 1 : 16 / sizeof(T),
        SECTOR = 32 / sizeof(T), /* elements that memory gives at a time */
        LANES = !IS_INNER ? EXTENT / VECTOR
                : IS_EACH ? (SECTOR < K ? SECTOR : K)
                          : K / VECTOR, /* threads along the axis */
        ACROSS = THREADS / LANES,       /* and along the other one */
        OUTER_PASSES = EXTENT / ACROSS, /* of INNER: before it goes on along k */
        PASSES = EXTENT * K / VECTOR / THREADS
    };
    static_assert(THREADS % LANES == 0 && PASSES * VECTOR * THREADS == EXTENT * K &&
                      (!IS_INNER || EXTENT % ACROSS == 0),
                  "threads share a panel evenly");
    const T *from; /* the thread's next element */
    long long outer, inner;
    int rest; /* of the outer axis, from the thread's first element on */
    int k, to;

    /* From element `begin` of the outer axis, which has `extent`. */
    PYCUDA_DEVICE panel_copy(const panel<T> &source, long long begin, long long extent,
                             long long first_k, long long matrix)
    {
        const int along = threadIdx.x % LANES, across = threadIdx.x / LANES;
        const int o = IS_INNER ? across : along * VECTOR;
        k = IS_INNER ? along * VECTOR : across;
        outer = MODE == COPY_OUTER ? 1 : source.outer;
        inner = MODE == COPY_INNER ? 1 : source.inner;
        from = source.first + matrix * source.apart + (begin + o) * outer +
               (first_k + k) * inner;
        const long long left = extent - begin;
        rest = (left < EXTENT ? (int)left : EXTENT) - o;
        to = layout::at(o, k);
    }
    static PYCUDA_DEVICE int pass_outer(int pass)
    {
        return IS_INNER ? pass % OUTER_PASSES * ACROSS : 0;
    }
    static PYCUDA_DEVICE int pass_k(int pass)
    {
        return IS_INNER ? pass / OUTER_PASSES * LANES * VECTOR : pass * ACROSS;
    }
    /* How many of a pass's elements are inside; left: of k, from the step's first on.
     */
    PYCUDA_DEVICE int inside(int pass, int left) const
    {
        const int of_outer = rest - pass_outer(pass), of_k = left - k - pass_k(pass);
        const int along = IS_INNER ? of_k : of_outer,
                  across = IS_INNER ? of_outer : of_k;
        return across <= 0 || along <= 0 ? 0 : along < VECTOR ? along : VECTOR;
    }
    /* The next K elements of the inner axis; IS_WHOLE: all of them are inside. */
    template <bool IS_WHOLE> PYCUDA_DEVICE void run(T *stage, int left)
    {
#pragma unroll
        for (int pass = 0; pass < PASSES; pass++) {
            const T *source = from + pass_outer(pass) * outer + pass_k(pass) * inner;
            T *target = stage + to + layout::at(pass_outer(pass), pass_k(pass));
            const int count = IS_WHOLE ? VECTOR : inside(pass, left);
            if (VECTOR * sizeof(T) >= 4)
                copy_async<VECTOR * sizeof(T)>(target, source,
                                               count * (unsigned)sizeof(T));
            else
                *target = count ? *source : T();
        }
        from += K * inner;
    }
};

} // namespace pycuda

#endif
