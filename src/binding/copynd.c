/* Memcpy2D, Memcpy3D, Memcpy3DPeer: copies of boxes between host, device and CUDA
   arrays. All three classes keep the driver's largest descriptor (the other two are its
   prefix in all but order) and the objects whose memory they name. */
#include <string.h>
#include "arrays.h"
#include "memory.h"

/* One end, as the driver's descriptor lays it out; the source stands first, then the
   destination, then the size. */
typedef struct {
    size_t x, y, z, lod;
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    CUcontext context;
    size_t pitch, height;
} end;

typedef struct {
    py_object base; /* parent: the source, other: the destination */
    end src, dst;
    size_t width, height, depth;
} copy;

_Static_assert(sizeof(CUDA_MEMCPY3D_PEER) == 2 * sizeof(end) + 3 * sizeof(size_t) &&
                   offsetof(CUDA_MEMCPY3D_PEER, dstXInBytes) == sizeof(end) &&
                   offsetof(CUDA_MEMCPY3D_PEER, srcHeight) == offsetof(end, height),
               "the descriptor is two ends and a size");

#define COPY(self) ((copy *)(self))

/* -- Both ends ------------------------------------------------------------------ */

/* A buffer, strided ones too, as a view that keeps it in place; `first` is where its
   first element lies. */
static PyObject *view_of(PyObject *object, int writable, const void **first)
{
    PyObject *view = PyMemoryView_FromObject(object);
    const Py_buffer *buffer = view ? PyMemoryView_GET_BUFFER(view) : NULL;
    if (!view)
        return NULL;
    *first = buffer->buf;
    if (bd_refuse_object_view(buffer))
        Py_CLEAR(view);
    else if (writable && buffer->readonly) {
        PyErr_SetString(PyExc_BufferError, "the destination buffer is read-only");
        Py_CLEAR(view);
    }
    return view;
}

/* Memory of that type is one end from now on, and stays as long as it is. */
static PyObject *end_set(PyObject *self, end *at, CUmemorytype type, PyObject *object)
{
    bd_state *state = bd_state_from(self);
    py_object *base = (py_object *)self;
    int is_destination = at == &COPY(self)->dst, failed = 0;
    PyObject *kept = NULL;
    const void *first;
    if (type == CU_MEMORYTYPE_ARRAY)
        failed = bd_array(state, object, &at->array);
    else if (type == CU_MEMORYTYPE_DEVICE)
        failed = bd_pointer(state, object, &at->device);
    else if (!(kept = view_of(object, is_destination, &first)))
        failed = -1;
    else if (type == CU_MEMORYTYPE_HOST)
        at->host = first;
    else
        at->device = (uintptr_t)first;
    if (failed)
        return NULL;
    at->type = type;
    Py_XSETREF(*(is_destination ? &base->other : &base->parent),
               kept ? kept : Py_NewRef(object));
    Py_RETURN_NONE;
}

static PyObject *end_context(PyObject *self, end *at, PyObject *object)
{
    if (bd_instance(bd_state_from(self), object, BD_CONTEXT, "ctx") ||
        bd_context_check((bd_context *)object))
        return NULL;
    at->context = bd_context_handle((bd_context *)object);
    Py_RETURN_NONE;
}

/* The methods that set one end, `name`, which a text calls `side`. */
#define SET(name, what, argument, type, text)                                      \
    BD_METHOD(name##_##what, 1, 1, "set_" #name "_" #what "($self, " argument ")", \
              text)                                                                \
    {                                                                              \
        return end_set(self, &COPY(self)->name, CU_MEMORYTYPE_##type, in[0]);      \
    }
#define END(name, side)                                                          \
    SET(name, host, "buffer", HOST, "Host memory (any buffer) is the " side ".") \
    SET(name, unified, "buffer", UNIFIED,                                        \
        "Memory that host and device share (any buffer) is the " side ".")       \
    SET(name, array, "array", ARRAY, "An Array is the " side ".")                \
    SET(name, device, "devptr", DEVICE, "Device memory is the " side ".")        \
    BD_METHOD(name##_context, 1, 1, "set_" #name "_context($self, ctx)",         \
              "The Context of the " side ".")                                    \
    {                                                                            \
        return end_context(self, &COPY(self)->name, in[0]);                      \
    }
END(src, "source")
END(dst, "destination")

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

#define END_NUMBERS_2D(name)                                             \
    BD_NUMBER(#name "_x_in_bytes", copy, name.x, NULL),                  \
        BD_NUMBER(#name "_y", copy, name.y, NULL),                       \
        BD_NUMBER(#name "_memory_type", copy, name.type, "memory_type"), \
        BD_NUMBER(#name "_device", copy, name.device, NULL),             \
        BD_NUMBER(#name "_pitch", copy, name.pitch, NULL)
#define END_NUMBERS_3D(name)                           \
    BD_NUMBER(#name "_z", copy, name.z, NULL),         \
        BD_NUMBER(#name "_lod", copy, name.lod, NULL), \
        BD_NUMBER(#name "_height", copy, name.height, NULL)
#define NUMBERS_2D                                      \
    END_NUMBERS_2D(src), END_NUMBERS_2D(dst),           \
        BD_NUMBER("width_in_bytes", copy, width, NULL), \
        BD_NUMBER("height", copy, height, NULL)

static PyGetSetDef numbers_2d[] = {NUMBERS_2D, {NULL}};

static PyGetSetDef numbers_3d[] = {
    NUMBERS_2D,
    END_NUMBERS_3D(src),
    END_NUMBERS_3D(dst),
    BD_NUMBER("depth", copy, depth, NULL),
    {NULL},
};

/* -- Doing it ------------------------------------------------------------------- */

static const char *past_last(const char *first, int ndim, const Py_ssize_t *shape,
                             const Py_ssize_t *strides, Py_ssize_t itemsize)
{
    for (int k = 0; k < ndim; k++)
        if (shape[k] == 0)
            return first;
    for (int k = 0; k < ndim; k++)
        if (strides[k] > 0)
            first += (shape[k] - 1) * strides[k];
    return first + itemsize;
}

/* Sums and products of a user's numbers; SIZE_MAX if they overflow. */
static size_t sum(size_t a, size_t b)
{
    return __builtin_add_overflow(a, b, &a) ? SIZE_MAX : a;
}

static size_t product(size_t a, size_t b)
{
    return __builtin_mul_overflow(a, b, &a) ? SIZE_MAX : a;
}

/* Whether the host memory is large enough. For a NumPy view, that is the memory of the
   whole array: strides and offsets may lead out of the view. */
static int check_end(PyObject *self, const end *at, PyObject *kept, const char *name)
{
    const copy *c = COPY(self);
    size_t planes = sum(at->z, c->depth ? c->depth - 1 : 0), lines, needed;
    if (!kept || !PyMemoryView_Check(kept) || !c->width || !c->height)
        return 0;
    const Py_buffer *buffer = PyMemoryView_GET_BUFFER(kept);
    const char *first = buffer->buf, *next;
    const char *stop = past_last(first, buffer->ndim, buffer->shape, buffer->strides,
                                 buffer->itemsize);
    for (PyObject *base = buffer->obj; base && PyArray_Check(base);
         base = PyArray_BASE((PyArrayObject *)base)) {
        PyArrayObject *array = (PyArrayObject *)base;
        next = past_last(PyArray_BYTES(array), PyArray_NDIM(array), PyArray_DIMS(array),
                         PyArray_STRIDES(array), PyArray_ITEMSIZE(array));
        stop = next > stop ? next : stop;
    }
    lines = sum(product(planes, at->height), sum(at->y, c->height - 1));
    needed = sum(product(lines, at->pitch), sum(at->x, c->width));
    if (needed <= (size_t)(stop - first))
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "%s: the copy goes beyond the %s buffer of %zd bytes",
                 Py_TYPE(self)->tp_name, name, stop - first);
    return -1;
}

/* The memory that was set as an end must still exist: numbers of the descriptor can be
   changed, and memory be freed. */
static int check_kept(bd_state *state, const end *at, PyObject *kept, const char *name)
{
    CUdeviceptr pointer;
    CUarray array;
    if (at->type == CU_MEMORYTYPE_DEVICE && kept && bd_is_device_pointer(state, kept))
        return bd_pointer(state, kept, &pointer);
    if (at->type == CU_MEMORYTYPE_ARRAY) {
        if (kept && PyObject_TypeCheck(kept, state->type[BD_ARRAY]))
            return bd_array(state, kept, &array);
        PyErr_Format(PyExc_ValueError,
                     "the %s is an Array by its memory type, and none was set", name);
        return -1;
    }
    if (at->type == CU_MEMORYTYPE_HOST && !(kept && PyMemoryView_Check(kept))) {
        PyErr_Format(PyExc_ValueError,
                     "the %s is host memory by its memory type, and no buffer was set",
                     name);
        return -1;
    }
    return 0;
}

static int check_context(bd_state *state, CUcontext handle)
{
    bd_context *context = bd_context_each(state, NULL);
    while (context && bd_context_handle(context) != handle)
        context = bd_context_each(state, context);
    if (!handle || context)
        return 0;
    PyErr_SetString(PyExc_RuntimeError, "cannot activate dead context");
    return -1;
}

static int check_ends(PyObject *self)
{
    bd_state *state = bd_state_from(self);
    const py_object *base = (py_object *)self;
    const end *src = &COPY(self)->src, *dst = &COPY(self)->dst;
    return bd_write_pending(state) || check_kept(state, src, base->parent, "source") ||
           check_kept(state, dst, base->other, "destination") ||
           check_context(state, src->context) || check_context(state, dst->context) ||
           check_end(self, src, base->parent, "source") ||
           check_end(self, dst, base->other, "destination");
}

/* Both ends stay while this lives, whatever another thread sets. NULL: an exception. */
static PyObject *hold_ends(PyObject *self)
{
    const py_object *base = (py_object *)self;
    if (check_ends(self))
        return NULL;
    return PyTuple_Pack(2, base->parent ? base->parent : Py_None,
                        base->other ? base->other : Py_None);
}

static const char call_2d_doc[] = "Memcpy2D.__call__(aligned=False)\n--\n\n";

/* One argument: a Stream for an asynchronous copy, else whether rows are aligned. */
static PyObject *call_2d(PyObject *self, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_from(self);
    const end *src = &COPY(self)->src, *dst = &COPY(self)->dst;
    PyObject *in[1] = {NULL}, *held;
    CUstream stream;
    int aligned = 0, failed;
    if (py_parse_tuple(call_2d_doc, 0, 1, args, kwargs, in))
        return NULL;
    int async = in[0] && PyObject_TypeCheck(in[0], state->type[BD_STREAM]);
    if (async ? bd_stream(state, in[0], &stream) : py_flag(in[0], &aligned))
        return NULL;
    if (!(held = hold_ends(self)))
        return NULL;
    const CUDA_MEMCPY2D to = {
        src->x,      src->y,     src->type,         src->host,
        src->device, src->array, src->pitch,        dst->x,
        dst->y,      dst->type,  (void *)dst->host, dst->device,
        dst->array,  dst->pitch, COPY(self)->width, COPY(self)->height};
    failed = async     ? BD_CALL_UNLOCKED(state, cuMemcpy2DAsync, &to, stream)
             : aligned ? BD_CALL_UNLOCKED(state, cuMemcpy2D, &to)
                       : BD_CALL_UNLOCKED(state, cuMemcpy2DUnaligned, &to);
    Py_DECREF(held);
    return failed ? NULL : Py_NewRef(Py_None);
}

static const char call_3d_doc[] = "Memcpy3D.__call__(stream=None)\n--\n\n";

static PyObject *call_3d(PyObject *self, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_from(self);
    CUDA_MEMCPY3D_PEER value;
    PyObject *in[1] = {NULL}, *held;
    CUstream stream;
    CUcontext current = NULL;
    int peer = PyObject_TypeCheck(self, state->type[BD_MEMCPY_3D_PEER]);
    if (py_parse_tuple(call_3d_doc, 0, 1, args, kwargs, in) ||
        bd_stream(state, in[0], &stream) || !(held = hold_ends(self)))
        return NULL;
    int async = in[0] && in[0] != Py_None;
    int failed =
        peer && bd_check(state, cu.cuCtxGetCurrent(&current), "cuCtxGetCurrent");
    memcpy(&value, (char *)self + offsetof(copy, src), sizeof value);
    /* The peer form differs from the plain one in fields that are NULL there. */
    const CUDA_MEMCPY3D *plain = (const CUDA_MEMCPY3D *)(void *)&value;
    if (peer && !failed) {
        value.srcContext = value.srcContext ? value.srcContext : current;
        value.dstContext = value.dstContext ? value.dstContext : current;
        failed = async ? BD_CALL_UNLOCKED(state, cuMemcpy3DPeerAsync, &value, stream)
                       : BD_CALL_UNLOCKED(state, cuMemcpy3DPeer, &value);
    } else if (!failed)
        failed = async ? BD_CALL_UNLOCKED(state, cuMemcpy3DAsync, plain, stream)
                       : BD_CALL_UNLOCKED(state, cuMemcpy3D, plain);
    Py_DECREF(held);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *copy_repr(PyObject *self)
{
    const copy *c = COPY(self);
    const char *state = c->src.type && c->dst.type ? NULL
                        : c->src.type              ? "without a destination"
                        : c->dst.type              ? "without a source"
                                                   : "without source and destination";
    return c->depth
               ? bd_show(self, state, "of %zu bytes x %zu rows x %zu slices", c->width,
                         c->height, c->depth)
               : bd_show(self, state, "of %zu bytes x %zu rows", c->width, c->height);
}

BD_CLASS(MEMCPY_2D, "Memcpy2D", copy,
         "Memcpy2D()\n--\n\nA copy of `height` rows of `width_in_bytes`: set both "
         "ends, then call it: copy() or copy(aligned=True) waits, copy(stream) is "
         "asynchronous. CUDA: cuMemcpy2D, cuMemcpy2DUnaligned, cuMemcpy2DAsync.",
         .new = py_object_plain_new, .methods = copy_methods, .getset = numbers_2d,
         .call = call_2d, .repr = copy_repr);
BD_CLASS(MEMCPY_3D, "Memcpy3D", copy,
         "Memcpy3D()\n--\n\nA copy of `depth` slices of `height` rows of "
         "`width_in_bytes`: set both ends, then call it: copy() waits, copy(stream) is "
         "asynchronous. CUDA: cuMemcpy3D, cuMemcpy3DAsync.",
         .new = py_object_plain_new, .methods = copy_methods, .getset = numbers_3d,
         .call = call_3d, .repr = copy_repr);
BD_CLASS(MEMCPY_3D_PEER, "Memcpy3DPeer", copy,
         "Memcpy3DPeer()\n--\n\nAs Memcpy3D, between two contexts. CUDA: "
         "cuMemcpy3DPeer, cuMemcpy3DPeerAsync.",
         .new = py_object_plain_new, .methods = peer_methods, .getset = numbers_3d,
         .call = call_3d, .repr = copy_repr);
