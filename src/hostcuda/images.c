/* From bytes in memory to an image that can run: finds out what the bytes are, how many
   there are, and has the dynamic linker load them.

   dlopen takes files only, so the bytes go to a nameless file in memory. The linker
   knows libraries by path, and the path /proc/self/fd/N comes back as soon as N is
   reused, so each load spells it differently, and has variables of its own. */
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/cpu.h"
#include "modules.h"

#ifdef __x86_64__
#define NATIVE_MACHINE EM_X86_64
#else
#define NATIVE_MACHINE EM_AARCH64
#endif
#define MACHINE_CUDA 190
#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_WRAPPER_MAGIC 0x466243b1u
#define COMPILE_HINT "compile the CUDA source with hostcc for the host device"

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif

/* -- What is it -------------------------------------------------------------------- */

static bool is_text(const unsigned char *data)
{
    return (*data >= ' ' && *data < 0x7f) || *data == '\n' || *data == '\t' ||
           *data == '\r';
}

/* The size of an ELF file: up to the end of its last table or segment. */
static size_t elf_size(const Elf64_Ehdr *header)
{
    size_t size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
    const Elf64_Phdr *segments = (const void *)((const char *)header + header->e_phoff);

    if (header->e_shoff != 0)
        return size;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_offset + segments[i].p_filesz > size)
            size = segments[i].p_offset + segments[i].p_filesz;
    }
    return size;
}

/* What the dynamic linker takes for granted: tables and segments inside the file. */
static bool elf_is_sound(const Elf64_Ehdr *header, size_t size)
{
    const Elf64_Phdr *segments = (const void *)((const char *)header + header->e_phoff);

    if (header->e_phentsize != sizeof *segments || header->e_phoff % 8 != 0 ||
        header->e_phoff > size ||
        header->e_phnum > (size - header->e_phoff) / sizeof *segments)
        return false;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_offset > size ||
            segments[i].p_filesz > size - segments[i].p_offset ||
            (segments[i].p_type == PT_LOAD &&
             (segments[i].p_filesz > segments[i].p_memsz ||
              segments[i].p_memsz > (UINT64_C(1) << 40))))
            return false;
    }
    return true;
}

/* Accepts an ELF shared object for this machine and finds its size; names all else. */
static CUresult examine(const unsigned char *data, size_t *size)
{
    const Elf64_Ehdr *header = (const void *)data;
    bool known = *size != 0;
    uint32_t magic = 0;

    HD_FAIL_IF(known && *size < sizeof magic, CUDA_ERROR_INVALID_IMAGE,
               "the image is too short");
    memcpy(&magic, data, sizeof magic);
    HD_FAIL_IF(magic == FATBIN_MAGIC || magic == FATBIN_WRAPPER_MAGIC,
               CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image is a fat binary for GPUs: " COMPILE_HINT);
    HD_FAIL_IF(memcmp(&magic, HD_OBJECT_MAGIC, sizeof magic) == 0,
               CUDA_ERROR_INVALID_IMAGE,
               "the image is an object (compiled with -rdc=true) that has yet to be "
               "linked");
    if (is_text(data)) {
        size_t length =
            strnlen((const char *)data, known && *size < 4096 ? *size : 4096);
        HD_FAIL_IF(
            memmem(data, length, ".version", 8) != NULL, CUDA_ERROR_NO_BINARY_FOR_GPU,
            "the image is PTX, which the host device does not run: " COMPILE_HINT);
        return hd_fail(CUDA_ERROR_INVALID_IMAGE,
                       "the image is text, and not PTX: " COMPILE_HINT);
    }
    HD_FAIL_IF(memcmp(data, ELFMAG, SELFMAG) != 0, CUDA_ERROR_INVALID_IMAGE,
               "the image is no module: " COMPILE_HINT);
    HD_FAIL_IF((known && *size < sizeof *header) ||
                   header->e_ident[EI_CLASS] != ELFCLASS64 ||
                   header->e_ident[EI_DATA] != ELFDATA2LSB,
               CUDA_ERROR_INVALID_IMAGE, "the image is a damaged ELF file");
    HD_FAIL_IF(header->e_machine == MACHINE_CUDA, CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image is a cubin for GPUs: " COMPILE_HINT);
    HD_FAIL_IF(header->e_machine != NATIVE_MACHINE, CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image is for another kind of processor: compile it here");
    size_t end = elf_size(header);
    HD_FAIL_IF(header->e_type != ET_DYN || (known && end > *size) ||
                   !elf_is_sound(header, end),
               CUDA_ERROR_INVALID_IMAGE,
               "the image is a damaged ELF file, or no shared object");
    *size = end;
    return CUDA_SUCCESS;
}

/* -- Loading ----------------------------------------------------------------------- */

/* A path to the descriptor that no earlier load has used: serial's bits as "//" and
 * "/.". It names the process, for a debugger opens it, too. */
static void unique_path(char *path, int descriptor)
{
    char *end = path + sprintf(path, "/proc/%d/fd", (int)getpid());

    for (uint64_t bits = ++hd.loads; bits != 0; bits >>= 1)
        end += sprintf(end, bits & 1 ? "/." : "//");
    sprintf(end, "/%d", descriptor);
}

static CUresult open_library(const char *data, size_t size, hd_image *image)
{
    char path[160];

    image->file = memfd_create("hostcuda-module", MFD_CLOEXEC | MFD_EXEC);
    if (image->file < 0 && errno == EINVAL) /* a kernel that does not know MFD_EXEC */
        image->file = memfd_create("hostcuda-module", MFD_CLOEXEC);
    HD_FAIL_IF(image->file < 0, CUDA_ERROR_OPERATING_SYSTEM, "memfd_create: %s",
               strerror(errno));
    while (size > 0) {
        ssize_t written = write(image->file, data, size);
        HD_FAIL_IF(written <= 0,
                   errno == EFAULT ? CUDA_ERROR_INVALID_IMAGE
                                   : CUDA_ERROR_OUT_OF_MEMORY,
                   "the image cannot be copied: %s", strerror(errno));
        data += written;
        size -= written;
    }
    unique_path(path, image->file);
    image->opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    HD_FAIL_IF(image->opened == NULL, CUDA_ERROR_INVALID_IMAGE,
               "the image cannot be loaded: %s", dlerror());
    return CUDA_SUCCESS;
}

static CUresult check_table(const hc_image *table)
{
    HD_FAIL_IF(table == NULL || table->magic != HC_IMAGE_MAGIC,
               CUDA_ERROR_INVALID_IMAGE,
               "the image is a shared object, but not one made by hostcc");
    HD_FAIL_IF(table->abi_version != HC_ABI_VERSION, CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image was made by another version of hostcc: compile it again");
    HD_FAIL_IF(table->cpu != hc_cpu_identity(), CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image was made for another processor: compile it on this machine");
    return CUDA_SUCCESS;
}

CUresult hd_image_load_unlocked(const void *data, size_t *size, hd_image *image)
{
    *image = (hd_image){.file = -1};
    HD_TRY(examine(data, size));
    CUresult status = open_library(data, *size, image);
    if (status == CUDA_SUCCESS) {
        image->table = dlsym(image->opened, HC_IMAGE_SYMBOL);
        status = check_table(image->table);
    }
    if (status != CUDA_SUCCESS && image->opened != NULL)
        dlclose(image->opened);
    if (status != CUDA_SUCCESS && image->file >= 0)
        close(image->file);
    return status;
}
