/* An inherited constructor whose parameter is an object: that of the base class's constructor is made of the argument
   (C++17, [class.inhctor.init]); nvcc and NVRTC make one object more, and a copy of that.

   block  1 32 33 100
   let    n = 200
   host
   in     x = ints(0, 3, n, u4)
   out    y = empty(n, u4)
   call   inherited(x, y, n)
   expect y = 1000 * (x + 4) + 110 * (x + 2) + x
*/

/* Each object that is destroyed is a digit of *seen. */
struct thing {
    unsigned *seen, v;
    __device__ thing(unsigned *seen, unsigned v) : seen(seen), v(v) {}
    __device__ thing(const thing &o) : seen(o.seen), v(o.v) {}
    __device__ ~thing()
    {
        *seen = *seen * 10 + v;
    }
};

struct holder {
    thing held;
    __device__ holder(thing t) : held(t)
    {
        t.v += 4;
    }
    __device__ holder(thing t, unsigned more) : holder(t)
    {
        t.v += more;
        held.v += more;
    }
};

struct heir : holder {
    using holder::holder;
};

extern "C" __global__ void inherited(const unsigned *x, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned seen = 0;
    {
        thing t(&seen, x[i]);
        heir h(t, 2u);
    }
    y[i] = seen;
}
