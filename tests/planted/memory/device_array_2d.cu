/* Rows and columns of a __device__ matrix in the wrong order.

   block  6x4
   global m = zeros((4, 6), i4)
   global behind = zeros(64, i4)
   call   f()
   expect m = 1
   expect behind = 0
   report memory write: thread[0] >= 4 and variable == "m" and size == 96 and offset == 24 * thread[0] + 4 * thread[1]
*/
__device__ int m[4][6];
__device__ int behind[64];

extern "C" __global__ void f()
{
#ifdef RIGHT
    m[threadIdx.y][threadIdx.x] = 1;
#else
    m[threadIdx.x][threadIdx.y] = 1; // FAULT
#endif
    if (threadIdx.x > 1000)
        behind[threadIdx.x] = 1;
}
