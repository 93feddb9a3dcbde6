/* A function that is called through a pointer reads an element that nobody has written.

   block  32
   out    x = empty(33, f4)
   out    y = empty(32, f4)
   do     cuda.memset_d32(int(x), 0, 33 if right else 32)
   call   f(x, y, 1)
   expect y = 0
   report init read: bytes == 4 and offset == 128 and thread == (31, 0, 0)
*/
__device__ float own(const float *x)
{
    return x[threadIdx.x];
}

__device__ float next(const float *x)
{
    return x[threadIdx.x + 1]; // FAULT
}

__device__ float (*const functions[])(const float *) = {own, next};

extern "C" __global__ void f(const float *x, float *y, int which)
{
    y[threadIdx.x] = functions[which](x);
}
