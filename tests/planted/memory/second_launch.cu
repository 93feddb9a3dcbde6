/* A kernel that is right for one length and launched with another.

   block  32
   let    n = 32
   out    y = empty(n, i4)
   call   f(y, n)
   call   f(y, n if right else n + 1)
   expect y = n
   report memory write: variable == "y" and offset == 128 and thread == (0, 0, 0)
*/
extern "C" __global__ void f(int *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = n; // FAULT
}
