/* Inline PTX has no meaning on the host device.

   host
   error  * inline PTX
*/
extern "C" __global__ void f(unsigned *y)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    y[threadIdx.x] = lane;
}
