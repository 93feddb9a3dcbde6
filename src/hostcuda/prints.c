/* Device printf: formats as CUDA's does, from a buffer that holds each argument at its
   natural alignment: int and unsigned in 4 bytes, everything else in 8. The text grows
   in a buffer of the worker. A bad pointer faults like any other access of a kernel, so
   nothing is held while arguments are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "services.h"

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

/* One conversion from % to its letter, rewritten so that the C library takes a 64-bit
 * value. */
typedef struct {
    char text[64];
    char letter;     /* 0: not a conversion */
    bool wide;       /* an integer of 8 bytes */
    unsigned narrow; /* bytes to cut an integer to: h and hh */
    const char *end;
} conversion;

/* Copies digits, or the value of a *. */
static char *copy_number(char *to, char *limit, const char **from,
                         const char **arguments)
{
    if (**from == '*') {
        ++*from;
        return to + snprintf(to, limit - to, "%d", (int)take(arguments, 4));
    }
    while (**from >= '0' && **from <= '9') {
        if (to < limit)
            *to++ = **from;
        ++*from;
    }
    return to;
}

static conversion parse(const char *format, const char **arguments)
{
    conversion found = {.end = format + 1};
    char *to = found.text, *limit = found.text + sizeof found.text - 8;
    const char *from = format + 1;
    unsigned longs = 0, shorts = 0;

    *to++ = '%';
    while (*from != '\0' && strchr("-+ #0", *from) != NULL) {
        if (to < limit - 30)
            *to++ = *from;
        from++;
    }
    to = copy_number(to, limit - 15, &from, arguments);
    if (*from == '.') {
        *to++ = *from++;
        to = copy_number(to, limit, &from, arguments);
    }
    for (; *from != '\0' && strchr("hlLqjzt", *from) != NULL; from++) {
        if (*from == 'h')
            shorts++;
        else
            longs++;
    }
    if (*from == '\0' || strchr("diouxXcsfFeEgGaAp", *from) == NULL)
        return found;
    found.letter = *from;
    found.end = from + 1;
    found.wide = longs > 0;
    found.narrow = shorts == 0 ? 0 : shorts == 1 ? 2 : 1;
    if (strchr("diouxX", *from) != NULL) {
        *to++ = 'l';
        *to++ = 'l';
    }
    *to++ = *from;
    *to = '\0';
    return found;
}

/* An integer argument as 64 bits, extended as its type says. */
static uint64_t integer(const conversion *spec, uint64_t raw)
{
    bool is_signed = spec->letter == 'd' || spec->letter == 'i';

    if (spec->wide)
        return raw;
    unsigned bits = spec->narrow != 0 ? 8 * spec->narrow : 32;
    if (is_signed)
        return (uint64_t)((int64_t)(raw << (64 - bits)) >> (64 - bits));
    return raw & (UINT64_MAX >> (64 - bits));
}

static size_t print_one(hd_worker *worker, size_t used, const conversion *spec,
                        const char **arguments)
{
    uint64_t raw = 0;
    double number = 0;
    int length = 0;

    if (strchr("sfFeEgGaAp", spec->letter) != NULL || spec->wide)
        raw = take(arguments, 8);
    else
        raw = take(arguments, 4);
    for (size_t room = 64;; room = (size_t)length + 1) {
        char *to = reserve(worker, used, room);
        switch (spec->letter) {
        case 's':
            length = snprintf(to, room, spec->text,
                              raw == 0 ? "(null)" : (const char *)(uintptr_t)raw);
            break;
        case 'p':
            length = snprintf(to, room, spec->text, (void *)(uintptr_t)raw);
            break;
        case 'c':
            length = snprintf(to, room, spec->text, (int)raw);
            break;
        case 'd':
        case 'i':
        case 'o':
        case 'u':
        case 'x':
        case 'X':
            length = snprintf(to, room, spec->text, (long long)integer(spec, raw));
            break;
        default:
            memcpy(&number, &raw, sizeof number);
            length = snprintf(to, room, spec->text, number);
        }
        if (length < 0)
            return used;
        if ((size_t)length < room)
            return used + (size_t)length;
    }
}

int hd_print_format_unlocked(hd_worker *worker, const char *format,
                             const void *arguments, size_t *length)
{
    const char *left = arguments;
    size_t used = 0;
    int taken = 0;

    if (format == NULL)
        return -1;
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        memcpy(reserve(worker, used, plain), format, plain);
        used += plain;
        format += plain;
        if (*format == '\0')
            break;
        conversion spec = {.letter = 0, .end = format + 1};
        if (format[1] != '%')
            spec = parse(format, &left);
        else
            spec.end = format + 2;
        if (spec.letter == 0) { /* %% or nothing CUDA knows: a plain percent sign */
            *reserve(worker, used, 1) = '%';
            used++;
        } else {
            used = print_one(worker, used, &spec, &left);
            taken++;
        }
        format = spec.end;
    }
    *length = used;
    return taken;
}
