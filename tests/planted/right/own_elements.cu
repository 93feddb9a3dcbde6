/* Threads keep to elements of their own, over barriers and turns, in rows, by stride and in structs.

   block  64
   let    grid = 3
   inout  x = zeros(64 * grid, f8)
   inout  p = zeros((64 * grid, 3), f4)
   inout  z = zeros(7 * 64 * grid, u1)
   call   f(x, p, z)
   expect x = 12
   expect p = 4 * ones((64 * grid, 1)) * arange(3)
   expect z[::7] = 4
*/
struct three {
    float a, b, c;
};

extern "C" __global__ void f(double *x, three *p, unsigned char *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        x[i] += 1;
        __syncthreads();
        x[i] += 2;
        p[i].b += 1;
        p[i].c += 2;
        z[7 * i]++;
    }
}
