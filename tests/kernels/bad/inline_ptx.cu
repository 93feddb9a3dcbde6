/* Inline PTX that nothing but a GPU has; the message quotes it.

   host
   error  * inline PTX.*: \{ \.reg \.pred p; setp\.ne\.u32 p, 1, 0; @p pmevent 1; \}
*/
extern "C" __global__ void f(unsigned *y)
{
    asm("{ .reg .pred p; setp.ne.u32\tp, 1, 0; // one\n @p pmevent 1; }");
    y[threadIdx.x] = 1;
}
