/* What CCCL has for newer devices: it declares a function whose name says so.

   host
   error * 'memcpy_async_tx' of CCCL needs sm_90: the host device is sm_75, whatever -arch says
*/
extern "C" __device__ void __cuda_ptx_memcpy_async_tx_is_not_supported_before_SM_90__();

extern "C" __global__ void f()
{
    __cuda_ptx_memcpy_async_tx_is_not_supported_before_SM_90__();
}
