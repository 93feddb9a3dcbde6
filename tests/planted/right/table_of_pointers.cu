/* Arrays of different lengths by a table of pointers and a table of lengths.

   block  32
   in     a = ones(5, i4)
   in     b = ones(1000, i4)
   in     c = ones(1, i4)
   in     lengths = array([5, 1000, 1], i4)
   inout  rows = zeros(3, u8)
   do     cuda.memcpy_htod(rows, array([a, b, c], u8))
   inout  y = zeros(3, i4)
   call   f[3](rows, lengths, y)
   expect y = [5, 1000, 1]
*/
extern "C" __global__ void f(const int *const *rows, const int *lengths, int *y)
{
    int b = blockIdx.x;
    for (int k = threadIdx.x; k < lengths[b]; k += blockDim.x)
        atomicAdd(&y[b], rows[b][k]);
}
