/* free of an address inside of an allocation.

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
#ifdef RIGHT
    free(p);
#else
    free(p + 4); // FAULT
#endif
}
