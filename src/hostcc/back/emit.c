/* The end of the pipeline: generates objects and links them to an image. */
#include "hostcc/back/back.h"
#include "hostcc/front/front.h"
#include "abi/cpu.h"
#include "abi/seal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void cc_emit(cc_unit *u)
{
    char *error;
    if (LLVMTargetMachineEmitToFile(u->machine, u->module, u->object[u->part],
                                    LLVMObjectFile, &error))
        cc_refuse("%s", error);
}

/* Appends the seal, without which nobody loads the image; false if that cannot be. An
   image for a named level is for no processor: it is there to be looked at. */
static bool seal(int file, const char *level)
{
    Elf64_Ehdr header;
    void *data = MAP_FAILED;
    bool sealed = false;
    if (pread(file, &header, sizeof header, 0) == sizeof header) {
        uint64_t size = hc_seal_offset(&header);
        if (size > 0 && ftruncate(file, size) == 0)
            data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data != MAP_FAILED) {
            hc_seal made = hc_seal_make(data, size, level ? 0 : hc_cpu_identity());
            sealed = pwrite(file, &made, sizeof made, size) == sizeof made;
            munmap(data, size);
        }
    }
    return sealed;
}

/* The library that the dynamic linker would take: an image runs on the machine that it
   was made on, and it names the versions of the functions that it calls. */
static void add_library(cc_words *c, const char *name)
{
    struct link_map *map;
    void *library = dlopen(name, RTLD_LAZY);
    if (library && !dlinfo(library, RTLD_DI_LINKMAP, &map))
        CC_ADD(c, map->l_name);
}

/* Whether an object calls a function that is not in it, as far as can be seen. To read
   the names of a library that has none of them takes a millisecond. */
static bool calls_out(const char *object)
{
    int file = open(object, O_RDONLY | O_CLOEXEC);
    struct stat s;
    bool found = true;
    char *data = file >= 0 && !fstat(file, &s) && s.st_size > (off_t)sizeof(Elf64_Ehdr)
                     ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, file, 0)
                     : MAP_FAILED;
    if (data != MAP_FAILED) {
        const Elf64_Ehdr *header = (void *)data;
        const Elf64_Shdr *section = (void *)(data + header->e_shoff);
        found = false;
        for (unsigned k = 0; k < header->e_shnum; k++) {
            const Elf64_Sym *symbol = (void *)(data + section[k].sh_offset);
            size_t n = section[k].sh_size / sizeof *symbol;
            if (section[k].sh_type == SHT_SYMTAB)
                for (size_t at = section[k].sh_info; at < n; at++) /* not local ones */
                    found = found || symbol[at].st_shndx == SHN_UNDEF;
        }
        munmap(data, (size_t)s.st_size);
    }
    if (file >= 0)
        close(file);
    return found;
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
    int file = open(image, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0777);
    if (file < 0)
        cc_refuse("cannot write '%s': %s", output, strerror(errno));
    cc_words c = {0};
    CC_ADD(&c, "ld.lld", "-shared", "--hash-style=gnu", "--build-id=none",
           "--no-rosegment", "-z", "now", "--threads=1", "-o", "-");
    if (!cc_by_thread(u)) /* backtraces name entries of kernels */
        CC_ADD(&c, "--discard-all");
    cc_add(&c, u->object);
    bool libraries = false;
    for (unsigned p = 0; u->object[p]; p++)
        libraries = libraries || calls_out(u->object[p]);
    if (libraries) {
        CC_ADD(&c, "--as-needed");
        add_library(&c, "libm.so.6");
        add_library(&c, "libgcc_s.so.1"); /* integers of 128 bits */
    }
    bool linked = cc_lld(c.n, c.word, file),
         sealed = linked && seal(file, u->options->cpu);
    if (close(file) || !sealed || (!in_memory && rename(image, output))) {
        if (!in_memory)
            unlink(image);
        cc_refuse(linked ? "cannot write '%s'" : "linking failed", output);
    }
}
