/* The last layer of blocks lies behind the volume.

   block  4x4x2
   let    at = (1, 1, 3)
   inout  v = zeros((4 if not right else 6, 4, 4), f4)
   call   f[at, None](v)
   expect v = 1
   report memory write: block == (0, 0, 2) and variable == "v"
*/
extern "C" __global__ void f(float *v)
{
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    v[(z * 4 + threadIdx.y) * 4 + threadIdx.x] = 1; // FAULT
}
