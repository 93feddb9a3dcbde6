/* Semaphores of host code. */
#ifndef HOSTCC_SEMAPHORE_H
#define HOSTCC_SEMAPHORE_H
#include <time.h>
extern "C" {
typedef struct {
    alignas(8) char __hc_state[32];
} sem_t;
int sem_init(sem_t *, int, unsigned) noexcept;
int sem_destroy(sem_t *) noexcept;
int sem_wait(sem_t *);
int sem_trywait(sem_t *) noexcept;
int sem_post(sem_t *) noexcept;
}
#endif
