/* A template with no matching overload; the message names it.

   error  14 no matching function for call to 'clamp'|no instance of function template "clamp"
*/
template <class T> __device__ T clamp(T v, T low, T high)
{
    return v < low ? low : v > high ? high : v;
}

extern "C" __global__ void f(int *y)
{
    int i = threadIdx.x;

    y[i] = clamp(i, 0.5f, 7);
}
