/* Types of POSIX and of Unix, which nvcc knows without a header. */
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
typedef unsigned char u_char;
typedef unsigned short u_short, ushort;
typedef unsigned int u_int, uint;
typedef unsigned long u_long, ulong;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef long quad_t;
typedef unsigned long u_quad_t;
}
#endif
