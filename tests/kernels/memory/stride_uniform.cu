/* Strides that all threads share but only the launch knows: of every integer type, in elements and in
   bytes, negative and zero, and indices that wrap on purpose.

   let    n = 300
   vary   s = 1, 2, 3, 7, -1, -5, 0
   let    middle = 3000
   let    i = arange(n)
   in     x = ints(-9999, 9999, 2 * middle)
   out    a = empty(n, i4)
   out    b = empty(n, i4)
   out    c = empty(n, i4)
   out    wrapped = empty(n, i4)
   inout  spread = zeros(2 * middle, i4)
   call   strides(x, a, b, c, wrapped, spread, n, s, i8(s), i8(4 * s), u4(abs(s)), middle)
   expect a = x[middle + i * s + 1] + x[middle - i * s]
   expect b = x[middle + (i - 3) * s]
   expect c = x[middle + 2 + i * s] - x[middle + i * abs(s)]
   expect wrapped = x[(i * 50 * abs(s)) % 256] + x[(200 * (i + 7)) % 4096]
   expect spread[middle + i * s] = i if s else n - 1
   expect count_nonzero(spread) = n - 1 if s else 1
*/
extern "C" __global__ void strides(const int *x, int *a, int *b, int *c, int *wrapped, int *spread, int n,
                                   int s, long long wide, long long bytes, unsigned u, int middle)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    a[i] = x[middle + i * s + 1] + x[middle - i * wide];
    b[i] = *(const int *)((const char *)(x + middle) + (i - 3) * bytes);
    c[i] = (x + 2 + middle)[i * s] - x[middle + (unsigned)i * u];
    unsigned char byte = 50 * u * i;
    wrapped[i] = x[byte] + x[(i + 7) * 200 % 4096];
    if (s || i == n - 1)
        spread[middle + i * wide] = i;
}
