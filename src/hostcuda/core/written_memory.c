/* Marks of written bytes. The range of device addresses has a second range beside it, a
   byte of which is 0 or WRITTEN for the byte of memory at the same place. The system
   gives pages to marks as they are touched, all zeros, so that what nobody has touched
   costs nothing; memory that is allocated again is cleared then.

   Marks are written by whoever writes the memory, in any thread and without a lock: two
   that write one byte at once write the same mark. */
#include <string.h>
#include <sys/mman.h>

#include "process.h"
#include "written_memory.h"

#define WRITTEN 0xff
#define LARGE (1 << 20) /* from here on pages are given back instead of cleared */

/* Marks of what has none: always set, and only ever set. */
static _Alignas(64) char elsewhere[HC_ELSEWHERE];

hc_written hd_written = {.elsewhere = elsewhere};

bool hd_written_begin(void)
{
    if (hd_written.size > 0)
        return true;
    if (!hd.range.base)
        return false;
    size_t size = hd.range.units << HD_UNIT_SHIFT;
    char *marks = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (marks == MAP_FAILED)
        return false;
    memset(elsewhere, WRITTEN, sizeof elsewhere);
    hd_written.base = (uintptr_t)hd.range.first;
    hd_written.marks = marks;
    hd_written.size = size;
    for (size_t i = 0; i < hd.registry.count; i++)
        hd_written_set_unlocked(hd.registry.regions[i]->base,
                                hd.registry.regions[i]->size);
    return true;
}

char *hd_written_marks_unlocked(const void *address, size_t bytes)
{
    uintptr_t offset = (uintptr_t)address - hd_written.base;

    if (offset >= hd_written.size || bytes > hd_written.size - offset)
        return NULL;
    return hd_written.marks + offset;
}

void hd_written_set_unlocked(const void *address, size_t bytes)
{
    char *marks = hd_written_marks_unlocked(address, bytes);

    if (marks)
        memset(marks, WRITTEN, bytes);
}

void hd_written_clear_unlocked(const void *address, size_t bytes)
{
    char *marks = hd_written_marks_unlocked(address, bytes);
    uintptr_t start = ((uintptr_t)marks + hd.page - 1) & -hd.page,
              end = ((uintptr_t)marks + bytes) & -hd.page;

    if (!marks)
        return;
    if (bytes < LARGE || madvise((void *)start, end - start, MADV_DONTNEED) != 0) {
        memset(marks, 0, bytes);
        return;
    }
    memset(marks, 0, start - (uintptr_t)marks);
    memset((void *)end, 0, (uintptr_t)marks + bytes - end);
}

void hd_written_copy_unlocked(const void *to, const void *from, size_t bytes)
{
    char *marks = hd_written_marks_unlocked(to, bytes);
    const char *others = hd_written_marks_unlocked(from, bytes);

    if (marks && others)
        memmove(marks, others, bytes);
    else if (marks)
        memset(marks, WRITTEN, bytes);
}
