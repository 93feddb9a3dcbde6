/* By hand: the image of a large source, whose kernel has no code yet, and with
   -DKERNEL=... the image of that kernel, compiled by itself. */
#include "abi/image.h"

static const hc_param params[] = {{0, 8, "int *"}};

#ifdef KERNEL

static int *counter; /* of the other image */

static void run(const hc_launch *launch, hc_frame *frame, uint64_t first, uint64_t last)
{
    for (; first < last; first++) {
        frame->index[0] = (uint32_t)first;
        **(int **)launch->params = (*counter)++;
    }
}

static const hc_kernel kernels[] = {{KERNEL, .run = {run, run}, .width = 32,
                                     .nparams = 1, .param_bytes = 8, .params = params,
                                     .shared_bytes = 64, .max_threads = 128}};
static const hc_global globals[] = {{IMPORT, &counter, sizeof *counter, HC_VARIABLE}};
#define OBJECT .imports = 1

#else

static int counter = 40;
static const hc_kernel kernels[] = {
    {"count", HC_UNLOADED, .nparams = 1, .param_bytes = 8, .params = params}};
static const hc_global globals[] = {{"counter", &counter, sizeof counter, HC_VARIABLE}};
#define OBJECT \
    .object = "BC and more", .object_bytes = 11, .options = "-O3\n-ftz=true\n"

#endif

__attribute__((visibility("default"))) const hc_image hostcuda_image = {
    .producer = "written by hand",
    .nkernels = 1,
    .nglobals = 1,
    .kernels = kernels,
    .globals = globals,
    OBJECT,
};
