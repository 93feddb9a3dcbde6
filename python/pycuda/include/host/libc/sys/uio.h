/* Reading and writing in pieces, for host code. */
#ifndef HOSTCC_SYS_UIO_H
#define HOSTCC_SYS_UIO_H
#include <sys/types.h>
extern "C" {
struct iovec {
    void *iov_base;
    size_t iov_len;
};
ssize_t readv(int, const struct iovec *, int);
ssize_t writev(int, const struct iovec *, int);
}
#endif
