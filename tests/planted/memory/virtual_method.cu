/* A write in a virtual method.

   block  1
   out    y = empty(4, f4)
   call   f(y, 0)
   expect y[3] = 1
   report memory write: bytes == 4 and offset == 16
*/
struct base {
    __device__ virtual void set(float *y) = 0;
};

struct near : base {
    __device__ void set(float *y) override
    {
        y[3] = 1;
    }
};

struct far : base {
    __device__ void set(float *y) override
    {
        y[4] = 1; // FAULT
    }
};

extern "C" __global__ void f(float *y, int which)
{
    near n;
    far f;
#ifdef RIGHT
    base *b = which == 0 ? (base *)&n : (base *)&f;
#else
    base *b = which == 0 ? (base *)&f : (base *)&n;
#endif
    b->set(y);
}
