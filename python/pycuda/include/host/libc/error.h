/* Ends of programs with a message, for host code. */
#ifndef HOSTCC_ERROR_H
#define HOSTCC_ERROR_H
extern "C" {
extern unsigned error_message_count;
extern int error_one_per_line;
void error(int, int, const char *, ...);
void error_at_line(int, int, const char *, unsigned, const char *, ...);
}
#endif
