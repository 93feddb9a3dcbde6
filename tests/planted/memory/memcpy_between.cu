/* memset from one array on into the next, through a pointer that lies in memory.

   block  1
   out    x = empty(64, u1)
   out    y = empty(64, u1)
   inout  p = zeros(1, u8)
   in     z = ones(4096, u1)
   do     cuda.memcpy_htod(int(p), array([min(int(x), int(y))], u8))
   call   f(p, z, u8(64 if right else abs(int(x) - int(y)) + 4))
   expect True
   report memory write: offset == 0 and size == 64
*/
extern "C" __global__ void f(char **p, const char *z, unsigned long long bytes)
{
    memset(*p, z[0], bytes); // FAULT
}
