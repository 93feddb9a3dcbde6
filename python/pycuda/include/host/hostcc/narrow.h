/* A 16-bit floating-point type __HC_T and its pair __HC_T2, included by cuda_fp16.h and
   by cuda_bf16.h, which say how bits become a float and back, how CUDA names things,
   and where float is not enough to round once. Functions call each other by name and
   say which way values go: to find that out of operators and conversions that might be
   meant took clang 0.1 s. */

struct __HC_RAW {
    unsigned short x;
};
struct __align__(4) __HC_RAW2 {
    unsigned short x, y;
};
struct __HC_T {
    unsigned short __x;
    __HC_T() = default;
    __host__ __device__ __HC_T(__HC_RAW raw) : __x(raw.x) {}
    __host__ __device__ __HC_T(float x) : __x(__HC_BITS_OF(x)) {}
    __host__ __device__ __HC_T(double x) : __x(__HC_BITS_OF(__hc_round_odd(x))) {}
    template <class I, class = typename __hc_promoted<I>::type>
    __host__ __device__ __HC_T(I x) : __x(__HC_BITS_OF(__hc_round_odd(x)))
    {
    }
    __host__ __device__ operator float() const { return __HC_VALUE_OF(__x); }
    __host__ __device__ operator __HC_RAW() const volatile { return {__x}; }
};
struct __align__(4) __HC_T2 {
    __HC_T x, y;
    __HC_T2() = default;
    __host__ __device__ __HC_T2(__HC_T x, __HC_T y) : x(x), y(y) {}
    __host__ __device__ __HC_T2(__HC_RAW2 raw) : x(__HC_RAW{raw.x}), y(__HC_RAW{raw.y})
    {
    }
    __host__ __device__ operator __HC_RAW2() const { return {x.__x, y.__x}; }
};

#define __HC_F(a) __HC_VALUE_OF((a).__x)
#define __HC_FROM __HC_NAME(__hc_, _from)
__HC __HC_T __HC_FROM(float x)
{
    __HC_T r;
    r.__x = __HC_BITS_OF(x);
    return r;
}

/* -- Conversions -- */

__HC __HC_T __hc_direct(float x, __hc_mode mode, __HC_T)
{
    __HC_T r(x);
    unsigned short bits = r.__x;
    float back = (float)r; /* no difference: with -ftz=true that may be zero */
    bool negative = bits >> 15,
         up = x > back && (mode == __hc_ru || (mode == __hc_rz && negative));
    bool down = x < back && (mode == __hc_rd || (mode == __hc_rz && !negative));
    bits = (bits & 0x7fff) || !(up || down) ? bits : up ? 0 : 0x8000;
    negative = bits >> 15;
    bits = (unsigned short)(bits + (up     ? (negative ? -1 : 1)
                                    : down ? (negative ? 1 : -1)
                                           : 0));
    return __HC_RAW{bits};
}
#define __HC_FROM_INTEGER(I, name, m)                              \
    __HC __HC_T __HC_NAME(__##name##2, _##m)(I x)                  \
    {                                                              \
        return __hc_direct(__hc_round_odd(x), __hc_##m, __HC_T()); \
    }
#define __HC_MODE(m)                                                                  \
    __HC __HC_T __HC_NAME(__float2, _##m)(float x)                                    \
    {                                                                                 \
        return __hc_direct(x, __hc_##m, __HC_T());                                    \
    }                                                                                 \
    __HC_FROM_INTEGER(int, int, m)                                                    \
    __HC_FROM_INTEGER(unsigned, uint, m)                                              \
    __HC_FROM_INTEGER(short, short, m)                                                \
    __HC_FROM_INTEGER(unsigned short, ushort, m)                                      \
    __HC_FROM_INTEGER(long long, ll, m)                                               \
    __HC_FROM_INTEGER(unsigned long long, ull, m)                                     \
    __HC int __HC_NAME(__, 2int_##m)(__HC_T x) { return __float2int_##m(__HC_F(x)); } \
    __HC unsigned __HC_NAME(__, 2uint_##m)(__HC_T x)                                  \
    {                                                                                 \
        return __float2uint_##m(__HC_F(x));                                           \
    }                                                                                 \
    __HC long long __HC_NAME(__, 2ll_##m)(__HC_T x)                                   \
    {                                                                                 \
        return __float2ll_##m(__HC_F(x));                                             \
    }                                                                                 \
    __HC unsigned long long __HC_NAME(__, 2ull_##m)(__HC_T x)                         \
    {                                                                                 \
        return __float2ull_##m(__HC_F(x));                                            \
    }                                                                                 \
    __HC short __HC_NAME(__, 2short_##m)(__HC_T x)                                    \
    {                                                                                 \
        return (short)__hc_within(__float2int_##m(__HC_F(x)), -32768, 32767);         \
    }                                                                                 \
    __HC unsigned short __HC_NAME(__, 2ushort_##m)(__HC_T x)                          \
    {                                                                                 \
        return (unsigned short)__hc_within(__float2int_##m(__HC_F(x)), 0, 65535);     \
    }
__HC_MODE(rn)
__HC_MODE(rz)
__HC_MODE(ru)
__HC_MODE(rd)
#undef __HC_MODE
#undef __HC_FROM_INTEGER
__HC signed char __HC_NAME(__, 2char_rz)(__HC_T x)
{
    return (signed char)__hc_within(__float2int_rz(__HC_F(x)), -128, 127);
}
__HC unsigned char __HC_NAME(__, 2uchar_rz)(__HC_T x)
{
    return (unsigned char)__hc_within(__float2int_rz(__HC_F(x)), 0, 255);
}
__HC __HC_T __HC_NAME(__float2, )(float x) { return __HC_FROM(x); }
__HC __HC_T __HC_NAME(__double2, )(double x) { return x; }
__HC float __HC_NAME(__, 2float)(__HC_T x) { return __HC_F(x); }
__HC __HC_T2 __HC_NAME(__floats2, 2_rn)(float x, float y)
{
    return {__HC_FROM(x), __HC_FROM(y)};
}
__HC __HC_T2 __HC_NAME(__float2, 2_rn)(float x) { return {__HC_FROM(x), __HC_FROM(x)}; }
__HC __HC_T2 __HC_NAME(__float22, 2_rn)(float2 v)
{
    return {__HC_FROM(v.x), __HC_FROM(v.y)};
}
__HC float2 __HC_NAME(__, 22float2)(__HC_T2 v) { return {__HC_F(v.x), __HC_F(v.y)}; }
__HC __HC_T2 __HC_NAME(__halves2, 2)(__HC_T x, __HC_T y) { return {x, y}; }
__HC __HC_T2 __HC_NAME(make_, 2)(__HC_T x, __HC_T y) { return {x, y}; }
__HC __HC_T __HC_NAME(__low2, )(__HC_T2 v) { return v.x; }
__HC __HC_T __HC_NAME(__high2, )(__HC_T2 v) { return v.y; }
__HC float __low2float(__HC_T2 v) { return __HC_F(v.x); }
__HC float __high2float(__HC_T2 v) { return __HC_F(v.y); }
__HC __HC_T2 __lowhigh2highlow(__HC_T2 v) { return {v.y, v.x}; }
__HC __HC_T2 __HC_NAME(__low2, 2)(__HC_T2 v) { return {v.x, v.x}; }
__HC __HC_T2 __HC_NAME(__high2, 2)(__HC_T2 v) { return {v.y, v.y}; }
__HC __HC_T2 __HC_NAME(__lows2, 2)(__HC_T2 v, __HC_T2 w) { return {v.x, w.x}; }
__HC __HC_T2 __HC_NAME(__highs2, 2)(__HC_T2 v, __HC_T2 w) { return {v.y, w.y}; }

/* -- Arithmetic -- */

#define __HC_OPERATOR(op, name, name2, product)                                  \
    __HC __HC_T name(__HC_T a, __HC_T b)                                         \
    {                                                                            \
        return __HC_FROM(product(__HC_F(a) op __HC_F(b), __HC_F(a), __HC_F(b))); \
    }                                                                            \
    __HC __HC_T2 name2(__HC_T2 a, __HC_T2 b)                                     \
    {                                                                            \
        return {name(a.x, b.x), name(a.y, b.y)};                                 \
    }                                                                            \
    __HC __HC_T operator op(__HC_T a, __HC_T b) { return name(a, b); }           \
    __HC __HC_T &operator op##=(__HC_T & a, __HC_T b) { return a = name(a, b); } \
    __HC __HC_T2 operator op(__HC_T2 a, __HC_T2 b) { return name2(a, b); }       \
    __HC __HC_T2 &operator op##=(__HC_T2 & a, __HC_T2 b) { return a = name2(a, b); }
#define __HC_NAMES(name)                                                    \
    __HC __HC_T name##_rn(__HC_T a, __HC_T b) { return name(a, b); }        \
    __HC __HC_T name##_sat(__HC_T a, __HC_T b)                              \
    {                                                                       \
        return __HC_FROM(__saturatef(__HC_F(name(a, b))));                  \
    }                                                                       \
    __HC __HC_T2 name##2_rn(__HC_T2 a, __HC_T2 b) { return name##2(a, b); } \
    __HC __HC_T2 name##2_sat(__HC_T2 a, __HC_T2 b)                          \
    {                                                                       \
        return {name##_sat(a.x, b.x), name##_sat(a.y, b.y)};                \
    }
#define __HC_PLAIN(result, a, b) result
__HC_OPERATOR(+, __hadd, __hadd2, __HC_PLAIN)
__HC_OPERATOR(-, __hsub, __hsub2, __HC_PLAIN)
__HC_OPERATOR(*, __hmul, __hmul2, __HC_PRODUCT)
__HC_OPERATOR(/, __hdiv, __h2div, __HC_QUOTIENT)
__HC_NAMES(__hadd)
__HC_NAMES(__hsub)
__HC_NAMES(__hmul)
#undef __HC_OPERATOR
#undef __HC_NAMES
#undef __HC_PLAIN
__HC __HC_T operator+(__HC_T a) { return a; }
__HC __HC_T2 operator+(__HC_T2 a) { return a; }
__HC __HC_T __hneg(__HC_T a)
{
    a.__x ^= 0x8000;
    return a;
}
__HC __HC_T2 __hneg2(__HC_T2 a) { return {__hneg(a.x), __hneg(a.y)}; }
__HC __HC_T operator-(__HC_T a) { return __hneg(a); }
__HC __HC_T2 operator-(__HC_T2 a) { return __hneg2(a); }
#define __HC_STEP(T, op, change)                                   \
    __HC T &operator op(T & a) { return a = change(a, __HC_ONE); } \
    __HC T operator op(T &a, int)                                  \
    {                                                              \
        T before = a;                                              \
        a = change(a, __HC_ONE);                                   \
        return before;                                             \
    }
#define __HC_ONE __HC_FROM(1)
__HC_STEP(__HC_T, ++, __hadd)
__HC_STEP(__HC_T, --, __hsub)
#undef __HC_ONE
#define __HC_ONE __HC_NAME(__float2, 2_rn)(1)
__HC_STEP(__HC_T2, ++, __hadd2)
__HC_STEP(__HC_T2, --, __hsub2)
#undef __HC_STEP
#undef __HC_ONE
__HC __HC_T __habs(__HC_T a)
{
    a.__x &= 0x7fff;
    return a;
}
__HC __HC_T2 __habs2(__HC_T2 a) { return {__habs(a.x), __habs(a.y)}; }
__HC __HC_T __hfma(__HC_T a, __HC_T b, __HC_T c)
{
    return __HC_FUSED(__HC_F(a), __HC_F(b), __HC_F(c));
}
__HC __HC_T __hfma_sat(__HC_T a, __HC_T b, __HC_T c)
{
    return __HC_FROM(__saturatef(__HC_F(__hfma(a, b, c))));
}
__HC __HC_T __hfma_relu(__HC_T a, __HC_T b, __HC_T c)
{
    float r = __HC_F(__hfma(a, b, c));
    return __HC_FROM(r <= 0 ? 0.f : r);
}
#define __HC_THREE(name, of)                           \
    __HC __HC_T2 name(__HC_T2 a, __HC_T2 b, __HC_T2 c) \
    {                                                  \
        return {of(a.x, b.x, c.x), of(a.y, b.y, c.y)}; \
    }
__HC_THREE(__hfma2, __hfma)
__HC_THREE(__hfma2_sat, __hfma_sat)
__HC_THREE(__hfma2_relu, __hfma_relu)
#undef __HC_THREE
/* a * b + c of complex numbers */
__HC __HC_T2 __hcmadd(__HC_T2 a, __HC_T2 b, __HC_T2 c)
{
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
            __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
__HC __HC_T __hmax(__HC_T a, __HC_T b)
{
    return __HC_FROM(fmaxf(__HC_F(a), __HC_F(b)));
}
__HC __HC_T __hmin(__HC_T a, __HC_T b)
{
    return __HC_FROM(fminf(__HC_F(a), __HC_F(b)));
}
/* A NaN wins. */
__HC __HC_T __hmax_nan(__HC_T a, __HC_T b)
{
    return __hc_is_number(__HC_F(a), __HC_F(b)) ? __hmax(a, b) : __HC_FROM(__HC_NAN);
}
__HC __HC_T __hmin_nan(__HC_T a, __HC_T b)
{
    return __hc_is_number(__HC_F(a), __HC_F(b)) ? __hmin(a, b) : __HC_FROM(__HC_NAN);
}
#define __HC_BOTH(name2, name)                   \
    __HC __HC_T2 name2(__HC_T2 a, __HC_T2 b)     \
    {                                            \
        return {name(a.x, b.x), name(a.y, b.y)}; \
    }
__HC_BOTH(__hmax2, __hmax)
__HC_BOTH(__hmin2, __hmin)
__HC_BOTH(__hmax2_nan, __hmax_nan)
__HC_BOTH(__hmin2_nan, __hmin_nan)
#undef __HC_BOTH

/* Each comparison has a name for "false if one is NaN", and one with u for "true". C++
   takes the former, but of != the latter. */
#define __HC_COMPARISON(name, holds)                                             \
    __HC bool __h##name(__HC_T a, __HC_T b) { return holds; }                    \
    __HC __HC_T2 __h##name##2(__HC_T2 a, __HC_T2 b)                              \
    {                                                                            \
        return {__HC_FROM(__h##name(a.x, b.x)), __HC_FROM(__h##name(a.y, b.y))}; \
    }                                                                            \
    __HC unsigned __h##name##2_mask(__HC_T2 a, __HC_T2 b)                        \
    {                                                                            \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) |                             \
               (__h##name(a.y, b.y) ? 0xffff0000u : 0);                          \
    }                                                                            \
    __HC bool __hb##name##2(__HC_T2 a, __HC_T2 b)                                \
    {                                                                            \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                       \
    }
#define __HC_COMPARE(op, name, unordered)                                            \
    __HC_COMPARISON(name,                                                            \
                    __hc_is_number(__HC_F(a), __HC_F(b)) && __HC_F(a) op __HC_F(b))  \
    __HC_COMPARISON(name##u,                                                         \
                    !__hc_is_number(__HC_F(a), __HC_F(b)) || __HC_F(a) op __HC_F(b)) \
    __HC bool operator op(__HC_T a, __HC_T b) { return __HC_F(a) op __HC_F(b); }     \
    __HC bool operator op(__HC_T2 a, __HC_T2 b)                                      \
    {                                                                                \
        return __hb##name##unordered##2(a, b);                                       \
    }
__HC_COMPARE(==, eq, )
__HC_COMPARE(!=, ne, u)
__HC_COMPARE(<, lt, )
__HC_COMPARE(<=, le, )
__HC_COMPARE(>, gt, )
__HC_COMPARE(>=, ge, )
#undef __HC_COMPARE
#undef __HC_COMPARISON
__HC bool __hisnan(__HC_T a) { return __HC_F(a) != __HC_F(a); }
__HC __HC_T2 __hisnan2(__HC_T2 a)
{
    return {__HC_FROM(__hisnan(a.x)), __HC_FROM(__hisnan(a.y))};
}
__HC int __hisinf(__HC_T a) { return isinf(__HC_F(a)) ? (__HC_F(a) < 0 ? -1 : 1) : 0; }

#define __HC_MATH(name, f)                                            \
    __HC __HC_T h##name(__HC_T a) { return __HC_FROM(f(__HC_F(a))); } \
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
__HC_MATH(tanh_approx, tanhf)
__HC_MATH(floor, floorf)
__HC_MATH(ceil, ceilf)
__HC_MATH(trunc, truncf)
__HC_MATH(rint, rintf)
#undef __HC_MATH

__HC __HC_T atomicAdd(__HC_T *p, __HC_T value)
{
    unsigned short *bits = &p->__x, old = __atomic_load_n(bits, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(bits, &old,
                                        __hadd(__HC_T(__HC_RAW{old}), value).__x, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return __HC_RAW{old};
}
__HC __HC_T2 atomicAdd(__HC_T2 *p, __HC_T2 value)
{
    return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}

#undef __HC_F
#undef __HC_FROM
#undef __HC_T
#undef __HC_T2
#undef __HC_RAW
#undef __HC_RAW2
#undef __HC_PRODUCT
#undef __HC_QUOTIENT
#undef __HC_FUSED
#undef __HC_BITS_OF
#undef __HC_VALUE_OF
#undef __HC_NAME
