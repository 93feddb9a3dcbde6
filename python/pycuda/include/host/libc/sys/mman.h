/* Memory from files, for host code. */
#ifndef HOSTCC_SYS_MMAN_H
#define HOSTCC_SYS_MMAN_H
#include <sys/types.h>
extern "C" {
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void *)-1)
void *mmap(void *, size_t, int, int, int, off_t) noexcept;
int munmap(void *, size_t) noexcept;
}
#endif
