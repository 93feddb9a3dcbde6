/* Race checks as generated code asks for them (hc_services), and what is reported. Runs
   in the thread that runs the block, without the lock. */
#include "check_reports.h"
#include "kernel_launch.h"
#include "check_targets.h"
#include "global_races.h"
#include "race_reports.h"
#include "workers.h"

#define LANES(what) ((uint32_t)(what))
#define THREAD(what) ((uint32_t)((what) >> 32) & 0x3ff)
#define KINDS(what) ((uint32_t)((what) >> 42) & HC_RACE_KINDS)
#define START(what) ((uint32_t)((what) >> 46))

void hd_race_unlocked(hc_frame *frame, const hc_access *site, const char *first,
                      uint64_t what, const uint64_t *values, int64_t stride)
{
    uint32_t access = KINDS(what) | START(what) << HC_RACE_START_AT;

    if (frame->races && site->space != HC_SPACE_GLOBAL)
        hd_races_check(frame, first, stride, LANES(what), THREAD(what), site, access,
                       values);
    if (frame->races && site->space != HC_SPACE_SHARED)
        hd_races_check_global(frame, first, stride, LANES(what), THREAD(what), site,
                              access, values);
}

void hd_race_each_unlocked(hc_frame *frame, const hc_access *site,
                           const char *const *address, uint64_t what,
                           const uint64_t *values)
{
    uint32_t access = KINDS(what) | START(what) << HC_RACE_START_AT;

    if (frame->races && site->space != HC_SPACE_GLOBAL)
        hd_races_check_each(frame, address, LANES(what), THREAD(what), site, access,
                            values);
    if (frame->races && site->space != HC_SPACE_SHARED)
        hd_races_check_global_each(frame, address, LANES(what), THREAD(what), site,
                                   access, values);
}

void hd_race_sign_unlocked(hc_frame *frame, uint32_t thread)
{
    if (frame->races)
        hd_races_sign(frame->races, thread & ~HC_RACE_FENCE, thread & HC_RACE_FENCE);
}

void hd_race_meet_unlocked(hc_frame *frame, uint32_t thread, uint32_t lanes,
                           const uint32_t *masks)
{
    if (frame->races)
        hd_races_sync_warp(frame->races, thread, lanes, masks);
}

void hd_race_of_thread_unlocked(hc_frame *frame, const hc_access *site, const char *at,
                                uint64_t bytes, uint64_t what, uint64_t value)
{
    uint32_t start = START(what);

    if (!frame->races)
        return;
    if (what & HC_ASK_START) {
        start = value ? (uint32_t)(value - (uintptr_t)frame->shared) : 0;
        value = 0;
    }
    uint32_t access = KINDS(what) | start << HC_RACE_START_AT;
    if (site->space != HC_SPACE_GLOBAL)
        hd_races_check_thread(frame, at, bytes, THREAD(what), site, access, value);
    if (site->space != HC_SPACE_SHARED)
        hd_races_check_global_thread(frame, at, bytes, THREAD(what), site, access,
                                     value);
}

/* -- Reports ----------------------------------------------------------------------- */

/* Reads may count as atomic, and volatile writes. */
static bool updates(uint32_t access)
{
    return access & HC_RACE_ATOMIC && access & HC_RACE_WRITES &&
           !(access & HC_RACE_VOLATILE);
}

static const char *verb(uint32_t access, bool past)
{
    return updates(access) ? (past ? "updated atomically" : "updates atomically")
           : access & HC_RACE_WRITES ? (past ? "wrote" : "writes")
           : past                    ? "read"
                                     : "reads";
}

static cuxAccess kind_of(uint32_t access)
{
    return updates(access)           ? CUX_ACCESS_ATOMIC
           : access & HC_RACE_WRITES ? CUX_ACCESS_WRITE
                                     : CUX_ACCESS_READ;
}

static void fill_party(cuxParty *party, const hc_launch *launch, const hc_access *site,
                       uint32_t thread, uint32_t access)
{
    const uint32_t *block = launch->block;

    snprintf(party->site.file, sizeof party->site.file, "%s",
             site->site.file ? site->site.file : "");
    party->site.line = site->site.line;
    party->site.column = site->site.column;
    party->thread[0] = thread % block[0];
    party->thread[1] = thread / block[0] % block[1];
    party->thread[2] = thread / block[0] / block[1];
    party->access = kind_of(access);
}

static void find_block(uint32_t *index, const uint32_t *grid, uint32_t block)
{
    index[0] = block % grid[0];
    index[1] = block / grid[0] % grid[1];
    index[2] = block / grid[0] / grid[1];
}

static const char *missing(const hd_race *race)
{
    return race->same_value && race->is_apart ? "the same value, with nothing between "
                                                "that orders blocks"
           : race->same_value ? "the same value, with no barrier between"
           : race->is_apart   ? "with no fence and no signal between"
           : race->in_warp    ? "with no __syncwarp between"
                              : "with no barrier between";
}

/* Of both parties: what each did, and where. */
static void describe(cuxCheckReport *r, const hd_race *race)
{
    char block[64] = "", place[sizeof r->who.site.file + 16] = "",
         other[sizeof place] = "";
    const char *name = *r->variable      ? r->variable
                       : race->is_global ? "memory"
                                         : "shared memory";
    const cuxParty *who = &r->who, *before = &r->other;

    if (who->site.line)
        snprintf(place, sizeof place, ", %s:%u", who->site.file, who->site.line);
    if (before->site.line)
        snprintf(other, sizeof other, " at %s:%u", before->site.file,
                 before->site.line);
    if (race->is_apart)
        snprintf(block, sizeof block, "block (%u,%u,%u), ", before->block[0],
                 before->block[1], before->block[2]);
    snprintf(r->message, sizeof r->message,
             "kernel %.96s, block (%u,%u,%u), thread (%u,%u,%u)%.100s: %s %u bytes of "
             "%.48s that %sthread (%u,%u,%u) %s%.100s, %s",
             r->kernel, who->block[0], who->block[1], who->block[2], who->thread[0],
             who->thread[1], who->thread[2], place, verb(race->access, false), r->bytes,
             name, block, before->thread[0], before->thread[1], before->thread[2],
             verb(race->other_access, true), other, missing(race));
}

/* What memory it is about. */
static void locate(cuxCheckReport *r, const hc_frame *frame, const hd_race *race)
{
    hd_target target = {.base = (uintptr_t)frame->shared + race->start,
                        .size = race->site->size,
                        .space = CUX_SPACE_SHARED,
                        .state = CUX_STATE_LIVE};

    r->address = (uintptr_t)race->at;
    if (race->is_global)
        target = hd_target_of_unlocked(frame->worker, r->address);
    r->space = target.space;
    r->state = target.state;
    r->base = target.base;
    r->offset = (long long)(r->address - target.base);
    r->size = target.size;
    r->allocation = target.allocation;
}

void hd_race_found_unlocked(hc_frame *frame, const hd_race *race)
{
    const hd_worker *worker = frame->worker;
    const hd_launch *launch = (const hd_launch *)worker->work;
    const hc_access *site = race->site;
    cuxCheckReport r = {
        .kind = CUX_CHECK_RACE,
        .fault = race->same_value ? CUX_FAULT_SAME_VALUE
                 : race->in_warp  ? CUX_FAULT_WARP_ORDER
                                  : CUX_FAULT_RACE,
        .is_warning = race->same_value || race->in_warp,
        .has_other = 1,
        .count = 1,
        .launch = launch->work.serial,
        .bytes = race->bytes,
        .alignment = site->alignment,
    };

    snprintf(r.kernel, sizeof r.kernel, "%s", launch->kernel->name);
    snprintf(r.variable, sizeof r.variable, "%s", site->variable);
    memcpy(r.grid, launch->launch.grid, sizeof r.grid);
    memcpy(r.block, launch->launch.block, sizeof r.block);
    memcpy(r.who.block, frame->index, sizeof r.who.block);
    memcpy(r.other.block, frame->index, sizeof r.other.block);
    if (race->is_apart)
        find_block(r.other.block, launch->launch.grid, race->other_block);
    fill_party(&r.who, &launch->launch, site, race->thread, race->access);
    fill_party(&r.other, &launch->launch, race->other_site, race->other_thread,
               race->other_access);
    hd_lock();
    bool counted = hd_check_counted(hd_worker_context(worker), &r);
    hd_unlock();
    if (counted)
        return;
    locate(&r, frame, race);
    describe(&r, race);
    hd_lock();
    hd_check_report(hd_worker_context(worker), &r);
    hd_unlock();
}
