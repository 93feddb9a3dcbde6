/* Signals of host code, which is read and not run. */
#ifndef HOSTCC_SIGNAL_H
#define HOSTCC_SIGNAL_H

extern "C" {
typedef int sig_atomic_t;
typedef void (*__hc_handler)(int);
#define SIG_DFL ((__hc_handler)0)
#define SIG_IGN ((__hc_handler)1)
#define SIG_ERR ((__hc_handler) - 1)
#define SIGINT 2
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGSEGV 11
#define SIGTERM 15
__hc_handler signal(int, __hc_handler) noexcept;
int raise(int) noexcept;
}
#endif
