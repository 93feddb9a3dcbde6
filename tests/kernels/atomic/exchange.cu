/* atomicExch hands a value from thread to thread: all but one come back.

   let    n = 1200
   inout  slot = array([-1], i4)
   inout  f = array([0.5], f4)
   out    y = empty(n, i4)
   out    z = empty(n, f4)
   call   swap(slot, f, y, z, n)
   expect sort(append(y, slot)) = arange(-1, n)
   expect sort(append(z, f)) = sort(append(arange(n), 0.5))
*/
extern "C" __global__ void swap(int *slot, float *f, int *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = atomicExch(slot, i);
        z[i] = atomicExch(f, (float)i);
    }
}
