/* Bytes side by side, each of a thread of its own; no word is anybody's.

   block  100
   let    grid = 3
   out    y = empty(300, u1)
   call   f(y)
   expect y = tile(2 * arange(100), 3)
*/
extern "C" __global__ void f(unsigned char *y)
{
    __shared__ unsigned char s[100];
    int t = threadIdx.x;
    s[t] = t;
    s[t] += t;
    y[blockIdx.x * 100 + t] = s[t];
}
