/* memcpy_* and memset_*: one driver call each, without the GIL, which may wait for the
   device. Whether a range lies inside an allocation is for the driver to say. */
#include "memory.h"

int bd_copy_to_device(bd_state *state, CUdeviceptr to, const void *from, size_t bytes,
                      int async, CUstream stream)
{
    return async ? BD_CALL_UNLOCKED(state, cuMemcpyHtoDAsync, to, from, bytes, stream)
                 : BD_CALL_UNLOCKED(state, cuMemcpyHtoD, to, from, bytes);
}

int bd_copy_from_device(bd_state *state, void *to, CUdeviceptr from, size_t bytes,
                        int async, CUstream stream)
{
    return async ? BD_CALL_UNLOCKED(state, cuMemcpyDtoHAsync, to, from, bytes, stream)
                 : BD_CALL_UNLOCKED(state, cuMemcpyDtoH, to, from, bytes);
}

int bd_copy_on_device(bd_state *state, CUdeviceptr to, CUdeviceptr from, size_t bytes,
                      int async, CUstream stream)
{
    return async ? BD_CALL_UNLOCKED(state, cuMemcpyDtoDAsync, to, from, bytes, stream)
                 : BD_CALL_UNLOCKED(state, cuMemcpyDtoD, to, from, bytes);
}

#define MEMCPY(R)                                                                     \
    R(memcpy_htod, 2, 2, cuMemcpyHtoD, "!pbl", "memcpy_htod(dest, src)",              \
      "Copies all of a contiguous buffer (C or Fortran order) to device memory.")     \
    R(memcpy_htod_async, 2, 3, cuMemcpyHtoDAsync, "!pbls",                            \
      "memcpy_htod_async(dest, src, stream=None)",                                    \
      "The same in the stream: the buffer must stay until the stream got there.")     \
    R(memcpy_dtoh, 2, 2, cuMemcpyDtoH, "!wpl", "memcpy_dtoh(dest, src)",              \
      "Fills a writable contiguous buffer from device memory.")                       \
    R(memcpy_dtoh_async, 2, 3, cuMemcpyDtoHAsync, "!wpls",                            \
      "memcpy_dtoh_async(dest, src, stream=None)",                                    \
      "The same in the stream: the buffer is filled when the stream got there.")      \
    R(memcpy_dtod, 3, 3, cuMemcpyDtoD, "!ppz", "memcpy_dtod(dest, src, size)",        \
      "Copies `size` bytes on the device.")                                           \
    R(memcpy_dtod_async, 3, 4, cuMemcpyDtoDAsync, "!ppzs",                            \
      "memcpy_dtod_async(dest, src, size, stream=None)", "The same in the stream.")   \
    R(memcpy_peer, 3, 5, cuMemcpyPeer, "!1p4c2p5c3z",                                 \
      "memcpy_peer(dest, src, size, dest_context=None, src_context=None)",            \
      "Copies `size` bytes between contexts; one left out is the current one.")       \
    R(memcpy_peer_async, 3, 6, cuMemcpyPeerAsync, "!1p4c2p5c3z6s",                    \
      "memcpy_peer_async(dest, src, size, dest_context=None, src_context=None, "      \
      "stream=None)",                                                                 \
      "The same in the stream.")                                                      \
    R(memcpy_dtoa, 4, 4, cuMemcpyDtoA, "!azpz", "memcpy_dtoa(ary, index, src, len)",  \
      "Copies `len` bytes of device memory into an Array at byte `index`.")           \
    R(memcpy_atod, 4, 4, cuMemcpyAtoD, "!pazz", "memcpy_atod(dest, ary, index, len)", \
      "Copies `len` bytes of an Array from byte `index` to device memory.")           \
    R(memcpy_atoa, 5, 5, cuMemcpyAtoA, "!azazz",                                      \
      "memcpy_atoa(dest, dest_index, src, src_index, len)",                           \
      "Copies `len` bytes from Array to Array.")                                      \
    R(memcpy_htoa, 3, 3, cuMemcpyHtoA, "!azbl", "memcpy_htoa(ary, index, src)",       \
      "Copies a contiguous buffer into an Array at byte `index`.")                    \
    R(memcpy_atoh, 3, 3, cuMemcpyAtoH, "!wazl", "memcpy_atoh(dest, ary, index)",      \
      "Fills a writable contiguous buffer from an Array at byte `index`.")

/* One width of elements: plain and 2-D, and both in a stream. */
#define MEMSET_WIDTH(R, bits, data)                                               \
    R(memset_d##bits, 3, 3, cuMemsetD##bits, "!p" data "z",                       \
      "memset_d" #bits "(dest, data, size)",                                      \
      "Sets `size` elements of " #bits " bits.")                                  \
    R(memset_d##bits##_async, 3, 4, cuMemsetD##bits##Async, "!p" data "zs",       \
      "memset_d" #bits "_async(dest, data, size, stream=None)",                   \
      "The same in the stream.")                                                  \
    R(memset_d2d##bits, 5, 5, cuMemsetD2D##bits, "!pz" data "zz",                 \
      "memset_d2d" #bits "(dest, pitch, data, width, height)",                    \
      "Sets `height` rows, `pitch` bytes apart, of `width` elements of " #bits    \
      " bits.")                                                                   \
    R(memset_d2d##bits##_async, 5, 6, cuMemsetD2D##bits##Async, "!pz" data "zzs", \
      "memset_d2d" #bits "_async(dest, pitch, data, width, height, stream=None)", \
      "The same in the stream.")
#define MEMSET(R) \
    MEMSET_WIDTH(R, 8, "x") MEMSET_WIDTH(R, 16, "y") MEMSET_WIDTH(R, 32, "u")

MEMCPY(BD_RUN)
MEMSET(BD_RUN)

#define ROW(id, ...) BD_ROW(#id, id),

PyMethodDef bd_copy_methods[] = {MEMCPY(ROW) MEMSET(ROW){NULL}};
