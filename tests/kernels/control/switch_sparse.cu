/* A switch over far-apart 64-bit values, one over characters, one without a default.

   let    n = 400
   let    keys = array([-5, 0, 7, 1 << 40, -(1 << 60), 99], i8)
   in     x = keys[ints(0, 5, n)]
   in     c = frombuffer(rng.choice(list(b"+-*%?"), n).astype(u1).tobytes(), u1)
   out    y = empty(n, i8)
   def    f(v, c):
              r = {-5: 1, 7: 2, 1 << 40: 3, -(1 << 60): 4}.get(v, -1)
              return {"+": r + 7, "-": r - 7, "*": r * 7, "%": 7 * r + 1}.get(c, r)
   call   sparse(x, c, y, n)
   expect y = [f(int(v), chr(o)) for v, o in zip(x, c)]
*/
extern "C" __global__ void sparse(const long long *x, const char *c, long long *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long r;
    switch (x[i]) {
    case -5:
        r = 1;
        break;
    case 7:
        r = 2;
        break;
    case 1LL << 40:
        r = 3;
        break;
    case -(1LL << 60):
        r = 4;
        break;
    default:
        r = -1;
    }
    switch (c[i]) {
    case '+':
        r += 7;
        break;
    case '-':
        r -= 7;
        break;
    case '*':
        r *= 7;
        break;
    case '%':
        r = 7 * r + 1;
        break;
    }
    y[i] = r;
}
