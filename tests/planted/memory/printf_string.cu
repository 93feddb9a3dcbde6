/* printf of a string that begins where nothing is.

   block  1
   in     x = array([104, 105, 0], i1)
   out    y = empty(1, i4)
   call   f(x, y, u8(x) if right else u8(4096))
   expect y = 1
   report memory read: address == 4096
*/
#include <stdio.h>

extern "C" __global__ void f(const char *x, int *y, unsigned long long at)
{
    *y = 1;
    if (at != (unsigned long long)x)
        printf("%d %s\n", *x, (const char *)at); // FAULT
}
