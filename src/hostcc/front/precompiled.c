/* Precompiled headers: files of clang's in the folder that the caller keeps for them.
   The device library is parsed once for each set of options, what a source begins with
   (leading_includes.c) once for each text. A file's name says of what it is made and
   ends with the digest of its content, so that a damaged one is not used; a file is
   written beside its place and renamed, and without any compilations take longer. */
#include "hostcc/front/front.h"

#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

const char *cc_device_library(void)
{
    const char *set = getenv("HOSTCC_INCLUDE");
    static char path[PATH_MAX];
    if (set)
        return set;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
    path[n > 0 ? n : 0] = 0;
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash : path, "/include/host");
    return path;
}

uint64_t cc_mix(uint64_t hash, const void *bytes, size_t n)
{
    for (const unsigned char *b = bytes; n--; b++)
        hash = (hash ^ *b) * 0x100000001b3u;
    return hash;
}

static uint64_t mix_file(uint64_t hash, const char *path)
{
    struct stat s;
    if (stat(path, &s))
        return hash;
    const int64_t facts[] = {s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
    return cc_mix(hash, facts, sizeof facts);
}

/* Of bytes at any address. Four products at a time: one after the other would take
   three times as long. */
uint64_t cc_digest(const char *bytes, size_t n)
{
    uint64_t lane[4] = {0}, word[4];
    size_t k = 0;
    for (; k + sizeof word <= n; k += sizeof word) {
        memcpy(word, bytes + k, sizeof word);
        for (unsigned l = 0; l < 4; l++) {
            uint64_t product = (lane[l] ^ word[l]) * 0x9e3779b97f4a7c15u;
            lane[l] = product << 29 | product >> 35;
        }
    }
    return cc_mix(cc_mix(0, lane, sizeof lane), bytes + k, n - k);
}

char *cc_map_file(const char *path, size_t *size)
{
    /* Something else of that name could be waited for. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat s = {0};
    void *all = MAP_FAILED;
    if (file >= 0 && !fstat(file, &s) && S_ISREG(s.st_mode) && s.st_size > 0)
        all = mmap(NULL, *size = (size_t)s.st_size, PROT_READ,
                   MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (file >= 0)
        close(file);
    return all == MAP_FAILED ? NULL : all;
}

char *cc_named_by_content(const char *name, const char *path)
{
    size_t size;
    uint64_t hash = 0;
    char *all = cc_map_file(path, &size);
    if (all) {
        hash = cc_digest(all, size);
        munmap(all, size);
    }
    return cc_format("%s-%016" PRIx64 ".pch", name, hash);
}

int cc_in_child(int (*work)(void *), void *argument)
{
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(freopen("/dev/null", "w", stderr) ? work(argument) : -1);
    }
    return child > 0 ? cc_await(&child, 1) : -1;
}

/* A link called `name` leads to the file beside it: thousands of images may lie in the
   folder, and to look at all their names takes a tenth of a compilation. */
static void lead_to(const char *name, const char *path)
{
    char *draft = cc_format("%s.%d", name, (int)getpid());
    unlink(draft);
    if (symlink(strrchr(path, '/') + 1, draft) || rename(draft, name))
        unlink(draft);
}

static char *led_to(const char *name)
{
    char target[NAME_MAX + 1];
    ssize_t size = readlink(name, target, sizeof target - 1);
    target[size < 0 ? 0 : size] = '\0';
    return cc_format("%.*s/%s", (int)(strrchr(name, '/') - name), name, target);
}

static bool is_sound(const char *name, const char *path)
{
    return !strcmp(path, cc_named_by_content(name, path));
}

/* The file whose name begins so, and says its content: a damaged one is not used. */
static const char *find_precompiled(const char *name)
{
    const char *path = led_to(name);
    glob_t found;
    if (is_sound(name, path))
        return path;
    if (glob(cc_format("%s-*.pch", name), 0, NULL, &found))
        return NULL;
    for (size_t k = 0; k < found.gl_pathc; k++)
        if (is_sound(name, found.gl_pathv[k])) {
            lead_to(name, found.gl_pathv[k]);
            return found.gl_pathv[k];
        }
    return NULL;
}

/* In a process of its own: LLVM ends it where a disk is full. */
static int precompile(void *job)
{
    return !cc_clang(job);
}

/* The device library's, made if it is not there. */
const char *cc_precompiled_library(cc_unit *u, const cc_words *base)
{
    const cc_options *o = u->options;
    if (!o->pch_folder || o->preprocess)
        return NULL;
    const char *include = cc_device_library(), *producer = cc_producer();
    cc_words c = *base;
    cc_add(&c, o->language.word);
    uint64_t hash = cc_mix(CC_MIX_BEGIN, producer, strlen(producer));
    hash = cc_mix(hash, CC_TEXT, strlen(CC_TEXT));
    for (unsigned k = 0; k < c.n; k++)
        hash = cc_mix(hash, c.word[k], strlen(c.word[k]));
    glob_t found;
    if (!glob(cc_format("%s/hostcc/*.h", include), 0, NULL, &found))
        for (size_t k = 0; k < found.gl_pathc; k++)
            hash = mix_file(hash, found.gl_pathv[k]);
    hash = mix_file(hash, cc_format("%s/device.h", include));

    const char *name = cc_format("%s/device-%016" PRIx64, o->pch_folder, hash), *mine;
    const char *path = find_precompiled(name);
    if (path)
        return path;
    if (access(o->pch_folder, W_OK))
        return NULL;
    mine = cc_format("%s.%d", name, (int)getpid());
    CC_ADD(&c, "-fpch-instantiate-templates", "-Xclang", "-emit-pch", "-o", mine,
           CC_TEXT);
    /* Included, as it is without: what it says of itself does not hold for a main file.
     */
    cc_clang_job job = {.n = c.n,
                        .words = c.word,
                        .context = u->context,
                        .text = cc_format("#include \"%s/device.h\"\n", include),
                        .of_library = true};
    path = cc_in_child(precompile, &job) == 0 ? cc_named_by_content(name, mine) : NULL;
    if (path && !rename(mine, path)) {
        lead_to(name, path);
        return path;
    }
    unlink(mine);
    return NULL;
}
