/* __trap in one thread ends the launch with an error.

   block  33
   let    grid = 1
   inout  y = zeros(33, i4)
   call   stop(y)
   fails  [Ll]aunch|[Ii]llegal
   fails  (failure|encountered)( \(7\d\d\))? - the context and all memory in it are lost|, kernel\.cu:14: thread \(32,0,0\): trap
*/
extern "C" __global__ void stop(int *y)
{
    y[threadIdx.x] = 1;
    if (threadIdx.x == 32)
        __trap();
}
