/* The memory and processors that the system allows this process, and its caches. */
#ifndef HOSTCUDA_SYSTEM_LIMITS_H
#define HOSTCUDA_SYSTEM_LIMITS_H

#include <stddef.h>

typedef struct {
    size_t memory;       /* bytes: of the machine, or of the control group */
    unsigned processors; /* that may be kept busy, at least 1 */
    size_t cache;        /* bytes of a processor's last cache; SIZE_MAX: not known */
} hd_system_limits;

/* Files are looked up below `root`: "", but for tests. */
hd_system_limits hd_system_limits_read(const char *root);

#endif
