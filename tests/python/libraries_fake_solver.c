/* Passes for cuSOLVER on the host device, as libraries_fake_fft.c does for cuFFT: plain
   algorithms in double precision, in the order of the stream, that overwrite what
   NVIDIA's documentation says is overwritten. Areas to work in are filled. `handles`
   counts those that are alive, `runs` matrices; a test sets `failure` to have the next
   call of `failing` fail so often, `failing_info` to be what the next one computes to.
 */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include "libraries_fake.h"

#ifndef VERSION
#define VERSION 12
#endif

typedef complex double number;
typedef struct cusolverDnContext {
    uint64_t seal;
    CUcontext context;
    CUstream stream;
} handle;
struct cusolverDnParams {
    uint64_t seal;
};
typedef struct cusolverDnParams params;
enum { SEAL = 0x736f6c76, ON_DEVICE = 96, ON_HOST = 32 };
enum { SUCCESS, NOT_INITIALIZED, NO_MEMORY, INVALID, FAILED = 6, WRONG_TYPE = 8 };
enum { R_32F = 0, R_64F = 1, C_32F = 4, C_64F = 5 };

int handles, runs, failing_info;

static int is_usable(handle *given)
{
    int is_it = given && given->seal == SEAL;
    wrong_context += is_it && given->context != current();
    return is_it && given->context == current();
}

unsigned cusolverDnCreate(handle **made)
{
    int status = fails("cusolverDnCreate");
    if (status)
        return status;
    *made = calloc(1, sizeof **made);
    **made = (handle){SEAL, current(), NULL};
    handles++;
    return SUCCESS;
}

unsigned cusolverDnDestroy(handle *given)
{
    if (!is_usable(given))
        return NOT_INITIALIZED;
    given->seal = 0;
    handles--;
    free(given);
    return SUCCESS;
}

unsigned cusolverDnCreateParams(params **made)
{
    int status = fails("cusolverDnCreateParams");
    if (status)
        return status;
    *made = calloc(1, sizeof **made);
    (*made)->seal = ~(uint64_t)SEAL;
    return SUCCESS;
}

unsigned cusolverDnDestroyParams(params *given)
{
    free(given);
    return SUCCESS;
}

unsigned cusolverGetProperty(unsigned property, int *value)
{
    *value = property ? 0 : VERSION;
    return SUCCESS;
}

unsigned cusolverDnSetStream(handle *given, CUstream stream)
{
    int status = fails("cusolverDnSetStream");
    if (status || !is_usable(given))
        return status ? status : NOT_INITIALIZED;
    given->stream = stream;
    return SUCCESS;
}

/* -- Elements ------------------------------------------------------------------- */

static number get(const void *at, unsigned type, int64_t i)
{
    return type == R_32F   ? ((const float *)at)[i]
           : type == R_64F ? ((const double *)at)[i]
           : type == C_32F ? ((const complex float *)at)[i]
                           : ((const number *)at)[i];
}

static void set(void *at, unsigned type, int64_t i, number value)
{
    if (type == R_32F)
        ((float *)at)[i] = creal(value);
    else if (type == R_64F)
        ((double *)at)[i] = creal(value);
    else if (type == C_32F)
        ((complex float *)at)[i] = value;
    else
        ((number *)at)[i] = value;
}

/* What a call was asked for; matrices are computed as copies without gaps. */
typedef struct work {
    void (*compute)(struct work *);
    unsigned type, triangle, operation, vectors;
    int64_t m, n, k, lda, ldb, ldc;
    void *a, *b, *c, *values, *area, *host_area;
    int *info;
    int is_full; /* as many left vectors as rows */
    int is_polar, wanted_info;
} work;

static number *taken(const void *from, unsigned type, int64_t rows, int64_t columns,
                     int64_t ld)
{
    number *copy = malloc((rows * columns + 1) * sizeof *copy);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            copy[i + j * rows] = get(from, type, i + j * ld);
    return copy;
}

static void give(number *from, void *to, unsigned type, int64_t rows, int64_t columns,
                 int64_t ld)
{
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            set(to, type, i + j * ld, from[i + j * rows]);
}

static void run(void *given)
{
    work *w = given;
    if (w->area)
        memset(w->area, 0xff, ON_DEVICE);
    if (w->host_area)
        memset(w->host_area, 0xff, ON_HOST);
    *w->info = 0;
    w->compute(w);
    if (w->wanted_info)
        *w->info = w->wanted_info;
    free(w);
}

static unsigned start(const char *name, handle *given, params *p, work asked)
{
    int status = fails(name);
    if (status || !is_usable(given) || !p || p->seal != ~(uint64_t)SEAL)
        return status ? status : NOT_INITIALIZED;
    if (asked.type > C_64F || asked.type == 2 || asked.type == 3)
        return WRONG_TYPE;
    if (asked.m < 1 || asked.n < 1 || asked.lda < asked.m || !asked.a || !asked.info)
        return INVALID;
    work *w = malloc(sizeof *w);
    *w = asked;
    w->wanted_info = failing_info;
    failing_info = 0;
    runs++;
    CUresult (*launch)(CUstream, void (*)(void *), void *) = driver("cuLaunchHostFunc");
    return launch(given->stream, run, w) ? FAILED : SUCCESS;
}

/* -- Triangles ------------------------------------------------------------------ */

static void lu(work *w)
{
    int64_t n = w->n, *pivots = w->values;
    number *a = taken(w->a, w->type, n, n, w->lda);
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k; i < n; i++)
            if (cabs(a[i + k * n]) > cabs(a[best + k * n]))
                best = i;
        pivots[k] = best + 1;
        for (int64_t j = 0; j < n; j++) {
            number other = a[k + j * n];
            a[k + j * n] = a[best + j * n];
            a[best + j * n] = other;
        }
        if (a[k + k * n] == 0) {
            *w->info = *w->info ? *w->info : k + 1;
            continue;
        }
        for (int64_t i = k + 1; i < n; i++) {
            a[i + k * n] /= a[k + k * n];
            for (int64_t j = k + 1; j < n; j++)
                a[i + j * n] -= a[i + k * n] * a[k + j * n];
        }
    }
    give(a, w->a, w->type, n, n, w->lda);
    free(a);
}

/* x = T^-1 x for a triangle of `a` or of its transpose. */
static void substitute(const number *a, int64_t n, int is_lower, int is_transposed,
                       int has_ones, number *x)
{
    int goes_down = is_lower != is_transposed;
    for (int64_t at = 0; at < n; at++) {
        int64_t i = goes_down ? at : n - 1 - at;
        for (int64_t j = goes_down ? 0 : i + 1; j < (goes_down ? i : n); j++)
            x[i] -= (is_transposed ? a[j + i * n] : a[i + j * n]) * x[j];
        if (!has_ones)
            x[i] /= a[i + i * n];
    }
}

static void swap(number *x, const int64_t *pivots, int64_t i)
{
    number other = x[i];
    x[i] = x[pivots[i] - 1];
    x[pivots[i] - 1] = other;
}

static void lu_solve(work *w)
{
    int64_t n = w->n;
    number *a = taken(w->a, w->type, n, n, w->lda);
    number *b = taken(w->b, w->type, n, w->k, w->ldb);
    for (int64_t column = 0; column < w->k; column++) {
        number *x = b + column * n;
        for (int64_t i = 0; !w->operation && i < n; i++)
            swap(x, w->values, i);
        substitute(a, n, !w->operation, w->operation, !w->operation, x);
        substitute(a, n, w->operation, w->operation, w->operation, x);
        for (int64_t i = n; w->operation && i--;)
            swap(x, w->values, i);
    }
    give(b, w->b, w->type, n, w->k, w->ldb);
    free(a);
    free(b);
}

static void cholesky(work *w)
{
    int64_t n = w->n;
    number *a = taken(w->a, w->type, n, n, w->lda);
#define LOWER(i, j) a[w->triangle ? (j) + (i) * n : (i) + (j) * n] /* its conjugate */
    for (int64_t k = 0; k < n; k++) {
        double pivot = creal(LOWER(k, k));
        for (int64_t j = 0; j < k; j++)
            pivot -= cabs(LOWER(k, j)) * cabs(LOWER(k, j));
        if (!(pivot > 0)) {
            *w->info = k + 1;
            break;
        }
        LOWER(k, k) = sqrt(pivot);
        for (int64_t i = k + 1; i < n; i++) {
            for (int64_t j = 0; j < k; j++)
                LOWER(i, k) -= LOWER(i, j) * conj(LOWER(k, j));
            LOWER(i, k) /= LOWER(k, k);
        }
    }
#undef LOWER
    give(a, w->a, w->type, n, n, w->lda);
    free(a);
}

/* -- Reflections ---------------------------------------------------------------- */

/* x = (1 - factor v v^H) x, of which v begins at the diagonal with 1. */
static void reflect(const number *v, number factor, int64_t from, int64_t m, number *x)
{
    number sum = x[from];
    for (int64_t i = from + 1; i < m; i++)
        sum += conj(v[i]) * x[i];
    x[from] -= factor * sum;
    for (int64_t i = from + 1; i < m; i++)
        x[i] -= factor * sum * v[i];
}

static void qr(work *w)
{
    int64_t m = w->m, n = w->n, least = m < n ? m : n;
    number *a = taken(w->a, w->type, m, n, w->lda);
    for (int64_t k = 0; k < least; k++) {
        number *v = a + k * m, alpha = v[k], tau = 0;
        double below = 0;
        for (int64_t i = k + 1; i < m; i++)
            below += cabs(v[i]) * cabs(v[i]);
        if (below || cimag(alpha)) {
            double beta =
                -copysign(sqrt(cabs(alpha) * cabs(alpha) + below), creal(alpha));
            tau = (beta - alpha) / beta;
            for (int64_t i = k + 1; i < m; i++)
                v[i] /= alpha - beta;
            v[k] = beta;
        }
        set(w->values, w->type, k, tau);
        for (int64_t j = k + 1; j < n; j++)
            reflect(v, conj(tau), k, m, a + j * m);
    }
    give(a, w->a, w->type, m, n, w->lda);
    free(a);
}

static void reflections(work *w)
{
    int64_t m = w->m, n = w->n;
    number *v = taken(w->a, w->type, m, n, w->lda), *q = calloc(m * n, sizeof *q);
    for (int64_t j = 0; j < n; j++) {
        q[j + j * m] = 1;
        for (int64_t k = w->k; k--;)
            reflect(v + k * m, get(w->values, w->type, k), k, m, q + j * m);
    }
    give(q, w->a, w->type, m, n, w->lda);
    free(v);
    free(q);
}

/* -- Rotations: Jacobi's methods -------------------------------------------------- */

/* Of columns p and q of x: their squares and product are those given. */
static void rotate(number *x, int64_t rows, int64_t p, int64_t q, double aa, double bb,
                   number ab)
{
    double zeta = (bb - aa) / (2 * cabs(ab));
    double t = copysign(1 / (fabs(zeta) + hypot(1, zeta)), zeta);
    double c = 1 / hypot(1, t), s = c * t;
    number phase = ab / cabs(ab);
    for (int64_t i = 0; i < rows; i++) {
        number one = x[i + p * rows], other = x[i + q * rows] * conj(phase);
        x[i + p * rows] = c * one - s * other;
        x[i + q * rows] = s * one + c * other;
    }
}

static number product(const number *x, const number *y, int64_t n)
{
    number sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += conj(x[i]) * y[i];
    return sum;
}

/* Makes the columns of a (m x n) orthogonal by turns that v takes, too. */
static void turn(number *a, number *v, int64_t m, int64_t n)
{
    for (int64_t i = 0; i < n * n; i++)
        v[i] = i % (n + 1) == 0;
    for (int sweep = 0, turns = 1; turns && sweep < 60; sweep++) {
        turns = 0;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                number *x = a + p * m, *y = a + q * m, ab = product(x, y, m);
                double aa = creal(product(x, x, m)), bb = creal(product(y, y, m));
                if (cabs(ab) <= 1e-17 * sqrt(aa * bb) || cabs(ab) < 1e-290)
                    continue;
                turns = 1;
                rotate(a, m, p, q, aa, bb, ab);
                rotate(v, n, p, q, aa, bb, ab);
            }
    }
}

/* Makes column k of u orthogonal to those before it and of length one, of what is there
   or, if that is nothing, of a column of the identity. */
static void complete(number *u, int64_t m, int64_t k, int is_there)
{
    number *x = u + k * m;
    for (int64_t unit = is_there ? -1 : 0; unit < m; unit++) {
        for (int64_t i = 0; unit >= 0 && i < m; i++)
            x[i] = i == unit;
        for (int twice = 0; twice < 2 && unit >= 0; twice++)
            for (int64_t j = 0; j < k; j++) {
                number along = product(u + j * m, x, m);
                for (int64_t i = 0; i < m; i++)
                    x[i] -= along * u[i + j * m];
            }
        double length = sqrt(creal(product(x, x, m)));
        if (unit >= 0 && length < 0.5 / sqrt(m))
            continue;
        for (int64_t i = 0; i < m; i++)
            x[i] /= length;
        return;
    }
}

static void svd(work *w)
{
    int64_t m = w->m, n = w->n, columns = w->is_full ? m : n;
    number *a = taken(w->a, w->type, m, n, w->lda);
    number *v = malloc(n * n * sizeof *v), *u = calloc(m * columns, sizeof *u);
    number *right = malloc(n * n * sizeof *right);
    double *length = malloc(n * sizeof *length), most = 0;
    turn(a, v, m, n);
    for (int64_t j = 0; j < n; j++) {
        length[j] = sqrt(creal(product(a + j * m, a + j * m, m)));
        most = fmax(most, length[j]);
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t best = 0;
        for (int64_t j = 1; j < n; j++)
            best = length[j] > length[best] ? j : best;
        int is_there = length[best] > 1e-13 * most;
        memcpy(u + k * m, a + best * m, m * sizeof *u);
        complete(u, m, k, is_there);
        set(w->values, w->type & 1, k, length[best]);
        if (!is_there && w->is_polar)
            *w->info = 0x7fffffff; /* through the error that start() is not told */
        for (int64_t i = 0; i < n; i++)
            if (w->is_polar)
                right[i + k * n] = v[i + best * n];
            else
                right[k + i * n] = conj(v[i + best * n]);
        length[best] = -1;
    }
    for (int64_t k = n; k < columns; k++)
        complete(u, m, k, 0);
    if (w->vectors) {
        give(u, w->b, w->type, m, columns, w->ldb);
        give(right, w->c, w->type, n, n, w->ldc);
    }
    memset(w->a, 0xff, sizeof(float));
    free(a), free(v), free(u), free(right), free(length);
}

/* Of a + shift, which is positive definite, by svd(): values are singular ones. */
static void eigen(work *w)
{
    int64_t n = w->n;
    number *a = taken(w->a, w->type, n, n, w->lda), *v = malloc(n * n * sizeof *v);
    number *out = malloc(n * n * sizeof *out);
    double *value = malloc(n * sizeof *value), shift = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++)
            if (w->triangle)
                a[j + i * n] = conj(a[i + j * n]);
            else
                a[i + j * n] = conj(a[j + i * n]);
    for (int64_t j = 0; j < n; j++)
        a[j + j * n] = creal(a[j + j * n]);
    for (int64_t i = 0; i < n * n; i++)
        shift += cabs(a[i]);
    shift = shift ? 2 * shift : 1;
    number *b = malloc(n * n * sizeof *b);
    memcpy(b, a, n * n * sizeof *b);
    for (int64_t j = 0; j < n; j++)
        b[j + j * n] += shift;
    turn(b, v, n, n);
    for (int64_t j = 0; j < n; j++) { /* Rayleigh's quotient */
        value[j] = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t k = 0; k < n; k++)
                value[j] += creal(conj(v[i + j * n]) * a[i + k * n] * v[k + j * n]);
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t best = 0;
        for (int64_t j = 1; j < n; j++)
            best = value[j] < value[best] ? j : best;
        set(w->values, w->type & 1, k, value[best]);
        memcpy(out + k * n, v + best * n, n * sizeof *out);
        value[best] = INFINITY;
    }
    if (w->vectors)
        give(out, w->a, w->type, n, n, w->lda);
    else
        memset(w->a, 0xff, sizeof(float));
    free(a), free(b), free(v), free(out), free(value);
}

/* -- Entry points --------------------------------------------------------------- */

static unsigned areas(const char *name, size_t *on_device, size_t *on_host)
{
    *on_device = ON_DEVICE;
    *on_host = ON_HOST;
    return fails(name);
}

static int is_enough(size_t on_device, size_t on_host)
{
    return on_device == ON_DEVICE && on_host == ON_HOST;
}

#define ASK_AREAS \
    const void *a, int64_t lda, unsigned computes, size_t *on_device, size_t *on_host
#define AREAS_GIVEN                                                                   \
    unsigned computes, void *area, size_t on_device, void *host_area, size_t on_host, \
        int *info

unsigned cusolverDnXgetrf_bufferSize(handle *h, params *p, int64_t m, int64_t n,
                                     unsigned type, ASK_AREAS)
{
    return areas("cusolverDnXgetrf_bufferSize", on_device, on_host);
}

unsigned cusolverDnXgetrf(handle *h, params *p, int64_t m, int64_t n, unsigned type,
                          void *a, int64_t lda, int64_t *pivots, AREAS_GIVEN)
{
    if (m != n || !pivots || !is_enough(on_device, on_host) || computes != type)
        return INVALID;
    return start("cusolverDnXgetrf", h, p,
                 (work){.compute = lu,
                        .type = type,
                        .m = m,
                        .n = n,
                        .a = a,
                        .lda = lda,
                        .values = pivots,
                        .area = area,
                        .host_area = host_area,
                        .info = info});
}

unsigned cusolverDnXgetrs(handle *h, params *p, unsigned operation, int64_t n,
                          int64_t columns, unsigned type, const void *a, int64_t lda,
                          const int64_t *pivots, unsigned type_b, void *b, int64_t ldb,
                          int *info)
{
    if (operation > 1 || !pivots || !b || type_b != type || ldb < n || columns < 1)
        return INVALID;
    return start("cusolverDnXgetrs", h, p,
                 (work){.compute = lu_solve,
                        .type = type,
                        .m = n,
                        .n = n,
                        .k = columns,
                        .a = (void *)a,
                        .lda = lda,
                        .values = (void *)pivots,
                        .b = b,
                        .ldb = ldb,
                        .operation = operation,
                        .info = info});
}

unsigned cusolverDnXpotrf_bufferSize(handle *h, params *p, unsigned triangle, int64_t n,
                                     unsigned type, ASK_AREAS)
{
    return areas("cusolverDnXpotrf_bufferSize", on_device, on_host);
}

unsigned cusolverDnXpotrf(handle *h, params *p, unsigned triangle, int64_t n,
                          unsigned type, void *a, int64_t lda, AREAS_GIVEN)
{
    if (triangle > 1 || !is_enough(on_device, on_host) || computes != type)
        return INVALID;
    return start("cusolverDnXpotrf", h, p,
                 (work){.compute = cholesky,
                        .type = type,
                        .m = n,
                        .n = n,
                        .a = a,
                        .lda = lda,
                        .triangle = triangle,
                        .area = area,
                        .host_area = host_area,
                        .info = info});
}

unsigned cusolverDnXgeqrf_bufferSize(handle *h, params *p, int64_t m, int64_t n,
                                     unsigned type, const void *a, int64_t lda,
                                     unsigned type_tau, const void *tau,
                                     unsigned computes, size_t *on_device,
                                     size_t *on_host)
{
    return areas("cusolverDnXgeqrf_bufferSize", on_device, on_host);
}

unsigned cusolverDnXgeqrf(handle *h, params *p, int64_t m, int64_t n, unsigned type,
                          void *a, int64_t lda, unsigned type_tau, void *tau,
                          AREAS_GIVEN)
{
    if (!tau || type_tau != type || !is_enough(on_device, on_host) || computes != type)
        return INVALID;
    return start("cusolverDnXgeqrf", h, p,
                 (work){.compute = qr,
                        .type = type,
                        .m = m,
                        .n = n,
                        .a = a,
                        .lda = lda,
                        .values = tau,
                        .area = area,
                        .host_area = host_area,
                        .info = info});
}

static params same = {~(uint64_t)SEAL};

#define REFLECTIONS(name, type_code, element)                                         \
    unsigned name##_bufferSize(handle *h, int m, int n, int k, const element *a,      \
                               int lda, const element *tau, int *length)              \
    {                                                                                 \
        *length = ON_DEVICE / sizeof(element);                                        \
        return fails(#name "_bufferSize");                                            \
    }                                                                                 \
    unsigned name(handle *h, int m, int n, int k, element *a, int lda,                \
                  const element *tau, element *area, int length, int *info)           \
    {                                                                                 \
        if (k > n || n > m || k < 1 || !tau || length * sizeof(element) != ON_DEVICE) \
            return INVALID;                                                           \
        return start(#name, h, &same,                                                 \
                     (work){.compute = reflections,                                   \
                            .type = type_code,                                        \
                            .m = m,                                                   \
                            .n = n,                                                   \
                            .k = k,                                                   \
                            .a = a,                                                   \
                            .lda = lda,                                               \
                            .values = (void *)tau,                                    \
                            .area = area,                                             \
                            .info = info});                                           \
    }
REFLECTIONS(cusolverDnSorgqr, R_32F, float)
REFLECTIONS(cusolverDnDorgqr, R_64F, double)
REFLECTIONS(cusolverDnCungqr, C_32F, complex float)
#ifndef LACKS
REFLECTIONS(cusolverDnZungqr, C_64F, complex double)
#endif

unsigned cusolverDnXsyevd_bufferSize(handle *h, params *p, unsigned vectors,
                                     unsigned triangle, int64_t n, unsigned type,
                                     const void *a, int64_t lda, unsigned type_values,
                                     const void *values, unsigned computes,
                                     size_t *on_device, size_t *on_host)
{
    return areas("cusolverDnXsyevd_bufferSize", on_device, on_host);
}

unsigned cusolverDnXsyevd(handle *h, params *p, unsigned vectors, unsigned triangle,
                          int64_t n, unsigned type, void *a, int64_t lda,
                          unsigned type_values, void *values, AREAS_GIVEN)
{
    if (triangle > 1 || vectors > 1 || !values || type_values != (type & 1) ||
        !is_enough(on_device, on_host) || computes != type)
        return INVALID;
    return start("cusolverDnXsyevd", h, p,
                 (work){.compute = eigen,
                        .type = type,
                        .m = n,
                        .n = n,
                        .a = a,
                        .lda = lda,
                        .triangle = triangle,
                        .vectors = vectors,
                        .values = values,
                        .area = area,
                        .host_area = host_area,
                        .info = info});
}

unsigned cusolverDnXgesvd_bufferSize(
    handle *h, params *p, signed char job_u, signed char job_vh, int64_t m, int64_t n,
    unsigned type, const void *a, int64_t lda, unsigned type_values, const void *values,
    unsigned type_u, const void *u, int64_t ldu, unsigned type_vh, const void *vh,
    int64_t ldvh, unsigned computes, size_t *on_device, size_t *on_host)
{
    return areas("cusolverDnXgesvd_bufferSize", on_device, on_host);
}

unsigned cusolverDnXgesvd(handle *h, params *p, signed char job_u, signed char job_vh,
                          int64_t m, int64_t n, unsigned type, void *a, int64_t lda,
                          unsigned type_values, void *values, unsigned type_u, void *u,
                          int64_t ldu, unsigned type_vh, void *vh, int64_t ldvh,
                          AREAS_GIVEN)
{
    int has_vectors = job_u != 'N';
    if (m < n || job_u != job_vh || !strchr("NSA", job_u) || !values ||
        (has_vectors && (!u || !vh || ldu < m || ldvh < n)) ||
        type_values != (type & 1) || type_u != type || type_vh != type ||
        !is_enough(on_device, on_host) || computes != type)
        return INVALID;
    return start("cusolverDnXgesvd", h, p,
                 (work){.compute = svd,
                        .type = type,
                        .m = m,
                        .n = n,
                        .a = a,
                        .lda = lda,
                        .vectors = has_vectors,
                        .is_full = job_u == 'A',
                        .values = values,
                        .b = u,
                        .ldb = ldu,
                        .c = vh,
                        .ldc = ldvh,
                        .area = area,
                        .host_area = host_area,
                        .info = info});
}

unsigned cusolverDnXgesvdp_bufferSize(handle *h, params *p, unsigned vectors,
                                      int is_thin, int64_t m, int64_t n, unsigned type,
                                      const void *a, int64_t lda, unsigned type_values,
                                      const void *values, unsigned type_u,
                                      const void *u, int64_t ldu, unsigned type_v,
                                      const void *v, int64_t ldv, unsigned computes,
                                      size_t *on_device, size_t *on_host)
{
    return areas("cusolverDnXgesvdp_bufferSize", on_device, on_host);
}

/* It waits and wants places for vectors in any case, as NVIDIA's does. */
unsigned cusolverDnXgesvdp(handle *h, params *p, unsigned vectors, int is_thin,
                           int64_t m, int64_t n, unsigned type, void *a, int64_t lda,
                           unsigned type_values, void *values, unsigned type_u, void *u,
                           int64_t ldu, unsigned type_v, void *v, int64_t ldv,
                           AREAS_GIVEN, double *error)
{
    if (m < n || vectors > 1 || !values || !u || !v || ldu < m || ldv < n ||
        type_values != (type & 1) || type_u != type || type_v != type ||
        !is_enough(on_device, on_host) || computes != type || !error)
        return INVALID;
    unsigned status = start("cusolverDnXgesvdp", h, p,
                            (work){.compute = svd,
                                   .type = type,
                                   .m = m,
                                   .n = n,
                                   .a = a,
                                   .lda = lda,
                                   .vectors = vectors,
                                   .is_full = !is_thin,
                                   .is_polar = 1,
                                   .values = values,
                                   .b = u,
                                   .ldb = ldu,
                                   .c = v,
                                   .ldc = ldv,
                                   .area = area,
                                   .host_area = host_area,
                                   .info = info});
    if (status)
        return status;
    ((CUresult(*)(CUstream))driver("cuStreamSynchronize"))(h->stream);
    *error = *info == 0x7fffffff ? 1e-10 : 0;
    *info = *info == 0x7fffffff ? 0 : *info;
    return SUCCESS;
}

#ifndef OLD
#include "libraries_fake_eigen.h"
#endif
