/* Copies from global to shared memory that go on while the thread does something else,
   and need none of its registers; from compute capability 8.0 on. */
#ifndef PYCUDA_ASYNC_COPY_CUH
#define PYCUDA_ASYNC_COPY_CUH

#include "operations.cuh"

namespace pycuda
{

/* `size` bytes to shared memory, of which `given` are read and the others zero. */
template <int size>
PYCUDA_DEVICE void copy_async(void *to, const void *from, unsigned given)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(at), "l"(from), "r"(given)
                     : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                     :
                     : "r"(at), "l"(from), "r"(given)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :
                     : "r"(at), "l"(from), "r"(given)
                     : "memory");
}

/* Those since the last call belong together; all but the `pending` latest such groups
   have arrived for this thread after copies_wait. */
PYCUDA_DEVICE void copies_commit()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}
template <int pending> PYCUDA_DEVICE void copies_wait()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(pending) : "memory");
}

} // namespace pycuda

#endif
