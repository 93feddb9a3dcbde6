/* Barriers in the cases of a uniform switch inside a loop.

   block  1 32 33 96
   let    n = threads
   in     program = array([0, 2, 1, 1, 3, 0, 2], i4)
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    grid = 1
   def    f():
              v = x.copy()
              for op in program:
                  if op == 0: v = roll(v, -1)
                  if op == 1: v = v[::-1] + v
                  if op in (1, 2): v = v + 1
                  if op == 3: v = roll(roll(v, -2) * 2, -1)
              return v
   call   machine(program, 7, x, y)
   expect y = f()
*/
extern "C" __global__ void machine(const int *program, int length, const int *x, int *y)
{
    __shared__ int s[96];
    int t = threadIdx.x, n = blockDim.x, v = x[t];
    for (int k = 0; k < length; k++) {
        __syncthreads();
        s[t] = v;
        switch (program[k]) {
        case 0:
            __syncthreads();
            v = s[(t + 1) % n];
            break;
        case 1:
            __syncthreads();
            v += s[n - 1 - t];
        case 2:
            v++;
            break;
        default:
            __syncthreads();
            v = s[(t + 2) % n] * 2;
            __syncthreads();
            s[t] = v;
            __syncthreads();
            v = s[(t + 1) % n];
        }
    }
    y[t] = v;
}
