/* Jumps to addresses of labels.

   error  * 'f' jumps .*indirectbr|expected an expression|address of label
*/
extern "C" __global__ void f(int *y, int k)
{
    const void *to[] = {&&a, &&b, &&c};
    if (k > 5)
        to[k % 3] = to[0];
    goto *to[y[threadIdx.x] % 3];
a:
    y[0]++;
    goto *to[y[1]];
b:
    y[1]++;
    goto *to[y[2]];
c:
    y[2]++;
}
