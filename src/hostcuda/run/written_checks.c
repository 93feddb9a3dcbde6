/* Check mode: reads of what nobody has written. Generated code has looked at the marks
   of a vector (vector/written_code.c) and asks here where not all are set. A read of
   more than four bytes of which some are written is let pass: structures are copied
   with the padding between their members. */
#include <inttypes.h>

#include "check_reports.h"
#include "check_targets.h"
#include "checks.h"
#include "hostcuda/core/written_memory.h"
#include "written_checks.h"

/* The marks of these bytes; NULL: they have none. */
static char *marks_of(const hc_frame *frame, uint64_t where, uint64_t bytes)
{
    const hd_worker *worker = frame->worker;
    const hd_launch *launch = (const hd_launch *)worker->work;
    uint64_t size = launch->kernel->shared_bytes + launch->launch.dynamic_shared;
    uint64_t offset = where - (uintptr_t)frame->shared;

    if (frame->written && offset < size && bytes <= size - offset)
        return frame->written + offset;
    return hd_written_marks_unlocked((const void *)(uintptr_t)where, bytes);
}

/* Whether the lane reads what nobody has written. */
static bool is_unwritten(const hc_frame *frame, uint64_t where, uint32_t bytes)
{
    const char *marks = marks_of(frame, where, bytes);
    uint32_t set = 0;

    for (uint32_t i = 0; marks && i < bytes; i++)
        set += marks[i] != 0;
    return marks && (bytes <= 4 ? set < bytes : set == 0);
}

static void report(const hd_worker *worker, const hc_access *access,
                   const uint32_t *thread, unsigned lanes, uint64_t where,
                   uint32_t bytes)
{
    const hd_launch *launch = (const hd_launch *)worker->work;
    hd_target target = hd_target_of_unlocked(worker, where);
    const char *name = *access->variable ? access->variable : "memory";
    cuxCheckReport r = {.kind = CUX_CHECK_INIT,
                        .fault = CUX_FAULT_UNWRITTEN,
                        .count = lanes,
                        .launch = launch->work.serial,
                        .bytes = bytes,
                        .alignment = access->alignment,
                        .address = where,
                        .space = access->space == HC_SPACE_SHARED ? CUX_SPACE_SHARED
                                                                  : target.space,
                        .state = target.state,
                        .base = target.base,
                        .offset = (long long)(where - target.base),
                        .size = target.size,
                        .allocation = target.allocation};

    r.who.access = access->kind == HC_ATOMIC ? CUX_ACCESS_ATOMIC : CUX_ACCESS_READ;
    r.who.site.line = access->site.line;
    r.who.site.column = access->site.column;
    snprintf(r.who.site.file, sizeof r.who.site.file, "%s",
             access->site.file ? access->site.file : "");
    snprintf(r.variable, sizeof r.variable, "%s", access->variable);
    snprintf(r.kernel, sizeof r.kernel, "%s", launch->kernel->name);
    for (int d = 0; d < 3; d++) {
        r.grid[d] = launch->launch.grid[d];
        r.block[d] = launch->launch.block[d];
        r.who.block[d] = worker->frame->index[d];
        r.who.thread[d] = thread[d];
    }
    snprintf(
        r.message, sizeof r.message,
        "kernel %.128s, block (%u,%u,%u), thread (%u,%u,%u), %.128s:%u: read of %u "
        "bytes of %.48s, offset %lld, which nobody has written",
        r.kernel, r.who.block[0], r.who.block[1], r.who.block[2], thread[0], thread[1],
        thread[2], r.who.site.file, r.who.site.line, r.bytes, name, r.offset);
    hd_lock();
    hd_check_report(hd_worker_context(worker), &r);
    hd_unlock();
}

void hd_need_written_unlocked(hc_frame *frame, const hc_access *access, uint32_t vector,
                              uint32_t lanes, const uint64_t *where)
{
    const hd_worker *worker = frame->worker;
    uint32_t first = 0, thread[3];
    unsigned wrong = 0;

    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!is_unwritten(frame, where[lane], access->bytes))
            continue;
        if (wrong++ == 0)
            first = lane;
    }
    if (wrong == 0)
        return;
    hd_thread_of_lane((const hd_launch *)worker->work, vector, first, thread);
    report(worker, access, thread, wrong, where[first], access->bytes);
}

void hd_set_written_unlocked(hc_frame *frame, const hc_access *access, uint32_t vector,
                             uint32_t lanes, const uint64_t *where)
{
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        char *marks = marks_of(frame, where[lane], access->bytes);
        if (marks)
            memset(marks, 0xff, access->bytes);
    }
}

/* Whether nobody has written any of these bytes, which have marks. */
static bool is_all_unwritten(const hc_frame *frame, uint64_t where, uint64_t bytes)
{
    const char *marks = marks_of(frame, where, bytes);

    return marks && marks[0] == 0 && memcmp(marks, marks + 1, bytes - 1) == 0;
}

/* The bytes at `to` are what these are. */
static void copy_marks(const hc_frame *frame, uint64_t to, uint64_t from,
                       uint64_t bytes)
{
    char *marks = marks_of(frame, to, bytes);
    const char *others = marks_of(frame, from, bytes);

    if (marks && others)
        memmove(marks, others, bytes);
    else if (marks)
        memset(marks, 0xff, bytes);
}

void hd_written_of_thread_unlocked(hc_frame *frame, const hc_access *access,
                                   const char *at, uint64_t bytes, uint64_t what,
                                   uint64_t value)
{
    const hd_worker *worker = frame->worker;
    uint64_t where = (uintptr_t)at;
    uint32_t thread[3];

    if ((what & HC_ASK_NEED && is_unwritten(frame, where, (uint32_t)bytes)) ||
        (what & HC_ASK_SOME && is_all_unwritten(frame, where, bytes))) {
        hd_thread_of_number((const hd_launch *)worker->work,
                            (uint32_t)(what >> 32) & 0x3ff, thread);
        report(worker, access, thread, 1, where,
               bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX);
    }
    if (what & HC_ASK_COPY)
        copy_marks(frame, value, where, bytes);
    else if (what & HC_ASK_SET && marks_of(frame, where, bytes))
        memset(marks_of(frame, where, bytes), 0xff, bytes);
}

void hd_written_by_launch(const hd_launch *launch)
{
    const hc_kernel *kernel = launch->kernel;

    for (size_t at = 0; at + sizeof(void *) <= kernel->param_bytes; at += 8) {
        const void *address = NULL;
        memcpy(&address, launch->params + at, sizeof address);
        const hd_allocation *allocation = hd_memory_find(address);
        if (allocation)
            hd_written_set_unlocked(allocation->base, allocation->size);
    }
}
