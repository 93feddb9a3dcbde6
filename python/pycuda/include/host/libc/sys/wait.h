/* The end of processes, for host code. */
#ifndef HOSTCC_SYS_WAIT_H
#define HOSTCC_SYS_WAIT_H
#include <sys/types.h>
extern "C" {
#define WNOHANG 1
#define WIFEXITED(status) (((status) & 127) == 0)
#define WEXITSTATUS(status) ((status) >> 8 & 255)
#define WIFSIGNALED(status) (((status) & 127) != 0)
#define WTERMSIG(status) ((status) & 127)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
}
#endif
