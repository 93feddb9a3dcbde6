/* DLPack, the protocol by which array libraries share memory: a capsule with a tensor's
   description goes from one to the other, and the taker calls its deleter when it is
   done. Arrays of the host device are tensors of the CPU: NumPy takes them as they are.
   Capsules are of DLPack 0.8, which all libraries take, or of 1.0 for those that ask.
 */
#include "array.h"
#include <string.h>

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_MANAGED = 13, DL_IS_COPIED = 1 << 1 };
static const char kinds[] = "iuf..cb"; /* NumPy's, by DLPack's code; 3, 4: others */

typedef struct {
    void *data;
    struct {
        int32_t type, id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides; /* in elements; NULL: C order */
    uint64_t byte_offset;
} description;

typedef struct {
    description tensor;
    void *manager;
    void (*deleter)(void *);
} managed_tensor;

typedef struct {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(void *);
    uint64_t flags;
    description tensor;
} versioned_tensor;

typedef struct {
    union {
        managed_tensor plain;
        versioned_tensor versioned;
    };
    PyObject *view; /* owned: of the array; keeps the memory that it has now */
    int64_t shape[AR_MOST_AXES], strides[AR_MOST_AXES];
} export;

static const char *const names[] = {"dltensor", "dltensor_versioned"};

/* -- Out ------------------------------------------------------------------------ */

static void export_delete(void *self)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    Py_DECREF(((export *)self)->view);
    PyMem_Free(self);
    PyGILState_Release(gil);
}

static void capsule_delete(PyObject *capsule)
{
    for (int i = 0; i < 2; i++) /* neither: somebody took it */
        if (PyCapsule_IsValid(capsule, names[i]))
            export_delete(PyCapsule_GetPointer(capsule, names[i]));
}

static int set_dtype(description *tensor, const ar_array *array)
{
    const char *kind = strchr(kinds, array->dtype->kind);
    if (!array->type || !kind) {
        PyErr_Format(PyExc_BufferError, "DLPack has no dtype %S", array->dtype);
        return -1;
    }
    tensor->dtype.code = (uint8_t)(kind - kinds);
    tensor->dtype.bits = (uint8_t)(8 * AR_ITEMSIZE(array));
    tensor->dtype.lanes = 1;
    return 0;
}

static void set_device(description *tensor, const ar_array *array)
{
    tensor->device.type = drv_get_info()->is_host ? DL_CPU : DL_CUDA;
    tensor->device.id =
        drv_get_info()->is_host ? 0 : bd_context_device(array->head.base.context);
}

static export *export_new(ar_array *array, int versioned, int copied)
{
    CUdeviceptr address;
    export *self = PyMem_Calloc(1, sizeof *self);
    if (!self) {
        PyErr_NoMemory();
        return NULL;
    }
    description *tensor = versioned ? &self->versioned.tensor : &self->plain.tensor;
    if (set_dtype(tensor, array) || ar_address(array, &address) ||
        !(self->view = ar_share(array))) {
        PyMem_Free(self);
        return NULL;
    }
    for (int i = 0; i < array->ndim; i++) {
        self->shape[i] = array->shape[i];
        self->strides[i] = array->strides[i] / AR_ITEMSIZE(array);
        int counts = array->size && array->shape[i] != 1;
        if (counts && array->strides[i] % AR_ITEMSIZE(array)) { /* a field of structs */
            PyErr_SetString(PyExc_BufferError,
                            "DLPack has no strides that are no multiple of an element");
            export_delete(self);
            return NULL;
        }
    }
    set_device(tensor, array);
    tensor->data = (void *)(uintptr_t)address;
    tensor->ndim = array->ndim;
    tensor->shape = self->shape;
    tensor->strides = self->strides;
    if (versioned) {
        self->versioned.major = 1;
        self->versioned.flags = copied ? DL_IS_COPIED : 0;
        self->versioned.deleter = export_delete;
    } else
        self->plain.deleter = export_delete;
    return self;
}

static int has_context(ar_array *array)
{
    if (array->head.base.context && !bd_context_check(array->head.base.context))
        return 1;
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_BufferError, "the array has no memory to share");
    return 0;
}

/* Whether a consumer wants the data where they are: 1; 0: on the CPU; -1: exception. */
static int is_wanted_here(const ar_array *array, PyObject *wanted)
{
    description own;
    int64_t type, id;
    set_device(&own, array);
    if (!wanted || wanted == Py_None)
        return 1;
    PyObject *pair = PySequence_Tuple(wanted);
    int result = -1;
    if (!pair || PyTuple_GET_SIZE(pair) != 2) {
        PyErr_Format(PyExc_TypeError,
                     "dl_device: expected a pair of integers, as __dlpack_device__() "
                     "gives, got %R",
                     wanted);
        goto done;
    }
    if (py_signed(PyTuple_GET_ITEM(pair, 0), "dl_device", 0, INT_MAX, &type) ||
        py_signed(PyTuple_GET_ITEM(pair, 1), "dl_device", 0, INT_MAX, &id))
        goto done;
    if (type == own.device.type && id == own.device.id)
        result = 1;
    else if (type == DL_CPU)
        result = 0;
    else
        PyErr_Format(
            PyExc_BufferError,
            "dl_device: the array is on device (%d, %d) of DLPack's, and can be "
            "exported there or to the CPU, (1, 0), not to (%d, %d)",
            own.device.type, own.device.id, (int)type, (int)id);
done:
    Py_XDECREF(pair);
    return result;
}

/* A capsule of a copy on the host, which NumPy makes. */
static PyObject *export_from_host(ar_array *array, int may_copy)
{
    if (!may_copy) {
        PyErr_SetString(PyExc_BufferError, "the array is on a GPU, and copy=False "
                                           "forbids to copy it to the CPU");
        return NULL;
    }
    PyObject *host = ar_get(array);
    PyObject *capsule = host ? PyObject_CallMethod(host, "__dlpack__", NULL) : NULL;
    Py_XDECREF(host);
    return capsule;
}

static PyObject *capsule_of(ar_array *array, int64_t stream, int versioned, int copied)
{
    export *tensor = export_new(array, versioned, copied);
    PyObject *capsule =
        tensor ? PyCapsule_New(tensor, names[versioned], capsule_delete) : NULL;
    if (tensor && !capsule)
        export_delete(tensor);
    /* Now, since asking for the address may have launched what writes pending results.
     */
    if (capsule && stream >= 0 &&
        BD_CALL_UNLOCKED(bd_state_from((PyObject *)array), cuStreamSynchronize, NULL))
        Py_CLEAR(capsule);
    return capsule;
}

BD_METHOD(
    array_dlpack, 0, 4,
    "__dlpack__($self, stream=None, max_version=None, dl_device=None, copy=None)",
    "A DLPack capsule of the array's memory, which stays alive as long as it; of a "
    "copy "
    "if `copy` is true, or if `dl_device` is (1, 0), the CPU, and the array on a GPU. "
    "Work in the null stream is done first, unless stream is -1. BufferError for "
    "dtypes "
    "that DLPack does not know, for another `dl_device`, and for a copy where `copy` "
    "is "
    "False.")
{
    ar_array *array = AR(self), *copied = NULL;
    int64_t stream = 0, major = 0;
    if (!has_context(array) || (in[0] && in[0] != Py_None &&
                                py_signed(in[0], "stream", -1, INT64_MAX, &stream)))
        return NULL;
    int is_here = is_wanted_here(array, in[2]);
    if (is_here <= 0)
        return is_here < 0 ? NULL : export_from_host(array, in[3] != Py_False);
    if (in[1] && in[1] != Py_None) {
        PyObject *first = PySequence_GetItem(in[1], 0);
        if (!first || py_signed(first, "max_version", 0, INT_MAX, &major))
            major = -1;
        Py_XDECREF(first);
    }
    if (major < 0 || (in[3] == Py_True && !(copied = ar_copy(array, NULL, 'K', NULL))))
        return NULL;
    PyObject *capsule =
        capsule_of(copied ? copied : array, stream, major > 0, copied != NULL);
    Py_XDECREF(copied);
    return capsule;
}

BD_METHOD(array_dlpack_device, 0, 0, "__dlpack_device__($self)",
          "(1, 0), a CPU, on the host device; else (2, the device's ordinal).")
{
    description tensor;
    if (!has_context(AR(self)))
        return NULL;
    set_device(&tensor, AR(self));
    return Py_BuildValue("ii", tensor.device.type, tensor.device.id);
}

PyMethodDef ar_dlpack_methods[] = {
    BD_ROW("__dlpack__", array_dlpack),
    BD_ROW("__dlpack_device__", array_dlpack_device),
    {NULL},
};

/* -- In ------------------------------------------------------------------------- */

static void taken_delete(PyObject *capsule)
{
    PyObject *type, *value, *traceback; /* of why it is not wanted, perhaps */
    PyErr_Fetch(&type, &value, &traceback);
    managed_tensor *tensor = PyCapsule_GetPointer(capsule, "pycuda.dltensor");
    if (tensor && tensor->deleter)
        tensor->deleter(tensor);
    PyErr_Restore(type, value, traceback);
}

/* What the constructor takes: shape, dtype, and by name the rest. */
static PyObject *describe(const description *tensor, PyObject *owner)
{
    char kind[8];
    npy_intp shape[AR_MOST_AXES], strides[AR_MOST_AXES];
    int itemsize = tensor->dtype.bits / 8, too_far = 0;
    if (tensor->dtype.lanes != 1 || tensor->dtype.code >= sizeof kinds - 1 ||
        kinds[tensor->dtype.code] == '.' || tensor->ndim < 0 ||
        tensor->ndim > AR_MOST_AXES) {
        PyErr_SetString(PyExc_BufferError,
                        "a tensor of that dtype or number of axes is no GPUArray");
        return NULL;
    }
    if (tensor->ndim && !tensor->shape) {
        PyErr_Format(PyExc_BufferError, "a tensor of %d axes has no shape",
                     (int)tensor->ndim);
        return NULL;
    }
    snprintf(kind, sizeof kind, "%c%d", kinds[tensor->dtype.code], itemsize);
    for (int i = 0; i < tensor->ndim; i++) {
        shape[i] = tensor->shape[i];
        strides[i] = 0;
        if (tensor->strides)
            too_far |=
                __builtin_mul_overflow(tensor->strides[i], itemsize, &strides[i]);
    }
    if (too_far) {
        PyErr_SetString(PyExc_BufferError,
                        "the tensor's strides are 2**63 bytes or more");
        return NULL;
    }
    if (!tensor->strides && ar_check_size(tensor->ndim, shape, itemsize))
        return NULL;
    if (!tensor->strides)
        ar_strides_fill(strides, tensor->ndim, shape, itemsize, 'C');
    uint64_t address = (uint64_t)(uintptr_t)tensor->data + tensor->byte_offset;
    return Py_BuildValue("(NsOOKN)", ar_tuple(tensor->ndim, shape), kind, Py_None,
                         owner, (unsigned long long)address,
                         ar_tuple(tensor->ndim, strides));
}

BD_METHOD(dlpack_take, 1, 1, "_from_dlpack(capsule)",
          "A view of what a DLPack capsule of a CUDA device describes.")
{
    managed_tensor *managed = PyCapsule_GetPointer(in[0], "dltensor");
    PyObject *owner = NULL, *args = NULL, *result = NULL;
    if (!managed)
        return NULL;
    const description *tensor = &managed->tensor;
    if (tensor->device.type != DL_CUDA && tensor->device.type != DL_CUDA_MANAGED) {
        PyErr_Format(PyExc_BufferError,
                     "the tensor is on a device of type %d, not CUDA",
                     tensor->device.type);
        return NULL;
    }
    if (!(owner = PyCapsule_New(managed, "pycuda.dltensor", taken_delete)))
        return NULL;
    if (PyCapsule_SetName(in[0], "used_dltensor") == 0 &&
        (args = describe(tensor, owner)))
        result = PyObject_Call((PyObject *)bd_state_get(self)->array_type, args, NULL);
    Py_XDECREF(args);
    Py_DECREF(owner);
    return result;
}

PyMethodDef ar_dlpack_functions[] = {
    BD_ROW("_from_dlpack", dlpack_take),
    {NULL},
};
