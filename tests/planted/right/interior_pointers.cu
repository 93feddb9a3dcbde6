/* Parts of one allocation as arrays of their own, with negative indices.

   block  32
   inout  x = arange(96, dtype=i4)
   call   f(x + u8(128), x + u8(256))
   expect x = concatenate([arange(32, 64), arange(64, 96), arange(64, 96)])
*/
extern "C" __global__ void f(int *middle, const int *end)
{
    int t = threadIdx.x;
    middle[t - 32] = middle[t];
    middle[t] = end[t];
}
