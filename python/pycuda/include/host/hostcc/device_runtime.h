/* What kernels may call of CUDA's runtime: memory of the heap that malloc() takes from,
   copies, which are done at once. What launches something from a kernel says that the
   host device has no such thing. */
#ifndef HOSTCC_DEVICE_RUNTIME_H
#define HOSTCC_DEVICE_RUNTIME_H

/* Of a kernel that waits for the one before: launches run one behind the other. */
__HC_DEVICE void cudaGridDependencySynchronize() {}
__HC_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {}

__HC_DEVICE cudaError_t cudaGetLastError() { return cudaSuccess; }
__HC_DEVICE cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
/* Of what functions here return. */
__HC_DEVICE const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaSuccess                 ? "cudaSuccess"
           : error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
                                                : "unrecognized error code";
}
__HC_DEVICE const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess                 ? "no error"
           : error == cudaErrorMemoryAllocation ? "out of memory"
                                                : "unrecognized error code";
}
template <class T> __HC_DEVICE cudaError_t cudaMalloc(T **p, size_t size)
{
    *p = (T *)malloc(size);
    return *p || !size ? cudaSuccess : cudaErrorMemoryAllocation;
}
__HC_DEVICE cudaError_t cudaFree(void *p)
{
    free(p);
    return cudaSuccess;
}
__HC_DEVICE cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                                        cudaMemcpyKind, cudaStream_t = 0)
{
    memcpy(to, from, size);
    return cudaSuccess;
}
__HC_DEVICE cudaError_t cudaMemsetAsync(void *to, int value, size_t size,
                                        cudaStream_t = 0)
{
    memset(to, value, size);
    return cudaSuccess;
}

#define __HC_NOT_HERE(what) \
    __attribute__((unavailable("the host device does not " what " from kernels")))
typedef unsigned long long cudaGraphConditionalHandle;
#define cudaStreamGraphTailLaunch ((cudaStream_t)0)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0)
__HC_DEVICE void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned)
    __HC_NOT_HERE("set conditions of graphs");
__HC_DEVICE cudaGraphExec_t cudaGetCurrentGraphExec() __HC_NOT_HERE("launch graphs");
__HC_DEVICE cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t)
    __HC_NOT_HERE("launch graphs");
#undef __HC_NOT_HERE

#endif
