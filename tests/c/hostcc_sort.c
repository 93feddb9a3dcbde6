/* qsort of hostcc: any size of elements, in order, and equal ones as they were. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200, BYTES = 24 };

static unsigned compared;

/* By the first byte alone. */
static int by_key(const void *a, const void *b)
{
    compared++;
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* Elements of a key and their place, as far as there is room. */
static int sorts(unsigned n, size_t size, unsigned keys)
{
    static unsigned char a[MOST * BYTES], was[MOST * BYTES];
    for (unsigned k = 0; k < n; k++) {
        unsigned char *at = was + k * size;
        memset(at, 0, size);
        at[0] = (unsigned char)(rand() % keys);
        if (size > 1)
            at[1] = (unsigned char)k;
    }
    memcpy(a, was, n * size);
    qsort(a, n, size, by_key);
    unsigned char *next = a;
    for (unsigned key = 0; key < keys; key++)
        for (unsigned k = 0; k < n; k++)
            if (was[k * size] == key) {
                if (memcmp(next, was + k * size, size))
                    return 0;
                next += size;
            }
    return next == a + n * size;
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 4, 6, 8, 16, BYTES};
    int failures = 0;
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned n = 0; n <= MOST; n++)
            for (unsigned keys = 1; keys <= 256; keys *= 4)
                if (!sorts(n, sizes[s], keys)) {
                    fprintf(stderr, "%u elements of %zu bytes, %u keys\n", n, sizes[s],
                            keys);
                    failures++;
                }
    /* What is sorted takes one comparison less than there are elements. */
    compared = 0;
    if (!sorts(MOST, 4, 1) || compared != MOST - 1) {
        fprintf(stderr, "%u comparisons of %d sorted elements\n", compared, MOST);
        failures++;
    }
    return failures != 0;
}
