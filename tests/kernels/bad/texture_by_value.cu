/* Texture references are no values: CUDA does not let them be arguments either.

   error  * 'f' uses the GPU instruction '.*texsurf|texture is not a template
*/
texture<float, 1, cudaReadModeElementType> line;

__device__ float at(texture<float, 1, cudaReadModeElementType> from, int i)
{
    return tex1Dfetch(from, i);
}

extern "C" __global__ void f(float *y)
{
    y[threadIdx.x] = at(line, threadIdx.x);
}
