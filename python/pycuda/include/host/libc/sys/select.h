/* Waiting for files and sockets, for host code. */
#ifndef HOSTCC_SYS_SELECT_H
#define HOSTCC_SYS_SELECT_H
#include <sys/time.h>
extern "C" {
#define FD_SETSIZE 1024
typedef struct {
    long fds_bits[FD_SETSIZE / 64];
} fd_set;
#define FD_ZERO(set) (void)(*(set) = fd_set())
#define FD_SET(fd, set) (void)((set)->fds_bits[(fd) / 64] |= 1L << (fd) % 64)
#define FD_CLR(fd, set) (void)((set)->fds_bits[(fd) / 64] &= ~(1L << (fd) % 64))
#define FD_ISSET(fd, set) (((set)->fds_bits[(fd) / 64] >> (fd) % 64 & 1) != 0)
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
}
#endif
