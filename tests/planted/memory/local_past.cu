/* One past the end of an array of the thread's own.

   block  32
   let    n = 8 if right else 9
   out    y = empty(32, i4)
   call   f(y, n)
   expect y = 28 + 8 * arange(32)
   report memory write: space == "local" and variable == "a" and bytes == 4 and size == 32 and offset == 32
*/
extern "C" __global__ void f(int *y, int n)
{
    int a[8], sum = 0;
    for (int k = 0; k < n; k++)
        a[k] = threadIdx.x + k; // FAULT
    for (int k = 0; k < 8; k++)
        sum += a[(k * 3) % n];
    y[threadIdx.x] = sum;
}
