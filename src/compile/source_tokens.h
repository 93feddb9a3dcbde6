/* CUDA C++ taken apart into tokens, before any macro is replaced. Places are offsets
   into the text; a function that skips gives the place behind what it skipped. */
#ifndef PYCUDA_SOURCE_TOKENS_H
#define PYCUDA_SOURCE_TOKENS_H

#include "compile_job.h"

typedef struct {
    const char *text; /* borrowed; a NUL stands behind it */
    size_t size;
} cmp_tokens;

int cmp_is_name(char c); /* of a letter, digit, _ or $ */
/* Space, comments and continued lines. */
size_t cmp_skip_space(const cmp_tokens *, size_t at);
/* The token that begins here; a string is one, in all its forms. */
size_t cmp_skip_token(const cmp_tokens *, size_t at);
/* ( ... ) or < ... > from the bracket here to the one that matches it. */
size_t cmp_skip_brackets(const cmp_tokens *, size_t at);
/* A directive, which ends with its line; it began with a # where cmp_begins_line. */
size_t cmp_skip_directive(const cmp_tokens *, size_t at);
int cmp_begins_line(const cmp_tokens *, size_t at);
/* Whether the token between two places is that word, or one of several, which stand
   between spaces: " struct class ". */
int cmp_is(const cmp_tokens *, size_t begin, size_t end, const char *word);
int cmp_is_among(const cmp_tokens *, size_t begin, size_t end, const char *words);

#endif
