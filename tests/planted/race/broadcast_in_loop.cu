/* A ticket for the block, fetched by thread 0 of each turn; the others may read the next one.

   block  64
   let    grid = 2
   inout  next = zeros(1, i4)
   out    y = empty(16, i4)
   call   f(next, y)
   expect y = arange(16)
   report race: space == "shared" and variable == "ticket"
*/
extern "C" __global__ void f(int *next, int *y)
{
    __shared__ int ticket;
    for (;;) {
        if (threadIdx.x == 0)
            ticket = atomicAdd(next, 1); // FAULT
        __syncthreads();
        int mine = ticket; // OTHER
#ifdef RIGHT
        __syncthreads();
#endif
        if (mine >= 16)
            break;
        if (threadIdx.x == 5)
            y[mine] = mine;
    }
}
