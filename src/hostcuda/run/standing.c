/* Where the threads of a block stand, in words, for messages about blocks that cannot
   go on. Threads that wait for the same thing at the same place are told together, in
   the order of the first of each, which is the order of CUDA's thread numbers: lanes of
   vectors cut from rows are not. */
#include <stdarg.h>

#include "standing.h"
#include "warps.h"

/* What is told of a block at most: places, and ranges of threads at each. */
#define PLACES 6
#define RANGES 4

typedef struct {
    const hd_launch *launch;
    const hc_frame *frame;
    const hc_state *states;
    uint32_t state; /* of all living lanes, or HC_MIXED */
    uint32_t threads;
    char *text;
    size_t size, used;
} teller;

/* Where a thread stands: equal for those that are told together. */
typedef struct {
    uint32_t state; /* HC_EXITED: it has ended */
    uint32_t mask;  /* that it gave to a warp function */
} standing;

static void say(teller *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(teller *t, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int n = vsnprintf(t->text + t->used, t->size - t->used, format, arguments);
    va_end(arguments);
    t->used += n < 0 ? 0 : (size_t)n;
    if (t->used >= t->size)
        t->used = t->size - 1;
}

/* -- Threads by their number in the block ------------------------------------------ */

static standing standing_of(const teller *t, uint32_t thread)
{
    const uint32_t *block = t->launch->launch.block;
    uint32_t width = t->launch->kernel->width;
    uint32_t vector = thread / 32, lane = thread % 32;

    if (t->launch->layout == 0) {
        uint32_t row = thread / block[0], x = thread % block[0];
        vector = row * ((block[0] + width - 1) / width) + x / width;
        lane = x % width;
    }
    if ((t->frame->alive[vector] >> lane & 1) == 0)
        return (standing){HC_EXITED, 0};
    standing at = {t->state, 0};
    if (t->state == HC_MIXED)
        at.state = t->frame->lane_state[(size_t)vector * HC_LANES + lane];
    if (t->states[at.state].kind == HC_WARP)
        at.mask = t->frame->exchange[vector].mask[lane];
    return at;
}

static bool same(standing a, standing b)
{
    return a.state == b.state && a.mask == b.mask;
}

/* A thread's number says where it is. */
static bool is_flat(const teller *t)
{
    return t->launch->launch.block[1] == 1 && t->launch->launch.block[2] == 1;
}

static void say_thread(teller *t, uint32_t thread)
{
    const uint32_t *block = t->launch->launch.block;

    if (is_flat(t))
        say(t, "%u", thread);
    else
        say(t, "(%u,%u,%u)", thread % block[0], thread / block[0] % block[1],
            thread / block[0] / block[1]);
}

/* "threads 0-15, 20 and 40 more" */
static void say_threads(teller *t, standing here)
{
    uint32_t count = 0, told = 0, ranges = 0;

    for (uint32_t i = 0; i < t->threads; i++)
        count += same(standing_of(t, i), here);
    say(t, count == 1 ? "thread " : "threads ");
    for (uint32_t i = 0; i < t->threads && ranges < RANGES; i++) {
        uint32_t first = i;
        while (i < t->threads && same(standing_of(t, i), here))
            i++;
        if (i == first)
            continue;
        say(t, ranges++ ? ", " : "");
        say_thread(t, first);
        if (i - first > 1) {
            say(t, is_flat(t) ? "-" : " to ");
            say_thread(t, i - 1);
        }
        told += i - first;
    }
    if (told < count)
        say(t, " and %u more", count - told);
}

/* -- Places ------------------------------------------------------------------------ */

static void say_place(teller *t, standing here, bool one)
{
    static const char *const barriers[] = {[HC_BARRIER] = "__syncthreads",
                                           [HC_BARRIER_COUNT] = "__syncthreads_count",
                                           [HC_BARRIER_AND] = "__syncthreads_and",
                                           [HC_BARRIER_OR] = "__syncthreads_or"};
    const hc_state *s = &t->states[here.state];

    if (here.state == HC_EXITED) {
        say(t, one ? " has ended" : " have ended");
        return;
    }
    if (s->kind == HC_YIELD)
        say(t, one ? " loops" : " loop");
    else if (s->kind != HC_LOCKSTEP && s->kind != HC_ENTRY)
        say(t, one ? " waits" : " wait");
    if (s->site.file)
        say(t, " at %s:%u", s->site.file, s->site.line);
    if (s->kind == HC_WARP)
        say(t, " (%s of lanes 0x%08x)", hd_warp_name(s->op), here.mask);
    else if (s->kind >= HC_BARRIER && s->kind <= HC_BARRIER_OR)
        say(t, " (%s)", barriers[s->kind]);
}

static teller tell(const hd_launch *launch, const hc_frame *frame, uint32_t state)
{
    const uint32_t *block = launch->launch.block;

    return (teller){.launch = launch,
                    .frame = frame,
                    .states = launch->kernel->states[launch->layout],
                    .state = state,
                    .threads = block[0] * block[1] * block[2]};
}

unsigned hd_standing_parties(const hd_launch *launch, const hc_frame *frame,
                             uint32_t state, hd_party *parties)
{
    const uint32_t *block = launch->launch.block;
    teller t = tell(launch, frame, state);
    unsigned n = 0;

    for (uint32_t i = 0; i < t.threads && n < 2; i++) {
        standing here = standing_of(&t, i);
        if (here.state == HC_EXITED || (n > 0 && here.state == parties[0].state))
            continue;
        parties[n++] = (hd_party){
            here.state,
            {i % block[0], i / block[0] % block[1], i / block[0] / block[1]}};
    }
    return n;
}

void hd_standing_describe(const hd_launch *launch, const hc_frame *frame,
                          uint32_t state, char *text, size_t size)
{
    teller t = tell(launch, frame, state);
    standing told[PLACES];
    uint32_t places = 0;

    t.text = text;
    t.size = size;
    *text = '\0';
    for (uint32_t i = 0; i < t.threads; i++) {
        standing here = standing_of(&t, i);
        uint32_t known = 0;
        while (known < places && !same(told[known], here))
            known++;
        if (known < places)
            continue;
        if (places == PLACES) {
            say(&t, ", others elsewhere");
            return;
        }
        told[places++] = here;
        say(&t, places > 1 ? ", " : "");
        size_t before = t.used;
        say_threads(&t, here);
        say_place(&t, here, strncmp(text + before, "thread ", 7) == 0);
    }
}

/* -- Numbers ----------------------------------------------------------------------- */

uint64_t hd_standing_number(const hd_launch *launch, const hc_frame *frame,
                            uint32_t vectors, uint32_t state, bool *idle)
{
    const hc_state *states = launch->kernel->states[launch->layout];
    uint64_t number = state;

    *idle = true;
    for (uint32_t v = 0; v < vectors; v++) {
        number = (number ^ frame->alive[v]) * UINT64_C(0x100000001b3);
        HD_LANES_IN(frame->alive[v], lane)
        {
            uint32_t at = state == HC_MIXED
                              ? frame->lane_state[(size_t)v * HC_LANES + lane]
                              : state;
            number = (number ^ at) * UINT64_C(0x100000001b3);
            if (states[at].kind == HC_YIELD && !(states[at].op & HC_YIELD_IDLE))
                *idle = false;
            if (states[at].kind == HC_LOCKSTEP || states[at].kind == HC_ENTRY)
                *idle = false;
        }
    }
    return number;
}

bool hd_standing_at_grid(const hd_launch *launch, const hc_frame *frame,
                         uint32_t vectors, uint32_t state)
{
    const hc_state *states = launch->kernel->states[launch->layout];

    for (uint32_t v = 0; v < vectors; v++) {
        HD_LANES_IN(frame->alive[v], lane)
        {
            uint32_t at = state == HC_MIXED
                              ? frame->lane_state[(size_t)v * HC_LANES + lane]
                              : state;
            if (states[at].kind == HC_YIELD && (states[at].op & HC_YIELD_GRID))
                return true;
        }
    }
    return false;
}
