/* seal_image LIBRARY IMAGE [format | cpu]: makes an image of a shared library that was
   written by hand, as hostcc does; of the format before this one, or for another
   processor. */
#include <stdio.h>
#include <string.h>

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
    const char *other = argc > 3 ? argv[3] : "";
    hc_seal seal =
        hc_seal_make(data, offset, strcmp(other, "cpu") ? hc_cpu_identity() : 1);
    if (strcmp(other, "format") == 0)
        seal.abi_version--;
    seal.digest = hc_seal_digest(data, &seal);
    memcpy(data + offset, &seal, sizeof seal);
    fwrite(data, 1, offset + sizeof seal, to);
    fclose(from);
    return fclose(to) != 0;
}
