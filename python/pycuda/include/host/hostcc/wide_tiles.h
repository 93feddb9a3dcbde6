/* Tiles of 64 to 512 threads: part of <cooperative_groups.h>, which includes this in
   its namespace, behind the tiles of a warp. Threads of several warps meet and send
   values round in shared memory that the program lends. */

/* What a block gives tiles of several warps to meet in: a word of __hc_arrive each, and
   room for a value that goes round. */
template <unsigned most = 1024> struct __align__(16) block_tile_memory {
    static_assert(most <= 1024, "a block has up to 1024 threads");
    unsigned __hc_word[16];
    __align__(16) char __hc_value[16][64];
};
struct __hc_tile_memory {
    unsigned *word;
    char *value;
};

/* One that has lent tiles such memory. */
struct __hc_lending_block : thread_block {
    __hc_tile_memory __hc_memory;
};
template <unsigned most>
__HC_DEVICE __hc_lending_block this_thread_block(block_tile_memory<most> &memory)
{
    unsigned rank = thread_block::thread_rank();
    if (rank < 16)
        memory.__hc_word[rank] = 0;
    __syncthreads();
    __hc_lending_block block;
    block.__hc_memory = {memory.__hc_word, memory.__hc_value[0]};
    return block;
}

/* Of several warps. */
template <unsigned N> struct __hc_wide_tile {
    __hc_tile_memory memory;
    __device__ static unsigned size() { return N; }
    __device__ static unsigned num_threads() { return N; }
    __device__ static unsigned thread_rank() { return thread_block::thread_rank() % N; }
    __device__ static unsigned meta_group_rank()
    {
        return thread_block::thread_rank() / N;
    }
    __device__ static unsigned meta_group_size() { return thread_block::size() / N; }
    __device__ void sync() const
    {
        __hc_meet(memory.word + meta_group_rank(), N, 1, true);
    }
    /* What the thread of that rank has. */
    template <class T> __device__ T shfl(T v, unsigned rank) const
    {
        static_assert(sizeof(T) <= 32, "tiles of several warps shuffle up to 32 bytes");
        T *room = (T *)(memory.value + 64 * meta_group_rank());
        if (thread_rank() == rank)
            *room = v;
        sync();
        v = *room;
        sync();
        return v;
    }
    __device__ int any(int predicate) const
    {
        int *room = (int *)(memory.value + 64 * meta_group_rank());
        if (thread_rank() == 0)
            *room = 0;
        sync();
        if (predicate)
            *(volatile int *)room = 1;
        sync();
        predicate = *room;
        sync();
        return predicate;
    }
    __device__ int all(int predicate) const { return !any(!predicate); }
};
template <class Parent> class thread_block_tile<64, Parent> : public __hc_wide_tile<64>
{
};
template <class Parent>
class thread_block_tile<128, Parent> : public __hc_wide_tile<128>
{
};
template <class Parent>
class thread_block_tile<256, Parent> : public __hc_wide_tile<256>
{
};
template <class Parent>
class thread_block_tile<512, Parent> : public __hc_wide_tile<512>
{
};
template <unsigned N>
__HC_DEVICE thread_block_tile<N, thread_block> tiled_partition(
    const __hc_lending_block &block)
{
    thread_block_tile<N, thread_block> tile;
    if constexpr (N > 32)
        tile.memory = block.__hc_memory;
    return tile;
}
