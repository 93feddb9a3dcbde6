/* Textures that interpolate, or do not, are read in both arms of a branch, and so is a surface.

   vary   first = 0, 1
   block  8x2
   let    values = arange(16, dtype=f4).reshape(2, 8)
   out    y = empty((2, 8), f4)
   call   f(plane(values), surface(8, 2), y, first)
   expect y = (values if first else values[:, ::-1]) + 7
*/
extern "C" __global__ void f(cudaTextureObject_t x, cudaSurfaceObject_t s, float *y, int first)
{
    int i = threadIdx.x, row = threadIdx.y, z = 0;
    if (first) {
        tex2D(&y[8 * row + i], x, i + 0.5f, row + 0.5f);
        surf2Dwrite<int>(7, s, 4 * i, row);
        surf2Dread(&z, s, 4 * i, row);
    } else {
        y[8 * row + i] = tex2D<float>(x, 7.5f - i, row + 0.5f);
        surf2Dwrite<int>(7, s, 28 - 4 * i, row);
        surf2Dread(&z, s, 28 - 4 * i, row);
    }
    y[8 * row + i] += z;
}
