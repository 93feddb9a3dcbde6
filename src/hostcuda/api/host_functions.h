/* Host functions as nodes of a graph: checked work that is not submitted. */
#ifndef HOSTCUDA_HOST_FUNCTIONS_H
#define HOSTCUDA_HOST_FUNCTIONS_H

#include "hostcuda/run/work.h"

CUresult hd_call_create(const CUDA_HOST_NODE_PARAMS *params, hd_work **work);
/* The parameters it was made of. */
void hd_call_params(const hd_work *work, CUDA_HOST_NODE_PARAMS *params);

#endif
