/* Passes for cuSPARSE on the host device, as libraries_fake_blas.c does for cuBLAS:
   sums of the definition, in the order of the stream that it is told, in memory that it
   is given, which it fills. `handles` and `descriptors` count those that are alive,
   `runs` products; `arguments` has those of the last one: algorithm, type, type of
   indices, columns of a dense matrix and the distance of its rows. LACKS, VERSION and
   MINOR make it another library. */
#include <complex.h>
#include <stdint.h>
#include "libraries_fake.h"

#ifndef VERSION
#define VERSION 12
#endif
#ifndef MINOR
#define MINOR 5
#endif

enum { SUCCESS, NOT_INITIALIZED, NO_MEMORY, INVALID, FAILED = 6 };
enum { R_32F = 0, R_64F = 1, C_32F = 4, C_64F = 5, I32 = 2, I64 = 3, ROWS = 2 };
enum { AREA = 96, SEAL = 0x70617273 };

typedef struct {
    uint64_t seal; /* so that what is no handle is known */
    CUcontext context;
    CUstream stream;
} handle;

/* A sparse matrix, or a dense one. */
typedef struct {
    int64_t rows, columns, distance;
    unsigned type, index;
    char *values, *starts, *indices;
    int64_t elements;
} operand;

typedef struct {
    operand a, x, y;
    char *area;
} work;

int handles, descriptors, runs;
long long arguments[5];

static int is_usable(const handle *given)
{
    if (!given || given->seal != SEAL)
        return 0;
    wrong_context += current() != given->context;
    return current() == given->context;
}

unsigned cusparseCreate(handle **made)
{
    int status = fails("cusparseCreate");
    if (status)
        return status;
    *made = calloc(1, sizeof **made);
    **made = (handle){SEAL, current(), NULL};
    handles++;
    return (*made)->context ? SUCCESS : NOT_INITIALIZED;
}

unsigned cusparseDestroy(handle *given)
{
    if (!is_usable(given))
        return NOT_INITIALIZED;
    handles--;
    free(given);
    return SUCCESS;
}

unsigned cusparseGetProperty(unsigned property, int *value)
{
    *value = property == 0 ? VERSION : property == 1 ? MINOR : 0;
    return property < 3 ? SUCCESS : INVALID;
}

unsigned cusparseSetStream(handle *given, CUstream stream)
{
    int status = fails("cusparseSetStream");
    if (status || !is_usable(given))
        return status ? status : NOT_INITIALIZED;
    given->stream = stream;
    return SUCCESS;
}

/* -- Descriptors ---------------------------------------------------------------- */

static unsigned keep(operand **made, operand value)
{
    int is_type = value.type == R_32F || value.type == R_64F || value.type == C_32F ||
                  value.type == C_64F;
    if (value.rows < 1 || value.columns < 1 || !value.values || !is_type)
        return INVALID;
    *made = malloc(sizeof **made);
    **made = value;
    descriptors++;
    return SUCCESS;
}

static unsigned drop(const operand *given)
{
    if (!given)
        return INVALID;
    descriptors--;
    free((void *)given);
    return SUCCESS;
}

unsigned cusparseCreateCsr(operand **made, int64_t rows, int64_t columns,
                           int64_t elements, void *starts, void *indices, void *values,
                           unsigned of_starts, unsigned of_indices, unsigned base,
                           unsigned type)
{
    int status = fails("cusparseCreateCsr");
    if (status || of_starts != of_indices || (of_starts != I32 && of_starts != I64) ||
        base || elements < 1 || !starts || !indices)
        return status ? status : INVALID;
    return keep(made, (operand){rows, columns, 0, type, of_starts, values, starts,
                                indices, elements});
}

unsigned cusparseCreateDnMat(operand **made, int64_t rows, int64_t columns,
                             int64_t distance, void *values, unsigned type,
                             unsigned order)
{
    int status = fails("cusparseCreateDnMat");
    if (status || order != ROWS || distance < columns)
        return status ? status : INVALID;
    return keep(made, (operand){rows, columns, distance, type, 0, values});
}

unsigned cusparseDestroySpMat(const operand *given)
{
    return drop(given);
}

unsigned cusparseDestroyDnMat(const operand *given)
{
    return drop(given);
}

/* -- Products ------------------------------------------------------------------- */

static complex double read(const operand *o, int64_t at)
{
    switch (o->type) {
    case R_32F:
        return ((const float *)o->values)[at];
    case R_64F:
        return ((const double *)o->values)[at];
    case C_32F:
        return ((const complex float *)o->values)[at];
    }
    return ((const complex double *)o->values)[at];
}

static void write(const operand *o, int64_t at, complex double value)
{
    switch (o->type) {
    case R_32F:
        ((float *)o->values)[at] = creal(value);
        return;
    case R_64F:
        ((double *)o->values)[at] = creal(value);
        return;
    case C_32F:
        ((complex float *)o->values)[at] = value;
        return;
    }
    ((complex double *)o->values)[at] = value;
}

static int64_t number(const operand *a, const char *numbers, int64_t at)
{
    return a->index == I64 ? ((const int64_t *)numbers)[at]
                           : ((const int32_t *)numbers)[at];
}

static void compute(void *given)
{
    work *w = given;
    const operand *a = &w->a, *x = &w->x, *y = &w->y;
    memset(w->area, 0xff, AREA);
    for (int64_t row = 0; row < y->rows; row++)
        for (int64_t column = 0; column < y->columns; column++) {
            complex double sum = 0;
            int64_t end = number(a, a->starts, row + 1);
            for (int64_t k = number(a, a->starts, row); k < end; k++)
                sum += read(a, k) *
                       read(x, number(a, a->indices, k) * x->distance + column);
            write(y, row * y->distance + column, sum);
        }
    free(w);
}

static int is_one(const void *scalar, unsigned type, double wanted)
{
    operand o = {.type = type, .values = (char *)scalar};
    return read(&o, 0) == wanted;
}

static int fit(const operand *a, const operand *x, const operand *y, const void *alpha,
               const void *beta, unsigned type)
{
    return a && x && y && a->starts && a->columns == x->rows && a->rows == y->rows &&
           x->columns == y->columns && a->type == type && x->type == type &&
           y->type == type && is_one(alpha, type, 1) && is_one(beta, type, 0);
}

static unsigned run(handle *with, const char *name, const operand *a, const operand *x,
                    const operand *y, const void *alpha, const void *beta,
                    unsigned type, unsigned algorithm, void *area)
{
    int status = fails(name);
    if (status || !is_usable(with))
        return status ? status : NOT_INITIALIZED;
    if (!fit(a, x, y, alpha, beta, type) || !area)
        return INVALID;
    long long seen[] = {algorithm, type, a->index, x->columns, x->distance};
    memcpy(arguments, seen, sizeof seen);
    runs++;
    work *w = malloc(sizeof *w);
    *w = (work){*a, *x, *y, area};
    CUresult (*launch)(CUstream, void (*)(void *), void *) = driver("cuLaunchHostFunc");
    return launch(with->stream, compute, w) ? FAILED : SUCCESS;
}

static unsigned ask(handle *with, const char *name, const operand *a, const operand *x,
                    const operand *y, const void *alpha, const void *beta,
                    unsigned type, size_t *bytes)
{
    int status = fails(name);
    if (status || !is_usable(with))
        return status ? status : NOT_INITIALIZED;
    *bytes = AREA;
    return fit(a, x, y, alpha, beta, type) ? SUCCESS : INVALID;
}

unsigned cusparseSpMM_bufferSize(handle *with, unsigned operation_a,
                                 unsigned operation_x, const void *alpha,
                                 const operand *a, const operand *x, const void *beta,
                                 operand *y, unsigned type, unsigned algorithm,
                                 size_t *bytes)
{
    return operation_a | operation_x ? INVALID
                                     : ask(with, "cusparseSpMM_bufferSize", a, x, y,
                                           alpha, beta, type, bytes);
}

#ifndef LACKS
unsigned cusparseSpMM(handle *with, unsigned operation_a, unsigned operation_x,
                      const void *alpha, const operand *a, const operand *x,
                      const void *beta, operand *y, unsigned type, unsigned algorithm,
                      void *area)
{
    return operation_a | operation_x
               ? INVALID
               : run(with, "cusparseSpMM", a, x, y, alpha, beta, type, algorithm, area);
}
#endif
