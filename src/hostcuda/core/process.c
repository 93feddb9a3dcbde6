/* The process struct, and the records of threads: made when a thread first calls us,
   freed when it ends. */
#include "process.h"

struct hd_process hd = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local hd_thread *hd_self;

/* Until about when a thread would sleep. */
#define TRIES 200

/* All threads of a launch come to the lock at its start and at its end, and each has it
   for less time than it takes to sleep and to be woken. */
void hd_lock_contended(void)
{
    for (unsigned i = 0; i < TRIES; i++) {
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
        if (pthread_mutex_trylock(&hd.lock) == 0)
            return;
    }
    pthread_mutex_lock(&hd.lock);
}

static void thread_end(void *argument)
{
    hd_thread *thread = argument;

    hd.thread_ends_unlocked(thread);
    pthread_cond_destroy(&thread->wake);
    free(thread->stack);
    free(thread);
    hd_self = NULL;
}

CUresult hd_thread_start_unlocked(void)
{
    hd_thread *thread = calloc(1, sizeof *thread);
    pthread_condattr_t clock;

    if (!thread)
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

CUresult hd_threads_start(void)
{
    if (pthread_key_create(&hd.thread_key, thread_end) != 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    if (hd_self)
        pthread_setspecific(hd.thread_key, hd_self);
    return CUDA_SUCCESS;
}
