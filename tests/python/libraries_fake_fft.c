/* Passes for cuFFT on the host device, as libraries_fake_blas.c does for cuBLAS: sums
   of the definition, in the order of the stream. Plans work in memory that they are
   given, which they fill. `plans` counts those that are alive, `made` all; transforms
   from complex numbers to real ones spoil what they read, as cuFFT may. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include "libraries_fake.h"

#ifndef VERSION
#define VERSION 12
#endif

enum { SUCCESS, BAD_PLAN, NO_MEMORY, BAD_TYPE, BAD_VALUE, FAILED = 6, BAD_SIZE = 8 };
enum { C2C = 0x29, R2C = 0x2a, C2R = 0x2c, WIDE = 0x40, AREA = 64, MOST = 1000 };

typedef struct {
    int is_alive, is_automatic, rank;
    unsigned type;
    long long length[3], count;
    CUcontext context;
    CUstream stream;
    char *area;
} plan;

typedef struct {
    plan plan;
    void *from, *to;
    int direction;
} work;

static plan all[MOST];
int plans, made, runs;

static plan *find(int number)
{
    plan *found =
        number > 0 && number < MOST && all[number].is_alive ? &all[number] : NULL;
    wrong_context += found && found->context != current();
    return found;
}

unsigned cufftCreate(int *number)
{
    int status = fails("cufftCreate");
    if (status)
        return status;
    *number = ++made;
    all[made] = (plan){.is_alive = 1, .is_automatic = 1, .context = current()};
    plans++;
    return SUCCESS;
}

unsigned cufftDestroy(int number)
{
    plan *p = find(number);
    if (!p)
        return BAD_PLAN;
    p->is_alive = 0;
    plans--;
    return SUCCESS;
}

unsigned cufftGetProperty(unsigned property, int *value)
{
    *value = property ? 0 : VERSION;
    return SUCCESS;
}

unsigned cufftSetStream(int number, CUstream stream)
{
    int status = fails("cufftSetStream");
    plan *p = find(number);
    if (!p || status)
        return status ? status : BAD_PLAN;
    p->stream = stream;
    return SUCCESS;
}

unsigned cufftSetAutoAllocation(int number, int is_automatic)
{
    plan *p = find(number);
    if (!p || p->rank)
        return BAD_PLAN;
    p->is_automatic = is_automatic;
    return SUCCESS;
}

unsigned cufftMakePlanMany64(int number, int rank, long long *lengths,
                             long long *in_lengths, long long in_stride,
                             long long in_distance, long long *out_lengths,
                             long long out_stride, long long out_distance,
                             unsigned type, long long count, size_t *area)
{
    int status = fails("cufftMakePlanMany64");
    plan *p = find(number);
    unsigned kind = type & ~WIDE;
    if (!p || p->rank || status)
        return status ? status : BAD_PLAN;
    if (kind != C2C && kind != R2C && kind != C2R)
        return BAD_TYPE;
    if (rank < 1 || rank > 3 || count < 1 || in_lengths || out_lengths ||
        p->is_automatic)
        return BAD_VALUE;
    for (int i = 0; i < rank; i++)
        if (lengths[i] < 1)
            return BAD_SIZE;
    memcpy(p->length, lengths, rank * sizeof *lengths);
    p->rank = rank;
    p->type = type;
    p->count = count;
    *area = AREA;
    return SUCCESS;
}

unsigned cufftSetWorkArea(int number, void *area)
{
    plan *p = find(number);
    if (!p || !area)
        return p ? BAD_VALUE : BAD_PLAN;
    p->area = area;
    return SUCCESS;
}

/* -- Sums ----------------------------------------------------------------------- */

static complex double read(const work *w, long long at, int is_real)
{
    if (w->plan.type & WIDE)
        return is_real ? ((double *)w->from)[at] : ((complex double *)w->from)[at];
    return is_real ? ((float *)w->from)[at] : ((complex float *)w->from)[at];
}

static void write(const work *w, long long at, int is_real, complex double value)
{
    if (w->plan.type & WIDE && is_real)
        ((double *)w->to)[at] = creal(value);
    else if (w->plan.type & WIDE)
        ((complex double *)w->to)[at] = value;
    else if (is_real)
        ((float *)w->to)[at] = creal(value);
    else
        ((complex float *)w->to)[at] = value;
}

/* Along one axis: `inner` elements apart. */
static void transform(complex double *x, long long length, long long inner,
                      long long all_elements, int direction)
{
    complex double *line = malloc(2 * length * sizeof *line), *out = line + length;
    for (long long first = 0; first < all_elements; first++) {
        if (first / inner % length)
            continue;
        for (long long i = 0; i < length; i++)
            line[i] = x[first + i * inner];
        for (long long k = 0; k < length; k++) {
            out[k] = 0;
            for (long long i = 0; i < length; i++)
                out[k] += line[i] * cexp(direction * 2 * M_PI * I *
                                         (double)(i * k % length) / length);
        }
        for (long long k = 0; k < length; k++)
            x[first + k * inner] = out[k];
    }
    free(line);
}

static void compute(void *given)
{
    work *w = given;
    const plan *p = &w->plan;
    unsigned kind = p->type & ~WIDE;
    long long size = 1, last = p->length[p->rank - 1], half = last / 2 + 1;
    for (int i = 0; i < p->rank; i++)
        size *= p->length[i];
    complex double *x = malloc(size * sizeof *x);
    memset(p->area, 0xff, AREA);
    for (long long n = 0; n < p->count; n++) {
        for (long long i = 0; i < size; i++) {
            long long row = n * (size / last) + i / last, column = i % last;
            if (kind != C2R)
                x[i] = read(w, n * size + i, kind == R2C);
            else if (column < half) /* of one axis alone, as it is asked for */
                x[i] = read(w, row * half + column, 0);
            else
                x[i] = conj(read(w, row * half + last - column, 0));
        }
        for (long long axis = p->rank - 1, inner = 1; axis >= 0;
             inner *= p->length[axis--])
            transform(x, p->length[axis], inner, size, w->direction);
        for (long long i = 0; i < size; i++) {
            long long row = n * (size / last) + i / last, column = i % last;
            if (kind != R2C)
                write(w, n * size + i, kind == C2R, x[i]);
            else if (column < half)
                write(w, row * half + column, 0, x[i]);
        }
    }
    if (kind == C2R)
        memset(w->from, 0x7f, 8);
    free(x);
    free(w);
}

unsigned cufftXtExec(int number, void *from, void *to, int direction)
{
    int status = fails("cufftXtExec");
    plan *p = find(number);
    if (!p || !p->rank || status)
        return status ? status : BAD_PLAN;
    unsigned kind = p->type & ~WIDE;
    if (!from || !to || from == to || !p->area || (kind == C2R && p->rank > 1) ||
        direction != (kind == R2C   ? -1
                      : kind == C2R ? 1
                                    : direction))
        return BAD_VALUE;
    runs++;
    work *w = malloc(sizeof *w);
    *w = (work){*p, from, to, direction};
    CUresult (*launch)(CUstream, void (*)(void *), void *) = driver("cuLaunchHostFunc");
    return launch(p->stream, compute, w) ? FAILED : SUCCESS;
}
