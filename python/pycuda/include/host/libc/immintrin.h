/* Vectors of the processor in host code, which is read and not run: their types; calls
   of their functions are passed over. */
#ifndef HOSTCC_IMMINTRIN_H
#define HOSTCC_IMMINTRIN_H
typedef float __m128 __attribute__((__vector_size__(16), __aligned__(16)));
typedef double __m128d __attribute__((__vector_size__(16), __aligned__(16)));
typedef long long __m128i __attribute__((__vector_size__(16), __aligned__(16)));
typedef float __m256 __attribute__((__vector_size__(32), __aligned__(32)));
typedef double __m256d __attribute__((__vector_size__(32), __aligned__(32)));
typedef long long __m256i __attribute__((__vector_size__(32), __aligned__(32)));
typedef float __m512 __attribute__((__vector_size__(64), __aligned__(64)));
typedef double __m512d __attribute__((__vector_size__(64), __aligned__(64)));
typedef long long __m512i __attribute__((__vector_size__(64), __aligned__(64)));
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned __mmask32;
typedef unsigned long long __mmask64;
#define _MM_SHUFFLE(z, y, x, w) ((z) << 6 | (y) << 4 | (x) << 2 | (w))
extern "C" {
void *_mm_malloc(unsigned long, unsigned long);
void _mm_free(void *);
}
#endif
