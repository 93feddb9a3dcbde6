/* Numbers of system calls, for host code. */
#ifndef HOSTCC_SYS_SYSCALL_H
#define HOSTCC_SYS_SYSCALL_H
#include <unistd.h>
#define SYS_gettid 186
#define SYS_getcpu 309
extern "C" long syscall(long, ...) noexcept;
#endif
