/* Clusters of two blocks.

   host
   error  * the host device has no clusters of blocks
*/
extern "C" __global__ void __cluster_dims__(2, 1, 1) f(int *y) { y[threadIdx.x] = 1; }
