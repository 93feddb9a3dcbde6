/* Nor does one come out of it.

   host
   error * 'f' goes on with a carry \(addc, subc, madc\) that another function began: that can be done in functions that are inlined
*/
__device__ unsigned one(unsigned a, unsigned b)
{
    unsigned r;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
__device__ unsigned other(unsigned a, unsigned b) { return one(b, ~a); }
__device__ unsigned (*const table[2])(unsigned, unsigned) = {one, other};

extern "C" __global__ void f(unsigned *x, int n)
{
    x[2] = table[n & 1](x[0], x[1]);
    asm volatile("addc.u32 %0, %1, 0;" : "=r"(x[3]) : "r"(x[1]));
}
