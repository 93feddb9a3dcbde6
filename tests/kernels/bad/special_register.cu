/* A special register that no processor but a GPU has.

   host
   error  * 'f' .*smid
*/
extern "C" __global__ void f(int *y)
{
    y[threadIdx.x] = __nvvm_read_ptx_sreg_smid();
}
