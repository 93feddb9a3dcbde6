/* Variables in shared memory are not constructed, even if their type has a default
   constructor: one thread does what there is to do. Vector types of eight bytes a member
   have both alignments.

   block  64
   out    y = empty(threads, i4)
   call   f(y)
   expect y = 3 * threads + 48
*/
struct counter {
    int n;
    __device__ counter(int n = -1) : n(n) {}
};

template <class T> struct pair {
    T first, second[2];
};

extern "C" __global__ void f(int *y)
{
    __shared__ counter sum;
    __shared__ pair<counter> sums;
    if (threadIdx.x == 0) {
        sum = counter(0);
        sums.first = sums.second[1] = sum;
    }
    __syncthreads();
    atomicAdd(&sum.n, 1);
    atomicAdd(&sums.first.n, 1);
    atomicAdd(&sums.second[1].n, 1);
    __syncthreads();
    y[threadIdx.x] = sum.n + sums.first.n + sums.second[1].n + alignof(double4_16a) +
                     alignof(longlong4_32a);
}
