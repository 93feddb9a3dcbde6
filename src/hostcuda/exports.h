/* Prototypes of every entry point this library exports, made from the one list, so that
   a definition with a wrong parameter does not compile. */
#ifndef HOSTCUDA_EXPORTS_H
#define HOSTCUDA_EXPORTS_H

#include "cuda/types.h"

#pragma GCC visibility push(default)
#define F(name, suffix, version, ...) CUresult name##suffix(CU_PARAMS(__VA_ARGS__));
#define F0(name, suffix, version) CUresult name##suffix(void);
#define X(name, ...) CUresult name(CU_PARAMS(__VA_ARGS__));
#define N(name) CUresult name(void);
#include "cuda/functions.def"
#include "cuda/missing.def"
#undef N
#undef F
#undef F0
#undef X
#pragma GCC visibility pop

#endif
