/* Inline PTX beyond the usual has no meaning on the host device; the message quotes it.

   host
   error  * inline PTX.*: \{ \.reg \.pred p.*vote\.sync
*/
extern "C" __global__ void f(unsigned *y)
{
    asm("{ .reg .pred p; setp.ne.u32\tp, 1, 0; vote.sync.all.pred p, p, 0xffffffff; }");
    y[threadIdx.x] = 1;
}
