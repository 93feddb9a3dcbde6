/* Samples: where in kernels that count lines time is spent. */
#ifndef HOSTCUDA_SAMPLES_H
#define HOSTCUDA_SAMPLES_H

#include "modules.h"

/* Samples from now on, each so many microseconds of processor time; 0: no longer. */
CUresult hd_samples_set(unsigned microseconds);
/* Lets this thread be interrupted for samples; those of the pool hear no other signals.
 */
void hd_samples_prepare_unlocked(void);
/* From here on, and until then, samples in the code of a module count. */
void hd_samples_add(hd_module *module);
void hd_samples_remove(hd_module *module);
/* The line of that number of all that have samples; NULL: there are no more. */
const cuxSample *hd_sample_at(size_t number);

#endif
