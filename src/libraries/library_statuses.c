/* Statuses of the libraries as exceptions of pycuda.driver: each has the driver's code
   that is nearest to it, and its own name in the text. */
#include "loading.h"

static const struct {
    lib_id id;
    unsigned status;
    CUresult as;
    const char *name;
} statuses[] = {
    {LIB_BLAS, 1, CUDA_ERROR_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED"},
    {LIB_BLAS, 3, CUDA_ERROR_OUT_OF_MEMORY, "CUBLAS_STATUS_ALLOC_FAILED"},
    {LIB_BLAS, 7, CUDA_ERROR_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE"},
    {LIB_BLAS, 8, CUDA_ERROR_NO_BINARY_FOR_GPU, "CUBLAS_STATUS_ARCH_MISMATCH"},
    {LIB_BLAS, 11, CUDA_ERROR_UNKNOWN, "CUBLAS_STATUS_MAPPING_ERROR"},
    {LIB_BLAS, 13, CUDA_ERROR_LAUNCH_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED"},
    {LIB_BLAS, 14, CUDA_ERROR_UNKNOWN, "CUBLAS_STATUS_INTERNAL_ERROR"},
    {LIB_BLAS, 15, CUDA_ERROR_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED"},
    {LIB_BLAS, 16, CUDA_ERROR_UNKNOWN, "CUBLAS_STATUS_LICENSE_ERROR"},
    {LIB_FFT, 1, CUDA_ERROR_INVALID_HANDLE, "CUFFT_INVALID_PLAN"},
    {LIB_FFT, 2, CUDA_ERROR_OUT_OF_MEMORY, "CUFFT_ALLOC_FAILED"},
    {LIB_FFT, 3, CUDA_ERROR_INVALID_VALUE, "CUFFT_INVALID_TYPE"},
    {LIB_FFT, 4, CUDA_ERROR_INVALID_VALUE, "CUFFT_INVALID_VALUE"},
    {LIB_FFT, 5, CUDA_ERROR_UNKNOWN, "CUFFT_INTERNAL_ERROR"},
    {LIB_FFT, 6, CUDA_ERROR_LAUNCH_FAILED, "CUFFT_EXEC_FAILED"},
    {LIB_FFT, 7, CUDA_ERROR_NOT_INITIALIZED, "CUFFT_SETUP_FAILED"},
    {LIB_FFT, 8, CUDA_ERROR_INVALID_VALUE, "CUFFT_INVALID_SIZE"},
    {LIB_FFT, 11, CUDA_ERROR_INVALID_DEVICE, "CUFFT_INVALID_DEVICE"},
    {LIB_FFT, 13, CUDA_ERROR_OUT_OF_MEMORY, "CUFFT_NO_WORKSPACE"},
    {LIB_FFT, 14, CUDA_ERROR_NOT_SUPPORTED, "CUFFT_NOT_IMPLEMENTED"},
    {LIB_FFT, 16, CUDA_ERROR_NOT_SUPPORTED, "CUFFT_NOT_SUPPORTED"},
    {LIB_SOLVER, 1, CUDA_ERROR_NOT_INITIALIZED, "CUSOLVER_STATUS_NOT_INITIALIZED"},
    {LIB_SOLVER, 2, CUDA_ERROR_OUT_OF_MEMORY, "CUSOLVER_STATUS_ALLOC_FAILED"},
    {LIB_SOLVER, 3, CUDA_ERROR_INVALID_VALUE, "CUSOLVER_STATUS_INVALID_VALUE"},
    {LIB_SOLVER, 4, CUDA_ERROR_NO_BINARY_FOR_GPU, "CUSOLVER_STATUS_ARCH_MISMATCH"},
    {LIB_SOLVER, 5, CUDA_ERROR_UNKNOWN, "CUSOLVER_STATUS_MAPPING_ERROR"},
    {LIB_SOLVER, 6, CUDA_ERROR_LAUNCH_FAILED, "CUSOLVER_STATUS_EXECUTION_FAILED"},
    {LIB_SOLVER, 7, CUDA_ERROR_UNKNOWN, "CUSOLVER_STATUS_INTERNAL_ERROR"},
    {LIB_SOLVER, 8, CUDA_ERROR_NOT_SUPPORTED,
     "CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED"},
    {LIB_SOLVER, 9, CUDA_ERROR_NOT_SUPPORTED, "CUSOLVER_STATUS_NOT_SUPPORTED"},
    {LIB_SOLVER, 11, CUDA_ERROR_UNKNOWN, "CUSOLVER_STATUS_INVALID_LICENSE"},
    {LIB_SOLVER, 31, CUDA_ERROR_INVALID_VALUE, "CUSOLVER_STATUS_INVALID_WORKSPACE"},
    {LIB_SPARSE, 1, CUDA_ERROR_NOT_INITIALIZED, "CUSPARSE_STATUS_NOT_INITIALIZED"},
    {LIB_SPARSE, 2, CUDA_ERROR_OUT_OF_MEMORY, "CUSPARSE_STATUS_ALLOC_FAILED"},
    {LIB_SPARSE, 3, CUDA_ERROR_INVALID_VALUE, "CUSPARSE_STATUS_INVALID_VALUE"},
    {LIB_SPARSE, 4, CUDA_ERROR_NO_BINARY_FOR_GPU, "CUSPARSE_STATUS_ARCH_MISMATCH"},
    {LIB_SPARSE, 5, CUDA_ERROR_UNKNOWN, "CUSPARSE_STATUS_MAPPING_ERROR"},
    {LIB_SPARSE, 6, CUDA_ERROR_LAUNCH_FAILED, "CUSPARSE_STATUS_EXECUTION_FAILED"},
    {LIB_SPARSE, 7, CUDA_ERROR_UNKNOWN, "CUSPARSE_STATUS_INTERNAL_ERROR"},
    {LIB_SPARSE, 8, CUDA_ERROR_NOT_SUPPORTED,
     "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED"},
    {LIB_SPARSE, 10, CUDA_ERROR_NOT_SUPPORTED, "CUSPARSE_STATUS_NOT_SUPPORTED"},
    {LIB_SPARSE, 11, CUDA_ERROR_OUT_OF_MEMORY,
     "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"},
    {LIB_NCCL, ncclUnhandledCudaError, CUDA_ERROR_UNKNOWN, "ncclUnhandledCudaError"},
    {LIB_NCCL, ncclSystemError, CUDA_ERROR_OPERATING_SYSTEM, "ncclSystemError"},
    {LIB_NCCL, ncclInternalError, CUDA_ERROR_UNKNOWN, "ncclInternalError"},
    {LIB_NCCL, ncclInvalidArgument, CUDA_ERROR_INVALID_VALUE, "ncclInvalidArgument"},
    {LIB_NCCL, ncclInvalidUsage, CUDA_ERROR_ILLEGAL_STATE, "ncclInvalidUsage"},
    {LIB_NCCL, ncclRemoteError, CUDA_ERROR_UNKNOWN, "ncclRemoteError"},
    {LIB_NCCL, ncclInProgress, CUDA_ERROR_NOT_READY, "ncclInProgress"},
};

static int find(lib_id id, unsigned status)
{
    int count = sizeof statuses / sizeof *statuses;
    for (int i = 0; i < count; i++)
        if (statuses[i].id == id && statuses[i].status == status)
            return i;
    return -1;
}

void *lib_raise_because(bd_state *state, lib_id id, unsigned status,
                        const char *routine, const char *addition)
{
    int i = find(id, status);
    if (i < 0)
        return bd_raise_because(state, CUDA_ERROR_UNKNOWN, routine,
                                "a status that is not known, %u", status);
    return bd_raise_because(state, statuses[i].as, routine, "%s%s%s", statuses[i].name,
                            *addition ? ": " : "", addition);
}

void *lib_raise(bd_state *state, lib_id id, unsigned status, const char *routine)
{
    return lib_raise_because(state, id, status, routine, "");
}

int lib_is_out_of_memory(lib_id id, unsigned status)
{
    int i = find(id, status);
    return i >= 0 && statuses[i].as == CUDA_ERROR_OUT_OF_MEMORY;
}
