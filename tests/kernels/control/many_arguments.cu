/* Twenty arguments of all sizes: alignment and order in the argument block.

   let    n = 70
   out    y = empty(n, f8)
   call   many(i1(-1), f8(0.5), i2(-300), 7, i1(9), i8(-2**40), u1(200), 1.5, u2(60000), u4(2**31), y,
               i1(5), u8(2**50), 2.25, i2(11), f8(1e10), i1(-2), n, u1(1), i8(3))
   expect y = -1 + 0.5 * 2 - 300 + 7 + 9 - 2**40 + 200 + 1.5 + 60000 + 2**31 + 5 + 2**50 + 2.25 + 11 + 1e10 - 2 + 1 + 3 + arange(n)
*/
extern "C" __global__ void many(signed char a, double b, short c, int d, signed char e, long long f,
                                unsigned char g, float h, unsigned short i, unsigned j, double *y,
                                signed char k, unsigned long long l, float m, short o, double p,
                                signed char q, int n, bool r, long long s)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        y[t] = a + b * 2 + c + d + e + f + g + h + i + j + k + l + m + o + p + q + r + s + t;
}
