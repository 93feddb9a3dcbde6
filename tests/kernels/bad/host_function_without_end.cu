/* What calls and names mean is not asked in host functions, but where their bodies end is: else a kernel behind one is gone
   without a word.

   error  * expected (a ?)?["']?;|[Jj][Ii][Tt] mode
*/

int twice(int x)
{
    return 2 * x
}

__global__ void f(int *y)
{
    y[threadIdx.x] = 1;
}
