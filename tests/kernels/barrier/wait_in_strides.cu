/* Threads stride over the grid, again and again until what later blocks compute is there.

   block  32 64
   vary   grid = 1, 3, 8
   let    n = 5 * grid * threads - 7
   inout  y = zeros(n, i4)
   call   backwards(y, n, threads)
   expect y = (n - 1 - arange(n)) // threads + 1
*/
extern "C" __global__ void backwards(volatile int *y, int n, int distance)
{
    bool again;
    do {
        again = false;
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
             i += gridDim.x * blockDim.x) {
            if (y[i])
                continue;
            int behind = i + distance < n ? y[i + distance] : 0;
            if (i + distance < n && behind == 0)
                again = true;
            else
                y[i] = behind + 1;
        }
    } while (again);
}
