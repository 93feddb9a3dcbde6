/* The address of shared memory in a variable that all blocks have in common.

   error  * initialized with the address of shared memory|dynamic initialization is not supported
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int a[32];
    static int *from = a;
    y[threadIdx.x] = from[threadIdx.x];
}
