/* clang: CUDA C++ to LLVM's IR, by clang's own CUDA front end (clang.cpp) and our
   device library; no CUDA toolkit is looked for, an installed one is not used. */
#include "hostcc/front/front.h"

#include <ctype.h>
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

static const char *const fixed[] = {
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75",
    "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-nogpulib", "-nogpuinc",
    "-Wno-unknown-cuda-version", "-D__HOSTCC__=1", "-fno-math-errno", "-fno-exceptions",
    "-fno-rtti", "-Xclang", "-fcuda-allow-variadic-functions",
    /* constexpr but never constant is a warning, as it is nvcc's; so are numbers in
       braces that their type may not hold. Modules, which C++20 brings, would hide the
       operators new and delete of a precompiled header. */
    "-Wno-error=invalid-constexpr", "-Wno-error=c++11-narrowing", "-Xclang",
    "-fno-cxx-modules",
    /* nvcc takes `register`, and "%"MACRO without a blank. */
    "-Wno-register", "-Wno-reserved-user-defined-literal",
    /* nvcc does not exploit these as undefined: aliases of other types, a missing
       return, an unset value as an argument (`if (leader) x = ...; x =
       __shfl_sync(m, x, 0);`). */
    "-fno-strict-aliasing", "-fno-strict-return", "-Xclang",
    "-no-enable-noundef-analysis", "-Wno-unused-command-line-argument", "-O2", NULL};
static const char *const to_bitcode[] = {"-emit-llvm", "-c", "-Xclang",
                                         "-disable-llvm-passes", NULL};

/* -- The command -- */

static cc_words base_command(const cc_options *o)
{
    cc_words c = {0};
    const char *library = cc_device_library();
    CC_ADD(&c, "clang");
    cc_add(&c, fixed);
    if (!o->preprocess)
        cc_add(&c, to_bitcode);
    /* clang's headers, libc++'s and the C library's are our own copies: what is
       installed on the machine does not change what a kernel means. */
    CC_ADD(&c, "-isystem", library, cc_format("-resource-dir=%s/clang", library),
           "-nostdlibinc", cc_format("-stdlib++-isystem%s/c++", library), "-idirafter",
           cc_format("%s/libc", library));
    return c;
}

/* Compiles; clang's diagnostics are returned. */
static bool run(cc_unit *u, cc_words *c, char **messages)
{
    for (unsigned k = 0; u->options->verbose && k <= c->n; k++)
        fprintf(stderr, "%s%c", k < c->n ? c->word[k] : "", k < c->n ? ' ' : '\n');
    return cc_clang(c->n, c->word, u->context, messages, &u->module);
}

/* -- The device library, parsed once -- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
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
    return mix(hash, facts, sizeof facts);
}

/* Four products at a time: one after the other would take three times as long. */
static uint64_t mix_words(const uint64_t *word, size_t n)
{
    uint64_t lane[4] = {0};
    for (size_t k = 0; k + 4 <= n; k += 4)
        for (unsigned l = 0; l < 4; l++) {
            uint64_t product = (lane[l] ^ word[k + l]) * 0x9e3779b97f4a7c15u;
            lane[l] = product << 29 | product >> 35;
        }
    return mix(mix(0, lane, sizeof lane), word + n / 4 * 4, n % 4 * sizeof *word);
}

static char *named_by_content(const char *name, const char *path)
{
    /* Something else of that name could be waited for. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat s = {0};
    uint64_t hash = 0;
    if (file >= 0 && !fstat(file, &s) && S_ISREG(s.st_mode) && s.st_size > 0) {
        size_t size = (size_t)s.st_size;
        void *all = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
        if (all != MAP_FAILED) {
            hash = mix_words(all, size / 8);
            hash = mix(hash, (char *)all + size / 8 * 8, size % 8);
            munmap(all, size);
        }
    }
    if (file >= 0)
        close(file);
    return cc_format("%s-%016" PRIx64 ".pch", name, hash);
}

/* In a process of its own: LLVM ends it where a disk is full. */
static bool precompile(cc_unit *u, cc_words *c)
{
    char *messages;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(!freopen("/dev/null", "w", stderr) || !run(u, c, &messages));
    }
    return child > 0 && cc_await(&child, 1) == 0;
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
    return !strcmp(path, named_by_content(name, path));
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

/* device.h precompiled with these options, in the folder that the caller keeps for it;
   made if it is not there. NULL: there can be none. */
static const char *precompiled(cc_unit *u)
{
    const cc_options *o = u->options;
    if (!o->pch_folder || o->preprocess)
        return NULL;
    const char *include = cc_device_library(), *producer = cc_producer();
    cc_words c = base_command(o);
    cc_add(&c, o->language.word);
    uint64_t hash = mix(0xcbf29ce484222325u, producer, strlen(producer));
    for (unsigned k = 0; k < c.n; k++)
        hash = mix(hash, c.word[k], strlen(c.word[k]));
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
           cc_format("%s/device.h", include));
    path = precompile(u, &c) ? named_by_content(name, mine) : NULL;
    if (path && !rename(mine, path)) {
        lead_to(name, path);
        return path;
    }
    unlink(mine);
    return NULL;
}

/* -- The user's source -- */

/* clang compares a name that it does not know with those it does, letter by letter
   with each: of 100,000 letters that takes minutes. */
static bool has_endless_name(const char *source)
{
    enum { LETTERS = 4000 };
    unsigned letters = 0;
    struct stat s;
    FILE *f = !stat(source, &s) && S_ISREG(s.st_mode) ? fopen(source, "rb") : NULL;
    for (int c; f && letters < LETTERS && (c = getc_unlocked(f)) != EOF;)
        letters = isalnum(c) || c == '_' ? letters + 1 : 0;
    if (f)
        fclose(f);
    return letters >= LETTERS;
}

/* Diagnostics count only if clang accepted the precompiled header, which may be of
   other versions of the headers: else all is compiled again without it. */
static bool compile(cc_unit *u, const cc_words *more, const char *source,
                    char **messages)
{
    const cc_options *o = u->options;
    for (const char *pch = precompiled(u);; pch = NULL) {
        cc_words c = base_command(o);
        if (pch)
            CC_ADD(&c, "-Xclang", "-include-pch", "-Xclang", pch);
        else
            CC_ADD(&c, "-include", cc_format("%s/device.h", cc_device_library()));
        cc_add(&c, o->language.word);
        cc_add(&c, more->word);
        /* Dumps tell values of one name apart; reports name parameters. */
        if (getenv("HOSTCC_DUMP") || o->checks)
            CC_ADD(&c, "-fno-discard-value-names");
        if (has_endless_name(source))
            CC_ADD(&c, "-fno-spell-checking");
        CC_ADD(&c, "-o", "-", source, o->preprocess ? "-E" : NULL);
        bool good = run(u, &c, messages);
        if (good || !pch)
            return good;
    }
}

LLVMModuleRef cc_compile_text(cc_unit *u, const char *text, char **messages)
{
    const cc_words nothing = {0};
    LLVMModuleRef before = u->module;
    int file = memfd_create("text", 0);
    ssize_t size = (ssize_t)strlen(text);
    if (file < 0 || write(file, text, (size_t)size) != size)
        cc_refuse("out of memory");
    bool good = compile(u, &nothing, cc_format("/proc/self/fd/%d", file), messages);
    LLVMModuleRef made = good ? u->module : NULL;
    close(file);
    u->module = before;
    return made;
}

void cc_frontend(cc_unit *u)
{
    char *messages;
    if (cc_link_objects(u))
        return;
    if (u->options->kernel)
        cc_refuse("--kernel: '%s' is not an object", u->options->source[0]);
    bool good = compile(u, &u->options->clang, u->options->source[0], &messages);
    if (!u->options->no_avx512) { /* else they have been seen */
        fputs(messages, stderr);
        cc_warn_of_arch(u);
    }
    if (!good || u->options->preprocess)
        exit(!good);
    if (u->options->relocatable)
        cc_write_object(u);
    cc_name_internals(u);
    cc_keep_object(u);
    LLVMContextSetDiscardValueNames(u->context, !getenv("HOSTCC_DUMP"));
}
