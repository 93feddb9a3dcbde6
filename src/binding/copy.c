/* memcpy_* and memset_*: one driver call each, without the GIL, which may wait for the
   device. Whether a range lies inside an allocation is for the driver to say. */
#include "calls.h"
#include "memory.h"
#include "staging.h"
#include <string.h>

/* A graph would use host memory that may be gone, and what waits spoils a capture. */
int bd_copy_check(bd_state *state, int async, CUstream stream)
{
    CUstream captured = bd_stream_usual(state);
    if (!captured || (async && stream != captured))
        return 0;
    PyErr_SetString(PyExc_RuntimeError,
                    "a copy between an array and host memory cannot be captured with "
                    "array code: copy before the capture, or after a launch");
    return -1;
}

int bd_copy_to_device(bd_state *state, CUdeviceptr to, const void *from, size_t bytes,
                      int async, CUstream stream)
{
    if (bd_copy_check(state, async, stream))
        return -1;
    return async ? BD_CALL_UNLOCKED(state, cuMemcpyHtoDAsync, to, from, bytes, stream)
                 : BD_CALL_UNLOCKED(state, cuMemcpyHtoD, to, from, bytes);
}

/* By way of page-locked memory, which is the shorter one. */
static int fetch_small(bd_state *state, bd_staging *staging, void *to, CUdeviceptr from,
                       size_t bytes)
{
    void *memory = bd_staging_at(staging, 0);
    CUresult status = BD_UNLOCKED(cu.cuMemcpyDtoHAsync(memory, from, bytes, NULL));
    if (!status)
        status = BD_UNLOCKED(cu.cuStreamSynchronize(NULL));
    if (!status && !(memory = bd_staging_at(staging, 0)))
        status = CUDA_ERROR_CONTEXT_IS_DESTROYED; /* meanwhile */
    if (!status)
        memcpy(to, memory, bytes);
    bd_staging_return(staging);
    return bd_check(state, status, "cuMemcpyDtoH");
}

int bd_copy_from_device(bd_state *state, void *to, CUdeviceptr from, size_t bytes,
                        int async, CUstream stream)
{
    bd_staging *staging;
    if (bd_copy_check(state, async, stream))
        return -1;
    if (!async && bytes <= BD_STAGING_BYTES && (staging = bd_staging_lend(state)))
        return fetch_small(state, staging, to, from, bytes);
    return async ? BD_CALL_UNLOCKED(state, cuMemcpyDtoHAsync, to, from, bytes, stream)
                 : BD_CALL_UNLOCKED(state, cuMemcpyDtoH, to, from, bytes);
}

int bd_copy_on_device(bd_state *state, CUdeviceptr to, CUdeviceptr from, size_t bytes,
                      int async, CUstream stream)
{
    return async ? BD_CALL_UNLOCKED(state, cuMemcpyDtoDAsync, to, from, bytes, stream)
                 : BD_CALL_UNLOCKED(state, cuMemcpyDtoD, to, from, bytes);
}

BD_RUN(memcpy_htod, 2, 2, cuMemcpyHtoD, "memcpy_htod(dest, src)",
       "Copies all of a contiguous buffer (C or Fortran order) to device memory.",
       .may_wait = 1, .passes = {ARG_ADDRESS, ARG_READABLE, PASS_BUFFER_BYTES})
BD_RUN(memcpy_htod_async, 2, 3, cuMemcpyHtoDAsync,
       "memcpy_htod_async(dest, src, stream=None)",
       "The same in the stream: the buffer must stay until the stream got there.",
       .may_wait = 1,
       .passes = {ARG_ADDRESS, ARG_READABLE, PASS_BUFFER_BYTES, ARG_STREAM})
BD_RUN(memcpy_dtoh, 2, 2, cuMemcpyDtoH, "memcpy_dtoh(dest, src)",
       "Fills a writable contiguous buffer from device memory.", .may_wait = 1,
       .passes = {ARG_WRITABLE, ARG_ADDRESS, PASS_BUFFER_BYTES})
BD_RUN(memcpy_dtoh_async, 2, 3, cuMemcpyDtoHAsync,
       "memcpy_dtoh_async(dest, src, stream=None)",
       "The same in the stream: the buffer is filled when the stream got there.",
       .may_wait = 1,
       .passes = {ARG_WRITABLE, ARG_ADDRESS, PASS_BUFFER_BYTES, ARG_STREAM})
BD_RUN(memcpy_dtod, 3, 3, cuMemcpyDtoD, "memcpy_dtod(dest, src, size)",
       "Copies `size` bytes on the device.", .may_wait = 1,
       .passes = {ARG_ADDRESS, ARG_ADDRESS, ARG_SIZE})
BD_RUN(memcpy_dtod_async, 3, 4, cuMemcpyDtoDAsync,
       "memcpy_dtod_async(dest, src, size, stream=None)", "The same in the stream.",
       .may_wait = 1, .passes = {ARG_ADDRESS, ARG_ADDRESS, ARG_SIZE, ARG_STREAM})
BD_RUN(memcpy_peer, 3, 5, cuMemcpyPeer,
       "memcpy_peer(dest, src, size, dest_context=None, src_context=None)",
       "Copies `size` bytes between contexts; one left out is the current one.",
       .may_wait = 1,
       .passes = {ARG_ADDRESS, ARG_CONTEXT, ARG_ADDRESS, ARG_CONTEXT, ARG_SIZE},
       .order = {1, 4, 2, 5, 3})
BD_RUN(memcpy_peer_async, 3, 6, cuMemcpyPeerAsync,
       "memcpy_peer_async(dest, src, size, dest_context=None, src_context=None, "
       "stream=None)",
       "The same in the stream.", .may_wait = 1,
       .passes = {ARG_ADDRESS, ARG_CONTEXT, ARG_ADDRESS, ARG_CONTEXT, ARG_SIZE,
                  ARG_STREAM},
       .order = {1, 4, 2, 5, 3, 6})
BD_RUN(memcpy_dtoa, 4, 4, cuMemcpyDtoA, "memcpy_dtoa(ary, index, src, len)",
       "Copies `len` bytes of device memory into an Array at byte `index`.",
       .may_wait = 1, .passes = {ARG_ARRAY, ARG_SIZE, ARG_ADDRESS, ARG_SIZE})
BD_RUN(memcpy_atod, 4, 4, cuMemcpyAtoD, "memcpy_atod(dest, ary, index, len)",
       "Copies `len` bytes of an Array from byte `index` to device memory.",
       .may_wait = 1, .passes = {ARG_ADDRESS, ARG_ARRAY, ARG_SIZE, ARG_SIZE})
BD_RUN(memcpy_atoa, 5, 5, cuMemcpyAtoA,
       "memcpy_atoa(dest, dest_index, src, src_index, len)",
       "Copies `len` bytes from Array to Array.", .may_wait = 1,
       .passes = {ARG_ARRAY, ARG_SIZE, ARG_ARRAY, ARG_SIZE, ARG_SIZE})
BD_RUN(memcpy_htoa, 3, 3, cuMemcpyHtoA, "memcpy_htoa(ary, index, src)",
       "Copies a contiguous buffer into an Array at byte `index`.", .may_wait = 1,
       .passes = {ARG_ARRAY, ARG_SIZE, ARG_READABLE, PASS_BUFFER_BYTES})
BD_RUN(memcpy_atoh, 3, 3, cuMemcpyAtoH, "memcpy_atoh(dest, ary, index)",
       "Fills a writable contiguous buffer from an Array at byte `index`.",
       .may_wait = 1, .passes = {ARG_WRITABLE, ARG_ARRAY, ARG_SIZE, PASS_BUFFER_BYTES})

/* For elements of one width: of memory in one piece and in rows, and both in a stream.
 */
#define MEMSETS(bits)                                                                  \
    BD_RUN(memset_d##bits, 3, 3, cuMemsetD##bits,                                      \
           "memset_d" #bits "(dest, data, size)",                                      \
           "Sets `size` elements of " #bits " bits.", .may_wait = 1,                   \
           .passes = {ARG_ADDRESS, ARG_UINT##bits, ARG_SIZE})                          \
    BD_RUN(memset_d##bits##_async, 3, 4, cuMemsetD##bits##Async,                       \
           "memset_d" #bits "_async(dest, data, size, stream=None)",                   \
           "The same in the stream.", .may_wait = 1,                                   \
           .passes = {ARG_ADDRESS, ARG_UINT##bits, ARG_SIZE, ARG_STREAM})              \
    BD_RUN(memset_d2d##bits, 5, 5, cuMemsetD2D##bits,                                  \
           "memset_d2d" #bits "(dest, pitch, data, width, height)",                    \
           "Sets `height` rows, `pitch` bytes apart, of `width` elements of " #bits    \
           " bits.",                                                                   \
           .may_wait = 1,                                                              \
           .passes = {ARG_ADDRESS, ARG_SIZE, ARG_UINT##bits, ARG_SIZE, ARG_SIZE})      \
    BD_RUN(memset_d2d##bits##_async, 5, 6, cuMemsetD2D##bits##Async,                   \
           "memset_d2d" #bits "_async(dest, pitch, data, width, height, stream=None)", \
           "The same in the stream.", .may_wait = 1,                                   \
           .passes = {ARG_ADDRESS, ARG_SIZE, ARG_UINT##bits, ARG_SIZE, ARG_SIZE,       \
                      ARG_STREAM})
MEMSETS(8)
MEMSETS(16)
MEMSETS(32)

#define ROW(id) BD_ROW(#id, id)
#define MEMSET_ROWS(bits)                                                    \
    ROW(memset_d##bits), ROW(memset_d##bits##_async), ROW(memset_d2d##bits), \
        ROW(memset_d2d##bits##_async)

PyMethodDef bd_copy_methods[] = {
    ROW(memcpy_htod), ROW(memcpy_htod_async), ROW(memcpy_dtoh), ROW(memcpy_dtoh_async),
    ROW(memcpy_dtod), ROW(memcpy_dtod_async), ROW(memcpy_peer), ROW(memcpy_peer_async),
    ROW(memcpy_dtoa), ROW(memcpy_atod),       ROW(memcpy_atoa), ROW(memcpy_htoa),
    ROW(memcpy_atoh), MEMSET_ROWS(8),         MEMSET_ROWS(16),  MEMSET_ROWS(32),
    {NULL},
};
