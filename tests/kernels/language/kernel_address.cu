/* Addresses of kernels in initializers, of variables for host and device: they make instances of templates of kernels.

   block  33
   nvcc
   let    grid = 1
   out    of_device = empty(33, i4)
   out    of_table = empty(33, i4)
   out    of_host = empty(33, i4)
   out    found = empty(33, i4)
   call   _Z5scaleILi3EEvPi(of_device)
   call   _Z5scaleILi4EEvPi(of_table)
   call   _Z5scaleILi5EEvPi(of_host)
   call   has_address(found)
   expect of_device = 3 * arange(33)
   expect of_table = 4 * arange(33)
   expect of_host = 5 * arange(33)
   expect found = 1
*/
template <int n> __global__ void scale(int *y)
{
    y[threadIdx.x] = n * threadIdx.x;
}

__device__ void (*start)(int *) = scale<3>;
__constant__ const void *table[] = {(const void *)&scale<3>, (const void *)&scale<4>};
static const void *of_host = (const void *)&scale<5>;

extern "C" __global__ void has_address(int *y)
{
    y[threadIdx.x] = start && table[threadIdx.x % 2];
}
