/* Digit sums with do-while: the body runs once even for zero.

   let    n = 640
   in     x = concatenate([zeros(8, u8), ints(0, 2**63, n - 8, u8)])
   out    y = empty((n, 2), i4)
   call   digits(x, y, n)
   expect y = [(sum([int(c) for c in str(v)]), len(str(v))) for v in x.tolist()]
*/
extern "C" __global__ void digits(const unsigned long long *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long v = x[i];
    int sum = 0, count = 0;
    do {
        sum += v % 10;
        v /= 10;
        count++;
    } while (v);
    y[2 * i] = sum;
    y[2 * i + 1] = count;
}
