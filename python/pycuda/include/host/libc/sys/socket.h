/* Sockets of host code, which is read and not run. */
#ifndef HOSTCC_SYS_SOCKET_H
#define HOSTCC_SYS_SOCKET_H
#include <sys/types.h>
extern "C" {
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_NONBLOCK 2048
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_REUSEPORT 15
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SOMAXCONN 4096
#define MSG_PEEK 2
#define MSG_DONTWAIT 64
#define MSG_WAITALL 256
#define MSG_NOSIGNAL 16384
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
typedef unsigned socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr {
    sa_family_t sa_family;
    char sa_data[14];
};
struct sockaddr_storage {
    sa_family_t ss_family;
    alignas(8) char __hc_rest[120];
};
struct linger {
    int l_onoff, l_linger;
};
int socket(int, int, int) noexcept;
int bind(int, const struct sockaddr *, socklen_t) noexcept;
int listen(int, int) noexcept;
int accept(int, struct sockaddr *, socklen_t *);
int connect(int, const struct sockaddr *, socklen_t);
int shutdown(int, int) noexcept;
ssize_t send(int, const void *, size_t, int);
ssize_t recv(int, void *, size_t, int);
ssize_t sendto(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
ssize_t recvfrom(int, void *, size_t, int, struct sockaddr *, socklen_t *);
int getsockopt(int, int, int, void *, socklen_t *) noexcept;
int setsockopt(int, int, int, const void *, socklen_t) noexcept;
int getsockname(int, struct sockaddr *, socklen_t *) noexcept;
int getpeername(int, struct sockaddr *, socklen_t *) noexcept;
}
#endif
