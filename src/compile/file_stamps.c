/* What an entry of the cache says of the files that its image depends on:

       path NUL stamp NUL digest NUL, for each included file
       path NUL "absent" NUL,         for each that would be included if it were there

   A file is as it was if its stamp (size, number, time of change) is, or else if its
   size and content are: a package that is installed anew has new files of the same
   content, and a kernel takes a thousand times as long to compile as its files to read.
   A stamp that does not fit any more is then replaced by one that does. */
#include "compile_job.h"
#include <stdint.h>

#define ABSENT "absent"
#define STAMP 64  /* hexadecimal digits: four numbers */
#define SIZE 16   /* of which the first is the size */
#define SETTLED 2 /* seconds; clocks of file systems are coarse */

/* Words: path, stamp and digest of files that this process has read. All kernels
   include the same device library, in the same order, so a search starts where the last
   one ended. For the GIL to guard. */
static cmp_text known;
static const char *last_known;

/* As hexadecimal digits: printf() took a third of the time of a hit. */
static void make_stamp(char stamp[STAMP + 1], const struct stat *status)
{
    const uint64_t numbers[] = {(uint64_t)status->st_size, status->st_ino,
                                (uint64_t)status->st_ctim.tv_sec,
                                (uint64_t)status->st_ctim.tv_nsec};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int shift = 60; shift >= 0; shift -= 4)
            *stamp++ = "0123456789abcdef"[numbers[i] >> shift & 15];
    *stamp = 0;
}

/* Whether a change from now on gives another stamp. */
static int is_settled(const struct stat *status)
{
    return time(NULL) - status->st_ctim.tv_sec > SETTLED;
}

static const char *third_after(const char *path)
{
    for (int words = 3; path && words--;)
        path = cmp_next(&known, path);
    return path;
}

/* What is known of a file with this stamp, or NULL. */
static const char *known_digest(const char *path, const char *stamp)
{
    const char *start = last_known ? third_after(last_known) : NULL;
    const char *at = start = start ? start : known.bytes;
    while (at) {
        const char *its_stamp = cmp_next(&known, at);
        if (!strcmp(at, path) && !strcmp(its_stamp, stamp)) {
            last_known = at;
            return cmp_next(&known, its_stamp);
        }
        at = third_after(at);
        at = at ? at : known.bytes;
        if (at == start)
            break;
    }
    return NULL;
}

static void remember(const char *path, const char *stamp, const char *digest)
{
    last_known = NULL; /* the text may move */
    cmp_put(&known, "%s", path);
    cmp_put(&known, "%s", stamp);
    cmp_put(&known, "%s", digest);
    if (known.failed) /* perhaps in the middle */
        cmp_text_clear(&known);
}

/* Of the content of a file, which had that status before. 1; 0: it cannot be read; -1.
 */
static int digest_file(const char *path, const struct stat *status, cmp_key digest)
{
    char stamp[STAMP + 1];
    cmp_text content = {0};
    make_stamp(stamp, status);
    const char *found = known_digest(path, stamp);
    if (found) {
        memcpy(digest, found, sizeof(cmp_key));
        return 1;
    }
    int result = cmp_read(&content, path);
    if (result && cmp_digest(content.bytes ? content.bytes : "", content.size, digest))
        result = -1;
    if (result > 0 && is_settled(status))
        remember(path, stamp, digest);
    cmp_text_clear(&content);
    return result;
}

static int is_later(const struct timespec *time, const struct timespec *than)
{
    return time->tv_sec > than->tv_sec ||
           (time->tv_sec == than->tv_sec && time->tv_nsec > than->tv_nsec);
}

int cmp_stamps_put(cmp_text *data, const cmp_job *job, const struct timespec *started)
{
    struct stat status;
    for (const char *file = NULL; (file = cmp_next(&job->files, file));) {
        cmp_key digest;
        char stamp[STAMP + 1];
        int result = stat(file, &status) ? 0 : digest_file(file, &status, digest);
        if (result <= 0)
            return result;
        /* After it was read: what changes from here on gets another digest. */
        if (stat(file, &status) || is_later(&status.st_ctim, started))
            return 0;
        make_stamp(stamp, &status);
        cmp_put(data, "%s", file);
        cmp_put(data, "%s", stamp);
        cmp_put(data, "%s", digest);
    }
    for (const char *file = NULL; (file = cmp_next(&job->absent, file));) {
        if (!stat(file, &status))
            return 0;
        cmp_put(data, "%s", file);
        cmp_put(data, ABSENT);
    }
    return !data->failed;
}

int cmp_stamps_check(char **list, int *renewed)
{
    char *at = *list;
    while (*at) {
        struct stat status;
        cmp_key digest;
        char now[STAMP + 1] = ABSENT, *stamp = at + strlen(at) + 1;
        char *right = stamp + strlen(stamp) + 1; /* digest, or the next path */
        int is_file = strcmp(stamp, ABSENT) != 0;
        if (!stat(at, &status))
            make_stamp(now, &status);
        if (strcmp(now, stamp)) {
            if (!is_file || strncmp(now, stamp, SIZE))
                return 0;
            int result = digest_file(at, &status, digest);
            if (result <= 0 || strcmp(digest, right))
                return result < 0 ? -1 : 0;
            if (is_settled(&status)) {
                memcpy(stamp, now, STAMP);
                *renewed = 1;
            }
        }
        at = is_file ? right + strlen(right) + 1 : right;
    }
    *list = at + 1;
    return 1;
}
