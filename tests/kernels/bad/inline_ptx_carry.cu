/* A carry does not go into a function that is not inlined.

   host
   error * 'more' goes on with a carry \(addc, subc, madc\) that another function began: that can be done in functions that are inlined
*/
extern "C" __device__ unsigned more(unsigned a, int n)
{
    unsigned r;
    asm volatile("addc.u32 %0, %1, 0;" : "=r"(r) : "r"(a));
    return n ? more(r, n - 1) + more(r, n / 2) : r;
}

extern "C" __global__ void f(unsigned *x, int n)
{
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(x[2]) : "r"(x[0]), "r"(x[1]));
    x[3] = more(x[2], n);
}
