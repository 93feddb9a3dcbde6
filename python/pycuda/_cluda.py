"""CLUDA_PREAMBLE: names for what CUDA and OpenCL have in common, for kernels of both. PyCUDA's name."""

CLUDA_PREAMBLE = """
#define local_barrier() __syncthreads();
#define WITHIN_KERNEL __device__
#define KERNEL extern "C" __global__
#define GLOBAL_MEM
#define LOCAL_MEM __shared__
#define LOCAL_MEM_ARG
#define REQD_WG_SIZE(x, y, z) __launch_bounds__((x) * (y) * (z), 1)
""" + "".join(f"#define {name}_{i} {variable}.{axis}\n" for i, axis in enumerate("xyz")
              for name, variable in (("LID", "threadIdx"), ("GID", "blockIdx"), ("LDIM", "blockDim"),
                                     ("GDIM", "gridDim")))
