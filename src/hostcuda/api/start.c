/* cuInit: what the environment and the machine say, and what each file needs to have
   started. On top of all others.

   Nothing happens before cuInit; threads of our own start when there is work for them
   (thread_pool.c). A fork leaves the child with our state but without our threads, so
   the child is told that CUDA is not initialised, as the real driver does. */
#include <sys/mman.h>
#include <unistd.h>

#include "entry.h"
#include "hostcuda/core/system_limits.h"
#include "hostcuda/core/written_memory.h"
#include "hostcuda/run/check_reports.h"
#include "hostcuda/run/faults.h"
#include "hostcuda/run/migration.h"
#include "hostcuda/run/queues.h"
#include "hostcuda/run/waits.h"
#include "contexts.h"
#include "mempools.h"

/* -- The environment --------------------------------------------------------------- */

/* A number with an optional K, M or G after it, from 1 to limit. */
static CUresult environment_number(const char *name, size_t limit, size_t *value)
{
    const char *text = getenv(name);
    char *end = NULL;

    if (!text || *text == '\0')
        return CUDA_SUCCESS;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *suffix = *end != '\0' ? strchr("KMG", *end & ~0x20) : NULL;
    if (suffix && limit > 1024 && end[1] == '\0') {
        unsigned shift = (*end & ~0x20) == 'K' ? 10 : (*end & ~0x20) == 'M' ? 20 : 30;
        end++;
        if (number > UINT64_MAX >> shift)
            errno = ERANGE;
        number <<= shift;
    }
    if (errno != 0 || *end != '\0' || *text == '-' || number == 0 || number > limit) {
        fprintf(stderr, "%s=%s: must be a number from 1 to %zu\n", name, text, limit);
        return hd_fail(CUDA_ERROR_INVALID_VALUE,
                       "%s=%s: must be a number from 1 to %zu", name, text, limit);
    }
    *value = number;
    return CUDA_SUCCESS;
}

/* Name and clock of the devices: those of the first processor in /proc/cpuinfo. */
static void describe_processor(void)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256], model[64] = "unknown processor";
    double megahertz = 0;

    while (file && fgets(line, sizeof line, file) && line[0] != '\n') {
        char *value = strchr(line, ':');
        if (!value)
            continue;
        value += 1 + strspn(value + 1, " ");
        value[strcspn(value, "\n")] = '\0';
        if (strncmp(line, "model name", 10) == 0)
            snprintf(model, sizeof model, "%.60s", value);
        else if (strncmp(line, "cpu MHz", 7) == 0)
            megahertz = strtod(value, NULL);
    }
    if (file)
        fclose(file);
    hd.clock_khz = megahertz > 0 ? (int)(megahertz * 1000) : 1000000;
    snprintf(hd.name, sizeof hd.name, "Host CPU (%s, %u thread%s)", model, hd.nthreads,
             hd.nthreads == 1 ? "" : "s");
}

/* -- The start --------------------------------------------------------------------- */

static void forked(void)
{
    atomic_store(&hd.state, HD_FORKED);
}

static void thread_ends_unlocked(hd_thread *thread)
{
    if (hd.state == HD_READY) {
        hd_lock();
        hd_forget_waiter(thread);
        hd_contexts_forget_thread(thread);
        hd_unlock();
    }
    hd_faults_end_thread_unlocked(thread);
}

static void synchronized(hd_context *context)
{
    hd_mempools_trim(context->device, NULL, UINT64_MAX);
}

static CUresult process_start(void)
{
    const hd_system_limits limits = hd_system_limits_read("");
    size_t devices = 1, threads = limits.processors, memory = 0, cache = limits.cache;

    HD_TRY(environment_number("HOSTCUDA_DEVICES", HD_DEVICES_MAX, &devices));
    HD_TRY(environment_number("HOSTCUDA_THREADS", 1024, &threads));
    hd.page = sysconf(_SC_PAGESIZE);
    memory = limits.memory / 2 / devices;
    HD_TRY(environment_number("HOSTCUDA_MEMORY", SIZE_MAX, &memory));
    HD_TRY(environment_number("HOSTCUDA_CACHE", SIZE_MAX, &cache));
    HD_TRY(hd_check_read_environment());
    hd.ndevices = devices;
    hd.nthreads = threads;
    hd.memory = memory;
    hd.cache = cache;
    describe_processor();
    hd_memory_start();
    if (hd_check_kinds & CUX_CHECK_INIT)
        hd_written_begin();
    hd.thread_ends_unlocked = thread_ends_unlocked;
    HD_TRY(hd_threads_start());
    pthread_atfork(NULL, NULL, forked);
    for (unsigned i = 0; i < hd.ndevices; i++) {
        hd.devices[i].ordinal = i;
        HD_TRY(hd_mempools_start(&hd.devices[i]));
    }
    hd_on_synchronized(synchronized);
    hd_queues_start();
    hd_faults_install();
    hd_migration_install();
    return CUDA_SUCCESS;
}

static CUresult init_status;

static void start_once(void)
{
    init_status = process_start();
    if (init_status == CUDA_SUCCESS)
        atomic_store_explicit(&hd.state, HD_READY, memory_order_release);
}

CUresult cuInit(unsigned int flags)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    HD_NEED(flags == 0);
    if (hd.state == HD_FORKED)
        return hd_not_initialized();
    pthread_once(&once, start_once);
    return init_status;
}
