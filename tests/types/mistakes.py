"""A program with mistakes that a type checker has to find, before a device is at hand; see test_types.py."""

import numpy as np

import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import cumath, curandom, gpuarray, tools
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel
from pycuda.sparse import CSRMatrix, cg

SOURCE = "__global__ void scale(float *x, float a, int n) { }"

# -- Right ---------------------------------------------------------------------------------------------------------

module = SourceModule(SOURCE, options=["-O3"], no_extern_c=False)
scale = module.get_function("scale")
x = gpuarray.to_gpu(np.arange(100, dtype=np.float32))
n = len(x)
stream, start, end = cuda.Stream(), cuda.Event(), cuda.Event(cuda.event_flags.BLOCKING_SYNC)
scale(x, np.float32(2), np.int32(n), block=(32, 1, 1), grid=(-(-n // 32), 1), stream=stream)
scale(x.gpudata, 2.0, n, block=(32, 1, 1), grid=tools.DeviceData().warp_size, shared=1024)
scale(cuda.InOut(np.zeros(100, np.float32)), np.float32(2), np.int32(n), block=[32, 1, 1])
seconds: float = scale(x, np.float32(2), np.int32(n), block=(32, 1, 1), time_kernel=True)
scale.prepare("PfI").prepared_async_call((1, 1), (32, 1, 1), stream, x.gpudata, 2.0, n)
start.record(stream)
milliseconds: float = end.record().synchronize().time_since(start)

memory = cuda.mem_alloc(np.prod(x.shape) * x.itemsize)
host = cuda.pagelocked_empty((10, 10), np.float32, mem_flags=cuda.host_alloc_flags.PORTABLE)
cuda.memcpy_htod(memory, host)
cuda.memcpy_dtoh_async(host, int(memory) + 4, stream)
cuda.memset_d32(memory, 0, 100)
device: cuda.Device = pycuda.autoinit.device
width: int = device.warp_size + device.get_attribute(cuda.device_attribute.MAX_PITCH)
with device.make_context(cuda.ctx_flags.SCHED_AUTO | cuda.ctx_flags.MAP_HOST) as context:
    limit: int = context.get_limit(cuda.limit.STACK_SIZE)
print(cuda.limit.STACK_SIZE.name, cuda.limit.names["STACK_SIZE"], scale.num_regs)
try:
    cuda.mem_alloc(1 << 60)
except cuda.MemoryError as error:
    print(error.code, error.name)

y = 2 * x + x**2 / 3 - abs(-x) * x.mean()
y += np.float64(1)
y[1:5] = x[::-1][:4]
y[y > 0.5] = 0
smallest: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = gpuarray.min(y).get()
total = float(y.sum().get()) + (x @ y).item() + float(gpuarray.dot(x, y).get())
shaped = gpuarray.zeros((4, 5, 6), np.dtype("c8"), order="F").reshape(20, -1).T[..., None].real
z = gpuarray.where(x > 0, cumath.exp(x, out=y), gpuarray.arange(100, dtype=np.float32))
pool = tools.DeviceMemoryPool()
z = gpuarray.empty(100, "f4", allocator=pool.allocate).fill(3).astype(int)
x.get(host)
rows = [row[np.int64(3)] for row in gpuarray.empty((np.int64(10), 10), np.float32)]
np.exp(x).get()
numbers = curandom.XORWOWRandomNumberGenerator(curandom.seed_getter_unique).gen_uniform((3, 4), np.float32)
add = ElementwiseKernel("float *x, float a", "x[i] += a", "add")
add(x, 3.0, slice=slice(0, 50), stream=stream)
largest = ReductionKernel(np.float32, "-1", "max(a, b)", "x[i]", "const float *x")(x).get()[()]
sums = InclusiveScanKernel(np.float32, "a + b")(x, "new")
solution, iterations = cg.solve(CSRMatrix((x, z, z)), y, tol=1e-6)
with gpuarray.lazy(), stream.capture() as graph:
    z = x + y
graph.instantiate().launch(stream)
with gpuarray.capture() as graph:
    z = x + y
graph.instantiate().launch()

# -- Wrong ---------------------------------------------------------------------------------------------------------

scale(x, np.float32(2), np.int32(n))  # mistake: no block
scale(x, np.float32(2), np.int32(n), block=(n / 4, 1, 1))  # mistake: a float in the block
scale(x, [1, 2], np.int32(n), block=(32, 1, 1))  # mistake: a list is no argument of a kernel
scale(x, np.float32(2), np.int32(n), block=(32, 1, 1), gird=(4, 1))  # mistake: misspelt keyword
cuda.memcpy_htod(host.tolist(), memory)  # mistake: a list in place of device memory
cuda.memcpy_dtoh(memory, host)  # mistake: destination and source are exchanged
module.get_fucntion("scale")  # mistake: misspelt method
print(x.get().gpudata)  # mistake: an array of NumPy's is in host memory
y += [1, 2]  # mistake: a list is no operand
print(x + np.arange(100))  # mistake: one is on the device, one on the host
np.testing.assert_allclose(x, y)  # mistake: these are no arrays of NumPy's
print(device.warpsize)  # mistake: misspelt attribute
cuda.Context.get_limit(cuda.func_cache.PREFER_L1)  # mistake: another enumeration
cuda.Stream("high")  # mistake: flags are an integer
gpuarray.zeros((4, 5), np.float32, order="A")  # mistake: no order to make an array in
shaped.sum("0")  # mistake: an axis is an integer
cuda.Context()  # mistake: a device makes contexts
print(graph.add_empty().nodes)  # mistake: a node is no graph
