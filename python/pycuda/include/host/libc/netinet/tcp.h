/* Options of TCP, for host code. */
#ifndef HOSTCC_NETINET_TCP_H
#define HOSTCC_NETINET_TCP_H
#include <netinet/in.h>
#define TCP_NODELAY 1
#define TCP_KEEPIDLE 4
#define TCP_KEEPINTVL 5
#define TCP_KEEPCNT 6
#define TCP_USER_TIMEOUT 18
#endif
