/* Race checks as generated code asks for them (hc_services), and what is reported. Runs
   in the thread that runs the block, without the lock. */
#include "check_reports.h"
#include "kernel_launch.h"
#include "race_reports.h"
#include "workers.h"

#define LANES(what) ((uint32_t)(what))
#define THREAD(what) ((uint32_t)((what) >> 32) & 0x3ff)
#define KINDS(what) ((uint32_t)((what) >> 42) & HC_RACE_KINDS)
#define START(what) ((uint32_t)((what) >> 46))

void hd_race_unlocked(hc_frame *frame, const hc_access *site, const char *first,
                      uint64_t what, const uint64_t *values, int64_t stride)
{
    if (frame->races)
        hd_races_check(frame, first, stride, LANES(what), THREAD(what), site,
                       KINDS(what) | START(what) << HC_RACE_START_AT, values);
}

void hd_race_each_unlocked(hc_frame *frame, const hc_access *site,
                           const char *const *address, uint64_t what,
                           const uint64_t *values)
{
    if (frame->races)
        hd_races_check_each(frame, address, LANES(what), THREAD(what), site,
                            KINDS(what) | START(what) << HC_RACE_START_AT, values);
}

void hd_race_sign_unlocked(hc_frame *frame, uint32_t thread)
{
    if (frame->races)
        hd_races_sign(frame->races, thread);
}

void hd_race_meet_unlocked(hc_frame *frame, uint32_t thread, uint32_t lanes,
                           const uint32_t *masks)
{
    if (frame->races)
        hd_races_sync_warp(frame->races, thread, lanes, masks);
}

/* -- Reports ----------------------------------------------------------------------- */

static const char *verb(uint32_t access, bool past)
{
    return access & HC_RACE_ATOMIC
               ? (past ? "updated atomically" : "updates atomically")
           : access & HC_RACE_WRITES ? (past ? "wrote" : "writes")
           : past                    ? "read"
                                     : "reads";
}

static cuxAccess kind_of(uint32_t access)
{
    return access & HC_RACE_ATOMIC   ? CUX_ACCESS_ATOMIC
           : access & HC_RACE_WRITES ? CUX_ACCESS_WRITE
                                     : CUX_ACCESS_READ;
}

static void fill_party(cuxParty *party, const hc_launch *launch, const hc_frame *frame,
                       const hc_access *site, uint32_t thread, uint32_t access)
{
    const uint32_t *block = launch->block;

    snprintf(party->site.file, sizeof party->site.file, "%s",
             site->site.file ? site->site.file : "");
    party->site.line = site->site.line;
    party->site.column = site->site.column;
    memcpy(party->block, frame->index, sizeof party->block);
    party->thread[0] = thread % block[0];
    party->thread[1] = thread / block[0] % block[1];
    party->thread[2] = thread / block[0] / block[1];
    party->access = kind_of(access);
}

/* Of both parties: what each did, and where. */
static void describe(cuxCheckReport *r, const hd_shared_race *race)
{
    char place[sizeof r->who.site.file + 16] = "", other[sizeof place] = "";
    const char *name = *r->variable ? r->variable : "shared memory";
    const cuxParty *who = &r->who, *before = &r->other;

    if (who->site.line)
        snprintf(place, sizeof place, ", %s:%u", who->site.file, who->site.line);
    if (before->site.line)
        snprintf(other, sizeof other, " at %s:%u", before->site.file,
                 before->site.line);
    snprintf(r->message, sizeof r->message,
             "kernel %.96s, block (%u,%u,%u), thread (%u,%u,%u)%.100s: %s %u bytes of "
             "%.48s that thread (%u,%u,%u) %s%.100s, %s",
             r->kernel, who->block[0], who->block[1], who->block[2], who->thread[0],
             who->thread[1], who->thread[2], place, verb(race->access, false), r->bytes,
             name, before->thread[0], before->thread[1], before->thread[2],
             verb(race->other_access, true), other,
             race->same_value ? "the same value, with no barrier between"
             : race->in_warp  ? "with no __syncwarp between"
                              : "with no barrier between");
}

static void report(const hc_frame *frame, const hd_shared_race *race, uint64_t count)
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
        .count = count,
        .launch = launch->work.serial,
        .bytes = race->bytes,
        .alignment = site->alignment,
        .address = (uintptr_t)frame->shared + race->offset,
        .space = CUX_SPACE_SHARED,
        .state = CUX_STATE_LIVE,
        .base = (uintptr_t)frame->shared + race->start,
        .offset = (long long)race->offset - race->start,
        .size = site->size,
    };

    snprintf(r.kernel, sizeof r.kernel, "%s", launch->function->kernel->name);
    snprintf(r.variable, sizeof r.variable, "%s", site->variable);
    memcpy(r.grid, launch->launch.grid, sizeof r.grid);
    memcpy(r.block, launch->launch.block, sizeof r.block);
    fill_party(&r.who, &launch->launch, frame, site, race->thread, race->access);
    fill_party(&r.other, &launch->launch, frame, race->other_site, race->other_thread,
               race->other_access);
    describe(&r, race);
    hd_lock();
    hd_check_report(hd_worker_context(worker), &r);
    hd_unlock();
}

void hd_race_found_unlocked(hc_frame *frame, const hd_shared_race *race)
{
    report(frame, race, 1);
}
