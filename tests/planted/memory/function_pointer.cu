/* A write in a function that is called by its address.

   block  8
   out    y = empty(8, i4)
   call   f(y, 1)
   expect y = arange(8) * 2
   report memory write: bytes == 4 and offset == 32 and thread == (7, 0, 0)
*/
__device__ void plain(int *y, int i)
{
    y[i] = 2 * i;
}

__device__ void shifted(int *y, int i)
{
    y[i + 1] = 2 * i; // FAULT
}

typedef void (*function)(int *, int);
#ifdef RIGHT
__device__ function table[2] = {shifted, plain};
#else
__device__ function table[2] = {plain, shifted};
#endif

extern "C" __global__ void f(int *y, int which)
{
    table[which](y, threadIdx.x);
}
