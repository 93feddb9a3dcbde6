/* A stateful generator object in each thread, its methods called in divergent order.

   let    n = 300
   in     seed = ints(1, 2**32 - 1, n, u4)
   out    y = empty(n, u4)
   def    f(s):
              sum = 0
              for k in range(s % 23):
                  s ^= s << 13 & 0xffffffff
                  s ^= s >> 17
                  s ^= s << 5 & 0xffffffff
                  if s & 1: sum += s >> 8
                  else: s = (s * 69069 + 1) % 2**32
              return (sum ^ s) % 2**32
   call   draw(seed, y, n)
   expect y = [f(int(s)) for s in seed]
*/
struct generator {
    unsigned state;
    __device__ unsigned next()
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }
    __device__ void skip()
    {
        state = state * 69069u + 1;
    }
};

extern "C" __global__ void draw(const unsigned *seed, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    generator g = {seed[i]};
    unsigned sum = 0, count = seed[i] % 23;
    while (count--) {
        unsigned v = g.next();
        if (v & 1)
            sum += v >> 8;
        else
            g.skip();
    }
    y[i] = sum ^ g.state;
}
