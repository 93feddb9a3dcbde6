/* See global_races.h. Records are those of shared memory (shared_races.c), of all
   memory of the device (core/race_memory.c), and never cleared: time is that of the
   process (race_time.c), so what bears a number from before the launch is over, and
   what bears a later one is of the block that has the number.

   Accesses of a block's own threads conflict as they do in shared memory. Those of two
   blocks conflict unless both are atomic or volatile, or the earlier block has done a
   fence since and the later one has looked for a signal since then: an atomic
   operation, a fence or a volatile access. Whether it was that signal is not asked, and
   a fence by one thread is taken for one by its block, which a barrier in front of it
   makes it. So right programs are never accused, and some wrong ones get away.

   Most vectors access whole lines of granules, a thread each, and so do others later:
   one record for a line tells that. Where a line is accessed in another way, its
   granules get records of their own, until the launch ends.

   Blocks run in several threads of the machine, which change records without a lock: a
   word at a time. One that is lost by that was about to be replaced. */
#include <string.h>

#include "global_races.h"
#include "hostcuda/core/process.h"
#include "hostcuda/core/race_memory.h"
#include "race_records.h"

static hd_shared_races *of(hc_races *seen)
{
    return (hd_shared_races *)seen;
}

/* -- Launches ---------------------------------------------------------------------- */

void hd_races_launch(hd_raced_launch *launch)
{
    static uint32_t launches;

    launch->since = 0;
    if (!hd_race_memory_begin() || !hd_race_time_begin())
        return;
    if (hd_race_time_again())
        hd_race_memory_clear();
    launch->since = hd_race_now_unlocked();
    launch->number = ++launches;
}

void hd_races_watch(hc_races *seen, const hd_raced_launch *launch)
{
    hd_shared_races *races = of(seen);

    races->since = launch->since;
    races->owner.launch = launch->number;
    races->unit = SIZE_MAX;
    races->global_shift = launch->shift;
    races->from = launch->variables;
    races->behind = launch->variables_end;
}

/* -- Places of records ------------------------------------------------------------- */

static size_t place_of(const hd_shared_races *races, const char *at, size_t bytes)
{
    size_t place = hd_race_place_unlocked(at, bytes);

    return place != HD_NO_PLACE ? place
                                : hd_race_place_of_variable_unlocked(
                                      at, bytes, races->from, races->behind);
}

void hd_races_forget(hc_races *seen, const void *address, size_t bytes)
{
    const hd_shared_races *races = of(seen);
    size_t place = races->since ? place_of(races, address, bytes) : HD_NO_PLACE;
    size_t g = place >> races->global_shift;

    if (place == HD_NO_PLACE)
        return;
    size_t last = (place + bytes - 1) >> races->global_shift, n = last - g + 1;
    memset(hd_race_memory.written + g, 0, n * sizeof(uint64_t));
    memset(hd_race_memory.read + g, 0, n * sizeof(uint64_t));
    memset(hd_race_memory.again + g, 0, n * sizeof(uint64_t));
    g >>= HD_LINE_SHIFT;
    n = (last >> HD_LINE_SHIFT) - g + 1;
    memset(hd_race_memory.lines + g, 0, n * sizeof(hd_race_line));
}

static uint64_t get(const uint64_t *record)
{
    return __atomic_load_n(record, __ATOMIC_RELAXED);
}

static void put(uint64_t *record, uint64_t value)
{
    __atomic_store_n(record, value, __ATOMIC_RELAXED);
}

static uint32_t get_time(const uint32_t *time)
{
    return __atomic_load_n(time, __ATOMIC_RELAXED);
}

static void put_time(uint32_t *time, uint32_t value)
{
    __atomic_store_n(time, value, __ATOMIC_RELAXED);
}

/* -- Whose a record is ------------------------------------------------------------- */

/* What the record says is over, or this thread has done it. */
static bool is_mine(const hd_vector_access *a, uint64_t record, uint32_t thread)
{
    const hd_shared_races *races = a->races;
    hd_race_owner owner;

    if (time_of(record) < races->since ||
        !hd_race_owner_unlocked(time_of(record), &owner) ||
        owner.launch != races->owner.launch)
        return true;
    return owner.block == races->owner.block &&
           ((record & THREAD) == thread || time_of(record) < races->seen.interval);
}

/* A number of the block from before its last barrier, if that is the record's. */
static uint32_t own_time(const hd_vector_access *a, uint64_t record)
{
    const hd_shared_races *races = a->races;
    hd_race_owner owner;

    return time_of(record) >= races->since && time_of(record) < races->seen.interval &&
                   hd_race_owner_unlocked(time_of(record), &owner) &&
                   owner.launch == races->owner.launch &&
                   owner.block == races->owner.block
               ? time_of(record)
               : 0;
}

/* An atomic operation behind the block's own plain write: as long as no fence has told
   others of that, it is what they may conflict with, and says more. */
static bool hides(const hd_vector_access *a, uint64_t record)
{
    const hd_shared_races *races = a->races;
    hd_race_owner owner;

    return a->access & HC_RACE_ATOMIC && !(record & (ATOMIC | VOLATILE)) &&
           time_of(record) >= races->since &&
           hd_race_owner_unlocked(time_of(record), &owner) &&
           owner.launch == races->owner.launch && owner.block == races->owner.block &&
           hd_race_fenced_unlocked(owner) <= time_of(record);
}

/* It is no race for sure if it is of an earlier launch, or this thread's latest. */
static bool conflicts(const hd_vector_access *a, uint64_t record, bool wrote,
                      uint32_t lane, const char *at)
{
    bool latest = time_of(record) == a->races->seen.clock;

    return time_of(record) >= a->races->since &&
           !(latest && (record & THREAD) == a->thread + lane) &&
           hd_race_compare(a, record, wrote, lane, at);
}

/* -- Lines ------------------------------------------------------------------------- */

/* What no lane of a vector conflicts with: records from before `since`, of the number
   `own`, and of the same thread with the number that `now`, the first lane's, has. */
typedef struct {
    uint64_t now, since;
    uint32_t own;
    unsigned granules; /* of a lane, as a power of two */
} row;

#define IS_FREE(record, thread)                                                    \
    ((uint32_t)((record) < a.since) | ((uint32_t)((record) >> TIME_AT) == a.own) | \
     ((((record) ^ (thread)) & (THREAD | ~UINT64_C(0) << TIME_AT)) == 0))

/* Gives the granules of the line their own records for the rest of the launch. */
static void expand(const hd_shared_races *races, size_t number)
{
    hd_race_line *line = &hd_race_memory.lines[number];
    uint64_t written = get(&line->written), read = get(&line->read);
    size_t g = number << HD_LINE_SHIFT;

    for (unsigned i = 0; i < 1u << HD_LINE_SHIFT; i++) {
        if (time_of(written) >= races->since)
            put(&hd_race_memory.written[g + i], written + i);
        if (time_of(read) >= races->since)
            put(&hd_race_memory.read[g + i], read + i);
    }
    if (time_of(read) >= races->since)
        put_time(&line->reads, races->seen.clock);
    put_time(&line->detail, races->seen.clock);
}

/* So for the line of a granule. Returns that. */
static hd_race_line *detailed(const hd_shared_races *races, size_t g)
{
    hd_race_line *line = &hd_race_memory.lines[g >> HD_LINE_SHIFT];

    if (get_time(&line->detail) < races->since)
        expand(races, g >> HD_LINE_SHIFT);
    return line;
}

/* Whole lines, a granule each lane. False: some lane may conflict, or has to be looked
   at for itself. */
static bool check_lines(const hd_vector_access *v, row a, size_t g, uint32_t n)
{
    hd_race_line *line = &hd_race_memory.lines[g >> HD_LINE_SHIFT];
    uint32_t lines = n >> HD_LINE_SHIFT, free = 1;

    for (uint32_t i = 0; i < lines; i++) {
        uint64_t now = a.now + (i << HD_LINE_SHIFT);
        uint64_t written = get(&line[i].written), read = get(&line[i].read);
        free &= IS_FREE(written, now) & IS_FREE(read, now) &
                (get_time(&line[i].detail) < v->races->since);
    }
    for (uint32_t i = 0; i < lines && free; i++)
        put(v->access & HC_RACE_WRITES ? &line[i].written : &line[i].read,
            a.now + (i << HD_LINE_SHIFT));
    return free;
}

/* -- One lane ---------------------------------------------------------------------- */

static void write_granule(const hd_vector_access *a, size_t g, uint32_t lane,
                          const char *at, bool *found)
{
    hd_race_line *line = detailed(a->races, g);
    uint64_t *written = &hd_race_memory.written[g], last = get(written);

    if (!*found)
        *found = conflicts(a, last, true, lane, at);
    if (!hides(a, last))
        put(written, a->now | (a->thread + lane));
    if (get_time(&line->reads) < a->races->since)
        return;
    uint64_t *read = &hd_race_memory.read[g], *again = &hd_race_memory.again[g];
    if (!*found)
        *found = conflicts(a, get(read), false, lane, at);
    if (!*found)
        *found = conflicts(a, get(again), false, lane, at);
    /* Reads until now are before this write, or reported. */
    put(read, 0);
    put(again, 0);
}

static void read_granule(const hd_vector_access *a, size_t g, uint32_t lane,
                         const char *at, bool *found)
{
    hd_race_line *line = detailed(a->races, g);
    uint64_t *read = &hd_race_memory.read[g], now = a->now | (a->thread + lane);

    if (!*found)
        *found = conflicts(a, get(&hd_race_memory.written[g]), true, lane, at);
    put(is_mine(a, get(read), a->thread + lane) ? read : &hd_race_memory.again[g], now);
    put_time(&line->reads, a->races->seen.clock);
}

static void check_granules(const hd_vector_access *a, uint32_t lane, const char *at,
                           size_t place)
{
    unsigned shift = a->races->global_shift;
    bool found = false;

    for (size_t g = place >> shift; g <= (place + a->bytes - 1) >> shift; g++) {
        if (a->access & HC_RACE_WRITES)
            write_granule(a, g, lane, at, &found);
        else
            read_granule(a, g, lane, at, &found);
    }
}

/* The records will be wanted. */
static void fetch(const hd_shared_races *races, size_t place)
{
    size_t g = place >> races->global_shift;

    __builtin_prefetch(&hd_race_memory.lines[g >> HD_LINE_SHIFT], 1);
    __builtin_prefetch(&hd_race_memory.written[g], 1);
}

static void check_lane(const hd_vector_access *a, uint32_t lane, const char *at)
{
    size_t place = place_of(a->races, at, a->bytes);

    if (place != HD_NO_PLACE)
        check_granules(a, lane, at, place);
}

/* -- Lanes in a row ---------------------------------------------------------------- */

/* False, with nothing done: some lane may conflict. */
WIDE static bool write_row(uint64_t *restrict written, row a, uint32_t n)
{
    uint32_t free = 1;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t now = a.now + (i >> a.granules);
        free &= IS_FREE(written[i], now);
    }
    for (uint32_t i = 0; i < n && free; i++)
        written[i] = a.now + (i >> a.granules);
    return free;
}

/* Whether no other thread reads them. */
WIDE static bool are_own(const uint64_t *restrict read, const uint64_t *restrict again,
                         row a, uint32_t n)
{
    uint32_t free = 1;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t now = a.now + (i >> a.granules);
        free &= IS_FREE(read[i], now) & IS_FREE(again[i], now);
    }
    return free;
}

WIDE static bool read_row(const uint64_t *restrict written, uint64_t *restrict read,
                          row a, uint32_t n)
{
    uint32_t free = 1;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t now = a.now + (i >> a.granules);
        free &= IS_FREE(written[i], now) & IS_FREE(read[i], now);
    }
    for (uint32_t i = 0; i < n && free; i++)
        read[i] = a.now + (i >> a.granules);
    return free;
}

/* As check_lines, where granules have their own records. */
static bool check_detail(const hd_vector_access *v, row a, size_t g, uint32_t n)
{
    const struct hd_race_memory *all = &hd_race_memory;
    bool writes = v->access & HC_RACE_WRITES, reads = false;
    size_t last = (g + n - 1) >> HD_LINE_SHIFT;

    for (size_t line = g >> HD_LINE_SHIFT; line <= last; line++) {
        hd_race_line *l = detailed(v->races, line << HD_LINE_SHIFT);
        reads |= get_time(&l->reads) >= v->races->since;
        if (!writes)
            put_time(&l->reads, v->races->seen.clock);
    }
    a.own = own_time(v, get(&all->written[g]));
    if (!writes)
        return read_row(all->written + g, all->read + g, a, n);
    return (!reads || are_own(all->read + g, all->again + g, a, n)) &&
           write_row(all->written + g, a, n);
}

/* The lanes that run are a run of them, with whole granules, the first at `place`. */
static bool check_row(const hd_vector_access *v, size_t place)
{
    unsigned shift = v->races->global_shift;
    uint32_t skipped = (uint32_t)__builtin_ctz(v->lanes), run = v->lanes >> skipped;
    uint32_t lanes = 32 - (uint32_t)__builtin_clz(run), each = v->bytes >> shift;
    size_t g = place >> shift;

    if ((run & (run + 1)) != 0 || each << shift != v->bytes ||
        (each & (each - 1)) != 0 || g << shift != place || v->access & HC_RACE_ATOMIC)
        return false;
    row a = {.now = v->now + v->thread + skipped,
             .since = (uint64_t)v->races->since << TIME_AT,
             .granules = (unsigned)__builtin_ctz(each)};
    if (each == 1 && ((g | lanes) & ((1u << HD_LINE_SHIFT) - 1)) == 0) {
        a.own = own_time(v, get(&hd_race_memory.lines[g >> HD_LINE_SHIFT].written));
        if (check_lines(v, a, g, lanes))
            return true;
    }
    return check_detail(v, a, g, lanes * each);
}

/* All lanes read one place that nobody has written in this launch: two of them stand
   for all. False: it is not so. */
static bool read_one(const hd_vector_access *a, size_t place)
{
    const hd_shared_races *races = a->races;
    unsigned shift = races->global_shift;
    uint32_t first = a->thread + (uint32_t)__builtin_ctz(a->lanes);
    uint32_t last = a->thread + 31 - (uint32_t)__builtin_clz(a->lanes);
    size_t from = place >> shift, to = (place + a->bytes - 1) >> shift;

    for (size_t g = from; g <= to; g++) {
        detailed(races, g);
        if (time_of(get(&hd_race_memory.written[g])) >= races->since)
            return false;
    }
    for (size_t g = from; g <= to; g++) {
        bool fresh = time_of(get(&hd_race_memory.read[g])) < races->since;
        if (fresh)
            put(&hd_race_memory.read[g], a->now | first);
        if (!fresh || first != last)
            put(&hd_race_memory.again[g], a->now | last);
        put_time(&hd_race_memory.lines[g >> HD_LINE_SHIFT].reads, races->seen.clock);
    }
    return true;
}

/* Most vectors: whole lines of a unit that was asked for before, which nobody else has
   accessed in this launch. False, with nothing done: it is not so. */
static bool is_quick(const hd_shared_races *races, const char *first, uint32_t lanes,
                     uint64_t now, const hc_access *site, bool writes)
{
    unsigned shift = races->global_shift;
    size_t offset = (uintptr_t)first - (uintptr_t)hd.range.first;
    size_t last = offset + ((size_t)32 << shift) - 1;
    uint32_t n = lanes + 1 == 0 ? 32 : (uint32_t)__builtin_ctz(~lanes), free = 1;
    size_t g = (offset % HD_RACE_WINDOW) >> shift;
    const row a = {.since = (uint64_t)races->since << TIME_AT, .own = UINT32_MAX};

    if ((lanes & (lanes + 1)) != 0 || n % (1u << HD_LINE_SHIFT) != 0 ||
        site->bytes != 1u << shift || offset % ((size_t)1 << HD_LINE_SHIFT << shift) ||
        offset >> HD_UNIT_SHIFT != races->unit || last >> HD_UNIT_SHIFT != races->unit)
        return false;
    hd_race_line *line = &hd_race_memory.lines[g >> HD_LINE_SHIFT];
    for (uint32_t i = 0; i < n >> HD_LINE_SHIFT; i++) {
        uint64_t here = now + (i << HD_LINE_SHIFT);
        uint64_t written = get(&line[i].written), read = get(&line[i].read);
        free &= IS_FREE(written, here) & IS_FREE(read, here) &
                (get_time(&line[i].detail) < races->since);
    }
    for (uint32_t i = 0; i < n >> HD_LINE_SHIFT && free; i++)
        put(writes ? &line[i].written : &line[i].read, now + (i << HD_LINE_SHIFT));
    return free;
}

/* -- A vector ---------------------------------------------------------------------- */

static hd_vector_access begin(hc_frame *frame, uint32_t lanes, uint32_t thread,
                              const hc_access *site, uint32_t access,
                              const uint64_t *values)
{
    hd_vector_access a = hd_race_begin(frame, lanes, thread, site, access, values);

    a.global = true;
    if (a.races->since == 0 || a.races->over)
        a.lanes = 0;
    return a;
}

void hd_races_check_global(hc_frame *frame, const char *first, int64_t stride,
                           uint32_t lanes, uint32_t thread, const hc_access *site,
                           uint32_t access, const uint64_t *values)
{
    const hd_shared_races *races = of(frame->races);
    bool in_row = stride == (int64_t)site->bytes && !(access & HC_RACE_ATOMIC);
    if (in_row && !races->over &&
        is_quick(races, first, lanes, record_of(races, site, access) + thread, site,
                 access & HC_RACE_WRITES))
        return;
    hd_vector_access a = begin(frame, lanes, thread, site, access, values);
    if (a.lanes == 0)
        return;
    uint32_t skipped = (uint32_t)__builtin_ctz(a.lanes);
    uint32_t span = 32 - skipped - (uint32_t)__builtin_clz(a.lanes);
    const char *at = (const char *)((uintptr_t)first + (uintptr_t)(stride * skipped));
    size_t place = HD_NO_PLACE;
    if (stride >= 0)
        place = place_of(a.races, at, (size_t)stride * (span - 1) + a.bytes);
    size_t unit = ((uintptr_t)at - (uintptr_t)hd.range.first) >> HD_UNIT_SHIFT;
    if (place != HD_NO_PLACE && place < HD_RACE_WINDOW)
        a.races->unit = unit;
    bool reads_one = stride == 0 && !(a.access & HC_RACE_WRITES);
    if (place != HD_NO_PLACE && ((stride == (int64_t)a.bytes && check_row(&a, place)) ||
                                 (reads_one && read_one(&a, place))))
        return;
    for (uint32_t left = a.lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        at = (const char *)((uintptr_t)first + (uintptr_t)(stride * lane));
        if (place != HD_NO_PLACE)
            check_granules(&a, lane, at, place + (size_t)stride * (lane - skipped));
        else
            check_lane(&a, lane, at);
    }
}

void hd_races_check_global_each(hc_frame *frame, const char *const *address,
                                uint32_t lanes, uint32_t thread, const hc_access *site,
                                uint32_t access, const uint64_t *values)
{
    hd_vector_access a = begin(frame, lanes, thread, site, access, values);

    size_t place[HC_LANES];
    for (uint32_t left = a.lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        place[lane] = place_of(a.races, address[lane], a.bytes);
        if (place[lane] != HD_NO_PLACE)
            fetch(a.races, place[lane]);
    }
    for (uint32_t left = a.lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (place[lane] != HD_NO_PLACE)
            check_granules(&a, lane, address[lane], place[lane]);
    }
}

void hd_races_check_global_thread(hc_frame *frame, const char *at, uint64_t bytes,
                                  uint32_t thread, const hc_access *site,
                                  uint32_t access, uint64_t value)
{
    hd_vector_access a = begin(frame, 1, thread, site, access, &value);

    a.bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
    if (a.lanes != 0 && bytes != 0)
        check_lane(&a, 0, at);
}
