/* Ends of programs with a message, as BSD has them, for host code. */
#ifndef HOSTCC_ERR_H
#define HOSTCC_ERR_H
extern "C" {
void warn(const char *, ...);
void warnx(const char *, ...);
__attribute__((noreturn)) void err(int, const char *, ...);
__attribute__((noreturn)) void errx(int, const char *, ...);
}
#endif
