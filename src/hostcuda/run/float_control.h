/* The floating-point control word under which pieces of work run. A thread of the user
   may have flush-to-zero, a rounding mode or traps of its own set, and our threads
   inherit these from the thread that started them; kernels must not see any of that,
   and all of it, exception flags included, is restored for the user. */
#ifndef HOSTCUDA_FLOAT_CONTROL_H
#define HOSTCUDA_FLOAT_CONTROL_H

#include <stdint.h>

/* hd_work.floats: to nearest, denormal numbers, no traps; or with denormal operands and
   results taken for zeros. */
enum { HD_FLOATS_IEEE, HD_FLOATS_FLUSH };

#ifdef __x86_64__

/* Intel's manual, volume 1: 10.2.3 (MXCSR: 15 flush to zero, 14-13 rounding, 12-7
   masks, 6 denormals are zeros, 5-0 flags), 8.1.5 (x87: extended precision, all
   masked). */
#define HD_MXCSR_CONTROL 0xffc0u
#define HD_X87_CONTROL 0x037f

typedef struct {
    uint32_t mxcsr;
    uint16_t x87;
} hd_float_control;

/* Sets the control word for the work; returns the previous one. */
static inline hd_float_control hd_float_control_begin(uint32_t floats)
{
    uint32_t wanted = floats == HD_FLOATS_FLUSH ? 0x9fc0u : 0x1f80u;
    uint16_t extended = HD_X87_CONTROL;
    hd_float_control before;

    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(before.mxcsr), "=m"(before.x87));
    if ((before.mxcsr & HD_MXCSR_CONTROL) != wanted) {
        wanted |= before.mxcsr & ~HD_MXCSR_CONTROL;
        __asm__ volatile("ldmxcsr %0" : : "m"(wanted) : "memory");
    }
    if (before.x87 != extended)
        __asm__ volatile("fldcw %0" : : "m"(extended) : "memory");
    return before;
}

/* Restores it unconditionally: a fault leaves another word and most kernels set flags,
   and reading the register first would wait for all pending arithmetic. */
static inline void hd_float_control_end(hd_float_control before)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(before.mxcsr) : "memory");
    if (before.x87 != HD_X87_CONTROL)
        __asm__ volatile("fldcw %0" : : "m"(before.x87) : "memory");
}

#else

/* Arm's manual, C5.2.8 (FPCR: 24 flush to zero, 23-22 rounding, 15 and 12-8 traps) and
   C5.2.9 (FPSR: flags). */
typedef struct {
    uint64_t fpcr, fpsr;
} hd_float_control;

static inline hd_float_control hd_float_control_begin(uint32_t floats)
{
    uint64_t wanted = floats == HD_FLOATS_FLUSH ? UINT64_C(1) << 24 : 0;
    hd_float_control before;

    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr"
                     : "=r"(before.fpcr), "=r"(before.fpsr));
    if (before.fpcr != wanted)
        __asm__ volatile("msr fpcr, %0" : : "r"(wanted) : "memory");
    return before;
}

static inline void hd_float_control_end(hd_float_control before)
{
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1"
                     :
                     : "r"(before.fpcr), "r"(before.fpsr)
                     : "memory");
}

#endif
#endif
