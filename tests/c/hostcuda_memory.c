/* Memory and copies: allocation of every kind, bounds, pointer attributes, every form
   of copy and fill against the same done by hand. */
#include <sys/mman.h>

#include "hostcuda_test.h"

#define MIB (1 << 20)
#define LIMIT (64 * MIB)

/* -- Allocation -------------------------------------------------------------------- */

static void allocation(void)
{
    CUdeviceptr address[200], base = 0;
    size_t free_before = 0, free_after = 0, total = 0, size = 0;
    OK(cuMemGetInfo_v2(&free_before, &total));
    CHECK(total == LIMIT && free_before == LIMIT);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(&base, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(NULL, 1));
    EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&base, LIMIT + 1));
    DETAIL("67108865 bytes asked for, 67108864 of 67108864 are free on device 0");
    EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&base, SIZE_MAX));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 200; i++) {
            OK(cuMemAlloc_v2(&address[i], (size_t)(i * i * 7 + 1)));
            CHECK(address[i] % 256 == 0);
            OK(cuMemsetD8_v2(address[i], (unsigned char)i, (size_t)(i * i * 7 + 1)));
            EXPECT(CUDA_ERROR_INVALID_VALUE,
                   cuMemsetD8_v2(address[i], 0, (size_t)(i * i * 7 + 2)));
        }
        for (int i = 0; i < 200; i++) {
            unsigned char last = 0;
            size_t offset = (size_t)(i * i * 7);
            OK(cuMemcpyDtoH_v2(&last, address[i] + offset, 1));
            CHECK(last == (unsigned char)i);
            OK(cuMemGetAddressRange_v2(&base, &size, address[i] + offset));
            CHECK(base == address[i] && size == offset + 1);
            EXPECT(CUDA_ERROR_NOT_FOUND,
                   cuMemGetAddressRange_v2(&base, &size, address[i] + offset + 1));
        }
        for (int i = 199; i >= 0; i -= 1 + round)
            OK(cuMemFree_v2(address[i]));
        for (int i = 0; i < 200; i++)
            cuMemFree_v2(address[i]);
        EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address[round]));
    }
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(0));
    OK(cuMemAlloc_v2(&base, LIMIT));
    EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address[0], 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(base + 256));
    DETAIL("is not the start of an allocation");
    OK(cuMemFree_v2(base));
    OK(cuMemGetInfo_v2(&free_after, NULL));
    CHECK(free_after == free_before);
    OK(cuMemAllocPitch_v2(&base, &size, 1000, 10, 4));
    CHECK(size == 1024);
    OK(cuMemsetD8_v2(base, 0, 10240));
    OK(cuMemFree_v2(base));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch_v2(&base, &size, 1000, 10, 3));
    EXPECT(CUDA_ERROR_OUT_OF_MEMORY,
           cuMemAllocPitch_v2(&base, &size, SIZE_MAX / 2, 10, 4));
}

static void host_memory(void)
{
    static char ours[10000];
    void *pinned = NULL;
    CUdeviceptr address = 0, managed = 0;
    unsigned flags = 99;
    OK(cuMemHostAlloc(&pinned, 5000, CU_MEMHOSTALLOC_PORTABLE));
    memset(pinned, 3, 5000);
    OK(cuMemHostGetFlags(&flags, (char *)pinned + 10));
    CHECK(flags == CU_MEMHOSTALLOC_PORTABLE);
    OK(cuMemHostGetDevicePointer_v2(&address, pinned, 0));
    OK(cuMemsetD8_v2(address, 9, 5000));
    CHECK(((char *)pinned)[4999] == 9);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address));
    OK(cuMemFreeHost(pinned));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(pinned));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&pinned, 0, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&pinned, 1, 0x100));
    OK(cuMemHostRegister_v2(ours, sizeof ours, 0));
    EXPECT(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
           cuMemHostRegister_v2(ours + 9000, 2000, 0));
    OK(cuMemHostGetDevicePointer_v2(&address, ours + 7, 0));
    CHECK(address == (CUdeviceptr)(uintptr_t)(ours + 7));
    OK(cuMemHostUnregister(ours));
    EXPECT(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(ours));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostUnregister(NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2(&address, ours, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&managed, 100, 0));
    OK(cuMemAllocManaged(&managed, 100, CU_MEM_ATTACH_GLOBAL));
    memset((void *)(uintptr_t)managed, 1, 100);
    OK(cuMemsetD8_v2(managed, 4, 100));
    CHECK(((char *)(uintptr_t)managed)[99] == 4);
    OK(cuMemAdvise(managed, 100, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 0));
    OK(cuMemPrefetchAsync(managed, 100, CU_DEVICE_CPU, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(managed, 101, 0, NULL));
    EXPECT(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(managed, 100, 7, NULL));
    OK(cuStreamAttachMemAsync(NULL, managed, 0, CU_MEM_ATTACH_HOST));
    OK(cuMemFree_v2(managed));
}

/* Registered memory that the program gave back without telling does not stand in the
 * way. */
static void forgotten(void)
{
    CUdeviceptr blocks[7] = {0};
    int taken = 0; /* by new memory of ours */
    void *map = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CUdeviceptr first = (uintptr_t)map;
    CHECK(map != MAP_FAILED);
    OK(cuMemHostRegister_v2(map, 32 * MIB, 0));
    munmap(map, 32 * MIB);
    for (size_t i = 0; i < 7; i++) {
        OK(cuMemAlloc_v2(&blocks[i], 8 * MIB));
        OK(cuMemsetD8_v2(blocks[i], 1, 8 * MIB));
        taken |= blocks[i] < first + 32 * MIB && blocks[i] + 8 * MIB > first;
    }
    for (size_t i = 0; i < 7; i++)
        OK(cuMemFree_v2(blocks[i]));
    EXPECT(taken ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : CUDA_SUCCESS,
           cuMemHostUnregister(map));
}

static const struct {
    CUpointer_attribute attribute;
    size_t size;
    int device, host, managed; /* 1: the pointer itself; otherwise the value */
} pointer_rows[] = {
    {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 4, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST,
     CU_MEMORYTYPE_DEVICE},
    {CU_POINTER_ATTRIBUTE_IS_MANAGED, 1, 0, 0, 1},
    {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 4, 0, 0, 0},
    {CU_POINTER_ATTRIBUTE_RANGE_SIZE, 8, 512, 512, 512},
    {CU_POINTER_ATTRIBUTE_MAPPED, 1, 1, 1, 1},
    {CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, 4, 3, 3, 3},
    {CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 1, 0, 0, 0},
    {CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, 8, 0, 0, 0},
};

static void pointer_attributes(void)
{
    CUdeviceptr device = 0, managed = 0, got = 0;
    CUcontext owner = NULL, current = NULL;
    void *host = NULL;
    int ordinal = 0;
    unsigned type = 9;
    OK(cuMemAlloc_v2(&device, 512));
    OK(cuMemAllocManaged(&managed, 512, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemHostAlloc(&host, 512, 0));
    for (size_t i = 0; i < sizeof pointer_rows / sizeof *pointer_rows; i++) {
        const CUdeviceptr pointers[3] = {device, (uintptr_t)host, managed};
        const int expected[3] = {pointer_rows[i].device, pointer_rows[i].host,
                                 pointer_rows[i].managed};
        for (int p = 0; p < 3; p++) {
            unsigned long long value = 0, other = 0;
            void *others[] = {&other};
            CUpointer_attribute attribute = pointer_rows[i].attribute;
            OK(cuPointerGetAttribute(&value, attribute, pointers[p] + 100));
            OK(cuPointerGetAttributes(1, &attribute, others, pointers[p] + 100));
            CHECK(value == (unsigned)expected[p] && other == value);
        }
    }
    OK(cuPointerGetAttribute(&got, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 5));
    CHECK(got == device);
    OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, device));
    OK(cuCtxGetCurrent(&current));
    CHECK(owner == current);
    cuuint64_t ids[2] = {0, 0};
    OK(cuPointerGetAttribute(&ids[0], CU_POINTER_ATTRIBUTE_BUFFER_ID, device));
    OK(cuPointerGetAttribute(&ids[1], CU_POINTER_ATTRIBUTE_BUFFER_ID, managed));
    CHECK(ids[0] != 0 && ids[1] > ids[0]);
    OK(cuPointerSetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
    EXPECT(
        CUDA_ERROR_INVALID_VALUE,
        cuPointerSetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device + 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuPointerGetAttribute(&got, CU_POINTER_ATTRIBUTE_P2P_TOKENS, device));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuPointerGetAttribute(&got, CU_POINTER_ATTRIBUTE_HOST_POINTER, device));
    EXPECT(
        CUDA_ERROR_INVALID_VALUE,
        cuPointerGetAttribute(&got, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)&got));
    CUpointer_attribute both[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                  CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    OK(cuPointerGetAttributes(2, both, (void *[]){&ordinal, &type}, (uintptr_t)&got));
    CHECK(ordinal == -2 && type == 0);
    OK(cuMemFree_v2(device));
    OK(cuMemFree_v2(managed));
    OK(cuMemFreeHost(host));
}

/* -- Copies ------------------------------------------------------------------------ */

static unsigned char pattern[3 * MIB], back[3 * MIB];

static void linear(void)
{
    static const size_t sizes[] = {1, 3, 4096, 65537, 300000, 3 * MIB};
    CUdeviceptr a = 0, b = 0;
    CUstream stream = NULL;
    CUcontext current = NULL;
    void *pinned = NULL;
    OK(cuMemAlloc_v2(&a, 3 * MIB));
    OK(cuMemAlloc_v2(&b, 3 * MIB));
    OK(cuMemAllocHost_v2(&pinned, 3 * MIB));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuCtxGetCurrent(&current));
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (unsigned char)(i * 31 + i / 257);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s], shift = n < sizeof pattern ? 1 : 0;
#define AGAIN(...)      \
    memset(back, 0, n); \
    __VA_ARGS__;        \
    CHECK(memcmp(back, pattern + shift, n) == 0)
        OK(cuMemsetD8_v2(b, 0, 3 * MIB));
        AGAIN(OK(cuMemcpyHtoD_v2(a, pattern + shift, n)), OK(cuMemcpyDtoD_v2(b, a, n)),
              OK(cuMemcpyDtoH_v2(back, b, n)));
        AGAIN(OK(cuMemcpy(a, (uintptr_t)(pattern + shift), n)),
              OK(cuMemcpy((uintptr_t)back, a, n)));
        AGAIN(OK(cuMemcpyHtoDAsync_v2(a, pattern + shift, n, stream)),
              OK(cuMemcpyDtoDAsync_v2(b, a, n, stream)),
              OK(cuMemcpyDtoHAsync_v2(back, b, n, stream)));
        AGAIN(memcpy(pinned, pattern + shift, n),
              OK(cuMemcpyHtoDAsync_v2(a, pinned, n, stream)),
              OK(cuMemcpyAsync(b, a, n, stream)),
              OK(cuMemcpyDtoHAsync_v2(pinned, b, n, stream)),
              OK(cuStreamSynchronize(stream)), memcpy(back, pinned, n));
        AGAIN(OK(cuMemcpyPeer(b, current, a, current, n)),
              OK(cuMemcpyPeerAsync(a, current, b, current, n, stream)),
              OK(cuMemcpyDtoHAsync_v2(back, a, n, stream)));
        EXPECT(CUDA_ERROR_INVALID_VALUE,
               cuMemcpyHtoD_v2(a + 3 * MIB - n + 1, pattern, n));
        EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(back, b + 3 * MIB - n + 1, n));
        EXPECT(CUDA_ERROR_INVALID_VALUE,
               cuMemcpyHtoDAsync_v2(a, (char *)pinned + 3 * MIB - n + 1, n, stream));
    }
    OK(cuMemcpyHtoD_v2(a, pattern, 0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(0, pattern, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a, NULL, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2((uintptr_t)back, pattern, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a, pattern, SIZE_MAX));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuMemcpyHtoD_v2(a, (void *)0x10000, 8)); /* unmapped */
    DETAIL("copy: invalid access at address 0x1000");
    OK(cuCtxSynchronize()); /* nothing sticks */
    EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(b, NULL, a, current, 4));
    OK(cuMemFree_v2(a));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a, pattern, 1));
    DETAIL("1 bytes at");
    OK(cuMemFree_v2(b));
    OK(cuMemFreeHost(pinned));
    OK(cuStreamDestroy_v2(stream));
}

/* One box: from a 3-D host block through device memory or an array and back to another
 * place. */
static void boxes(void)
{
    enum { W = 60, H = 20, D = 6 };
    static const struct {
        size_t width, height, depth;
    } shapes[] = {{1, 1, 1},   {16, 1, 1}, {16, 7, 1},
                  {60, 20, 6}, {60, 5, 2}, {13, 9, 4}};
    static unsigned char expected[W * H * D];
    CUdeviceptr device = 0;
    CUarray array = NULL;
    CUstream stream = NULL;
    CUDA_ARRAY3D_DESCRIPTOR shape = {W / 4, H, D, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};
    OK(cuMemAlloc_v2(&device, W * H * D));
    OK(cuArray3DCreate_v2(&array, &shape));
    OK(cuStreamCreate(&stream, 0));
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int through = 0; through < 2; through++) {
            size_t w = shapes[s].width, h = shapes[s].height, d = shapes[s].depth;
            size_t x = W - w, y = H - h, z = D - d;
            CUDA_MEMCPY3D in = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                .srcHost = pattern,
                                .srcPitch = W,
                                .srcHeight = H,
                                .dstMemoryType = through ? CU_MEMORYTYPE_ARRAY
                                                         : CU_MEMORYTYPE_DEVICE,
                                .dstDevice = device,
                                .dstArray = array,
                                .dstPitch = W,
                                .dstHeight = H,
                                .dstXInBytes = x,
                                .dstY = y,
                                .dstZ = z,
                                .WidthInBytes = w,
                                .Height = h,
                                .Depth = d};
            CUDA_MEMCPY3D out = {.srcMemoryType = in.dstMemoryType,
                                 .srcDevice = device,
                                 .srcArray = array,
                                 .srcPitch = W,
                                 .srcHeight = H,
                                 .srcXInBytes = x,
                                 .srcY = y,
                                 .srcZ = z,
                                 .dstMemoryType = CU_MEMORYTYPE_HOST,
                                 .dstHost = back,
                                 .dstPitch = W,
                                 .dstHeight = H,
                                 .dstXInBytes = x / 2,
                                 .dstY = y,
                                 .dstZ = z / 2,
                                 .WidthInBytes = w,
                                 .Height = h,
                                 .Depth = d};
            memset(back, 0, W * H * D);
            memset(expected, 0, sizeof expected);
            for (size_t k = 0; k < d; k++) {
                for (size_t j = 0; j < h; j++)
                    memcpy(expected + ((k + z / 2) * H + j + y) * W + x / 2,
                           pattern + (k * H + j) * W, w);
            }
            OK(cuMemcpy3D_v2(&in));
            OK(s % 2 ? cuMemcpy3DAsync_v2(&out, stream) : cuMemcpy3D_v2(&out));
            CHECK(memcmp(back, expected, sizeof expected) == 0);
            in.Depth = d + 1;
            EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D_v2(&in));
            in.Depth = SIZE_MAX;
            EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D_v2(&in));
            if (d > 1)
                continue;
            CUDA_MEMCPY2D flat = {.srcMemoryType = in.srcMemoryType,
                                  .srcHost = pattern + 5,
                                  .srcPitch = W,
                                  .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                  .dstDevice = device,
                                  .dstPitch = W,
                                  .dstXInBytes = x,
                                  .dstY = y,
                                  .WidthInBytes = w,
                                  .Height = h};
            OK(s % 2 ? cuMemcpy2D_v2(&flat) : cuMemcpy2DUnaligned_v2(&flat));
            OK(cuMemcpyDtoH_v2(back, device, W * H));
            int bad = 0;
            for (size_t j = 0; j < h; j++)
                bad += memcmp(back + (y + j) * W + x, pattern + 5 + j * W, w) != 0;
            CHECK(bad == 0);
            flat.dstPitch = w + x - 1;
            EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&flat));
        }
    }
    OK(cuMemFree_v2(device));
    OK(cuArrayDestroy(array));
    OK(cuStreamDestroy_v2(stream));
}

static void arrays(void)
{
    CUDA_ARRAY_DESCRIPTOR line = {100, 0, CU_AD_FORMAT_FLOAT, 1}, got;
    CUDA_ARRAY3D_DESCRIPTOR full;
    CUarray a = NULL, b = NULL;
    CUdeviceptr device = 0;
    OK(cuMemAlloc_v2(&device, 400));
    OK(cuArrayCreate_v2(&a, &line));
    OK(cuArrayCreate_v2(&b, &line));
    OK(cuArrayGetDescriptor_v2(&got, a));
    CHECK(memcmp(&got, &line, sizeof got) == 0);
    OK(cuArray3DGetDescriptor_v2(&full, a));
    CHECK(full.Width == 100 && full.Depth == 0);
    OK(cuMemcpyHtoA_v2(a, 8, pattern, 392));
    OK(cuMemcpyAtoA_v2(b, 8, a, 8, 392));
    OK(cuMemcpyAtoD_v2(device, b, 8, 392));
    OK(cuMemcpyDtoA_v2(a, 0, device, 392));
    memset(back, 0, 400);
    OK(cuMemcpyAtoH_v2(back, a, 0, 392));
    CHECK(memcmp(back, pattern, 392) == 0);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA_v2(a, 8, pattern, 393));
    line.NumChannels = 3;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayCreate_v2(&b, &line));
    line = (CUDA_ARRAY_DESCRIPTOR){SIZE_MAX / 2, 8, CU_AD_FORMAT_FLOAT, 1};
    EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuArrayCreate_v2(&b, &line));
    OK(cuArrayDestroy(a));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(a));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuMemcpyAtoH_v2(back, a, 0, 1));
    OK(cuArrayDestroy(b));
    OK(cuMemFree_v2(device));
}

static void fills(void)
{
    CUdeviceptr device = 0;
    CUstream stream = NULL;
    OK(cuMemAlloc_v2(&device, MIB));
    OK(cuStreamCreate(&stream, 0));
    OK(cuMemsetD8_v2(device, 0, MIB));
    OK(cuMemsetD8_v2(device + 1, 7, 3));
    OK(cuMemsetD16_v2(device + 16, 0x1234, 5));
    OK(cuMemsetD32_v2(device + 32, 0x12345678, 3));
    OK(cuMemsetD2D8_v2(device + 64, 16, 9, 3, 4));
    OK(cuMemsetD2D16Async(device + 128, 16, 0xabcd, 2, 3, stream));
    OK(cuMemsetD2D32Async(device + 256, 32, 0xdeadbeef, 2, 3, stream));
    OK(cuMemsetD32Async(device + MIB / 2, 5, MIB / 8, stream));
    OK(cuMemcpyDtoH_v2(back, device, MIB));
    CHECK(back[0] == 0 && back[1] == 7 && back[3] == 7 && back[4] == 0);
    CHECK(back[16] == 0x34 && back[25] == 0x12 && back[26] == 0);
    CHECK(back[43] == 0x12 && back[44] == 0);
    CHECK(back[64] == 9 && back[66] == 9 && back[67] == 0 && back[112] == 9 &&
          back[128] == 0xcd);
    CHECK(back[160] == 0xcd && back[163] == 0xab && back[164] == 0 &&
          back[320] == 0xef);
    CHECK(back[MIB / 2] == 5 && back[MIB - 4] == 5 && back[MIB - 3] == 0);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(device + 2, 0, 1));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D16_v2(device, 15, 0, 2, 2));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8_v2(device, 4, 0, 5, 2));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(device, 0, SIZE_MAX / 2));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2((uintptr_t)back, 0, 1));
    OK(cuMemsetD8_v2(device, 0, 0));
    OK(cuMemFree_v2(device));
    OK(cuStreamDestroy_v2(stream));
}

/* Several copies in one call */
static void batch(void)
{
    CUdeviceptr memory = 0;
    CUstream stream = NULL;
    int one = 1, two = 2, found[2] = {0, 0};
    OK(cuStreamCreate(&stream, 0));
    OK(cuMemAlloc_v2(&memory, 8));
    CUdeviceptr to[] = {memory, memory + 4, (uintptr_t)found, (uintptr_t)(found + 1)};
    CUdeviceptr from[] = {(uintptr_t)&one, (uintptr_t)&two, memory + 4, memory};
    size_t sizes[] = {4, 4, 4, 4};
    OK(cuMemcpyBatchAsync_v2(to, from, sizes, 4, NULL, NULL, 0, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(found[0] == 2 && found[1] == 1);
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuMemcpyBatchAsync_v2(to, NULL, sizes, 4, NULL, NULL, 0, stream));
    OK(cuStreamDestroy_v2(stream));
    OK(cuMemFree_v2(memory));
}

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    setenv("HOSTCUDA_MEMORY", "64M", 1);
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    allocation();
    host_memory();
    forgotten();
    pointer_attributes();
    linear();
    boxes();
    arrays();
    fills();
    batch();
    OK(cuCtxDestroy_v2(context));
    return report();
}
