/* A special register that no processor but a GPU has.

   error  * 'f' .*smid|identifier "__nvvm
*/
extern "C" __global__ void f(int *y)
{
    y[threadIdx.x] = __nvvm_read_ptx_sreg_smid();
}
