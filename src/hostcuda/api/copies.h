/* Copies as nodes of a graph: checked work that is not submitted. */
#ifndef HOSTCUDA_COPIES_H
#define HOSTCUDA_COPIES_H

#include "hostcuda/run/work.h"

CUresult hd_copy_create(const CUDA_MEMCPY3D *box, hd_work **work);
/* The parameters it was made of. Fails for a copy from or to an array. */
CUresult hd_copy_params(const hd_work *work, CUDA_MEMCPY3D *box);

#endif
