/* The end of an image: how long it is, what made it, for which processor, and a digest
   of every byte. The dynamic linker trusts what it loads, and a kernel's code cannot be
   looked at, so an image is loaded only if it is what hostcc wrote, bit for bit.

       ELF file, its table of sections last | zeros up to 8 bytes | hc_seal

   The digest is for accidents, a half-written file or a bad disk, not against people:
   who may write an image may run code anyway. It reads 32 bytes in a few cycles. Each
   step is a bijection of the sum for a given word, and of the word for a given sum, so
   a change within one word always shows; others escape once in 2^64. */
#ifndef PYCUDA_ABI_SEAL_H
#define PYCUDA_ABI_SEAL_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "image.h"

#define HC_SEAL_MAGIC 0x4c414553u        /* "SEAL" */
#define HC_IMAGE_MAX (UINT64_C(1) << 30) /* bytes; a longer one is none of ours */

typedef struct {
    uint32_t magic, abi_version;
    uint64_t cpu;    /* hc_cpu_identity() of the machine that it was compiled for */
    uint64_t size;   /* bytes in front of this */
    uint64_t digest; /* of those, and of the members above */
} hc_seal;

/* Where the seal of an image begins, from its first bytes; 0: it is too long. */
static inline uint64_t hc_seal_offset(const Elf64_Ehdr *header)
{
    uint64_t tables = (uint64_t)header->e_shnum * header->e_shentsize;

    if (header->e_shoff > HC_IMAGE_MAX || tables > HC_IMAGE_MAX)
        return 0;
    return (header->e_shoff + tables + 7) & ~UINT64_C(7);
}

static inline uint64_t hc_digest_step(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15); /* odd */
    return sum << 29 | sum >> 35;
}

/* The digest of `size` bytes, a multiple of 8, and of the seal's other members. */
static inline uint64_t hc_seal_digest(const void *data, const hc_seal *seal)
{
    const char *at = data;
    uint64_t sum[4] = {1, 2, 3, 4}, word[4], total = 0;
    uint64_t left = seal->size;

    for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(word, at, sizeof word);
        for (int i = 0; i < 4; i++) /* side by side: a step waits for its sum alone */
            sum[i] = hc_digest_step(sum[i], word[i]);
    }
    for (; left >= 8; left -= 8, at += 8) {
        memcpy(word, at, 8);
        total = hc_digest_step(total, *word);
    }
    for (int i = 0; i < 4; i++)
        total = hc_digest_step(total, sum[i]);
    total = hc_digest_step(total, (uint64_t)seal->abi_version << 32 | seal->magic);
    total = hc_digest_step(total, seal->cpu);
    total = hc_digest_step(total, seal->size);
    return total ^ total >> 32;
}

/* The seal of an ELF file; `size` is hc_seal_offset. */
static inline hc_seal hc_seal_make(const void *data, uint64_t size, uint64_t cpu)
{
    hc_seal seal = {HC_SEAL_MAGIC, HC_ABI_VERSION, cpu, size, 0};

    seal.digest = hc_seal_digest(data, &seal);
    return seal;
}

#endif
