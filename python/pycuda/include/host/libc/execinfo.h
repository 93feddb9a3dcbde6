/* Where a program is, for host code. */
#ifndef HOSTCC_EXECINFO_H
#define HOSTCC_EXECINFO_H
extern "C" {
int backtrace(void **, int);
char **backtrace_symbols(void *const *, int) noexcept;
void backtrace_symbols_fd(void *const *, int, int) noexcept;
}
#endif
