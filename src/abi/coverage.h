/* Coverage: what kernels compiled with hostcc --coverage count, and how. Each worker
   has an array of counters of its own for each kernel, so that none is atomic. Which
   lines a counter tells of is in hc_image.coverage, a JSON text:

     {"files": [{"name": "kernel.cu", "path": null, "text": "..."}, ...],
      "functions": [{"name": "_Z5scalePf", "file": 0, "line": 1, "counter": 0}, ...],
      "lines": [[function, file, line, counter], ...],
      "accesses": [[file, line, whether it writes, spacing], ...]}

   `path` is of a file that is there; of other sources there is the text. `counter` of a
   function is that of its calls. A line may have several counters. The
   spacing of an access says where lanes of a vector find their elements: 0 in one
   place, 1 side by side, 2 evenly spaced, 3 anywhere. */
#ifndef PYCUDA_ABI_COVERAGE_H
#define PYCUDA_ABI_COVERAGE_H

#include <stdint.h>

/* How often a stretch of code has run. */
typedef struct {
    uint64_t full;    /* with all lanes of a vector */
    uint64_t lanes;   /* otherwise: lanes */
    uint64_t vectors; /* and vectors that they were of */
} hc_counter;

#endif
