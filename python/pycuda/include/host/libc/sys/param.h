/* Limits of the system, and the order of bytes. */
#ifndef HOSTCC_SYS_PARAM_H
#define HOSTCC_SYS_PARAM_H
#include <endian.h>
#include <limits.h>
#define MAXPATHLEN 4096
#define MAXHOSTNAMELEN 64
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
