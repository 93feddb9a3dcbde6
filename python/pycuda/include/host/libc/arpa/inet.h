/* Addresses of the internet as text, for host code. */
#ifndef HOSTCC_ARPA_INET_H
#define HOSTCC_ARPA_INET_H
#include <netinet/in.h>
extern "C" {
in_addr_t inet_addr(const char *) noexcept;
char *inet_ntoa(struct in_addr) noexcept;
int inet_pton(int, const char *, void *) noexcept;
const char *inet_ntop(int, const void *, char *, socklen_t) noexcept;
}
#endif
