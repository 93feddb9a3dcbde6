/* Jumps of host code, which is read and not run. */
#ifndef HOSTCC_SETJMP_H
#define HOSTCC_SETJMP_H

extern "C" {
typedef struct {
    long registers[25];
} jmp_buf[1];
int setjmp(jmp_buf) noexcept;
__attribute__((noreturn)) void longjmp(jmp_buf, int);
#define setjmp(buffer) setjmp(buffer)
}
#endif
