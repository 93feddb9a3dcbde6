/* Names of files by a pattern, for host code. */
#ifndef HOSTCC_GLOB_H
#define HOSTCC_GLOB_H
#include <stddef.h>
extern "C" {
#define GLOB_NOSORT 4
#define GLOB_APPEND 32
#define GLOB_NOMATCH 3
typedef struct {
    size_t gl_pathc;
    char **gl_pathv;
    size_t gl_offs;
} glob_t;
int glob(const char *, int, int (*)(const char *, int), glob_t *);
void globfree(glob_t *) noexcept;
}
#endif
