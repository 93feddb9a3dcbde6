/* Memcpy2D, Memcpy3D, Memcpy3DPeer: copies of boxes between host, device and CUDA
   arrays. All three classes keep the driver's largest descriptor (the other two are its
   prefix in all but order) and the objects whose memory they name. */
#include "memory.h"
#include "arrays.h"

typedef struct {
    bd_object base; /* parent: the source, other: the destination */
    CUDA_MEMCPY3D_PEER value;
} copy;

#define COPY(self) (&((copy *)(self))->value)

/* -- Both ends ------------------------------------------------------------------ */

static PyObject *end_keep(PyObject *self, int is_dst, PyObject *object)
{
    bd_object *base = (bd_object *)self;
    Py_XSETREF(*(is_dst ? &base->other : &base->parent), Py_NewRef(object));
    Py_RETURN_NONE;
}

static void end_set_type(PyObject *self, int is_dst, CUmemorytype type)
{
    *(is_dst ? &COPY(self)->dstMemoryType : &COPY(self)->srcMemoryType) = type;
}

/* A buffer, strided ones too: its first element and a view that keeps it in place. */
static PyObject *end_host(PyObject *self, int is_dst, PyObject *object, int unified)
{
    PyObject *view = PyMemoryView_FromObject(object), *result = NULL;
    if (!view)
        return NULL;
    Py_buffer *buffer = PyMemoryView_GET_BUFFER(view);
    if (is_dst && buffer->readonly)
        PyErr_SetString(PyExc_BufferError, "the destination buffer is read-only");
    else {
        if (unified)
            *(is_dst ? &COPY(self)->dstDevice : &COPY(self)->srcDevice) =
                (CUdeviceptr)(uintptr_t)buffer->buf;
        else if (is_dst)
            COPY(self)->dstHost = buffer->buf;
        else
            COPY(self)->srcHost = buffer->buf;
        end_set_type(self, is_dst,
                     unified ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_HOST);
        result = end_keep(self, is_dst, view);
    }
    Py_DECREF(view);
    return result;
}

static PyObject *end_array(PyObject *self, int is_dst, PyObject *object)
{
    if (bd_array(bd_state_from(self), object,
                 is_dst ? &COPY(self)->dstArray : &COPY(self)->srcArray))
        return NULL;
    end_set_type(self, is_dst, CU_MEMORYTYPE_ARRAY);
    return end_keep(self, is_dst, object);
}

static PyObject *end_device(PyObject *self, int is_dst, PyObject *object)
{
    if (bd_pointer(bd_state_from(self), object,
                   is_dst ? &COPY(self)->dstDevice : &COPY(self)->srcDevice))
        return NULL;
    end_set_type(self, is_dst, CU_MEMORYTYPE_DEVICE);
    return end_keep(self, is_dst, object);
}

static PyObject *end_context(PyObject *self, int is_dst, PyObject *object)
{
    if (bd_instance(bd_state_from(self), object, BD_CONTEXT, "ctx") ||
        bd_context_check((bd_context *)object))
        return NULL;
    *(is_dst ? &COPY(self)->dstContext : &COPY(self)->srcContext) =
        bd_context_handle((bd_context *)object);
    Py_RETURN_NONE;
}

#define END(name, is_dst, side)                                                  \
    BD_METHOD(name##_host, 1, 1, "set_" #name "_host($self, buffer)",            \
              "Host memory (any buffer) is the " side ".")                       \
    {                                                                            \
        return end_host(self, is_dst, in[0], 0);                                 \
    }                                                                            \
    BD_METHOD(name##_unified, 1, 1, "set_" #name "_unified($self, buffer)",      \
              "Memory that host and device share (any buffer) is the " side ".") \
    {                                                                            \
        return end_host(self, is_dst, in[0], 1);                                 \
    }                                                                            \
    BD_METHOD(name##_array, 1, 1, "set_" #name "_array($self, array)",           \
              "An Array is the " side ".")                                       \
    {                                                                            \
        return end_array(self, is_dst, in[0]);                                   \
    }                                                                            \
    BD_METHOD(name##_device, 1, 1, "set_" #name "_device($self, devptr)",        \
              "Device memory is the " side ".")                                  \
    {                                                                            \
        return end_device(self, is_dst, in[0]);                                  \
    }                                                                            \
    BD_METHOD(name##_context, 1, 1, "set_" #name "_context($self, ctx)",         \
              "The Context of the " side ".")                                    \
    {                                                                            \
        return end_context(self, is_dst, in[0]);                                 \
    }

END(src, 0, "source")
END(dst, 1, "destination")

#define END_ROWS(name)                                   \
    BD_ROW("set_" #name "_host", name##_host),           \
        BD_ROW("set_" #name "_unified", name##_unified), \
        BD_ROW("set_" #name "_array", name##_array),     \
        BD_ROW("set_" #name "_device", name##_device)

static PyMethodDef copy_methods[] = {END_ROWS(src), END_ROWS(dst), {NULL}};

static PyMethodDef peer_methods[] = {
    END_ROWS(src),
    END_ROWS(dst),
    BD_ROW("set_src_context", src_context),
    BD_ROW("set_dst_context", dst_context),
    {NULL},
};

#define NUMBERS_2D                                                              \
    BD_NUMBER("src_x_in_bytes", copy, value.srcXInBytes, NULL),                 \
        BD_NUMBER("src_y", copy, value.srcY, NULL),                             \
        BD_NUMBER("src_memory_type", copy, value.srcMemoryType, "memory_type"), \
        BD_NUMBER("src_device", copy, value.srcDevice, NULL),                   \
        BD_NUMBER("src_pitch", copy, value.srcPitch, NULL),                     \
        BD_NUMBER("dst_x_in_bytes", copy, value.dstXInBytes, NULL),             \
        BD_NUMBER("dst_y", copy, value.dstY, NULL),                             \
        BD_NUMBER("dst_memory_type", copy, value.dstMemoryType, "memory_type"), \
        BD_NUMBER("dst_device", copy, value.dstDevice, NULL),                   \
        BD_NUMBER("dst_pitch", copy, value.dstPitch, NULL),                     \
        BD_NUMBER("width_in_bytes", copy, value.WidthInBytes, NULL),            \
        BD_NUMBER("height", copy, value.Height, NULL)

static PyGetSetDef numbers_2d[] = {NUMBERS_2D, {NULL}};

static PyGetSetDef numbers_3d[] = {
    NUMBERS_2D,
    BD_NUMBER("src_z", copy, value.srcZ, NULL),
    BD_NUMBER("src_lod", copy, value.srcLOD, NULL),
    BD_NUMBER("src_height", copy, value.srcHeight, NULL),
    BD_NUMBER("dst_z", copy, value.dstZ, NULL),
    BD_NUMBER("dst_lod", copy, value.dstLOD, NULL),
    BD_NUMBER("dst_height", copy, value.dstHeight, NULL),
    BD_NUMBER("depth", copy, value.Depth, NULL),
    {NULL},
};

/* -- Doing it ------------------------------------------------------------------- */

static const char call_2d_doc[] = "Memcpy2D.__call__(aligned=False)\n--\n\n";

/* One argument: a Stream for an asynchronous copy, else whether rows are aligned. */
static PyObject *call_2d(PyObject *self, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_from(self);
    const CUDA_MEMCPY3D_PEER *from = COPY(self);
    CUDA_MEMCPY2D to = {
        .srcXInBytes = from->srcXInBytes,
        .srcY = from->srcY,
        .srcMemoryType = from->srcMemoryType,
        .srcHost = from->srcHost,
        .srcDevice = from->srcDevice,
        .srcArray = from->srcArray,
        .srcPitch = from->srcPitch,
        .dstXInBytes = from->dstXInBytes,
        .dstY = from->dstY,
        .dstMemoryType = from->dstMemoryType,
        .dstHost = from->dstHost,
        .dstDevice = from->dstDevice,
        .dstArray = from->dstArray,
        .dstPitch = from->dstPitch,
        .WidthInBytes = from->WidthInBytes,
        .Height = from->Height,
    };
    PyObject *in[1] = {NULL};
    CUstream stream;
    int aligned = 0, failed;
    if (bd_parse_tuple(call_2d_doc, 0, 1, args, kwargs, in))
        return NULL;
    if (in[0] && PyObject_TypeCheck(in[0], state->type[BD_STREAM]))
        failed = bd_stream(state, in[0], &stream) ||
                 BD_CALL_UNLOCKED(state, cuMemcpy2DAsync, &to, stream);
    else
        failed = bd_flag(in[0], &aligned) ||
                 (aligned ? BD_CALL_UNLOCKED(state, cuMemcpy2D, &to)
                          : BD_CALL_UNLOCKED(state, cuMemcpy2DUnaligned, &to));
    return failed ? NULL : Py_NewRef(Py_None);
}

static const char call_3d_doc[] = "Memcpy3D.__call__(stream=None)\n--\n\n";

static PyObject *call_3d(PyObject *self, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_from(self);
    CUDA_MEMCPY3D_PEER value = *COPY(self);
    PyObject *in[1] = {NULL};
    CUstream stream;
    CUcontext current = NULL;
    int peer = PyObject_TypeCheck(self, state->type[BD_MEMCPY_3D_PEER]);
    if (bd_parse_tuple(call_3d_doc, 0, 1, args, kwargs, in) ||
        bd_stream(state, in[0], &stream))
        return NULL;
    int async = in[0] && in[0] != Py_None, failed;
    /* The peer form differs from the plain one in fields that are NULL there. */
    const CUDA_MEMCPY3D *plain = (const CUDA_MEMCPY3D *)(void *)&value;
    if (peer) {
        if (BD_CALL(state, cuCtxGetCurrent, &current))
            return NULL;
        value.srcContext = value.srcContext ? value.srcContext : current;
        value.dstContext = value.dstContext ? value.dstContext : current;
        failed = async ? BD_CALL_UNLOCKED(state, cuMemcpy3DPeerAsync, &value, stream)
                       : BD_CALL_UNLOCKED(state, cuMemcpy3DPeer, &value);
    } else
        failed = async ? BD_CALL_UNLOCKED(state, cuMemcpy3DAsync, plain, stream)
                       : BD_CALL_UNLOCKED(state, cuMemcpy3D, plain);
    return failed ? NULL : Py_NewRef(Py_None);
}

BD_CLASS(MEMCPY_2D, "Memcpy2D", copy,
         "Memcpy2D()\n--\n\nA copy of `height` rows of `width_in_bytes`: set both "
         "ends, then call it: copy() or copy(aligned=True) waits, copy(stream) is "
         "asynchronous. CUDA: cuMemcpy2D, cuMemcpy2DUnaligned, cuMemcpy2DAsync.",
         .new = bd_object_plain_new, .methods = copy_methods, .getset = numbers_2d,
         .call = call_2d);
BD_CLASS(MEMCPY_3D, "Memcpy3D", copy,
         "Memcpy3D()\n--\n\nA copy of `depth` slices of `height` rows of "
         "`width_in_bytes`: set both ends, then call it: copy() waits, copy(stream) is "
         "asynchronous. CUDA: cuMemcpy3D, cuMemcpy3DAsync.",
         .new = bd_object_plain_new, .methods = copy_methods, .getset = numbers_3d,
         .call = call_3d);
BD_CLASS(MEMCPY_3D_PEER, "Memcpy3DPeer", copy,
         "Memcpy3DPeer()\n--\n\nAs Memcpy3D, between two contexts. CUDA: "
         "cuMemcpy3DPeer, cuMemcpy3DPeerAsync.",
         .new = bd_object_plain_new, .methods = peer_methods, .getset = numbers_3d,
         .call = call_3d);
