/* Our own subset of the CUDA driver API's types: binary compatible with the driver, so
   that the same table serves libcuda.so.1 and libhostcuda.so. Enumerations, status
   codes and device attributes are listed once in the .def files beside this header. */
#ifndef PYCUDA_CUDA_TYPES_H
#define PYCUDA_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define ENUM_BEGIN(type) typedef enum {
#define V(name, value) name = value,
#define ENUM_END(type) \
    }                  \
    type;
#include "enums.def"
#undef ENUM_BEGIN
#undef V
#undef ENUM_END

typedef enum {
#define E(name, value, text) name = value,
#include "errors.def"
#undef E
} CUresult;

typedef enum {
#define A(name, value) CU_DEVICE_ATTRIBUTE_##name = value,
#include "attributes.def"
#undef A
} CUdevice_attribute;

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUtexObject, CUsurfObject;

/* Opaque handles. CU_STREAM_LEGACY and CU_STREAM_PER_THREAD are no addresses. */
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUlib_st *CUlibrary;
typedef struct CUmemcpyAttributes_st CUmemcpyAttributes; /* hints, never looked into */
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef unsigned int CUGLDeviceList;

#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_DEVICE_CPU ((CUdevice) - 1)

typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef void (*CUhostFn)(void *data);
typedef size_t (*CUoccupancyB2DSize)(int block_size);
typedef void (*cuxPrintFunction)(const char *text, size_t size, void *data);
/* Positive: give up. Negative: wait on, and nothing else in this process will use the
   device meanwhile, so that kernels that wait for it wait for ever. `waited` is in
   nanoseconds. */
typedef int (*cuxWaitFunction)(unsigned long long waited, void *data);
/* Has a function's linear layout compiled and loads it (cuxFuncLoadImage). Where it
   fails it writes why. */
typedef CUresult (*cuxLoadFunction)(CUfunction function, char *text, size_t size,
                                    void *data);

/* -- Check mode: what a checked kernel did wrong -- */

/* Kinds of checks: bits, for cuxSetCheck takes any of them together. */
typedef enum {
    CUX_CHECK_MEMORY = 1,
    CUX_CHECK_RACE = 2,
    CUX_CHECK_INIT = 4,
    CUX_CHECK_SYNC = 8,
    CUX_CHECK_ORDER = 16,
    CUX_CHECK_COVERAGE = 32, /* checks nothing: kernels count how often lines run */
} cuxCheckKind;

typedef enum {
    CUX_FAULT_BOUNDS,     /* memory: outside of what the pointer points into */
    CUX_FAULT_MISALIGNED, /* memory: not at a multiple of what the access needs */
    CUX_FAULT_FREED,      /* memory: was there once */
    CUX_FAULT_BAD_FREE,   /* memory: free in a kernel of what malloc did not return */
    CUX_FAULT_RACE,       /* race: two threads, one of them writes, nothing between */
    CUX_FAULT_SAME_VALUE, /* race: the same, but both write the same value */
    CUX_FAULT_WARP_ORDER, /* race: the same in one warp, without __syncwarp */
    CUX_FAULT_UNWRITTEN,  /* init: a read of what nobody has written */
    CUX_FAULT_BARRIER,    /* sync: a barrier that living threads miss */
    CUX_FAULT_MASK,       /* sync: a warp function whose mask names lanes elsewhere */
    CUX_FAULT_DEADLOCK,   /* sync: no thread of the launch can go on */
    CUX_FAULT_ORDER,      /* order: the result depends on the order of blocks */
} cuxFault;

typedef enum {
    CUX_ACCESS_NONE,
    CUX_ACCESS_READ,
    CUX_ACCESS_WRITE,
    CUX_ACCESS_ATOMIC,
    CUX_ACCESS_FREE,
} cuxAccess;

typedef enum {
    CUX_SPACE_UNKNOWN,
    CUX_SPACE_GLOBAL,
    CUX_SPACE_SHARED,
    CUX_SPACE_LOCAL,
    CUX_SPACE_CONSTANT,
    CUX_SPACE_HEAP, /* malloc in kernels */
} cuxSpace;

typedef enum { CUX_STATE_UNKNOWN, CUX_STATE_LIVE, CUX_STATE_FREED } cuxState;

/* A line of the source; "" and 0 where it is not known. */
typedef struct {
    char file[256];
    unsigned int line, column;
} cuxSite;

/* A thread of a launch and where it was. */
typedef struct {
    cuxSite site;
    unsigned int block[3], thread[3];
    cuxAccess access;
} cuxParty;

/* One finding. Repetitions at the same site are counted, not kept. */
typedef struct {
    cuxCheckKind kind;
    cuxFault fault;
    int is_warning;                 /* else an error */
    int has_other;                  /* `other` is filled in */
    unsigned long long count;       /* how often it happened, in lanes */
    unsigned long long launch;      /* number of the launch, rising */
    unsigned int grid[3], block[3]; /* of that launch */
    char kernel[256];               /* linkage name */
    cuxParty who, other;            /* other: the second party of a race */
    unsigned int bytes;             /* of the access */
    unsigned int alignment;         /* that it needs */
    CUdeviceptr address;            /* 0: not known */
    cuxSpace space;
    cuxState state;
    char variable[64];             /* parameter or variable; "": not known */
    CUdeviceptr base;              /* of the allocation; 0: not known, or a variable */
    long long offset;              /* of the access from the base or the variable */
    unsigned long long size;       /* of the allocation or variable; 0: not known */
    unsigned long long allocation; /* its number; 0: none */
    char message[512];             /* a sentence with the above, without a full stop */
} cuxCheckReport;

/* Where the processor was found in kernels that count, "kernel.cu:12" or "" where that
   is not known, and how often. */
typedef struct {
    size_t module; /* as in cuxCoverage */
    unsigned long long count;
    char place[256];
} cuxSample;

/* A kernel that counts how often its lines run; see src/abi/coverage.h. */
typedef struct {
    const char *description; /* JSON: what the counters stand for; stays */
    size_t module;           /* a number that kernels of one module share */
    size_t loads;            /* how often that was loaded */
    size_t counters;
    unsigned int lanes; /* of a vector */
    char kernel[256];   /* linkage name */
} cuxCoverage;

typedef struct {
    char bytes[16];
} CUuuid;

typedef struct {
    char reserved[64];
} CUipcEventHandle;

typedef struct {
    char reserved[64];
} CUipcMemHandle;

typedef struct {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

/* Between devices, each side has a context in place of a reserved field. */
#define CU_MEMCPY3D(type, of_source, of_destination) \
    struct {                                         \
        size_t srcXInBytes, srcY, srcZ, srcLOD;      \
        CUmemorytype srcMemoryType;                  \
        const void *srcHost;                         \
        CUdeviceptr srcDevice;                       \
        CUarray srcArray;                            \
        type of_source;                              \
        size_t srcPitch, srcHeight;                  \
        size_t dstXInBytes, dstY, dstZ, dstLOD;      \
        CUmemorytype dstMemoryType;                  \
        void *dstHost;                               \
        CUdeviceptr dstDevice;                       \
        CUarray dstArray;                            \
        type of_destination;                         \
        size_t dstPitch, dstHeight;                  \
        size_t WidthInBytes, Height, Depth;          \
    }
typedef CU_MEMCPY3D(void *, reserved0, reserved1) CUDA_MEMCPY3D;
typedef CU_MEMCPY3D(CUcontext, srcContext, dstContext) CUDA_MEMCPY3D_PEER;

typedef struct {
    size_t Width, Height;
    CUarray_format Format;
    unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct {
    size_t Width, Height, Depth;
    CUarray_format Format;
    unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

enum {
    CUDA_ARRAY3D_LAYERED = 1,
    CUDA_ARRAY3D_SURFACE_LDST = 2,
    CUDA_ARRAY3D_CUBEMAP = 4,
    CUDA_ARRAY3D_TEXTURE_GATHER = 8,
    CU_MEMHOSTALLOC_PORTABLE = 1,
    CU_MEMHOSTALLOC_DEVICEMAP = 2,
    CU_MEMHOSTALLOC_WRITECOMBINED = 4,
    CU_MEMHOSTREGISTER_PORTABLE = 1,
    CU_MEMHOSTREGISTER_DEVICEMAP = 2,
    CU_MEMHOSTREGISTER_IOMEMORY = 4,
    CU_MEMHOSTREGISTER_READ_ONLY = 8,
    CU_PARAM_TR_DEFAULT = -1,
    CU_TRSA_OVERRIDE_FORMAT = 1,
    CU_TRSF_READ_AS_INTEGER = 1,
    CU_TRSF_NORMALIZED_COORDINATES = 2,
    CU_TRSF_SRGB = 16,
};

typedef struct {
    CUresourcetype resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            CUmipmappedArray hMipmappedArray;
        } mipmap;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
} CUDA_RESOURCE_DESC;

typedef struct {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned int flags, maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    float borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct {
    int format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
    unsigned int reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

typedef struct {
    CUmemLocationType type;
    int id;
} CUmemLocation;

typedef struct {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;

typedef struct {
    CUmemAllocationType allocType;
    CUmemAllocationHandleType handleTypes;
    CUmemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;

typedef union {
    char pad[64];
    int cooperative, priority;
    CUsynchronizationPolicy syncPolicy;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
    struct {
        CUevent event;
        int flags, triggerAtBlockStart;
    } programmaticEvent;
    unsigned int sharedMemCarveout;
} CUlaunchAttributeValue;

typedef struct {
    CUlaunchAttributeID id;
    char pad[4];
    CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct {
    unsigned int gridDimX, gridDimY, gridDimZ;
    unsigned int blockDimX, blockDimY, blockDimZ;
    unsigned int sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned int numAttrs;
} CUlaunchConfig;

#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

/* One operation of cuStreamBatchMemOp: all forms have these fields in front. */
typedef union {
    CUstreamBatchMemOpType operation;
    struct {
        CUstreamBatchMemOpType operation;
        CUdeviceptr address;
        union {
            cuuint32_t value;
            cuuint64_t value64;
        };
        unsigned int flags;
        CUdeviceptr alias;
    } waitValue, writeValue;
    cuuint64_t pad[6];
} CUstreamBatchMemOpParams;

/* Both lists are for kinds of contexts that we do not make. */
typedef struct {
    void *execAffinityParams;
    int numExecAffinityParams;
    void *cigParams;
} CUctxCreateParams;

typedef struct {
    CUfunction func;
    unsigned int gridDimX, gridDimY, gridDimZ;
    unsigned int blockDimX, blockDimY, blockDimZ;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct {
    CUdeviceptr dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct {
    CUhostFn fn;
    void *userData;
} CUDA_HOST_NODE_PARAMS;

/* Of cuGraphAddNode and its kind: what cuGraphAdd...Node take, by type. */
typedef struct {
    CUmemPoolProps poolProps;
    const CUmemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS;

typedef struct {
    CUgraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_PARAMS kernel;
        struct {
            int flags, reserved;
            CUcontext copyCtx;
            CUDA_MEMCPY3D copyParams;
        } memcpy;
        CUDA_MEMSET_NODE_PARAMS memset;
        CUDA_HOST_NODE_PARAMS host;
        struct {
            CUgraph graph;
        } graph;
        struct {
            CUevent event;
        } eventWait, eventRecord;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        struct {
            CUdeviceptr dptr;
        } free;
    };
    long long reserved2;
} CUgraphNodeParams;

typedef struct {
    cuuint64_t flags;
    CUstream hUploadStream;
    CUgraphNode hErrNode_out;
    CUgraphInstantiateResult result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;

typedef struct {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdgeData;

typedef struct {
    CUgraphExecUpdateResult result;
    CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;

/* -- Row helpers for functions.def
 * ---------------------------------------------------------- */

/* CU_PARAMS(int, char *) is "int a1, char * a2", CU_EACH(f, int, char *) is
   "f(a1), f(a2)" and CU_ARGS(int, char *) is "a1, a2". */
#define CU_PARAMS(...) CU_JOIN(CU_PARAMS_, CU_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define CU_EACH(f, ...) CU_JOIN(CU_EACH_, CU_COUNT(__VA_ARGS__))(f)
#define CU_ARGS(...) CU_EACH(CU_SAME, __VA_ARGS__)
#define CU_SAME(a) a
#define CU_COUNT(...) \
    CU_TWELFTH(__VA_ARGS__ __VA_OPT__(, ) 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CU_TWELFTH(a, b, c, d, e, f, g, h, i, j, k, n, ...) n
#define CU_JOIN(a, b) CU_JOIN_(a, b)
#define CU_JOIN_(a, b) a##b
#define CU_PARAMS_0() void
#define CU_PARAMS_1(t1) t1 a1
#define CU_PARAMS_2(t1, t2) CU_PARAMS_1(t1), t2 a2
#define CU_PARAMS_3(t1, t2, t3) CU_PARAMS_2(t1, t2), t3 a3
#define CU_PARAMS_4(t1, t2, t3, t4) CU_PARAMS_3(t1, t2, t3), t4 a4
#define CU_PARAMS_5(t1, t2, t3, t4, t5) CU_PARAMS_4(t1, t2, t3, t4), t5 a5
#define CU_PARAMS_6(t1, t2, t3, t4, t5, t6) CU_PARAMS_5(t1, t2, t3, t4, t5), t6 a6
#define CU_PARAMS_7(t1, t2, t3, t4, t5, t6, t7) \
    CU_PARAMS_6(t1, t2, t3, t4, t5, t6), t7 a7
#define CU_PARAMS_8(t1, t2, t3, t4, t5, t6, t7, t8) \
    CU_PARAMS_7(t1, t2, t3, t4, t5, t6, t7), t8 a8
#define CU_PARAMS_9(t1, t2, t3, t4, t5, t6, t7, t8, t9) \
    CU_PARAMS_8(t1, t2, t3, t4, t5, t6, t7, t8), t9 a9
#define CU_PARAMS_10(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10) \
    CU_PARAMS_9(t1, t2, t3, t4, t5, t6, t7, t8, t9), t10 a10
#define CU_PARAMS_11(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11) \
    CU_PARAMS_10(t1, t2, t3, t4, t5, t6, t7, t8, t9, t10), t11 a11
#define CU_EACH_0(f)
#define CU_EACH_1(f) f(a1)
#define CU_EACH_2(f) CU_EACH_1(f), f(a2)
#define CU_EACH_3(f) CU_EACH_2(f), f(a3)
#define CU_EACH_4(f) CU_EACH_3(f), f(a4)
#define CU_EACH_5(f) CU_EACH_4(f), f(a5)
#define CU_EACH_6(f) CU_EACH_5(f), f(a6)
#define CU_EACH_7(f) CU_EACH_6(f), f(a7)
#define CU_EACH_8(f) CU_EACH_7(f), f(a8)
#define CU_EACH_9(f) CU_EACH_8(f), f(a9)
#define CU_EACH_10(f) CU_EACH_9(f), f(a10)
#define CU_EACH_11(f) CU_EACH_10(f), f(a11)

#endif
