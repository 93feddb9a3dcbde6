/* new and delete of objects that want a larger alignment than malloc gives, which
   clang's <new> leaves out for the device. A class with a virtual destructor names
   delete even where nothing is new. In front of an object stands where its memory
   begins. */
#ifdef __cpp_aligned_new

__device__ inline void *operator new(size_t size, std::align_val_t align)
{
    size_t bytes = (size_t)align < 16 ? 16 : (size_t)align; /* malloc's is 16 */
    char *begin = (char *)malloc(size + bytes);
    if (!begin)
        return nullptr;
    void **object = (void **)(((size_t)begin + bytes) & -bytes);
    object[-1] = begin;
    return object;
}
__device__ inline void operator delete(void *object, std::align_val_t) noexcept
{
    if (object)
        free(((void **)object)[-1]);
}

/* The other forms do the same. */
__device__ inline void *operator new[](size_t size, std::align_val_t align)
{
    return ::operator new(size, align);
}
__device__ inline void *operator new(size_t size, std::align_val_t align,
                                     const std::nothrow_t &) noexcept
{
    return ::operator new(size, align);
}
__device__ inline void *operator new[](size_t size, std::align_val_t align,
                                       const std::nothrow_t &) noexcept
{
    return ::operator new(size, align);
}
__device__ inline void operator delete[](void *object, std::align_val_t align) noexcept
{
    ::operator delete(object, align);
}
__device__ inline void operator delete(void *object, size_t,
                                       std::align_val_t align) noexcept
{
    ::operator delete(object, align);
}
__device__ inline void operator delete[](void *object, size_t,
                                         std::align_val_t align) noexcept
{
    ::operator delete(object, align);
}

#endif
