/* clang: CUDA C++ to bitcode. clang runs as a process with its own CUDA front end and
   our device library; no CUDA toolkit is looked for, and one that is installed is not
   used. */
#include "hostcc.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
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
    "-Wno-unused-command-line-argument",
    "-O2",
};
static const char *const to_bitcode[] = {"-emit-llvm", "-c",
                                         "-Xclang",    "-disable-llvm-passes",
                                         "-Xclang",    "-debug-info-kind=constructor"};

static LLVMMemoryBufferRef run_clang(const cc_options *o)
{
    const char **argv = cc_alloc(256 * sizeof *argv);
    const char *include = device_library(), *clang = getenv("HOSTCC_CLANG");
    unsigned n = 0;
    argv[n++] = clang ? clang : "clang-19";
    for (unsigned k = 0; k < sizeof fixed / sizeof *fixed; k++)
        argv[n++] = fixed[k];
    for (unsigned k = 0; !o->preprocess && k < sizeof to_bitcode / sizeof *to_bitcode;
         k++)
        argv[n++] = to_bitcode[k];
    if (o->preprocess)
        argv[n++] = "-E";
    argv[n++] = "-isystem";
    argv[n++] = include;
    argv[n++] = "-include";
    argv[n++] = cc_format("%s/device.h", include);
    for (const char **a = o->clang; *a && n < 248; a++)
        argv[n++] = *a;
    argv[n++] = "-o";
    argv[n++] = "-";
    argv[n++] = o->source;

    int out = memfd_create("bitcode", 0);
    if (o->verbose) {
        for (unsigned k = 0; k < n; k++)
            fprintf(stderr, "%s ", argv[k]);
        fputc('\n', stderr);
    }
    int status = cc_spawn((char *const *)argv, o->preprocess ? -1 : out);
    if (status == 127)
        cc_refuse("%s was not found: install the package clang-19", argv[0]);
    if (status || o->preprocess)
        exit(status);
    LLVMMemoryBufferRef buffer;
    char *error, *path = cc_format("/proc/self/fd/%d", out);
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error))
        cc_refuse("%s", error);
    return buffer;
}

void cc_frontend(cc_unit *u)
{
    LLVMMemoryBufferRef bitcode = run_clang(u->options);
    if (LLVMParseBitcodeInContext2(u->context, bitcode, &u->module))
        cc_refuse(
            "cannot read clang's bitcode: is clang's version the one of this LLVM?");
}
