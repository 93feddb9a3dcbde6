/* Matrices of a warp: nvcuda::wmma. Which elements a lane holds is nobody's business
   but ours: those that hostcc/matrix.h multiplies; an accumulator has them for each 8
   columns. */
#ifndef HOSTCC_MMA_H
#define HOSTCC_MMA_H

#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include "../pycuda/letters_aside.cuh"
#include "hostcc/matrix.h"

namespace nvcuda
{
namespace wmma
{
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}
namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* Of an element's type: its kind in matrix.h, and what x[] and pointers are made of. */
template <class T> struct __hc_kind;
#define __HC_KIND(T, kind, S)         \
    template <> struct __hc_kind<T> { \
        typedef __hc_of_##kind of;    \
        typedef S storage;            \
    };
__HC_KIND(__half, f16, __half)
__HC_KIND(__nv_bfloat16, bf16, __nv_bfloat16)
__HC_KIND(precision::tf32, tf32, float)
__HC_KIND(signed char, s8, signed char)
__HC_KIND(unsigned char, u8, unsigned char)
__HC_KIND(double, f64, double)
__HC_KIND(experimental::precision::s4, s4, int)
__HC_KIND(experimental::precision::u4, u4, unsigned)
__HC_KIND(experimental::precision::b1, b1_xor, unsigned)
#undef __HC_KIND

/* Shapes and types that there are. */
template <int m, int n, int k, class T> struct __hc_shape {
    static constexpr bool exists = false;
};
#define __HC_SHAPE(T, condition)                                        \
    template <int m, int n, int k> struct __hc_shape<m, n, k, T> {      \
        static constexpr bool wide = (m == 16 && n == 16 && k == 16) || \
                                     (m == 32 && n == 8 && k == 16) ||  \
                                     (m == 8 && n == 32 && k == 16);    \
        static constexpr bool exists = condition;                       \
    };
__HC_SHAPE(__half, wide)
__HC_SHAPE(__nv_bfloat16, wide)
__HC_SHAPE(signed char, wide)
__HC_SHAPE(unsigned char, wide)
__HC_SHAPE(precision::tf32, m == 16 && n == 16 && k == 8)
__HC_SHAPE(double, m == 8 && n == 8 && k == 4)
__HC_SHAPE(experimental::precision::s4, m == 8 && n == 8 && k == 32)
__HC_SHAPE(experimental::precision::u4, m == 8 && n == 8 && k == 32)
__HC_SHAPE(experimental::precision::b1, m == 8 && n == 8 && k == 128)
#undef __HC_SHAPE

template <class T, int words> struct __align__(8) __hc_elements {
    typedef typename __hc_kind<T>::storage storage_element_type;
    typedef typename __hc_kind<T>::of __hc_of;
    typedef T element_type;
    static constexpr int __hc_words = words;
    enum {
        num_elements = words * __hc_of::parts,
        num_storage_elements =
            words * (int)(sizeof(typename __hc_of::word) / sizeof(storage_element_type))
    };
    storage_element_type x[num_storage_elements];
};
template <class T, int n> struct __align__(8) __hc_sums {
    typedef T element_type, storage_element_type;
    enum { num_elements = n, num_storage_elements = n };
    T x[n];
};

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_a, m, n, k, T, Layout>
    : public __hc_elements<T, m / 8 * k / 4 / __hc_kind<T>::of::parts>
{
    static_assert(__hc_shape<m, n, k, T>::exists, "wmma has this type in other shapes");
};
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_b, m, n, k, T, Layout>
    : public __hc_elements<T, n / 8 * k / 4 / __hc_kind<T>::of::parts>
{
    static_assert(__hc_shape<m, n, k, T>::exists, "wmma has this type in other shapes");
};
template <int m, int n, int k, class T>
class fragment<accumulator, m, n, k, T> : public __hc_sums<T, m * n / 32>
{
};

__HC_DEVICE float __float_to_tf32(float x) { return __hc_tf32(x); }

/* -- Fill -- */

template <class T, int words>
__HC_DEVICE void fill_fragment(
    __hc_elements<T, words> &f,
    const typename __hc_same<typename __hc_kind<T>::storage>::type &v)
{
    typedef typename __hc_kind<T>::of of;
    auto all = v;
    if constexpr (of::parts == 8)
        all = (v & 15) * 0x11111111u;
    else if constexpr (of::parts == 32)
        all = v & 1 ? ~0u : 0;
    for (auto &x : f.x)
        x = all;
}
template <class T, int n>
__HC_DEVICE void fill_fragment(__hc_sums<T, n> &f, const typename __hc_same<T>::type &v)
{
    for (T &x : f.x)
        x = v;
}

/* -- Load and store -- */

/* Word w of M along rows (A) or K along columns (B): `across` is that row or column,
   `along` its first k. */
template <bool contiguous, class T, int words, class P>
__HC_DEVICE void __hc_load(__hc_elements<T, words> &f, const P *p, unsigned ldm,
                           int groups, bool is_b)
{
    typedef typename __hc_kind<T>::of of;
    typedef typename __hc_kind<T>::storage S;
    const int g = __hostcc_lane() / 4, t = __hostcc_lane() % 4;
    constexpr int each = (int)(sizeof(typename of::word) / sizeof(S));
#pragma unroll
    for (int w = 0; w < words; w++) {
        int blocks = words / groups;
        int across = g + 8 * (is_b ? w / blocks : w % groups);
        int along = ((is_b ? w % blocks : w / groups) * 4 + t) * of::parts;
        typename of::word word;
        if constexpr (contiguous) {
            size_t at = ((size_t)across * ldm + along) / of::parts;
            word = ((const typename of::word *)p)[at];
            __builtin_memcpy(&f.x[w * each], &word, sizeof word);
        } else {
            for (int j = 0; j < each; j++)
                f.x[w * each + j] = ((const S *)p)[(size_t)(along + j) * ldm + across];
        }
    }
}
#define __HC_LOAD_MATRIX(Use, Layout, contiguous, size, is_b)               \
    template <int m, int n, int k, class T, class P>                        \
    __HC_DEVICE void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f, \
                                      const P *p, unsigned ldm)             \
    {                                                                       \
        __hc_load<contiguous>(f, p, ldm, size / 8, is_b);                   \
    }
__HC_LOAD_MATRIX(matrix_a, row_major, true, m, false)
__HC_LOAD_MATRIX(matrix_a, col_major, false, m, false)
__HC_LOAD_MATRIX(matrix_b, col_major, true, n, true)
__HC_LOAD_MATRIX(matrix_b, row_major, false, n, true)
#undef __HC_LOAD_MATRIX

/* Where the sum i of a lane belongs. */
template <int m> __HC_DEVICE size_t __hc_place(int i, unsigned ldm, layout_t layout)
{
    const unsigned lane = __hostcc_lane(), per = m / 4, r = i % per;
    size_t row = lane / 4 + 8 * (r / 2),
           column = 8 * (i / per) + 2 * (lane % 4) + r % 2;
    return layout == mem_row_major ? row * ldm + column : column * ldm + row;
}
template <int m, int n, int k, class T>
__HC_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p,
                                  unsigned ldm, layout_t layout)
{
#pragma unroll
    for (int i = 0; i < m * n / 32; i++)
        f.x[i] = p[__hc_place<m>(i, ldm, layout)];
}
template <int m, int n, int k, class T>
__HC_DEVICE void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f,
                                   unsigned ldm, layout_t layout)
{
#pragma unroll
    for (int i = 0; i < m * n / 32; i++)
        p[__hc_place<m>(i, ldm, layout)] = f.x[i];
}

/* -- Multiply -- */

template <class A, class B, int m, int n, int k, class D, class FA, class FB, class C>
__HC_DEVICE void __hc_multiply_fragments(D *d, const FA &a, const FB &b, const C *c,
                                         bool finite)
{
    constexpr int M = m / 8, N = n / 8, K = k / 4 / A::parts, sums = 2 * M * N;
    constexpr float most = sizeof(D) == 2 ? 65504 : 0x1.fffffep127f;
    typename A::word left[M * K];
    typename B::word right[N * K];
    typename A::sum s[sums];
    __builtin_memcpy(left, a.x, sizeof left);
    __builtin_memcpy(right, b.x, sizeof right);
    __syncwarp();
    for (int i = 0; i < sums; i++)
        s[i] = finite ? (typename A::sum)0 : (typename A::sum)c[i];
    __hc_multiply<A, B, M, K, N>(s, left, right);
    if constexpr (A::parts > 1)
        for (int i = 0; i < sums && finite; i++)
            s[i] = __hc_finite_sum(s[i], (typename A::sum)c[i], most);
    for (int i = 0; i < sums; i++)
        d[i] = (D)s[i];
}
template <int m, int n, int k, class T, class LA, class LB, class C, class D>
__HC_DEVICE void mma_sync(fragment<accumulator, m, n, k, D> &d,
                          const fragment<matrix_a, m, n, k, T, LA> &a,
                          const fragment<matrix_b, m, n, k, T, LB> &b,
                          const fragment<accumulator, m, n, k, C> &c, bool satf = false)
{
    typedef typename __hc_kind<T>::of of;
    bool finite = satf && of::parts > 1;
    __hc_multiply_fragments<of, of, m, n, k>(d.x, a, b, c.x, finite);
}
template <class LA, class LB>
__HC_DEVICE void bmma_sync(
    fragment<accumulator, 8, 8, 128, int> &d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, LA> &a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, LB> &b,
    const fragment<accumulator, 8, 8, 128, int> &c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    typedef __hc_of_b1_xor exclusive;
    typedef __hc_of_b1_and both;
    if (op == experimental::bmmaBitOpXOR)
        __hc_multiply_fragments<exclusive, exclusive, 8, 8, 128>(d.x, a, b, c.x, false);
    else
        __hc_multiply_fragments<both, both, 8, 8, 128>(d.x, a, b, c.x, false);
}
} // namespace wmma
} // namespace nvcuda

#include "../pycuda/letters_back.cuh"

#endif
