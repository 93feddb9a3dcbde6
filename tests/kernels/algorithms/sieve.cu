/* Sieve of Eratosthenes: threads cross out multiples, racing with equal values.

   let    n = 3000
   inout  composite = zeros(n, bool_)
   call   cross(composite, n)
   expect nonzero(~composite)[0][2:] = [k for k in range(2, n) if all([k % d for d in range(2, int(k ** 0.5) + 1)])]
*/
extern "C" __global__ void cross(bool *composite, int n)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x + 2;
    for (int m = p * p; p < 55 && m < n; m += p)
        composite[m] = true;
}
