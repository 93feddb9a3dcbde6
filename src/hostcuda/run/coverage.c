/* Coverage: the counters of kernels that were compiled with it (abi/coverage.h).
   Records belong to the process and are never given back, so that a program can ask at
   its end for what kernels of modules long gone have done; an image that is loaded
   again goes on with the record of the first. Each worker adds to an array of its own,
   which it makes when it first runs the kernel; readers add these up, while they may
   still change. The list of records is guarded by the one lock, those of arrays only
   grow. */
#include "coverage.h"

typedef struct counters counters;

struct counters {
    counters *next;
    const hd_worker *worker; /* borrowed: workers live as long as the process */
    hc_counter counter[];
};

typedef struct {
    char name[256];
    uint32_t width;
    _Atomic(counters *) first; /* owned */
} counted_kernel;

struct hd_coverage {
    hd_coverage *next;
    char *description; /* owned */
    size_t number, loads;
    uint32_t ncounters, nkernels;
    counted_kernel kernel[];
};

static hd_coverage *records, **end = &records; /* owned; the oldest first */

/* -- Records ----------------------------------------------------------------------- */

static bool is_of(const hd_coverage *record, const hc_image *image)
{
    if (record->nkernels != image->nkernels ||
        strcmp(record->description, image->coverage) != 0)
        return false;
    for (uint32_t i = 0; i < record->nkernels; i++) {
        if (record->kernel[i].width != image->kernels[i].width)
            return false;
    }
    return true;
}

CUresult hd_coverage_open(const hc_image *image, hd_coverage **coverage)
{
    *coverage = NULL;
    if (!image->coverage)
        return CUDA_SUCCESS;
    for (hd_coverage *record = records; record; record = record->next) {
        if (is_of(record, image)) {
            record->loads++;
            *coverage = record;
            return CUDA_SUCCESS;
        }
    }
    hd_coverage *made =
        calloc(1, sizeof *made + image->nkernels * sizeof *made->kernel);
    char *description = strdup(image->coverage);
    if (!made || !description) {
        free(made);
        free(description);
        return hd_fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for coverage");
    }
    made->description = description;
    made->loads = 1;
    made->ncounters = image->ncounters;
    made->nkernels = image->nkernels;
    for (uint32_t i = 0; i < made->nkernels; i++) {
        snprintf(made->kernel[i].name, sizeof made->kernel[i].name, "%s",
                 image->kernels[i].name);
        made->kernel[i].width = image->kernels[i].width;
    }
    for (hd_coverage *record = records; record; record = record->next)
        made->number++;
    *coverage = *end = made;
    end = &made->next;
    return CUDA_SUCCESS;
}

size_t hd_coverage_number(const hd_coverage *coverage)
{
    return coverage->number;
}

/* -- Counters ---------------------------------------------------------------------- */

static counters *find(const counted_kernel *kernel, const hd_worker *worker)
{
    counters *at = atomic_load_explicit(&kernel->first, memory_order_acquire);

    while (at && at->worker != worker)
        at = at->next;
    return at;
}

static counters *make(counted_kernel *kernel, hd_worker *worker, uint32_t n)
{
    counters *made = calloc(1, sizeof *made + n * sizeof *made->counter);

    if (!made) {
        worker->prepared = 0;
        hd_worker_abort_unlocked(worker, CUDA_ERROR_OUT_OF_MEMORY,
                                 "no memory for %u counters", n);
    }
    made->worker = worker;
    made->next = atomic_load_explicit(&kernel->first, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(
        &kernel->first, &made->next, made, memory_order_release, memory_order_relaxed))
        ;
    return made;
}

void hd_coverage_prepare_unlocked(hd_worker *worker, const hd_launch *launch)
{
    const hd_module *module = launch->function->module;
    hd_coverage *coverage = module->coverage;
    counted_kernel *kernel = &coverage->kernel[launch->function - module->functions];
    counters *mine = find(kernel, worker);
    if (!mine)
        mine = make(kernel, worker, coverage->ncounters);
    worker->bare = false;
    for (uint32_t i = 0; i < worker->nframes; i++)
        worker->frames[i].counters = mine->counter;
}

/* -- Readers ----------------------------------------------------------------------- */

static counted_kernel *kernel_at(size_t number, hd_coverage **owner)
{
    for (*owner = records; *owner; *owner = (*owner)->next) {
        if (number < (*owner)->nkernels)
            return &(*owner)->kernel[number];
        number -= (*owner)->nkernels;
    }
    return NULL;
}

bool hd_coverage_at(size_t number, cuxCoverage *answer)
{
    hd_coverage *owner = NULL;
    const counted_kernel *kernel = kernel_at(number, &owner);

    if (!kernel)
        return false;
    *answer = (cuxCoverage){.description = owner->description,
                            .module = owner->number,
                            .loads = owner->loads,
                            .lanes = kernel->width,
                            .counters = owner->ncounters};
    memcpy(answer->kernel, kernel->name, sizeof answer->kernel);
    return true;
}

bool hd_coverage_counts(size_t number, size_t count, unsigned long long *counts)
{
    hd_coverage *owner = NULL;
    const counted_kernel *kernel = kernel_at(number, &owner);

    if (!kernel)
        return false;
    memset(counts, 0, 3 * count * sizeof *counts);
    count = count < owner->ncounters ? count : owner->ncounters;
    for (const counters *at =
             atomic_load_explicit(&kernel->first, memory_order_acquire);
         at; at = at->next) {
        for (size_t i = 0; i < count; i++) {
            const volatile hc_counter *counter = &at->counter[i];
            counts[3 * i] += counter->full;
            counts[3 * i + 1] += counter->lanes;
            counts[3 * i + 2] += counter->vectors;
        }
    }
    return true;
}
