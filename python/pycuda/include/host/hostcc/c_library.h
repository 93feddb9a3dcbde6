/* What host code beside kernels calls of the C library without its headers, since nvcc
   reads some itself. The headers of libc/ declare it again, and more: names such as rand
   are left to device code here. */
#ifndef HOSTCC_C_LIBRARY_H
#define HOSTCC_C_LIBRARY_H

extern "C" {
void exit(int) noexcept __attribute__((noreturn));
int atoi(const char *) noexcept;
void *malloc(size_t) noexcept;
void free(void *) noexcept;
void *memcpy(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int strcmp(const char *, const char *) noexcept;
size_t strlen(const char *) noexcept;
}
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

#endif
