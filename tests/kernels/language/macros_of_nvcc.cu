/* What nvcc defines beside __CUDACC__: its version, that of the API, what it is asked to compile for.

   nvcc
   out    y = empty(3, i4)
   let    grid = 1
   block  1
   call   macros(y)
   expect y = 1
*/
#ifndef __CUDACC_DEVICE_ATOMIC_BUILTINS__
#error "atomic builtins"
#endif
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_suppress 177
#else
#error "pragmas"
#endif
extern "C" __global__ void macros(int *y)
{
    const int list[] = {__CUDA_ARCH_LIST__};
    y[0] = __CUDA_API_VER_MAJOR__ == __CUDACC_VER_MAJOR__;
    y[1] = __CUDA_API_VER_MINOR__ == __CUDACC_VER_MINOR__;
    y[2] = 0;
    for (int arch : list)
        y[2] |= arch == __CUDA_ARCH__;
}
