/* Ranges of pieces. Threads take them in index order, or, of work whose pieces never
   wait for others, each from a share of its own, which is the same in every launch of
   that size: what one kernel writes the next one finds in the cache of the core that
   reads it. On 16 cores `z[i] = a * x[i] + b * y[i]` of 2^20 floats took 0.6 of the
   time, of which the second caches hold all, `x[i] *= a` half. A thread whose share is
   at an end goes on with the others', as all that have come to an end do at once: each
   takes little, or those whose pieces take long are waited for. */
#include <stdlib.h>

#include "ranges.h"

/* Of what is left a thread takes this part at a time, so that all finish together. */
#define PART 4
/* Of its own share less: its pieces may take many times as long as others. */
#define OWN_PART 16

typedef struct {
    _Atomic uint64_t taken; /* pieces of it */
    char behind[HD_LINE - sizeof(uint64_t)];
} share;

struct hd_shares {
    hd_shares *next; /* in the list of spare ones */
    uint64_t first;  /* piece of the first share */
    unsigned count;
    char behind[HD_LINE];
    share share[];
};

static hd_shares *spare; /* owned; of hd.nthreads shares each */
static bool *held;       /* owned: which shares are some worker's own */

/* How many pieces fit the time of a range; 0: not known. */
static uint64_t fitting(const hd_work *work)
{
    uint32_t piece =
        work->piece_ns ? atomic_load_explicit(work->piece_ns, memory_order_relaxed) : 0;

    return piece != 0 ? HD_RANGE_NANOSECONDS / piece : 0;
}

/* How many pieces to take of those left: at least `part`. */
static uint64_t range_length(const hd_work *work, uint64_t part, uint64_t left)
{
    uint64_t count = part, fit = fitting(work);

    if (count < work->least)
        count = work->least;
    if (count < fit)
        count = fit;
    if (count > work->most)
        count = work->most;
    return count < left ? count : left;
}

/* -- In index order ---------------------------------------------------------------- */

/* A thread alone in the work takes what fits the time; one among others also a part of
   the rest. */
static bool take_next(hd_work *work, bool alone, uint64_t *first, uint64_t *last)
{
    uint64_t next = atomic_load_explicit(&work->taken, memory_order_relaxed);

    do {
        if (next >= work->pieces)
            return false;
        uint64_t left = work->pieces - next;
        uint64_t part = !alone           ? left / (PART * hd.nthreads)
                        : work->piece_ns ? 0
                                         : work->most;
        *first = next;
        *last = next + range_length(work, part, left);
        if (alone) {
            atomic_store_explicit(&work->taken, *last, memory_order_relaxed);
            return true;
        }
    } while (!atomic_compare_exchange_weak_explicit(
        &work->taken, &next, *last, memory_order_relaxed, memory_order_relaxed));
    return true;
}

/* -- In shares --------------------------------------------------------------------- */

/* Not of work that is over so soon that few threads take part. */
void hd_ranges_share_out(hd_work *work)
{
    uint64_t left =
        work->pieces - atomic_load_explicit(&work->taken, memory_order_relaxed);
    size_t size = sizeof(hd_shares) + hd.nthreads * sizeof(share);

    if (hd.nthreads < 2 || work->spins || left / hd.nthreads < PART * work->least ||
        left / hd.nthreads < fitting(work))
        return;
    hd_shares *shares = spare;
    if (shares)
        spare = shares->next;
    else if (!(shares =
                   aligned_alloc(HD_LINE, (size + HD_LINE - 1) / HD_LINE * HD_LINE)))
        return;
    shares->first = work->pieces - left;
    shares->count = hd.nthreads;
    for (unsigned k = 0; k < shares->count; k++)
        atomic_init(&shares->share[k].taken, 0);
    work->shares = shares;
}

void hd_ranges_hold_share(unsigned *own)
{
    if (!held && !(held = calloc(hd.nthreads, sizeof *held)))
        return;
    if (held[*own])
        for (*own = 0; *own + 1 < hd.nthreads && held[*own];)
            ++*own;
    held[*own] = true;
}

void hd_ranges_free_share(unsigned own)
{
    if (held)
        held[own] = false;
}

void hd_ranges_end_shares(hd_work *work)
{
    if (!work->shares)
        return;
    work->shares->next = spare;
    spare = work->shares;
    work->shares = NULL;
}

static bool take_of_share(hd_work *work, unsigned k, uint64_t part, uint64_t *first,
                          uint64_t *last)
{
    hd_shares *shares = work->shares;
    _Atomic uint64_t *taken = &shares->share[k].taken;
    uint64_t all = work->pieces - shares->first, start = all / shares->count * k;
    uint64_t end = k + 1 == shares->count ? all : start + all / shares->count;
    uint64_t next = atomic_load_explicit(taken, memory_order_relaxed), count;

    do {
        uint64_t left = end - start - next;
        if (left == 0)
            return false;
        count = range_length(work, left / part, left);
    } while (!atomic_compare_exchange_weak_explicit(
        taken, &next, next + count, memory_order_relaxed, memory_order_relaxed));
    *first = shares->first + start + next;
    *last = *first + count;
    return true;
}

bool hd_ranges_take_unlocked(hd_work *work, bool alone, unsigned own, uint64_t *first,
                             uint64_t *last)
{
    if (alone || !work->shares)
        return take_next(work, alone, first, last);
    unsigned count = work->shares->count;
    for (unsigned k = 0; k < count; k++)
        if (take_of_share(work, (own + k) % count, k == 0 ? OWN_PART : PART * count,
                          first, last))
            return true;
    atomic_store_explicit(&work->taken, work->pieces, memory_order_relaxed);
    return false;
}
