/* Keys of what processes share, for host code. */
#ifndef HOSTCC_SYS_IPC_H
#define HOSTCC_SYS_IPC_H
#include <sys/types.h>
extern "C" {
#define IPC_PRIVATE ((key_t)0)
#define IPC_RMID 0
#define IPC_CREAT 01000
#define IPC_EXCL 02000
typedef int key_t;
key_t ftok(const char *, int) noexcept;
}
#endif
