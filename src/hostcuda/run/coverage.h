/* Coverage: the counters of kernels that were compiled with it. */
#ifndef HOSTCUDA_COVERAGE_H
#define HOSTCUDA_COVERAGE_H

#include "kernel_launch.h"
#include "workers.h"

/* Finds or makes the record of a loaded image, which stays when the module goes. NULL:
   its kernels do not count. */
CUresult hd_coverage_open(const hc_image *image, hd_coverage **coverage);
size_t hd_coverage_number(const hd_coverage *coverage); /* of the module */
/* If the kernel counts: gives the worker's frames, just prepared, its counters of the
   kernel. Ends the piece where memory is short. */
void hd_coverage_prepare_unlocked(hd_worker *worker, const hd_launch *launch);

/* The kernel of that number, of all that count; false: there are no more. */
bool hd_coverage_at(size_t number, cuxCoverage *coverage);
/* What its counters have come to: {full, lanes, vectors} of the first `count`. */
bool hd_coverage_counts(size_t number, size_t count, unsigned long long *counts);

#endif
