"""CUDA kernels in OpenCL C, by names: for contenders that know OpenCL alone. Kernels that are plain enough need no more."""

import re

import numpy as np
import pyopencl as cl

import pycuda.driver as cuda

NAMES = {r'extern "C" __global__ void': "kernel void", "__shared__": "local", r"__syncthreads\(\)": "barrier(3)",
         "atomicAdd": "atomic_add", r"\bhalf\b": "middle", r"\b(sin|exp|rsqrt)f\b": r"\1"}
for _number, _axis in enumerate("xyz"):
    NAMES.update({rf"threadIdx\.{_axis}": f"(int)get_local_id({_number})",
                  rf"blockIdx\.{_axis}": f"(int)get_group_id({_number})",
                  rf"blockDim\.{_axis}": f"(int)get_local_size({_number})",
                  rf"gridDim\.{_axis}": f"(int)get_num_groups({_number})"})


def translate(source, leave_out=()):
    """The kernels and structs of a source but those of these names."""
    parts = re.split(r'(?=^extern "C"|^struct )', source, flags=re.MULTILINE)
    out = rf"^extern \"C\".*?void ({'|'.join(leave_out)})\(|^struct ({'|'.join(leave_out)})\b"
    source = "".join(part for part in parts if not leave_out or not re.match(out, part))
    source = re.sub(r"^struct (\w+) \{(.*?)^\};", r"typedef struct {\2} \1;", source, flags=re.MULTILINE | re.DOTALL)
    source = re.sub(r"__global__ void \w+\(.*?\)", lambda head: re.sub(r"((?:const )?[\w ]+\*)", r"global \1", head[0]),
                    source, flags=re.DOTALL)
    for name, other in NAMES.items():
        source = re.sub(name, other, source)
    return source


def size_of(memory):
    return cuda.mem_get_address_range(int(memory))[1]


class Platform:
    """A device of the first platform whose name has this word, and the kernels of a source compiled for it."""

    def __init__(self, word, source):
        device = next(p for p in cl.get_platforms() if word in p.name).get_devices()[0]
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.program = cl.Program(self.context, source).build()
        self.buffers = {}

    def buffer(self, memory, shared):
        """OpenCL's buffer for host device memory: the same bytes, or a copy of them."""
        if int(memory) not in self.buffers:
            content = cuda.from_device(memory, size_of(memory), np.uint8)
            how, flag = {"hostbuf": content}, cl.mem_flags.COPY_HOST_PTR
            if shared:
                view = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_uint8 * size_of(memory)).from_address(int(memory)))
                how, flag = {"hostbuf": view}, cl.mem_flags.USE_HOST_PTR
            self.buffers[int(memory)] = cl.Buffer(self.context, cl.mem_flags.READ_WRITE | flag, **how)
        return self.buffers[int(memory)]

    def launch(self, name, arguments, block, grid, shared=False):
        """A function that starts the kernel. Buffers live as long as the platform."""
        kernel = cl.Kernel(self.program, name)
        for place, value in enumerate(arguments):
            kernel.set_arg(place, value if isinstance(value, np.generic) else self.buffer(value, shared))
        whole = [count * size for count, size in zip((*grid, 1), block, strict=True)]
        return lambda: cl.enqueue_nd_range_kernel(self.queue, kernel, whole, block)

    def content(self, memory):
        result = np.empty(size_of(memory), np.uint8)
        cl.enqueue_copy(self.queue, result, self.buffers[int(memory)])
        return result
