/* Every name of the device library once, in device code: compiled, never run. A name
   that is missing, ambiguous or of the wrong type fails the compilation; what is left
   undefined is checked by test_devlib.py. */
#if !defined(__CUDACC__) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 700 || \
    CUDART_VERSION < 12000
#error "a macro that programs test is missing"
#endif
#define U(name) f[i] += name##f(f[i]) + name(f[i]), d[i] += name(d[i]) + name(n);
#define B(name)                                     \
    f[i] += name##f(f[i], f[n]) + name(f[i], f[n]), \
        d[i] += name(d[i], d[n]) + name(f[i], n) + name(d[i], f[i]);
#define F1(name) f[i] += name(f[i]);
#define D1(name) d[i] += name(d[i]);
#define EACH4(M, a, b, c, e) M(a) M(b) M(c) M(e)
#define EACH8(M, a, b, c, e, ...) EACH4(M, a, b, c, e) EACH4(M, __VA_ARGS__)

__global__ void mathematics(float *f, double *d, int n, long *l)
{
    int i = threadIdx.x;
    EACH8(U, acos, acosh, asin, asinh, atan, atanh, cbrt, ceil)
    EACH8(U, cos, cosh, cospi, cyl_bessel_i0, cyl_bessel_i1, erf, erfc, erfcinv)
    EACH8(U, erfcx, erfinv, exp, exp10, exp2, expm1, fabs, floor)
    EACH8(U, j0, j1, lgamma, log, log10, log1p, log2, logb)
    EACH8(U, nearbyint, normcdf, normcdfinv, rcbrt, rint, round, rsqrt, sin)
    EACH8(U, sinh, sinpi, sqrt, tan, tanh, tgamma, trunc, y0)
    U(y1)
    EACH8(B, atan2, copysign, fdim, fmax, fmin, fmod, hypot, nextafter)
    EACH4(B, pow, remainder, rhypot, fmax)
    EACH8(F1, __sinf, __cosf, __tanf, __expf, __exp10f, __logf, __log2f, __log10f)
    EACH4(F1, __saturatef, __frsqrt_rn, __tanhf, abs)
    int e;
    sincos(d[i], d, d + 1), sincosf(f[i], f, f + 1), sincos(f[i], f, f + 1),
        __sincosf(f[i], f, f + 1);
    sincospi(d[i], d, d + 1), sincospif(f[i], f, f + 1);
    f[i] += fmaf(f[0], f[1], f[2]) + fma(f[0], f[1], f[2]) + frexpf(f[i], &e) +
            frexp(f[i], &e) + ldexpf(f[i], e) + scalbnf(f[i], e) +
            scalblnf(f[i], l[0]) + modff(f[i], f) + modf(f[i], f) +
            remquof(f[i], f[1], &e) + norm3df(f[0], f[1], f[2]) +
            rnorm3df(f[0], f[1], f[2]) + norm4df(f[0], f[1], f[2], f[3]) +
            rnorm4df(f[0], f[1], f[2], f[3]) + normf(n, f) + rnormf(n, f) +
            jnf(n, f[i]) + ynf(n, f[i]) + __powf(f[i], f[1]) + __fdividef(f[i], f[1]);
    d[i] += fma(d[0], d[1], d[2]) + frexp(d[i], &e) + ldexp(d[i], e) + scalbn(d[i], e) +
            scalbln(d[i], l[0]) + modf(d[i], d) + remquo(d[i], d[1], &e) +
            norm3d(d[0], d[1], d[2]) + rnorm3d(d[0], d[1], d[2]) +
            norm4d(d[0], d[1], d[2], d[3]) + rnorm4d(d[0], d[1], d[2], d[3]) +
            norm(n, d) + rnorm(n, d) + jn(n, d[i]) + yn(n, d[i]) + abs(d[i]) + M_PI +
            INFINITY + NAN + HUGE_VAL;
    l[i] += lrint(d[i]) + lrintf(f[i]) + llrint(d[i]) + lround(d[i]) + llround(f[i]) +
            llroundf(f[i]) + ilogb(d[i]) + ilogbf(f[i]) + isnan(f[i]) + isinf(d[i]) +
            isfinite(f[i]) + signbit(d[i]) + isnormal(d[i]) + abs(n) + labs(l[0]) +
            llabs(l[0]) + abs(l[0]) + INT_MAX + LLONG_MAX;
    l[i] += min(n, 3) + max(n, 3u) + min(3ull, 4) + max(l[0], 4l) + umin(3, 4) +
            ullmax(3, 4) + llmin(3, 4);
    f[i] += min(f[i], f[1]) + max(f[i], 2.0f), d[i] += min(d[i], f[1]) + max(d[i], 1);
}

#define MODES(M) M(rn) M(rz) M(ru) M(rd)
#define ARITHMETIC(m)                                                                  \
    f[i] += __fadd_##m(f[0], f[1]) + __fsub_##m(f[0], f[1]) + __fmul_##m(f[0], f[1]) + \
            __fdiv_##m(f[0], f[1]) + __frcp_##m(f[0]) + __fsqrt_##m(f[0]) +            \
            __fmaf_##m(f[0], f[1], f[2]),                                              \
        d[i] += __dadd_##m(d[0], d[1]) + __dsub_##m(d[0], d[1]) +                      \
                __dmul_##m(d[0], d[1]) + __ddiv_##m(d[0], d[1]) + __drcp_##m(d[0]) +   \
                __dsqrt_##m(d[0]) + __fma_##m(d[0], d[1], d[2]);
#define CONVERSIONS(m)                                                                 \
    l[i] += __float2int_##m(f[i]) + __float2uint_##m(f[i]) + __float2ll_##m(f[i]) +    \
            __float2ull_##m(f[i]) + __double2int_##m(d[i]) + __double2uint_##m(d[i]) + \
            __double2ll_##m(d[i]) + __double2ull_##m(d[i]),                            \
        f[i] += __int2float_##m(n) + __uint2float_##m(n) + __ll2float_##m(n) +         \
                __ull2float_##m(n) + __double2float_##m(d[i]),                         \
        d[i] += __ll2double_##m(n) + __ull2double_##m(n);
__global__ void conversions(float *f, double *d, int n, long long *l, const unsigned *u)
{
    int i = threadIdx.x;
    MODES(ARITHMETIC)
    MODES(CONVERSIONS)
    l[i] += __float_as_int(f[i]) + __float_as_uint(f[i]) + __double_as_longlong(d[i]) +
            __double2hiint(d[i]) + __double2loint(d[i]);
    f[i] += __int_as_float(n) + __uint_as_float(n),
        d[i] += __longlong_as_double(l[i]) + __hiloint2double(n, n) +
                __int2double_rn(n) + __uint2double_rn(n);
    l[i] += __ldg(u) + __ldca(u) + __ldcg(u) + __ldcs(u) + __ldlu(u) + __ldcv(u);
    __stwb(f, 1), __stcg(f, 1), __stcs(f, 1), __stwt(f, 1);
}

#define SIMD(name) x += __v##name##4(x, y) + __v##name##2(x, y);
__global__ void integers(unsigned *u, int n, unsigned long long *l)
{
    unsigned x = u[0], y = u[1];
    x += __popc(x) + __popcll(l[0]) + __clz(n) + __clzll(n) + __ffs(n) + __ffsll(n) +
         __brev(x) + __byte_perm(x, y, 3) + __mul24(n, n) + __umul24(x, y) +
         __mulhi(n, n) + __umulhi(x, y) + __sad(n, n, x) + __usad(x, y, x) +
         __hadd(n, n) + __rhadd(n, n) + __uhadd(x, y) + __urhadd(x, y) +
         __funnelshift_l(x, y, n) + __funnelshift_lc(x, y, n) +
         __funnelshift_r(x, y, n) + __funnelshift_rc(x, y, n) + __dp4a(n, n, n) +
         __dp4a(x, y, x) + __dp2a_lo(n, n, n) + __dp2a_hi(x, y, x);
    l[0] += __brevll(l[1]) + __mul64hi(n, n) + __umul64hi(l[1], l[2]);
    EACH8(SIMD, add, sub, addss, subss, addus, subus, maxs, maxu)
    EACH8(SIMD, mins, minu, avgs, avgu, haddu, absdiffs, absdiffu, cmpeq)
    EACH8(SIMD, cmpne, cmpgts, cmpgtu, cmpges, cmpgeu, cmplts, cmpltu, cmples)
    SIMD(cmpleu)
    EACH8(SIMD, seteq, setne, setgts, setgtu, setges, setgeu, setlts, setltu)
    EACH8(SIMD, setles, setleu, sads, sadu, cmpleu, cmpeq, add, sub)
    u[0] = x + __vabs4(x) + __vabs2(x) + __vneg4(x) + __vneg2(x) + __vabsss4(x) +
           __vabsss2(x) + __vnegss4(x) + __vnegss2(x);
}

#define DPX(name)                                                     \
    x += __v##name##_s32(n, n, n) + __v##name##_u32(x, x, x) +        \
         __v##name##_s32_relu(n, n, n) + __v##name##_s16x2(x, x, x) + \
         __v##name##_s16x2_relu(x, x, x) + __v##name##_u16x2(x, x, x);
#define DPX_OF_TWO(name)                                                  \
    x += __vi##name##_s32_relu(n, n) + __vi##name##_s16x2_relu(x, x) +    \
         __vib##name##_s32(n, n, &high) + __vib##name##_u32(x, x, &low) + \
         __vib##name##_s16x2(x, x, &high, &low) +                         \
         __vib##name##_u16x2(x, x, &high, &low) + high + low;
__global__ void dpx(unsigned *u, int n)
{
    unsigned x = u[0];
    bool high, low;
    DPX(imax3)
    DPX(imin3) DPX(iaddmax) DPX(iaddmin) DPX_OF_TWO(max) DPX_OF_TWO(min) u[0] = x;
}

#define ATOMIC(name) name(n, 1), name##_block(u, 1), name##_system(l, 1);
__global__ void atomics(int *n, unsigned *u, unsigned long long *l, float *f, double *d,
                        unsigned short *s)
{
    EACH8(ATOMIC, atomicAdd, atomicSub, atomicMin, atomicMax, atomicAnd, atomicOr,
          atomicXor, atomicExch)
    atomicAdd(f, 1), atomicAdd(d, 1), atomicExch(f, 1), atomicSub(f, 1);
    atomicInc(u, 7), atomicDec(u, 7), atomicInc_block(u, 7), atomicDec_system(u, 7);
    atomicCAS(n, 0, 1), atomicCAS(u, 0, 1), atomicCAS(l, 0, 1), atomicCAS(s, 0, 1),
        atomicCAS_block(n, 0, 1);
}

#define SHUFFLE(T)                                                                     \
    {                                                                                  \
        T v = (T)n;                                                                    \
        v += __shfl_sync(~0u, v, 1) + __shfl_up_sync(~0u, v, 1, 16) +                  \
             __shfl_down_sync(~0u, v, 1) + __shfl_xor_sync(~0u, v, 1) + __shfl(v, 1) + \
             __shfl_up(v, 1) + __shfl_down(v, 1, 8) + __shfl_xor(v, 1);                \
        u[0] += (unsigned)v + __match_any_sync(~0u, v) +                               \
                __match_all_sync(~0u, v, (int *)u);                                    \
    }
__device__ __managed__ int managed;
__constant__ float constants[4];
__global__ void __launch_bounds__(256, 2)
    warp(unsigned *u, int n, const float *__restrict__ in)
{
    extern __shared__ int dynamic[];
    __shared__ float4 tile[32];
    EACH8(SHUFFLE, int, unsigned, long, unsigned long, long long, unsigned long long,
          float, double)
    EACH4(SHUFFLE, char, unsigned char, short, unsigned short)
    u[1] = __ballot_sync(~0u, n) + __any_sync(~0u, n) + __all_sync(~0u, n) +
           __uni_sync(~0u, n) + __ballot(n) + __any(n) + __all(n) + __activemask();
    u[2] = __reduce_add_sync(~0u, n) + __reduce_min_sync(~0u, n) +
           __reduce_max_sync(~0u, u[0]) + __reduce_and_sync(~0u, u[0]) +
           __reduce_or_sync(~0u, u[0]) + __reduce_xor_sync(~0u, u[0]);
    __syncthreads(), __syncwarp(), __syncwarp(3), __threadfence(),
        __threadfence_block(), __threadfence_system();
    u[3] = __syncthreads_count(n) + __syncthreads_and(n) + __syncthreads_or(n) +
           clock() + clock64() + warpSize;
    __nanosleep(10), __brkpt(), __prof_trigger(0);
    tile[threadIdx.x] = make_float4(in[0], constants[1], 0, dynamic[0] + managed);
    uint3 thread = threadIdx, block = blockIdx;
    dim3 size = blockDim, grid(gridDim), one(1), plane(2, 3);
    uint3 from = size;
    u[4] = thread.x + block.y + size.z + grid.x + one.y + plane.y + from.x + tile[0].w;
    assert(n > 0);
    if (n > 5)
        __trap();
    int *heap = new int[4], *raw = (int *)malloc(16);
    memset(raw, 0, 16), memcpy(heap, raw, 16), memmove(heap, raw, 16);
    printf("%d %f\n", heap[0], 1.0f);
    delete[] heap;
    free(raw);
}

#define VECTOR(name, T)                                                               \
    static_assert(sizeof(name##1) == sizeof(T) && sizeof(name##3) == 3 * sizeof(T),   \
                  "");                                                                \
    static_assert(                                                                    \
        sizeof(name##2) == 2 * sizeof(T) && alignof(name##2) == 2 * sizeof(T), "");   \
    static_assert(sizeof(name##4) == 4 * sizeof(T) && alignof(name##3) == alignof(T), \
                  "");                                                                \
    static_assert(alignof(name##4) == (sizeof(T) < 8 ? 4 * sizeof(T) : 16), "");      \
    __device__ T use_##name(T v)                                                      \
    {                                                                                 \
        return make_##name##1(v).x + make_##name##2(v, v).y +                         \
               make_##name##3(v, v, v).z + make_##name##4(v, v, v, v).w;              \
    }
VECTOR(char, signed char)
VECTOR(uchar, unsigned char)
VECTOR(short, short)
VECTOR(ushort, unsigned short)
VECTOR(int, int)
VECTOR(uint, unsigned)
VECTOR(long, long)
VECTOR(ulong, unsigned long)
VECTOR(longlong, long long)
VECTOR(ulonglong, unsigned long long)
VECTOR(float, float)
VECTOR(double, double)

/* Code for both sides, and for the host, may use the same functions. */
__host__ __device__ float both(float x)
{
    return sinf(x) + max(x, 1.0f) + __float_as_int(x);
}
float host_only(float x)
{
    return both(x) + exp(x) + sqrt(2);
}

/* What programs define themselves although newer devices have it. */
__device__ double atomicAdd(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void own(double *d)
{
    atomicAdd(d, 1.0);
}
