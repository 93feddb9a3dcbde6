/* Factorisations by cuSOLVER, and what is done with them, of one matrix of a stack
   after the other. It has matrices column by column: which of them is the transpose of
   which is for the caller to say. The context's pool lends the memory in which it works
   on the device for one call; that on the host is ours, and kept until the work is
   done. */
#include <stdlib.h>
#include "loading.h"

/* cudaDataType of elements and of real numbers of that precision, and bytes. */
static const struct {
    unsigned type, real;
    size_t size, real_size;
} codes[LIB_TYPE_COUNT] = {
    [LIB_F32] = {0, 0, 4, 4},
    [LIB_F64] = {1, 1, 8, 8},
    [LIB_C64] = {4, 0, 8, 4},
    [LIB_C128] = {5, 1, 16, 8},
};

typedef struct {
    const lib_solver *solver;
    const lib_factors *factors;
    lib_handle *with; /* lent */
    unsigned type, real;
    size_t on_device, on_host; /* bytes of the areas */
    void *area, *host_area;
    CUresult marked; /* what came of telling that a result is not exact */
} job;

/* -- Where the parts of matrix number i lie -------------------------------------- */

static void *place(CUdeviceptr first, size_t bytes, long long i)
{
    return (void *)(uintptr_t)(first + bytes * i);
}

static void *a_of(const job *j, long long i)
{
    const lib_factors *f = j->factors;
    return place(f->a, codes[f->type].size * f->m * f->n, i);
}

static void *b_of(const job *j, long long i)
{
    const lib_factors *f = j->factors;
    return place(f->b, codes[f->type].size * f->m * f->k, i);
}

static void *c_of(const job *j, long long i)
{
    const lib_factors *f = j->factors;
    return place(f->c, codes[f->type].size * f->n * f->n, i);
}

static int64_t *pivots_of(const job *j, long long i)
{
    return place(j->factors->values, sizeof(int64_t) * j->factors->n, i);
}

static void *real_values_of(const job *j, long long i)
{
    const lib_factors *f = j->factors;
    return place(f->values, codes[f->type].real_size * f->n, i);
}

static void *tau_of(const job *j, long long i)
{
    const lib_factors *f = j->factors;
    return place(f->values, codes[f->type].size * f->k, i);
}

static int *info_of(const job *j, long long i)
{
    return place(j->factors->info, sizeof(int), i);
}

/* -- Each of them: how much memory it works in; one matrix --------------------------
 */

#define SOLVER(j, name, ...) \
    (j)->solver->name((j)->with->solver, (j)->with->params, __VA_ARGS__)
#define AREAS(j) (j)->area, (j)->on_device, (j)->host_area, (j)->on_host

static unsigned lu_ask(job *j)
{
    long long n = j->factors->n;
    return SOLVER(j, cusolverDnXgetrf_bufferSize, n, n, j->type, a_of(j, 0), n, j->type,
                  &j->on_device, &j->on_host);
}

static unsigned lu_run(job *j, long long i)
{
    long long n = j->factors->n;
    return SOLVER(j, cusolverDnXgetrf, n, n, j->type, a_of(j, i), n, pivots_of(j, i),
                  j->type, AREAS(j), info_of(j, i));
}

static unsigned lu_solve_ask(job *j)
{
    j->on_device = j->on_host = 0;
    return 0;
}

static unsigned lu_solve_run(job *j, long long i)
{
    const lib_factors *f = j->factors;
    return SOLVER(j, cusolverDnXgetrs, f->is_transposed, f->n, f->k, j->type,
                  a_of(j, i), f->n, pivots_of(j, i), j->type, b_of(j, i), f->n,
                  info_of(j, i));
}

static unsigned cholesky_ask(job *j)
{
    long long n = j->factors->n;
    return SOLVER(j, cusolverDnXpotrf_bufferSize, j->factors->is_upper, n, j->type,
                  a_of(j, 0), n, j->type, &j->on_device, &j->on_host);
}

static unsigned cholesky_run(job *j, long long i)
{
    long long n = j->factors->n;
    return SOLVER(j, cusolverDnXpotrf, j->factors->is_upper, n, j->type, a_of(j, i), n,
                  j->type, AREAS(j), info_of(j, i));
}

static unsigned qr_ask(job *j)
{
    const lib_factors *f = j->factors;
    return SOLVER(j, cusolverDnXgeqrf_bufferSize, f->m, f->n, j->type, a_of(j, 0), f->m,
                  j->type, tau_of(j, 0), j->type, &j->on_device, &j->on_host);
}

static unsigned qr_run(job *j, long long i)
{
    const lib_factors *f = j->factors;
    return SOLVER(j, cusolverDnXgeqrf, f->m, f->n, j->type, a_of(j, i), f->m, j->type,
                  tau_of(j, i), j->type, AREAS(j), info_of(j, i));
}

/* Each type has an entry of its own, whose lengths are ints, in elements. */
#define REFLECTIONS(TYPE)                          \
    TYPE(LIB_F32, cusolverDnSorgqr, float)         \
    TYPE(LIB_F64, cusolverDnDorgqr, double)        \
    TYPE(LIB_C64, cusolverDnCungqr, struct float2) \
    TYPE(LIB_C128, cusolverDnZungqr, struct double2)

static unsigned reflections_ask(job *j)
{
    const lib_factors *f = j->factors;
    int m = (int)f->m, n = (int)f->n, k = (int)f->k, length = 0;
    unsigned status = 0;
    switch (f->type) {
#define TYPE(id, name, element)                                                        \
    case id:                                                                           \
        status = j->solver->name##_bufferSize(j->with->solver, m, n, k, a_of(j, 0), m, \
                                              tau_of(j, 0), &length);                  \
        break;
        REFLECTIONS(TYPE)
#undef TYPE
    default:
        break;
    }
    j->on_device = length * codes[f->type].size;
    j->on_host = 0;
    return status;
}

static unsigned reflections_run(job *j, long long i)
{
    const lib_factors *f = j->factors;
    int m = (int)f->m, n = (int)f->n, k = (int)f->k;
    int length = (int)(j->on_device / codes[f->type].size);
    switch (f->type) {
#define TYPE(id, name, element)                                                       \
    case id:                                                                          \
        return j->solver->name(j->with->solver, m, n, k, a_of(j, i), m, tau_of(j, i), \
                               j->area, length, info_of(j, i));
        REFLECTIONS(TYPE)
#undef TYPE
    default:
        return 0;
    }
}

static unsigned eigen_ask(job *j)
{
    const lib_factors *f = j->factors;
    return SOLVER(j, cusolverDnXsyevd_bufferSize, f->has_vectors, f->is_upper, f->n,
                  j->type, a_of(j, 0), f->n, j->real, real_values_of(j, 0), j->type,
                  &j->on_device, &j->on_host);
}

static unsigned eigen_run(job *j, long long i)
{
    const lib_factors *f = j->factors;
    return SOLVER(j, cusolverDnXsyevd, f->has_vectors, f->is_upper, f->n, j->type,
                  a_of(j, i), f->n, j->real, real_values_of(j, i), j->type, AREAS(j),
                  info_of(j, i));
}

/* What the entry calls it: all vectors of a matrix, as many as it has columns, none. */
static signed char which_vectors(const lib_factors *f)
{
    return !f->has_vectors ? 'N' : f->k == f->m ? 'A' : 'S';
}

static unsigned svd_ask(job *j)
{
    const lib_factors *f = j->factors;
    signed char which = which_vectors(f);
    return SOLVER(j, cusolverDnXgesvd_bufferSize, which, which, f->m, f->n, j->type,
                  a_of(j, 0), f->m, j->real, real_values_of(j, 0), j->type, b_of(j, 0),
                  f->m, j->type, c_of(j, 0), f->n, j->type, &j->on_device, &j->on_host);
}

static unsigned svd_run(job *j, long long i)
{
    const lib_factors *f = j->factors;
    signed char which = which_vectors(f);
    return SOLVER(j, cusolverDnXgesvd, which, which, f->m, f->n, j->type, a_of(j, i),
                  f->m, j->real, real_values_of(j, i), j->type, b_of(j, i), f->m,
                  j->type, c_of(j, i), f->n, j->type, AREAS(j), info_of(j, i));
}

static unsigned polar_ask(job *j)
{
    const lib_factors *f = j->factors;
    return SOLVER(j, cusolverDnXgesvdp_bufferSize, f->has_vectors, f->k != f->m, f->m,
                  f->n, j->type, a_of(j, 0), f->m, j->real, real_values_of(j, 0),
                  j->type, b_of(j, 0), f->m, j->type, c_of(j, 0), f->n, j->type,
                  &j->on_device, &j->on_host);
}

/* It waits for the device. Of a matrix that is singular, or nearly, it computes those
   of one nearby, and says how far that is. */
static unsigned polar_run(job *j, long long i)
{
    const lib_factors *f = j->factors;
    double error = 0;
    unsigned status = SOLVER(
        j, cusolverDnXgesvdp, f->has_vectors, f->k != f->m, f->m, f->n, j->type,
        a_of(j, i), f->m, j->real, real_values_of(j, i), j->type, b_of(j, i), f->m,
        j->type, c_of(j, i), f->n, j->type, AREAS(j), info_of(j, i), &error);
    if (!status && error != 0 && !j->marked)
        j->marked =
            cu.cuMemsetD32Async(f->info + sizeof(int) * i, LIB_INEXACT, 1, f->stream);
    return status;
}

/* All matrices at once. */
static unsigned eigen_of_stack_ask(job *j)
{
    const lib_factors *f = j->factors;
    return SOLVER(j, cusolverDnXsyevBatched_bufferSize, f->has_vectors, f->is_upper,
                  f->n, j->type, a_of(j, 0), f->n, j->real, real_values_of(j, 0),
                  j->type, &j->on_device, &j->on_host, f->count);
}

static unsigned eigen_of_stack_run(job *j, long long i)
{
    const lib_factors *f = j->factors;
    return SOLVER(j, cusolverDnXsyevBatched, f->has_vectors, f->is_upper, f->n, j->type,
                  a_of(j, i), f->n, j->real, real_values_of(j, i), j->type, AREAS(j),
                  info_of(j, i), f->count);
}

/* Values are complex ones, of real matrices, too. */
static void *complex_values_of(const job *j, long long i)
{
    const lib_factors *f = j->factors;
    return place(f->values, 2 * codes[f->type].real_size * f->n, i);
}

static unsigned general_ask(job *j)
{
    const lib_factors *f = j->factors;
    unsigned values = j->real + codes[LIB_C64].type;
    return SOLVER(j, cusolverDnXgeev_bufferSize, 0, f->has_vectors, f->n, j->type,
                  a_of(j, 0), f->n, values, complex_values_of(j, 0), j->type, NULL,
                  f->n, j->type, c_of(j, 0), f->n, j->type, &j->on_device, &j->on_host);
}

static unsigned general_run(job *j, long long i)
{
    const lib_factors *f = j->factors;
    unsigned values = j->real + codes[LIB_C64].type;
    return SOLVER(j, cusolverDnXgeev, 0, f->has_vectors, f->n, j->type, a_of(j, i),
                  f->n, values, complex_values_of(j, i), j->type, NULL, f->n, j->type,
                  c_of(j, i), f->n, j->type, AREAS(j), info_of(j, i));
}

typedef struct {
    const char *routine;
    unsigned (*ask)(job *);
    unsigned (*run)(job *, long long i);
    int is_of_stack; /* one run computes all */
} routine;

static const routine eigen_of_stack = {"cusolverDnXsyevBatched", eigen_of_stack_ask,
                                       eigen_of_stack_run, 1};
static const routine routines[] = {
    [LIB_LU] = {"cusolverDnXgetrf", lu_ask, lu_run},
    [LIB_LU_SOLVE] = {"cusolverDnXgetrs", lu_solve_ask, lu_solve_run},
    [LIB_CHOLESKY] = {"cusolverDnXpotrf", cholesky_ask, cholesky_run},
    [LIB_QR] = {"cusolverDnXgeqrf", qr_ask, qr_run},
    [LIB_REFLECTIONS] = {NULL, reflections_ask, reflections_run},
    [LIB_EIGEN] = {"cusolverDnXsyevd", eigen_ask, eigen_run},
    [LIB_SVD] = {"cusolverDnXgesvd", svd_ask, svd_run},
    [LIB_SVD_POLAR] = {"cusolverDnXgesvdp", polar_ask, polar_run},
    [LIB_EIGEN_GENERAL] = {"cusolverDnXgeev", general_ask, general_run},
};

enum { MOST_OF_STACK = 512 }; /* rows; of 1024 it is slower than one by one */

static const routine *which(const job *j)
{
    const lib_factors *f = j->factors;
    return f->kind == LIB_EIGEN && f->count > 1 && f->n <= MOST_OF_STACK &&
                   j->solver->cusolverDnXsyevBatched
               ? &eigen_of_stack
               : &routines[f->kind];
}

static const char *routine_of(const job *j)
{
    const lib_factors *f = j->factors;
#define TYPE(id, name, element) [id] = #name,
    static const char *const names[LIB_TYPE_COUNT] = {REFLECTIONS(TYPE)};
#undef TYPE
    return f->kind == LIB_REFLECTIONS ? names[f->type] : which(j)->routine;
}

/* -- All of them ---------------------------------------------------------------- */

static unsigned make(const void *entries, lib_handle *handle, const char **routine)
{
    const lib_solver *solver = entries;
    *routine = "cusolverDnCreate";
    unsigned status = solver->cusolverDnCreate(&handle->solver);
    if (status)
        return status;
    *routine = "cusolverDnCreateParams";
    status = solver->cusolverDnCreateParams(&handle->params);
    if (status)
        solver->cusolverDnDestroy(handle->solver);
    return status;
}

static unsigned run_all(job *j)
{
    const routine *r = which(j);
    long long runs = r->is_of_stack ? 1 : j->factors->count;
    unsigned status = 0;
    for (long long i = 0; !status && i < runs; i++)
        status = r->run(j, i);
    return status;
}

/* In areas of the sizes that were asked for. Long ones wait for the device: the GIL is
   let go. */
static const char *work(bd_state *state, job *j)
{
    const lib_factors *f = j->factors;
    CUdeviceptr area = 0;
    const char *routine = NULL;
    PyObject *memory = bd_allocate(state, NULL, NULL, j->on_device, &area);
    j->area = (void *)(uintptr_t)area;
    j->host_area = memory && j->on_host ? malloc(j->on_host) : NULL;
    if (memory && j->on_host && !j->host_area)
        PyErr_NoMemory();
    else if (memory) {
        unsigned status = BD_UNLOCKED((CUresult)run_all(j));
        CUresult waited =
            j->on_host ? BD_UNLOCKED(cu.cuStreamSynchronize(f->stream)) : CUDA_SUCCESS;
        if (status)
            lib_raise(state, LIB_SOLVER, status, routine_of(j));
        else if (!bd_check(state, waited, "cuStreamSynchronize") &&
                 !bd_check(state, j->marked, "cuMemsetD32Async"))
            routine = routine_of(j);
    }
    free(j->host_area);
    Py_XDECREF(memory); /* given back in the order of the stream */
    return routine;
}

static const char *call(bd_state *state, job *j)
{
    const lib_factors *f = j->factors;
    unsigned status = BD_BRIEFLY(
        state, (CUresult)j->solver->cusolverDnSetStream(j->with->solver, f->stream));
    if (status)
        return lib_raise(state, LIB_SOLVER, status, "cusolverDnSetStream");
    status = BD_BRIEFLY(state, (CUresult)which(j)->ask(j));
    if (status)
        return lib_raise(state, LIB_SOLVER, status, routine_of(j));
    return work(state, j);
}

const char *lib_factor(bd_context *context, const lib_factors *factors)
{
    bd_state *state = bd_context_state(context);
    const lib_solver *solver = lib_entries(state, LIB_SOLVER);
    int fits = factors->m <= INT_MAX && factors->n <= INT_MAX && factors->k <= INT_MAX;
    if (!solver || !codes[factors->type].size || !fits ||
        (factors->kind == LIB_EIGEN_GENERAL && !solver->cusolverDnXgeev))
        return "";
    Py_INCREF((PyObject *)context); /* the GIL is let go */
    lib_handle wanted = {.id = LIB_SOLVER};
    lib_handle *with = lib_handle_lend(context, &wanted, make);
    job j = {.solver = solver,
             .factors = factors,
             .with = with,
             .type = codes[factors->type].type,
             .real = codes[factors->type].real};
    const char *routine = with ? call(state, &j) : NULL;
    if (with)
        lib_handle_return(with);
    Py_DECREF((PyObject *)context);
    return routine;
}

int lib_has_solver(bd_state *state)
{
    return lib_entries(state, LIB_SOLVER) != NULL;
}

int lib_has_eigen_of_stacks(bd_state *state)
{
    const lib_solver *solver = lib_entries(state, LIB_SOLVER);
    return solver && solver->cusolverDnXsyevBatched;
}
