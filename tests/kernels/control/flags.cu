/* Booleans kept in variables and in memory, combined with &, |, ^ and !.

   let    n = 321
   in     x = ints(0, 255, n, u1)
   out    y = empty(n, bool_)
   out    z = empty(n, i4)
   let    a = x > 100
   let    b = x % 2 == 1
   let    c = x < 200
   call   flags(x, y, z, n)
   expect y = (a & b) | (~c ^ a)
   expect z = 1 * a + 2 * b + 4 * c + 8 * ~(a & b & c)
*/
extern "C" __global__ void flags(const unsigned char *x, bool *y, int *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool a = x[i] > 100, b = x[i] & 1, c = x[i] < 200;
    y[i] = (a && b) | (!c ^ a);
    z[i] = a + 2 * b + 4 * c + (a & b & c ? 0 : 8);
}
