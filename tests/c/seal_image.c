/* seal_image LIBRARY IMAGE [FORMAT [CPU]]: makes an image of a shared library that was
   written by hand, as hostcc does: of this format and this processor, or of others. */
#include <stdio.h>
#include <stdlib.h>

#include "abi/cpu.h"
#include "abi/seal.h"

int main(int argc, char **argv)
{
    static char data[4 << 20];
    FILE *from = fopen(argv[1], "rb"), *to = fopen(argv[2], "wb");
    size_t size = from != NULL ? fread(data, 1, sizeof data / 2, from) : 0;
    uint64_t offset = hc_seal_offset((const Elf64_Ehdr *)(void *)data);

    if (argc < 3 || to == NULL || size == 0 || size > offset ||
        offset > sizeof data / 2) {
        fprintf(stderr, "seal_image: %s is no library with its sections last\n",
                argv[1]);
        return 1;
    }
    hc_seal seal = hc_seal_make(
        data, offset, argc > 4 ? strtoull(argv[4], NULL, 0) : hc_cpu_identity());
    if (argc > 3)
        seal.abi_version = strtoul(argv[3], NULL, 0);
    seal.digest = hc_seal_digest(data, &seal);
    memcpy(data + offset, &seal, sizeof seal);
    fwrite(data, 1, offset + sizeof seal, to);
    fclose(from);
    return fclose(to) != 0;
}
