/* Copies as nodes of a graph: checked work that is not submitted. */
#ifndef HOSTCUDA_COPIES_H
#define HOSTCUDA_COPIES_H

#include "hostcuda/run/work.h"

CUresult hd_copy_create(const CUDA_MEMCPY3D *box, hd_work **work);
/* What it was made of. A copy from or to an array has lost that. */
CUresult hd_copy_params(const hd_work *work, CUDA_MEMCPY3D *box);

#endif
