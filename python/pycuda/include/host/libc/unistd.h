/* The system calls that host code of a kernel's source may name. */
#ifndef HOSTCC_UNISTD_H
#define HOSTCC_UNISTD_H
#include <sys/types.h>

extern "C" {
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
off_t lseek(int, off_t, int) noexcept;
int access(const char *, int) noexcept;
int unlink(const char *) noexcept;
pid_t getpid(void) noexcept;
unsigned sleep(unsigned);
int usleep(unsigned);
long sysconf(int) noexcept;
}
#endif
