/* A lambda that holds the pointer.

   block  16
   out    y = empty(16, i2)
   call   f(y)
   expect y = arange(16)
   report memory write: bytes == 2 and offset == -2 and thread == (0, 0, 0) and variable == "y"
*/
template <class F> __device__ void each(int i, F f)
{
#ifdef RIGHT
    f(i);
#else
    f(i - 1);
#endif
}

extern "C" __global__ void f(short *y)
{
    each(threadIdx.x, [=](int i) {
        y[i] = i; // FAULT
    });
}
