/* Check mode: what checked kernels ask while they run. Generated code compares
   addresses of a whole vector and asks here where that fails; each lane is then looked
   at, and a lane that is wrong ends its block, before the access. Other blocks and
   launches go on: no memory was touched that should not be.

   Bounds of what parameters point into are found when the launch begins to run, in
   stream order, so that memory which was freed before is not taken for good. */
#include <inttypes.h>

#include "check_targets.h"
#include "check_reports.h"
#include "checks.h"

/* -- Bounds ------------------------------------------------------------------------ */

/* Which parameters point into what the kernel may write: races on other memory there
   are none. Pointers that lead nowhere known may lead anywhere. */
static void find_raced(hd_launch *launch)
{
    const hc_kernel *kernel = launch->kernel;
    size_t words = HD_BOUNDS(kernel);
    const hc_bounds *bounds = hd_launch_bounds(launch);
    uint8_t *raced = hd_launch_raced(launch);

    for (size_t i = 0; i < words; i++) {
        raced[i] = !kernel->writes || bounds[i].size == 0;
        for (size_t k = 0; k < words && !raced[i]; k++)
            raced[i] = kernel->writes[k] &&
                       (bounds[k].size == 0 || bounds[k].base == bounds[i].base);
    }
    const hd_module *module = launch->function->module;
    launch->raced =
        (hd_raced_launch){.shift = kernel->global_shift,
                          .variables = module->code->image.constants_end,
                          .variables_end = module->code->image.variables_end};
    if (kernel->checks & HC_CHECK_RACE && kernel->global_shift != HC_UNRACED)
        hd_races_launch(&launch->raced);
}

static void find_bounds(hd_launch *launch)
{
    size_t words = HD_BOUNDS(launch->kernel);
    hc_bounds *bounds = hd_launch_bounds(launch);

    for (size_t i = 0; i < words; i++) {
        const void *address = NULL;
        memcpy(&address, launch->params + 8 * i, sizeof address);
        const hd_allocation *allocation = hd_memory_find(address);
        bounds[i] = (hc_bounds){0};
        if (!allocation || !hd_memory_is_mapped(allocation))
            continue;
        hd_bounds used = hd_memory_used(allocation);
        bounds[i] = (hc_bounds){(uintptr_t)used.base, used.size};
    }
}

/* Once, by the first of the threads that run the launch: a second time would count as
   a launch of its own, whose accesses no others conflict with. */
void hd_checks_begin_unlocked(hd_launch *launch)
{
    if (atomic_load_explicit(&launch->bounded, memory_order_acquire))
        return;
    hd_lock();
    if (!atomic_load_explicit(&launch->bounded, memory_order_relaxed)) {
        find_bounds(launch);
        find_raced(launch);
        atomic_store_explicit(&launch->bounded, true, memory_order_release);
    }
    hd_unlock();
}

/* -- Looking at one lane ----------------------------------------------------------- */

/* A lane's access, and what is known of it. */
typedef struct {
    const hd_launch *launch;
    const hc_access *access;
    uint64_t bytes;   /* that the thread accesses */
    uint64_t address; /* 0: not known, only the offset */
    int64_t offset;
    cuxFault fault;
    hd_target target;
} finding;

static cuxSpace space_of(const hc_access *access)
{
    static const cuxSpace spaces[] = {[HC_SPACE_UNKNOWN] = CUX_SPACE_UNKNOWN,
                                      [HC_SPACE_GLOBAL] = CUX_SPACE_GLOBAL,
                                      [HC_SPACE_SHARED] = CUX_SPACE_SHARED,
                                      [HC_SPACE_LOCAL] = CUX_SPACE_LOCAL,
                                      [HC_SPACE_CONSTANT] = CUX_SPACE_CONSTANT};
    return spaces[access->space];
}

static hd_target variable_of(const finding *f)
{
    uint64_t size = f->access->size;
    if (size == HC_DYNAMIC)
        size = f->launch->launch.dynamic_shared;
    return (hd_target){0, size, space_of(f->access), CUX_STATE_LIVE, 0};
}

/* What the parameter points into. One that points into nothing when the launch begins,
   perhaps behind the end of an array, may still lead to something. */
static hd_target pointed_into(const finding *f, const hd_worker *worker)
{
    const hc_bounds *bounds = &f->launch->launch.bounds[f->access->bounds];
    if (f->access->way != HC_BY_BOUNDS || bounds->size == 0)
        return hd_target_of_unlocked(worker, f->address);
    return (hd_target){bounds->base, bounds->size, space_of(f->access), CUX_STATE_LIVE,
                       0};
}

/* Of what texture functions use: where that is right once, it is for the launch. */
static bool is_right_object(finding *f, hd_worker *worker, uint64_t where)
{
    hc_bounds *known = &worker->frame->known[f->access->bounds];

    f->address = where;
    f->fault = CUX_FAULT_BOUNDS;
    if (f->access->way == HC_BY_PLACE) {
        *known = (hc_bounds){HC_NOWHERE, UINT64_MAX - HC_NOWHERE};
        return where >= HC_NOWHERE;
    }
    bool is_surface = f->access->way == HC_BY_SURFACE;
    uint64_t memory = 0;
    hd_object_state state =
        hd_texture_state_unlocked(worker, where, is_surface, &memory);
    if (state == HD_OBJECT_LIVE)
        *known = (hc_bounds){where, 1};
    if (state == HD_OBJECT_MEMORY) {
        f->fault = CUX_FAULT_FREED;
        f->target = hd_target_of_unlocked(worker, memory);
        f->target.state = CUX_STATE_FREED;
        f->offset = (int64_t)(memory - f->target.base);
    }
    return state == HD_OBJECT_LIVE;
}

/* Most addresses of unknown origin are those of allocations, and right: that is seen
   without the lock, for which threads would wait for each other. */
static bool is_plainly_right(const finding *f, hd_worker *worker, uint64_t where)
{
    const hc_access *access = f->access;
    hd_bounds bounds;
    hd_memory_kind kind;

    if (access->way != HC_BY_ADDRESS || (where & (access->alignment - 1)) != 0 ||
        !hd_memory_bounds_unlocked((const void *)(uintptr_t)where, &bounds, &kind) ||
        kind == HD_MEMORY_ARRAY || kind == HD_MEMORY_TEXTURE ||
        f->bytes > bounds.size - (size_t)(where - (uintptr_t)bounds.base))
        return false;
    if (kind != HD_MEMORY_HEAP) /* what kernels free may go at any time */
        worker->frame->known[access->bounds] =
            (hc_bounds){(uintptr_t)bounds.base, bounds.size};
    return true;
}

static bool is_right(finding *f, hd_worker *worker, uint64_t where)
{
    const hc_access *access = f->access;

    if (is_plainly_right(f, worker, where))
        return true;
    if (access->way >= HC_BY_TEXTURE)
        return is_right_object(f, worker, where);
    f->fault = access->way == HC_BY_FREE ? CUX_FAULT_BAD_FREE : CUX_FAULT_BOUNDS;
    f->address = access->way == HC_BY_SIZE ? 0 : where;
    f->target = access->way == HC_BY_SIZE ? variable_of(f) : pointed_into(f, worker);
    uint64_t offset = where - f->target.base;
    f->offset = (int64_t)offset;
    if (f->target.state == CUX_STATE_FREED && access->way != HC_BY_FREE)
        f->fault = CUX_FAULT_FREED;
    if (access->way == HC_BY_FREE)
        return where == 0 || (f->target.space == CUX_SPACE_HEAP && offset == 0 &&
                              f->target.state == CUX_STATE_LIVE);
    if (f->target.state == CUX_STATE_FREED || offset > f->target.size ||
        f->target.size - offset < f->bytes)
        return false;
    /* What kernels free may go at any time. */
    if (access->way == HC_BY_ADDRESS && f->target.space != CUX_SPACE_HEAP)
        worker->frame->known[access->bounds] =
            (hc_bounds){f->target.base, f->target.size};
    f->fault = CUX_FAULT_MISALIGNED;
    return (where & (access->alignment - 1)) == 0;
}

/* -- Reports ----------------------------------------------------------------------- */

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

static void describe_fault(const finding *f, const char *name, char *text, size_t size)
{
    int64_t end = f->offset + (int64_t)f->bytes - (int64_t)f->target.size;

    if (f->access->way == HC_BY_PLACE)
        snprintf(text, size, "outside of the surface");
    else if (f->access->way >= HC_BY_TEXTURE)
        snprintf(text, size, "through %#" PRIx64 ", %s %s%s", f->address,
                 f->fault == CUX_FAULT_FREED ? "a" : "which is no",
                 f->access->way == HC_BY_SURFACE ? "surface" : "texture",
                 f->fault == CUX_FAULT_FREED ? " of memory that was freed" : "");
    else if (f->fault == CUX_FAULT_BAD_FREE)
        snprintf(text, size, "at %#" PRIx64 ", which is not what malloc returned%s",
                 f->address,
                 f->target.state == CUX_STATE_FREED ? ", or freed already" : "");
    else if (f->fault == CUX_FAULT_FREED)
        snprintf(text, size,
                 "at offset %" PRId64 " of memory that was freed (%" PRIu64 " bytes)",
                 f->offset, f->target.size);
    else if (f->fault == CUX_FAULT_MISALIGNED)
        snprintf(text, size, "is not at a multiple of %u: offset %" PRId64 " in %s",
                 f->access->alignment, f->offset, name);
    else if (f->target.size == 0)
        snprintf(text, size, "at %#" PRIx64 ", where no memory of the device is%s%s",
                 f->address, *name ? ", through " : "", name);
    else if (f->offset < 0)
        snprintf(text, size, "%" PRId64 " bytes before %s (%" PRIu64 " bytes)",
                 -f->offset, name, f->target.size);
    else
        snprintf(text, size, "%" PRId64 " bytes beyond %s (%" PRIu64 " bytes)", end,
                 name, f->target.size);
}

static void describe(const finding *f, cuxCheckReport *r)
{
    static const char *const kinds[] = {[HC_READ] = "read",
                                        [HC_WRITE] = "write",
                                        [HC_ATOMIC] = "atomic operation",
                                        [HC_FREE] = "free"};
    char fault[256], line[sizeof r->who.site.file + 16] = "";
    const char *name = *f->access->variable ? f->access->variable
                       : f->target.size     ? "what it points into"
                                            : "";

    describe_fault(f, name, fault, sizeof fault);
    if (r->who.site.line)
        snprintf(line, sizeof line, ", %s:%u", r->who.site.file, r->who.site.line);
    snprintf(r->message, sizeof r->message,
             "kernel %.128s, block (%u,%u,%u), thread (%u,%u,%u)%.128s: %s of %" PRIu64
             " bytes %.200s",
             r->kernel, r->who.block[0], r->who.block[1], r->who.block[2],
             r->who.thread[0], r->who.thread[1], r->who.thread[2], line,
             kinds[f->access->kind], f->bytes, fault);
}

static void report(hd_worker *worker, const finding *f, const uint32_t *thread,
                   unsigned lanes)
{
    static const cuxAccess accesses[] = {[HC_READ] = CUX_ACCESS_READ,
                                         [HC_WRITE] = CUX_ACCESS_WRITE,
                                         [HC_ATOMIC] = CUX_ACCESS_ATOMIC,
                                         [HC_FREE] = CUX_ACCESS_FREE};
    const hc_access *access = f->access;
    cuxCheckReport r = {.kind = CUX_CHECK_MEMORY,
                        .fault = f->fault,
                        .count = lanes,
                        .launch = f->launch->work.serial,
                        .bytes =
                            f->bytes < UINT32_MAX ? (uint32_t)f->bytes : UINT32_MAX,
                        .alignment = access->alignment,
                        .address = f->address,
                        .space = f->target.space,
                        .state = f->target.state,
                        .base = f->target.base,
                        .offset = f->offset,
                        .size = f->target.size,
                        .allocation = f->target.allocation};

    r.who.access = accesses[access->kind];
    r.who.site.line = access->site.line;
    r.who.site.column = access->site.column;
    copy_text(r.who.site.file, sizeof r.who.site.file,
              access->site.file ? access->site.file : "");
    copy_text(r.variable, sizeof r.variable, access->variable);
    copy_text(r.kernel, sizeof r.kernel, f->launch->kernel->name);
    for (int d = 0; d < 3; d++) {
        r.grid[d] = f->launch->launch.grid[d];
        r.block[d] = f->launch->launch.block[d];
        r.who.block[d] = worker->frame->index[d];
        r.who.thread[d] = thread[d];
    }
    describe(f, &r);
    hd_lock();
    hd_check_report(hd_worker_context(worker), &r);
    hd_unlock();
}

void hd_thread_of_lane(const hd_launch *launch, uint32_t vector, uint32_t lane,
                       uint32_t *thread)
{
    const uint32_t *block = launch->launch.block;
    uint32_t width = launch->kernel->width;

    if (launch->layout == 0) {
        uint32_t chunks = (block[0] + width - 1) / width, row = vector / chunks;
        thread[0] = vector % chunks * width + lane;
        thread[1] = row % block[1];
        thread[2] = row / block[1];
    } else {
        uint32_t number = vector * width + lane;
        thread[0] = number % block[0];
        thread[1] = number / block[0] % block[1];
        thread[2] = number / block[0] / block[1];
    }
}

void hd_thread_of_number(const hd_launch *launch, uint32_t number, uint32_t *thread)
{
    const uint32_t *block = launch->launch.block;

    number &= 0x3ff;
    thread[0] = number % block[0];
    thread[1] = number / block[0] % block[1];
    thread[2] = number / block[0] / block[1];
}

/* The number of the piece that the worker's block is. */
static uint64_t piece_of(const hd_worker *worker)
{
    const hd_launch *launch = (const hd_launch *)worker->work;
    const uint32_t *grid = launch->launch.grid, *index = worker->frame->index;
    uint64_t row = (uint64_t)index[2] * grid[1] + index[1];

    return launch->shuffled ? worker->piece : row * grid[0] + index[0];
}

/* The block goes no further. */
void hd_check_end_block_unlocked(hd_worker *worker)
{
    hd_worker_end_piece_unlocked(worker, piece_of(worker));
}

/* -- Services ---------------------------------------------------------------------- */

/* Whether one of those lanes gives the address to free, too. */
static bool is_among(uint64_t address, const uint64_t *where, uint32_t lanes)
{
    for (; address != 0 && lanes != 0; lanes &= lanes - 1) {
        if (where[__builtin_ctz(lanes)] == address)
            return true;
    }
    return false;
}

void hd_check_unlocked(hc_frame *frame, const hc_access *access, uint32_t vector,
                       uint32_t lanes, const uint64_t *where)
{
    hd_worker *worker = frame->worker;
    finding first = {0};
    uint32_t thread[3];
    unsigned wrong = 0;

    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        finding f = {.launch = (const hd_launch *)worker->work,
                     .access = access,
                     .bytes = access->bytes};
        if (is_right(&f, worker, where[lane]) &&
            !(access->way == HC_BY_FREE && is_among(where[lane], where, lanes & ~left)))
            continue;
        if (wrong++ == 0) {
            first = f;
            hd_thread_of_lane(f.launch, vector, lane, thread);
        }
    }
    if (wrong == 0)
        return;
    report(worker, &first, thread, wrong);
    hd_check_end_block_unlocked(worker);
}

void hd_check_thread_unlocked(hc_frame *frame, const hc_access *access, uint32_t thread,
                              uint64_t where, uint64_t bytes)
{
    hd_worker *worker = frame->worker;
    uint32_t index[3];
    finding f = {
        .launch = (const hd_launch *)worker->work, .access = access, .bytes = bytes};

    if (bytes == 0 || is_right(&f, worker, where))
        return;
    hd_thread_of_number(f.launch, thread, index);
    report(worker, &f, index, 1);
    hd_check_end_block_unlocked(worker);
}

/* -- What no check has foreseen ---------------------------------------------------- */

/* Of the worker's block: its thread is not known. */
static void report_unforeseen(hd_worker *worker, const hc_access *access,
                              cuxFault fault, uint64_t address)
{
    static const uint32_t none[3];
    finding f = {.launch = (const hd_launch *)worker->work,
                 .access = access,
                 .bytes = access->bytes,
                 .address = address,
                 .fault = fault,
                 .target = hd_target_of_unlocked(worker, address)};

    f.offset = (int64_t)(address - f.target.base);
    if (f.target.state == CUX_STATE_FREED && fault == CUX_FAULT_BOUNDS)
        f.fault = CUX_FAULT_FREED;
    report(worker, &f, none, 1);
}

bool hd_check_caught_unlocked(hd_work *work, hd_worker *worker)
{
    const hd_launch *launch = (const hd_launch *)work;
    const hd_module *module = launch->function->module;
    char file[sizeof((cuxSite *)0)->file];
    hc_access access = {.variable = "", .kind = HC_READ, .bytes = 1, .alignment = 1};

    if ((launch->kernel->checks & HC_CHECK_MEMORY) == 0 ||
        worker->failure != CUDA_ERROR_ILLEGAL_ADDRESS)
        return false;
    hd_line_table_describe_unlocked(module->code->line_table, module->image,
                                    worker->instruction, file, sizeof file);
    char *colon = strrchr(file, ':');
    if (colon) {
        *colon = '\0';
        access.site.file = file;
        access.site.line = (uint32_t)strtoul(colon + 1, NULL, 10);
    }
    report_unforeseen(worker, &access, CUX_FAULT_BOUNDS, (uintptr_t)worker->address);
    worker->ended = piece_of(worker);
    worker->failure = CUDA_SUCCESS;
    return !work->spins;
}

void hd_check_bad_free_unlocked(hd_worker *worker, const void *address)
{
    const hd_launch *launch = (const hd_launch *)worker->work;
    const hc_access access = {
        .variable = "", .kind = HC_FREE, .way = HC_BY_FREE, .bytes = 1, .alignment = 1};

    if ((launch->kernel->checks & HC_CHECK_MEMORY) == 0)
        return;
    report_unforeseen(worker, &access, CUX_FAULT_BAD_FREE, (uintptr_t)address);
    hd_check_end_block_unlocked(worker);
}
