/* How full a file system is, for host code. */
#ifndef HOSTCC_SYS_STATVFS_H
#define HOSTCC_SYS_STATVFS_H
extern "C" {
struct statvfs {
    unsigned long f_bsize, f_frsize, f_blocks, f_bfree, f_bavail, f_files, f_ffree,
        f_favail;
    unsigned long f_fsid, f_flag, f_namemax;
};
int statvfs(const char *, struct statvfs *) noexcept;
}
#endif
