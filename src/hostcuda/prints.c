/* Device printf: formats as CUDA's does, from a buffer that holds each argument at its
   natural alignment: int and unsigned in 4 bytes, everything else in 8. Each conversion
   is handed to the C library alone. The text grows in a buffer of the worker. A bad
   pointer faults like any other access of a kernel, so nothing is held while arguments
   are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workers.h"

/* Room for `more` bytes behind the `used` ones. */
static char *reserve(hd_worker *worker, size_t used, size_t more)
{
    if (used + more > worker->line_capacity) {
        size_t capacity = 2 * (used + more) + 128;
        char *line = realloc(worker->line, capacity);
        if (line == NULL)
            hd_worker_abort_unlocked(worker, CUDA_ERROR_OUT_OF_MEMORY,
                                     "no memory to format %zu bytes", capacity);
        worker->line = line;
        worker->line_capacity = capacity;
    }
    return worker->line + used;
}

static uint64_t take(const char **arguments, size_t size)
{
    uint64_t value = 0;
    uintptr_t place = ((uintptr_t)*arguments + size - 1) & ~(uintptr_t)(size - 1);

    memcpy(&value, (const void *)place, size); /* little-endian */
    *arguments = (const char *)(place + size);
    return value;
}

/* Copies the conversion at `format` to `spec`, with numbers in place of stars. Returns
   its length in the format, or 0 where CUDA knows none. */
static size_t parse(const char *format, const char **arguments, char *spec, size_t size)
{
    const char *from = format + 1;
    size_t used = 1;

    spec[0] = '%';
    for (; *from != '\0' && strchr("-+ #0123456789.*hlLqjzt", *from) != NULL; from++) {
        if (used + 12 > size)
            return 0;
        if (*from == '*')
            used += sprintf(spec + used, "%d", (int)take(arguments, 4));
        else
            spec[used++] = *from;
    }
    if (*from == '\0' || strchr("diouxXcsfFeEgGaAp", *from) == NULL)
        return 0;
    spec[used++] = *from;
    spec[used] = '\0';
    return from + 1 - format;
}

static int print_one(char *to, size_t room, const char *spec, uint64_t raw)
{
    double number;

    switch (spec[strlen(spec) - 1]) {
    case 's':
        return snprintf(to, room, spec, raw == 0 ? "(null)" : (const char *)raw);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        memcpy(&number, &raw, sizeof number);
        return snprintf(to, room, spec, number);
    default: /* the C library looks at as many bytes as the length modifier says */
        return snprintf(to, room, spec, raw);
    }
}

int hd_print_format_unlocked(hd_worker *worker, const char *format,
                             const void *arguments, size_t *length)
{
    const char *left = arguments;
    char spec[64];
    size_t used = 0;
    int taken = 0;

    if (format == NULL)
        return -1;
    for (size_t step = 0; *format != '\0'; format += step) {
        step = *format == '%' ? parse(format, &left, spec, sizeof spec) : 0;
        if (step == 0) { /* text, %%, or a conversion that there is not */
            step = *format == '%' ? 1 + (format[1] == '%') : strcspn(format, "%");
            size_t shown = *format == '%' ? 1 : step;
            memcpy(reserve(worker, used, shown), format, shown);
            used += shown;
            continue;
        }
        bool narrow = strchr("diouxXc", format[step - 1]) != NULL &&
                      strpbrk(spec, "lLqjzt") == NULL;
        uint64_t raw = take(&left, narrow ? 4 : 8);
        int wanted = print_one(reserve(worker, used, 64), 64, spec, raw);
        if (wanted >= 64)
            print_one(reserve(worker, used, (size_t)wanted + 1), (size_t)wanted + 1,
                      spec, raw);
        used += wanted > 0 ? (size_t)wanted : 0;
        taken++;
    }
    *length = used;
    return taken;
}
