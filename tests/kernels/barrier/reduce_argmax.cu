/* Largest value and its first place, two shared arrays in step.

   block  1 2 32 128 1024
   let    n = 3000
   in     x = ints(0, 500, n)
   out    value = empty(cdiv(n, threads), i4)
   out    place = empty(cdiv(n, threads), i4)
   let    pad = concatenate([x, full(-n % threads, -1)]).reshape(-1, threads)
   call   argmax(x, value, place, n)
   expect value = pad.max(1)
   expect place = pad.argmax(1) + arange(len(pad)) * threads
*/
extern "C" __global__ void argmax(const int *x, int *value, int *place, int n)
{
    __shared__ int v[1024], p[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    v[t] = i < n ? x[i] : -1;
    p[t] = i;
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (t < half && (v[t + half] > v[t] || (v[t + half] == v[t] && p[t + half] < p[t]))) {
            v[t] = v[t + half];
            p[t] = p[t + half];
        }
    }
    if (t == 0) {
        value[blockIdx.x] = v[0];
        place[blockIdx.x] = p[0];
    }
}
