/* The process: initialisation from the environment, the records of threads, fork, and
   the way in.

   Nothing happens before cuInit; threads of our own start when there is work for them
   (workers.c). A fork leaves the child with our state but without our threads, so the
   child is told that CUDA is not initialised, as the real driver does. */
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "system_limits.h"
#include "hostcuda/run/context_state.h"
#include "hostcuda/run/migration.h"

struct hd_process hd = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};
_Thread_local hd_thread *hd_self;

/* -- Ways in and out --------------------------------------------------------------- */

static CUresult not_ready(void)
{
    return hd_fail(
        CUDA_ERROR_NOT_INITIALIZED,
        hd.state == HD_FORKED
            ? "this process was forked from one that had initialised the host device, "
              "and has none of its threads: start it with the method \"spawn\", or "
              "initialise the device in the child alone"
            : "cuInit was not called, or failed");
}

CUresult hd_enter(void)
{
    if (atomic_load_explicit(&hd.state, memory_order_acquire) != HD_READY)
        return not_ready();
    if (hd_self == NULL)
        HD_TRY(hd_thread_start_unlocked());
    hd_self->detail[0] = '\0';
    hd_lock();
    return CUDA_SUCCESS;
}

void hd_leave(int *entered)
{
    hd_unlock();
}

CUresult hd_fail(CUresult status, const char *format, ...)
{
    va_list arguments;
    if (hd_self == NULL && hd_thread_start_unlocked() != CUDA_SUCCESS)
        return status;
    va_start(arguments, format);
    vsnprintf(hd_self->detail, sizeof hd_self->detail, format, arguments);
    va_end(arguments);
    return status;
}

CUresult cuxGetErrorDetail(const char **detail)
{
    HD_ANSWER(detail, hd_self != NULL ? hd_self->detail : "");
}

/* As without a profiler around */
HD_NOTHING(cuProfilerStart, (void), HD_ENTER())
HD_NOTHING(cuProfilerStop, (void), HD_ENTER())

CUresult cuxGetLiveObjects(const char *kind, size_t *count)
{
    static const char *const names[HD_LIVE] = {
        [HD_CONTEXT] = "context",     [HD_MODULE] = "module", [HD_STREAM] = "stream",
        [HD_EVENT] = "event",         [HD_ARRAY] = "array",   [HD_LINK] = "link",
        [HD_REFERENCE] = "reference", [HD_MEMORY] = "memory", [HD_GRAPH] = "graph",
        [HD_EXEC] = "executable",     [HD_MEMPOOL] = "pool",  [HD_LIBRARY] = "library"};
    size_t found = 0, known = kind == NULL;
    HD_ENTER();
    for (int i = 0; i < HD_LIVE; i++) {
        if (kind != NULL && (names[i] == NULL || strcmp(kind, names[i]) != 0))
            continue;
        known = 1;
        found += hd.live[i];
    }
    HD_REFUSE_IF(!known, "\"%s\" is not a kind of object", kind);
    HD_ANSWER(count, found);
}

CUresult cuxSetPrintFunction(cuxPrintFunction function, void *data)
{
    HD_ENTER();
    hd.print = function;
    hd.print_data = data;
    return CUDA_SUCCESS;
}

CUresult cuxSetWaitFunction(cuxWaitFunction function, void *data)
{
    HD_ENTER();
    hd.give_up = function;
    hd.give_up_data = data;
    return CUDA_SUCCESS;
}

CUresult hd_array_grow(void *array, size_t element, size_t count, size_t *capacity)
{
    void **list = array;

    if (count < *capacity)
        return CUDA_SUCCESS;
    size_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(*list, wanted * element);
    HD_FAIL_IF(grown == NULL, CUDA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes",
               wanted * element);
    *list = grown;
    *capacity = wanted;
    return CUDA_SUCCESS;
}

uint64_t hd_nanoseconds_unlocked(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* -- Threads ----------------------------------------------------------------------- */

static void thread_end(void *argument)
{
    hd_thread *thread = argument;

    if (hd.state == HD_READY) {
        hd_lock();
        hd_forget_waiter(thread);
        hd_context_forget_thread(thread);
        hd_unlock();
    }
    hd_faults_end_thread_unlocked(thread);
    pthread_cond_destroy(&thread->wake);
    free(thread->stack);
    free(thread);
    hd_self = NULL;
}

CUresult hd_thread_start_unlocked(void)
{
    hd_thread *thread = calloc(1, sizeof *thread);
    pthread_condattr_t clock;

    if (thread == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    thread->id = pthread_self();
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&thread->wake, &clock);
    pthread_condattr_destroy(&clock);
    if (hd.state != 0)
        pthread_setspecific(hd.thread_key, thread);
    hd_self = thread;
    return CUDA_SUCCESS;
}

/* -- Initialisation ---------------------------------------------------------------- */

/* A number with an optional K, M or G after it, from 1 to limit. */
static CUresult environment_number(const char *name, size_t limit, size_t *value)
{
    const char *text = getenv(name);
    char *end = NULL;

    if (text == NULL || *text == '\0')
        return CUDA_SUCCESS;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *suffix = *end != '\0' ? strchr("KMG", *end & ~0x20) : NULL;
    if (suffix != NULL && limit > 1024 && end[1] == '\0') {
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

/* Name and clock of the devices: what Linux says about the first processor. */
static void describe_processor(void)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256], model[64] = "unknown processor";
    double megahertz = 0;

    while (file != NULL && fgets(line, sizeof line, file) != NULL && line[0] != '\n') {
        char *value = strchr(line, ':');
        if (value == NULL)
            continue;
        value += 1 + strspn(value + 1, " ");
        value[strcspn(value, "\n")] = '\0';
        if (strncmp(line, "model name", 10) == 0)
            snprintf(model, sizeof model, "%.60s", value);
        else if (strncmp(line, "cpu MHz", 7) == 0)
            megahertz = strtod(value, NULL);
    }
    if (file != NULL)
        fclose(file);
    hd.clock_khz = megahertz > 0 ? (int)(megahertz * 1000) : 1000000;
    snprintf(hd.name, sizeof hd.name, "Host CPU (%s, %u thread%s)", model, hd.nthreads,
             hd.nthreads == 1 ? "" : "s");
}

static void forked(void)
{
    atomic_store(&hd.state, HD_FORKED);
}

static CUresult process_start(void)
{
    const hd_system_limits allowance = hd_system_limits_read("");
    size_t devices = 1, threads = allowance.processors, memory = 0;

    HD_TRY(environment_number("HOSTCUDA_DEVICES", HD_DEVICES_MAX, &devices));
    HD_TRY(environment_number("HOSTCUDA_THREADS", 1024, &threads));
    hd.page = sysconf(_SC_PAGESIZE);
    memory = allowance.memory / 2 / devices;
    HD_TRY(environment_number("HOSTCUDA_MEMORY", SIZE_MAX, &memory));
    if (pthread_key_create(&hd.thread_key, thread_end) != 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    if (hd_self != NULL)
        pthread_setspecific(hd.thread_key, hd_self);
    pthread_atfork(NULL, NULL, forked);
    hd.ndevices = devices;
    hd.nthreads = threads;
    hd.memory = memory;
    for (unsigned i = 0; i < hd.ndevices; i++) {
        hd.devices[i].ordinal = i;
        HD_TRY(hd_mempools_start(&hd.devices[i]));
    }
    describe_processor();
    hd_pool_start();
    hd_faults_install();
    hd_migration_install();
    return CUDA_SUCCESS;
}

static void start_once(void)
{
    hd.init_status = process_start();
    if (hd.init_status == CUDA_SUCCESS)
        atomic_store_explicit(&hd.state, HD_READY, memory_order_release);
}

CUresult cuInit(unsigned int flags)
{
    HD_NEED(flags == 0);
    if (hd.state == HD_FORKED)
        return not_ready();
    pthread_once(&hd.once, start_once);
    return hd.init_status;
}
