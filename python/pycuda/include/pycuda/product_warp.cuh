/* What a warp computes of a product of matrices, for product_gpu.cuh: M x N sums over
   the K elements of two panels in shared memory. A thread's sums are runs of neighbours
   in a row, of which place() says where they are.

   float: multiply-adds, by each thread of M / 8 rows and N / 4 columns. double and the
   types of 16 bits, which are added up in float: mma.sync, of which the PTX ISA says
   what lane 4g + t holds. */
#ifndef PYCUDA_PRODUCT_WARP_CUH
#define PYCUDA_PRODUCT_WARP_CUH

#include "product_copy.cuh"

namespace pycuda
{

struct place_of_run {
    int row, column;
};

template <class C, int M, int N, int LENGTH> struct warp_sums {
    enum { RUN = LENGTH, RUNS = M * N / 32 / LENGTH };
    C sum[RUNS][RUN];

    PYCUDA_DEVICE void clear()
    {
#pragma unroll
        for (int i = 0; i < RUNS; i++)
#pragma unroll
            for (int j = 0; j < RUN; j++)
                sum[i][j] = C(0);
    }
};

/* -- float -- */

template <class T> struct alignas(4 * sizeof(T)) four_of {
    T x[4];
};

template <class T, int M, int N> struct warp_product;

/* 8 x 4 threads, each with M / 32 times 4 rows and N / 16 times 4 columns. Lanes that
   differ in bit 0 read the same of the left panel, in bit 1 of the right one: loads of
   16 bytes then take two cycles of shared memory instead of four. */
template <int M, int N> struct warp_product<float, M, N> : warp_sums<float, M, N, 4> {
    enum { ROWS = M / 32, COLUMNS = N / 16 };
    int down, across;

    PYCUDA_DEVICE warp_product()
    {
        const int lane = threadIdx.x % 32;
        down = 4 * (lane / 2 % 2 + lane / 8 * 2);
        across = 4 * (lane % 2 + lane / 4 % 2 * 2);
    }
    PYCUDA_DEVICE place_of_run place(int run) const
    {
        return {run / (4 * COLUMNS) * 32 + down + run / COLUMNS % 4,
                run % COLUMNS * 16 + across};
    }
    template <int K, class A, class B>
    PYCUDA_DEVICE void multiply(const float *a, const float *b, int row, int column)
    {
        typedef four_of<float> four;
#pragma unroll
        for (int k = 0; k < K; k++) {
            four left[ROWS], right[COLUMNS];
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                left[i] = *(const four *)(a + A::at(row + 32 * i + down, k));
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                right[j] = *(const four *)(b + B::at(column + 16 * j + across, k));
#pragma unroll
            for (int run = 0; run < this->RUNS; run++)
#pragma unroll
                for (int x = 0; x < 4; x++)
                    this->sum[run][x] +=
                        left[run / (4 * COLUMNS)].x[run / COLUMNS % 4] *
                        right[run % COLUMNS].x[x];
        }
    }
};

/* -- Sums as mma.sync leaves them: rows 8 apart, of two columns -- */

template <class C, int M, int N> struct mma_sums : warp_sums<C, M, N, 2> {
    enum { ROWS = M / 8, COLUMNS = N / 8 };

    PYCUDA_DEVICE place_of_run place(int run) const
    {
        const int lane = threadIdx.x % 32;
        return {run / COLUMNS * 8 + lane / 4, run % COLUMNS * 8 + lane % 4 * 2};
    }
};

/* -- double -- */

/* Compute capability 9.0 has products of 16 rows, which are half as fast again. */
#ifndef PYCUDA_MMA_DOUBLE_ROWS
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
#define PYCUDA_MMA_DOUBLE_ROWS 8
#else
#define PYCUDA_MMA_DOUBLE_ROWS 16
#endif
#endif

template <int ROWS, int K> struct mma_double;
template <> struct mma_double<8, 4> {
    static PYCUDA_DEVICE void add(double (*c)[2], int, const double (*a)[1],
                                  const double *b)
    {
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, "
            "{%0, %1};"
            : "+d"(c[0][0]), "+d"(c[0][1])
            : "d"(a[0][0]), "d"(b[0]));
    }
};
template <> struct mma_double<16, 4> {
    static PYCUDA_DEVICE void add(double (*c)[2], int below, const double (*a)[1],
                                  const double *b)
    {
        asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
            "{%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+d"(c[0][0]), "+d"(c[0][1]), "+d"(c[below][0]), "+d"(c[below][1])
            : "d"(a[0][0]), "d"(a[1][0]), "d"(b[0]));
    }
};
template <> struct mma_double<16, 16> {
    static PYCUDA_DEVICE void add(double (*c)[2], int below, const double (*a)[4],
                                  const double *b)
    {
        asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
            "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, "
            "{%0, %1, %2, %3};"
            : "+d"(c[0][0]), "+d"(c[0][1]), "+d"(c[below][0]), "+d"(c[below][1])
            : "d"(a[0][0]), "d"(a[1][0]), "d"(a[0][1]), "d"(a[1][1]), "d"(a[0][2]),
              "d"(a[1][2]), "d"(a[0][3]), "d"(a[1][3]), "d"(b[0]), "d"(b[1]), "d"(b[2]),
              "d"(b[3]));
    }
};

template <int M, int N> struct warp_product<double, M, N> : mma_sums<double, M, N> {
    enum {
        AT_ONCE = PYCUDA_MMA_DOUBLE_ROWS / 8,   /* rows of 8 */
        DEEP = AT_ONCE == 1 || M > 32 ? 4 : 16, /* as much as registers are left for */
        PARTS = DEEP / 4
    };
    template <int K, class A, class B>
    PYCUDA_DEVICE void multiply(const double *a, const double *b, int row, int column)
    {
        typedef mma_sums<double, M, N> sums;
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
        for (int k = 0; k < K; k += DEEP) {
            double left[sums::ROWS][PARTS];
#pragma unroll
            for (int i = 0; i < sums::ROWS; i++)
#pragma unroll
                for (int part = 0; part < PARTS; part++)
                    left[i][part] = a[A::at(row + 8 * i + g, k + 4 * part + t)];
#pragma unroll
            for (int j = 0; j < sums::COLUMNS; j++) {
                double right[PARTS];
#pragma unroll
                for (int part = 0; part < PARTS; part++)
                    right[part] = b[B::at(column + 8 * j + g, k + 4 * part + t)];
#pragma unroll
                for (int i = 0; i < sums::ROWS; i += AT_ONCE)
                    mma_double<8 * AT_ONCE, DEEP>::add(this->sum + i * sums::COLUMNS +
                                                           j,
                                                       sums::COLUMNS, left + i, right);
            }
        }
    }
};

/* -- Types of 16 bits -- */

/* Four matrices of 8 x 8 words, whose rows lie where the lanes say: 0 to 7 for the
   first one. IS_TURNED: rows and columns change places. */
template <bool IS_TURNED>
PYCUDA_DEVICE void load_matrices(unsigned (&x)[4], const void *row)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(row);
    if (IS_TURNED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, "
                     "[%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(at)
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(at)
                     : "memory");
}

#define PYCUDA_MMA_NARROW(type, name)                                              \
    PYCUDA_DEVICE void mma_narrow(type, float(*c)[2], int below,                   \
                                  const unsigned(&a)[4], const unsigned *b)        \
    {                                                                              \
        asm("mma.sync.aligned.m16n8k16.row.col.f32." name "." name                 \
            ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
            : "+f"(c[0][0]), "+f"(c[0][1]), "+f"(c[below][0]), "+f"(c[below][1])   \
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));   \
    }
#ifdef PYCUDA_HALF
PYCUDA_MMA_NARROW(half, "f16")
#endif
#ifdef PYCUDA_BFLOAT16
PYCUDA_MMA_NARROW(__nv_bfloat16, "bf16")
#endif

template <class T, int M, int N> struct warp_product : mma_sums<float, M, N> {
    template <int K, class A, class B>
    PYCUDA_DEVICE void multiply(const T *a, const T *b, int row, int column)
    {
        typedef mma_sums<float, M, N> sums;
        const int lane = threadIdx.x % 32, low = lane % 8;
        const int second = lane / 8 % 2 * 8, third = lane / 16 * 8;
#pragma unroll
        for (int k = 0; k < K; k += 16) {
            unsigned left[M / 16][4], right[N / 16][4];
#pragma unroll
            for (int i = 0; i < M / 16; i++)
                load_matrices<A::IS_BY_K>(
                    left[i], a + A::at(row + 16 * i + second + (A::IS_BY_K ? 0 : low),
                                       k + third + (A::IS_BY_K ? low : 0)));
#pragma unroll
            for (int j = 0; j < N / 16; j++)
                load_matrices<B::IS_BY_K>(
                    right[j],
                    b + B::at(column + 16 * j + third + (B::IS_BY_K ? 0 : low),
                              k + second + (B::IS_BY_K ? low : 0)));
#pragma unroll
            for (int i = 0; i < M / 16; i++)
#pragma unroll
                for (int j = 0; j < N / 8; j++)
                    mma_narrow(T(), this->sum + 2 * i * sums::COLUMNS + j,
                               sums::COLUMNS, left[i], right[j / 2] + j % 2 * 2);
        }
    }
};

} // namespace pycuda

#endif
