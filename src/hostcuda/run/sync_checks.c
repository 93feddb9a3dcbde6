/* Check mode, sync. A kernel that is compiled for it asks the scheduler at each warp
   function, also where all lanes are together, so all that can be wrong is seen there.

   What is wrong is what the CUDA C++ Programming Guide calls undefined. So threads that
   have ended may be named in a mask, since they are not waited for, but a value of one
   may not be asked for; that is reported where the value is stored as it came
   (HC_WARP_STORED), because the last lanes of many a right reduction get such a value
   and nobody looks at it. Lanes of a block that is no whole number of warps are like
   those that have ended. */
#include "check_reports.h"
#include "checks.h"
#include "standing.h"
#include "sync_checks.h"
#include "warps.h"

static hd_launch *launch_of(const hd_worker *worker)
{
    return (hd_launch *)worker->work;
}

/* -- Reports ----------------------------------------------------------------------- */

static void set_party(const hd_worker *worker, cuxParty *party, const hc_site *site,
                      const uint32_t *thread)
{
    snprintf(party->site.file, sizeof party->site.file, "%s",
             site->file ? site->file : "");
    party->site.line = site->line;
    party->site.column = site->column;
    for (int d = 0; d < 3; d++) {
        party->block[d] = worker->frame->index[d];
        party->thread[d] = thread[d];
    }
}

static cuxCheckReport begin_report(const hd_worker *worker, cuxFault fault)
{
    const hd_launch *launch = launch_of(worker);
    cuxCheckReport r = {.kind = CUX_CHECK_SYNC,
                        .fault = fault,
                        .count = 1,
                        .launch = launch->work.serial};

    snprintf(r.kernel, sizeof r.kernel, "%s", launch->kernel->name);
    for (int d = 0; d < 3; d++) {
        r.grid[d] = launch->launch.grid[d];
        r.block[d] = launch->launch.block[d];
    }
    return r;
}

static void keep_report(hd_worker *worker, cuxCheckReport *r, const char *text)
{
    const uint32_t *block = worker->frame->index;

    snprintf(r->message, sizeof r->message, "kernel %.128s, block (%u,%u,%u): %.340s",
             r->kernel, block[0], block[1], block[2], text);
    hd_lock();
    hd_check_report(hd_worker_context(worker), r);
    hd_unlock();
}

/* -- Blocks that cannot go on ------------------------------------------------------ */

void hd_sync_end_unlocked(hd_worker *worker, uint32_t state, cuxFault fault,
                          CUresult status, const char *why)
{
    const hd_launch *launch = launch_of(worker);
    const hc_state *states = launch->kernel->states[launch->layout];
    char where[sizeof worker->text], text[sizeof worker->text];
    hd_party parties[2];

    hd_standing_describe(launch, worker->frame, state, where, sizeof where);
    if ((launch->kernel->checks & HC_CHECK_SYNC) == 0)
        hd_worker_abort_unlocked(worker, status, "%s: %s", why, where);
    cuxCheckReport r = begin_report(worker, fault);
    unsigned n = hd_standing_parties(launch, worker->frame, state, parties);
    if (n > 0)
        set_party(worker, &r.who, &states[parties[0].state].site, parties[0].thread);
    r.has_other = n > 1;
    if (n > 1)
        set_party(worker, &r.other, &states[parties[1].state].site, parties[1].thread);
    snprintf(text, sizeof text, "%.120s: %.380s", why, where);
    keep_report(worker, &r, text);
    hd_check_end_block_unlocked(worker);
}

/* -- Warp functions ---------------------------------------------------------------- */

static void report_lane(hd_worker *worker, uint32_t vector, const hc_state *state,
                        uint32_t lane, int other, const char *what)
{
    cuxCheckReport r = begin_report(worker, CUX_FAULT_MASK);
    char text[sizeof worker->text], at[sizeof r.who.site.file + 16] = "";
    uint32_t thread[3], second[3];

    hd_thread_of_lane(launch_of(worker), vector, lane, thread);
    set_party(worker, &r.who, &state->site, thread);
    if (other >= 0) {
        hd_thread_of_lane(launch_of(worker), vector, (uint32_t)other, second);
        r.has_other = true;
        set_party(worker, &r.other, &state->site, second);
    }
    if (state->site.file)
        snprintf(at, sizeof at, ", %s:%u", state->site.file, state->site.line);
    snprintf(text, sizeof text, "thread (%u,%u,%u)%.100s: %s %s", thread[0], thread[1],
             thread[2], at, hd_warp_name(state->op), what);
    keep_report(worker, &r, text);
}

void hd_sync_check_group_unlocked(hd_worker *worker, uint32_t vector,
                                  const hc_state *state, uint32_t lanes)
{
    const hc_exchange *exchange = &worker->frame->exchange[vector];
    char what[160];

    HD_LANES_IN(lanes, lane)
    {
        uint32_t mask = exchange->mask[lane];
        bool inside = false;
        if ((mask >> lane & 1) == 0) {
            snprintf(what, sizeof what,
                     "of lanes 0x%08x, of which its own, %u, is none", mask, lane);
            report_lane(worker, vector, state, lane, -1, what);
            return;
        }
        uint32_t source = hd_warp_source(state->op, exchange, lane, &inside);
        if ((state->op & HC_WARP_STORED) == 0 || !inside ||
            (lanes & mask) >> source & 1)
            continue;
        snprintf(what, sizeof what, "of lanes 0x%08x asks for the value of lane %u, %s",
                 mask, source,
                 mask >> source & 1 ? "where no thread is left"
                                    : "which is none of them");
        report_lane(worker, vector, state, lane, -1, what);
        return;
    }
}

void hd_sync_check_masks_unlocked(hd_worker *worker, uint32_t vector,
                                  const hc_state *state, uint32_t lanes)
{
    const hc_exchange *exchange = &worker->frame->exchange[vector];
    char what[160];

    HD_LANES_IN(lanes, lane)
    {
        uint32_t mask = exchange->mask[lane];
        HD_LANES_IN(lanes & mask, other)
        {
            if (exchange->mask[other] == mask)
                continue;
            snprintf(what, sizeof what,
                     "of lanes 0x%08x names lane %u, which calls it with 0x%08x", mask,
                     other, exchange->mask[other]);
            report_lane(worker, vector, state, lane, (int)other, what);
            return;
        }
    }
}
