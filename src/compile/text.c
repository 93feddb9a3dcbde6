/* Growing texts, lists of words and whole files: the only strings of this room. Failure
   to get memory is remembered in the text, so that a chain of additions is checked
   once, at its end. */
#include "compile_job.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

char *cmp_text_extend(cmp_text *text, size_t size)
{
    if (text->size + size >= text->room) {
        size_t room = text->room * 2 + size + 64;
        char *bytes = realloc(text->bytes, room);
        if (!bytes) {
            text->failed = 1;
            return NULL;
        }
        text->bytes = bytes;
        text->room = room;
    }
    char *place = text->bytes + text->size;
    text->size += size;
    text->bytes[text->size] = 0;
    return place;
}

void cmp_put_bytes(cmp_text *text, const void *bytes, size_t size)
{
    char *place = cmp_text_extend(text, size);
    if (place && size)
        memcpy(place, bytes, size);
}

void cmp_put(cmp_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *place = cmp_text_extend(text, length + 1);
    if (place)
        vsnprintf(place, length + 1, format, again);
    va_end(again);
    va_end(arguments);
}

const char *cmp_next(const cmp_text *words, const char *word)
{
    const char *next = word ? word + strlen(word) + 1 : words->bytes;
    return next == words->bytes + words->size ? NULL : next;
}

void cmp_put_words(cmp_text *text, const char *prefix, const cmp_text *words)
{
    for (const char *word = NULL; (word = cmp_next(words, word));)
        cmp_put(text, "%s%s", prefix, word);
}

void cmp_put_flags(cmp_text *words, const char *variable)
{
    const char *at = getenv(variable);
    for (at = at ? at : ""; *(at += strspn(at, " \t\r\n"));) {
        size_t length = 0;
        for (int quoted = 0; at[length] && (quoted || !strchr(" \t\r\n", at[length]));
             length++)
            quoted ^= at[length] == '"';
        cmp_put(words, "%.*s", (int)length, at);
        at += length;
    }
}

char **cmp_argv(const cmp_text *words)
{
    cmp_text argv = {0};
    for (const char *word = NULL; (word = cmp_next(words, word));)
        cmp_put_bytes(&argv, &word, sizeof word);
    cmp_put_bytes(&argv, &(char *){NULL}, sizeof(char *));
    if (argv.failed || words->failed)
        cmp_text_clear(&argv);
    return (char **)argv.bytes;
}

void cmp_text_clear(cmp_text *text)
{
    free(text->bytes);
    *text = (cmp_text){0};
}

int cmp_read_open(cmp_text *text, int fd)
{
    struct stat status;
    size_t before = text->size, got = 0;
    if (fstat(fd, &status) || !S_ISREG(status.st_mode))
        return 0;
    char *place = cmp_text_extend(text, status.st_size);
    for (ssize_t part = 1; place && part > 0; got += part > 0 ? part : 0)
        part = pread(fd, place + got, status.st_size - got, got);
    if (place && got == (size_t)status.st_size)
        return 1;
    text->size = before;
    return 0;
}

int cmp_read(cmp_text *text, const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int whole = fd >= 0 && cmp_read_open(text, fd);
    if (fd >= 0)
        close(fd);
    return whole;
}

int cmp_write_open(const cmp_text *text, int fd)
{
    size_t done = 0;
    for (ssize_t part; done < text->size; done += part)
        if ((part = write(fd, text->bytes + done, text->size - done)) <= 0)
            return 0;
    return 1;
}

int cmp_write(const cmp_text *text, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int whole = fd >= 0 && cmp_write_open(text, fd);
    return fd >= 0 && !close(fd) && whole;
}
