/* The machine's memory and cores, for host code. */
#ifndef HOSTCC_SYS_SYSINFO_H
#define HOSTCC_SYS_SYSINFO_H
extern "C" {
struct sysinfo {
    long uptime;
    unsigned long loads[3], totalram, freeram, sharedram, bufferram, totalswap,
        freeswap;
    unsigned short procs;
    unsigned mem_unit;
};
int sysinfo(struct sysinfo *) noexcept;
int get_nprocs(void) noexcept;
}
#endif
