/* A host image written by hand: what hostcc would make of the kernels below, for the
   tests of hostcuda. A kernel is a function that runs one thread from a state to its
   next one; `pass` and `resume` loop over it. seal_image.c makes an image of it. */
#include <string.h>

#include "abi/image.h"

#define EXIT HC_EXITED
#define WIDTH 8 /* of kernels without warp functions */

typedef struct {
    const hc_launch *launch;
    hc_frame *frame;
    const char *params;
    uint32_t x, y, z, thread, threads,
        block; /* numbers within the block, of the block */
    uint32_t vector, lane;
    int *local; /* four words that live across suspension points */
} thread;

typedef uint32_t step(thread *, uint32_t state);

#define PARAM(type, offset) (*(type *)(void *)(t->params + (offset)))
#define EXCHANGE (t->frame->exchange[t->vector])

/* -- Loops over threads ------------------------------------------------------------ */

static thread thread_at(const hc_launch *l, hc_frame *f, uint32_t width, int linear,
                        uint32_t vector, uint32_t lane)
{
    thread t = {
        .launch = l, .frame = f, .params = l->params, .vector = vector, .lane = lane};
    if (linear) {
        t.thread = vector * 32 + lane;
        t.x = t.thread % l->block[0];
        t.y = t.thread / l->block[0] % l->block[1];
        t.z = t.thread / l->block[0] / l->block[1];
    } else {
        uint32_t chunks = (l->block[0] + width - 1) / width, row = vector / chunks;
        t.x = vector % chunks * width + lane;
        t.y = row % l->block[1];
        t.z = row / l->block[1];
        t.thread = (t.z * l->block[1] + t.y) * l->block[0] + t.x;
    }
    t.threads = l->block[0] * l->block[1] * l->block[2];
    t.block = f->index[0] + l->grid[0] * (f->index[1] + l->grid[1] * f->index[2]);
    t.local = (int *)(void *)(f->context + (size_t)vector * HC_LANES * 16) + 4 * lane;
    return t;
}

static uint32_t resume(const hc_launch *l, hc_frame *f, step *function, uint32_t state,
                       uint32_t width, int linear, uint32_t vector, uint32_t lanes)
{
    uint32_t common = HC_EXITED;
    for (uint32_t lane = 0; lane < HC_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        thread t = thread_at(l, f, width, linear, vector, lane);
        uint32_t next = function(&t, state);
        if (next == HC_EXITED) {
            f->alive[vector] &= ~(UINT32_C(1) << lane);
            continue;
        }
        f->lane_state[vector * HC_LANES + lane] = next;
        common = common == HC_EXITED || common == next ? next : HC_MIXED;
    }
    return common;
}

static uint32_t pass(const hc_launch *l, hc_frame *f, step *function, uint32_t state,
                     uint32_t width, int linear)
{
    uint32_t vectors =
        linear ? (l->block[0] * l->block[1] * l->block[2] + 31) / 32
               : (l->block[0] + width - 1) / width * l->block[1] * l->block[2];
    uint32_t common = HC_EXITED;
    for (uint32_t v = 0; v < vectors; v++) {
        if (f->alive[v] == 0)
            continue;
        uint32_t next = resume(l, f, function, state, width, linear, v, f->alive[v]);
        f->vector_state[v] = next;
        if (next != HC_EXITED)
            common = common == HC_EXITED || common == next ? next : HC_MIXED;
    }
    return common;
}

#define STATE(function, width, linear, state)                                          \
    static uint32_t function##_pass_##linear##state(const hc_launch *l, hc_frame *f,   \
                                                    const void *masked)                \
    {                                                                                  \
        (void)masked;                                                                  \
        return pass(l, f, function, state, width, linear);                             \
    }                                                                                  \
    static uint32_t function##_resume_##linear##state(const hc_launch *l, hc_frame *f, \
                                                      uint32_t vector, uint32_t lanes, \
                                                      const void *masked)              \
    {                                                                                  \
        (void)masked;                                                                  \
        return resume(l, f, function, state, width, linear, vector, lanes);            \
    }
#define ROW(function, linear, state, kind, op) \
    {kind,                                     \
     op,                                       \
     function##_pass_##linear##state,          \
     function##_resume_##linear##state,        \
     NULL,                                     \
     {"k.cu", 10 + state, 1}}

/* Both layouts of a kernel of five states, after the entry: (kind, op) each. */
#define STATES5(function, width, linear) \
    STATE(function, width, linear, 0)    \
    STATE(function, width, linear, 1)    \
    STATE(function, width, linear, 2)    \
    STATE(function, width, linear, 3)    \
    STATE(function, width, linear, 4)
#define TABLE5(function, linear, k1, o1, k2, o2, k3, o3, k4, o4)              \
    {ROW(function, linear, 0, HC_ENTRY, 0), ROW(function, linear, 1, k1, o1), \
     ROW(function, linear, 2, k2, o2), ROW(function, linear, 3, k3, o3),      \
     ROW(function, linear, 4, k4, o4)}
#define STATEFUL(function, width, ...)                \
    STATES5(function, width, 0)                       \
    STATES5(function, 32, 1)                          \
    static const hc_state function##_states[2][5] = { \
        TABLE5(function, 0, __VA_ARGS__), TABLE5(function, 1, __VA_ARGS__)};

/* A kernel without suspension points. */
#define PLAIN(function)                                                          \
    static void function##_run(const hc_launch *l, hc_frame *f, uint64_t first,  \
                               uint64_t last)                                    \
    {                                                                            \
        for (uint64_t b = first; b < last; b++) {                                \
            f->index[0] = (uint32_t)(b % l->grid[0]);                            \
            f->index[1] = (uint32_t)(b / l->grid[0] % l->grid[1]);               \
            f->index[2] = (uint32_t)(b / l->grid[0] / l->grid[1]);               \
            for (uint32_t v = 0;                                                 \
                 v < (l->block[0] + 31) / 32 * l->block[1] * l->block[2]; v++) { \
                for (uint32_t lane = 0; lane < 32; lane++) {                     \
                    thread t = thread_at(l, f, 32, 0, v, lane);                  \
                    if (t.x < l->block[0])                                       \
                        function(&t, 0);                                         \
                }                                                                \
            }                                                                    \
        }                                                                        \
    }

/* -- Kernels ----------------------------------------------------------------------- */

static void empty_run(const hc_launch *l, hc_frame *f, uint64_t first, uint64_t last)
{
}

/* scale(float *x, float a, int n): x *= a */
static uint32_t scale(thread *t, uint32_t state)
{
    uint32_t i = t->block * t->threads + t->thread;
    if ((int)i < PARAM(int, 12))
        PARAM(float *, 0)[i] *= PARAM(float, 8);
    return EXIT;
}
PLAIN(scale)

/* order(int *out, int *counter): out[block] = how many blocks started before this
   one */
static uint32_t order(thread *t, uint32_t state)
{
    if (t->thread == 0)
        PARAM(int *, 0)
    [t->block] = __atomic_fetch_add(PARAM(int *, 8), 1, __ATOMIC_RELAXED);
    return EXIT;
}
PLAIN(order)

/* reverse(int *x): each block reverses its part, through static and dynamic shared
 * memory */
static uint32_t reverse(thread *t, uint32_t state)
{
    int *shared = (int *)(void *)t->frame->shared;
    int *x = PARAM(int *, 0) + t->block * t->threads;
    if (state == 0) {
        shared[t->thread] = x[t->thread];
        return 1;
    }
    x[t->thread] = shared[t->threads - 1 - t->thread];
    return EXIT;
}
STATEFUL(reverse, WIDTH, HC_BARRIER, 0, HC_BARRIER, 0, HC_BARRIER, 0, HC_BARRIER, 0)

/* vote(int *out, int limit): every third thread leaves first; out = count, and, or of x
 * < limit */
static uint32_t vote(thread *t, uint32_t state)
{
    int *out = PARAM(int *, 0) + 3 * (t->block * t->threads + t->thread);
    int predicate = (int)t->thread < PARAM(int, 8);
    if (state == 0 && t->thread % 3 == 2)
        return EXIT;
    if (state > 0)
        out[state - 1] = (int)t->frame->barrier_value;
    EXCHANGE.flag[t->lane] = (uint32_t)predicate;
    return state == 3 ? EXIT : state + 1;
}
STATEFUL(vote, WIDTH, HC_BARRIER_COUNT, 0, HC_BARRIER_AND, 0, HC_BARRIER_OR, 0,
         HC_BARRIER, 0)

/* warp(unsigned *out, int mode): warp functions by lanes that are not together. Odd
   lanes go through a lockstep state first, so even lanes wait for them in the warp
   function. */
static uint32_t warp(thread *t, uint32_t state)
{
    unsigned *out = PARAM(unsigned *, 0) + t->block * t->threads + t->thread;
    int mode = PARAM(int, 8);
    if (state == 0 && t->lane % 2 == 1)
        return 1;
    if (state <= 1) {
        static const uint32_t argument[4] = {5 | 32 << 16, 3 | 8 << 16, 0, 0};
        EXCHANGE.mask[t->lane] = mode == 4                    ? 0xffff
                                 : mode == 3 && t->lane >= 16 ? 0xffff0000u
                                 : mode == 3                  ? 0xffffu
                                                              : 0xffffffffu;
        EXCHANGE.value[t->lane] = mode == 2 ? t->lane / 4 : t->lane * 100;
        EXCHANGE.argument[t->lane] = argument[mode & 3];
        if (mode == 4 && t->lane >= 16)
            return EXIT;
        return mode <= 1 ? 2 : mode == 2 ? 3 : 4;
    }
    *out = (unsigned)EXCHANGE.result[t->lane] +
           (state == 2 ? EXCHANGE.flag[t->lane] << 31 : 0);
    return EXIT;
}
STATEFUL(warp, 32, HC_LOCKSTEP, 0, HC_WARP, HC_SHUFFLE_DOWN, HC_WARP, HC_MATCH_ANY,
         HC_WARP, HC_REDUCE_ADD)

/* spin(int *flag, int n): thread 0 waits until the others of the block have counted;
   then all meet at a barrier. With n > 0 every block waits for its predecessor
   first. */
static uint32_t spin(thread *t, uint32_t state)
{
    int *flags = PARAM(int *, 0);
    if (state == 0 && t->thread != 0) {
        __atomic_fetch_add(&flags[t->block], 1, __ATOMIC_RELAXED);
        return 2;
    }
    if (state < 2) {
        int before = PARAM(int, 8) > 0 && t->block > 0
                         ? __atomic_load_n(&flags[t->block - 1], __ATOMIC_RELAXED)
                         : 1000000;
        int mine = __atomic_load_n(&flags[t->block], __ATOMIC_RELAXED);
        return before >= 1000000 && mine == (int)t->threads - 1 ? 2 : 1;
    }
    if (t->thread == 0)
        __atomic_fetch_add(&flags[t->block], 1000000, __ATOMIC_RELAXED);
    return EXIT;
}
STATEFUL(spin, WIDTH, HC_YIELD, 0, HC_BARRIER, 0, HC_BARRIER, 0, HC_BARRIER, 0)

/* Kernels are not instrumented: this tells the thread sanitizer what they saw. */
__attribute__((weak, visibility("default"))) void __tsan_acquire(void *address);

/* wait(volatile int *flag, int value): spins until the host or another kernel writes
 * the value */
static uint32_t wait(thread *t, uint32_t state)
{
    int *flag = PARAM(int *, 0);
    if (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != PARAM(int, 8))
        return 1;
    if (__tsan_acquire != NULL)
        __tsan_acquire(flag);
    return EXIT;
}
STATEFUL(wait, WIDTH, HC_YIELD, 0, HC_BARRIER, 0, HC_BARRIER, 0, HC_BARRIER, 0)

/* meet(int *count, int all): waits until all threads of the grid are there, later ones
   too. all < 0: for ever, but that block 1 fails when so many are there. */
static uint32_t meet(thread *t, uint32_t state)
{
    const uint32_t place[3] = {t->x, t->y, t->z};
    int all = PARAM(int, 8);
    if (state == 0)
        __atomic_fetch_add(PARAM(int *, 0), 1, __ATOMIC_RELAXED);
    int there = __atomic_load_n(PARAM(int *, 0), __ATOMIC_RELAXED);
    if (there == -all && t->block == 1)
        t->launch->services->trap(t->frame, place);
    if (all < 0)
        t->launch->services->pause(t->frame);
    return all >= 0 && there >= all ? EXIT : 1;
}
STATEFUL(meet, WIDTH, HC_YIELD, 0, HC_BARRIER, 0, HC_BARRIER, 0, HC_BARRIER, 0)

/* stuck(int mode): 0 half the threads reach one barrier and half another; 1 a shuffle
   that names lanes which wait at a barrier; 2 threads at a barrier, the others gone: no
   error */
static uint32_t stuck(thread *t, uint32_t state)
{
    int mode = PARAM(int, 0);
    if (state != 0)
        return EXIT;
    if (mode == 2)
        return t->thread % 2 ? 1 : EXIT;
    if (mode == 1 && t->thread % 2 == 0) {
        EXCHANGE.mask[t->lane] = 0xffffffffu;
        return 3;
    }
    return t->thread % 2 ? 1 : 2;
}
STATEFUL(stuck, WIDTH, HC_BARRIER, 0, HC_BARRIER, 0, HC_WARP, HC_SHUFFLE_INDEX,
         HC_BARRIER, 0)

/* fail(int mode, int block, int *p): block number `block` fails */
static uint32_t fail(thread *t, uint32_t state)
{
    const uint32_t place[3] = {t->x, t->y, t->z};
    volatile int seven = 7, zero = 0;
    int mode = PARAM(int, 0);
    if ((int)t->block != PARAM(int, 4) || t->thread != 0)
        return EXIT;
    if (mode == 0)
        *(volatile int *)PARAM(int *, 8) = 1;
    else if (mode == 1)
        *(volatile int *)PARAM(int *, 8) = seven / zero;
    else if (mode == 2)
        t->launch->services->assert_fail(t->frame, place, "x > 0", "k.cu", 12,
                                         "void k(int)");
    else if (mode == 3)
        t->launch->services->trap(t->frame, place);
    else if (mode == 4)
        t->launch->services->release(t->frame, PARAM(int *, 8));
    else if (mode == 5)
        ((volatile char *)t->frame->shared)[128] = 1;
    else if (mode == 6)
        t->launch->services->print(t->frame, "%s\n", &PARAM(int *, 8));
    return EXIT;
}
PLAIN(fail)

/* say(int n): prints */
static uint32_t say(thread *t, uint32_t state)
{
    struct {
        int block, thread;
        double number;
        const char *text;
        long long wide;
        int letter, negative, hex, width, padded;
        double number_again;
        int letter_again;
        const char *text_again;
        long long wide_again;
    } arguments = {(int)t->block,
                   (int)t->thread,
                   1.5 * PARAM(int, 0),
                   "text",
                   -5000000000,
                   'c',
                   -3,
                   255,
                   4,
                   5,
                   2.5,
                   'd',
                   "narrow",
                   7};
    if (t->thread == 0)
        t->launch->services->print(
            t->frame,
            "block %d of %u: %6.2f|%-6s|%lld|%c|%d|%#x|%*d|100%%|%q|%Lf|%lc|%ls|%5Ld\n",
            &arguments);
    return EXIT;
}
PLAIN(say)

/* heap(int **out, int bytes): each block's first thread allocates and frees */
static uint32_t heap(thread *t, uint32_t state)
{
    if (t->thread != 0)
        return EXIT;
    int *memory = t->launch->services->allocate(t->frame, (uint64_t)PARAM(int, 8));
    PARAM(int **, 0)[t->block] = memory;
    if (memory != NULL) {
        memset(memory, 1, (size_t)PARAM(int, 8));
        t->launch->services->release(t->frame, memory);
    }
    return EXIT;
}
PLAIN(heap)

/* variable(int *out): out = counter++, a global; out[1] = table[2], a constant */
static int counter = 7;
static int table[4] = {1, 2, 3, 4};
static uint32_t variable(thread *t, uint32_t state)
{
    PARAM(int *, 0)[0] = counter++;
    PARAM(int *, 0)[1] = table[2];
    return EXIT;
}
PLAIN(variable)

/* big(struct of 3000 bytes, int *out): out = sum of the bytes */
static uint32_t big(thread *t, uint32_t state)
{
    int sum = 0;
    for (int i = 0; i < 3000; i++)
        sum += t->params[i];
    *PARAM(int *, 3000) = sum;
    return EXIT;
}
PLAIN(big)

/* busy(int *out, int rounds): out[block] += rounds, slowly */
static uint32_t busy(thread *t, uint32_t state)
{
    if (t->thread != 0)
        return EXIT;
    for (volatile int i = 0; i < PARAM(int, 8); i++)
        ;
    PARAM(int *, 0)[t->block] += PARAM(int, 8);
    return EXIT;
}
PLAIN(busy)

/* -- The image --------------------------------------------------------------------- */

static const hc_param pointer_int[] = {{0, 8, "int *"}, {8, 4, "int"}};
static const hc_param pointers[] = {{0, 8, "int *"}, {8, 8, "int *"}};
static const hc_param scale_params[] = {
    {0, 8, "float *"}, {8, 4, "float"}, {12, 4, "int"}};
static const hc_param fail_params[] = {{0, 4, "int"}, {4, 4, "int"}, {8, 8, "int *"}};
static const hc_param big_params[] = {{0, 3000, "struct bytes"}, {3000, 8, "int *"}};

#define PARAMS(n, bytes, list) .nparams = n, .param_bytes = bytes, .params = list
#define RUN(function) .run = {function##_run, function##_run}, .width = 32
#define WITH_STATES(function, w)                                               \
    .nstates = {5, 5}, .states = {function##_states[0], function##_states[1]}, \
    .width = w, .context_bytes = HC_LANES * 16

static const hc_kernel kernels[] = {
    {"empty", RUN(empty), .max_threads = 1024},
    {"scale", RUN(scale), PARAMS(3, 16, scale_params), .max_threads = 1024},
    {"order", RUN(order), PARAMS(2, 16, pointers), .max_threads = 256,
     .local_bytes = 24},
    {"reverse", WITH_STATES(reverse, WIDTH), PARAMS(1, 8, pointer_int),
     .max_threads = 1024, .shared_bytes = 256},
    {"vote", WITH_STATES(vote, WIDTH), PARAMS(2, 16, pointer_int), .max_threads = 1024},
    {"warp", WITH_STATES(warp, 32), PARAMS(2, 16, pointer_int), .max_threads = 1024,
     .flags = HC_WARPS},
    {"spin", WITH_STATES(spin, WIDTH), PARAMS(2, 16, pointer_int), .max_threads = 1024},
    {"wait", WITH_STATES(wait, WIDTH), PARAMS(2, 16, pointer_int), .max_threads = 1024},
    {"meet", WITH_STATES(meet, WIDTH), PARAMS(2, 16, pointer_int), .max_threads = 1024},
    {"stuck", WITH_STATES(stuck, WIDTH), PARAMS(1, 4, fail_params),
     .max_threads = 1024},
    {"fail", RUN(fail), PARAMS(3, 16, fail_params), .max_threads = 1024,
     .shared_bytes = 128},
    {"say", RUN(say), PARAMS(1, 4, fail_params), .max_threads = 1024},
    {"heap", RUN(heap), PARAMS(2, 16, pointer_int), .max_threads = 1024},
    {"variable", RUN(variable), PARAMS(1, 8, pointer_int), .max_threads = 1024},
    {"big", RUN(big), PARAMS(2, 3008, big_params), .max_threads = 1024},
    {"busy", RUN(busy), PARAMS(2, 16, pointer_int), .max_threads = 1024},
};

static uint64_t bytes, canvas; /* references */

static const hc_global globals[] = {
    {"counter", &counter, sizeof counter, .kind = HC_VARIABLE},
    {"table", table, sizeof table, .kind = HC_CONSTANT},
    {"bytes", &bytes, sizeof bytes, .kind = HC_TEXTURE, .format = 1, .channels = 4},
    {"canvas", &canvas, sizeof canvas, .kind = HC_SURFACE},
};

__attribute__((visibility("default"))) const hc_image hostcuda_image = {
    .producer = "written by hand",
    .nkernels = sizeof kernels / sizeof *kernels,
    .nglobals = sizeof globals / sizeof *globals,
    .kernels = kernels,
    .globals = globals,
};
