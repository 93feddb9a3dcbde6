/* Arithmetic that says whether it went too far: the same in all threads on one way, different on the other.

   host
   let    n = 300
   vary   by = 3, 2**30, -2**31
   in     x = ints(-2**31, 2**31 - 1, n)
   out    y = empty((n, 2), i4)
   call   f(x, y, by, n)
   let    exact = where(x & 1, x.astype(i8) + by, by * 5)
   expect y = stack([wrap(exact, i4), exact != wrap(exact, i4)], 1)
*/
extern "C" __global__ void f(const int *x, int *y, int by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, r;
    if (i >= n)
        return;
    bool far;
    if (x[i] & 1)
        far = __builtin_sadd_overflow(x[i], by, &r);
    else
        far = __builtin_smul_overflow(by, 5, &r);
    y[2 * i] = r;
    y[2 * i + 1] = far;
}
