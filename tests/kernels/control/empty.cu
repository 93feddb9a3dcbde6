/* A kernel with no body, one that only returns, and one with no arguments.

   vary   grid = 1, (3, 2, 2)
   inout  y = ints(0, 9, 8)
   call   empty(y)
   call   returns(y, 3)
   call   none()
   expect y = y
*/
extern "C" __global__ void empty(int *y)
{
}

extern "C" __global__ void returns(int *y, int n)
{
    if (n > (int)threadIdx.x)
        return;
    return;
}

extern "C" __global__ void none()
{
}
