/* Passes for cuBLAS on the host device, whose memory it can read: it computes, in the
   order of the stream that it is told, what NVIDIA's documentation says of each
   function, and refuses what that refuses. `calls` counts products, `arguments` has
   those of the last one, `handles` how many are alive. A test sets `failure` to have
   the next call of `failing` fail so often. LACKS and VERSION make it another library.
 */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include "libraries_fake.h"

#ifndef VERSION
#define VERSION 13
#endif

typedef struct cublasContext {
    uint64_t seal; /* so that what is no handle is known */
    CUcontext context;
    CUstream stream;
} handle;
enum { SEAL = 0x6b6c6d6e };
enum { SUCCESS = 0, NOT_INITIALIZED = 1, ALLOC_FAILED = 3, INVALID = 7, FAILED = 13 };
enum {
    R_32F = 0,
    R_64F = 1,
    R_16F = 2,
    C_32F = 4,
    C_64F = 5,
    COMPUTE_32F = 68,
    COMPUTE_64F = 70
};

int calls, handles;
long long arguments[16];
/* The driver's, which the test sets. */
CUresult (*get_current)(CUcontext *);
CUresult (*host_function)(CUstream, void (*)(void *), void *);

static int is_usable(handle *given)
{
    CUcontext current = NULL;
    if (!given || given->seal != SEAL)
        return 0;
    get_current(&current);
    wrong_context += current != given->context;
    return current == given->context;
}

unsigned cublasCreate_v2(handle **made)
{
    int status = fails("cublasCreate_v2");
    if (status)
        return status;
    *made = calloc(1, sizeof **made);
    (*made)->seal = SEAL;
    get_current(&(*made)->context);
    handles++;
    return (*made)->context ? SUCCESS : NOT_INITIALIZED;
}

unsigned cublasDestroy_v2(handle *given)
{
    if (!is_usable(given))
        return NOT_INITIALIZED;
    handles--;
    free(given);
    return SUCCESS;
}

unsigned cublasGetProperty(unsigned property, int *value)
{
    *value = property ? 0 : VERSION;
    return property < 3 ? SUCCESS : INVALID;
}

unsigned cublasSetStream_v2(handle *given, CUstream stream)
{
    int status = fails("cublasSetStream_v2");
    if (status || !is_usable(given))
        return status ? status : NOT_INITIALIZED;
    given->stream = stream;
    return SUCCESS;
}

/* -- Products ------------------------------------------------------------------- */

typedef struct {
    unsigned operation[2], type;
    int m, n, k, ld[3], count;
    long long apart[3];
    complex double alpha, beta;
    char *place[3]; /* a, b, c */
} product;

static double half(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent ? 1024 + fraction : fraction;
    for (int k = exponent ? exponent : 1; k < 25; k++)
        value /= 2;
    for (int k = 25; k < exponent; k++)
        value *= 2;
    return bits >> 15 ? -value : value;
}

static uint16_t to_half(double value) /* of normal numbers */
{
    int exponent = 25;
    uint16_t sign = value < 0 ? 0x8000 : 0;
    value = value < 0 ? -value : value;
    if (!value)
        return sign;
    for (; value >= 2048; value /= 2)
        exponent++;
    for (; value < 1024; value *= 2)
        exponent--;
    long fraction = (long)value;
    double rest = value - fraction;
    fraction += rest > 0.5 || (rest == 0.5 && fraction & 1);
    return sign + (exponent << 10) + fraction - 1024;
}

static complex double read(const char *at, unsigned type, long long index)
{
    switch (type) {
    case R_32F:
        return ((const float *)at)[index];
    case R_64F:
        return ((const double *)at)[index];
    case R_16F:
        return half(((const uint16_t *)at)[index]);
    case C_32F:
        return ((const complex float *)at)[index];
    }
    return ((const complex double *)at)[index];
}

static void write(char *at, unsigned type, long long index, complex double value)
{
    switch (type) {
    case R_32F:
        ((float *)at)[index] = creal(value);
        return;
    case R_64F:
        ((double *)at)[index] = creal(value);
        return;
    case R_16F:
        ((uint16_t *)at)[index] = to_half(creal(value));
        return;
    case C_32F:
        ((complex float *)at)[index] = value;
        return;
    }
    ((complex double *)at)[index] = value;
}

static complex double element(const product *p, int which, int matrix, int row,
                              int column)
{
    long long at = matrix * p->apart[which];
    at += p->operation[which] ? column + (long long)row * p->ld[which]
                              : row + (long long)column * p->ld[which];
    complex double value = read(p->place[which], p->type, at);
    return p->operation[which] == 2 ? conj(value) : value;
}

static void compute(void *given)
{
    product *p = given;
    for (int matrix = 0; matrix < p->count; matrix++)
        for (int column = 0; column < p->n; column++)
            for (int row = 0; row < p->m; row++) {
                complex double sum = 0;
                long long at =
                    matrix * p->apart[2] + row + (long long)column * p->ld[2];
                for (int k = 0; k < p->k; k++)
                    sum += element(p, 0, matrix, row, k) *
                           element(p, 1, matrix, k, column);
                sum *= p->alpha;
                if (p->beta)
                    sum += p->beta * read(p->place[2], p->type, at);
                write(p->place[2], p->type, at, sum);
            }
    free(p);
}

unsigned cublasGemmStridedBatchedEx(handle *given, unsigned ta, unsigned tb, int m,
                                    int n, int k, const void *alpha, const void *a,
                                    unsigned type_a, int lda, long long apart_a,
                                    const void *b, unsigned type_b, int ldb,
                                    long long apart_b, const void *beta, void *c,
                                    unsigned type_c, int ldc, long long apart_c,
                                    int count, unsigned computes, int algorithm)
{
    int is_wide = type_a == R_64F || type_a == C_64F;
    int is_complex = type_a == C_32F || type_a == C_64F;
    int status = fails(count == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx");
    if (status || !is_usable(given))
        return status ? status : NOT_INITIALIZED;
    if (m < 0 || n < 0 || k < 0 || count < 0 || ta > 2 || tb > 2 || algorithm != -1 ||
        lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m || lda < 1 || ldb < 1 ||
        ldc < 1 || type_a != type_b || type_a != type_c || !a || !b || !c ||
        computes != (is_wide ? COMPUTE_64F : COMPUTE_32F))
        return INVALID;
    product *p = malloc(sizeof *p);
    *p = (product){{ta, tb},
                   type_a,
                   m,
                   n,
                   k,
                   {lda, ldb, ldc},
                   count,
                   {apart_a, apart_b, apart_c},
                   0,
                   0,
                   {(char *)a, (char *)b, c}};
    unsigned scalar = is_complex ? type_a : is_wide ? R_64F : R_32F;
    p->alpha = read(alpha, scalar, 0);
    p->beta = read(beta, scalar, 0);
    calls++;
    long long seen[16] = {
        ta,      tb,      m,     n,        k,
        type_a,  lda,     ldb,   ldc,      apart_a,
        apart_b, apart_c, count, computes, (long long)(uintptr_t)given->stream};
    memcpy(arguments, seen, sizeof seen);
    return host_function(given->stream, compute, p) ? FAILED : SUCCESS;
}

#ifndef LACKS
unsigned cublasGemmEx(handle *given, unsigned ta, unsigned tb, int m, int n, int k,
                      const void *alpha, const void *a, unsigned type_a, int lda,
                      const void *b, unsigned type_b, int ldb, const void *beta,
                      void *c, unsigned type_c, int ldc, unsigned computes,
                      int algorithm)
{
    return cublasGemmStridedBatchedEx(given, ta, tb, m, n, k, alpha, a, type_a, lda, 0,
                                      b, type_b, ldb, 0, beta, c, type_c, ldc, 0, 1,
                                      computes, algorithm);
}
#endif
