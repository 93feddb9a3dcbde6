/* A weak definition of every entry point, which answers NOT_SUPPORTED. A family that
   implements one defines it as an ordinary function, and that takes the weak one's
   place; nothing else has to be said anywhere. */
#include "entry.h"

static CUresult not_supported(const char *name)
{
    HD_ENTER();
    return hd_fail(CUDA_ERROR_NOT_SUPPORTED, "%s: not supported by the host device",
                   name);
}

#define F(name, suffix, version, ...)                                   \
    __attribute__((weak)) CUresult name##suffix(CU_PARAMS(__VA_ARGS__)) \
    {                                                                   \
        return not_supported(#name);                                    \
    }
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#include "cuda/missing.def"
#undef F
