/* Inline PTX beyond the usual has no meaning on the host device; the message quotes it.

   host
   error  * inline PTX.*: vote\.sync\.all\.pred p, q
*/
extern "C" __global__ void f(unsigned *y)
{
    asm("vote.sync.all.pred\tp, q;");
    y[threadIdx.x] = 1;
}
