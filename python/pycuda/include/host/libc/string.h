/* Memory and strings of host code; memcpy, memmove and memset of kernels are in
 * device.h. */
#ifndef HOSTCC_STRING_H
#define HOSTCC_STRING_H
#include <stddef.h>
#include <hostcc_locale_t.h>

extern "C" {
void *memcpy(void *, const void *, size_t) noexcept;
void *memmove(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
void *memchr(const void *, int, size_t) noexcept;
char *strcpy(char *, const char *) noexcept;
char *strncpy(char *, const char *, size_t) noexcept;
char *strcat(char *, const char *) noexcept;
char *strncat(char *, const char *, size_t) noexcept;
int strcmp(const char *, const char *) noexcept;
int strncmp(const char *, const char *, size_t) noexcept;
int strcasecmp(const char *, const char *) noexcept;
int strncasecmp(const char *, const char *, size_t) noexcept;
int strcoll(const char *, const char *) noexcept;
int strcoll_l(const char *, const char *, locale_t) noexcept;
size_t strxfrm(char *, const char *, size_t) noexcept;
size_t strxfrm_l(char *, const char *, size_t, locale_t) noexcept;
char *strchr(const char *, int) noexcept;
size_t strcspn(const char *, const char *) noexcept;
char *strpbrk(const char *, const char *) noexcept;
char *strrchr(const char *, int) noexcept;
size_t strspn(const char *, const char *) noexcept;
char *strstr(const char *, const char *) noexcept;
char *strtok(char *, const char *) noexcept;
char *strdup(const char *) noexcept;
char *strerror(int) noexcept;
int strerror_r(int, char *, size_t) noexcept;
size_t strlen(const char *) noexcept;
size_t strnlen(const char *, size_t) noexcept;
}
#endif
