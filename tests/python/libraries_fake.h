/* What the libraries that pass for NVIDIA's have in common: which call is to fail, and
   how often; the driver, which is the library that DRIVER names; how many calls were
   made in another context than that of their handle. Each of them is one file. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/types.h"

int wrong_context;
char failing[64];
int failure, failures;

static inline void *driver(const char *name)
{
    return dlsym(dlopen(getenv("DRIVER"), RTLD_NOW), name);
}

static inline CUcontext current(void)
{
    CUcontext context = NULL;
    ((CUresult(*)(CUcontext *))driver("cuCtxGetCurrent"))(&context);
    return context;
}

static inline int fails(const char *name)
{
    return failures && !strcmp(name, failing) ? failures--, failure : 0;
}
