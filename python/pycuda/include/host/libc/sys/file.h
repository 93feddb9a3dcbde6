/* Locks of files, for host code. */
#ifndef HOSTCC_SYS_FILE_H
#define HOSTCC_SYS_FILE_H
#include <fcntl.h>
extern "C" {
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
int flock(int, int) noexcept;
}
#endif
