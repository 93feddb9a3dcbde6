/* Below the first element of an array of the thread's own.

   block  16
   let    low = 0 if right else -1
   out    y = empty(16, i4)
   call   f(y, low)
   expect y = 6 * arange(16)
   report memory read: space == "local" and variable == "a" and offset == -4
*/
extern "C" __global__ void f(int *y, int low)
{
    int a[4];
    for (int k = 0; k < 4; k++)
        a[k] = threadIdx.x * k;
    int sum = 0;
    for (int k = 3; k >= low; k--)
        sum += a[k]; // FAULT
    y[threadIdx.x] = sum;
}
