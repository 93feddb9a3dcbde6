/* Prototypes of every entry point this library exports, made from the one list, so that
   a definition with a wrong parameter does not compile. */
#ifndef HOSTCUDA_EXPORTS_H
#define HOSTCUDA_EXPORTS_H

#include "cuda/types.h"

#pragma GCC visibility push(default)
#define F(name, suffix, version, ...) CUresult name##suffix(CU_PARAMS(__VA_ARGS__));
#include "cuda/functions.def"
#include "cuda/missing.def"
#undef F
#pragma GCC visibility pop

#endif
