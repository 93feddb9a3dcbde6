/* What atomics return: tickets form a permutation, each old value is seen just once.

   let    n = 2500
   inout  next = array([100], i4)
   inout  down = array([n * 2], u4)
   out    ticket = empty(n, i4)
   out    under = empty(n, u4)
   call   draw(next, down, ticket, under, n)
   expect sort(ticket) = 100 + arange(n)
   expect next = 100 + n
   expect sort(under) = 2 + 2 * arange(n)
   expect down = 0
*/
extern "C" __global__ void draw(int *next, unsigned *down, int *ticket, unsigned *under, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        ticket[i] = atomicAdd(next, 1);
        under[i] = atomicSub(down, 2u);
    }
}
