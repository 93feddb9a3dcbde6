/* Device printf formats as CUDA's does, from a buffer that holds each argument at its
   natural alignment: int and unsigned in 4 bytes, everything else in 8. Each conversion
   is handed to the C library alone. A bad pointer faults like any other access of a
   kernel, so nothing is held while arguments are read. Output is kept until the next
   call that synchronizes; that of one printf is never split. */
#include "device_printf.h"

/* -- Formats ----------------------------------------------------------------------- */

/* Room for `more` bytes behind the `used` ones. */
static char *reserve(hd_worker *worker, size_t used, size_t more)
{
    if (used + more > worker->line_capacity) {
        size_t capacity = 2 * (used + more) + 128;
        char *line = realloc(worker->line, capacity);
        if (!line)
            hd_worker_abort_unlocked(worker, CUDA_ERROR_OUT_OF_MEMORY,
                                     "no memory to format %zu bytes", capacity);
        worker->line = line;
        worker->line_capacity = capacity;
    }
    return worker->line + used;
}

/* Bytes that one conversion may make: "%2000000000d" is cut. */
#define SHOWN_MAX (1 << 20)
/* The letters that say how long an argument is. */
#define LENGTHS "hlLqjzt"

static uint64_t next_argument(const char **arguments, size_t size)
{
    uint64_t value = 0;
    uintptr_t aligned = ((uintptr_t)*arguments + size - 1) & ~(uintptr_t)(size - 1);

    memcpy(&value, (const void *)aligned, size); /* little-endian */
    *arguments = (const char *)(aligned + size);
    return value;
}

/* Copies the conversion at `format` to `spec`, with numbers in place of stars. Returns
   its length in the format, or 0 if CUDA has no such conversion. */
static size_t parse(const char *format, const char **arguments, char *spec, size_t size)
{
    const char *from = format + 1;
    size_t used = 1;

    spec[0] = '%';
    size_t end = strspn(from, "-+ #0123456789.*" LENGTHS);
    /* In a kernel a long double is a double, and there are no wide characters. */
    bool whole = from[end] != '\0' && strchr("diouxX", from[end]);
    for (; *from != '\0' && strchr("-+ #0123456789.*" LENGTHS, *from); from++) {
        if (used + 12 > size)
            return 0;
        if (strchr(LENGTHS, *from) && !whole)
            continue;
        int star = *from == '*' ? (int)next_argument(arguments, 4) : 0;
        if (star < 0 && spec[used - 1] == '.') /* a precision as if left out */
            used--;
        else if (*from == '*')
            used += sprintf(spec + used, "%d", star);
        else
            spec[used++] = *from;
    }
    if (*from == '\0' || !strchr("diouxXcsfFeEgGaAp", *from))
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

/* Formats one device printf into worker->line. Returns the number of arguments it took;
   -1 if the format is invalid. */
static int format_unlocked(hd_worker *worker, const char *format, const void *arguments,
                           size_t *length)
{
    const char *left = arguments;
    char spec[64];
    size_t used = 0;
    int taken = 0;

    if (!format)
        return -1;
    for (size_t step = 0; *format != '\0'; format += step) {
        step = *format == '%' ? parse(format, &left, spec, sizeof spec) : 0;
        if (step == 0) { /* text, %%, or an unknown conversion */
            step = *format == '%' ? 1 + (format[1] == '%') : strcspn(format, "%");
            size_t shown = *format == '%' ? 1 : step;
            memcpy(reserve(worker, used, shown), format, shown);
            used += shown;
            continue;
        }
        bool narrow =
            strchr("diouxXc", format[step - 1]) && !strpbrk(spec, LENGTHS + 1);
        uint64_t raw = next_argument(&left, narrow ? 4 : 8);
        int wanted = print_one(reserve(worker, used, 64), 64, spec, raw);
        size_t shown = wanted < 0 ? 0 : wanted < SHOWN_MAX ? (size_t)wanted : SHOWN_MAX;
        if (shown >= 64)
            print_one(reserve(worker, used, shown + 1), shown + 1, spec, raw);
        used += shown;
        taken++;
    }
    *length = used;
    return taken;
}

/* -- Output ------------------------------------------------------------------------ */

static void write_out(const char *text, size_t size, void *data)
{
    fwrite(text, 1, size, stdout);
    fflush(stdout);
}

static void flush(hd_context *context, cuxPrintFunction function, void *data)
{
    char *text = context->printed;
    size_t size = context->printed_size;

    if (size == 0)
        return;
    context->printed = NULL;
    context->printed_size = context->printed_capacity = 0;
    hd_unlock();
    function(text, size, data);
    free(text);
    hd_lock();
}

void hd_print_flush(hd_context *context)
{
    flush(context, hd.print ? hd.print : write_out, hd.print_data);
}

int hd_print_unlocked(hc_frame *frame, const char *format, const void *arguments)
{
    hd_worker *worker = frame->worker;
    hd_context *context = hd_worker_context(worker);
    size_t length = 0;
    int taken = format_unlocked(worker, format, arguments, &length);

    if (length == 0)
        return taken;
    hd_lock();
    /* Threads of the pool do not run the user's function, and callers do not write at
       all: the reader of the output may be waiting for them. */
    if (hd_self->is_worker &&
        context->printed_size + length > context->limits[CU_LIMIT_PRINTF_FIFO_SIZE])
        flush(context, write_out, NULL);
    if (context->printed_size + length > context->printed_capacity) {
        size_t capacity = 2 * context->printed_capacity + length + 1024;
        char *text = realloc(context->printed, capacity);
        if (!text) {
            hd_unlock();
            return -1;
        }
        context->printed = text;
        context->printed_capacity = capacity;
    }
    memcpy(context->printed + context->printed_size, worker->line, length);
    context->printed_size += length;
    hd_unlock();
    return taken;
}
