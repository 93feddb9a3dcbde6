/* Which accesses to shared memory are races: small programs of a block, access by
   access in the order in which a machine thread does them, and what must be said of
   each. The expected answers are those of the CUDA memory model: threads of a block are
   ordered by __syncthreads, those of a warp also by __syncwarp, and by what they tell
   each other through atomic operations and fences. */
#include <stdio.h>
#include <string.h>

#include "hostcuda/run/shared_races.h"

enum { READ, WRITE, ATOMIC, VOLATILE_READ, VOLATILE_WRITE, BARRIER, MEET, SIGN, BLOCK };
enum { SILENT, RACE, SAME, IN_WARP };

#define MOST 12
#define SHARED 4096

typedef struct {
    int what;
    unsigned thread, element; /* MEET: the lane mask of the thread's warp */
    int value;
    int expected;
    unsigned other; /* thread of the race's other party */
} step;

static const struct {
    const char *name;
    step steps[MOST]; /* site: the number in this list, from 1 */
} programs[] = {
    {"write, read by another", {{WRITE, 0, 5, 1}, {READ, 7, 5, 0, RACE, 0}}},
    {"write, read by itself", {{WRITE, 3, 5, 1}, {READ, 3, 5}, {WRITE, 3, 5, 2}}},
    {"barrier between", {{WRITE, 0, 5, 1}, {BARRIER}, {READ, 7, 5}}},
    {"two barriers between",
     {{WRITE, 0, 5, 1}, {BARRIER}, {BARRIER}, {WRITE, 7, 5, 2}}},
    {"read, write by another", {{READ, 40, 9}, {WRITE, 2, 9, 1, RACE, 40}}},
    {"many read", {{READ, 1, 9}, {READ, 2, 9}, {READ, 99, 9}, {READ, 1, 9}}},
    {"own read is not the only one",
     {{READ, 2, 9}, {READ, 50, 9}, {WRITE, 2, 9, 1, RACE, 50}}},
    {"own read comes last", {{READ, 50, 9}, {READ, 2, 9}, {WRITE, 2, 9, 1, RACE, 50}}},
    {"own reads around",
     {{READ, 2, 9}, {READ, 50, 9}, {READ, 2, 9}, {WRITE, 2, 9, 1, RACE, 50}}},
    {"reads before the barrier",
     {{READ, 1, 9}, {READ, 2, 9}, {BARRIER}, {WRITE, 3, 9, 1}}},
    {"two write", {{WRITE, 0, 5, 1}, {WRITE, 1, 5, 2, RACE, 0}}},
    {"two write the same", {{WRITE, 0, 5, 1}, {WRITE, 1, 5, 1, SAME, 0}}},
    {"next to each other", {{WRITE, 0, 5, 1}, {WRITE, 1, 6, 2}, {READ, 2, 7}}},
    {"another block", {{WRITE, 0, 5, 1}, {BLOCK}, {READ, 7, 5}, {WRITE, 7, 5, 1}}},
    {"another block, again", {{READ, 0, 5}, {READ, 1, 5}, {BLOCK}, {WRITE, 7, 5, 1}}},
    {"atomics", {{ATOMIC, 0, 5}, {ATOMIC, 40, 5}, {ATOMIC, 1, 5}}},
    {"atomic, then read", {{ATOMIC, 0, 5}, {READ, 40, 5, 0, RACE, 0}}},
    {"read, then atomic", {{READ, 0, 5}, {ATOMIC, 40, 5, 0, RACE, 0}}},
    {"volatile flag", {{VOLATILE_WRITE, 0, 5, 1}, {ATOMIC, 40, 5}}},
    {"volatile in one warp",
     {{VOLATILE_WRITE, 0, 5, 1}, {VOLATILE_READ, 1, 5, 0, IN_WARP, 0}}},
    {"volatile across warps",
     {{VOLATILE_WRITE, 0, 5, 1}, {VOLATILE_READ, 32, 5, 0, RACE, 0}}},
    {"__syncwarp", {{WRITE, 0, 5, 1}, {MEET, 0, ~0u}, {READ, 31, 5}}},
    {"__syncwarp of others",
     {{WRITE, 0, 5, 1}, {MEET, 0, 0xfffe}, {READ, 1, 5, 0, RACE, 0}}},
    {"__syncwarp of all, then of some",
     {{WRITE, 0, 5, 1}, {MEET, 0, ~0u}, {MEET, 0, 0xf}, {MEET, 0, 0xf0}, {READ, 4, 5}}},
    {"__syncwarp of each half",
     {{WRITE, 0, 5, 1},
      {MEET, 0, 0xffff},
      {MEET, 0, 0xffff0000},
      {READ, 31, 5, 0, RACE, 0}}},
    {"atomic on what was written", {{WRITE, 0, 5, 0}, {ATOMIC, 40, 5, 0, RACE, 0}}},
    {"__syncwarp before",
     {{MEET, 0, ~0u}, {WRITE, 0, 5, 1}, {READ, 31, 5, 0, RACE, 0}}},
    {"__syncwarp, another warp",
     {{WRITE, 0, 5, 1}, {MEET, 0, ~0u}, {MEET, 32, ~0u}, {READ, 32, 5, 0, RACE, 0}}},
    {"readers, __syncwarp, writer",
     {{READ, 0, 5}, {READ, 1, 5}, {READ, 2, 5}, {MEET, 0, ~0u}, {WRITE, 3, 5, 1}}},
    {"readers of two warps, __syncwarp, writer",
     {{READ, 0, 5},
      {READ, 1, 5},
      {READ, 64, 5},
      {MEET, 0, ~0u},
      {WRITE, 3, 5, 1, RACE, 64}}},
    {"handed over",
     {{WRITE, 0, 5, 1},
      {SIGN, 0},
      {ATOMIC, 0, 8},
      {SIGN, 0},
      {ATOMIC, 40, 8},
      {SIGN, 40},
      {READ, 40, 5}}},
    {"one has not looked", {{WRITE, 0, 5, 1}, {SIGN, 0}, {READ, 40, 5, 0, RACE, 0}}},
    {"one has not told", {{WRITE, 0, 5, 1}, {SIGN, 40}, {READ, 40, 5, 0, RACE, 0}}},
    {"told before",
     {{SIGN, 0}, {WRITE, 0, 5, 1}, {SIGN, 40}, {READ, 40, 5, 0, RACE, 0}}},
};

static hd_race found;
static unsigned nfound;

static void report(hc_frame *frame, const hd_race *race)
{
    (void)frame;
    found = *race;
    nfound++;
}

static _Alignas(128) char shared[SHARED];
static _Alignas(64) char memory[1 << 20];
static hc_frame frame = {.shared = shared};
/* Of steps, from 1; the last two: of vectors. */
static hc_access sites[MOST + 3];
#define VECTORS (MOST + 1)

static int run_program(const step *steps)
{
    static const uint32_t access[] = {[WRITE] = HC_RACE_WRITES | HC_RACE_VALUE,
                                      [ATOMIC] = HC_RACE_WRITES | HC_RACE_ATOMIC,
                                      [VOLATILE_READ] = HC_RACE_VOLATILE,
                                      [VOLATILE_WRITE] =
                                          HC_RACE_VOLATILE | HC_RACE_WRITES};
    static unsigned last[SHARED / 4]; /* site of the last access to an element */

    memset(last, 0, sizeof last);
    hd_races_barrier(frame.races);
    for (unsigned i = 0;
         i < MOST && (i == 0 || steps[i].what || steps[i].thread || steps[i].element);
         i++) {
        const step *s = &steps[i];
        char *at = shared + 4 * s->element;
        nfound = 0;
        if (s->what == BARRIER || s->what == BLOCK) {
            hd_races_barrier(frame.races);
        } else if (s->what == MEET) {
            uint32_t masks[32];
            for (unsigned l = 0; l < 32; l++)
                masks[l] = s->element;
            hd_races_sync_warp(frame.races, s->thread, s->element, masks);
        } else if (s->what == SIGN) {
            hd_races_sign(frame.races, s->thread, false);
        } else {
            hd_races_check(&frame, at, 4, 1, s->thread, &sites[i + 1], access[s->what],
                           &(uint64_t){(unsigned)s->value});
            if (access[s->what] & HC_RACE_WRITES)
                memcpy(at, &s->value, 4);
        }
        int is = nfound == 0        ? SILENT
                 : found.same_value ? SAME
                 : found.in_warp    ? IN_WARP
                                    : RACE;
        if (is != s->expected || nfound > 1 ||
            (nfound && (found.other_thread != s->other || found.site != &sites[i + 1] ||
                        found.other_site <= sites || found.other_site > sites + i ||
                        steps[found.other_site - sites - 1].thread != s->other ||
                        found.at != shared + 4 * s->element || found.bytes != 4)))
            return (int)i + 1;
    }
    return 0;
}

/* A vector at a time: lanes in a row, lanes at one place, lanes anywhere. */
static unsigned vector(int writes, unsigned thread, unsigned first, int stride,
                       unsigned lanes, const uint64_t *values)
{
    nfound = 0;
    hd_races_check(&frame, shared + 4 * first, 4 * stride, lanes, thread,
                   &sites[VECTORS], (uint32_t)writes | HC_RACE_VALUE, values);
    return nfound;
}

static unsigned scattered(int writes, unsigned thread, const unsigned *element,
                          unsigned lanes, const uint64_t *values)
{
    const char *address[32];

    for (unsigned l = 0; l < 32; l++)
        address[l] = shared + 4 * (long)element[l];
    nfound = 0;
    hd_races_check_each(&frame, address, lanes, thread, &sites[VECTORS],
                        (uint32_t)writes | HC_RACE_VALUE, values);
    return nfound;
}

#define EXPECT(condition)                                           \
    do {                                                            \
        if (!(condition)) {                                         \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            failures++;                                             \
        }                                                           \
    } while (0)

static int vectors(void)
{
    int failures = 0;
    uint64_t ones[32], counts[32];
    unsigned reversed[32], far[32];

    for (unsigned l = 0; l < 32; l++) {
        ones[l] = 1;
        counts[l] = l + 10;
        reversed[l] = 31 - l;
        far[l] = 1u << 28;
    }
    memset(shared, 0, sizeof shared);
    /* Each writes its own, reads its own, reads its neighbour's. */
    hd_races_barrier(frame.races);
    EXPECT(vector(1, 0, 0, 1, ~0u, counts) == 0);
    EXPECT(vector(1, 32, 32, 1, 0xffff, counts) == 0);
    EXPECT(vector(0, 0, 0, 1, ~0u, NULL) == 0);
    EXPECT(vector(0, 0, 1, 1, ~0u, NULL) == 32); /* the last reads thread 32's */
    EXPECT(found.thread == 31 && found.other_thread == 32 &&
           found.site == &sites[VECTORS]);
    hd_races_barrier(frame.races);
    EXPECT(vector(0, 0, 1, 1, ~0u, NULL) == 0);
    EXPECT(vector(1, 0, 0, 1, ~0u, counts) == 31); /* all but element 0 were read */
    /* A row read by many vectors, then written by the first of them. */
    hd_races_barrier(frame.races);
    for (unsigned t = 0; t < 512; t += 32)
        EXPECT(vector(0, t, 64, 1, ~0u, NULL) == 0);
    EXPECT(frame.races->many[64] >= frame.races->interval);
    EXPECT(frame.races->many[96] < frame.races->interval);
    EXPECT(vector(1, 0, 64, 1, ~0u, counts) == 32 && found.other_thread == 480 + 31);
    /* All lanes at one place. */
    hd_races_barrier(frame.races);
    EXPECT(vector(0, 0, 7, 0, ~0u, NULL) == 0);
    EXPECT(vector(1, 0, 7, 0, 1, ones) == 1 && found.other_thread != 0);
    hd_races_barrier(frame.races);
    EXPECT(vector(1, 0, 7, 0, 0xf0, ones) == 3 && found.same_value);
    hd_races_barrier(frame.races);
    EXPECT(vector(1, 0, 7, 0, 0x11, counts) == 1 && !found.same_value &&
           found.thread == 4 && found.other_thread == 0);
    /* Anywhere; what is not shared memory is none of it. */
    hd_races_barrier(frame.races);
    EXPECT(scattered(1, 0, reversed, ~0u, counts) == 0);
    EXPECT(scattered(0, 0, reversed, ~0u, NULL) == 0);
    EXPECT(scattered(0, 32, reversed, 1, NULL) == 1 && found.other_thread == 0);
    EXPECT(scattered(1, 0, far, ~0u, counts) == 0);
    EXPECT(vector(0, 0, SHARED / 4 - 1, 1, 3, NULL) == 0);
    /* More granules than one: 8 bytes over two elements of 4. */
    hd_races_barrier(frame.races);
    EXPECT(vector(1, 3, 11, 1, 1, ones) == 0);
    nfound = 0;
    hd_races_check(&frame, shared + 40, 8, 1, 5, &sites[VECTORS + 1], 0, NULL);
    EXPECT(nfound == 1 && found.other_thread == 3 && found.bytes == 8);
    return failures;
}

/* Vectors of every start and length find exactly what the same lanes find one by one,
   which takes other code. */
static int alike(void)
{
    static _Alignas(64) char second_memory[1 << 20];
    hc_races *row = frame.races,
             *single =
                 hd_races_seen(hd_races_place(second_memory, SHARED, 2, 0, report));
    unsigned seed = 1;

    hd_races_barrier(row);

    for (int round = 0; round < 20000; round++) {
        seed = seed * 1664525 + 1013904223;
        unsigned lanes = seed >> 28 & 1 ? ~0u : (1u << (seed >> 8 & 31)) - 1;
        lanes &= ~0u << (seed >> 3 & 3) * (seed >> 5 & 7);
        unsigned first = seed >> 13 & 63, thread = seed >> 19 & 3,
                 writes = seed >> 22 & 1;
        unsigned one_by_one = 0, at_once;
        if ((seed >> 23 & 7) == 0) {
            hd_races_barrier(row);
            hd_races_barrier(single);
        }
        frame.races = row;
        int stride = writes || seed >> 29 & 1;
        at_once = vector((int)writes, thread * 32, first, stride, lanes, NULL);
        frame.races = single;
        for (unsigned l = 0; l < 32; l++)
            if (lanes >> l & 1)
                one_by_one += vector((int)writes, thread * 32 + l,
                                     first + l * (unsigned)stride, 1, 1, NULL);
        frame.races = row;
        if (at_once != one_by_one) {
            fprintf(stderr, "round %d: %u races at once, %u one by one\n", round,
                    at_once, one_by_one);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    int failures = 0;

    if (hd_races_size(SHARED, 2, 128) > sizeof memory)
        return 1;
    for (unsigned i = 0; i <= VECTORS; i++)
        sites[i].bytes = 4;
    sites[VECTORS + 1].bytes = 8;
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
        frame.races = hd_races_seen(hd_races_place(memory, SHARED, 2, 128, report));
        int wrong = run_program(programs[i].steps);
        if (wrong) {
            fprintf(stderr, "%s: wrong at step %d\n", programs[i].name, wrong);
            failures++;
        }
    }
    frame.races = hd_races_seen(hd_races_place(memory, SHARED, 2, 0, report));
    failures += vectors();
    failures += alike();
    /* Time begins again. */
    frame.races->clock = 0xfffffff0;
    hd_races_barrier(frame.races);
    vector(1, 0, 0, 1, ~0u, NULL);
    hd_races_barrier(frame.races);
    if (vector(0, 32, 0, 1, ~0u, NULL) || frame.races->interval > 2) {
        fprintf(stderr, "time does not begin again\n");
        failures++;
    }
    return failures != 0;
}
