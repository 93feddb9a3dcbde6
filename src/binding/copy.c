/* memcpy_* and memset_*: one driver call each, without the GIL, which may wait for the
   device. Whether a range lies inside an allocation is for the driver to say. */
#include "memory.h"
#include "arrays.h"

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

static PyObject *none_unless(int failed)
{
    return failed ? NULL : Py_NewRef(Py_None);
}

/* -- Host and device
 * ------------------------------------------------------------------------ */

static PyObject *htod(bd_state *state, PyObject **in, int async)
{
    CUdeviceptr to;
    CUstream stream = NULL;
    Py_buffer view;
    if (bd_pointer(state, in[0], &to) || (async && bd_stream(state, in[2], &stream)) ||
        bd_buffer(in[1], &view, 0))
        return NULL;
    int failed = bd_copy_to_device(state, to, view.buf, view.len, async, stream);
    PyBuffer_Release(&view);
    return none_unless(failed);
}

static PyObject *dtoh(bd_state *state, PyObject **in, int async)
{
    CUdeviceptr from;
    CUstream stream = NULL;
    Py_buffer view;
    if (bd_pointer(state, in[1], &from) ||
        (async && bd_stream(state, in[2], &stream)) || bd_buffer(in[0], &view, 1))
        return NULL;
    int failed = bd_copy_from_device(state, view.buf, from, view.len, async, stream);
    PyBuffer_Release(&view);
    return none_unless(failed);
}

static PyObject *dtod(bd_state *state, PyObject **in, int async)
{
    CUdeviceptr to, from;
    size_t size;
    CUstream stream = NULL;
    if (bd_pointer(state, in[0], &to) || bd_pointer(state, in[1], &from) ||
        bd_size(in[2], "size", &size) || (async && bd_stream(state, in[3], &stream)))
        return NULL;
    return none_unless(bd_copy_on_device(state, to, from, size, async, stream));
}

/* A Context argument; left out, the current one. */
static int context_argument(bd_state *state, PyObject *object, const char *what,
                            CUcontext *handle)
{
    bd_context *context;
    if (object && object != Py_None) {
        if (bd_instance(state, object, BD_CONTEXT, what) ||
            bd_context_check((bd_context *)object))
            return -1;
        context = (bd_context *)object;
    } else if (!(context = bd_context_current(state)))
        return -1;
    *handle = bd_context_handle(context);
    return 0;
}

static PyObject *peer(bd_state *state, PyObject **in, int async)
{
    CUdeviceptr to, from;
    CUcontext to_context, from_context;
    size_t size;
    CUstream stream = NULL;
    if (bd_pointer(state, in[0], &to) || bd_pointer(state, in[1], &from) ||
        bd_size(in[2], "size", &size) ||
        context_argument(state, in[3], "dest_context", &to_context) ||
        context_argument(state, in[4], "src_context", &from_context) ||
        (async && bd_stream(state, in[5], &stream)))
        return NULL;
    return none_unless(async
                           ? BD_CALL_UNLOCKED(state, cuMemcpyPeerAsync, to, to_context,
                                              from, from_context, size, stream)
                           : BD_CALL_UNLOCKED(state, cuMemcpyPeer, to, to_context, from,
                                              from_context, size));
}

/* The synchronous function and its _async twin. */
#define PAIR(name, required, total, async_total, arguments, routine, text)           \
    BD_METHOD(memcpy_##name, required, total, "memcpy_" #name "(" arguments ")",     \
              text ". CUDA: " routine ".")                                           \
    {                                                                                \
        return name(bd_state_get(self), in, 0);                                      \
    }                                                                                \
    BD_METHOD(memcpy_##name##_async, required, async_total,                          \
              "memcpy_" #name "_async(" arguments ", stream=None)",                  \
              text ", enqueued in the stream: host memory must stay as it is until " \
                   "the stream got there. CUDA: " routine "Async.")                  \
    {                                                                                \
        return name(bd_state_get(self), in, 1);                                      \
    }

PAIR(htod, 2, 2, 3, "dest, src", "cuMemcpyHtoD",
     "Copies all of a contiguous buffer (C or Fortran order) to device memory")
PAIR(dtoh, 2, 2, 3, "dest, src", "cuMemcpyDtoH",
     "Fills a writable contiguous buffer from device memory")
PAIR(dtod, 3, 3, 4, "dest, src, size", "cuMemcpyDtoD",
     "Copies `size` bytes on the device")
PAIR(peer, 3, 5, 6, "dest, src, size, dest_context=None, src_context=None",
     "cuMemcpyPeer",
     "Copies `size` bytes from device to device; contexts left out are the current one")

/* -- CUDA arrays
 * ---------------------------------------------------------------------------- */

BD_METHOD(memcpy_dtoa, 4, 4, "memcpy_dtoa(ary, index, src, len)",
          "Copies `len` bytes of device memory into an Array at byte `index`. CUDA: "
          "cuMemcpyDtoA.")
{
    bd_state *state = bd_state_get(self);
    CUarray to;
    CUdeviceptr from;
    size_t index, length;
    if (bd_array(state, in[0], &to) || bd_size(in[1], "index", &index) ||
        bd_pointer(state, in[2], &from) || bd_size(in[3], "len", &length))
        return NULL;
    return none_unless(BD_CALL_UNLOCKED(state, cuMemcpyDtoA, to, index, from, length));
}

BD_METHOD(memcpy_atod, 4, 4, "memcpy_atod(dest, ary, index, len)",
          "Copies `len` bytes of an Array from byte `index` to device memory. CUDA: "
          "cuMemcpyAtoD.")
{
    bd_state *state = bd_state_get(self);
    CUarray from;
    CUdeviceptr to;
    size_t index, length;
    if (bd_pointer(state, in[0], &to) || bd_array(state, in[1], &from) ||
        bd_size(in[2], "index", &index) || bd_size(in[3], "len", &length))
        return NULL;
    return none_unless(BD_CALL_UNLOCKED(state, cuMemcpyAtoD, to, from, index, length));
}

BD_METHOD(memcpy_atoa, 5, 5, "memcpy_atoa(dest, dest_index, src, src_index, len)",
          "Copies `len` bytes from Array to Array. CUDA: cuMemcpyAtoA.")
{
    bd_state *state = bd_state_get(self);
    CUarray to, from;
    size_t to_index, from_index, length;
    if (bd_array(state, in[0], &to) || bd_size(in[1], "dest_index", &to_index) ||
        bd_array(state, in[2], &from) || bd_size(in[3], "src_index", &from_index) ||
        bd_size(in[4], "len", &length))
        return NULL;
    return none_unless(
        BD_CALL_UNLOCKED(state, cuMemcpyAtoA, to, to_index, from, from_index, length));
}

BD_METHOD(
    memcpy_htoa, 3, 3, "memcpy_htoa(ary, index, src)",
    "Copies a contiguous buffer into an Array at byte `index`. CUDA: cuMemcpyHtoA.")
{
    bd_state *state = bd_state_get(self);
    CUarray to;
    size_t index;
    Py_buffer view;
    if (bd_array(state, in[0], &to) || bd_size(in[1], "index", &index) ||
        bd_buffer(in[2], &view, 0))
        return NULL;
    int failed = BD_CALL_UNLOCKED(state, cuMemcpyHtoA, to, index, view.buf, view.len);
    PyBuffer_Release(&view);
    return none_unless(failed);
}

BD_METHOD(memcpy_atoh, 3, 3, "memcpy_atoh(dest, ary, index)",
          "Fills a writable contiguous buffer from an Array at byte `index`. CUDA: "
          "cuMemcpyAtoH.")
{
    bd_state *state = bd_state_get(self);
    CUarray from;
    size_t index;
    Py_buffer view;
    if (bd_array(state, in[1], &from) || bd_size(in[2], "index", &index) ||
        bd_buffer(in[0], &view, 1))
        return NULL;
    int failed = BD_CALL_UNLOCKED(state, cuMemcpyAtoH, view.buf, from, index, view.len);
    PyBuffer_Release(&view);
    return none_unless(failed);
}

/* -- memset
 * --------------------------------------------------------------------------------- */

#define MEMSET(bits, entry)                                                          \
    static PyObject *set##bits(bd_state *state, PyObject **in, int async)            \
    {                                                                                \
        CUdeviceptr to;                                                              \
        uint64_t data;                                                               \
        size_t count;                                                                \
        CUstream stream = NULL;                                                      \
        if (bd_pointer(state, in[0], &to) ||                                         \
            bd_unsigned(in[1], "data", UINT##bits##_MAX, &data) ||                   \
            bd_size(in[2], "size", &count) ||                                        \
            (async && bd_stream(state, in[3], &stream)))                             \
            return NULL;                                                             \
        return none_unless(                                                          \
            async ? BD_CALL_UNLOCKED(state, entry##Async, to, data, count, stream)   \
                  : BD_CALL_UNLOCKED(state, entry, to, data, count));                \
    }                                                                                \
    BD_METHOD(memset_d##bits, 3, 3, "memset_d" #bits "(dest, data, size)",           \
              "Sets `size` elements of " #bits " bits. CUDA: " #entry ".")           \
    {                                                                                \
        return set##bits(bd_state_get(self), in, 0);                                 \
    }                                                                                \
    BD_METHOD(memset_d##bits##_async, 3, 4,                                          \
              "memset_d" #bits "_async(dest, data, size, stream=None)",              \
              "Sets `size` elements of " #bits " bits, in the stream. CUDA: " #entry \
              "Async.")                                                              \
    {                                                                                \
        return set##bits(bd_state_get(self), in, 1);                                 \
    }

#define MEMSET_2D(bits, entry)                                                         \
    static PyObject *set2d##bits(bd_state *state, PyObject **in, int async)            \
    {                                                                                  \
        CUdeviceptr to;                                                                \
        uint64_t data;                                                                 \
        size_t pitch, width, height;                                                   \
        CUstream stream = NULL;                                                        \
        if (bd_pointer(state, in[0], &to) || bd_size(in[1], "pitch", &pitch) ||        \
            bd_unsigned(in[2], "data", UINT##bits##_MAX, &data) ||                     \
            bd_size(in[3], "width", &width) || bd_size(in[4], "height", &height) ||    \
            (async && bd_stream(state, in[5], &stream)))                               \
            return NULL;                                                               \
        return none_unless(                                                            \
            async ? BD_CALL_UNLOCKED(state, entry##Async, to, pitch, data, width,      \
                                     height, stream)                                   \
                  : BD_CALL_UNLOCKED(state, entry, to, pitch, data, width, height));   \
    }                                                                                  \
    BD_METHOD(memset_d2d##bits, 5, 5,                                                  \
              "memset_d2d" #bits "(dest, pitch, data, width, height)",                 \
              "Sets `height` rows, `pitch` bytes apart, of `width` elements of " #bits \
              " bits. CUDA: " #entry ".")                                              \
    {                                                                                  \
        return set2d##bits(bd_state_get(self), in, 0);                                 \
    }                                                                                  \
    BD_METHOD(memset_d2d##bits##_async, 5, 6,                                          \
              "memset_d2d" #bits                                                       \
              "_async(dest, pitch, data, width, height, stream=None)",                 \
              "Sets `height` rows, `pitch` bytes apart, of `width` elements of " #bits \
              " bits, in the stream. CUDA: " #entry "Async.")                          \
    {                                                                                  \
        return set2d##bits(bd_state_get(self), in, 1);                                 \
    }

MEMSET(8, cuMemsetD8)
MEMSET(16, cuMemsetD16)
MEMSET(32, cuMemsetD32)
MEMSET_2D(8, cuMemsetD2D8)
MEMSET_2D(16, cuMemsetD2D16)
MEMSET_2D(32, cuMemsetD2D32)

#define ROWS(name) BD_ROW(#name, name), BD_ROW(#name "_async", name##_async)

PyMethodDef bd_copy_methods[] = {
    ROWS(memcpy_htod),
    ROWS(memcpy_dtoh),
    ROWS(memcpy_dtod),
    ROWS(memcpy_peer),
    BD_ROW("memcpy_dtoa", memcpy_dtoa),
    BD_ROW("memcpy_atod", memcpy_atod),
    BD_ROW("memcpy_atoa", memcpy_atoa),
    BD_ROW("memcpy_htoa", memcpy_htoa),
    BD_ROW("memcpy_atoh", memcpy_atoh),
    BD_ROW("py_memcpy_htoa", memcpy_htoa),
    BD_ROW("py_memcpy_atoh", memcpy_atoh),
    ROWS(memset_d8),
    ROWS(memset_d16),
    ROWS(memset_d32),
    ROWS(memset_d2d8),
    ROWS(memset_d2d16),
    ROWS(memset_d2d32),
    {NULL},
};
