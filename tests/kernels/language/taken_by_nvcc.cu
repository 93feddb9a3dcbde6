/* What nvcc takes beside the standard: register, a macro behind a literal, alignas behind
   __shared__, one percent sign before a special register, no comma between operands.

   nvcc
   block  32 96
   out    y = empty((threads, 5), i4)
   call   f(y)
   expect y[:, 0] = arange(threads) + 3
   expect y[:, 1:] = [[0, 0, 1, 4 * threads]] * threads
   prints ["5"]
*/
#define FORMAT "d"

template <class T> __device__ bool is_aligned(int bytes)
{
    __shared__ alignas(64) T in_template[3];
    in_template[threadIdx.x % 3] = T();
    return (size_t)in_template % bytes == 0;
}

extern "C" __global__ void f(int *y)
{
    __shared__ char odd;
    __shared__ alignas(128) float x[33];
    __shared__ alignas(double) char like[9];
    register int three = 3;
    unsigned tid;
    unsigned long long before, after;
    odd = 1;
    like[threadIdx.x % 9] = odd, x[threadIdx.x % 33] = 1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(before));
    asm("mov.u32 %0, %tid.x; add.u32 %1, %2, %3;" : "=&r"(tid) "=r"(three) : "r"(three - (1)) "r"(1));
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(after));
    y += 5 * threadIdx.x;
    y[0] = tid + three;
    y[1] = (size_t)x % 128;
    y[2] = (size_t)like % 8;
    y[3] = is_aligned<char>(64) && after >= before;
    asm("{ .reg .u32 %all; mov.u32 %all, %ntid.x; shl.b32 %0, %all, 2; }" : "=r"(y[4]));
    if (tid == 0)
        printf("%"FORMAT"\n", 5);
}
