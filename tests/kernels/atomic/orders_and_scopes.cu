/* Atomic functions with an order and a scope; generic and by value.

   vary   n = 1, 3000
   let    grid = cdiv(n, threads)
   inout  x = array([0, 0, -1, 0, 2**30, 0, -(2**31), 2**31 - 1], i4)
   inout  sum = zeros(1, f4)
   inout  wide = zeros(2, u8)
   out    y = empty((n, 3), i4)
   call   f(x, sum, wide, y, n)
   expect x = [n, -n, 0, 2 if n == 1 else 4095, 2**30 ^ (n % 2), 7, n - 1, 0]
   expect sum = n / 2
   expect wide = [n, 99]
   expect sort(y[:, 0]) = arange(n)
   expect y[:, 1:] = [[5, 1]] * n
*/
extern "C" __global__ void f(int *x, float *sum, unsigned long long *wide, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, seven = 7, got, old;
    if (i >= n)
        return;
    y[3 * i] = __nv_atomic_fetch_add(x, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_sub(x + 1, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_and(x + 2, 0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_or(x + 3, (i & 4095) | 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_xor(x + 4, 1, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store(x + 5, &seven, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_max(x + 6, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_min(x + 7, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(sum, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    unsigned long long before = __nv_atomic_load_n(wide, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    while (!__nv_atomic_compare_exchange_n(wide, &before, before + 1, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                           __NV_THREAD_SCOPE_DEVICE))
        ;
    __nv_atomic_exchange_n(wide + 1, 99ull, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    int own = 5, six = 6;
    __nv_atomic_load(x + 5, &got, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store_n(y + 3 * i + 1, own, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_exchange(y + 3 * i + 1, &six, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_store_n(y + 3 * i + 1, old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    y[3 * i + 2] = got == 7;
}
