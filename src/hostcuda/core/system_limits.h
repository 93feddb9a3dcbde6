/* The memory and processors that the system allows this process. */
#ifndef HOSTCUDA_SYSTEM_LIMITS_H
#define HOSTCUDA_SYSTEM_LIMITS_H

#include <stddef.h>

typedef struct {
    size_t memory;       /* bytes: of the machine, or of the control group */
    unsigned processors; /* that may be kept busy, at least 1 */
} hd_system_limits;

/* Files are looked up below `root`: "", but for tests. */
hd_system_limits hd_system_limits_read(const char *root);

#endif
