/* All threads clear a row of the whole block, each more than its own.

   block  32
   out    y = empty(32, i4)
   call   f(y, 4 if right else 8)
   expect y = 0
   report race: space == "shared" and variable == "s" and bytes == 8
*/
extern "C" __global__ void f(int *y, int bytes)
{
    __shared__ int s[33];
    memset(s + threadIdx.x, 0, bytes); // FAULT
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}
