/* A float where only a pointer will do.

   error  7 float
*/
extern "C" __global__ void f(int *y, float x)
{
    y = x;
    *y = 1;
}
