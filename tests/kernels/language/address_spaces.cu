/* Pointers into shared memory as clang spells them, and what is made of them: common pointers, chosen ones.

   block  1 64 96
   let    n = threads
   let    t = arange(n)
   out    y = empty((n, 3), i4)
   call   f[1](y)
   expect y = stack([n - 1 - t, t & 3, where(t & 1, n - 1 - t, t & 3)], 1)
*/
typedef __attribute__((address_space(3))) int shared_int;

extern "C" __global__ void f(int *y)
{
    __shared__ int s[128];
    shared_int *p = (shared_int *)s;
    int t = threadIdx.x, last = blockDim.x - 1;
    p[t] = t;
    __syncthreads();
    shared_int *mirrored = p + (last - t), *low = p + (t & 3);
    y[3 * t] = *mirrored;
    y[3 * t + 1] = last < (t & 3) ? (t & 3) : *(int *)low;
    y[3 * t + 2] = *(t & 1 ? (int *)mirrored : (int *)low);
}
