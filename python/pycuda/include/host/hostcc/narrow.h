/* A 16-bit floating-point type __HC_T and its pair __HC_T2, included by cuda_fp16.h and
   by cuda_bf16.h, which say how bits become a float and back and how CUDA names things.
 */

struct __HC_RAW {
    unsigned short x;
};
struct __HC_T {
    unsigned short __x;
    __HC_T() = default;
    __host__ __device__ __HC_T(__HC_RAW raw) : __x(raw.x) {}
    __host__ __device__ __HC_T(float x) : __x(__HC_BITS_OF(x)) {}
    __host__ __device__ __HC_T(double x) : __x(__HC_BITS_OF(__hc_round_odd(x))) {}
    template <class I, class = typename __hc_promoted<I>::type>
    __host__ __device__ __HC_T(I x) : __x(__HC_BITS_OF(__hc_round_odd((double)x)))
    {
    }
    __host__ __device__ operator float() const { return __HC_VALUE_OF(__x); }
    __host__ __device__ operator __HC_RAW() const volatile { return {__x}; }
};
struct __align__(4) __HC_T2 {
    __HC_T x, y;
    __HC_T2() = default;
    __host__ __device__ __HC_T2(__HC_T x, __HC_T y) : x(x), y(y) {}
};

/* -- Conversions -- */

__HC __HC_T __hc_direct(float x, __hc_mode mode, __HC_T)
{
    __HC_T r(x);
    unsigned short bits = r.__x;
    float e = (float)r == x ? 0 : x - (float)r;
    bool negative = bits >> 15,
         up = e > 0 && (mode == __hc_ru || (mode == __hc_rz && negative));
    bool down = e < 0 && (mode == __hc_rd || (mode == __hc_rz && !negative));
    bits = (bits & 0x7fff) || !(up || down) ? bits : up ? 0 : 0x8000;
    negative = bits >> 15;
    bits = (unsigned short)(bits + (up     ? (negative ? -1 : 1)
                                    : down ? (negative ? 1 : -1)
                                           : 0));
    return __HC_RAW{bits};
}
#define __HC_MODE(m)                                                                 \
    __HC __HC_T __HC_NAME(__float2, _##m)(float x)                                   \
    {                                                                                \
        return __hc_direct(x, __hc_##m, __HC_T());                                   \
    }                                                                                \
    __HC int __HC_NAME(__, 2int_##m)(__HC_T x) { return __float2int_##m(x); }        \
    __HC unsigned __HC_NAME(__, 2uint_##m)(__HC_T x) { return __float2uint_##m(x); } \
    __HC long long __HC_NAME(__, 2ll_##m)(__HC_T x) { return __float2ll_##m(x); }    \
    __HC short __HC_NAME(__, 2short_##m)(__HC_T x)                                   \
    {                                                                                \
        int i = __float2int_##m(x);                                                  \
        return (short)(i < -32768 ? -32768 : i > 32767 ? 32767 : i);                 \
    }                                                                                \
    __HC unsigned short __HC_NAME(__, 2ushort_##m)(__HC_T x)                         \
    {                                                                                \
        unsigned i = __float2uint_##m(x);                                            \
        return (unsigned short)(i > 65535 ? 65535 : i);                              \
    }
__HC_MODE(rn)
__HC_MODE(rz)
__HC_MODE(ru)
__HC_MODE(rd)
#undef __HC_MODE
__HC __HC_T __HC_NAME(__float2, )(float x) { return x; }
__HC __HC_T __HC_NAME(__double2, )(double x) { return x; }
__HC __HC_T __HC_NAME(__int2, _rn)(int x) { return x; }
__HC __HC_T __HC_NAME(__uint2, _rn)(unsigned x) { return x; }
__HC float __HC_NAME(__, 2float)(__HC_T x) { return x; }
__HC __HC_T2 __HC_NAME(__floats2, 2_rn)(float x, float y) { return {x, y}; }
__HC __HC_T2 __HC_NAME(__float2, 2_rn)(float x) { return {x, x}; }
__HC __HC_T2 __HC_NAME(__float22, 2_rn)(float2 v) { return {v.x, v.y}; }
__HC float2 __HC_NAME(__, 22float2)(__HC_T2 v) { return {v.x, v.y}; }
__HC __HC_T2 __HC_NAME(__halves2, 2)(__HC_T x, __HC_T y) { return {x, y}; }
__HC __HC_T2 __HC_NAME(make_, 2)(__HC_T x, __HC_T y) { return {x, y}; }
__HC __HC_T __HC_NAME(__low2, )(__HC_T2 v) { return v.x; }
__HC __HC_T __HC_NAME(__high2, )(__HC_T2 v) { return v.y; }
__HC float __low2float(__HC_T2 v) { return v.x; }
__HC float __high2float(__HC_T2 v) { return v.y; }
__HC __HC_T2 __lowhigh2highlow(__HC_T2 v) { return {v.y, v.x}; }
__HC __HC_T2 __HC_NAME(__low2, 2)(__HC_T2 v) { return {v.x, v.x}; }
__HC __HC_T2 __HC_NAME(__high2, 2)(__HC_T2 v) { return {v.y, v.y}; }
__HC __HC_T2 __HC_NAME(__lows2, 2)(__HC_T2 v, __HC_T2 w) { return {v.x, w.x}; }
__HC __HC_T2 __HC_NAME(__highs2, 2)(__HC_T2 v, __HC_T2 w) { return {v.y, w.y}; }

/* -- Arithmetic -- */

#define __HC_OPERATOR(op, name)                                                  \
    __HC __HC_T operator op(__HC_T a, __HC_T b) { return (float)a op(float) b; } \
    __HC __HC_T &operator op##=(__HC_T & a, __HC_T b) { return a = a op b; }     \
    __HC __HC_T2 operator op(__HC_T2 a, __HC_T2 b)                               \
    {                                                                            \
        return {a.x op b.x, a.y op b.y};                                         \
    }                                                                            \
    __HC __HC_T2 &operator op##=(__HC_T2 & a, __HC_T2 b) { return a = a op b; }  \
    __HC __HC_T name(__HC_T a, __HC_T b) { return a op b; }                      \
    __HC __HC_T name##_rn(__HC_T a, __HC_T b) { return a op b; }                 \
    __HC __HC_T name##_sat(__HC_T a, __HC_T b) { return __saturatef(a op b); }   \
    __HC __HC_T2 name##2(__HC_T2 a, __HC_T2 b) { return a op b; }                \
    __HC __HC_T2 name##2_sat(__HC_T2 a, __HC_T2 b)                               \
    {                                                                            \
        return {name##_sat(a.x, b.x), name##_sat(a.y, b.y)};                     \
    }
__HC_OPERATOR(+, __hadd)
__HC_OPERATOR(-, __hsub)
__HC_OPERATOR(*, __hmul)
#undef __HC_OPERATOR
__HC __HC_T operator/(__HC_T a, __HC_T b) { return (float)a / (float)b; }
__HC __HC_T &operator/=(__HC_T &a, __HC_T b) { return a = a / b; }
__HC __HC_T2 operator/(__HC_T2 a, __HC_T2 b) { return {a.x / b.x, a.y / b.y}; }
__HC __HC_T __hdiv(__HC_T a, __HC_T b) { return a / b; }
__HC __HC_T2 __h2div(__HC_T2 a, __HC_T2 b) { return a / b; }
__HC __HC_T operator-(__HC_T a) { return __HC_RAW{(unsigned short)(a.__x ^ 0x8000)}; }
__HC __HC_T2 operator-(__HC_T2 a) { return {-a.x, -a.y}; }
#define __HC_STEP(op, by)                                               \
    __HC __HC_T &operator op(__HC_T & a) { return a = a + __HC_T(by); } \
    __HC __HC_T operator op(__HC_T & a, int)                            \
    {                                                                   \
        __HC_T before = a;                                              \
        op a;                                                           \
        return before;                                                  \
    }
__HC_STEP(++, 1.f)
__HC_STEP(--, -1.f)
#undef __HC_STEP
__HC __HC_T __hneg(__HC_T a) { return -a; }
__HC __HC_T2 __hneg2(__HC_T2 a) { return -a; }
__HC __HC_T __habs(__HC_T a) { return __HC_RAW{(unsigned short)(a.__x & 0x7fff)}; }
__HC __HC_T2 __habs2(__HC_T2 a) { return {__habs(a.x), __habs(a.y)}; }
__HC __HC_T __hfma(__HC_T a, __HC_T b, __HC_T c)
{
    return __builtin_fma((double)a, (double)b, (double)c);
}
__HC __HC_T __hfma_sat(__HC_T a, __HC_T b, __HC_T c)
{
    return __saturatef(__hfma(a, b, c));
}
__HC __HC_T2 __hfma2(__HC_T2 a, __HC_T2 b, __HC_T2 c)
{
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__HC __HC_T __hmax(__HC_T a, __HC_T b) { return fmaxf(a, b); }
__HC __HC_T __hmin(__HC_T a, __HC_T b) { return fminf(a, b); }
#define __HC_BOTH(name) \
    __HC __HC_T2 name##2(__HC_T2 a, __HC_T2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
__HC_BOTH(__hmax)
__HC_BOTH(__hmin)

#define __HC_COMPARE(op, name)                                                 \
    __HC bool operator op(__HC_T a, __HC_T b) { return (float)a op(float) b; } \
    __HC bool __h##name(__HC_T a, __HC_T b) { return a op b; }                 \
    __HC __HC_T2 __h##name##2(__HC_T2 a, __HC_T2 b)                            \
    {                                                                          \
        return {(float)(a.x op b.x), (float)(a.y op b.y)};                     \
    }                                                                          \
    __HC bool __hb##name##2(__HC_T2 a, __HC_T2 b) { return a.x op b.x && a.y op b.y; }
__HC_COMPARE(==, eq)
__HC_COMPARE(!=, ne)
__HC_COMPARE(<, lt)
__HC_COMPARE(<=, le)
__HC_COMPARE(>, gt)
__HC_COMPARE(>=, ge)
#undef __HC_COMPARE
__HC bool __hisnan(__HC_T a) { return a != a; }
__HC int __hisinf(__HC_T a) { return isinf((float)a) ? ((float)a < 0 ? -1 : 1) : 0; }

#define __HC_MATH(name, f)                                \
    __HC __HC_T h##name(__HC_T a) { return f((float)a); } \
    __HC __HC_T2 h2##name(__HC_T2 a) { return {h##name(a.x), h##name(a.y)}; }
__HC_MATH(sqrt, sqrtf)
__HC_MATH(rsqrt, rsqrtf)
__HC_MATH(rcp, 1 /)
__HC_MATH(exp, expf)
__HC_MATH(exp2, exp2f)
__HC_MATH(exp10, exp10f)
__HC_MATH(log, logf)
__HC_MATH(log2, log2f)
__HC_MATH(log10, log10f)
__HC_MATH(sin, sinf)
__HC_MATH(cos, cosf)
__HC_MATH(tanh, tanhf)
__HC_MATH(floor, floorf)
__HC_MATH(ceil, ceilf)
__HC_MATH(trunc, truncf)
__HC_MATH(rint, rintf)
#undef __HC_MATH

__HC __HC_T atomicAdd(__HC_T *p, __HC_T value)
{
    unsigned short *bits = &p->__x, old = __atomic_load_n(bits, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(bits, &old, (__HC_T(__HC_RAW{old}) + value).__x,
                                        false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return __HC_RAW{old};
}
__HC __HC_T2 atomicAdd(__HC_T2 *p, __HC_T2 value)
{
    return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}

#undef __HC_T
#undef __HC_T2
#undef __HC_RAW
#undef __HC_BITS_OF
#undef __HC_VALUE_OF
#undef __HC_NAME
