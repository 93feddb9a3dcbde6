/* Passes for NCCL: the host device's own, of which calls can be made to fail. LACKS: it
   is older than what is asked for. */
#include <stdint.h>
#include "libraries_fake.h"

#include "cuda/nccl.h"

#ifndef VERSION
#define VERSION 22703
#endif

#define N(result, name, ...)                           \
    result name(CU_PARAMS(__VA_ARGS__))                \
    {                                                  \
        static result (*real)(CU_PARAMS(__VA_ARGS__)); \
        int status = fails(#name);                     \
        if (status)                                    \
            return (result)(uintptr_t)status;          \
        if (!real)                                     \
            real = driver(#name);                      \
        return real(CU_ARGS(__VA_ARGS__));             \
    }
#ifdef LACKS
#define ncclGroupEnd ncclGroupEndOf2
#endif
#define ncclGetVersion ncclGetVersionOf
#define ncclGetLastError ncclGetLastErrorOf
#include "cuda/nccl.def"
#undef ncclGetVersion
#undef ncclGetLastError

unsigned ncclGetVersion(int *version)
{
    *version = VERSION;
    return fails("ncclGetVersion");
}

const char *ncclGetLastError(struct ncclComm *comm)
{
    return "said by NCCL";
}
