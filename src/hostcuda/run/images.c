/* From bytes in memory to an image that can run: finds out what the bytes are, how many
   there are, whether they are what hostcc wrote (abi/seal.h), and has the dynamic
   linker load them. The cache of compiled images (src/compile) has a digest of its own,
   which binds an entry to its key and covers the list of files that the image came
   from.

   dlopen takes files only, so the bytes go to a nameless file in memory. The linker
   knows libraries by path, and the path /proc/self/fd/N comes back as soon as N is
   reused, so each load spells it differently, and has variables of its own. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "abi/cpu.h"
#include "abi/seal.h"
#include "images.h"

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

/* Copies from the user's memory; false if it ends before `size` bytes. */
static bool copy_unlocked(void *to, const void *from, size_t size)
{
    const struct iovec here = {to, size}, there = {(void *)from, size};
    ssize_t copied = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

    if (copied < 0 && errno != EFAULT) /* a sandbox that forbids the call */
        memcpy(to, from, size);
    return copied < 0 ? errno != EFAULT : (size_t)copied == size;
}

/* Accepts an ELF file for this machine; the error says what else it is. */
static CUresult examine(const unsigned char *data, size_t size, Elf64_Ehdr *header)
{
    bool known = size != 0;
    uint32_t magic = 0;

    HD_FAIL_IF(known && size < sizeof magic, CUDA_ERROR_INVALID_IMAGE,
               "the image is too short");
    HD_FAIL_IF(!copy_unlocked(&magic, data, sizeof magic), CUDA_ERROR_INVALID_IMAGE,
               "the image is at no address: %p cannot be read", (const void *)data);
    HD_FAIL_IF(magic == FATBIN_MAGIC || magic == FATBIN_WRAPPER_MAGIC,
               CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image is a fat binary for GPUs: " COMPILE_HINT);
    HD_FAIL_IF(memcmp(&magic, HD_OBJECT_MAGIC, sizeof magic) == 0,
               CUDA_ERROR_INVALID_IMAGE,
               "the image is an object (compiled with -rdc=true) that has yet to be "
               "linked");
    if (is_text(data)) {
        size_t length = strnlen((const char *)data, known && size < 4096 ? size : 4096);
        HD_FAIL_IF(
            memmem(data, length, ".version", 8), CUDA_ERROR_NO_BINARY_FOR_GPU,
            "the image is PTX, which the host device does not run: " COMPILE_HINT);
        return hd_fail(CUDA_ERROR_INVALID_IMAGE,
                       "the image is text, and not PTX: " COMPILE_HINT);
    }
    HD_FAIL_IF(memcmp(data, ELFMAG, SELFMAG) != 0, CUDA_ERROR_INVALID_IMAGE,
               "the image is no module: " COMPILE_HINT);
    HD_FAIL_IF((known && size < sizeof *header) ||
                   !copy_unlocked(header, data, sizeof *header) ||
                   header->e_ident[EI_CLASS] != ELFCLASS64 ||
                   header->e_ident[EI_DATA] != ELFDATA2LSB,
               CUDA_ERROR_INVALID_IMAGE, "the image is a damaged ELF file");
    HD_FAIL_IF(header->e_machine == MACHINE_CUDA, CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image is a cubin for GPUs: " COMPILE_HINT);
    HD_FAIL_IF(header->e_machine != NATIVE_MACHINE, CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image is for another kind of processor: compile it here");
    return CUDA_SUCCESS;
}

/* Copies the whole image to memory of our own, so that it cannot change after the
   check. */
static CUresult take_image(const void *data, size_t *size, char **copy)
{
    Elf64_Ehdr header;
    hc_seal seal;

    HD_TRY(examine(data, *size, &header));
    uint64_t offset = hc_seal_offset(&header);
    size_t whole = offset + sizeof seal;
    HD_FAIL_IF(offset == 0 || (*size != 0 && *size < whole), CUDA_ERROR_INVALID_IMAGE,
               "the image is cut off, damaged, or not made by this version of hostcc: "
               "compile it again");
    HD_FAIL_IF(
        *size > whole, CUDA_ERROR_INVALID_IMAGE,
        "the image has %zu bytes behind its end: it is damaged, compile it again",
        *size - whole);
    *copy = malloc(whole);
    HD_FAIL_IF(!*copy, CUDA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes", whole);
    HD_FAIL_IF(!copy_unlocked(*copy, data, whole), CUDA_ERROR_INVALID_IMAGE,
               "the image is cut off or damaged: compile it again");
    memcpy(&seal, *copy + offset, sizeof seal);
    HD_FAIL_IF(seal.magic != HC_SEAL_MAGIC || seal.size != offset ||
                   seal.digest != hc_seal_digest(*copy, &seal),
               CUDA_ERROR_INVALID_IMAGE,
               "the image is damaged, or not made by this version of hostcc: compile "
               "it again");
    HD_FAIL_IF(
        seal.abi_version != HC_ABI_VERSION, CUDA_ERROR_NO_BINARY_FOR_GPU,
        "the image was made by another version of hostcc (its format is %u, this "
        "library's is %u): compile it again",
        seal.abi_version, HC_ABI_VERSION);
    HD_FAIL_IF(seal.cpu != hc_cpu_identity(), CUDA_ERROR_NO_BINARY_FOR_GPU,
               "the image was made for another processor: compile it on this machine");
    *size = whole;
    return CUDA_SUCCESS;
}

/* -- Loading ----------------------------------------------------------------------- */

/* A path to the descriptor that no earlier load has used: serial's bits as "//" and
 * "/.". It names the process, for a debugger opens it, too. */
static void unique_path(char *path, int descriptor)
{
    static _Atomic uint64_t loads;
    char *end = path + sprintf(path, "/proc/%d/fd", (int)getpid());

    for (uint64_t bits = ++loads; bits != 0; bits >>= 1)
        end += sprintf(end, bits & 1 ? "/." : "//");
    sprintf(end, "/%d", descriptor);
}

/* The dynamic linker says why in words alone; when descriptors run out, it is not the
   image's fault. */
static CUresult open_library(const char *data, size_t size, hd_image *image)
{
    char path[160];

    image->file = memfd_create("hostcuda-module", MFD_CLOEXEC | MFD_EXEC);
    if (image->file < 0 && errno == EINVAL) /* a kernel that does not know MFD_EXEC */
        image->file = memfd_create("hostcuda-module", MFD_CLOEXEC);
    HD_FAIL_IF(image->file < 0, CUDA_ERROR_OPERATING_SYSTEM,
               "no file in memory for the image: %s", strerror(errno));
    while (size > 0) {
        ssize_t written = write(image->file, data, size);
        HD_FAIL_IF(written <= 0, CUDA_ERROR_OUT_OF_MEMORY,
                   "the image cannot be copied: %s", strerror(errno));
        data += written;
        size -= written;
    }
    unique_path(path, image->file);
    errno = 0;
    image->opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    HD_FAIL_IF(!image->opened,
               errno == EMFILE || errno == ENFILE ? CUDA_ERROR_OPERATING_SYSTEM
               : errno == ENOMEM                  ? CUDA_ERROR_OUT_OF_MEMORY
                                                  : CUDA_ERROR_INVALID_IMAGE,
               "the image cannot be loaded: %s", dlerror());
    image->table = dlsym(image->opened, HC_IMAGE_SYMBOL);
    HD_FAIL_IF(!image->table, CUDA_ERROR_INVALID_IMAGE,
               "the image has no table of kernels");
    return CUDA_SUCCESS;
}

/* Where the linker has put the segments. Those that are not written come first, then
   what is constant once addresses are filled in. */
static void find_segments(const char *data, hd_image *image)
{
    const Elf64_Ehdr *header = (const void *)data;
    const Elf64_Phdr *segments = (const void *)(data + header->e_phoff);
    struct link_map *map = NULL;

    if (dlinfo(image->opened, RTLD_DI_LINKMAP, &map) != 0)
        return;
    image->constants = image->constants_end = (const char *)map->l_addr;
    image->variables_end = image->constants;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *s = &segments[i];
        const char *start = (const char *)map->l_addr + s->p_vaddr;
        const char *end = start + s->p_memsz;
        if (s->p_type == PT_LOAD && (s->p_flags & PF_X)) {
            image->code = start;
            image->code_end = end;
        }
        if (((s->p_type == PT_LOAD && !(s->p_flags & PF_W)) ||
             s->p_type == PT_GNU_RELRO) &&
            end > image->constants_end)
            image->constants_end = end;
        if (s->p_type == PT_LOAD && end > image->variables_end)
            image->variables_end = end;
    }
}

CUresult hd_image_load_unlocked(const void *data, size_t *size, hd_image *image)
{
    char *copy = NULL;

    *image = (hd_image){.file = -1};
    CUresult status = take_image(data, size, &copy);
    if (status == CUDA_SUCCESS)
        status = open_library(copy, *size, image);
    if (status == CUDA_SUCCESS)
        find_segments(copy, image);
    free(copy);
    if (status != CUDA_SUCCESS && image->opened)
        dlclose(image->opened);
    if (status != CUDA_SUCCESS && image->file >= 0)
        close(image->file);
    return status;
}

CUresult hd_image_find_kernel(const hc_image *table, const char *owner,
                              const char *name, uint32_t *index)
{
    for (*index = 0; *index < table->nkernels; ++*index) {
        if (strcmp(table->kernels[*index].name, name) == 0)
            return CUDA_SUCCESS;
    }
    return hd_fail(CUDA_ERROR_NOT_FOUND, "the %s has no kernel \"%s\"", owner, name);
}

CUresult hd_file_read_unlocked(const char *name, char **data, size_t *size)
{
    FILE *file = fopen(name, "rb");
    long length = 0;

    *data = NULL;
    HD_FAIL_IF(!file, CUDA_ERROR_FILE_NOT_FOUND, "%s: %s", name, strerror(errno));
    if (fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length > 0 && fseek(file, 0, SEEK_SET) == 0)
        *data = calloc(1, (size_t)length + 1); /* a zero ends text */
    if (*data)
        *size = fread(*data, 1, length, file);
    fclose(file);
    if (!*data || *size != (size_t)length) {
        free(*data);
        *data = NULL;
        return hd_fail(CUDA_ERROR_INVALID_IMAGE, "%s: cannot be read, or is empty",
                       name);
    }
    return CUDA_SUCCESS;
}
