/* Many kernels in one file, with what they share: variables, constants, shared memory
   of a function, functions called by all, through pointers and by themselves, printf
   and assert.

   block  64
   let    n = 200
   in     x = ints(0, 9, n)
   inout  y = zeros((6, n), i4)
   global weights = ints(1, 5, 4, i4)
   global total = zeros(1, i4)
   call   k0(x, y, n)
   call   k1(x, y, n)
   call   k2(x, y, n)
   call   k3(x, y, n)
   call   k4(x, y, n)
   call   k5(x, y, n)
   def    fib(v): return array([0, 1, 1, 2, 3, 5, 8, 13, 21, 34])[v]
   def    step(v, k): return choose((v + k) % 3, [v + 1, 2 * v, fib(v)])
   expect y = [step(x, k) * weights[(x + k) % 4] + k for k in range(6)]
   expect total = 6 * n
   prints [f"k{k}: {(x[7] + k) % 4}" for k in range(6)]
*/
#include <assert.h>
#include <stdio.h>

__device__ int total;
__constant__ int weights[4];

typedef int step(int);

__device__ int increment(int v)
{
    return v + 1;
}

__device__ int twice(int v)
{
    return 2 * v;
}

__device__ int fib(int v)
{
    return v < 2 ? v : fib(v - 1) + fib(v - 2);
}

__device__ step *const steps[] = {increment, twice, fib};

/* The value of the thread at the block's other end, there and back. */
__device__ int exchanged(int v)
{
    __shared__ int part[64];
    for (int k = 0; k < 2; k++) {
        part[threadIdx.x] = v;
        __syncthreads();
        v = part[63 - threadIdx.x];
        __syncthreads();
    }
    return v;
}

template <int K> __device__ void run(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = exchanged(i < n ? x[i] : 0);
    if (i >= n)
        return;
    assert(v == x[i] && v < 10);
    y[K * n + i] = steps[(v + K) % 3](v) * weights[(v + K) % 4] + K;
    atomicAdd(&total, 1);
    if (i == 7)
        printf("k%d: %d\n", K, (v + K) % 4);
}

#define KERNEL(K)                                                \
    extern "C" __global__ void k##K(const int *x, int *y, int n) \
    {                                                            \
        run<K>(x, y, n);                                         \
    }
KERNEL(0)
KERNEL(1)
KERNEL(2)
KERNEL(3)
KERNEL(4)
KERNEL(5)
