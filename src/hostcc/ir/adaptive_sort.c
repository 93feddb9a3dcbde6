/* qsort, in the place of the C library's: LLVM sorts short lists often and long ones
   that are nearly in order, the longest each time that hostcc runs: the table of
   instructions that could read memory. The C library takes for these as long as for
   any. This one merges two sorted halves only if their ends are out of order. Equal
   elements stay in their order, as the C library leaves them, so what LLVM makes stays
   the same. */
#include <stdlib.h>
#include <string.h>

typedef int (*comparison)(const void *, const void *);

/* Most elements are of these two sizes. */
static inline void copy(char *to, const char *from, size_t size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

/* `spare` has room for n / 2 elements, and one at least. */
static void sort(char *a, size_t n, size_t size, comparison compare, char *spare)
{
    size_t half = n / 2;
    char *left = spare, *left_end = spare + half * size, *right = a + half * size,
         *right_end = a + n * size;
    if (n < 2)
        return;
    if (n > 2) {
        sort(a, half, size, compare, spare);
        sort(right, n - half, size, compare, spare);
    }
    if (compare(right - size, right) <= 0)
        return;
    memcpy(spare, a, half * size);
    for (; left < left_end; a += size)
        if (right == right_end || compare(left, right) <= 0) {
            copy(a, left, size);
            left += size;
        } else {
            copy(a, right, size);
            right += size;
        }
}

void qsort(void *base, size_t n, size_t size, comparison compare)
{
    enum { SHORT = 1024 };
    char room[SHORT] __attribute__((aligned(16)));
    size_t bytes = n / 2 * size;
    char *spare = bytes > SHORT ? malloc(bytes) : room;
    if (!spare)
        abort();
    sort(base, n, size, compare, spare);
    if (spare != room)
        free(spare);
}
