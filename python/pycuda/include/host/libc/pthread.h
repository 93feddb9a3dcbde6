/* Threads of host code, as <thread> and <mutex> name them. */
#ifndef HOSTCC_PTHREAD_H
#define HOSTCC_PTHREAD_H
#include <sched.h>
#include <time.h>

extern "C" {
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
typedef union {
    char bytes[40];
    long align;
} pthread_mutex_t;
typedef union {
    char bytes[48];
    long long align;
} pthread_cond_t;
typedef union {
    char bytes[4];
    int align;
} pthread_mutexattr_t, pthread_condattr_t;
typedef union {
    char bytes[56];
    long align;
} pthread_attr_t;
#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_RECURSIVE 1
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                   void *) noexcept;
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t) noexcept;
pthread_t pthread_self(void) noexcept;
int pthread_equal(pthread_t, pthread_t) noexcept;
int pthread_once(pthread_once_t *, void (*)(void));
int pthread_key_create(pthread_key_t *, void (*)(void *)) noexcept;
void *pthread_getspecific(pthread_key_t) noexcept;
int pthread_setspecific(pthread_key_t, const void *) noexcept;
int pthread_mutexattr_init(pthread_mutexattr_t *) noexcept;
int pthread_mutexattr_settype(pthread_mutexattr_t *, int) noexcept;
int pthread_mutexattr_destroy(pthread_mutexattr_t *) noexcept;
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *) noexcept;
int pthread_mutex_lock(pthread_mutex_t *) noexcept;
int pthread_mutex_trylock(pthread_mutex_t *) noexcept;
int pthread_mutex_unlock(pthread_mutex_t *) noexcept;
int pthread_mutex_destroy(pthread_mutex_t *) noexcept;
int pthread_cond_signal(pthread_cond_t *) noexcept;
int pthread_cond_broadcast(pthread_cond_t *) noexcept;
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *,
                           const struct timespec *);
int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t,
                           const struct timespec *);
int pthread_cond_destroy(pthread_cond_t *) noexcept;
}
#endif
