/* The next element is loaded before the loop knows whether there is one.

   block  8
   let    grid = 1
   let    n = 64
   in     x = ones(n, f4)
   out    y = empty(8, f4)
   call   f(x, y, n)
   expect y = 8
   report memory read: variable == "x" and offset == 256 + 4 * thread[0]
*/
extern "C" __global__ void f(const float *x, float *y, int n)
{
    float sum = 0, next = x[threadIdx.x];
    for (int i = threadIdx.x; i < n; i += 8) {
        float here = next;
#ifdef RIGHT
        if (i + 8 < n)
#endif
            next = x[i + 8]; // FAULT
        sum += here + 0 * next;
    }
    y[threadIdx.x] = sum;
}
