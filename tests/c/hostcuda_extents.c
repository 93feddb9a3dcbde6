/* Extreme numbers in copies of boxes, fills and pitches: what is accepted lies inside
   of its allocation, computed here without overflow. EXTENTS_SEED repeats a run. */
#include <time.h>

#include "hostcuda_test.h"

enum { ROUNDS = 200000, SIZE = 1 << 17 }; /* a mapping of its own */

static uint64_t dice;
static CUdeviceptr memory[2];

static unsigned below(unsigned limit)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(dice >> 33) % limit;
}

/* Mostly numbers that a box has, else ones whose products overflow. */
static size_t number(void)
{
    static const size_t small[] = {0, 1, 2, 3, 4, 16, 64, 100, 256};
    static const size_t large[] = {
        SIZE_MAX,        SIZE_MAX / 2,    SIZE_MAX / 3,    (size_t)1 << 63,
        (size_t)1 << 62, (size_t)1 << 57, (size_t)1 << 33, (size_t)1 << 32,
        (size_t)1 << 31, 65535,           65536,           0xaaaaaaaaaaaaaaab};
    size_t drawn = below(5) ? small[below(9)] : large[below(12)];
    return below(20) ? drawn : drawn - 1;
}

/* a * b + c, or SIZE_MAX where that is more */
static size_t fused(size_t a, size_t b, size_t c)
{
    size_t sum = 0;
    return __builtin_mul_overflow(a, b, &sum) || __builtin_add_overflow(sum, c, &sum)
               ? SIZE_MAX
               : sum;
}

/* Whether all of the box is in one of the two allocations; it may begin far behind its
   base. */
static int inside(CUdeviceptr base, size_t x, size_t y, size_t z, size_t pitch,
                  size_t height, size_t width, size_t rows, size_t slices)
{
    if (height == 0)
        height = fused(1, y, rows);
    if (pitch == 0)
        pitch = fused(1, x, width);
    size_t slice = fused(pitch, height, 0);
    size_t start = fused(z, slice, fused(y, pitch, x));
    size_t end = fused(fused(1, z, slices - 1), slice,
                       fused(fused(1, y, rows - 1), pitch, fused(1, x, width)));
    for (int k = 0; k < 2; k++) {
        if (fused(1, base, start) >= memory[k] &&
            fused(1, base, end) <= memory[k] + SIZE)
            return 1;
    }
    return 0;
}

static void copies(void)
{
    unsigned accepted = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                             .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                             .srcDevice = memory[0],
                             .dstDevice = memory[1]};
        box.WidthInBytes = number();
        box.Height = number();
        box.Depth = number();
        box.srcXInBytes = below(3) ? 0 : number();
        box.srcY = below(3) ? 0 : number();
        box.srcZ = below(3) ? 0 : number();
        box.srcPitch = below(4) ? 256 : number();
        box.srcHeight = below(4) ? 16 : number();
        box.dstXInBytes = below(3) ? 0 : number();
        box.dstY = below(3) ? 0 : number();
        box.dstZ = below(3) ? 0 : number();
        box.dstPitch = below(4) ? 256 : number();
        box.dstHeight = below(4) ? 16 : number();
        int empty = box.WidthInBytes == 0 || box.Height == 0 || box.Depth == 0;
        if (cuMemcpy3D_v2(&box) != CUDA_SUCCESS || empty)
            continue;
        accepted++;
        int good = inside(memory[0], box.srcXInBytes, box.srcY, box.srcZ, box.srcPitch,
                          box.srcHeight, box.WidthInBytes, box.Height, box.Depth) &&
                   inside(memory[1], box.dstXInBytes, box.dstY, box.dstZ, box.dstPitch,
                          box.dstHeight, box.WidthInBytes, box.Height, box.Depth);
        CHECK(good);
        if (!good)
            fprintf(stderr,
                    "box %zu x %zu x %zu, from %zu %zu %zu by %zu %zu, to %zu %zu %zu "
                    "by %zu %zu\n",
                    box.WidthInBytes, box.Height, box.Depth, box.srcXInBytes, box.srcY,
                    box.srcZ, box.srcPitch, box.srcHeight, box.dstXInBytes, box.dstY,
                    box.dstZ, box.dstPitch, box.dstHeight);
    }
    CHECK(accepted > ROUNDS / 100);
    /* Products of three numbers that are 0 modulo 2^128 */
    CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                         .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                         .srcDevice = memory[0],
                         .dstDevice = memory[1],
                         .srcZ = 4,
                         .srcPitch = (size_t)1 << 63,
                         .srcHeight = (size_t)1 << 63,
                         .dstPitch = 16,
                         .WidthInBytes = 16,
                         .Height = 1,
                         .Depth = 1};
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D_v2(&box));
    box.srcZ = 0;
    box.Depth = 5;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D_v2(&box));
}

static void fills(void)
{
    unsigned accepted = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t pitch = below(3) ? 256 : number(), width = number(), height = number();
        unsigned kind = below(6);
        size_t element = (size_t)1 << kind % 3, bytes = fused(width, element, 0);
        CUresult status =
            kind == 0   ? cuMemsetD2D8_v2(memory[0], pitch, 1, width, height)
            : kind == 1 ? cuMemsetD2D16_v2(memory[0], pitch, 1, width, height)
            : kind == 2 ? cuMemsetD2D32_v2(memory[0], pitch, 1, width, height)
            : kind == 3 ? cuMemsetD8_v2(memory[0], 1, width)
            : kind == 4 ? cuMemsetD16_v2(memory[0], 1, width)
                        : cuMemsetD32_v2(memory[0], 1, width);
        if (status != CUDA_SUCCESS || width == 0 || (kind < 3 && height == 0))
            continue;
        accepted++;
        CHECK(inside(memory[0], 0, 0, 0, kind < 3 ? pitch : 0, 0, bytes,
                     kind < 3 ? height : 1, 1));
    }
    CHECK(accepted > ROUNDS / 100);
}

/* Pitches, arrays, ranges: an answer, and no allocation that is smaller than asked. */
static void allocations(void)
{
    for (unsigned i = 0; i < ROUNDS / 20; i++) {
        CUdeviceptr made = 0;
        CUarray array = NULL;
        size_t pitch = 0, size = 0, width = number(), height = number();
        if (cuMemAllocPitch_v2(&made, &pitch, width, height, 4) == CUDA_SUCCESS) {
            OK(cuMemGetAddressRange_v2(NULL, &size, made));
            CHECK(pitch >= width && fused(pitch, height, 0) <= size);
            OK(cuMemFree_v2(made));
        }
        CUDA_ARRAY3D_DESCRIPTOR wanted = {.Width = width,
                                          .Height = height,
                                          .Depth = number(),
                                          .Format = CU_AD_FORMAT_FLOAT,
                                          .NumChannels = 4};
        if (cuArray3DCreate_v2(&array, &wanted) == CUDA_SUCCESS) {
            CHECK(width < SIZE_MAX / 16 &&
                  fused(fused(width * 16, height ? height : 1, 0),
                        wanted.Depth ? wanted.Depth : 1, 0) <= 64 << 20);
            OK(cuArrayDestroy(array));
        }
    }
}

int main(void)
{
    CUcontext context = NULL;
    const char *seed = getenv("EXTENTS_SEED");
    dice = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    printf("EXTENTS_SEED=%llu\n", (unsigned long long)dice);
    setenv("HOSTCUDA_MEMORY", "64M", 1);
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuMemAlloc_v2(&memory[0], SIZE));
    OK(cuMemAlloc_v2(&memory[1], SIZE));
    copies();
    fills();
    allocations();
    OK(cuCtxDestroy_v2(context));
    return report();
}
