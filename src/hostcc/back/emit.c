/* The end of the pipeline: generates objects and links them to an image. */
#include "hostcc/back/back.h"
#include "hostcc/front/front.h"
#include "abi/cpu.h"
#include "abi/seal.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

void cc_emit(cc_unit *u)
{
    char *error;
    if (LLVMTargetMachineEmitToFile(u->machine, u->module, u->object[u->part],
                                    LLVMObjectFile, &error))
        cc_refuse("%s", error);
}

/* Appends the seal, without which nobody loads the image; false if that cannot be. An
   image for a named level is for no processor: it is there to be looked at. */
static bool seal(const char *image, const char *level)
{
    int file = open(image, O_RDWR | O_CLOEXEC);
    Elf64_Ehdr header;
    void *data = MAP_FAILED;
    bool sealed = false;
    if (file >= 0 && read(file, &header, sizeof header) == sizeof header) {
        uint64_t size = hc_seal_offset(&header);
        if (size > 0 && ftruncate(file, size) == 0)
            data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data != MAP_FAILED) {
            hc_seal made = hc_seal_make(data, size, level ? 0 : hc_cpu_identity());
            sealed = pwrite(file, &made, sizeof made, size) == sizeof made;
            munmap(data, size);
        }
    }
    if (file >= 0 && close(file) != 0)
        sealed = false;
    return sealed;
}

void cc_link(cc_unit *u)
{
    if (u->role == CC_CHILD)
        _exit(0);
    const char *output = u->options->output;
    /* A file in memory takes no other's name. */
    bool in_memory = cc_prefixed(output, "/proc/self/fd/");
    const char *image =
        in_memory ? output : cc_format("%s.%d.so", output, (int)getpid());
    cc_words c = {0};
    CC_ADD(&c, "ld", "-shared", "--hash-style=gnu", "--build-id=none", "-z",
           "noseparate-code", "--retain-symbols-file=/dev/null", "-o", image);
    cc_add(&c, u->object);
    CC_ADD(&c, "--as-needed", "-l:libm.so.6",
           "-l:libgcc_s.so.1"); /* integers of 128 bits */
    pid_t linker;
    if (posix_spawnp(&linker, "ld", NULL, NULL, (char *const *)c.word, environ))
        cc_refuse("the linker 'ld' was not found: install the package binutils");
    int status = cc_await(&linker, 1);
    if (status || !seal(image, u->options->cpu) ||
        (!in_memory && rename(image, output))) {
        if (!in_memory)
            unlink(image);
        cc_refuse(status ? "linking failed" : "cannot write '%s'", output);
    }
}
