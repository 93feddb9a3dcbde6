/* The C library for host code; malloc and free of kernels are in device.h, abs in
   hostcc/mathematics.h. In the place of libc++'s <stdlib.h>, whose abs is for both, and
   under its name, which <cstdlib> asks for. */
#ifndef _LIBCPP_STDLIB_H
#define _LIBCPP_STDLIB_H
#include <stddef.h>
#include <hostcc_locale_t.h>
#include "../pycuda/letters_aside.cuh"

extern "C" {
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX __ctype_get_mb_cur_max()
typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;
typedef struct {
    long long quot, rem;
} lldiv_t;
size_t __ctype_get_mb_cur_max(void) noexcept;
double atof(const char *) noexcept;
int atoi(const char *) noexcept;
long atol(const char *) noexcept;
long long atoll(const char *) noexcept;
double strtod(const char *, char **) noexcept;
float strtof(const char *, char **) noexcept;
long double strtold(const char *, char **) noexcept;
long strtol(const char *, char **, int) noexcept;
long long strtoll(const char *, char **, int) noexcept;
unsigned long strtoul(const char *, char **, int) noexcept;
unsigned long long strtoull(const char *, char **, int) noexcept;
double strtod_l(const char *, char **, locale_t) noexcept;
float strtof_l(const char *, char **, locale_t) noexcept;
long double strtold_l(const char *, char **, locale_t) noexcept;
long long strtoll_l(const char *, char **, int, locale_t) noexcept;
unsigned long long strtoull_l(const char *, char **, int, locale_t) noexcept;
int rand(void) noexcept;
void srand(unsigned) noexcept;
int rand_r(unsigned *) noexcept;
double drand48(void) noexcept;
long random(void) noexcept;
void *malloc(size_t) noexcept;
void *calloc(size_t, size_t) noexcept;
void *realloc(void *, size_t) noexcept;
void *aligned_alloc(size_t, size_t) noexcept;
int posix_memalign(void **, size_t, size_t) noexcept;
void free(void *) noexcept;
__attribute__((noreturn)) void abort(void) noexcept;
__attribute__((noreturn)) void exit(int) noexcept;
__attribute__((noreturn)) void _Exit(int) noexcept;
__attribute__((noreturn)) void quick_exit(int) noexcept;
int atexit(void (*)(void)) noexcept;
int at_quick_exit(void (*)(void)) noexcept;
char *getenv(const char *) noexcept;
int setenv(const char *, const char *, int) noexcept;
int unsetenv(const char *) noexcept;
int system(const char *);
void *bsearch(const void *, const void *, size_t, size_t,
              int (*)(const void *, const void *));
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
div_t div(int, int) noexcept;
ldiv_t ldiv(long, long) noexcept;
lldiv_t lldiv(long long, long long) noexcept;
int mblen(const char *, size_t) noexcept;
int mbtowc(wchar_t *, const char *, size_t) noexcept;
int wctomb(char *, wchar_t) noexcept;
size_t mbstowcs(wchar_t *, const char *, size_t) noexcept;
size_t wcstombs(char *, const wchar_t *, size_t) noexcept;
}
extern "C++" { /* within a program's extern "C", too */
#define __HC_ABS(name, T, function) \
    inline T name(T x) noexcept { return function(x); }
__HC_ABS(abs, int, __builtin_abs)
__HC_ABS(abs, long, __builtin_labs)
__HC_ABS(abs, long long, __builtin_llabs)
__HC_ABS(labs, long, __builtin_labs)
__HC_ABS(llabs, long long, __builtin_llabs)
__HC_ABS(abs, float, __builtin_fabsf)
__HC_ABS(abs, double, __builtin_fabs)
__HC_ABS(abs, long double, __builtin_fabsl)
#undef __HC_ABS
inline ldiv_t div(long x, long y) noexcept { return ldiv(x, y); }
inline lldiv_t div(long long x, long long y) noexcept { return lldiv(x, y); }
}

#include "../pycuda/letters_back.cuh"

#endif
