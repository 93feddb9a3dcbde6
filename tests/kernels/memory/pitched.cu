/* Rows at a pitch in bytes, addressed through char pointers.

   block  1 32 16x16 64x2
   let    shape = (33, 45)
   let    pitch = 256
   let    grid = (cdiv(45, bx), cdiv(33, by))
   in     x = floats((33, 64))
   inout  y = zeros((33, 64), f4)
   call   scale(x, y, u8(pitch), 45, 33)
   expect y = where(arange(64) < 45, x * 2, 0)
*/
extern "C" __global__ void scale(const float *x, float *y, size_t pitch, int width, int height)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || r >= height)
        return;
    const float *from = (const float *)((const char *)x + r * pitch);
    float *to = (float *)((char *)y + r * pitch);
    to[c] = from[c] * 2;
}
