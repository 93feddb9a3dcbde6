/* What a file is, for host code. */
#ifndef HOSTCC_SYS_STAT_H
#define HOSTCC_SYS_STAT_H
#include <sys/types.h>
#include <time.h>
extern "C" {
struct stat {
    unsigned long st_dev, st_ino, st_nlink;
    mode_t st_mode;
    off_t st_size;
    time_t st_atime, st_mtime, st_ctime;
};
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_IRWXU 0700
#define S_IRWXG 070
#define S_IRWXO 07
int stat(const char *, struct stat *) noexcept;
int fstat(int, struct stat *) noexcept;
int mkdir(const char *, mode_t) noexcept;
int chmod(const char *, mode_t) noexcept;
}
#endif
