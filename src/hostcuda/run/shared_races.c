/* See shared_races.h. Shared memory is divided into granules, as large as the smallest
   access that the kernel makes. A granule has the record of its last write and of two
   reads since the last barrier, by different threads if there were any such. A record
   is one number: time, site, kind and thread.

   Time is a clock of the worker that never goes back, so that records of earlier blocks
   are old without being cleared. It goes on at barriers, and wherever threads may learn
   of each other in another way. `interval` is when the last barrier was: what is older
   is over for all threads. That settles nearly every access with one comparison, and
   eight or sixteen of them at once. Only what is younger and of another thread is
   looked at one by one:

     - atomic operations never conflict with each other, nor with volatile accesses;
     - two lanes of a warp are ordered by a __syncwarp since then;
     - two warps are ordered if each has done an atomic operation or a fence since then.
       That is generous: whether the one saw what the other wrote is not asked. A right
       program must never be accused, and this is how right ones tell each other.

   The first read by a second thread is remembered with its time in `many`: from then
   on, until the next barrier, further reads change nothing, and generated code leaves
   them out by one comparison of its own: whoever writes next conflicts with one of the
   two. Where lanes of a warp may be ordered, the second is one of another warp. */
#include <string.h>

#include "race_records.h"

#define LATE UINT32_C(0xf0000000) /* at the next barrier time begins again */
#define BATCH 8                   /* numbers that a block takes at once */

/* -- Memory ------------------------------------------------------------------------ */

static size_t rounded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Room for vectors that begin in the last granule. */
static size_t granules(size_t bytes, unsigned shift)
{
    return ((bytes + ((size_t)1 << shift) - 1) >> shift) + HC_LANES;
}

size_t hd_races_size(size_t bytes, unsigned shift, unsigned meeting)
{
    size_t n = granules(bytes, shift);
    return rounded(sizeof(hd_shared_races)) + 3 * rounded(n * sizeof(uint64_t)) +
           rounded(n * sizeof(uint32_t)) + meeting * HC_LANES * sizeof(uint32_t);
}

hd_shared_races *hd_races_place(char *memory, size_t bytes, unsigned shift,
                                unsigned meeting, hd_race_reporter *report)
{
    hd_shared_races *races = (hd_shared_races *)memory;
    size_t n = granules(bytes, shift), each = rounded(n * sizeof(uint64_t));
    char *at = memory + rounded(sizeof *races);

    memset(memory, 0, hd_races_size(bytes, shift, meeting));
    races->records = at;
    races->size = hd_races_size(bytes, shift, meeting) - rounded(sizeof *races);
    races->written = (uint64_t *)at;
    races->read = (uint64_t *)(at + each);
    races->again = (uint64_t *)(at + 2 * each);
    races->seen.many = (uint32_t *)(at + 3 * each);
    races->bytes = bytes;
    races->shift = shift;
    if (meeting > 0)
        races->met =
            (uint32_t(*)[HC_LANES])(at + 3 * each + rounded(n * sizeof(uint32_t)));
    races->apart = meeting > 0 ? THREAD & ~(uint64_t)(HC_LANES - 1) : THREAD;
    races->report = report;
    races->seen.clock = races->seen.interval = 1;
    return races;
}

hc_races *hd_races_seen(hd_shared_races *races)
{
    return &races->seen;
}

static hd_shared_races *of(hc_races *seen)
{
    return (hd_shared_races *)seen;
}

/* -- Time -------------------------------------------------------------------------- */

/* Where blocks share time, the next number is looked up in race_time.c. */
static uint32_t tick(hd_shared_races *races)
{
    if (!races->since || races->over)
        return ++races->seen.clock;
    if (races->next == races->end) {
        races->next = hd_race_take_unlocked(BATCH);
        races->end = races->next + BATCH;
        races->over = races->next == 0;
    }
    hd_race_own_unlocked(races->next, races->owner);
    return races->seen.clock = races->next++;
}

/* Nothing before a barrier matters after it, so there time may begin again. */
void hd_races_barrier(hc_races *seen)
{
    hd_shared_races *races = of(seen);

    if (seen->clock >= LATE && !races->since) {
        memset(races->records, 0, races->size);
        memset(races->sign, 0, sizeof races->sign);
        seen->clock = 0;
    }
    seen->interval = tick(races);
}

void hd_races_begin(hc_races *seen, uint32_t block)
{
    hd_shared_races *races = of(seen);

    races->owner.block = block;
    races->look = 0;
    hd_races_barrier(seen);
}

/* Each pair of lanes that name each other has met. */
void hd_races_sync_warp(hc_races *seen, uint32_t thread, uint32_t lanes,
                        const uint32_t *masks)
{
    hd_shared_races *races = of(seen);
    uint32_t now = tick(races);

    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), mask = masks[lane];
        uint32_t *met = races->met[(thread + lane) & THREAD];
        for (uint32_t other = 0; races->met && other < HC_LANES; other++)
            met[other] = mask >> other & 1 ? now : met[other];
    }
}

void hd_races_sign(hc_races *seen, uint32_t thread, bool fence)
{
    hd_shared_races *races = of(seen);
    uint32_t now = tick(races);

    races->sign[thread / HC_LANES & (WARPS - 1)] = now;
    if (!races->since)
        return;
    if (fence)
        hd_race_fence_unlocked(races->owner, now);
    races->look = hd_race_now_unlocked();
}

/* -- One access against one record --------------------------------------------------
 */

static bool may_conflict(const hd_shared_races *races, uint64_t record, uint32_t thread)
{
    return time_of(record) >= races->seen.interval && (record & THREAD) != thread;
}

/* Whether something has ordered the record's access before one that is done now. */
static bool is_ordered(const hd_shared_races *races, uint64_t record, uint32_t thread)
{
    uint32_t other = (uint32_t)(record & THREAD), then = time_of(record);
    uint32_t warp = thread / HC_LANES, other_warp = other / HC_LANES;

    return (races->sign[warp] > then && races->sign[other_warp] > then) ||
           (warp == other_warp && races->met &&
            races->met[thread][other % HC_LANES] > then);
}

/* Whether the lane writes what the record's thread wrote: to memory or, if it is
   another lane of the same vector, is about to write. */
static bool writes_same(const hd_vector_access *a, uint64_t record, uint32_t lane,
                        const char *at)
{
    uint32_t other = (uint32_t)(record & THREAD) - a->thread;
    bool at_once =
        (record & ~THREAD) == a->now && other < lane && a->lanes >> other & 1;

    return a->values && a->access & HC_RACE_VALUE && a->bytes <= sizeof *a->values &&
           memcmp(&a->values[lane], at_once ? (const char *)&a->values[other] : at,
                  a->bytes) == 0;
}

static uint32_t access_of(uint64_t record, bool writes)
{
    return (writes ? HC_RACE_WRITES : 0) | (record & ATOMIC ? HC_RACE_ATOMIC : 0) |
           (record & VOLATILE ? HC_RACE_VOLATILE : 0);
}

static const hc_access *site_of(uint64_t record, const hc_access *near)
{
    uint32_t steps =
        ((uint32_t)(record >> SITE_AT) - (uint32_t)site_number(near)) & SITES;
    int64_t by = steps > SITES / 2 ? (int64_t)steps - SITES - 1 : steps;

    return (const hc_access *)((const uint64_t *)near + by);
}

/* Atomic operations never conflict with each other, nor do they with volatile accesses;
   in global memory those are as good. */
static bool are_atomic(const hd_vector_access *a, uint64_t record)
{
    uint32_t others = access_of(record, false);
    bool one = (a->access | others) & HC_RACE_ATOMIC || a->global;

    return one && a->access & (HC_RACE_ATOMIC | HC_RACE_VOLATILE) &&
           others & (HC_RACE_ATOMIC | HC_RACE_VOLATILE);
}

/* The same of what another block did. Who has seen a fence of that block, and what was
   signalled behind it, has done an atomic operation, a fence or a volatile access
   since. What is a signal itself is seen at its place without a fence. */
static bool is_behind(const hd_vector_access *a, uint64_t record, hd_race_owner other)
{
    uint32_t then = time_of(record), look = a->races->look;

    return (record & (ATOMIC | VOLATILE) && look >= then) ||
           (look > then && hd_race_fenced_unlocked(other) > then);
}

bool hd_race_compare(const hd_vector_access *a, uint64_t record, bool wrote,
                     uint32_t lane, const char *at)
{
    hd_shared_races *races = a->races;
    hd_race_owner owner = races->owner;
    uint32_t thread = a->thread + lane, other = (uint32_t)(record & THREAD);
    bool both_write = wrote && a->access & HC_RACE_WRITES &&
                      !(record & ATOMIC || a->access & HC_RACE_ATOMIC);

    if (a->global && (time_of(record) < races->since ||
                      !hd_race_owner_unlocked(time_of(record), &owner) ||
                      owner.launch != races->owner.launch))
        return false;
    bool apart = owner.block != races->owner.block;
    if ((!apart && !may_conflict(races, record, thread)) || are_atomic(a, record) ||
        (apart ? is_behind(a, record, owner) : is_ordered(races, record, thread)))
        return false;
    races->report(a->frame,
                  &(hd_race){
                      .site = a->site,
                      .other_site = site_of(record, a->site),
                      .thread = thread,
                      .other_thread = other,
                      .other_block = owner.block,
                      .access = a->access & HC_RACE_KINDS,
                      .other_access = access_of(record, wrote),
                      .at = at,
                      .bytes = a->bytes,
                      .start = a->access >> HC_RACE_START_AT,
                      .is_global = a->global,
                      .is_apart = apart,
                      .same_value = both_write && writes_same(a, record, lane, at),
                      .in_warp = !apart && thread / HC_LANES == other / HC_LANES &&
                                 record & VOLATILE && a->access & HC_RACE_VOLATILE,
                  });
    return true;
}

/* -- One lane ---------------------------------------------------------------------- */

/* Nothing is asked of what is over. */
static bool conflicts(const hd_vector_access *a, uint64_t record, bool wrote,
                      uint32_t lane, const char *at)
{
    return may_conflict(a->races, record, a->thread + lane) &&
           hd_race_compare(a, record, wrote, lane, at);
}

static void write_granule(const hd_vector_access *a, size_t g, uint32_t lane,
                          const char *at, bool *found)
{
    hd_shared_races *races = a->races;

    if (!*found)
        *found = conflicts(a, races->written[g], true, lane, at);
    if (!*found)
        *found = conflicts(a, races->read[g], false, lane, at);
    if (!*found)
        *found = conflicts(a, races->again[g], false, lane, at);
    races->written[g] = a->now | (a->thread + lane);
    /* Reads until now are before this write, or reported. */
    races->read[g] = races->again[g] = 0;
    races->seen.many[g] = 0;
}

static void read_granule(const hd_vector_access *a, size_t g, uint32_t lane,
                         const char *at, bool *found)
{
    hd_shared_races *races = a->races;
    uint64_t now = a->now | (a->thread + lane);

    if (!*found)
        *found = conflicts(a, races->written[g], true, lane, at);
    if (!may_conflict(races, races->read[g], a->thread + lane)) {
        races->read[g] = now;
        return;
    }
    races->again[g] = now;
    if ((races->read[g] ^ now) & races->apart)
        races->seen.many[g] = races->seen.clock;
}

static void check_lane(const hd_vector_access *a, uint32_t lane, const char *at)
{
    hd_shared_races *races = a->races;
    uintptr_t offset = (uintptr_t)at - (uintptr_t)a->frame->shared;
    bool found = false;

    if (offset >= races->bytes || a->bytes > races->bytes - offset)
        return;
    size_t last = (offset + a->bytes - 1) >> races->shift;
    for (size_t g = offset >> races->shift; g <= last; g++) {
        if (a->access & HC_RACE_WRITES)
            write_granule(a, g, lane, at, &found);
        else
            read_granule(a, g, lane, at, &found);
    }
}

/* -- Lanes in a row, a granule each -------------------------------------------------
 */

/* False, with nothing done: some lane may conflict. */
WIDE static bool write_row(uint64_t *restrict written, const uint64_t *restrict read,
                           const uint64_t *restrict again, uint64_t now,
                           uint32_t interval, uint32_t lanes)
{
    uint64_t since = (uint64_t)interval << TIME_AT, bad = 0;

    for (uint32_t l = 0; l < lanes; l++) {
        uint64_t w = written[l], r = read[l];
        bad |= (uint64_t)(w >= since) & (uint64_t)(((w ^ (now + l)) & THREAD) != 0);
        bad |= (uint64_t)(r >= since) & (uint64_t)(((r ^ (now + l)) & THREAD) != 0);
        bad |= (uint64_t)(again[l] >= since);
    }
    if (bad)
        return false;
    for (uint32_t l = 0; l < lanes; l++)
        written[l] = now + l;
    return true;
}

WIDE static bool read_row(const uint64_t *restrict written, uint64_t *restrict read,
                          uint64_t *restrict again, uint32_t *restrict many,
                          uint64_t now, uint32_t interval, uint64_t apart,
                          uint32_t lanes)
{
    uint64_t since = (uint64_t)interval << TIME_AT, bad = 0;

    for (uint32_t l = 0; l < lanes; l++) {
        uint64_t w = written[l];
        bad |= (uint64_t)(w >= since) & (uint64_t)(((w ^ (now + l)) & THREAD) != 0);
    }
    if (bad)
        return false;
    for (uint32_t l = 0; l < lanes; l++) {
        uint64_t r = read[l];
        bool second = (r >= since) & (((r ^ (now + l)) & THREAD) != 0);
        again[l] = second ? now + l : again[l];
        many[l] = second & (((r ^ (now + l)) & apart) != 0) ? (uint32_t)(now >> TIME_AT)
                                                            : many[l];
        read[l] = second ? r : now + l;
    }
    return true;
}

/* The lanes that run are a run of them. */
static bool check_row(const hd_vector_access *a, const char *first)
{
    hd_shared_races *races = a->races;
    uint32_t skipped = (uint32_t)__builtin_ctz(a->lanes), run = a->lanes >> skipped;
    uint32_t lanes = 32 - (uint32_t)__builtin_clz(run);
    uintptr_t offset =
        (uintptr_t)first - (uintptr_t)a->frame->shared + (uintptr_t)skipped * a->bytes;
    size_t g = offset >> races->shift;
    uint64_t now = a->now + a->thread + skipped;

    if (a->bytes != 1u << races->shift || offset & (a->bytes - 1) ||
        (run & (run + 1)) != 0 || offset >= races->bytes ||
        (size_t)lanes * a->bytes > races->bytes - offset)
        return false;
    return a->access & HC_RACE_WRITES
               ? write_row(races->written + g, races->read + g, races->again + g, now,
                           races->seen.interval, lanes)
               : read_row(races->written + g, races->read + g, races->again + g,
                          races->seen.many + g, now, races->seen.interval, races->apart,
                          lanes);
}

/* All lanes read one granule that nobody has written since the last barrier: two of
   them stand for all. False, with nothing done: it is not so. */
static bool read_one(const hd_vector_access *a, const char *at)
{
    hd_shared_races *races = a->races;
    uintptr_t offset = (uintptr_t)at - (uintptr_t)a->frame->shared;
    size_t g = offset >> races->shift;
    uint32_t first = a->thread + (uint32_t)__builtin_ctz(a->lanes);
    uint32_t last = a->thread + 31 - (uint32_t)__builtin_clz(a->lanes);

    if (a->access & HC_RACE_WRITES || a->bytes != 1u << races->shift ||
        offset & (a->bytes - 1) || offset >= races->bytes ||
        time_of(races->written[g]) >= races->seen.interval)
        return false;
    if (time_of(races->read[g]) < races->seen.interval)
        races->read[g] = a->now | first;
    uint64_t other = a->now | ((races->read[g] & THREAD) == last ? first : last);
    if (((races->read[g] ^ other) & THREAD) == 0)
        return true;
    races->again[g] = other;
    if ((races->read[g] ^ other) & races->apart)
        races->seen.many[g] = races->seen.clock;
    return true;
}

/* -- A vector ---------------------------------------------------------------------- */

hd_vector_access hd_race_begin(hc_frame *frame, uint32_t lanes, uint32_t thread,
                               const hc_access *site, uint32_t access,
                               const uint64_t *values)
{
    hd_shared_races *races = of(frame->races);

    return (hd_vector_access){
        .frame = frame,
        .races = races,
        .now = record_of(races, site, access),
        .thread = thread,
        .lanes = lanes,
        .site = site,
        .access = access,
        .bytes = site->bytes,
        .values = values,
    };
}

void hd_races_check(hc_frame *frame, const char *first, int64_t stride, uint32_t lanes,
                    uint32_t thread, const hc_access *site, uint32_t access,
                    const uint64_t *values)
{
    hd_vector_access a = hd_race_begin(frame, lanes, thread, site, access, values);

    uintptr_t offset = (uintptr_t)first - (uintptr_t)frame->shared;
    if (lanes == 0 || a.races->over ||
        (stride >= 0 && offset >= a.races->bytes &&
         offset < -((uintptr_t)stride * HC_LANES + 1)))
        return; /* nothing is to be seen, or it is other memory */
    if (stride == (int64_t)a.bytes ? check_row(&a, first)
        : stride == 0              ? read_one(&a, first)
                                   : false)
        return;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        check_lane(&a, lane,
                   (const char *)((uintptr_t)first + (uintptr_t)(stride * lane)));
    }
}

void hd_races_check_each(hc_frame *frame, const char *const *address, uint32_t lanes,
                         uint32_t thread, const hc_access *site, uint32_t access,
                         const uint64_t *values)
{
    hd_vector_access a = hd_race_begin(frame, lanes, thread, site, access, values);

    for (uint32_t left = a.races->over ? 0 : lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        check_lane(&a, lane, address[lane]);
    }
}

void hd_races_check_thread(hc_frame *frame, const char *at, uint64_t bytes,
                           uint32_t thread, const hc_access *site, uint32_t access,
                           uint64_t value)
{
    hd_vector_access a = hd_race_begin(frame, 1, thread, site, access, &value);

    if (bytes == 0 || bytes > of(frame->races)->bytes || a.races->over)
        return;
    a.bytes = (uint32_t)bytes;
    check_lane(&a, 0, at);
}
