/* PTX's rarer arithmetic: directed rounding, products of 24 bits, sums of products of
   parts of words. */
#ifndef HOSTCC_PTX_ARITHMETIC_H
#define HOSTCC_PTX_ARITHMETIC_H

template <class T> __HC_DEVICE T ptx_rectified(T a) { return a < 0 ? 0 : a; }

/* rz, rm (down) and rp (up): CUDA's functions, named by type. */
#define PTX_f32(name) __f##name
#define PTX_f64(name) __d##name
#define PTX_FUSED_f32(mode) __fmaf_##mode
#define PTX_FUSED_f64(mode) __fma_##mode
#define PTX_ROUNDED(T, name, d, a, b) put<T>(d, PTX_##T(name)(as<T>(a), as<T>(b)))
#define PTX_FUSED(T, mode, d, a, b, c) \
    put<T>(d, PTX_FUSED_##T(mode)(as<T>(a), as<T>(b), as<T>(c)))
#define ptx_add_rz(T, d, a, b) PTX_ROUNDED(T, add_rz, d, a, b)
#define ptx_add_rm(T, d, a, b) PTX_ROUNDED(T, add_rd, d, a, b)
#define ptx_add_rp(T, d, a, b) PTX_ROUNDED(T, add_ru, d, a, b)
#define ptx_sub_rz(T, d, a, b) PTX_ROUNDED(T, sub_rz, d, a, b)
#define ptx_sub_rm(T, d, a, b) PTX_ROUNDED(T, sub_rd, d, a, b)
#define ptx_sub_rp(T, d, a, b) PTX_ROUNDED(T, sub_ru, d, a, b)
#define ptx_mul_rz(T, d, a, b) PTX_ROUNDED(T, mul_rz, d, a, b)
#define ptx_mul_rm(T, d, a, b) PTX_ROUNDED(T, mul_rd, d, a, b)
#define ptx_mul_rp(T, d, a, b) PTX_ROUNDED(T, mul_ru, d, a, b)
#define ptx_div_rz(T, d, a, b) PTX_ROUNDED(T, div_rz, d, a, b)
#define ptx_div_rm(T, d, a, b) PTX_ROUNDED(T, div_rd, d, a, b)
#define ptx_div_rp(T, d, a, b) PTX_ROUNDED(T, div_ru, d, a, b)
#define ptx_fma_rz(T, d, a, b, c) PTX_FUSED(T, rz, d, a, b, c)
#define ptx_fma_rm(T, d, a, b, c) PTX_FUSED(T, rd, d, a, b, c)
#define ptx_fma_rp(T, d, a, b, c) PTX_FUSED(T, ru, d, a, b, c)

#define ptx_sqrt_rz(T, d, a) put<T>(d, PTX_##T(sqrt_rz)(as<T>(a)))
#define ptx_sqrt_rm(T, d, a) put<T>(d, PTX_##T(sqrt_rd)(as<T>(a)))
#define ptx_sqrt_rp(T, d, a) put<T>(d, PTX_##T(sqrt_ru)(as<T>(a)))
#define ptx_rcp_rz(T, d, a) put<T>(d, PTX_##T(rcp_rz)(as<T>(a)))
#define ptx_rcp_rm(T, d, a) put<T>(d, PTX_##T(rcp_rd)(as<T>(a)))
#define ptx_rcp_rp(T, d, a) put<T>(d, PTX_##T(rcp_ru)(as<T>(a)))

template <class T> __HC_DEVICE u32 ptx_24_bits(T a)
{
    return (u32)((T)((u32)a << 8) >> 8);
}
#define PTX_TIMES24(T, a, b) ptx_24_bits(as<T>(a)) * ptx_24_bits(as<T>(b))
#define ptx_mul24(T, d, a, b) put<T>(d, PTX_TIMES24(T, a, b))
#define ptx_mad24(T, d, a, b, c) put<T>(d, PTX_TIMES24(T, a, b) + U(T, c))
/* Bits 16 to 47. */
#define PTX_HIGH24(T, a, b) \
    (u32)(W(T, ptx_24_bits(as<T>(a))) * W(T, ptx_24_bits(as<T>(b))) >> 16)
#define ptx_mul24_hi(T, d, a, b) put<T>(d, PTX_HIGH24(T, a, b))
#define ptx_mad24_hi(T, d, a, b, c) put<T>(d, PTX_HIGH24(T, a, b) + U(T, c))
#define ptx_mad24_hi_sat(T, d, a, b, c) \
    put<T>(d, ptx_saturated<false>((T)PTX_HIGH24(T, a, b), as<T>(c)))
#define ptx_mad_hi_sat(T, d, a, b, c) \
    put<T>(d, ptx_saturated<false>((T)PTX_HIGH(T, a, b), as<T>(c)))

/* Products in sums with a carry. */
#define PTX_LOW(T, a, b) (U(T, a) * U(T, b))
#define PTX_HIGH(T, a, b) ((u64)(W(T, a) * W(T, b) >> BITS(T)))
#define PTX_CARRIED(T, d, product, c, cc) ptx_sum<T>(d, product, U(T, c), cc, false)
#define ptx_mad_cc(T, d, a, b, c, cc) cc = PTX_CARRIED(T, d, PTX_LOW(T, a, b), c, false)
#define ptx_madc_cc(T, d, a, b, c, cc) cc = PTX_CARRIED(T, d, PTX_LOW(T, a, b), c, cc)
#define ptx_madc(T, d, a, b, c, cc) PTX_CARRIED(T, d, PTX_LOW(T, a, b), c, cc)
#define ptx_mad_hi_cc(T, d, a, b, c, cc) \
    cc = PTX_CARRIED(T, d, PTX_HIGH(T, a, b), c, false)
#define ptx_madc_hi_cc(T, d, a, b, c, cc) \
    cc = PTX_CARRIED(T, d, PTX_HIGH(T, a, b), c, cc)
#define ptx_madc_hi(T, d, a, b, c, cc) PTX_CARRIED(T, d, PTX_HIGH(T, a, b), c, cc)

/* n products: of the parts of a, 32 / n bits each, and of bytes of b from `at` on. */
template <class A, class B, u32 n>
__HC_DEVICE u32 ptx_products(A a, B b, u32 sum, u32 at)
{
    for (u32 k = 0; k < n; k++) {
        A of_a = (A)((u32)a << (32 - 32 / n * (k + 1))) >> (32 - 32 / n);
        B of_b = (B)((u32)b << (24 - 8 * (k + at))) >> 24;
        sum += (u32)of_a * (u32)of_b;
    }
    return sum;
}
#define PTX_PRODUCTS(A, B, n, at, d, a, b, c) \
    put<u32>(d, ptx_products<A, B, n>(as<A>(a), as<B>(b), as<u32>(c), at))
#define ptx_dp4a(A, B, d, a, b, c) PTX_PRODUCTS(A, B, 4, 0, d, a, b, c)
#define ptx_dp2a(A, B, d, a, b, c) PTX_PRODUCTS(A, B, 2, 0, d, a, b, c)
#define ptx_dp2a_hi(A, B, d, a, b, c) PTX_PRODUCTS(A, B, 2, 2, d, a, b, c)

#define PTX_APART(T, a, b) \
    (as<T>(a) < as<T>(b) ? U(T, b) - (U(T, a)) : U(T, a) - (U(T, b)))
#define ptx_sad(T, d, a, b, c) put<T>(d, PTX_APART(T, a, b) + (U(T, c)))
#define ptx_max_relu(T, d, a, b) \
    put<T>(d, ptx_rectified<T>(ptx_most(as<T>(a), as<T>(b))))
#define ptx_min_relu(T, d, a, b) \
    put<T>(d, ptx_rectified<T>(ptx_least(as<T>(a), as<T>(b))))
/* The sign is the first operand's. */
#define ptx_copysign(T, d, a, b) put<T>(d, copysign(as<T>(b), as<T>(a)))
#define ptx_slct(T, F, d, a, b, c) put<T>(d, as<F>(c) >= 0 ? as<T>(a) : as<T>(b))
#define ptx_cnot(T, d, a) put<T>(d, !as<T>(a))

/* What a number is like; zeros are normal. */
#define PTX_LEAST_f32 1.17549435e-38f
#define PTX_LEAST_f64 2.2250738585072014e-308
#define PTX_BELOW(T, a) (as<T>(a) != 0 && fabs(as<T>(a)) < PTX_LEAST_##T)
#define ptx_testp_finite(T, p, a) p = isfinite(as<T>(a))
#define ptx_testp_infinite(T, p, a) p = isinf(as<T>(a))
#define ptx_testp_number(T, p, a) p = !isnan(as<T>(a))
#define ptx_testp_notanumber(T, p, a) p = isnan(as<T>(a))
#define ptx_testp_normal(T, p, a) p = isfinite(as<T>(a)) && !PTX_BELOW(T, a)
#define ptx_testp_subnormal(T, p, a) p = PTX_BELOW(T, a)

#endif
