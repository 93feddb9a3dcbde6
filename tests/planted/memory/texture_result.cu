/* A fetch whose result goes behind the end of an array.

   block  8x2
   let    values = arange(16, dtype=f4).reshape(2, 8)
   inout  y = zeros(16, f4)
   call   f(plane(values), y, 0 if right else 1)
   expect y = arange(16)
   report memory write: bytes == 4 and offset == 64 and thread == (7, 1, 0)
*/
extern "C" __global__ void f(cudaTextureObject_t x, float *y, int shift)
{
    int i = threadIdx.x + 8 * threadIdx.y + shift;
    tex2D(&y[i], x, threadIdx.x + 0.5f, threadIdx.y + 0.5f); // FAULT
}
