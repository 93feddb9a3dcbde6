/* Samples: where in kernels that count lines time is spent. A timer of the process's
   processor time interrupts whichever thread has used up the interval; if that runs a
   kernel, its instruction is counted, in a table that only ever grows. Which line that
   is, is looked up when somebody asks, or when the module goes. */
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include "coverage.h"
#include "faults.h"
#include "samples.h"

#define INSTRUCTIONS (1u << 16) /* different ones that are kept apart */

static struct {
    _Atomic(const char *) at;
    _Atomic uint64_t count;
} seen[INSTRUCTIONS];

static _Atomic bool is_on;
static hd_module *modules; /* borrowed: those that are looked for */
static cuxSample *samples; /* owned */
static size_t nsamples, capacity;

/* -- In the signal ----------------------------------------------------------------- */

static void handler(int signal, siginfo_t *info, void *machine)
{
    hd_worker *worker = hd_self ? hd_self->worker : NULL;
    const hd_work *work = worker && worker->armed ? worker->work : NULL;
    const char *at = HD_INSTRUCTION(&((const ucontext_t *)machine)->uc_mcontext);

    if (!work || at < work->code || at >= work->code_end)
        return;
    uint32_t slot = (uint32_t)((uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15) >> 48);
    for (uint32_t i = 0; i < INSTRUCTIONS; i++, slot++) {
        const char *there = NULL;
        slot %= INSTRUCTIONS;
        if (atomic_compare_exchange_strong(&seen[slot].at, &there, at) || there == at) {
            atomic_fetch_add_explicit(&seen[slot].count, 1, memory_order_relaxed);
            return;
        }
    }
}

static bool has_handler(void)
{
    struct sigaction now;

    return sigaction(SIGPROF, NULL, &now) == 0 && now.sa_sigaction == handler;
}

CUresult hd_samples_set(unsigned microseconds)
{
    struct sigaction action = {.sa_sigaction = handler,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    struct sigaction now;
    struct timeval each = {microseconds / 1000000, microseconds % 1000000};

    sigaction(SIGPROF, NULL, &now);
    if (microseconds == 0 && !has_handler())
        return CUDA_SUCCESS;
    HD_FAIL_IF(!has_handler() && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN,
               CUDA_ERROR_NOT_PERMITTED,
               "another profiler of this process uses the signal SIGPROF");
    atomic_store(&is_on, microseconds != 0);
    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL); /* and stays: a last signal may be under way */
    HD_FAIL_IF(setitimer(ITIMER_PROF, &(struct itimerval){each, each}, NULL) != 0,
               CUDA_ERROR_OPERATING_SYSTEM, "no timer: %s", strerror(errno));
    return CUDA_SUCCESS;
}

void hd_samples_prepare_unlocked(void)
{
    sigset_t open;

    if (!atomic_load_explicit(&is_on, memory_order_relaxed))
        return;
    sigemptyset(&open);
    sigaddset(&open, SIGPROF);
    pthread_sigmask(SIG_UNBLOCK, &open, NULL);
}

/* -- Lines ------------------------------------------------------------------------- */

static void keep(size_t module, const char *place, uint64_t count)
{
    for (size_t i = 0; i < nsamples; i++) {
        if (samples[i].module == module && strcmp(samples[i].place, place) == 0) {
            samples[i].count += count;
            return;
        }
    }
    if (hd_array_grow(&samples, sizeof *samples, nsamples, &capacity) != CUDA_SUCCESS)
        return;
    samples[nsamples] = (cuxSample){.module = module, .count = count};
    snprintf(samples[nsamples++].place, sizeof samples->place, "%s", place);
}

static void collect(const hd_module *module)
{
    char place[sizeof samples->place];

    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        const char *at = atomic_load(&seen[i].at);
        if (at < module->code->image.code || at >= module->code->image.code_end)
            continue;
        uint64_t count = atomic_exchange(&seen[i].count, 0);
        if (count == 0)
            continue;
        hd_line_table_describe_unlocked(module->code->line_table, module->image, at,
                                        place, sizeof place);
        keep(hd_coverage_number(module->coverage), place, count);
    }
}

void hd_samples_add(hd_module *module)
{
    if (!module->coverage)
        return;
    module->next_sampled = modules;
    modules = module;
}

void hd_samples_remove(hd_module *module)
{
    for (hd_module **at = &modules; *at; at = &(*at)->next_sampled) {
        if (*at != module)
            continue;
        collect(module);
        *at = module->next_sampled;
        return;
    }
}

const cuxSample *hd_sample_at(size_t number)
{
    for (hd_module *module = modules; module && number == 0;
         module = module->next_sampled)
        collect(module);
    return number < nsamples ? &samples[number] : NULL;
}
