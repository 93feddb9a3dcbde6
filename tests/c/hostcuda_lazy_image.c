/* By hand: the image of a large source, whose kernel has no code yet, or with -DROWS
   one whose kernel has no linear layout; and with -DKERNEL=... the image of that
   kernel, compiled by itself, or with -DLINEAR that layout of it, which counts by ten.
 */
#include "abi/image.h"

#include <stddef.h>

#ifdef KERNEL
static int *counter; /* of the other image */
#define ADDRESS &counter
#define TABLES .imports = 1
#else
static int value = 40, *counter = &value;
#define ADDRESS &value
#define KERNEL "count"
#define IMPORT "counter"
#define TABLES \
    .object = "BC and more", .object_bytes = 11, .options = "-O3\n-ftz=true\n"
#endif

#ifdef LINEAR
enum { STEP = 10 };
#define CODE .flags = HC_WARPS, .run = {NULL, run}
#elif defined ROWS
enum { STEP = 1 };
#define CODE .flags = HC_WARPS, .run = {run, NULL}
#elif defined UNLOADED
enum { STEP = 1 };
#define CODE .flags = HC_UNLOADED
#else
enum { STEP = 1 };
#define CODE .run = {run, run}
#endif

__attribute__((unused)) static void run(const hc_launch *launch, hc_frame *frame,
                                        uint64_t first, uint64_t last)
{
    for (; first < last; first++) {
        frame->index[0] = (uint32_t)first;
        **(int **)launch->params = *counter;
        *counter += STEP;
    }
}

static const hc_param params[] = {{0, 8, "int *"}};
static const hc_kernel kernels[] = {{KERNEL, CODE, .width = 32, .nparams = 1,
                                     .param_bytes = 8, .params = params,
                                     .shared_bytes = 64, .max_threads = 128}};
static const hc_global globals[] = {{IMPORT, ADDRESS, sizeof(int), HC_VARIABLE}};

__attribute__((visibility("default"))) const hc_image hostcuda_image = {
    .producer = "written by hand",
    .nkernels = 1,
    .nglobals = 1,
    .kernels = kernels,
    .globals = globals,
    TABLES,
};
