/* The machine's name, for host code. */
#ifndef HOSTCC_SYS_UTSNAME_H
#define HOSTCC_SYS_UTSNAME_H
extern "C" {
struct utsname {
    char sysname[65], nodename[65], release[65], version[65], machine[65],
        domainname[65];
};
int uname(struct utsname *) noexcept;
}
#endif
