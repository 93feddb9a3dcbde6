/* A bracket that is not closed.

   error  7 expected a? ?["'][)]["']
*/
extern "C" __global__ void f(int *y)
{
    y[0] = (1;
}
