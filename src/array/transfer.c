/* Copies from and to the host, and assignment of whatever there is. Host arrays travel
   in the order in which the device array lies; where the two differ, NumPy rearranges
   on the host. Copies of ordinary memory are done with the host's side when the
   driver's call returns, so temporary host arrays need not be kept. */
#include "array.h"
#include <string.h>

/* -- From the host -------------------------------------------------------------- */

/* A new host array with the array's order of axes. */
static PyArrayObject *host_like(const ar_array *array)
{
    npy_intp strides[AR_MOST_AXES];
    const npy_intp *others = array->strides;
    ar_strides_like(strides, array->ndim, array->shape, AR_ITEMSIZE(array), 1, &others);
    Py_INCREF(array->dtype);
    return (PyArrayObject *)PyArray_NewFromDescr(
        &PyArray_Type, array->dtype, array->ndim, (npy_intp *)array->shape,
        array->order & AR_C ? NULL : strides, NULL, 0, NULL);
}

static int lies_like(PyArrayObject *host, const ar_array *array)
{
    if (!PyArray_ISALIGNED(host) || PyArray_NDIM(host) != array->ndim)
        return 0;
    for (int i = 0; i < array->ndim; i++)
        if (PyArray_DIM(host, i) != array->shape[i] ||
            (array->shape[i] > 1 && PyArray_STRIDE(host, i) != array->strides[i]))
            return 0;
    return 1;
}

/* array = host, of the same shape and dtype; the array is dense. */
static int upload_dense(ar_array *array, PyArrayObject *host, int async,
                        CUstream stream)
{
    PyArrayObject *source = NULL;
    CUdeviceptr address;
    int result = -1;
    if (array->head.size == 0)
        return 0;
    if (ar_address(array, &address))
        return -1;
    if (lies_like(host, array))
        source = (PyArrayObject *)Py_NewRef((PyObject *)host);
    else if (!(source = host_like(array)) || PyArray_CopyInto(source, host))
        goto done;
    result = bd_copy_to_device(bd_state_from(array), address, PyArray_DATA(source),
                               array->head.size, async, stream);
done:
    Py_XDECREF(source);
    return result;
}

static int upload(ar_array *array, PyArrayObject *host, int async, CUstream stream)
{
    if (ar_is_dense(array))
        return upload_dense(array, host, async, stream);
    ar_array *whole = ar_like(array, array->dtype, 'C');
    int failed = !whole || upload_dense(whole, host, 1, stream) ||
                 ar_assign_array(array, whole, stream);
    Py_XDECREF(whole);
    return failed ? -1 : 0;
}

/* A new device array with what a host array holds. allocator NULL: from the pool. */
static ar_array *from_host(bd_state *state, PyArrayObject *host, PyObject *allocator,
                           int async, CUstream stream)
{
    npy_intp strides[AR_MOST_AXES];
    const npy_intp *others = PyArray_STRIDES(host);
    int ndim = PyArray_NDIM(host);
    PyArray_Descr *dtype = PyArray_DESCR(host);
    if (ndim > AR_MOST_AXES) {
        PyErr_Format(PyExc_ValueError, "%d axes are too many, at most %d", ndim,
                     AR_MOST_AXES);
        return NULL;
    }
    if (PyArray_IS_C_CONTIGUOUS(host))
        ar_strides_fill(strides, ndim, PyArray_DIMS(host), PyDataType_ELSIZE(dtype),
                        'C');
    else
        ar_strides_like(strides, ndim, PyArray_DIMS(host), PyDataType_ELSIZE(dtype), 1,
                        &others);
    ar_array *array =
        ar_new(state, dtype, ndim, PyArray_DIMS(host), strides, allocator);
    if (array && upload_dense(array, host, async, stream))
        Py_CLEAR(array);
    return array;
}

/* -- Assignment ----------------------------------------------------------------- */

/* Anything that NumPy can make an array of that dtype of. */
static int assign_host(ar_array *array, PyObject *source, CUstream stream)
{
    bd_state *state = bd_state_from(array);
    Py_INCREF(array->dtype);
    PyArrayObject *host =
        bd_numpy_from(source, array->dtype, NPY_ARRAY_FORCECAST | NPY_ARRAY_ALIGNED);
    ar_array *whole = host ? from_host(state, host, NULL, 1, stream) : NULL;
    int result = whole ? ar_assign_array(array, whole, stream) : -1;
    Py_XDECREF(host);
    Py_XDECREF(whole);
    return result;
}

int ar_assign(ar_array *array, PyObject *source, CUstream stream)
{
    ar_operand operand;
    int found = ar_operand_from(bd_state_from(array), source, &operand);
    if (found < 0)
        return -1;
    if (found && operand.array) {
        int result = ar_assign_array(array, operand.array, stream);
        Py_DECREF(operand.array);
        return result;
    }
    if (found && array->type)
        return ar_assign_number(array, source, stream);
    return assign_host(array, source, stream);
}

/* -- To the host ---------------------------------------------------------------- */

/* Fills a host array of the same shape and dtype. */
static int download(ar_array *array, PyArrayObject *host, int async, CUstream stream)
{
    ar_array *dense = NULL;
    PyArrayObject *target = NULL;
    ar_prefault *pages = NULL;
    CUdeviceptr address;
    int result = -1;
    if (array->head.size == 0)
        return 0;
    int echoed = async || array->is_view || !lies_like(host, array)
                     ? 0
                     : bd_echo_read(bd_state_from(array), AR_MEMORY(array),
                                    PyArray_DATA(host), array->head.size);
    if (echoed)
        return echoed < 0 ? -1 : 0;
    dense = ar_is_dense(array) ? AR(Py_NewRef((PyObject *)array))
                               : ar_copy(array, NULL, 'K', stream);
    if (!dense || ar_address(dense, &address))
        goto done;
    if (lies_like(host, dense))
        target = (PyArrayObject *)Py_NewRef((PyObject *)host);
    else if (!(target = host_like(dense)))
        goto done;
    if (!async)
        pages = ar_prefault_begin(PyArray_DATA(target), dense->head.size);
    result = bd_copy_from_device(bd_state_from(array), PyArray_DATA(target), address,
                                 dense->head.size, async, stream);
    ar_prefault_end(pages);
    if (result == 0 && target != host)
        result = PyArray_CopyInto(host, target);
done:
    Py_XDECREF(target);
    Py_XDECREF(dense);
    return result;
}

PyObject *ar_get(ar_array *array)
{
    PyArrayObject *host = host_like(array);
    if (host && download(array, host, 0, NULL))
        Py_CLEAR(host);
    return (PyObject *)host;
}

static PyArrayObject *pagelocked_new(bd_state *state, ar_array *array)
{
    PyObject *driver = PyImport_ImportModule("pycuda.driver"), *host = NULL;
    PyObject *shape = ar_tuple(array->ndim, array->shape);
    const char *order = array->order & AR_F && !(array->order & AR_C) ? "F" : "C";
    if (driver && shape)
        host = PyObject_CallMethod(driver, "pagelocked_empty", "OOs", shape,
                                   array->dtype, order);
    Py_XDECREF(driver);
    Py_XDECREF(shape);
    return (PyArrayObject *)host;
}

/* Whether the array given to get into, or to set from, has the shape of this one; -1:
   it does not fit. */
static int fits(const ar_array *array, PyArray_Descr *dtype, int ndim,
                const npy_intp *shape, PyObject *warning, PyObject *dtype_error)
{
    npy_intp size = 1;
    for (int i = 0; i < ndim; i++)
        size *= shape[i];
    if (size != array->size) {
        PyErr_Format(PyExc_ValueError,
                     "ary and self must be the same size: %zd and %zd elements",
                     (Py_ssize_t)size, (Py_ssize_t)array->size);
        return -1;
    }
    if (!PyArray_EquivTypes(dtype, array->dtype)) {
        PyErr_Format(dtype_error,
                     "ary and self must have the same dtype: %S and %S; astype() "
                     "converts either",
                     dtype, array->dtype);
        return -1;
    }
    if (ar_has_shape(array, ndim, shape))
        return 1;
    return PyErr_WarnEx(warning,
                        "the array has another shape; it is taken in the order of "
                        "its elements",
                        1)
               ? -1
               : 0;
}

/* A host array in the shape of this one. */
static PyArrayObject *fitting(ar_array *array, PyObject *given, PyObject *warning,
                              PyObject *dtype_error)
{
    if (!PyArray_Check(given)) {
        PyErr_Format(PyExc_TypeError, "expected a numpy.ndarray or a GPUArray, got %s",
                     Py_TYPE(given)->tp_name);
        return NULL;
    }
    PyArrayObject *host = (PyArrayObject *)given;
    int found = fits(array, PyArray_DESCR(host), PyArray_NDIM(host), PyArray_DIMS(host),
                     warning, dtype_error);
    if (found)
        return found < 0 ? NULL : (PyArrayObject *)Py_NewRef(given);
    PyArray_Dims shape = {array->shape, array->ndim};
    return (PyArrayObject *)PyArray_Newshape(host, &shape, NPY_CORDER);
}

/* to[...] = from, both on the device, where `given` is one of the two. */
static int move(ar_array *to, ar_array *from, const ar_array *given, CUstream stream,
                PyObject *warning, PyObject *dtype_error)
{
    const ar_array *other = given == to ? from : to;
    int found =
        fits(other, given->dtype, given->ndim, given->shape, warning, dtype_error);
    ar_array *source = NULL;
    if (found >= 0)
        source = found ? AR(Py_NewRef((PyObject *)from))
                       : ar_reshape(from, to->ndim, to->shape, 'C');
    int result = source ? ar_assign_array(to, source, stream) : -1;
    Py_XDECREF(source);
    return result;
}

/* A copy in a stream that the caller did not ask to be asynchronous is waited for. */
static int wait_unless(int async, bd_state *state, CUstream stream)
{
    return !async && stream ? BD_CALL_UNLOCKED(state, cuStreamSynchronize, stream) : 0;
}

BD_METHOD(array_get, 0, 4,
          "get($self, ary=None, pagelocked=False, async_=False, stream=None)",
          "A numpy.ndarray with a copy, in the same order of axes; ary: the array to "
          "fill and return, a GPUArray too. pagelocked: make it in page-locked memory. "
          "async_: return before the stream has done the copy. CUDA: cuMemcpyDtoH.")
{
    ar_array *array = AR(self);
    bd_state *state = bd_state_from(self);
    PyArrayObject *host;
    CUstream stream;
    int pagelocked = 0, async = 0, given = in[0] && in[0] != Py_None;
    if (py_flag(in[1], &pagelocked) || py_flag(in[2], &async) ||
        bd_stream(state, in[3], &stream))
        return NULL;
    if (given && ar_check(in[0]))
        return move(AR(in[0]), array, AR(in[0]), stream, PyExc_DeprecationWarning,
                    PyExc_TypeError) ||
                       wait_unless(async, state, stream)
                   ? NULL
                   : Py_NewRef(in[0]);
    host = given ? fitting(array, in[0], PyExc_DeprecationWarning, PyExc_TypeError)
           : pagelocked && array->size ? pagelocked_new(state, array)
                                       : host_like(array);
    if (host && given && !PyArray_ISWRITEABLE(host)) {
        PyErr_SetString(PyExc_ValueError, "ary is read-only");
        Py_CLEAR(host);
    } else if (host && (download(array, host, async || stream, stream) ||
                        wait_unless(async, state, stream)))
        Py_CLEAR(host);
    if (host && given)
        Py_SETREF(host, (PyArrayObject *)Py_NewRef(in[0]));
    return (PyObject *)host;
}

BD_METHOD(
    array_set, 1, 3, "set($self, ary, async_=False, stream=None)",
    "Copies a numpy.ndarray or GPUArray of the same size and dtype into the array. "
    "async_: return before the stream has done the copy, for which page-locked "
    "memory must stay. CUDA: cuMemcpyHtoD.")
{
    bd_state *state = bd_state_from(self);
    PyArrayObject *host = NULL;
    ar_array *array = NULL;
    CUstream stream;
    int async = 0, failed;
    if (py_flag(in[1], &async) || bd_stream(state, in[2], &stream))
        return NULL;
    int found = PyArray_Check(in[0]) ? 0 : ar_from(state, in[0], &array);
    if (found)
        failed = found < 0 || move(AR(self), array, array, stream, PyExc_UserWarning,
                                   PyExc_ValueError);
    else
        failed =
            !(host = fitting(AR(self), in[0], PyExc_UserWarning, PyExc_ValueError)) ||
            upload(AR(self), host, async || stream, stream);
    failed = failed || wait_unless(async, state, stream);
    Py_XDECREF(array);
    Py_XDECREF(host);
    return failed ? NULL : Py_NewRef(Py_None);
}

BD_METHOD(array_fill, 1, 2, "fill($self, value, stream=None)",
          "Sets all elements to a value, converted as NumPy does. Returns the array.")
{
    CUstream stream;
    if (bd_stream(bd_state_from(self), in[1], &stream) ||
        ar_assign(AR(self), in[0], stream))
        return NULL;
    return Py_NewRef(self);
}

BD_METHOD(array_copy, 0, 2, "copy($self, stream=None, order='K')",
          "A copy without gaps, in the same order of axes unless order ('C', 'F') says "
          "another.")
{
    CUstream stream;
    char order = 'K';
    if (bd_stream(bd_state_from(self), in[0], &stream) ||
        (in[1] && ar_order_parse(in[1], AR(self), &order)))
        return NULL;
    return (PyObject *)ar_copy(AR(self), NULL, order, stream);
}

BD_METHOD(
    array_astype, 1, 4, "astype($self, dtype, stream=None, order='K', copy=True)",
    "A copy with the elements converted to another dtype; without copy, the array "
    "itself where it has that dtype and order.")
{
    ar_array *array = AR(self), *result = NULL;
    PyArray_Descr *dtype = NULL;
    CUstream stream;
    char order = 'K';
    int copies = 1;
    if (bd_stream(bd_state_from(self), in[1], &stream) ||
        (in[2] && ar_order_parse(in[2], array, &order)) || py_flag(in[3], &copies) ||
        !PyArray_DescrConverter(in[0], &dtype))
        return NULL;
    int lies_so = order == 'K' || array->order & (order == 'F' ? AR_F : AR_C);
    if (!copies && lies_so && PyArray_EquivTypes(dtype, array->dtype))
        result = AR(Py_NewRef(self));
    else
        result = ar_copy(array, dtype, order, stream);
    Py_DECREF(dtype);
    return (PyObject *)result;
}

PyMethodDef ar_transfer_methods[] = {
    BD_ROW("get", array_get),       BD_ROW("set", array_set),
    BD_ROW("fill", array_fill),     BD_ROW("copy", array_copy),
    BD_ROW("astype", array_astype), {NULL},
};

/* On the device, without gaps. */
static ar_array *copy_of(bd_state *state, ar_array *source, PyObject *allocator,
                         CUstream stream)
{
    npy_intp strides[AR_MOST_AXES];
    const npy_intp *others = source->strides;
    ar_strides_like(strides, source->ndim, source->shape, AR_ITEMSIZE(source), 1,
                    &others);
    ar_array *copy =
        ar_new(state, source->dtype, source->ndim, source->shape, strides, allocator);
    if (copy && ar_assign_array(copy, source, stream))
        Py_CLEAR(copy);
    return copy;
}

static PyObject *to_gpu(PyObject *module, PyObject *ary, PyObject *allocator, int async,
                        PyObject *stream)
{
    bd_state *state = bd_state_get(module);
    PyArrayObject *host = NULL;
    ar_array *array = NULL, *source = NULL;
    CUstream handle;
    if (bd_stream(state, stream, &handle))
        return NULL;
    allocator = allocator ? allocator : Py_None;
    int found = PyArray_Check(ary) ? 0 : ar_from(state, ary, &source);
    if (found > 0)
        array = copy_of(state, source, allocator, handle);
    else if (found == 0 && (host = bd_numpy_from(ary, NULL, NPY_ARRAY_ALIGNED)))
        array = from_host(state, host, allocator, async, handle);
    Py_XDECREF(source);
    Py_XDECREF(host);
    return (PyObject *)array;
}

BD_METHOD(
    array_to_gpu, 1, 2, "to_gpu(ary, allocator=None)",
    "A GPUArray with a copy of a numpy.ndarray or a GPUArray, without gaps and in its "
    "order of axes. CUDA: cuMemcpyHtoD.")
{
    return to_gpu(self, in[0], in[1], 0, NULL);
}

BD_METHOD(array_to_gpu_async, 1, 3, "to_gpu_async(ary, allocator=None, stream=None)",
          "to_gpu() that returns before the stream has done the copy; page-locked "
          "memory must stay until then. CUDA: cuMemcpyHtoDAsync.")
{
    return to_gpu(self, in[0], in[1], 1, in[2]);
}

/* -- Memory of the host device as memory of the host ---------------------------- */

/* New; holds the owner. address 0: there are no elements. */
static PyObject *host_view(ar_array *array, CUdeviceptr address, PyObject *owner,
                           int is_writable)
{
    Py_INCREF(array->dtype);
    PyObject *host = PyArray_NewFromDescr(
        &PyArray_Type, array->dtype, array->ndim, array->shape, array->strides,
        (void *)(uintptr_t)address,
        NPY_ARRAY_ALIGNED | (is_writable ? NPY_ARRAY_WRITEABLE : 0), NULL);
    if (host && PyArray_SetBaseObject((PyArrayObject *)host, Py_NewRef(owner)))
        Py_CLEAR(host);
    return host;
}

int ar_buffer(PyObject *self, Py_buffer *view, int flags)
{
    ar_array *array = AR(self);
    bd_state *state = bd_state_from(array);
    CUdeviceptr address = 0;
    int is_host = drv_get_info()->is_host;
    view->obj = NULL;
    if (!is_host || AR_OBJECTS(state)->is_open != Py_True) {
        PyErr_Format(PyExc_BufferError,
                     "a GPUArray is no buffer in host memory%s; use .get()",
                     is_host ? " unless pycuda.gpuarray.open_to_host() says so" : "");
        return -1;
    }
    if (array->size &&
        (ar_address(array, &address) || BD_CALL_UNLOCKED(state, cuCtxSynchronize)))
        return -1;
    PyObject *owner = ar_share(array);
    PyObject *host = owner ? host_view(array, address, owner, 1) : NULL;
    int failed = !host || PyObject_GetBuffer(host, view, flags);
    Py_XDECREF(owner);
    Py_XDECREF(host);
    return failed ? -1 : 0;
}

/* Work in the null stream waits for all blocking streams; to wait for the stream itself
   does not. */
static int wait_for_null_stream(bd_state *state)
{
    CUevent event = NULL;
    if (BD_CALL(state, cuEventCreate, &event, CU_EVENT_DISABLE_TIMING))
        return -1;
    int failed = BD_CALL(state, cuEventRecord, event, NULL) ||
                 BD_CALL_UNLOCKED(state, cuEventSynchronize, event);
    BD_UNLOCKED(cu.cuEventDestroy(event));
    return failed ? -1 : 0;
}

BD_METHOD(array_host_view, 1, 1, "_host_view(array)",
          "The array's memory on the host device as a numpy.ndarray that is not to be "
          "written, once the null stream has done what is before. It keeps the memory, "
          "and is for one call of the host's: what comes later does not know of it.")
{
    bd_state *state = bd_state_get(self);
    CUdeviceptr address = 0;
    if (!ar_expect(in[0], "array"))
        return NULL;
    ar_array *array = AR(in[0]);
    if (!drv_get_info()->is_host) {
        PyErr_SetString(PyExc_TypeError, "the memory of a GPU is not the host's");
        return NULL;
    }
    if (array->size) {
        bd_context *context = array->head.base.context;
        if (bd_copy_check(state, 0, NULL) || ar_address(array, &address))
            return NULL;
        int entered = bd_context_enter(context);
        if (entered < 0) {
            PyErr_SetString(PyExc_RuntimeError,
                            "the array's context cannot be made current");
            return NULL;
        }
        int failed = wait_for_null_stream(state);
        bd_context_leave(context, entered);
        if (failed)
            return NULL;
    }
    return host_view(array, address, in[0], 0);
}

BD_METHOD(
    array_open, 0, 1, "open_to_host(is_open=True)",
    "Whether numpy.asarray(x) is allowed. On the host device it is a view then, "
    "without a copy, and so is memoryview(x): both wait for the context first. On "
    "a GPU it is a copy.")
{
    int is_open = 1;
    if (py_flag(in[0], &is_open))
        return NULL;
    Py_XSETREF(AR_OBJECTS(bd_state_get(self))->is_open, PyBool_FromLong(is_open));
    Py_RETURN_NONE;
}

BD_METHOD(array_is_open, 0, 0, "_is_open_to_host()",
          "What open_to_host() was last told.")
{
    return PyBool_FromLong(AR_OBJECTS(bd_state_get(self))->is_open == Py_True);
}

PyMethodDef ar_transfer_functions[] = {
    BD_ROW("_host_view", array_host_view),      BD_ROW("open_to_host", array_open),
    BD_ROW("_is_open_to_host", array_is_open),  BD_ROW("to_gpu", array_to_gpu),
    BD_ROW("to_gpu_async", array_to_gpu_async), {NULL},
};
