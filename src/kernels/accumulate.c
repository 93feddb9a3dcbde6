/* Running results along an axis: a source for each operation, pair of types and way
   that lines lie, and the launches, one, or two where lines are few and long: of the
   totals of their segments, and of all. */
#include "kernel_text.h"
#include <string.h>

enum { WARP = 32, MOST_SEGMENTS = 1024 };

/* pycuda::scan_lines of accumulate.cuh. */
typedef struct {
    long long n, columns, lines, step[2], across[2], down[2], each;
    unsigned width, sharing, height;
} lines_parameter;

/* is_rows: elements of a line are side by side; is_dense: without gaps, or lines are.
 */
typedef struct {
    lines_parameter how;
    int is_rows, is_dense;
    unsigned segments, blocks, threads;
} scan_plan;

/* -- Source --------------------------------------------------------------------- */

static void put_kernel(cmp_text *text, const scan_plan *plan, const char *name,
                       const char *template, const char *totals)
{
    kn_put(
        text,
        "extern \"C\" __global__ void PYCUDA_SCAN_BOUNDS %s(\n"
        "    const pycuda::scan_lines how, pycuda::out<T, C> z, pycuda::in<U, C> a,\n"
        "    %s *totals)\n{\n    pycuda::%s_%s<operation, %s>(how, z, a, totals);\n"
        "}\n",
        name, totals, template, plan->is_rows ? "rows" : "columns",
        plan->is_dense ? "true" : "false");
}

static kn_loaded *find(bd_context *context, int operation, const kn_request *lines,
                       const scan_plan *plan)
{
    static const char *const names[] = {"pycuda_accumulate", "pycuda_totals"};
    kn_key key;
    memset(&key, 0, sizeof key);
    key.program = KN_ACCUMULATE;
    key.operation = (uint32_t)operation;
    key.variant =
        (uint8_t)(plan->is_rows | plan->is_dense << 1 | (plan->segments > 1) << 2);
    key.compute[0] = lines->operand[0].compute;
    for (int k = 0; k < 2; k++)
        key.storage[k] = lines->operand[k].storage;
    kn_loaded *loaded = kn_find(context, &key);
    if (loaded)
        return loaded;
    cmp_text text = {0};
    kn_put_narrow(&text, key.storage, 2);
    if (key.storage[0] >= KN_C64 || key.storage[1] >= KN_C64)
        kn_put(&text, "#include <pycuda-complex.hpp>\n");
    kn_put(&text,
           "#include <pycuda/accumulate.cuh>\n"
           "typedef %s C;\ntypedef %s T;\ntypedef %s U;\nstruct operation {\n"
           "    static PYCUDA_DEVICE C of(C a, C b) { C z; %s; return z; }\n};\n",
           kn_type_name(key.compute[0]), kn_type_name(key.storage[0]),
           kn_type_name(key.storage[1]), kn_operations[operation].code);
    put_kernel(&text, plan, names[0], "scan", "const C");
    if (plan->segments > 1)
        put_kernel(&text, plan, names[1], "total", "C");
    return kn_load(context, &key, &text, NULL, 0, plan->segments > 1 ? 2 : 1, names);
}

/* -- How lines are cut ----------------------------------------------------------- */

static unsigned power_from(long long least, unsigned most)
{
    unsigned power = 1;
    while (power < most && power < least)
        power *= 2;
    return power;
}

/* Cuts lines into `wanted` segments, or fewer, so that each has `least` elements about,
   and all but the last are multiples of `tile`, what a block takes at once. */
static void cut_lines(scan_plan *plan, long long wanted, long long least,
                      long long tile)
{
    lines_parameter *how = &plan->how;
    long long fit = how->n / least, segments = wanted < fit ? wanted : fit;
    how->each = how->n;
    plan->segments = 1;
    if (segments < 2)
        return;
    segments = segments < MOST_SEGMENTS ? segments : MOST_SEGMENTS;
    how->each = (long long)kn_divide_up(how->n, segments * tile) * tile;
    plan->segments = (unsigned)kn_divide_up(how->n, how->each);
}

/* The same on a GPU, where blocks leave multiprocessors without any: as many segments
   as fill it. Fewer blocks than it can hold are better than to read everything twice.
 */
static void cut_if_few(scan_plan *plan, const kn_tuning *tuning, long long tile)
{
    long long threads = (long long)plan->blocks * plan->threads;
    long long enough = tuning->axis_threads, wanted = enough / threads;
    cut_lines(plan, threads < enough / 4 ? wanted : 1, 2 * tile, tile);
}

/* A warp for a line, or where lines are few a block for one. */
static void plan_rows(scan_plan *plan, const kn_tuning *tuning, unsigned ahead)
{
    lines_parameter *how = &plan->how;
    long long tile = WARP * ahead;
    unsigned warps = KN_BLOCK / WARP;
    plan->segments = 1;
    how->each = how->n;
    if (how->n <= WARP) {
        how->width = power_from(how->n, WARP);
        plan->blocks = (unsigned)kn_divide_up(how->lines, (size_t)warps * ahead *
                                                              (WARP / how->width));
    } else if (how->n <= tile || how->lines * WARP >= tuning->axis_threads / 2)
        plan->blocks = (unsigned)kn_divide_up(how->lines, warps);
    else {
        how->sharing = tuning->lines_sharing;
        plan->blocks = (unsigned)how->lines;
        cut_if_few(plan, tuning, tile * how->sharing);
    }
}

/* A warp has as many lines side by side as there are. Threads of a block share them if
   that does not fill a GPU. */
static void plan_columns(scan_plan *plan, const kn_tuning *tuning, unsigned ahead)
{
    lines_parameter *how = &plan->how;
    unsigned most = KN_BLOCK / power_from(how->lines, WARP);
    while (how->sharing < most && how->sharing * ahead < how->n &&
           how->lines * how->sharing < tuning->axis_threads)
        how->sharing *= 2;
    how->width = power_from(how->lines, KN_BLOCK / how->sharing);
    plan->threads = how->width * how->sharing;
    plan->blocks = (unsigned)kn_divide_up(how->lines, how->width);
    cut_if_few(plan, tuning, how->sharing * ahead);
}

/* A warp for some lines, or a thread for each of those side by side. Segments: what
   several cores have, whatever their number. */
static void plan_host(scan_plan *plan, const kn_tuning *tuning, size_t size)
{
    enum { FEW = 16, MANY = 64 };
    lines_parameter *how = &plan->how;
    long long share = tuning->lines_share, rows = how->lines / how->columns;
    if (plan->is_rows) {
        how->height = how->n < share ? (unsigned)(share / how->n) : 1;
        plan->threads = WARP;
        plan->blocks = (unsigned)kn_divide_up(how->lines, how->height);
    } else {
        how->width = tuning->lines_bytes / (unsigned)size;
        while (how->width > WARP && how->width / 2 >= how->columns)
            how->width /= 2;
        plan->threads = how->width;
        plan->blocks = (unsigned)(rows * kn_divide_up(how->columns, how->width));
        share /= how->width;
    }
    cut_lines(plan, plan->blocks < FEW ? MANY / plan->blocks : 1, 2 * share, WARP);
}

static scan_plan plan_for(const kn_request *lines, const kn_iteration_space *space,
                          const kn_tuning *tuning)
{
    scan_plan plan = {.how = {.n = lines->axis_length,
                              .columns = space->length[0],
                              .lines = (long long)space->count,
                              .sharing = 1,
                              .height = 1},
                      .is_dense = 1,
                      .threads = KN_BLOCK};
    lines_parameter *how = &plan.how;
    long long own = lines->axis_stride[0], other = space->stride[0][0];
    size_t size = kn_type_size(lines->operand[0].compute);
    int is_narrow = how->columns < tuning->lines_narrow;
    int is_along = how->lines == 1 || is_narrow || llabs(own) < llabs(other);
    plan.is_rows = is_along && how->n > tuning->lines_short;
    for (int k = 0; k < 2; k++) {
        how->step[k] = lines->axis_stride[k];
        how->across[k] = space->stride[k][0];
        how->down[k] = space->ndim > 1 ? space->stride[k][1] : 0;
        plan.is_dense &=
            (plan.is_rows ? how->step[k] : how->across[k]) == (long long)space->size[k];
    }
    if (!tuning->lines_sharing) {
        plan_host(&plan, tuning, size);
        return plan;
    }
    unsigned ahead = size <= 4 ? 16 : size <= 8 ? 8 : 4;
    plan.is_dense &= plan.is_rows; /* others take any distance */
    (plan.is_rows ? plan_rows : plan_columns)(&plan, tuning, ahead);
    return plan;
}

/* -- Launches ------------------------------------------------------------------- */

int kn_accumulate(bd_context *context, int operation, const kn_request *lines)
{
    const kn_tuning *tuning = kn_tuning_of(context);
    kn_iteration_space space;
    if (!tuning)
        return -1;
    kn_iteration_space_make(&space, lines);
    if (space.ndim > 2)
        return 0;
    scan_plan plan = plan_for(lines, &space, tuning);
    kn_loaded *loaded = find(context, operation, lines, &plan);
    if (!loaded)
        return -1;
    CUdeviceptr z = lines->operand[0].pointer, a = lines->operand[1].pointer;
    CUdeviceptr scratch = 0, totals = 0;
    size_t size = kn_type_size(lines->operand[0].compute);
    unsigned grid[2] = {plan.blocks, plan.segments - 1};
    const unsigned block[2] = {plan.threads, 1};
    void *params[] = {&plan.how, &z, &a, &totals};
    int failed = 0;
    if (plan.segments > 1) {
        failed = kn_scratch(context, lines->stream,
                            (size_t)grid[1] * plan.how.lines * size, &scratch);
        totals = scratch + 16;
        failed = failed || kn_launch(context, loaded->function[1], grid, block,
                                     lines->stream, params);
    }
    grid[1] = plan.segments;
    failed = failed || kn_launch(context, loaded->function[0], grid, block,
                                 lines->stream, params);
    if (scratch)
        kn_scratch_used(context, scratch);
    return failed ? -1 : 1;
}
