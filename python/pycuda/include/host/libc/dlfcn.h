/* Shared libraries, for host code. */
#ifndef HOSTCC_DLFCN_H
#define HOSTCC_DLFCN_H
extern "C" {
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_NOLOAD 4
#define RTLD_GLOBAL 256
#define RTLD_LOCAL 0
void *dlopen(const char *, int) noexcept;
void *dlsym(void *, const char *) noexcept;
int dlclose(void *) noexcept;
char *dlerror(void) noexcept;
}
#endif
