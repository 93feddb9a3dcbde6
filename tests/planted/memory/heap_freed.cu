/* Memory of a kernel's malloc after its free.

   block  1
   out    y = empty(1, i4)
   call   f(y)
   expect y = 3
   report memory read: bytes == 4 and space == "heap" and state == "freed"
*/
extern "C" __global__ void f(int *y)
{
    volatile int *p = (volatile int *)malloc(64);
    p[1] = 3;
#ifdef RIGHT
    *y = p[1];
    free((void *)p);
#else
    free((void *)p);
    *y = p[1]; // FAULT
#endif
}
