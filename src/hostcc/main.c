/* The pipeline: every stage is a row, and can be looked at by name with HOSTCC_DUMP. */
#include "hostcc/back/back.h"
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"
#include "hostcc/split/split.h"
#include "hostcc/vector/vector.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/* Code for vectors, or for threads that run one at a time (option -G). */
enum { BOTH, VECTORS, THREADS };

static const struct {
    const char *name;
    void (*run)(cc_unit *);
    int code;
    bool deferred; /* runs even if kernels are deferred (back/lazy_loading.c) */
} stages[] = {
    {"frontend", cc_frontend},
    {"defer_source", cc_defer_source, VECTORS},
    {"lines", cc_count_lines},
    {"retarget", cc_retarget, BOTH, true},
    {"locals", cc_check_locals, VECTORS},
    {"simplify", cc_simplify},
    {"parameters", cc_fix_parameters, VECTORS},
    {"indices", cc_wrap_shared_indices, VECTORS},
    {"phis", cc_merge_equal_phis, VECTORS},
    {"canonical", cc_canonical, VECTORS},
    {"stores", cc_merge_equal_stores, VECTORS},
    {"rows", cc_unroll_rows, VECTORS},
    {"grid", cc_order_grid_loops, VECTORS},
    {"induction", cc_induction_variables, VECTORS},
    {"check", cc_check_accesses, VECTORS},
    {"written", cc_check_written, VECTORS},
    {"races", cc_check_races, VECTORS},
    {"variables", cc_debug_variables, THREADS},
    {"shared", cc_lower_shared},
    {"functions", cc_check_functions, VECTORS},
    {"threads", cc_lower_threads, THREADS},
    {"scalar", cc_lower_scalar_functions},
    {"defer_scalar", cc_defer_scalar, VECTORS},
    {"regions", cc_regions, VECTORS},
    {"vectors", cc_block_loops, VECTORS},
    {"calls", cc_vector_functions, VECTORS},
    {"defer_vectors", cc_defer_vectors, VECTORS},
    {"imports", cc_import_variables, VECTORS},
    {"entries", cc_thread_entries, THREADS},
    {"table", cc_image_table, BOTH, true},
    {"inline", cc_inline, BOTH, true},
    {"divide", cc_divide, BOTH, true},
    {"optimize", cc_optimize},
    {"registers", cc_shared_in_registers, VECTORS},
    {"gathers", cc_take_gathers_apart, VECTORS},
    {"masked", cc_whole_accesses, VECTORS},
    {"debug_info", cc_write_debug_info, VECTORS},
    {"emit", cc_emit, BOTH, true},
    {"link", cc_link, BOTH, true},
};

static double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

int main(int argc, char **argv)
{
    cc_options options;
    cc_unit unit = {.options = &options};
    bool timed = getenv("HOSTCC_TIME") != NULL;
    cc_options_parse(&options, argc, argv);
    signal(SIGCHLD, SIG_DFL); /* who is told to ignore children cannot await them */
    /* A file in memory is its parent's, who alone can read the image. */
    if (options.output && cc_prefixed(options.output, "/proc/self/fd/"))
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    cc_unit_begin(&unit);
    int other = cc_by_thread(&unit) ? VECTORS : THREADS;
    for (unsigned s = 0; s < sizeof stages / sizeof *stages; s++) {
        double start = milliseconds();
        if (stages[s].code == other || (unit.deferred && !stages[s].deferred) ||
            (unit.role == CC_PARENT && stages[s].run != cc_link))
            continue;
        stages[s].run(&unit);
        if (timed)
            fprintf(stderr, "%-10s %6.1f ms\n", stages[s].name, milliseconds() - start);
        cc_dump(&unit, stages[s].name);
    }
    cc_precompile_leading(&unit);
    return 0;
}
