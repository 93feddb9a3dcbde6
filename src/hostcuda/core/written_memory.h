/* Which bytes of device memory anybody has written: one mark for each, at a fixed
   distance from it, while that is asked for (check mode, `init`). */
#ifndef HOSTCUDA_WRITTEN_MEMORY_H
#define HOSTCUDA_WRITTEN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/check.h"

/* What generated code sees; size 0: nothing is marked. */
extern hc_written hd_written;

/* From now on; what is allocated by now counts as written. Under the lock. False: the
   system refuses the addresses. */
bool hd_written_begin(void);

/* For any thread, without the lock; addresses elsewhere are left alone. */
void hd_written_set_unlocked(const void *address, size_t bytes);
void hd_written_clear_unlocked(const void *address, size_t bytes);
/* What was copied is written where its original was. */
void hd_written_copy_unlocked(const void *to, const void *from, size_t bytes);
/* The marks of these bytes; NULL: they have none. */
char *hd_written_marks_unlocked(const void *address, size_t bytes);

#endif
