/* Products of tensors that only Hopper has; the message names what there is.

   host
   error  * inline PTX.*in its place there is mma\.sync\): wgmma\.fence\.sync\.aligned
*/
extern "C" __global__ void f() { asm volatile("wgmma.fence.sync.aligned;"); }
