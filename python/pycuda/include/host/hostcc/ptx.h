/* PTX's instructions. hostcc writes inline assembly as calls of these (ptx.c) and
   includes this file then: `add.sat.s32 d, a, b` is ptx_add_sat(s32, d, a, b), without
   words that mean nothing here, such as scopes and caches. */
#ifndef HOSTCC_PTX_H
#define HOSTCC_PTX_H

typedef unsigned char u8, b8, llvm_i8;
typedef unsigned short u16, b16, llvm_i16;
typedef unsigned u32, b32, llvm_i32;
typedef unsigned long long u64, b64, llvm_i64, llvm_ptr;
typedef unsigned __int128 b128, llvm_i128;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef _Float16 f16;
typedef float f32, llvm_float;
typedef double f64, llvm_double;
typedef bool pred, llvm_i1;

/* As in PTX, an operand is any register of the right size: the bits count where sizes
   are the same, else the value. */
template <bool same> struct ptx_bits {
    template <class T, class X> __device__ static T as(X x) { return (T)x; }
};
template <> struct ptx_bits<true> {
    template <class T, class X> __device__ static T as(X x) { return __HC_BITS(T, x); }
};
template <class T, class X> __HC_DEVICE T as(X x)
{
    typedef ptx_bits<(sizeof(T) == sizeof(X))> bits;
    return bits::template as<T>(x);
}
template <class T, class D, class X> __HC_DEVICE void put(D &d, X x)
{
    d = as<D>((T)x);
}

/* A result that nobody wants is written as _. */
struct ptx_nothing {
    template <class X> __device__ void operator=(X) const {}
};
static __device__ const ptx_nothing _ = {};

/* What sums are computed in, modulo 2^32 or 2^64; and products that are kept in whole.
 */
template <class T, bool integer = __is_integral(T), bool wide = sizeof(T) == 8>
struct ptx_type {
    typedef T U, W;
};
template <class T> struct ptx_type<T, true, false> {
    typedef u32 U;
    typedef u64 W;
};
template <class T> struct ptx_type<T, true, true> {
    typedef u64 U;
    typedef unsigned __int128 W;
};
#define U(T, x) (typename ptx_type<T>::U) as<T>(x)
#define W(T, x) (typename ptx_type<T>::W) as<T>(x)
#define BITS(T) (8 * (u32)sizeof(T))

/* Addresses of shared memory may have lost their upper half. */
__HC_DEVICE char *ptx_at(u64 a) { return (char *)a; }
__HC_DEVICE char *ptx_at(u32 a) { return (char *)__cvta_shared_to_generic(a); }

/* -- Arithmetic -- */

/* Types of hostcc/ptx_narrow.h have functions of their own. */
template <class T> __HC_DEVICE T ptx_fused(T a, T b, T c)
{
    return __builtin_elementwise_fma(a, b, c);
}
#define PTX_OPERATION(name, builtin)                                  \
    template <class T> __HC_DEVICE T name(T a) { return builtin(a); } \
    template <class T> __HC_DEVICE T name(T a, T b) { return builtin(a, b); }
PTX_OPERATION(ptx_size, __builtin_elementwise_abs)
PTX_OPERATION(ptx_least, __builtin_elementwise_min)
PTX_OPERATION(ptx_most, __builtin_elementwise_max)
PTX_OPERATION(ptx_power, exp2)
PTX_OPERATION(ptx_tangent, tanh)

/* A function of floats, of each element of T. */
template <class F, class T> __HC_DEVICE T ptx_each(F f, T a) { return (T)f((float)a); }
template <class F, class T> __HC_DEVICE T ptx_each(F f, T a, T b)
{
    return (T)f((float)a, (float)b);
}
#define PTX_OF_FLOAT(name, expression)                                           \
    struct name {                                                                \
        __device__ float operator()(float a, float b = 0) { return expression; } \
    };
#define PTX_NUMBERS(x) (a == a && b == b ? x : __uint_as_float(0x7fffffff))
#define PTX_SIGNED(x) copysignf(x, copysignf(1, a) * copysignf(1, b))
PTX_OF_FLOAT(ptx_unit_of, __saturatef(a))
PTX_OF_FLOAT(ptx_relu_of, a != a ? a : fmaxf(a, 0))
PTX_OF_FLOAT(ptx_size_of, fabsf(a))
PTX_OF_FLOAT(ptx_power_of, exp2f(a))
PTX_OF_FLOAT(ptx_tangent_of, tanhf(a))
PTX_OF_FLOAT(ptx_least_of, fminf(a, b))
PTX_OF_FLOAT(ptx_most_of, fmaxf(a, b))
PTX_OF_FLOAT(ptx_least_nan_of, PTX_NUMBERS(fminf(a, b)))
PTX_OF_FLOAT(ptx_most_nan_of, PTX_NUMBERS(fmaxf(a, b)))
PTX_OF_FLOAT(ptx_least_signed_of, PTX_SIGNED(fminf(fabsf(a), fabsf(b))))
PTX_OF_FLOAT(ptx_most_signed_of, PTX_SIGNED(fmaxf(fabsf(a), fabsf(b))))
PTX_OF_FLOAT(ptx_least_nan_signed_of,
             PTX_NUMBERS(PTX_SIGNED(fminf(fabsf(a), fabsf(b)))))
PTX_OF_FLOAT(ptx_most_nan_signed_of, PTX_NUMBERS(PTX_SIGNED(fmaxf(fabsf(a), fabsf(b)))))

/* Kept in the range of integers, or in that from 0 to 1. */
template <bool minus, class T> __HC_DEVICE T ptx_saturated(T a, T b)
{
    if constexpr (!__is_integral(T))
        return ptx_each(ptx_unit_of(), minus ? (T)(a - b) : (T)(a + b));
    else
        return minus ? __builtin_elementwise_sub_sat(a, b)
                     : __builtin_elementwise_add_sat(a, b);
}

#define ptx_add(T, d, a, b) put<T>(d, U(T, a) + U(T, b))
#define ptx_sub(T, d, a, b) put<T>(d, U(T, a) - U(T, b))
#define ptx_mul(T, d, a, b) put<T>(d, U(T, a) * U(T, b))
#define ptx_mad(T, d, a, b, c) put<T>(d, U(T, a) * U(T, b) + U(T, c))
#define ptx_mul_hi(T, d, a, b) put<T>(d, W(T, a) * W(T, b) >> BITS(T))
#define ptx_mad_hi(T, d, a, b, c) put<T>(d, (W(T, a) * W(T, b) >> BITS(T)) + U(T, c))
#define ptx_mul_wide(T, d, a, b) put<typename ptx_type<T>::W>(d, W(T, a) * W(T, b))
#define ptx_mad_wide(T, d, a, b, c) \
    put<typename ptx_type<T>::W>(d, W(T, a) * W(T, b) + as<typename ptx_type<T>::W>(c))
#define ptx_fma(T, d, a, b, c) put<T>(d, ptx_fused(as<T>(a), as<T>(b), as<T>(c)))
/* Narrow operands of sums in float. */
#define ptx_add_mixed(T, F, d, a, c) put<T>(d, (T)as<F>(a) + as<T>(c))
#define ptx_sub_mixed(T, F, d, a, c) put<T>(d, (T)as<F>(a) - as<T>(c))
#define ptx_fma_mixed(T, F, d, a, b, c) \
    put<T>(d, ptx_fused((T)as<F>(a), (T)as<F>(b), as<T>(c)))
#define ptx_fma_sat(T, d, a, b, c) \
    put<T>(d, ptx_each(ptx_unit_of(), ptx_fused(as<T>(a), as<T>(b), as<T>(c))))
#define ptx_fma_relu(T, d, a, b, c) \
    put<T>(d, ptx_each(ptx_relu_of(), ptx_fused(as<T>(a), as<T>(b), as<T>(c))))
#define ptx_add_sat(T, d, a, b) put<T>(d, ptx_saturated<false>(as<T>(a), as<T>(b)))
#define ptx_sub_sat(T, d, a, b) put<T>(d, ptx_saturated<true>(as<T>(a), as<T>(b)))
#define ptx_mul_sat(T, d, a, b) \
    put<T>(d, ptx_each(ptx_unit_of(), (T)(as<T>(a) * as<T>(b))))
#define ptx_div(T, d, a, b) put<T>(d, as<T>(a) / as<T>(b))
#define ptx_rem(T, d, a, b) put<T>(d, as<T>(a) % as<T>(b))
#define ptx_min(T, d, a, b) put<T>(d, ptx_least(as<T>(a), as<T>(b)))
#define ptx_max(T, d, a, b) put<T>(d, ptx_most(as<T>(a), as<T>(b)))
#define PTX_EACH(f, T, d, a, b) put<T>(d, ptx_each(f(), as<T>(a), as<T>(b)))
#define ptx_min_NaN(...) PTX_EACH(ptx_least_nan_of, __VA_ARGS__)
#define ptx_max_NaN(...) PTX_EACH(ptx_most_nan_of, __VA_ARGS__)
#define ptx_min_xorsign_abs(...) PTX_EACH(ptx_least_signed_of, __VA_ARGS__)
#define ptx_max_xorsign_abs(...) PTX_EACH(ptx_most_signed_of, __VA_ARGS__)
#define ptx_min_NaN_xorsign_abs(...) PTX_EACH(ptx_least_nan_signed_of, __VA_ARGS__)
#define ptx_max_NaN_xorsign_abs(...) PTX_EACH(ptx_most_nan_signed_of, __VA_ARGS__)
#define ptx_neg(T, d, a) put<T>(d, -U(T, a))
#define ptx_abs(T, d, a) put<T>(d, ptx_size(as<T>(a)))
#define ptx_sqrt(T, d, a) put<T>(d, sqrt(as<T>(a)))
#define ptx_rsqrt(T, d, a) put<T>(d, rsqrt(as<T>(a)))
#define ptx_rcp(T, d, a) put<T>(d, 1 / as<T>(a))
#define ptx_ex2(T, d, a) put<T>(d, ptx_power(as<T>(a)))
#define ptx_lg2(T, d, a) put<T>(d, log2(as<T>(a)))
#define ptx_sin(T, d, a) put<T>(d, sin(as<T>(a)))
#define ptx_cos(T, d, a) put<T>(d, cos(as<T>(a)))
#define ptx_tanh(T, d, a) put<T>(d, ptx_tangent(as<T>(a)))

/* With a carry, which instructions hand on. */
extern "C" __device__ bool __hostcc_carry;
template <class T, class D>
__HC_DEVICE bool ptx_sum(D &d, u64 a, u64 b, bool c, bool minus)
{
    typename ptx_type<T>::U one = a, other = minus ? ~b : b;
    typename ptx_type<T>::U sum = one + other, all = sum + (c != minus);
    put<T>(d, all);
    return ((sum < one) | (all < sum)) != minus;
}
#define ptx_add_cc(T, d, a, b, cc) cc = ptx_sum<T>(d, U(T, a), U(T, b), false, false)
#define ptx_addc_cc(T, d, a, b, cc) cc = ptx_sum<T>(d, U(T, a), U(T, b), cc, false)
#define ptx_addc(T, d, a, b, cc) ptx_sum<T>(d, U(T, a), U(T, b), cc, false)
#define ptx_sub_cc(T, d, a, b, cc) cc = ptx_sum<T>(d, U(T, a), U(T, b), false, true)
#define ptx_subc_cc(T, d, a, b, cc) cc = ptx_sum<T>(d, U(T, a), U(T, b), cc, true)
#define ptx_subc(T, d, a, b, cc) ptx_sum<T>(d, U(T, a), U(T, b), cc, true)

/* -- Bits -- */

/* Shifts go as far as one likes. */
template <class T> __HC_DEVICE T ptx_left(T a, u32 by)
{
    return by < BITS(T) ? (T)(U(T, a) << by) : 0;
}
template <class T> __HC_DEVICE T ptx_right(T a, u32 by)
{
    return by < BITS(T) ? (T)(a >> by) : a < 0 ? (T)-1 : 0;
}
template <class T> __HC_DEVICE T ptx_ones(u32 n)
{
    return n < BITS(T) ? ((T)1 << n) - 1 : (T)-1;
}
template <class T> __HC_DEVICE u32 ptx_zeros(T a)
{
    return sizeof(T) == 8 ? __clzll((s64)a) : __clz((int)a);
}
/* n bits from bit `at` on; signed ones with their sign. */
template <class T> __HC_DEVICE T ptx_field(T a, u32 at, u32 n)
{
    u32 spare = n < BITS(T) ? BITS(T) - n : 0;
    return ptx_right(ptx_left(ptx_right(a, at), spare), spare);
}
template <class T, class D> __HC_DEVICE void ptx_insert(D &d, T a, T b, u32 at, u32 n)
{
    T mask = ptx_left(ptx_ones<T>(n & 255), at & 255);
    put<T>(d, (ptx_left(a, at & 255) & mask) | (b & ~mask));
}
/* Bit 4a + 2b + c of the table. */
__HC_DEVICE u32 ptx_look_up(u32 a, u32 b, u32 c, u32 table)
{
    u32 r = 0;
    for (u32 k = 0; k < 8; k++)
        if (table >> k & 1)
            r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}
/* Bytes with the selector's highest bit are the byte's sign. */
__HC_DEVICE u32 ptx_permute(u32 a, u32 b, u32 c)
{
    u32 bytes = __byte_perm(a, b, c), signs = c >> 3 & 0x1111;
    signs = (signs & 1) | (signs & 16) << 4 | (signs & 256) << 8 | (signs & 4096) << 12;
    return (bytes & ~(signs * 255)) | (bytes >> 7 & signs) * 255;
}
#define ptx_and(T, d, a, b) put<T>(d, as<T>(a) & as<T>(b))
#define ptx_or(T, d, a, b) put<T>(d, as<T>(a) | as<T>(b))
#define ptx_xor(T, d, a, b) put<T>(d, as<T>(a) ^ as<T>(b))
#define ptx_not(T, d, a) put<T>(d, sizeof(T) == 1 ? !a : ~as<T>(a))
#define ptx_shl(T, d, a, b) put<T>(d, ptx_left(as<T>(a), b))
#define ptx_shr(T, d, a, b) put<T>(d, ptx_right(as<T>(a), b))
#define ptx_popc(T, d, a) d = (u32)__popcll(as<T>(a))
#define ptx_clz(T, d, a) d = ptx_zeros(as<T>(a))
#define ptx_bfind(T, d, a) \
    d = BITS(T) - 1 - ptx_zeros(as<T>(a) < 0 ? ~as<T>(a) : as<T>(a))
#define ptx_brev(T, d, a) put<T>(d, __brevll(as<T>(a)) >> (64 - BITS(T)))
#define ptx_bfe(T, d, a, b, c) put<T>(d, ptx_field(as<T>(a), b & 255, c & 255))
#define ptx_bfi(T, d, a, b, c, e) ptx_insert(d, as<T>(a), as<T>(b), c, e)
#define ptx_bmsk_clamp(T, d, a, b) d = ptx_left(ptx_ones<T>(b), a)
#define ptx_shf_l_wrap(T, d, a, b, c) d = __funnelshift_l(a, b, c)
#define ptx_shf_l_clamp(T, d, a, b, c) d = __funnelshift_lc(a, b, c)
#define ptx_shf_r_wrap(T, d, a, b, c) d = __funnelshift_r(a, b, c)
#define ptx_shf_r_clamp(T, d, a, b, c) d = __funnelshift_rc(a, b, c)
#define ptx_prmt(T, d, a, b, c) d = ptx_permute(a, b, c)
#define ptx_lop3(T, d, a, b, c, e) d = ptx_look_up(a, b, c, e)
#define ptx_selp(T, d, a, b, c) put<T>(d, c ? as<T>(a) : as<T>(b))

/* -- Words as lanes -- */

/* ptx_video(absdiff, 4, D, A, B, d, a, b, c): vabsdiff4. The type of an n-th of a word:
 */
template <int n, bool is_signed> struct ptx_part;
#define PTX_PART(n, T)                      \
    template <> struct ptx_part<n, true> {  \
        typedef signed T type;              \
    };                                      \
    template <> struct ptx_part<n, false> { \
        typedef unsigned T type;            \
    };
PTX_PART(1, int)
PTX_PART(2, short)
PTX_PART(4, char)
#define PTX_OF_PARTS(name, expression)                                \
    struct ptx_parts_##name {                                         \
        __device__ static s64 of(s64 x, s64 y) { return expression; } \
    };
PTX_OF_PARTS(add, x + y)
PTX_OF_PARTS(sub, x - y)
PTX_OF_PARTS(absdiff, x > y ? x - y : y - x)
PTX_OF_PARTS(min, x < y ? x : y)
PTX_OF_PARTS(max, x > y ? x : y)
PTX_OF_PARTS(avrg, (x + y + (x + y >= 0)) >> 1)
template <class F, int n, class TD, class TA, class TB> struct ptx_parts {
    template <class T> using part = typename ptx_part<n, ((T)-1 < 0)>::type;
    template <class T> __device__ static s64 at(u32 word, int i)
    {
        return (part<T>)(word >> 32 / n * i);
    }
    /* f of each two; saturated; or the sum of them and c. */
    __device__ static u32 word(u32 a, u32 b, bool saturates)
    {
        const s64 least = (TD)-1 < 0 ? -(1ll << (32 / n - 1)) : 0;
        const s64 most = least + (1ll << 32 / n) - 1;
        u32 r = 0;
        for (int i = 0; i < n; i++) {
            s64 v = F::of(at<TA>(a, i), at<TB>(b, i));
            v = !saturates ? v : v < least ? least : v > most ? most : v;
            r |= ((u32)v & ~0u >> (32 - 32 / n)) << 32 / n * i;
        }
        return r;
    }
    __device__ static u32 sum(u32 a, u32 b, u32 c)
    {
        for (int i = 0; i < n; i++)
            c += (u32)F::of(at<TA>(a, i), at<TB>(b, i));
        return c;
    }
};
#define PTX_PARTS(name, n, D, A, B) ptx_parts<ptx_parts_##name, n, D, A, B>
#define ptx_video(f, n, D, A, B, d, a, b, ...) \
    put<u32>(d, PTX_PARTS(f, n, D, A, B)::word(as<u32>(a), as<u32>(b), false))
#define ptx_video_sat(f, n, D, A, B, d, a, b, ...) \
    put<u32>(d, PTX_PARTS(f, n, D, A, B)::word(as<u32>(a), as<u32>(b), true))
#define ptx_video_add(f, n, D, A, B, d, a, b, c) \
    put<u32>(d, PTX_PARTS(f, n, D, A, B)::sum(as<u32>(a), as<u32>(b), as<u32>(c)))

/* -- Comparisons -- */

/* A family: the next word of the instruction is the first argument. */
#define PTX_COMPARISON(op, result) \
    template <class T> __HC_DEVICE bool ptx_is_##op(T a, T b) { return result; }
PTX_COMPARISON(eq, a == b)
PTX_COMPARISON(ne, a<b || a> b)
PTX_COMPARISON(lt, a < b)
PTX_COMPARISON(le, a <= b)
PTX_COMPARISON(gt, a > b)
PTX_COMPARISON(ge, a >= b)
PTX_COMPARISON(lo, a < b)
PTX_COMPARISON(ls, a <= b)
PTX_COMPARISON(hi, a > b)
PTX_COMPARISON(hs, a >= b)
PTX_COMPARISON(num, a == a && b == b)
PTX_COMPARISON(nan, a != a || b != b)
PTX_COMPARISON(equ, !(a < b || a > b))
PTX_COMPARISON(neu, a != b)
PTX_COMPARISON(ltu, !(a >= b))
PTX_COMPARISON(leu, !(a > b))
PTX_COMPARISON(gtu, !(a <= b))
PTX_COMPARISON(geu, !(a < b))
/* By the number of arguments: setp.op.T d, a, b; with d|e, of which e is the opposite;
   setp.op.join.T d, a, b, c; and with both. */
template <class D, class E, class X> __HC_DEVICE void ptx_both(D &d, E &e, X x, bool y)
{
    d = x, e = y;
}
#define PTX_IS(op, T, a, b) ptx_is_##op(as<T>(a), as<T>(b))
#define PTX_JOINED_and(x, y) (x & (bool)(y))
#define PTX_JOINED_or(x, y) (x | (bool)(y))
#define PTX_JOINED_xor(x, y) (x ^ (bool)(y))
#define PTX_SETP_5(op, T, d, a, b) d = PTX_IS(op, T, a, b)
#define PTX_SETP_6(op, T, d, e, a, b) \
    ptx_both(d, e, PTX_IS(op, T, a, b), !PTX_IS(op, T, a, b))
#define PTX_SETP_7(op, join, T, d, a, b, c) \
    d = PTX_JOINED_##join(PTX_IS(op, T, a, b), c)
#define PTX_SETP_8(op, join, T, d, e, a, b, c)                \
    ptx_both(d, e, PTX_JOINED_##join(PTX_IS(op, T, a, b), c), \
             PTX_JOINED_##join(!PTX_IS(op, T, a, b), c))
template <class T, class D> __HC_DEVICE void ptx_set_to(D &d, bool is)
{
    put<T>(d, is ? __is_integral(T) ? -1 : 1 : 0);
}
#define PTX_SET(T, d, is) ptx_set_to<T>(d, is)
#define PTX_SET_6(op, T, F, d, a, b) PTX_SET(T, d, PTX_IS(op, F, a, b))
#define PTX_SET_8(op, join, T, F, d, a, b, c) \
    PTX_SET(T, d, PTX_JOINED_##join(PTX_IS(op, F, a, b), c))
#define PTX_PICK(a, b, c, d, e, f, g, h, macro, ...) macro
#define ptx_setp(...) \
    PTX_PICK(__VA_ARGS__, PTX_SETP_8, PTX_SETP_7, PTX_SETP_6, PTX_SETP_5, )(__VA_ARGS__)
#define ptx_set(...) PTX_PICK(__VA_ARGS__, PTX_SET_8, , PTX_SET_6, )(__VA_ARGS__)

/* A wide register of two narrow ones, and back; one of them may not be wanted. */
template <class T, class D, class X> __HC_DEVICE void ptx_move(D &d, X x)
{
    put<T>(d, as<T>(x));
}
template <class T, class D, class X> __HC_DEVICE void ptx_move(D &d, X low, X high)
{
    put<T>(d, as<T>(high) << BITS(X) | as<T>(low));
}
template <class T, class D, class X> __HC_DEVICE void ptx_move(D &low, D &high, X x)
{
    low = (D)as<T>(x), high = (D)(as<T>(x) >> BITS(D));
}
template <class T, class D, class X>
__HC_DEVICE void ptx_move(D &low, const ptx_nothing &, X x)
{
    low = (D)as<T>(x);
}
template <class T, class D, class X>
__HC_DEVICE void ptx_move(const ptx_nothing &, D &high, X x)
{
    high = (D)(as<T>(x) >> BITS(D));
}
template <class T, class D, class A, class B, class C, class E>
__HC_DEVICE void ptx_move(D &d, A a, B b, C c, E e)
{
    const u32 n = BITS(T) / 4;
    put<T>(d, as<T>(e) << 3 * n | as<T>(c) << 2 * n | as<T>(b) << n | as<T>(a));
}
template <class T, class D, class X>
__HC_DEVICE void ptx_move(D &a, D &b, D &c, D &d, X x)
{
    ptx_move<T>(a, b, x), ptx_move<T>(c, d, as<T>(x) >> 2 * BITS(D));
}
#define ptx_mov(T, ...) ptx_move<T>(__VA_ARGS__)

/* -- Memory -- */

template <class T, bool ordered, class D> __HC_DEVICE void ptx_load(D &d, char *p)
{
    T v;
    if (ordered)
        __atomic_load((T *)p, &v, __ATOMIC_ACQUIRE);
    else
        v = *(T *)p;
    put<T>(d, v);
}
template <class T, bool ordered, class D> __HC_DEVICE void ptx_load(D &a, D &b, char *p)
{
    ptx_load<T, ordered>(a, p), ptx_load<T, ordered>(b, p + sizeof(T));
}
template <class T, bool ordered, class D>
__HC_DEVICE void ptx_load(D &a, D &b, D &c, D &d, char *p)
{
    ptx_load<T, ordered>(a, b, p), ptx_load<T, ordered>(c, d, p + 2 * sizeof(T));
}
template <class T, bool ordered, class D>
__HC_DEVICE void ptx_load(D &a, D &b, D &c, D &d, D &e, D &f, D &g, D &h, char *p)
{
    ptx_load<T, ordered>(a, b, c, d, p);
    ptx_load<T, ordered>(e, f, g, h, p + 4 * sizeof(T));
}
template <class T, bool ordered, class... X> __HC_DEVICE void ptx_store(char *p, X... x)
{
    T all[] = {as<T>(x)...};
    for (T v : all) {
        if (ordered)
            __atomic_store((T *)p, &v, __ATOMIC_RELEASE);
        else
            *(T *)p = v;
        p += sizeof(T);
    }
}
#define ptx_ld(T, ...) ptx_load<T, false>(__VA_ARGS__)
#define ptx_ld_ordered(T, ...) ptx_load<T, true>(__VA_ARGS__)
#define ptx_st(T, ...) ptx_store<T, false>(__VA_ARGS__)
#define ptx_st_ordered(T, ...) ptx_store<T, true>(__VA_ARGS__)

#define ptx_fence() __threadfence()
#define ptx_fence_proxy_async() __threadfence()
#define ptx_fence_proxy_alias() __threadfence()
#define ptx_membar() __threadfence()
#define ptx_isspacep_shared(d, a) d = __isShared((void *)a)
#define ptx_isspacep_global(d, a) d = __isGlobal((void *)a)
#define ptx_isspacep_local(d, a) d = __isLocal((void *)a)
#define ptx_isspacep_const(d, a) d = __isConstant((void *)a)
#define ptx_prefetch(p)
#define ptx_prefetchu(p)
#define ptx_prefetch_tensormap(p)
#define ptx_createpolicy_fractional(T, d, ...) d = 0
/* 4, 8 or 16 bytes, as words; zeros behind those that are given. */
__HC_DEVICE void ptx_copy(char *to, const char *from, u32 size, u32 given)
{
    if (given >= size || !given) {
        for (u32 k = 0; k < size / 4; k++)
            ((u32 *)to)[k] = given ? ((const u32 *)from)[k] : 0;
        return;
    }
#pragma unroll 1
    for (u32 k = 0; k < size; k++)
        to[k] = k < given ? from[k] : 0;
}
__HC_DEVICE void ptx_cp_async(char *to, const char *from, u32 size)
{
    ptx_copy(to, from, size, size);
}
/* The last operand says how many are given, or, a predicate, that none is. */
template <class X>
__HC_DEVICE void ptx_cp_async(char *to, const char *from, u32 size, X x)
{
    ptx_copy(to, from, size, !__is_same(X, bool) ? (u32)x : x ? 0 : size);
}
#define ptx_cp_async_commit_group()
#define ptx_cp_async_wait_group(n)
#define ptx_cp_async_wait_all()

/* -- Threads -- */

__HC_DEVICE void ptx_bar(u32) { __syncthreads(); }
__HC_DEVICE void ptx_bar(u32 id, u32 n) { __barrier_sync_count(id, n); }
#define ptx_bar_arrive(id, n) __hc_arrive(id, n, false)
#define ptx_bar_red_popc(T, d, id, p) d = __syncthreads_count(p)
#define ptx_bar_red_and(T, d, id, p) d = __syncthreads_and(p)
#define ptx_bar_red_or(T, d, id, p) d = __syncthreads_or(p)
#define ptx_barrier ptx_bar
#define ptx_barrier_arrive ptx_bar_arrive
#define ptx_bar_warp(mask) __syncwarp(mask)
#define ptx_nanosleep(T, t) __nanosleep(t)
#define ptx_trap() __trap()
#define ptx_exit() __hostcc_exit()
#define ptx_bra(label) goto label
#define ptx_setmaxnreg_inc(T, n)
#define ptx_setmaxnreg_dec(T, n)
/* Each block is a cluster. */
#define ptx_barrier_cluster_arrive() __threadfence()
#define ptx_barrier_cluster_wait() __syncthreads()
#define ptx_mapa(T, d, a, rank) put<T>(d, as<T>(a))
/* Launches run one behind the other. */
#define ptx_griddepcontrol_wait()
#define ptx_griddepcontrol_launch_dependents()
#define ptx_elect(d, p, mask) \
    d = __ffs((int)mask) - 1, p = $laneid == __ffs((int)mask) - 1u
#define ptx_activemask(T, d) d = __activemask()
#define ptx_vote(op, T, d, p, mask) d = __##op##_sync(mask, p)
#define ptx_match_any(T, d, a, mask) d = __match_any_sync(mask, as<T>(a))
#define ptx_match_all(T, d, p, a, mask) \
    d = __match_any_sync(mask, as<T>(a)) == mask ? mask : 0, p = d != 0
#define ptx_redux(op, T, d, a, mask) put<T>(d, __reduce_##op##_sync(mask, as<T>(a)))

/* c: how far lanes reach, and above that which bits of a lane's number tell segments
   apart. c may differ from lane to lane, so that shuffles by index alone will do. */
#define PTX_SHUFFLE(name, lane, inside)                                        \
    template <class D, class X>                                                \
    __HC_DEVICE void ptx_##name(D &d, bool &p, X x, u32 b, u32 c, u32 mask)    \
    {                                                                          \
        u32 me = __hostcc_lane(), segment = c >> 8 & 31, least = me & segment; \
        u32 bound = least | (c & 31 & ~segment), from = lane;                  \
        p = inside;                                                            \
        put<u32>(d, __shfl_sync(mask, as<u32>(x), p ? from : me));             \
    }                                                                          \
    template <class D, class X>                                                \
    __HC_DEVICE void ptx_##name(D &d, X x, u32 b, u32 c, u32 mask)             \
    {                                                                          \
        bool p;                                                                \
        ptx_##name(d, p, x, b, c, mask);                                       \
    }
PTX_SHUFFLE(up, me - (b & 31), (int)from >= (int)bound)
PTX_SHUFFLE(down, me + (b & 31), from <= bound)
PTX_SHUFFLE(bfly, me ^ (b & 31), from <= bound)
PTX_SHUFFLE(idx, least | (b & 31 & ~segment), from <= bound)
#define ptx_shfl(op, T, ...) ptx_##op(__VA_ARGS__)

/* -- Special registers -- */

#define $tid threadIdx
#define $ntid blockDim
#define $ctaid blockIdx
#define $nctaid gridDim
#define $clusterid blockIdx
#define $nclusterid gridDim
#define $cluster_ctaid dim3(0, 0, 0)
#define $cluster_nctaid dim3(1, 1, 1)
#define $cluster_ctarank 0u
#define $cluster_nctarank 1u
#define $laneid __hostcc_lane()
#define $warpid \
    (((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32)
#define $smid 0u
#define $nsmid 1u
#define $clock ((u32)__hostcc_clock())
#define $clock_hi ((u32)(__hostcc_clock() >> 32))
#define $clock64 __hostcc_clock()
#define $globaltimer __hostcc_nanoseconds()
#define $globaltimer_lo ((u32)__hostcc_nanoseconds())
#define $globaltimer_hi ((u32)(__hostcc_nanoseconds() >> 32))
#define $lanemask_eq (1u << __hostcc_lane())
#define $lanemask_lt ($lanemask_eq - 1)
#define $lanemask_le ($lanemask_eq | $lanemask_lt)
#define $lanemask_ge (~$lanemask_lt)
#define $lanemask_gt (~$lanemask_le)
#define $dynamic_smem_size ((u32)__hostcc_dynamic_shared())
#define $total_smem_size __hostcc_shared_bytes()
#define WARP_SZ 32

#include "hostcc/ptx_conversions.h"
#include "hostcc/ptx_atomics.h"
#include "hostcc/ptx_arithmetic.h"
#include "hostcc/ptx_bits.h"
#include "hostcc/ptx_matrix.h"

#endif
