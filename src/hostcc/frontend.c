/* clang: CUDA C++ to bitcode. clang runs as a process with its own CUDA front end and
   our device library; no CUDA toolkit is looked for, and one that is installed is not
   used. */
#include "hostcc.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *device_library(void)
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
    "-x",
    "cuda",
    "--cuda-device-only",
    "--cuda-gpu-arch=sm_75",
    "--cuda-path=/nonexistent",
    "-nocudainc",
    "-nocudalib",
    "-nogpulib",
    "-nogpuinc",
    "-Wno-unknown-cuda-version",
    "-D__HOSTCC__=1",
    "-fno-math-errno",
    "-fno-exceptions",
    "-fno-rtti",
    "-Xclang",
    "-fcuda-allow-variadic-functions",
    /* Unset values may be handed on: `if (leader) x = ...; x = __shfl_sync(m, x, 0);`
     */
    "-Xclang",
    "-no-enable-noundef-analysis",
    "-Wno-unused-command-line-argument",
    "-O2",
};
static const char *const to_bitcode[] = {"-emit-llvm", "-c",
                                         "-Xclang",    "-disable-llvm-passes",
                                         "-Xclang",    "-debug-info-kind=constructor"};

/* -- The command -- */

typedef struct {
    unsigned n;
    const char *argv[256];
} command;

static void add(command *c, const char *word)
{
    if (c->n > 254)
        cc_refuse("too many options");
    c->argv[c->n++] = word;
}

static command base_command(const cc_options *o)
{
    command c = {0, {NULL}};
    const char *clang = getenv("HOSTCC_CLANG");
    add(&c, clang ? clang : "clang-19");
    for (unsigned k = 0; k < sizeof fixed / sizeof *fixed; k++)
        add(&c, fixed[k]);
    for (unsigned k = 0; !o->preprocess && k < sizeof to_bitcode / sizeof *to_bitcode;
         k++)
        add(&c, to_bitcode[k]);
    add(&c, "-isystem");
    add(&c, device_library());
    return c;
}

static void add_all(command *c, const char *const *words)
{
    for (; *words; words++)
        add(c, *words);
}

static int run(const cc_options *o, command *c, int out, int err)
{
    for (unsigned k = 0; o->verbose && k <= c->n; k++)
        fprintf(stderr, "%s%c", k < c->n ? c->argv[k] : "", k < c->n ? ' ' : '\n');
    int status = cc_spawn((char *const *)c->argv, out, err);
    if (status == 127)
        cc_refuse("%s was not found: install the package clang-19", c->argv[0]);
    return status;
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

/* device.h precompiled with these options, in the folder that the caller keeps for it;
   made if it is not there. NULL: there can be none. */
static const char *precompiled(const cc_options *o)
{
    if (!o->pch_folder || o->preprocess)
        return NULL;
    const char *include = device_library();
    uint64_t hash = mix_file(0xcbf29ce484222325u, "/usr/bin/clang-19");
    glob_t headers;
    if (!glob(cc_format("%s/hostcc/*.h", include), 0, NULL, &headers))
        for (size_t k = 0; k < headers.gl_pathc; k++)
            hash = mix_file(hash, headers.gl_pathv[k]);
    hash = mix_file(hash, cc_format("%s/device.h", include));
    hash = mix(hash, include, strlen(include));
    for (const char *const *w = o->language; *w; w++)
        hash = mix(hash, *w, strlen(*w));
    const char *path =
        cc_format("%s/device-%016llx.pch", o->pch_folder, (unsigned long long)hash);
    if (!access(path, R_OK))
        return path;
    command c = base_command(o);
    const char *mine = cc_format("%s.%d", path, (int)getpid());
    add_all(&c, o->language);
    const char *const make[] = {
        "-Xclang", "-emit-pch", "-o", mine, cc_format("%s/device.h", include), NULL};
    add_all(&c, make);
    int nowhere = memfd_create("nowhere", 0);
    if (run(o, &c, nowhere, nowhere) || rename(mine, path)) {
        unlink(mine);
        return NULL;
    }
    return path;
}

/* -- Bitcode -- */

static LLVMMemoryBufferRef contents(int fd)
{
    LLVMMemoryBufferRef buffer;
    char *error, *path = cc_format("/proc/self/fd/%d", fd);
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error))
        cc_refuse("%s", error);
    return buffer;
}

/* Adds clang, which the image depends on like on any header, to the end of the list it
 * wrote. */
static void add_dependency(const cc_options *o, const char *clang)
{
    FILE *f = o->depfile ? fopen(o->depfile, "r+") : NULL;
    if (!f)
        return;
    if (!fseek(f, -1, SEEK_END))
        fprintf(f, " \\\n  %s%s\n", strchr(clang, '/') ? "" : "/usr/bin/", clang);
    fclose(f);
}

static LLVMMemoryBufferRef run_clang(const cc_options *o)
{
    const char *pch = precompiled(o);
    int out = memfd_create("bitcode", 0), err = memfd_create("messages", 0), status = 1;
    for (unsigned attempt = pch ? 0 : 1; attempt < 2 && status; attempt++) {
        /* With the precompiled header first; messages count only if that went well,
           since the header may be damaged or of another clang. */
        command c = base_command(o);
        const char *const with[] = {"-Xclang", "-include-pch", "-Xclang", pch, NULL};
        const char *const without[] = {
            "-include", cc_format("%s/device.h", device_library()), NULL};
        const char *const end[] = {"-o", "-", o->source[0], NULL};
        add_all(&c, attempt ? without : with);
        if (o->preprocess)
            add(&c, "-E");
        add_all(&c, o->language);
        add_all(&c, o->clang);
        add_all(&c, end);
        if (ftruncate(out, 0) || lseek(out, 0, SEEK_SET))
            cc_refuse("cannot write memory");
        status = run(o, &c, o->preprocess ? -1 : out, attempt ? -1 : err);
        if (!status)
            add_dependency(o, c.argv[0]);
        if (!status && !attempt) {
            LLVMMemoryBufferRef text = contents(err);
            fwrite(LLVMGetBufferStart(text), 1, LLVMGetBufferSize(text), stderr);
        }
    }
    if (status || o->preprocess)
        exit(status);
    return contents(out);
}

void cc_frontend(cc_unit *u)
{
    if (cc_link_objects(u))
        return;
    LLVMMemoryBufferRef bitcode = run_clang(u->options);
    if (u->options->relocatable)
        cc_write_object(u->options, bitcode);
    if (LLVMParseBitcodeInContext2(u->context, bitcode, &u->module))
        cc_refuse(
            "cannot read clang's bitcode: is clang's version the one of this LLVM?");
}
