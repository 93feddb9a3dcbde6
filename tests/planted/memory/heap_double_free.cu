/* free of what is freed already.

   block  1
   out    y = empty(1, i4)
   call   f(y)
   expect y = 3
   report memory
*/
extern "C" __global__ void f(int *y)
{
    int *volatile p = (int *)malloc(64);
    *p = 3;
    *y = *p;
    free(p);
#ifndef RIGHT
    free(p); // FAULT
#endif
}
