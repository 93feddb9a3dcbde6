/* The runtime API, for the host code that stands beside kernels in a file: its types,
   and its functions as declarations. hostcc compiles no host code, but reads it, since
   launches there say which kernels of a template a program has. What is missing here
   is an error in the signature of a function, and passed over in its body. */
#ifndef HOSTCC_RUNTIME_H
#define HOSTCC_RUNTIME_H

/* -- Errors -- */

enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorCudartUnloading = 4,
    cudaErrorProfilerDisabled = 5,
    cudaErrorProfilerNotInitialized = 6,
    cudaErrorProfilerAlreadyStarted = 7,
    cudaErrorProfilerAlreadyStopped = 8,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidHostPointer = 16,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidTexture = 18,
    cudaErrorInvalidTextureBinding = 19,
    cudaErrorInvalidChannelDescriptor = 20,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorAddressOfConstant = 22,
    cudaErrorTextureFetchFailed = 23,
    cudaErrorTextureNotBound = 24,
    cudaErrorSynchronizationError = 25,
    cudaErrorInvalidFilterSetting = 26,
    cudaErrorInvalidNormSetting = 27,
    cudaErrorMixedDeviceExecution = 28,
    cudaErrorNotYetImplemented = 31,
    cudaErrorMemoryValueTooLarge = 32,
    cudaErrorStubLibrary = 34,
    cudaErrorInsufficientDriver = 35,
    cudaErrorCallRequiresNewerDriver = 36,
    cudaErrorInvalidSurface = 37,
    cudaErrorDuplicateVariableName = 43,
    cudaErrorDuplicateTextureName = 44,
    cudaErrorDuplicateSurfaceName = 45,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorIncompatibleDriverContext = 49,
    cudaErrorMissingConfiguration = 52,
    cudaErrorPriorLaunchFailure = 53,
    cudaErrorLaunchMaxDepthExceeded = 65,
    cudaErrorLaunchFileScopedTex = 66,
    cudaErrorLaunchFileScopedSurf = 67,
    cudaErrorSyncDepthExceeded = 68,
    cudaErrorLaunchPendingCountExceeded = 69,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorDeviceNotLicensed = 102,
    cudaErrorSoftwareValidityNotEstablished = 103,
    cudaErrorStartupFailure = 127,
    cudaErrorInvalidKernelImage = 200,
    cudaErrorDeviceUninitialized = 201,
    cudaErrorMapBufferObjectFailed = 205,
    cudaErrorUnmapBufferObjectFailed = 206,
    cudaErrorArrayIsMapped = 207,
    cudaErrorAlreadyMapped = 208,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorAlreadyAcquired = 210,
    cudaErrorNotMapped = 211,
    cudaErrorNotMappedAsArray = 212,
    cudaErrorNotMappedAsPointer = 213,
    cudaErrorECCUncorrectable = 214,
    cudaErrorUnsupportedLimit = 215,
    cudaErrorDeviceAlreadyInUse = 216,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidPtx = 218,
    cudaErrorInvalidGraphicsContext = 219,
    cudaErrorNvlinkUncorrectable = 220,
    cudaErrorJitCompilerNotFound = 221,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorJitCompilationDisabled = 223,
    cudaErrorUnsupportedExecAffinity = 224,
    cudaErrorUnsupportedDevSideSync = 225,
    cudaErrorInvalidSource = 300,
    cudaErrorFileNotFound = 301,
    cudaErrorSharedObjectSymbolNotFound = 302,
    cudaErrorSharedObjectInitFailed = 303,
    cudaErrorOperatingSystem = 304,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorLossyQuery = 402,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorLaunchIncompatibleTexturing = 703,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorSetOnActiveProcess = 708,
    cudaErrorContextIsDestroyed = 709,
    cudaErrorAssert = 710,
    cudaErrorTooManyPeers = 711,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorHardwareStackError = 714,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorInvalidAddressSpace = 717,
    cudaErrorInvalidPc = 718,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorSystemNotReady = 802,
    cudaErrorSystemDriverMismatch = 803,
    cudaErrorCompatNotSupportedOnDevice = 804,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureMerge = 902,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
    cudaErrorStreamCaptureImplicit = 906,
    cudaErrorCapturedEvent = 907,
    cudaErrorStreamCaptureWrongThread = 908,
    cudaErrorTimeout = 909,
    cudaErrorGraphExecUpdateFailure = 910,
    cudaErrorExternalDevice = 911,
    cudaErrorInvalidClusterSize = 912,
    cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;

/* -- Handles -- */

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
typedef void (*cudaHostFn_t)(void *);
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

/* -- Words and records -- */

enum {
    cudaStreamDefault,
    cudaStreamNonBlocking,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterReadOnly = 8,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaDeviceLmemResizeToMax = 16,
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaIpcMemLazyEnablePeerAccess = 1,
    cudaOccupancyDefault = 0
};
enum cudaRoundMode {
    cudaRoundNearest,
    cudaRoundZero,
    cudaRoundPosInf,
    cudaRoundMinInf
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaAccessProperty {
    cudaAccessPropertyNormal,
    cudaAccessPropertyStreaming,
    cudaAccessPropertyPersisting
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost,
    cudaMemLocationTypeHostNuma,
    cudaMemLocationTypeHostNumaCurrent
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone,
    cudaStreamCaptureStatusActive,
    cudaStreamCaptureStatusInvalidated
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX,
    cudaDevAttrMaxBlockDimY,
    cudaDevAttrMaxBlockDimZ,
    cudaDevAttrMaxGridDimX,
    cudaDevAttrMaxGridDimY,
    cudaDevAttrMaxGridDimZ,
    cudaDevAttrMaxSharedMemoryPerBlock,
    cudaDevAttrTotalConstantMemory,
    cudaDevAttrWarpSize,
    cudaDevAttrMaxPitch,
    cudaDevAttrMaxRegistersPerBlock,
    cudaDevAttrClockRate,
    cudaDevAttrTextureAlignment,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout,
    cudaDevAttrIntegrated,
    cudaDevAttrCanMapHostMemory,
    cudaDevAttrComputeMode,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth,
    cudaDevAttrL2CacheSize,
    cudaDevAttrMaxThreadsPerMultiProcessor,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor,
    cudaDevAttrManagedMemory,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrMemoryPoolsSupported = 115
};

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin;
    size_t sharedMemPerMultiprocessor, reservedSharedMemPerBlock;
    size_t totalConstMem, memPitch, textureAlignment, texturePitchAlignment;
    int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock;
    int maxThreadsDim[3], maxGridSize[3], major, minor, multiProcessorCount;
    int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, l2CacheSize;
    int integrated, canMapHostMemory, concurrentKernels, ECCEnabled, asyncEngineCount;
    int pciBusID, pciDeviceID, pciDomainID, tccDriver, unifiedAddressing;
    int managedMemory, concurrentManagedAccess, pageableMemoryAccess;
    int cooperativeLaunch, memoryBusWidth, isMultiGpuBoard, multiGpuBoardGroupID;
    int maxTexture1D, maxTexture1DLinear, maxTexture2D[2], maxTexture3D[3];
    int persistingL2CacheMaxSize, accessPolicyMaxWindowSize, memoryPoolsSupported;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
struct cudaIpcMemHandle_t {
    char reserved[64];
};
struct cudaIpcEventHandle_t {
    char reserved[64];
};

/* -- Textures -- */

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaResourceViewDesc;

/* -- Launches -- */

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore,
    cudaLaunchAttributeAccessPolicyWindow,
    cudaLaunchAttributeCooperative,
    cudaLaunchAttributeSynchronizationPolicy,
    cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeClusterSchedulingPolicyPreference,
    cudaLaunchAttributeProgrammaticStreamSerialization,
    cudaLaunchAttributeProgrammaticEvent,
    cudaLaunchAttributePriority
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative, programmaticStreamSerializationAllowed, priority;
    struct {
        unsigned x, y, z;
    } clusterDim;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

/* clang looks for the first where it reads <<<...>>>. */
extern "C" {
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                              cudaStream_t = 0);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0,
                             cudaStream_t = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t = 0,
                                        cudaStream_t = 0);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, const void *);
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache);
cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int,
                                                          size_t);
}
/* Kernels are named without a cast there. What a kernel of a local type is given to
   has no linkage, and needs a body. */
#define __HC_API_OF(name, ...) \
    template <class T> cudaError_t name(__VA_ARGS__) { return {}; }
template <class... P, class... T>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(P...), T &&...)
{
    return {};
}
__HC_API_OF(cudaLaunchKernel, T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0)
__HC_API_OF(cudaLaunchCooperativeKernel, T *, dim3, dim3, void **, size_t = 0,
            cudaStream_t = 0)
__HC_API_OF(cudaFuncSetAttribute, T *, cudaFuncAttribute, int)
__HC_API_OF(cudaFuncGetAttributes, cudaFuncAttributes *, T *)
__HC_API_OF(cudaFuncSetCacheConfig, T *, cudaFuncCache)
__HC_API_OF(cudaFuncSetSharedMemConfig, T *, cudaSharedMemConfig)
__HC_API_OF(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *, T, int, size_t)
__HC_API_OF(cudaOccupancyMaxPotentialBlockSize, int *, int *, T, size_t = 0, int = 0)

/* -- The rest -- */

#define __HC_API(name, ...) extern "C" cudaError_t name(__VA_ARGS__);
__HC_API(cudaMalloc, void **, size_t)
__HC_API(cudaMallocHost, void **, size_t)
__HC_API(cudaMallocManaged, void **, size_t, unsigned = 1)
__HC_API(cudaMallocPitch, void **, size_t *, size_t, size_t)
__HC_API(cudaMallocAsync, void **, size_t, cudaStream_t)
__HC_API(cudaMallocArray, cudaArray_t *, const cudaChannelFormatDesc *, size_t,
         size_t = 0, unsigned = 0)
__HC_API(cudaMalloc3DArray, cudaArray_t *, const cudaChannelFormatDesc *, cudaExtent,
         unsigned = 0)
__HC_API(cudaHostAlloc, void **, size_t, unsigned)
__HC_API(cudaHostRegister, void *, size_t, unsigned)
__HC_API(cudaHostUnregister, void *)
__HC_API(cudaHostGetDevicePointer, void **, void *, unsigned)
__HC_API(cudaFree, void *)
__HC_API(cudaFreeHost, void *)
__HC_API(cudaFreeAsync, void *, cudaStream_t)
__HC_API(cudaFreeArray, cudaArray_t)
__HC_API(cudaMemGetInfo, size_t *, size_t *)
__HC_API(cudaMemcpy, void *, const void *, size_t, cudaMemcpyKind)
__HC_API(cudaMemcpyAsync, void *, const void *, size_t, cudaMemcpyKind,
         cudaStream_t = 0)
__HC_API(cudaMemcpyPeer, void *, int, const void *, int, size_t)
__HC_API(cudaMemcpyPeerAsync, void *, int, const void *, int, size_t, cudaStream_t = 0)
__HC_API(cudaMemcpy2D, void *, size_t, const void *, size_t, size_t, size_t,
         cudaMemcpyKind)
__HC_API(cudaMemcpy2DAsync, void *, size_t, const void *, size_t, size_t, size_t,
         cudaMemcpyKind, cudaStream_t = 0)
__HC_API(cudaMemcpy3D, const cudaMemcpy3DParms *)
__HC_API(cudaMemset, void *, int, size_t)
__HC_API(cudaMemsetAsync, void *, int, size_t, cudaStream_t = 0)
__HC_API(cudaMemset2D, void *, size_t, int, size_t, size_t)
__HC_API(cudaMemset2DAsync, void *, size_t, int, size_t, size_t, cudaStream_t = 0)
__HC_API(cudaPointerGetAttributes, cudaPointerAttributes *, const void *)
__HC_API(cudaIpcGetMemHandle, cudaIpcMemHandle_t *, void *)
__HC_API(cudaIpcOpenMemHandle, void **, cudaIpcMemHandle_t, unsigned)
__HC_API(cudaIpcCloseMemHandle, void *)
__HC_API(cudaSetDevice, int)
__HC_API(cudaGetDevice, int *)
__HC_API(cudaGetDeviceCount, int *)
__HC_API(cudaGetDeviceProperties, cudaDeviceProp *, int)
__HC_API(cudaDeviceGetAttribute, int *, cudaDeviceAttr, int)
__HC_API(cudaDeviceSynchronize)
__HC_API(cudaDeviceReset)
__HC_API(cudaDeviceSetCacheConfig, cudaFuncCache)
__HC_API(cudaDeviceSetSharedMemConfig, cudaSharedMemConfig)
__HC_API(cudaDeviceSetLimit, cudaLimit, size_t)
__HC_API(cudaDeviceGetLimit, size_t *, cudaLimit)
__HC_API(cudaDeviceCanAccessPeer, int *, int, int)
__HC_API(cudaDeviceEnablePeerAccess, int, unsigned)
__HC_API(cudaDeviceDisablePeerAccess, int)
__HC_API(cudaSetDeviceFlags, unsigned)
__HC_API(cudaDriverGetVersion, int *)
__HC_API(cudaRuntimeGetVersion, int *)
__HC_API(cudaThreadSynchronize)
__HC_API(cudaProfilerStart)
__HC_API(cudaProfilerStop)
__HC_API(cudaGetLastError)
__HC_API(cudaPeekAtLastError)
__HC_API(cudaStreamCreate, cudaStream_t *)
__HC_API(cudaStreamCreateWithFlags, cudaStream_t *, unsigned)
__HC_API(cudaStreamCreateWithPriority, cudaStream_t *, unsigned, int)
__HC_API(cudaStreamDestroy, cudaStream_t)
__HC_API(cudaStreamSynchronize, cudaStream_t)
__HC_API(cudaStreamQuery, cudaStream_t)
__HC_API(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned = 0)
__HC_API(cudaStreamBeginCapture, cudaStream_t, cudaStreamCaptureMode)
__HC_API(cudaStreamEndCapture, cudaStream_t, cudaGraph_t *)
__HC_API(cudaStreamIsCapturing, cudaStream_t, cudaStreamCaptureStatus *)
__HC_API(cudaEventCreate, cudaEvent_t *)
__HC_API(cudaEventCreateWithFlags, cudaEvent_t *, unsigned)
__HC_API(cudaEventDestroy, cudaEvent_t)
__HC_API(cudaEventRecord, cudaEvent_t, cudaStream_t = 0)
__HC_API(cudaEventSynchronize, cudaEvent_t)
__HC_API(cudaEventQuery, cudaEvent_t)
__HC_API(cudaEventElapsedTime, float *, cudaEvent_t, cudaEvent_t)
__HC_API(cudaGraphInstantiate, cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0)
__HC_API(cudaGraphLaunch, cudaGraphExec_t, cudaStream_t)
__HC_API(cudaGraphDestroy, cudaGraph_t)
__HC_API(cudaGraphExecDestroy, cudaGraphExec_t)
__HC_API(cudaCreateTextureObject, cudaTextureObject_t *, const cudaResourceDesc *,
         const cudaTextureDesc *, const cudaResourceViewDesc *)
__HC_API(cudaDestroyTextureObject, cudaTextureObject_t)
__HC_API(cudaCreateSurfaceObject, cudaSurfaceObject_t *, const cudaResourceDesc *)
__HC_API(cudaDestroySurfaceObject, cudaSurfaceObject_t)
#undef __HC_API
extern "C" const char *cudaGetErrorString(cudaError_t);
extern "C" const char *cudaGetErrorName(cudaError_t);

__HC_API_OF(cudaMalloc, T **, size_t)
__HC_API_OF(cudaMallocHost, T **, size_t, unsigned = 0)
__HC_API_OF(cudaMallocManaged, T **, size_t, unsigned = 1)
__HC_API_OF(cudaMallocPitch, T **, size_t *, size_t, size_t)
__HC_API_OF(cudaMallocAsync, T **, size_t, cudaStream_t)
__HC_API_OF(cudaHostAlloc, T **, size_t, unsigned)
__HC_API_OF(cudaHostGetDevicePointer, T **, void *, unsigned)
__HC_API_OF(cudaMemcpyToSymbol, const T &, const void *, size_t, size_t = 0,
            cudaMemcpyKind = cudaMemcpyHostToDevice)
__HC_API_OF(cudaMemcpyFromSymbol, void *, const T &, size_t, size_t = 0,
            cudaMemcpyKind = cudaMemcpyDeviceToHost)
__HC_API_OF(cudaMemcpyToSymbolAsync, const T &, const void *, size_t, size_t,
            cudaMemcpyKind, cudaStream_t = 0)
__HC_API_OF(cudaMemcpyFromSymbolAsync, void *, const T &, size_t, size_t,
            cudaMemcpyKind, cudaStream_t = 0)
__HC_API_OF(cudaGetSymbolAddress, void **, const T &)
__HC_API_OF(cudaGetSymbolSize, size_t *, const T &)
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() { return {}; }
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
cudaExtent make_cudaExtent(size_t, size_t, size_t);
cudaPos make_cudaPos(size_t, size_t, size_t);
cudaPitchedPtr make_cudaPitchedPtr(void *, size_t, size_t, size_t);
#undef __HC_API_OF

#endif
