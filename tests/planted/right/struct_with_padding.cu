/* Structs with padding, copied whole: the padding was never written, and nobody looks at it.

   block  16
   out    x = empty((16, 2), i4)
   out    y = empty((16, 2), i4)
   call   fill(x)
   call   f(x, y)
   expect y[:, 1] = arange(16)
*/
struct pair {
    char c;
    int v;
};

extern "C" __global__ void fill(pair *x)
{
    x[threadIdx.x].c = 1;
    x[threadIdx.x].v = threadIdx.x;
}

extern "C" __global__ void f(const pair *x, pair *y)
{
    pair p;
    p.c = x[threadIdx.x].c;
    p.v = x[threadIdx.x].v;
    y[threadIdx.x] = p;
}
