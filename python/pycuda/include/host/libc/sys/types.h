/* Types of POSIX that other headers of this folder name. */
#ifndef HOSTCC_SYS_TYPES_H
#define HOSTCC_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>

extern "C" {
typedef long ssize_t;
typedef long off_t;
typedef long time_t;
typedef int clockid_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
}
#endif
