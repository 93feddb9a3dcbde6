/* PTX's instructions on matrices that a warp holds; included by ptx.h. */
#ifndef HOSTCC_PTX_MATRIX_H
#define HOSTCC_PTX_MATRIX_H

#include "hostcc/matrix.h"

/* What the registers of C and D hold, of rows g and g + 8: `n` of them for n sums. */
template <class T> struct ptx_sums {
    __device__ static constexpr int registers(int n) { return n; }
    typedef typename __hc_word<sizeof(T)>::type word;
    __device__ static T get(const u64 *r, int i) { return __HC_BITS(T, (word)r[i]); }
    __device__ static void set(u64 *r, int i, T sum) { r[i] = __HC_BITS(word, sum); }
};
template <> struct ptx_sums<f16> {
    __device__ static constexpr int registers(int n) { return n / 2; }
    __device__ static float get(const u64 *r, int i)
    {
        return __hc_of_f16::at((u32)r[i / 2], i % 2);
    }
    __device__ static void set(u64 *r, int i, float sum)
    {
        u64 half = __HC_BITS(u16, (_Float16)sum);
        r[i / 2] = i % 2 ? r[i / 2] | half << 16 : half;
    }
};
template <class X> __HC_DEVICE u64 ptx_register(const X &x)
{
    return __HC_BITS(typename __hc_word<sizeof(X)>::same, x);
}
template <class X> __HC_DEVICE void ptx_give(X &x, const u64 *from, bool is_result)
{
    if (is_result)
        x = __HC_BITS(X, (typename __hc_word<sizeof(X)>::same) * from);
}
template <int m, int k, class A, class B, class D, class C, class... X>
__HC_DEVICE void ptx_multiply(bool finite, X &&...x)
{
    typedef typename A::sum S;
    constexpr int M = m / 8, K = k / 4 / A::parts, n = 2 * M;
    constexpr int nd = ptx_sums<D>::registers(n), nc = ptx_sums<C>::registers(n);
    static_assert(K > 0 && K <= 4 && sizeof...(x) == nd + M * K + K + nc);
    const u64 given[] = {ptx_register(x)...};
    u64 result[nd];
    typename A::word a[M * K];
    typename B::word b[K];
    S sums[n];
    for (int i = 0; i < M * K; i++)
        a[i] = __HC_BITS(typename A::word,
                         (typename __hc_word<sizeof *a>::same)given[nd + i]);
    for (int i = 0; i < K; i++)
        b[i] = __HC_BITS(typename B::word,
                         (typename __hc_word<sizeof *b>::same)given[nd + M * K + i]);
    const u64 *c = given + nd + M * K + K;
    for (int i = 0; i < n; i++)
        sums[i] = finite ? (S)0 : (S)ptx_sums<C>::get(c, i);
    __syncwarp();
    __hc_multiply<A, B, M, K, 1>(sums, a, b);
    for (int i = 0; i < n; i++) {
        if constexpr (A::parts > 1)
            sums[i] =
                finite ? __hc_finite_sum(sums[i], (S)ptx_sums<C>::get(c, i)) : sums[i];
        ptx_sums<D>::set(result, i, sums[i]);
    }
    int at = 0;
    (void)(int[]){(ptx_give(x, result + at, at < nd), at++)...};
}
#define ptx_mma(shape, row, col, D, A, B, C, ...) \
    ptx_multiply<PTX_##shape, __hc_of_##A, __hc_of_##B, D, C>(false, __VA_ARGS__)
#define ptx_mma_satfinite(shape, row, col, D, A, B, C, ...) \
    ptx_multiply<PTX_##shape, __hc_of_##A, __hc_of_##B, D, C>(true, __VA_ARGS__)
#define ptx_mma_xor_popc(shape, row, col, D, A, B, C, ...)                       \
    ptx_multiply<PTX_##shape, __hc_of_##A##_xor, __hc_of_##B##_xor, D, C>(false, \
                                                                          __VA_ARGS__)
#define ptx_mma_and_popc(shape, row, col, D, A, B, C, ...)                       \
    ptx_multiply<PTX_##shape, __hc_of_##A##_and, __hc_of_##B##_and, D, C>(false, \
                                                                          __VA_ARGS__)
#define PTX_m8n8k4 8, 4 /* of double alone: that of half lies otherwise */
#define PTX_m8n8k16 8, 16
#define PTX_m8n8k32 8, 32
#define PTX_m8n8k128 8, 128
#define PTX_m16n8k4 16, 4
#define PTX_m16n8k8 16, 8
#define PTX_m16n8k16 16, 16
#define PTX_m16n8k32 16, 32
#define PTX_m16n8k64 16, 64
#define PTX_m16n8k128 16, 128
#define PTX_m16n8k256 16, 256

/* Matrices of 8 rows of 16 bytes, whose addresses 8 lanes each give; a lane holds word
   t of row g, or with `transposed` two elements of column g. */
template <bool transposed> __HC_DEVICE u32 ptx_matrix_word(u64 row, int matrix)
{
    const int g = __hostcc_lane() / 4, t = __hostcc_lane() % 4;
    if (!transposed)
        return ((u32 *)__hc_from_lane(row, 8 * matrix + g))[t];
    u64 even = __hc_from_lane(row, 8 * matrix + 2 * t);
    u64 odd = __hc_from_lane(row, 8 * matrix + 2 * t + 1);
    return ((u16 *)even)[g] | (u32)((u16 *)odd)[g] << 16;
}
template <bool transposed>
__HC_DEVICE void ptx_set_matrix_word(u64 row, int matrix, u32 word)
{
    const int g = __hostcc_lane() / 4, t = __hostcc_lane() % 4;
    if (transposed) {
        u64 even = __hc_from_lane(row, 8 * matrix + 2 * t);
        u64 odd = __hc_from_lane(row, 8 * matrix + 2 * t + 1);
        ((u16 *)even)[g] = (u16)word, ((u16 *)odd)[g] = (u16)(word >> 16);
    } else {
        ((u32 *)__hc_from_lane(row, 8 * matrix + g))[t] = word;
    }
}
template <bool transposed, class... X>
__HC_DEVICE void ptx_load_matrices(const char *p, X &...x)
{
    int at = 0;
    __syncwarp();
    (void)(int[]){(x = ptx_matrix_word<transposed>((u64)p, at++), 0)...};
}
template <bool transposed, class... X>
__HC_DEVICE void ptx_store_matrices(char *p, X... x)
{
    int at = 0;
    __syncwarp();
    (void)(int[]){(ptx_set_matrix_word<transposed>((u64)p, at++, x), 0)...};
}
#define ptx_ldmatrix_m8n8_x1(T, a, p) ptx_load_matrices<false>(p, a)
#define ptx_ldmatrix_m8n8_x2(T, a, b, p) ptx_load_matrices<false>(p, a, b)
#define ptx_ldmatrix_m8n8_x4(T, a, b, c, d, p) ptx_load_matrices<false>(p, a, b, c, d)
#define ptx_stmatrix_m8n8_x1(T, ...) ptx_store_matrices<false>(__VA_ARGS__)
#define ptx_stmatrix_m8n8_x2(T, ...) ptx_store_matrices<false>(__VA_ARGS__)
#define ptx_stmatrix_m8n8_x4(T, ...) ptx_store_matrices<false>(__VA_ARGS__)
#define ptx_ldmatrix_m8n8_x1_trans(T, a, p) ptx_load_matrices<true>(p, a)
#define ptx_ldmatrix_m8n8_x2_trans(T, a, b, p) ptx_load_matrices<true>(p, a, b)
#define ptx_ldmatrix_m8n8_x4_trans(T, a, b, c, d, p) \
    ptx_load_matrices<true>(p, a, b, c, d)
#define ptx_stmatrix_m8n8_x1_trans(T, ...) ptx_store_matrices<true>(__VA_ARGS__)
#define ptx_stmatrix_m8n8_x2_trans(T, ...) ptx_store_matrices<true>(__VA_ARGS__)
#define ptx_stmatrix_m8n8_x4_trans(T, ...) ptx_store_matrices<true>(__VA_ARGS__)
__HC_DEVICE u32 ptx_transposed(u32 a)
{
    __syncwarp();
    const int g = __hostcc_lane() / 4, t = __hostcc_lane() % 4, shift = 16 * (g % 2);
    u32 even = __hc_from_lane(a, 8 * t + g / 2);
    u32 odd = __hc_from_lane(a, 8 * t + 4 + g / 2);
    return (even >> shift & 0xffff) | (odd >> shift) << 16;
}
#define ptx_movmatrix_m8n8_trans(T, d, a) d = ptx_transposed(a)

#endif
