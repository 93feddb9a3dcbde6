/* Fields of one struct in shared and global memory, a thread each.

   block  64
   out    y = empty(4, i2)
   call   f(y)
   expect y = [1, 2, 3, 4]
*/
struct four {
    short a, b, c, d;
};

extern "C" __global__ void f(four *y)
{
    __shared__ four s;
    int t = threadIdx.x;
    if (t == 0)
        s.a = 1;
    if (t == 1)
        s.b = 2;
    if (t == 32)
        s.c = 3;
    if (t == 33)
        s.d = 4;
    __syncthreads();
    if (t == 2)
        y->a = s.a;
    if (t == 34)
        y->b = s.b;
    if (t == 35)
        y->c = s.c;
    if (t == 3)
        y->d = s.d;
}
