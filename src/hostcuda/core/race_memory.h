/* Records of who accessed device memory, for race checks (run/global_races.c): three
   for each granule of memory, and of lines of granules, in ranges of their own. */
#ifndef HOSTCUDA_RACE_MEMORY_H
#define HOSTCUDA_RACE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_NO_PLACE SIZE_MAX
#define HD_RACE_WINDOW \
    ((size_t)1 << 38) /* places of device memory; variables' follow */

#define HD_LINE_SHIFT 3 /* a line has 8 granules */

/* Of a line whose granules were accessed by as many threads in a row: the last write
   and a read, with the thread of the first granule. From the time `detail` on each
   granule has records of its own instead; of reads, from `reads` on. */
typedef struct {
    uint64_t written, read;
    uint32_t detail, reads;
} hd_race_line;

/* Of each granule the last write, and two reads since. */
extern struct hd_race_memory {
    uint64_t *written, *read, *again;
    hd_race_line *lines;
} hd_race_memory;

/* Once, under the lock. False: the system refuses the addresses. */
bool hd_race_memory_begin(void);
/* All is forgotten. Under the lock. */
void hd_race_memory_clear(void);

/* For any thread, without the lock. */

/* Where the records of these bytes are, counted in bytes of memory: the index of a
   granule is that divided by its size. HD_NO_PLACE: they have none. */
size_t hd_race_place_unlocked(const void *address, size_t bytes);
/* The same of a variable of a module, all of which lie between these two. */
size_t hd_race_place_of_variable_unlocked(const void *address, size_t bytes,
                                          const char *start, const char *end);
/* Memory goes back to the system. */
void hd_race_forget_unlocked(const void *address, size_t bytes);

#endif
