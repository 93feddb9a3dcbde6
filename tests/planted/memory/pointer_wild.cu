/* An integer that is no address.

   block  32
   let    n = 32
   out    y = empty(n, i4)
   call   f(y, u8(int(y)) if right else u8(0x123456780))
   expect y = 3
   report memory write: bytes == 4 and 0x123456780 <= address < 0x123456800
*/
extern "C" __global__ void f(int *y, unsigned long long at)
{
    ((int *)at)[threadIdx.x] = 3; // FAULT
}
