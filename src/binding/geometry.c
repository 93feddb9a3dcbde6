/* Geometry of launches: grids and blocks from Python, the one call by which a kernel is
   launched, with its rule for the GIL, and what was wrong with a launch that the driver
   refused. Functions of users and kernels made to measure come through here. */
#include "kernel.h"
#include <limits.h>

/* -- From Python ---------------------------------------------------------------- */

static int extent_item(PyObject *item, const char *what, unsigned *value)
{
    uint64_t result;
    if (py_unsigned(item, what, UINT_MAX, &result))
        return -1;
    *value = (unsigned)result;
    return 0;
}

/* Nearly always a tuple of small integers, whose items no Python code is run for. */
static int is_usual_extent(PyObject *object, unsigned extent[3])
{
    Py_ssize_t count = PyTuple_CheckExact(object) ? PyTuple_GET_SIZE(object) : 0;
    if (count < 1 || count > 3)
        return 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        long long value = py_small(PyTuple_GET_ITEM(object, i));
        if (value < 0 || value > UINT_MAX)
            return 0;
        extent[i] = (unsigned)value;
    }
    return 1;
}

int bd_extent(PyObject *object, const char *what, unsigned extent[3])
{
    extent[0] = extent[1] = extent[2] = 1;
    if (is_usual_extent(object, extent))
        return 0;
    extent[0] = extent[1] = extent[2] = 1;
    if (PyLong_Check(object))
        return extent_item(object, what, extent);
    PyObject *items = PySequence_Tuple(object);
    if (!items) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError))
            return -1;
        PyErr_Clear();
        if (PyIndex_Check(object))
            return extent_item(object, what, extent);
        PyErr_Format(PyExc_TypeError, "%s: expected a tuple of 1 to 3 integers, got %s",
                     what, Py_TYPE(object)->tp_name);
        return -1;
    }
    Py_ssize_t count = PyTuple_GET_SIZE(items);
    int result = 0;
    if (count < 1 || count > 3) {
        PyErr_Format(PyExc_ValueError, "%s: expected 1 to 3 dimensions, got %zd", what,
                     count);
        result = -1;
    }
    for (Py_ssize_t i = 0; i < count && result == 0; i++)
        result = extent_item(PyTuple_GET_ITEM(items, i), what, &extent[i]);
    Py_DECREF(items);
    return result;
}

/* -- The launch ----------------------------------------------------------------- */

/* The product of six extents is more than 64 bits hold. */
static int is_small(const unsigned *grid, const unsigned *block)
{
    enum { SMALL = 16384 }; /* threads: so few run in the caller, in microseconds */
    uint64_t blocks = (uint64_t)grid[0] * grid[1];
    uint64_t threads = (uint64_t)block[0] * block[1];
    return blocks <= SMALL && threads <= SMALL && (blocks *= grid[2]) <= SMALL &&
           (threads *= block[2]) <= SMALL && blocks * threads <= SMALL;
}

__attribute__((noinline)) static CUresult launch_with_attributes(CUfunction function,
                                                                 const bd_geometry *g,
                                                                 void **params,
                                                                 void **extra)
{
    const CUlaunchConfig config = {
        g->grid[0],  g->grid[1], g->grid[2], g->block[0],   g->block[1],
        g->block[2], g->shared,  g->stream,  g->attributes, g->nattributes};
    return cu.cuLaunchKernelEx(&config, function, params, extra);
}

CUresult bd_launch(bd_state *state, CUfunction function, const bd_geometry *g,
                   void **params, void **extra)
{
    int unlocked = state->callbacks || !is_small(g->grid, g->block);
    PyThreadState *released = unlocked ? PyEval_SaveThread() : NULL;
    CUresult status =
        g->nattributes ? launch_with_attributes(function, g, params, extra)
                       : cu.cuLaunchKernel(function, g->grid[0], g->grid[1], g->grid[2],
                                           g->block[0], g->block[1], g->block[2],
                                           g->shared, g->stream, params, extra);
    if (released)
        PyEval_RestoreThread(released);
    return status;
}

/* -- When it is refused --------------------------------------------------------- */

static int limit(CUdevice device, CUdevice_attribute attribute)
{
    int value = 0;
    return cu.cuDeviceGetAttribute(&value, attribute, device) ? INT_MAX : value;
}

static int function_limit(CUfunction function, CUfunction_attribute attribute)
{
    int value = 0;
    return cu.cuFuncGetAttribute(&value, attribute, function) ? 0 : value;
}

/* The limit that the geometry breaks, as a sentence; "" if it keeps all of them. */
static void find_fault(CUfunction function, CUdevice device, const bd_geometry *g,
                       char *text, size_t size)
{
    static const char *const axis[] = {"x", "y", "z"};
    double threads = (double)g->block[0] * g->block[1] * g->block[2];
    *text = 0;
    for (int i = 2; i >= 0; i--) {
        unsigned block = limit(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i);
        unsigned grid = limit(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i);
        if (g->grid[i] == 0 || g->grid[i] > grid)
            snprintf(text, size, "grid (%u, %u, %u): %s must be 1 to %u", g->grid[0],
                     g->grid[1], g->grid[2], axis[i], grid);
        if (g->block[i] == 0 || g->block[i] > block)
            snprintf(text, size, "block (%u, %u, %u): %s must be 1 to %u", g->block[0],
                     g->block[1], g->block[2], axis[i], block);
    }
    unsigned most = function_limit(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    if (!*text && most && threads > most)
        snprintf(text, size, "block (%u, %u, %u): %.0f threads, at most %u",
                 g->block[0], g->block[1], g->block[2], threads, most);
    int fixed = function_limit(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    int dynamic =
        function_limit(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    int room = limit(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    int most_shared = dynamic > 0 ? dynamic : fixed < room ? room - fixed : room;
    if (!*text && g->shared > (unsigned)most_shared)
        snprintf(text, size,
                 "shared=%u bytes besides %d static ones, at most %d (see "
                 "set_attribute(MAX_DYNAMIC_SHARED_SIZE_BYTES))",
                 g->shared, fixed, most_shared);
}

void bd_launch_refused(bd_function *self, CUresult status, const char *routine,
                       const bd_geometry *geometry)
{
    bd_context *context = self->base.context;
    char text[200] = "", detail[512];
    if (status != CUDA_ERROR_INVALID_VALUE &&
        status != CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) {
        bd_raise(context->state, status, routine);
        return;
    }
    bd_error_detail(detail, sizeof detail);
    find_fault(self->handle, context->device, geometry, text, sizeof text);
    if (*text)
        bd_raise_because(context->state, status, routine, "kernel '%s': %s", self->name,
                         text);
    else
        bd_raise_because(context->state, status, routine, "%s", detail);
}
