/* Threads of a block hand a token on one by one through a volatile shared word, without barriers.

   block  1 2 32 33 64
   let    grid = 2
   out    y = empty((2, threads), i4)
   call   relay(y)
   expect y = arange(threads) * (arange(threads) + 1) // 2 + 10 + zeros((2, 1))
*/
extern "C" __global__ void relay(int *y)
{
    __shared__ volatile int turn, value;
    int t = threadIdx.x;
    if (t == 0) {
        value = 10;
        turn = 0;
    }
    __syncthreads();
    bool done = false;
    while (!done) {
        if (turn == t) {
            value = value + t;
            y[blockIdx.x * blockDim.x + t] = value;
            __threadfence_block();
            turn = t + 1;
            done = true;
        }
    }
}
