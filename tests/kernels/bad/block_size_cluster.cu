/* Clusters of two blocks, by __block_size__.

   host
   error  * the host device has no clusters of blocks
*/
extern "C" __global__ void __block_size__((64, 1, 1), (2, 1, 1)) f(int *y) { y[threadIdx.x] = 1; }
