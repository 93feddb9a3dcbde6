/* Recursive functions, also of templates by way of each other, that are told to be inlined: they cannot be.

   block  33
   nvcc
   let    t = arange(33) + 1
   out    y = empty(33, i4)
   call   climb(y)
   expect y = 1 + t * (t + 1) // 2 + t + 2 * ((t + 1) // 2) + t // 2
*/
__device__ __forceinline__ int sum(int a, int b)
{
    return a < 2 ? b : sum(a - 1, b + a) + 1;
}

template <class T> __device__ __forceinline__ T even(T a);
template <class T> __device__ __forceinline__ T odd(T a)
{
    return a > 0 ? even(a - 1) + 1 : 0;
}
template <class T> __device__ __forceinline__ T even(T a)
{
    return a > 0 ? odd(a - 1) + 2 : 0;
}

extern "C" __global__ void climb(int *y)
{
    int t = threadIdx.x + 1;
    y[threadIdx.x] = sum(t, 3) + even(t);
}
