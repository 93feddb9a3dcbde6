/* Two threads write one field of a struct; other fields have a thread each.

   block  64
   out    y = empty(3, i4)
   call   f(y)
   expect y = [1, 2, 3]
   report race: space == "shared" and variable == "p" and {thread, other_thread} == {(1, 0, 0), (34, 0, 0)}
*/
struct point {
    int x, y, z;
};

extern "C" __global__ void f(int *y)
{
    __shared__ point p;
    int t = threadIdx.x;
    if (t == 0)
        p.x = 1;
    if (t == 1)
        p.y = 2; // FAULT
    if (t == 34)
#ifdef RIGHT
        p.z = 3;
#else
        p.y = 3; // OTHER
#endif
    __syncthreads();
    if (t == 0) {
        y[0] = p.x;
        y[1] = p.y;
#ifdef RIGHT
        y[2] = p.z;
#endif
    }
}
