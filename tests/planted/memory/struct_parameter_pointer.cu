/* The pointer in a struct that is a parameter, and the count beside it, one too large.

   block  32
   let    n = 20
   out    x = empty(n, f4)
   def    vector(p, count): return array((p, count, 0), [("data", u8), ("count", i4), ("rest", i4)])[()]
   call   f(vector(x, n if right else n + 1))
   expect x = 2
   report memory write: thread == (20, 0, 0) and bytes == 4 and offset == 80 and size == 80
*/
struct vector {
    float *data;
    int count;
};

extern "C" __global__ void f(vector v)
{
    if (threadIdx.x < v.count)
        v.data[threadIdx.x] = 2; // FAULT
}
