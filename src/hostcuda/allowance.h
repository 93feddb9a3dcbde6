/* What the system lets this process have. */
#ifndef HOSTCUDA_ALLOWANCE_H
#define HOSTCUDA_ALLOWANCE_H

#include <stddef.h>

typedef struct {
    size_t memory;       /* bytes: of the machine, or of the control group */
    unsigned processors; /* that may be kept busy, at least 1 */
} hd_allowance;

/* Files are looked up below `root`: "", but for tests. */
hd_allowance hd_allowance_read(const char *root);

#endif
