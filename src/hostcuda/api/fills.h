/* Fills as nodes of a graph: checked work that is not submitted. */
#ifndef HOSTCUDA_FILLS_H
#define HOSTCUDA_FILLS_H

#include "hostcuda/run/work.h"

CUresult hd_fill_create(const CUDA_MEMSET_NODE_PARAMS *fill, hd_work **work);
/* The parameters it was made of. */
void hd_fill_params(const hd_work *work, CUDA_MEMSET_NODE_PARAMS *fill);

#endif
