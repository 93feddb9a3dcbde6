/* The instruction sets of this processor as one number: an image runs only where this
   is the same. Read by hostcc (writes it), hostcuda (checks it) and compile (part of
   the cache key). */
#ifndef PYCUDA_ABI_CPU_H
#define PYCUDA_ABI_CPU_H

#include <stdint.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

static inline uint64_t hc_cpu_identity(void)
{
    uint64_t identity = 0xcbf29ce484222325u; /* FNV-1a over the words below */
#ifdef __x86_64__
    unsigned words[3][4] = {{0}};
    __cpuid_count(1, 0, words[0][0], words[0][1], words[0][2], words[0][3]);
    words[0][1] = 0; /* the APIC number differs from core to core */
    words[0][2] &=
        ~(1u << 27); /* OSXSAVE: a matter of the system, the same where it matters */
    __cpuid_count(7, 0, words[1][0], words[1][1], words[1][2], words[1][3]);
    __cpuid_count(7, 1, words[2][0], words[2][1], words[2][2], words[2][3]);
    for (int i = 0; i < 12; i++)
        identity = (identity ^ words[i / 4][i % 4]) * 0x100000001b3u;
#endif
    return identity;
}

#endif
