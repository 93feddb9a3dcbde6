/* The folders of files that host code of a kernel's source may name. */
#ifndef HOSTCC_DIRENT_H
#define HOSTCC_DIRENT_H
#include <sys/types.h>
extern "C" {
typedef struct __hc_folder DIR;
struct dirent {
    unsigned long d_ino;
    unsigned char d_type;
    char d_name[256];
};
DIR *opendir(const char *);
dirent *readdir(DIR *);
int closedir(DIR *);
}
#endif
