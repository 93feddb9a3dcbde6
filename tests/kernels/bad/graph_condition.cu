/* A kernel that sets the condition of a node of a graph.

   host
   error  7 the host device does not set conditions of graphs from kernels
*/

extern "C" __global__ void more(cudaGraphConditionalHandle loop, int *left) { cudaGraphSetConditional(loop, --*left > 0); }
