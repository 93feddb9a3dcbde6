/* Control of devices, for host code. */
#ifndef HOSTCC_SYS_IOCTL_H
#define HOSTCC_SYS_IOCTL_H
extern "C" {
#define FIONREAD 0x541b
#define FIONBIO 0x5421
int ioctl(int, unsigned long, ...) noexcept;
}
#endif
