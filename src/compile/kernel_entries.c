/* What PTX says of its kernels' parameters. A cubin tells their sizes alone, but who
   made it still has the PTX that it was made of: the declarations of its kernels go
   behind the cubin. No driver reads that far, for it gets an address, and the size from
   the headers. An image is then

       cubin | .entry name(.param .u64 name_param_0, ...) ... | size of those, MARK */
#include "compile_job.h"
#include <stdint.h>

#define MARK 0x317972746e657063ull /* "cpentry1" */

static void copy(cmp_text *entries, const char *ptx)
{
    while ((ptx = strstr(ptx, ".entry"))) {
        size_t length = strcspn(ptx, "){;");
        cmp_put_bytes(entries, ptx, length);
        cmp_put_bytes(entries, ")\n", 2);
        ptx += length;
    }
}

void cmp_entries_append(cmp_text *image, const char *ptx)
{
    cmp_text entries = {0};
    copy(&entries, ptx);
    const uint64_t footer[] = {entries.size, MARK};
    if (entries.size && !entries.failed) {
        cmp_put_bytes(image, entries.bytes, entries.size);
        cmp_put_bytes(image, footer, sizeof footer);
    }
    cmp_text_clear(&entries);
}

size_t cmp_entries_find(const void *image, size_t size, cmp_text *entries)
{
    uint64_t footer[2] = {0};
    cmp_text ptx = {0};
    if (size >= sizeof footer)
        memcpy(footer, (const char *)image + size - sizeof footer, sizeof footer);
    if (footer[1] == MARK && footer[0] <= size - sizeof footer) {
        size -= sizeof footer + footer[0];
        cmp_put_bytes(entries, (const char *)image + size, footer[0]);
    } else if (strnlen(image, size) + 1 >= size) { /* a text: PTX itself */
        cmp_put_bytes(&ptx, image, size);
        if (!ptx.failed && size)
            copy(entries, ptx.bytes);
        cmp_text_clear(&ptx);
    }
    return size;
}

void cmp_entries_read(const char *path, cmp_text *entries)
{
    cmp_text image = {0};
    if (cmp_read(&image, path))
        cmp_entries_find(image.bytes, image.size, entries);
    cmp_text_clear(&image);
}
