/* Memory that processes share, for host code. */
#ifndef HOSTCC_SYS_SHM_H
#define HOSTCC_SYS_SHM_H
#include <sys/ipc.h>
extern "C" {
struct shmid_ds;
int shmget(key_t, size_t, int) noexcept;
void *shmat(int, const void *, int) noexcept;
int shmdt(const void *) noexcept;
int shmctl(int, int, struct shmid_ds *) noexcept;
}
#endif
