// Runs CUDA kernels as plain C++, to say what they should compute. Each thread of a
// block is a fiber that runs until it must wait: for the block at a barrier, for the
// lanes of its mask at a warp function. Blocks run one after the other. Nothing is
// vectorized, nothing is clever. Include before the kernel's text, then call
// emulated::launch: it returns how often threads waited for what cannot come, a lane
// that has ended or a barrier that others never reach.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define EMULATED
#define __global__
#define __constant__ static const
#define __device__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __shared__ static __attribute__((section("emulated_shared")))
#define DYNAMIC(type, name) type *name = (type *)emulated::dynamic
#define __syncthreads() emulated::barrier()
#define __threadfence_block()
#define __threadfence()
#define SPIN emulated::pause();
#define WRAPS(index) ((int)(index))

struct uint3 {
    unsigned x, y, z;
};
static uint3 threadIdx, blockIdx, blockDim, gridDim;
extern char __start_emulated_shared[] __attribute__((weak));
extern char __stop_emulated_shared[] __attribute__((weak));

namespace emulated
{
enum { LIMIT = 1024, STACK = 1 << 16 }; // threads in a block, bytes of stack
enum wait { NOTHING, BLOCK, WARP };
struct thread {
    ucontext_t at;
    char stack[STACK];
    bool alive;
    wait waits;
    unsigned mask;  // lanes waited for
    uint64_t value; // shown to the other lanes
};
static thread *threads;
static ucontext_t scheduler;
static unsigned current, living, at_barrier, undefined;
static void (*entry)(void *);
static void *argument;
alignas(16) static char dynamic[1 << 15]; // shared memory of a size the launch says

static void release_block()
{
    for (unsigned t = 0; at_barrier >= living && t < LIMIT; t++)
        threads[t].waits = threads[t].waits == BLOCK ? NOTHING : threads[t].waits;
    at_barrier = at_barrier >= living ? 0 : at_barrier;
}
// Lets the lanes of mask go if all of them that live have come with the same mask.
static void release_warp(thread *warp, unsigned mask)
{
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1 && warp[i].alive &&
            (warp[i].waits != WARP || warp[i].mask != mask))
            return;
    for (unsigned i = 0; i < 32; i++, mask >>= 1)
        if (mask & 1 && warp[i].alive)
            warp[i].waits = NOTHING;
        else
            undefined += mask & 1;
}
static thread *own_warp()
{
    return threads + current / 32 * 32;
}
static void pause()
{
    uint3 place = threadIdx;
    swapcontext(&threads[current].at, &scheduler);
    threadIdx = place;
}
static void barrier()
{
    threads[current].waits = BLOCK;
    at_barrier++;
    release_block();
    while (threads[current].waits != NOTHING)
        pause();
}
// How many of the threads that come to this barrier say yes.
static unsigned count(bool yes)
{
    static unsigned sum;
    barrier();
    sum = 0;
    barrier();
    sum += yes;
    barrier();
    return sum;
}
static void meet(unsigned mask)
{
    threads[current].waits = WARP;
    threads[current].mask = mask;
    release_warp(own_warp(), mask);
    while (threads[current].waits != NOTHING)
        pause();
}
static void run()
{
    entry(argument);
    threads[current].alive = false;
    living--;
    release_block();
    for (thread *t = own_warp(), *end = t + 32; t < end; t++)
        if (t->alive && t->waits == WARP)
            release_warp(own_warp(), t->mask);
}
// Runs threads in turn as far as they go, until all have ended or none can move.
static void run_block(unsigned count)
{
    for (unsigned t = 0; t < count; t++) {
        getcontext(&threads[t].at);
        threads[t].at.uc_stack.ss_sp = threads[t].stack;
        threads[t].at.uc_stack.ss_size = STACK;
        threads[t].at.uc_link = &scheduler;
        makecontext(&threads[t].at, run, 0);
        threads[t].alive = true, threads[t].waits = NOTHING;
    }
    living = count, at_barrier = 0;
    for (bool progress = true; living; progress = false) {
        for (current = 0; current < count; current++) {
            if (!threads[current].alive || threads[current].waits != NOTHING)
                continue;
            threadIdx = {current % blockDim.x, current / blockDim.x % blockDim.y,
                         current / blockDim.x / blockDim.y};
            swapcontext(&scheduler, &threads[current].at);
            progress = true;
        }
        if (!progress && ++undefined)
            return;
    }
}
static unsigned launch(uint3 grid, uint3 block, void (*kernel)(void *), void *data)
{
    if (!threads)
        threads = (thread *)calloc(LIMIT, sizeof *threads);
    gridDim = grid, blockDim = block, entry = kernel, argument = data, undefined = 0;
    for (unsigned i = 0; i < grid.x * grid.y * grid.z; i++) {
        blockIdx = {i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y};
        if (__start_emulated_shared)
            memset(__start_emulated_shared, 0xa5,
                   __stop_emulated_shared - __start_emulated_shared);
        run_block(block.x * block.y * block.z);
    }
    return undefined;
}
// Shows value to the lanes of mask and collects a bit from each: test(what it showed,
// its number).
template <class T, class F> static unsigned collect(unsigned mask, T value, F test)
{
    unsigned bits = 0;
    threads[current].value = 0;
    memcpy(&threads[current].value, &value, sizeof value);
    meet(mask);
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1 && own_warp()[i].alive)
            bits |= (unsigned)test(own_warp()[i].value, i) << i;
    meet(mask);
    return bits;
}
} // namespace emulated
