/* Places of many values in a long sorted array, on a GPU. A search by halves waits for
   memory at each of its steps. Here a block keeps up to some ten thousand keys in shared
   memory, as a tree in which the children of node i are 2 i and 2 i + 1: each step of a
   warp reads neighbours, which lie in different banks. Where there are more keys, the
   tree ends at nodes of an index, each of the last keys of as many nodes below it as a
   sector of memory holds keys, and the lowest nodes are the keys themselves: each level
   takes a read of one sector. NaNs come last, as in tables.cuh. */
#ifndef PYCUDA_SEARCH_CUH
#define PYCUDA_SEARCH_CUH

#include "elementwise.cuh"

namespace pycuda
{

/* The launcher has these numbers, too. */
enum { search_most_levels = 12, search_node_bytes = 32, search_threads = 1024 };

/* Two blocks at once, where a multiprocessor has 2,048 threads. */
#if __CUDA_ARCH__ == 700 || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || \
    __CUDA_ARCH__ == 1000 || __CUDA_ARCH__ == 1030
#define PYCUDA_SEARCH_BOUNDS __launch_bounds__(1024, 2)
#else
#define PYCUDA_SEARCH_BOUNDS __launch_bounds__(1024)
#endif

/* A level has the last key of each node of the level below: the lowest one is 1, the
   keys are level 0. From start[l] on level l is in the index, filled up with the last
   key to whole nodes. The tree is of 2^height - 1 keys of the highest level. */
struct search_plan {
    unsigned n, height, levels, start[search_most_levels + 2];
};

template <class K> struct search_node {
    enum { keys = search_node_bytes / sizeof(K), bits = keys == 8 ? 3 : 2 };
};

/* Keys of a level. */
template <class K> PYCUDA_DEVICE unsigned search_count(unsigned n, unsigned level)
{
    unsigned bits = level * search_node<K>::bits;
    return ((n - 1) >> bits) + 1;
}

/* Writes the index; a thread for each of its keys. */
template <class K>
PYCUDA_DEVICE void search_prepare(const K *keys, K *index, const search_plan &plan)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, level = 1;
    if (i >= plan.start[plan.levels + 1])
        return;
    while (i >= plan.start[level + 1])
        level++;
    unsigned long long last = (i - plan.start[level] + 1ull)
                              << level * search_node<K>::bits;
    index[i] = keys[(last < plan.n ? last : plan.n) - 1];
}

template <bool is_behind, class K> PYCUDA_DEVICE bool search_goes_on(K x, K key)
{
    return is_behind ? !sorts_before(x, key) : sorts_before(key, x);
}

/* How many keys of a whole node x goes behind. */
template <bool is_behind, class K> PYCUDA_DEVICE unsigned search_in_node(K x, const K *node)
{
    typedef pack<K, 16 / sizeof(K)> half;
    half part[2] = {((const half *)node)[0], ((const half *)node)[1]};
    unsigned count = 0;
#pragma unroll
    for (unsigned k = 0; k < search_node<K>::keys; k++)
        count += search_goes_on<is_behind>(
            x, part[k / (16 / sizeof(K))].x[k % (16 / sizeof(K))]);
    return count;
}

/* Copies what the tree has of the highest level, whose last key fills it up. */
template <class K>
PYCUDA_DEVICE void search_plant(K *tree, const K *top, const search_plan &plan)
{
    unsigned count = search_count<K>(plan.n, plan.levels);
    for (unsigned i = threadIdx.x + 1; i < 1u << plan.height; i += blockDim.x) {
        unsigned depth = 31 - __clz(i), row = i - (1u << depth);
        unsigned rank = (2 * row + 1) << (plan.height - 1 - depth);
        tree[i] = top[(rank < count ? rank : count) - 1];
    }
}

/* The keys begin at a multiple of 16 bytes, if there is an index. Dynamic shared memory:
   2^height keys. */
template <bool is_behind, class V, class K>
PYCUDA_DEVICE void search_all(const V *x, const K *keys, const K *index,
                              long long *places, size_t n, const search_plan &plan)
{
    enum { together = 2, node_keys = search_node<K>::keys };
    extern __shared__ __align__(16) char memory[];
    K *tree = (K *)memory;
    search_plant(tree, plan.levels ? index + plan.start[plan.levels] : keys, plan);
    __syncthreads();
    size_t step = (size_t)gridDim.x * blockDim.x * together;
    for (size_t first = (size_t)blockIdx.x * blockDim.x * together + threadIdx.x;
         first < n; first += step) {
        K v[together];
        unsigned at[together];
#pragma unroll
        for (int k = 0; k < together; k++) {
            size_t i = first + k * blockDim.x;
            v[k] = convert<K>(x[i < n ? i : first]);
            at[k] = 1;
        }
        for (unsigned h = 0; h < plan.height; h++)
#pragma unroll
            for (int k = 0; k < together; k++)
                at[k] = 2 * at[k] + search_goes_on<is_behind>(v[k], tree[at[k]]);
#pragma unroll
        for (int k = 0; k < together; k++)
            at[k] -= 1u << plan.height;
        for (unsigned level = plan.levels; level-- > 0;) {
            const K *from = level ? index + plan.start[level] : keys;
            unsigned nodes = search_count<K>(plan.n, level + 1);
#pragma unroll
            for (int k = 0; k < together; k++) {
                unsigned begin = at[k] * node_keys, count = 0;
                if (at[k] >= nodes) /* behind the last key */
                    begin = plan.n;
                else if (level || plan.n - begin >= node_keys)
                    count = search_in_node<is_behind>(v[k], from + begin);
                else
                    while (begin + count < plan.n &&
                           search_goes_on<is_behind>(v[k], from[begin + count]))
                        count++;
                at[k] = begin + count;
            }
        }
#pragma unroll
        for (int k = 0; k < together; k++) {
            size_t i = first + k * blockDim.x;
            if (i < n)
                __stcs(places + i, (long long)(at[k] < plan.n ? at[k] : plan.n));
        }
    }
}

} // namespace pycuda

#endif
