/* The vector types with CUDA's alignments, dim3, and their make_ functions. */
#ifndef HOSTCC_VECTORS_H
#define HOSTCC_VECTORS_H

#define __HC_MAKE static __host__ __device__ __inline__ constexpr

/* Types name1 to name4 of T; A2 and A4 are the alignments of the types with two and
 * four members. */
#define __HC_VECTOR(T, name, A2, A4)                                      \
    struct name##1 { T x; };                                              \
    struct __align__(A2) name##2 { T x, y; };                             \
    struct name##3 { T x, y, z; };                                        \
    struct __align__(A4) name##4 { T x, y, z, w; };                       \
    __HC_MAKE name##1 make_##name##1(T x) { return {x}; }                 \
    __HC_MAKE name##2 make_##name##2(T x, T y) { return {x, y}; }         \
    __HC_MAKE name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    __HC_MAKE name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

__HC_VECTOR(signed char, char, 2, 4)
__HC_VECTOR(unsigned char, uchar, 2, 4)
__HC_VECTOR(short, short, 4, 8)
__HC_VECTOR(unsigned short, ushort, 4, 8)
__HC_VECTOR(int, int, 8, 16)
__HC_VECTOR(unsigned int, uint, 8, 16)
__HC_VECTOR(long, long, 16, 16)
__HC_VECTOR(unsigned long, ulong, 16, 16)
__HC_VECTOR(long long, longlong, 16, 16)
__HC_VECTOR(unsigned long long, ulonglong, 16, 16)
__HC_VECTOR(float, float, 8, 16)
__HC_VECTOR(double, double, 16, 16)

/* CUDA 13's names of those of eight bytes a member, with both alignments. */
#define __HC_VECTOR4(T, name, n)                                       \
    struct __align__(n) name##4_##n##a { T x, y, z, w; };              \
    __HC_MAKE name##4_##n##a make_##name##4_##n##a(T x, T y, T z, T w) \
    {                                                                  \
        return {x, y, z, w};                                           \
    }
__HC_VECTOR4(long, long, 16)
__HC_VECTOR4(long, long, 32)
__HC_VECTOR4(unsigned long, ulong, 16)
__HC_VECTOR4(unsigned long, ulong, 32)
__HC_VECTOR4(long long, longlong, 16)
__HC_VECTOR4(long long, longlong, 32)
__HC_VECTOR4(unsigned long long, ulonglong, 16)
__HC_VECTOR4(unsigned long long, ulonglong, 32)
__HC_VECTOR4(double, double, 16)
__HC_VECTOR4(double, double, 32)

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1,
                                       unsigned int z = 1)
        : x(x), y(y), z(z)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#endif
