/* Device, and the functions that need no device: loading the driver, cuInit, versions.
   A Device is a number; it owns nothing. */
#include "compile/compile.h"
#include "calls.h"
#include "context.h"
#include <limits.h>

#define HANDLE(self) ((CUdevice)((bd_handle *)(self))->handle)

BD_NEW(device_new, 1, 1, "Device(ordinal)",
       "A device, by number from 0 or by PCI bus id ('0000:01:00.0'). Each device "
       "attribute is a Python attribute too, in lower case (dev.warp_size).\n\nRaises "
       "LogicError for a number that does not exist. CUDA: cuDeviceGet, "
       "cuDeviceGetByPCIBusId.")
{
    CUdevice handle;
    int64_t ordinal;
    if (PyUnicode_Check(in[0])) {
        const char *id = py_text(in[0]);
        if (!id || BD_CALL(state, cuDeviceGetByPCIBusId, &handle, id))
            return NULL;
    } else if (py_signed(in[0], "ordinal", INT_MIN, INT_MAX, &ordinal) ||
               BD_CALL(state, cuDeviceGet, &handle, (int)ordinal))
        return NULL;
    bd_handle *self = py_object_new_of(type, NULL, NULL);
    if (self)
        self->handle = handle;
    return (PyObject *)self;
}

BD_RUN(device_name, 0, 0, cuDeviceGetName, "name($self)", "The device's name.",
       .passes = {OUT_TEXT, PASS_TEXT_ROOM, PASS_SELF})
BD_RUN(device_pci_bus_id, 0, 0, cuDeviceGetPCIBusId, "pci_bus_id($self)",
       "'domain:bus:device.function' in hexadecimal.",
       .passes = {OUT_TEXT, PASS_TEXT_ROOM, PASS_SELF})

BD_METHOD(device_compute_capability, 0, 0, "compute_capability($self)",
          "(major, minor). CUDA: cuDeviceGetAttribute.")
{
    bd_state *state = bd_state_from(self);
    int major, minor;
    if (BD_CALL(state, cuDeviceGetAttribute, &major,
                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, HANDLE(self)) ||
        BD_CALL(state, cuDeviceGetAttribute, &minor,
                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, HANDLE(self)))
        return NULL;
    return Py_BuildValue("ii", major, minor);
}

BD_RUN(device_count, 0, 0, cuDeviceGetCount, "count($type)", "Number of devices.",
       .passes = {OUT_INT})
BD_RUN(device_total_memory, 0, 0, cuDeviceTotalMem, "total_memory($self)",
       "Bytes of device memory.", .passes = {OUT_SIZE, PASS_SELF})
BD_RUN(device_can_access_peer, 1, 1, cuDeviceCanAccessPeer,
       "can_access_peer($self, dev)",
       "Whether contexts here may map memory of that Device.",
       .passes = {OUT_FLAG, PASS_SELF, ARG_DEVICE})

BD_METHOD(device_get_attribute, 1, 1, "get_attribute($self, attr)",
          "The value of a device_attribute: an int, or a compute_mode. CUDA: "
          "cuDeviceGetAttribute.")
{
    bd_state *state = bd_state_from(self);
    int64_t attribute;
    int value;
    if (py_signed(in[0], "attr", INT_MIN, INT_MAX, &attribute) ||
        BD_CALL(state, cuDeviceGetAttribute, &value, (int)attribute, HANDLE(self)))
        return NULL;
    if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_MODE)
        return bd_enum_member(state, "compute_mode", value);
    return PyLong_FromLong(value);
}

BD_METHOD(device_make_context, 0, 1, "make_context($self, flags=0)",
          "A new Context on this device, current in the calling thread. flags: "
          "ctx_flags. CUDA: cuCtxCreate.")
{
    bd_state *state = bd_state_from(self);
    CUcontext handle;
    unsigned flags = 0;
    if (py_flags(in[0], "flags", &flags) ||
        BD_CALL_UNLOCKED(state, cuCtxCreate, &handle, flags, HANDLE(self)))
        return NULL;
    return bd_context_made(state, handle);
}

BD_METHOD(device_retain_primary_context, 0, 0, "retain_primary_context($self)",
          "The device's primary Context, shared with other libraries; not made "
          "current. CUDA: cuDevicePrimaryCtxRetain.")
{
    bd_state *state = bd_state_from(self);
    CUcontext handle;
    if (BD_CALL_UNLOCKED(state, cuDevicePrimaryCtxRetain, &handle, HANDLE(self)))
        return NULL;
    bd_context *context = bd_context_wrap(state, handle, BD_CTX_PRIMARY);
    if (!context)
        cu.cuDevicePrimaryCtxRelease(HANDLE(self));
    return (PyObject *)context;
}

static PyObject *device_getattro(PyObject *self, PyObject *name)
{
    return bd_enum_getattr(self, name, "device_attribute");
}

static PyObject *device_compare(PyObject *self, PyObject *other, int op)
{
    if (!PyObject_TypeCheck(other, bd_state_from(self)->type[BD_DEVICE]))
        Py_RETURN_NOTIMPLEMENTED;
    Py_RETURN_RICHCOMPARE(HANDLE(self), HANDLE(other), op);
}

static Py_hash_t device_hash(PyObject *self)
{
    return HANDLE(self) + 1000;
}

static PyMethodDef device_methods[] = {
    BD_ROW_CLASS("count", device_count),
    BD_ROW("name", device_name),
    BD_ROW("pci_bus_id", device_pci_bus_id),
    BD_ROW("compute_capability", device_compute_capability),
    BD_ROW("total_memory", device_total_memory),
    BD_ROW("get_attribute", device_get_attribute),
    BD_ROW("make_context", device_make_context),
    BD_ROW("retain_primary_context", device_retain_primary_context),
    BD_ROW("can_access_peer", device_can_access_peer),
    {NULL},
};

static PyObject *device_repr(PyObject *self)
{
    char name[256] = "";
    if (cu.cuDeviceGetName(name, sizeof name, HANDLE(self)))
        return bd_show(self, NULL, "%d", HANDLE(self));
    return bd_show(self, NULL, "%d: %s", HANDLE(self), name);
}

BD_CLASS(DEVICE, "Device", bd_handle, device_new_doc, .new = device_new,
         .methods = device_methods, .getattro = device_getattro,
         .compare = device_compare, .hash = device_hash, .repr = device_repr);

/* -- Before any device ---------------------------------------------------------- */

/* Device printf of the host device goes where print() goes, and in order with it. */
static void print_text(const char *text, size_t size, void *data)
{
    if (!Py_IsInitialized() || Py_IsFinalizing()) {
        fwrite(text, 1, size, stdout);
        return;
    }
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *type, *value, *trace, *done = NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *out = PySys_GetObject("stdout"); /* borrowed */
    PyObject *string = PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "replace");
    if (out && out != Py_None && string)
        done = PyObject_CallMethod(out, "write", "O", string);
    if (PyErr_Occurred())
        PyErr_WriteUnraisable(out);
    Py_XDECREF(done);
    Py_XDECREF(string);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(gil);
}

static int load(bd_state *state)
{
    char message[1024] = "";
    CUresult status = drv_load(cmp_host_library(), message, sizeof message);
    if (status == CUDA_SUCCESS)
        return 0;
    bd_raise_because(state, status, "init", "%s", message);
    return -1;
}

BD_METHOD(init, 0, 1, "init(flags=0)",
          "Chooses and loads a driver (environment variable PYCUDA_DRIVER: auto, cuda, "
          "host or a path) and initialises it. May be called again. CUDA: cuInit.")
{
    bd_state *state = bd_state_get(self);
    unsigned flags = 0;
    if (py_flags(in[0], "flags", &flags) || load(state) ||
        BD_CALL_UNLOCKED(state, cuInit, flags))
        return NULL;
    drv_note_init();
    cu.cuxSetPrintFunction(print_text, NULL); /* not there on a GPU */
    drv_set_callbacks(bd_give_up, bd_load_linear, state);
    bd_checks_changed(state);
    Py_RETURN_NONE;
}

BD_METHOD(get_driver_version, 0, 0, "get_driver_version()",
          "The driver's CUDA version, 13000 for 13.0; init() is not needed. CUDA: "
          "cuDriverGetVersion.")
{
    bd_state *state = bd_state_get(self);
    int version;
    if (load(state) || BD_CALL(state, cuDriverGetVersion, &version))
        return NULL;
    return PyLong_FromLong(version);
}

BD_METHOD(is_host_device, 0, 0, "_is_host_device()",
          "True if the loaded driver is the host device (CPU), False if it is a GPU's.")
{
    return load(bd_state_get(self)) ? NULL : PyBool_FromLong(drv_get_info()->is_host);
}

BD_RUN(start_profiler, 0, 0, cuProfilerStart, "start_profiler()", "Starts profiling.")
BD_RUN(stop_profiler, 0, 0, cuProfilerStop, "stop_profiler()", "Stops profiling.")
BD_RUN(initialize_profiler, 3, 3, cuProfilerInitialize,
       "initialize_profiler(config_file, output_file, output_mode)",
       "Not supported by drivers since CUDA 12: LogicError.",
       .passes = {ARG_TEXT, ARG_TEXT, ARG_UINT32})

BD_RUN(
    live_objects, 0, 1, cuxGetLiveObjects, "_live_objects(kind=None)",
    "How many driver objects live in this process: contexts, or another kind, or all; "
    "the host device tells, for leak tests.",
    .passes = {ARG_TEXT, OUT_SIZE})

BD_METHOD(callbacks, 0, 0, "_callbacks()",
          "How many callbacks of streams and graphs may still come, for tests.")
{
    return PyLong_FromLong(bd_state_get(self)->callbacks);
}

BD_METHOD(driver_path, 0, 0, "_driver_path()",
          "The library that implements the driver.")
{
    return load(bd_state_get(self)) ? NULL
                                    : PyUnicode_DecodeFSDefault(drv_get_info()->path);
}

/* What pycuda.profiler and pycuda.autoprimaryctx call. */
BD_METHOD(record_start, 0, 0, "_record_start()", "Records driver calls from here on.")
{
    if (load(bd_state_get(self)))
        return NULL;
    drv_record_start();
    Py_RETURN_NONE;
}

BD_METHOD(record_stop, 0, 0, "_record_stop()",
          "Waits for the work of all contexts; a list of (entry, begin, end, thread, "
          "status, kind of work, stream, started, ended, device, bytes, grid, block, "
          "kernel), times in nanoseconds.")
{
    static const char *const kinds[] = {[DRV_CALL] = "call",
                                        [DRV_KERNEL] = "kernel",
                                        [DRV_COPY] = "copy",
                                        [DRV_FILL] = "fill",
                                        [DRV_GRAPH] = "graph"};
    size_t count = 0;
    PyThreadState *released = PyEval_SaveThread();
    const drv_record *records = drv_record_stop(&count);
    PyEval_RestoreThread(released);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        const drv_record *r = &records[i];
        const unsigned *e = r->extents;
        PyObject *item = Py_BuildValue(
            "sKKissKKKin(III)(III)s", r->name, r->begin, r->end, r->thread,
            drv_result_name(r->result), kinds[r->work],
            (unsigned long long)(uintptr_t)r->stream, r->started, r->ended, r->device,
            (Py_ssize_t)r->bytes, e[0], e[1], e[2], e[3], e[4], e[5], r->kernel);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    drv_record_clear();
    return list;
}

BD_METHOD(serve, 1, 1, "_serve(context)",
          "Threads without a context get that one; None: they do not any more.")
{
    drv_serve(in[0] == Py_None ? NULL : bd_context_handle((bd_context *)in[0]));
    Py_RETURN_NONE;
}

/* Fault injection, for tests of failures of the driver. */
BD_METHOD(inject_failure, 3, 3, "_inject_failure(name, nth, result)",
          "The nth call from now of that entry point does not reach the driver and "
          "answers `result`; nth 0 takes that back.")
{
    const char *name = py_text(in[0]);
    unsigned nth = 0, result = 0;
    if (!name || py_flags(in[1], "nth", &nth) || py_flags(in[2], "result", &result) ||
        bd_check(bd_state_get(self), drv_inject(name, nth, result), name))
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef bd_device_methods[] = {
    BD_ROW("init", init),
    BD_ROW("get_driver_version", get_driver_version),
    BD_ROW("_is_host_device", is_host_device),
    BD_ROW("start_profiler", start_profiler),
    BD_ROW("stop_profiler", stop_profiler),
    BD_ROW("initialize_profiler", initialize_profiler),
    BD_ROW("_live_objects", live_objects),
    BD_ROW("_callbacks", callbacks),
    BD_ROW("_driver_path", driver_path),
    BD_ROW("_inject_failure", inject_failure),
    BD_ROW("_record_start", record_start),
    BD_ROW("_record_stop", record_stop),
    BD_ROW("_serve", serve),
    {NULL},
};
