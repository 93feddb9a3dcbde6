/* Vectors of floats are added element by element, in three scopes: sums of whole numbers, and
   what was there before, which all together are the sums on the way.

   let    n = 1000
   in     k = ints(0, 9, n, i4)
   inout  pair = zeros((3, 10, 2), f4)
   inout  four = zeros((3, 10, 4), f4)
   out    before = empty(n, f4)
   def    sums(m): return stack([bincount(k, arange(n) % 7 + m, 10)] * 3).astype(f4)
   call   f(k, pair, four, before, i4(n))
   expect pair[..., 0] = sums(0)
   expect pair[..., 1] = sums(1)
   expect four[..., 0] = sums(2)
   expect four[..., 1] = sums(3)
   expect four[..., 2] = sums(4)
   expect four[..., 3] = sums(5)
   expect all(sort(before) == sort(before.astype(i4)))
   expect all([unique(before[k == j]).size > 1 for j in range(10)])
*/
extern "C" __global__ void f(const int *k, float2 *pair, float4 *four, float *before, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = i % 7;
#if __CUDA_ARCH__ >= 900 || defined(__HOSTCC__)
    before[i] = atomicAdd(pair + k[i], float2{x, x + 1}).x;
    atomicAdd_block(pair + 10 + k[i], float2{x, x + 1});
    atomicAdd_system(pair + 20 + k[i], {x, x + 1});
    atomicAdd(four + k[i], float4{x + 2, x + 3, x + 4, x + 5});
    atomicAdd_block(four + 10 + k[i], float4{x + 2, x + 3, x + 4, x + 5});
    atomicAdd_system(four + 20 + k[i], {x + 2, x + 3, x + 4, x + 5});
#endif
}
