/* Past the end of memory from malloc in a kernel.

   block  1
   let    grid = 1
   let    n = 6 if right else 7
   out    y = empty(1, i4)
   call   f(y, n)
   expect y = 15
   report memory write: bytes == 4 and space == "heap" and offset == 24 and size == 24
*/
extern "C" __global__ void f(int *y, int n)
{
    int *p = (int *)malloc(6 * sizeof(int));
    for (int k = 0; k < n; k++)
        p[k] = k; // FAULT
    int sum = 0;
    for (int k = 0; k < 6; k++)
        sum += p[k];
    free(p);
    *y = sum;
}
