/* Devices: names, and answers about themselves. All are alike. */
#include <unistd.h>

#include "devices.h"
#include "entry.h"
#include "hostcuda/core/device_limits.h"

CUresult hd_device_find(CUdevice ordinal, hd_device **device)
{
    HD_FAIL_IF(ordinal < 0 || (unsigned)ordinal >= hd.ndevices,
               CUDA_ERROR_INVALID_DEVICE, "there is no device %d, only 0 to %u",
               ordinal, hd.ndevices - 1);
    *device = &hd.devices[ordinal];
    return CUDA_SUCCESS;
}

/* -- Attributes -------------------------------------------------------------------- */

#define ATTRIBUTE(name) [CU_DEVICE_ATTRIBUTE_##name]
#define ATTRIBUTE_COUNT \
    (CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED + 1)

/* An attribute that is not listed is 0, not supported. A few depend on the machine, see
   below. */
static const int attributes[ATTRIBUTE_COUNT] = {
    ATTRIBUTE(MAX_THREADS_PER_BLOCK) = HD_THREADS_MAX,
    ATTRIBUTE(MAX_BLOCK_DIM_X) = HD_THREADS_MAX,
    ATTRIBUTE(MAX_BLOCK_DIM_Y) = HD_THREADS_MAX,
    ATTRIBUTE(MAX_BLOCK_DIM_Z) = HD_BLOCK_Z_MAX,
    ATTRIBUTE(MAX_GRID_DIM_X) = HD_GRID_X_MAX,
    ATTRIBUTE(MAX_GRID_DIM_Y) = HD_GRID_YZ_MAX,
    ATTRIBUTE(MAX_GRID_DIM_Z) = HD_GRID_YZ_MAX,
    ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK) = HD_SHARED_DEFAULT,
    ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) = HD_SHARED_MAX,
    ATTRIBUTE(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) = HD_SHARED_MULTIPROCESSOR,
    ATTRIBUTE(RESERVED_SHARED_MEMORY_PER_BLOCK) = HD_SHARED_RESERVED,
    ATTRIBUTE(TOTAL_CONSTANT_MEMORY) = 64 << 10,
    ATTRIBUTE(WARP_SIZE) = 32,
    ATTRIBUTE(MAX_PITCH) = 0x7fffffff,
    ATTRIBUTE(MAX_REGISTERS_PER_BLOCK) = 64 << 10,
    ATTRIBUTE(MAX_REGISTERS_PER_MULTIPROCESSOR) = 64 << 10,
    ATTRIBUTE(MAX_THREADS_PER_MULTIPROCESSOR) = HD_THREADS_MAX,
    ATTRIBUTE(MAX_BLOCKS_PER_MULTIPROCESSOR) = HD_BLOCKS_MULTIPROCESSOR,
    ATTRIBUTE(TEXTURE_ALIGNMENT) = HD_TEXTURE_ALIGNMENT,
    ATTRIBUTE(TEXTURE_PITCH_ALIGNMENT) = HD_TEXTURE_PITCH_ALIGNMENT,
    ATTRIBUTE(SURFACE_ALIGNMENT) = HD_TEXTURE_ALIGNMENT,
    ATTRIBUTE(GPU_OVERLAP) = 1,
    ATTRIBUTE(ASYNC_ENGINE_COUNT) = 2,
    ATTRIBUTE(CONCURRENT_KERNELS) = 1,
    ATTRIBUTE(STREAM_PRIORITIES_SUPPORTED) = 1,
    ATTRIBUTE(INTEGRATED) = 1,
    ATTRIBUTE(CAN_MAP_HOST_MEMORY) = 1,
    ATTRIBUTE(UNIFIED_ADDRESSING) = 1,
    ATTRIBUTE(MANAGED_MEMORY) = 1,
    ATTRIBUTE(CONCURRENT_MANAGED_ACCESS) = 1,
    ATTRIBUTE(PAGEABLE_MEMORY_ACCESS) = 1,
    ATTRIBUTE(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) = 1,
    ATTRIBUTE(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST) = 1,
    ATTRIBUTE(HOST_NATIVE_ATOMIC_SUPPORTED) = 1,
    ATTRIBUTE(HOST_REGISTER_SUPPORTED) = 1,
    ATTRIBUTE(READ_ONLY_HOST_REGISTER_SUPPORTED) = 1,
    ATTRIBUTE(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM) = 1,
    ATTRIBUTE(COOPERATIVE_LAUNCH) = 1,
    ATTRIBUTE(MEMORY_POOLS_SUPPORTED) = 1,
    ATTRIBUTE(CAN_USE_64_BIT_STREAM_MEM_OPS) = 1,
    ATTRIBUTE(CAN_USE_STREAM_WAIT_VALUE_NOR) = 1,
    ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR) = HD_CAPABILITY / 10,
    ATTRIBUTE(COMPUTE_CAPABILITY_MINOR) = HD_CAPABILITY % 10,
    ATTRIBUTE(GLOBAL_L1_CACHE_SUPPORTED) = 1,
    ATTRIBUTE(LOCAL_L1_CACHE_SUPPORTED) = 1,
    ATTRIBUTE(GLOBAL_MEMORY_BUS_WIDTH) = 128,
    ATTRIBUTE(MEMORY_CLOCK_RATE) = 3200000, /* kHz; the system does not tell */
    ATTRIBUTE(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO) = 2,
    ATTRIBUTE(MULTI_GPU_BOARD_GROUP_ID) = 0,
    ATTRIBUTE(UNIFIED_FUNCTION_POINTERS) = 1,
    ATTRIBUTE(NUMA_ID) = -1,
    ATTRIBUTE(HOST_NUMA_ID) = -1,
    ATTRIBUTE(MAXIMUM_TEXTURE1D_WIDTH) = 131072,
    ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_WIDTH) = 32768,
    ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_LAYERS) = 2048,
    ATTRIBUTE(MAXIMUM_TEXTURE1D_LINEAR_WIDTH) = HD_TEXTURE_LINEAR_MAX,
    ATTRIBUTE(MAXIMUM_TEXTURE2D_WIDTH) = 131072,
    ATTRIBUTE(MAXIMUM_TEXTURE2D_HEIGHT) = 65536,
    ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_WIDTH) = 32768,
    ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT) = 32768,
    ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_LAYERS) = 2048,
    ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_WIDTH) = HD_TEXTURE_PITCHED_MAX,
    ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT) = 65000,
    ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_PITCH) = 2097120,
    ATTRIBUTE(MAXIMUM_TEXTURE3D_WIDTH) = 16384,
    ATTRIBUTE(MAXIMUM_TEXTURE3D_HEIGHT) = 16384,
    ATTRIBUTE(MAXIMUM_TEXTURE3D_DEPTH) = 16384,
};

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice ordinal)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_REFUSE_IF(!value || attribute <= 0 || attribute >= ATTRIBUTE_COUNT,
                 "%d is not a device attribute", (int)attribute);
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = hd.nthreads;
        break;
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
        *value = ordinal + 1;
        break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
        *value = hd.clock_khz;
        break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: {
        long size = sysconf(_SC_LEVEL2_CACHE_SIZE);
        *value = size > 0 ? size : 1 << 20;
        break;
    }
    default:
        *value = attributes[attribute];
    }
    return CUDA_SUCCESS;
}

/* -- Names and numbers ------------------------------------------------------------- */

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice ordinal)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_NEED(major && minor);
    *major = HD_CAPABILITY / 10;
    *minor = HD_CAPABILITY % 10;
    return CUDA_SUCCESS;
}

HD_QUESTION(cuDeviceGetCount, (int *answer), HD_ENTER(), hd.ndevices)
HD_QUESTION(cuDeviceGet, (CUdevice * answer, int ordinal),
            HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device)), ordinal)

CUresult cuDeviceGetName(char *name, int size, CUdevice ordinal)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_NEED(name && size > 0);
    snprintf(name, size, "%s", hd.name);
    return CUDA_SUCCESS;
}

HD_QUESTION(cuDeviceTotalMem_v2, (size_t *answer, CUdevice ordinal),
            HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device)),
            hd.memory)

/* The same in every process of a machine: FNV-1a of host name and ordinal. */
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice ordinal)
{
    char host[65] = "";
    uint64_t hash = 0xcbf29ce484222325u;
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_NEED(uuid);
    gethostname(host, sizeof host - 1);
    for (unsigned i = 0; i < sizeof uuid->bytes; i++) {
        for (const char *c = host; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
        hash = (hash ^ (unsigned)ordinal) * 0x100000001b3u;
        uuid->bytes[i] = (char)(hash >> 32);
    }
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice ordinal)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_REFUSE_IF(!text || size < 13, "a PCI bus id needs 13 bytes, not %d", size);
    snprintf(text, size, "0000:%02x:00.0", (unsigned)(ordinal + 1) & 0xff);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *handle, const char *text)
{
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    HD_ENTER();
    HD_NEED(handle && text);
    if (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
        domain = function = 0;
        HD_REFUSE_IF(sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2,
                     "\"%s\" is not a PCI bus id", text);
    }
    HD_FAIL_IF(domain != 0 || slot != 0 || function != 0 || bus == 0 ||
                   bus > hd.ndevices,
               CUDA_ERROR_INVALID_DEVICE, "no device has the PCI bus id \"%s\"", text);
    *handle = (CUdevice)bus - 1;
    return CUDA_SUCCESS;
}

/* -- Peers ------------------------------------------------------------------------- */

CUresult cuDeviceCanAccessPeer(int *can, CUdevice ordinal, CUdevice other)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_TRY(hd_device_find(other, &device));
    HD_ANSWER(can, ordinal != other);
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute,
                                 CUdevice ordinal, CUdevice other)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_TRY(hd_device_find(other, &device));
    HD_FAIL_IF(ordinal == other, CUDA_ERROR_INVALID_DEVICE,
               "a device is no peer of itself");
    HD_NEED(value && attribute >= CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK &&
            attribute <= CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED);
    *value = attribute != CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK &&
             attribute != CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED;
    return CUDA_SUCCESS;
}
