/* The disk cache of images: one file an entry, named by its key (cache_key.c), the
   digest of all that the image depends on but the included files. An entry is

       digest of key and rest | list of files (file_stamps.c) | NUL | image

   and is good if its digest is right and the files are as they were; anything else is a
   miss. It counts only if nobody else can have written it: a file, not a link, of the
   user or root in a folder of the user or root, neither writable by others. Entries are
   written beside their place and renamed, so processes may share a folder, delete from
   it, or find it read-only or full at any time: the price is a compilation. */
#define _GNU_SOURCE /* mkostemp */
#include "compile_job.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#define SUFFIX ".image"
#define LIBRARY "device-" /* hostcc's precompiled headers, links, notes, drafts */
#define DIGEST 32         /* hexadecimal digits, as many as a key has */
#define LIMIT (256 << 20) /* bytes in a folder; PYCUDA_CACHE_SIZE overrides */
#define DAY (24 * 60 * 60)

#define UNWRITTEN "cannot be written (%s): kernels are compiled anew in each process"

static int warned; /* one warning a process */

void cmp_cache_folder(const char *wanted, char path[PATH_MAX])
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct passwd *user;
    int length = PATH_MAX;
    if (!wanted)
        wanted = getenv("PYCUDA_CACHE_DIR");
    if (!home && (user = getpwuid(getuid())))
        home = user->pw_dir;
    if (getenv("PYCUDA_DISABLE_CACHE"))
        ;
    else if (wanted)
        length = snprintf(path, PATH_MAX, "%s", wanted);
    else if (base && *base == '/')
        length = snprintf(path, PATH_MAX, "%s/pycuda/compiler-cache-v3", base);
    else if (home)
        length = snprintf(path, PATH_MAX, "%s/.cache/pycuda/compiler-cache-v3", home);
    if (length >= PATH_MAX)
        *path = 0;
}

/* What others can do to a file or folder; NULL: nothing. Many systems give each user a
   group of the same number with nobody else in it, and let it write by default. */
static const char *exposure(const struct stat *status)
{
    int private = status->st_uid && status->st_gid == status->st_uid;
    mode_t others = private ? S_IWOTH : S_IWGRP | S_IWOTH;
    return status->st_uid != geteuid() && status->st_uid ? "it belongs to another user"
           : status->st_mode & others                    ? "others may write to it"
                                                         : NULL;
}

/* The file of an entry, or -1. It must not wait for what somebody put there instead. */
static int open_entry(const char *folder, const cmp_key key, struct stat *status)
{
    char name[DIGEST + sizeof SUFFIX];
    int in = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
    snprintf(name, sizeof name, "%s" SUFFIX, key);
    if (in >= 0 && !fstat(in, status) && !exposure(status))
        fd = openat(in, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in >= 0)
        close(in);
    if (fd >= 0 &&
        (fstat(fd, status) || !S_ISREG(status->st_mode) || exposure(status))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Whether the first bytes are the digest of the rest and the key; it is in their place
   then. 1, 0, -1. */
static int seal_is_right(cmp_text *data, const cmp_key key)
{
    cmp_key found, right;
    memcpy(found, data->bytes, DIGEST);
    memcpy(data->bytes, key, DIGEST);
    if (cmp_digest(data->bytes, data->size, right))
        return -1;
    return !memcmp(found, right, DIGEST);
}

/* Makes the data the content of a file at once; false, and errno, if that cannot be. */
static int put_in_place(const cmp_text *data, const char *path)
{
    char draft[PATH_MAX + 128];
    snprintf(draft, sizeof draft, "%s.XXXXXX", path);
    int fd = mkostemp(draft, O_CLOEXEC);
    if (fd < 0)
        return 0;
    int good = cmp_write_open(data, fd) && !fchmod(fd, 0644);
    if (!close(fd) && good && !rename(draft, path))
        return 1;
    int problem = errno;
    unlink(draft);
    errno = problem;
    return 0;
}

/* The digest of all stands in the place of the key then. */
static int seal(cmp_text *data, cmp_key sum)
{
    if (cmp_digest(data->bytes, data->size, sum))
        return -1;
    memcpy(data->bytes, sum, DIGEST);
    return 0;
}

int cmp_cache_find(const char *folder, const cmp_key key, cmp_text *image)
{
    char path[PATH_MAX + 64], *at = NULL;
    cmp_text data = {0};
    cmp_key sum;
    struct stat status;
    int fd = open_entry(folder, key, &status), result = 0, renewed = 0;
    if (fd < 0)
        return 0;
    if (cmp_read_open(&data, fd) && data.size > DIGEST &&
        (result = seal_is_right(&data, key)) > 0) {
        at = data.bytes + DIGEST;
        result = cmp_stamps_check(&at, &renewed);
    }
    if (result > 0) {
        cmp_put_bytes(image, at, data.bytes + data.size - at);
        /* The oldest entries go when the folder is full; one in use must not look old.
         */
        if (time(NULL) - status.st_mtime > DAY)
            futimens(fd, NULL);
    }
    snprintf(path, sizeof path, "%s/%s" SUFFIX, folder, key);
    if (result > 0 && renewed && (result = seal(&data, sum) ? -1 : 1) > 0)
        put_in_place(&data, path); /* else the next hit takes as long */
    close(fd);
    cmp_text_clear(&data);
    return result;
}

/* -- Sources for debuggers, each in a folder of the entry's name ------------------- */

#define SOURCES SUFFIX ".sources"

void cmp_cache_keep_source(const char *folder, const cmp_key key, const char *source,
                           char path[PATH_MAX])
{
    char file[PATH_MAX + 16];
    cmp_text text = {.bytes = (char *)source, .size = strlen(source)};
    struct stat status;
    int length = snprintf(path, PATH_MAX, "%s/%s" SOURCES, folder, key);
    snprintf(file, sizeof file, "%s/kernel.cu", path);
    if (length >= PATH_MAX || (mkdir(path, 0755) && errno != EEXIST) ||
        (stat(file, &status) && !put_in_place(&text, file)))
        *path = 0; /* lines without text */
}

static int remove_sources(int folder, const char *name)
{
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s/kernel.cu", name);
    unlinkat(folder, file, 0);
    return unlinkat(folder, name, AT_REMOVEDIR);
}

/* -- Its size -----------------------------------------------------------------------
 */

/* Adds up sizes, and sizes times dates, of what is here; removes those older than a
 * date. */
static void walk(const char *folder, double oldest, double *size, double *moment)
{
    DIR *all = opendir(folder);
    struct dirent *item;
    struct stat status;
    while (all && (item = readdir(all))) {
        if ((!strstr(item->d_name, SUFFIX) &&
             strncmp(item->d_name, LIBRARY, strlen(LIBRARY))) ||
            fstatat(dirfd(all), item->d_name, &status, AT_SYMLINK_NOFOLLOW))
            continue; /* not ours, or gone */
        double date = status.st_mtim.tv_sec + status.st_mtim.tv_nsec * 1e-9;
        *size += status.st_size;
        *moment += status.st_size * date;
        if (date < oldest)
            S_ISDIR(status.st_mode) ? remove_sources(dirfd(all), item->d_name)
                                    : unlinkat(dirfd(all), item->d_name, 0);
    }
    if (all)
        closedir(all);
}

/* A folder that holds more than it may loses what is older than the mean. */
static void evict(const char *folder)
{
    const char *limit = getenv("PYCUDA_CACHE_SIZE");
    double size = 0, moment = 0;
    walk(folder, 0, &size, &moment);
    if (size > (limit && *limit ? atof(limit) : LIMIT))
        walk(folder, moment / size, &size, &moment);
}

/* The last one is for the user alone to write. */
static void make_folders(const char *folder)
{
    char path[PATH_MAX + 1];
    snprintf(path, sizeof path, "%s/", folder);
    for (char *slash = path; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = 0;
        mkdir(path, slash[1] ? 0777 : 0755);
    }
}

/* Once a process: what keeps images from being stored. */
static int complain(const char *folder, const char *why)
{
    if (warned++)
        return 0;
    return PyErr_WarnFormat(PyExc_UserWarning, 1, "the compiler cache %s %s", folder,
                            why);
}

int cmp_cache_prepare(char *folder)
{
    struct stat status;
    char why[300];
    make_folders(folder);
    const char *exposed = stat(folder, &status)      ? strerror(errno)
                          : !S_ISDIR(status.st_mode) ? strerror(ENOTDIR)
                                                     : exposure(&status);
    if (!exposed)
        return 0;
    snprintf(why, sizeof why, UNWRITTEN, exposed);
    int result = complain(folder, why);
    *folder = 0;
    return result;
}

/* The text of an entry: 1; 0: a file may have changed since the compiler read it; -1.
 */
static int pack(cmp_text *data, const cmp_key key, const cmp_job *job,
                const struct timespec *started)
{
    cmp_put_bytes(data, key, DIGEST);
    int result = cmp_stamps_put(data, job, started);
    cmp_put(data, "%s", "");
    cmp_put_bytes(data, job->outcome->image.bytes, job->outcome->image.size);
    return data->failed ? 0 : result;
}

int cmp_cache_store(const char *folder, const cmp_key key, const cmp_job *job,
                    const struct timespec *started)
{
    char path[PATH_MAX + 64], why[300];
    cmp_text data = {0};
    cmp_key sum;
    int result = 0;
    snprintf(path, sizeof path, "%s/%s" SUFFIX, folder, key);
    if ((result = pack(&data, key, job, started)) <= 0 || (result = seal(&data, sum)))
        goto done;
    if (!put_in_place(&data, path)) {
        snprintf(why, sizeof why, UNWRITTEN, strerror(errno));
        result = complain(folder, why);
    } else if (*sum == '0') { /* one in sixteen: a look at the whole folder is slow */
        evict(folder);
    }
done:
    cmp_text_clear(&data);
    return result;
}
