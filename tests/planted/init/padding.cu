/* Structs are written by their members and read as words, padding and all.

   block  8
   out    x = empty((8, 2), i4)
   out    y = empty((8, 2), i4)
   do     cuda.memset_d8(int(x), 0, 64) if right else None
   call   fill(x)
   call   f(x, y)
   expect y[:, 1] = arange(8)
   report init read: variable == "x" and bytes == 4 and offset % 8 == 0
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

extern "C" __global__ void f(const int *x, int *y)
{
    int t = threadIdx.x;
    int head = x[2 * t]; // FAULT
    y[2 * t] = head;
    y[2 * t + 1] = x[2 * t + 1];
}
