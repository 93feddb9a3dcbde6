/* Where a function of C++'s library throws in host code, a kernel ends with an error.

   block  33
   nvcc
   let    grid = 1
   out    y = empty(33, i4)
   inout  z = zeros(33, i4)
   call   pick(y, 3)
   expect y = where(arange(33) < 32, 5, 8)
   call   pick(z, 4)
   fails  [Ll]aunch|[Ii]llegal
*/
#include <array>
#include <optional>

extern "C" __global__ void pick(int *y, int last)
{
    std::array<int, 4> a = {5, 6, 7, 8};
    std::optional<int> given(threadIdx.x == 32 ? last : 0);
    y[threadIdx.x] = a.at(given.value());
}
