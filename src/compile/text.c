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

int cmp_read(cmp_text *text, const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC), whole = 0;
    if (fd < 0)
        return 0;
    if (!fstat(fd, &status) && S_ISREG(status.st_mode)) {
        char *place = cmp_text_extend(text, status.st_size);
        whole = place && read(fd, place, status.st_size) == status.st_size;
    }
    close(fd);
    return whole;
}

int cmp_write(const cmp_text *text, const char *path)
{
    FILE *file = fopen(path, "wbe");
    if (!file)
        return 0;
    int whole = fwrite(text->bytes, 1, text->size, file) == text->size;
    return !fclose(file) && whole;
}
