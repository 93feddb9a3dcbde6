/* Addresses of sockets in the file system, for host code. */
#ifndef HOSTCC_SYS_UN_H
#define HOSTCC_SYS_UN_H
#include <sys/socket.h>
extern "C" {
struct sockaddr_un {
    sa_family_t sun_family;
    char sun_path[108];
};
}
#endif
