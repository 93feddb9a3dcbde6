/* The door of this room: `pycuda.driver` for arrays, kernels and the compiler, from C
   and without Python objects on the way. Every function runs under the GIL; one that
   returns -1 or NULL has set a Python exception. The module's state is one struct,
   reached from the module, from a type or from a context; there are no other globals.
   `object.h` beside this file has what writing a type needs. */
#ifndef PYCUDA_BINDING_NATIVE_H
#define PYCUDA_BINDING_NATIVE_H

#include <stdint.h>
#include "driver/driver.h"
#include "python/class.h"

/* Every C type of the room, in the order of creation: bases come first. T(id, base id
 * or NONE) */
#define BD_TYPES(T)                                \
    T(DEVICE, NONE)                                \
    T(CONTEXT, NONE)                               \
    T(STREAM, NONE)                                \
    T(EVENT, NONE)                                 \
    T(DEVICE_ALLOCATION, NONE)                     \
    T(MANAGED_ALLOCATION, DEVICE_ALLOCATION)       \
    T(POOLED_DEVICE_ALLOCATION, DEVICE_ALLOCATION) \
    T(IPC_MEMORY_HANDLE, NONE)                     \
    T(HOST_POINTER, NONE)                          \
    T(PAGELOCKED_ALLOCATION, HOST_POINTER)         \
    T(ALIGNED_ALLOCATION, HOST_POINTER)            \
    T(REGISTERED_MEMORY, HOST_POINTER)             \
    T(POOLED_HOST_ALLOCATION, HOST_POINTER)        \
    T(DEVICE_POOL, NONE)                           \
    T(PAGELOCKED_ALLOCATOR, NONE)                  \
    T(HOST_POOL, NONE)                             \
    T(MODULE, NONE)                                \
    T(FUNCTION, NONE)                              \
    T(GRAPH, NONE)                                 \
    T(GRAPH_NODE, NONE)                            \
    T(GRAPH_EXEC, NONE)                            \
    T(MEMORY_POOL, NONE)                           \
    T(STREAM_ALLOCATION, DEVICE_ALLOCATION)        \
    T(LINKER, NONE)                                \
    T(ARGUMENT_HANDLER, NONE)                      \
    T(IN, ARGUMENT_HANDLER)                        \
    T(OUT, ARGUMENT_HANDLER)                       \
    T(IN_OUT, IN)                                  \
    T(ARRAY, NONE)                                 \
    T(ARRAY_DESCRIPTOR, NONE)                      \
    T(ARRAY_DESCRIPTOR_3D, NONE)                   \
    T(RESOURCE_DESCRIPTOR, NONE)                   \
    T(TEXTURE_DESCRIPTOR, NONE)                    \
    T(TEXTURE_OBJECT, NONE)                        \
    T(SURFACE_OBJECT, NONE)                        \
    T(TEXTURE_REFERENCE, NONE)                     \
    T(SURFACE_REFERENCE, NONE)                     \
    T(REGISTERED_OBJECT, NONE)                     \
    T(REGISTERED_BUFFER, REGISTERED_OBJECT)        \
    T(REGISTERED_IMAGE, REGISTERED_OBJECT)         \
    T(REGISTERED_MAPPING, NONE)                    \
    T(MEMCPY_2D, NONE)                             \
    T(MEMCPY_3D, NONE)                             \
    T(MEMCPY_3D_PEER, NONE)

enum {
#define T(id, base) BD_##id,
    BD_TYPES(T)
#undef T
        BD_TYPE_COUNT
};

/* pycuda.driver's exception classes; raise.c says which status becomes which. */
enum {
    BD_ERROR,
    BD_MEMORY_ERROR,
    BD_LOGIC_ERROR,
    BD_LAUNCH_ERROR,
    BD_RUNTIME_ERROR,
    BD_ERROR_COUNT
};

enum { BD_ARRAY_OBJECTS = 4 };
typedef struct bd_context bd_context;
typedef struct bd_pool bd_pool;
/* Frees the table of kernels of a context that ends. alive: the context is current and
   goes on for others, so that what was loaded into it has to be unloaded. */
typedef void bd_kernels_release(void *table, int alive);

/* What an array holds, for those who check it against a kernel's parameter. */
typedef struct {
    PyObject *dtype; /* borrowed */
    char kind;       /* NumPy's letter */
    int has_gaps; /* between its elements, so that an address alone says too little */
    size_t size;  /* of an element, in bytes */
} bd_elements;

typedef struct bd_state bd_state;
struct bd_state {
    union {
        struct {
            PyObject *error[BD_ERROR_COUNT];
            PyObject *enums;   /* dict: Python name -> enumeration class; see enums.c */
            PyObject *collect; /* gc.collect */
            PyObject *interruption; /* raised by a signal handler during a wait */
            PyObject *called;  /* list: references of callbacks of streams, until the
                                  main thread drops it */
            PyObject *package; /* str: its folder; NULL until somebody asks */
            PyObject *outside, *inside; /* str: a file that is not in it, and one that
                                           is, each the last that was met */
            /* Of a capture of array code: see bd_stream_usual. */
            PyObject *captured, *capture_allocator;
            PyObject *array[BD_ARRAY_OBJECTS]; /* its room's ar_objects */
        };
        /* All of them; each may be NULL. */
        PyObject *objects[BD_ERROR_COUNT + 9 + BD_ARRAY_OBJECTS];
    };
    PyTypeObject *type[BD_TYPE_COUNT];
    PyObject *module;         /* borrowed: whose state this is */
    PyTypeObject *array_type; /* GPUArray: set by its room, see bd_array_register */
    void (*describe_array)(PyObject *array, bd_elements *); /* by that room, too */
    unsigned long capturer;    /* the thread whose array code is captured; 0: none */
    unsigned long interrupted; /* the thread that waited when there was that */
    int callbacks;        /* on their way: they need the GIL, so calls let go of it */
    void *promotions;     /* owned: PyMem_Malloc'ed by the arrays' room */
    struct ar_lazy *lazy; /* owned, by the arrays' room: see src/array/pending.h */
    struct kn_chain_forms *chains; /* owned, by the kernels' room */
    uint32_t programs; /* numbers given to users' kernels and chains so far */
    /* Set by upper rooms and files, for what they keep in lower ones. */
    bd_kernels_release *release_kernels;
    void *libraries; /* owned by the libraries' room: what it has loaded */
    /* As release_kernels, of the handles that libraries have in the context. */
    void (*release_libraries)(bd_state *state, void *handles, int alive);
    int (*write_pending)(bd_state *state); /* -1: exception; NULL: nothing is pending */
    void (*release_pool)(bd_pool *pool, int entered);
    void (*note_failure)(bd_state *state, CUresult status);
    void (*note_checks)(bd_state *state); /* other kinds of checks are on */
    struct bd_live *live;   /* borrowed: the memory that is alive; see live.h */
    struct bd_freed *freed; /* owned: a ring of it; NULL: nothing was kept yet */
    unsigned frees;         /* kept so far */
    int keeps_freed;      /* since memory is checked: blocks of pools are exact, too */
    bd_context *contexts; /* borrowed: every living Context, which unlinks itself */
};
_Static_assert(offsetof(bd_state, type) == sizeof((bd_state *)0)->objects,
               "all objects are counted");

/* -- Check mode ----------------------------------------------------------------- */

unsigned bd_checks(void); /* the kinds that are on: cuxCheckKind, 0 on a GPU */
void bd_checks_changed(bd_state *state); /* after others were turned on or off */
enum { BD_CHECK_WORDS = 32 };
/* Those that a compiler hears of, "memory,race" or "". */
void bd_check_words(unsigned kinds, char words[BD_CHECK_WORDS]);

/* -- State ---------------------------------------------------------------------- */

bd_state *bd_state_get(PyObject *module); /* pycuda._native */
bd_state *bd_state_of(
    PyTypeObject *type); /* any type of it, or a Python subclass of one */

extern PyModuleDef bd_definition; /* of the module; its slots are the room's above */
int bd_numpy_import(void);
/* Python's collector, whatever it may raise. */
void bd_collect_garbage(bd_state *state);
int bd_errors_create(bd_state *state, PyObject *module);

/* Has the main thread call `call` soon, which takes a reference to the module. -1:
   there is no room for it now. */
static inline int bd_call_later(bd_state *state, int (*call)(void *module))
{
    if (Py_AddPendingCall(call, Py_NewRef(state->module)) == 0)
        return 0;
    Py_DECREF(state->module);
    return -1;
}

/* -- Errors --------------------------------------------------------------------- */

/* Raises the class that the status calls for, "<routine> failed: <text>[ - <what the
   driver adds>]", with .code and .name. Returns NULL. */
void *bd_raise(bd_state *state, CUresult status, const char *routine);
/* What the driver adds about the call that failed last, which any further call makes
   it forget; "" if nothing. */
void bd_error_detail(char *text, size_t size);
/* The same with the addition given here (printf's and PyUnicode_FromFormat's formats).
 */
void *bd_raise_because(bd_state *state, CUresult status, const char *routine,
                       const char *format, ...);
/* Keeps the exception that is set, of Python code that the driver ran in the middle of
   a call: it is raised when the call fails with NOT_READY. text: what it says. */
void bd_raise_behind(bd_state *state, char *text, size_t size);
/* -1 and an exception if the status is a failure. */
static inline int bd_check(bd_state *state, CUresult status, const char *routine)
{
    if (status == CUDA_SUCCESS)
        return 0;
    bd_raise(state, status, routine);
    return -1;
}
/* The status of a driver call made without the GIL, for calls that may wait for the
   device. */
#define BD_UNLOCKED(call)                               \
    ({                                                  \
        PyThreadState *released_ = PyEval_SaveThread(); \
        CUresult unlocked_ = (call);                    \
        PyEval_RestoreThread(released_);                \
        unlocked_;                                      \
    })
#define BD_CALL_UNLOCKED(state, name, ...) \
    bd_check(state, BD_UNLOCKED(cu.name(__VA_ARGS__)), #name)
/* Of one that does not wait for the device: while callbacks are on their way it is made
   without the GIL, too, for a driver may let no call in until a callback, which needs
   the GIL, has returned. So Python code of other threads may run here. */
#define BD_BRIEFLY(state, call) ((state)->callbacks ? BD_UNLOCKED(call) : (call))
/* BD_CALL(state, cuEventCreate, &event, flags): one such call, checked. */
#define BD_CALL(state, name, ...) \
    bd_check(state, BD_BRIEFLY(state, cu.name(__VA_ARGS__)), #name)

/* -- Launches (geometry.c) ------------------------------------------------------ */

typedef struct {
    unsigned grid[3], block[3], shared; /* shared: bytes of dynamic shared memory */
    CUstream stream;
    unsigned nattributes;
    CUlaunchAttribute *attributes; /* borrowed */
} bd_geometry;

/* Has the code of a layout (cuxFuncGetObject) of a kernel compiled, if its module came
   without. -1: an exception. */
int bd_function_load(bd_state *state, CUfunction handle, const char *name,
                     unsigned layout);
/* The same of the linear layout, for the host device (cuxSetLoadFunction). data: the
   bd_state. */
CUresult bd_load_linear(CUfunction handle, char *text, size_t size, void *data);

/* The one way to launch a kernel: params or extra as in cuLaunchKernel. The GIL is kept
   for a small launch, since letting go costs more than that may take. It is let go for
   others, which may run long in the caller or wait for room in a queue, and while
   callbacks are on their way, which need it. */
CUresult bd_launch(bd_state *state, CUfunction function, const bd_geometry *geometry,
                   void **params, void **extra);

/* -- Contexts ------------------------------------------------------------------- */

/* The Context that is current in this thread, whoever made it current; borrowed:
   outlived by the driver's context stack or its owner; retain it to keep it. NULL: none
   is, LogicError. */
bd_context *bd_context_current(bd_state *state);
bd_state *bd_context_state(bd_context *context);
CUcontext bd_context_handle(bd_context *context);
int bd_context_device(bd_context *context); /* ordinal */
/* -1 and RuntimeError if the context was destroyed. */
int bd_context_check(bd_context *context);
/* The same, as a new reference: for callers that release the GIL or run Python code
   before they are done with it. */
bd_context *bd_context_hold(bd_state *state);
/* The living contexts, one after the other; NULL: the first, or no more. */
bd_context *bd_context_each(bd_state *state, bd_context *after);
/* Where the kernels' room keeps its table, NULL at first; state->release_kernels frees
   it. */
void **bd_context_kernels(bd_context *context);
/* Where the libraries' room keeps its handles; state->release_libraries ends them. */
void **bd_context_libraries(bd_context *context);
/* Makes the context current for as long as it takes, in any thread: 1 if it has to be
   left again, 0 if it was current already, -1 if it cannot be entered (no exception is
   set). */
int bd_context_enter(bd_context *context);
void bd_context_leave(bd_context *context, int entered);

/* -- Memory --------------------------------------------------------------------- */

/* Device memory as a Python object that owns it, and its address. `allocator`: a
   callable(nbytes), or NULL for the own pool of a context that the caller holds, NULL
   for the current one (a PooledDeviceAllocation: no driver call when a block is held).
   0 bytes are allowed with the pool. */
PyObject *bd_allocate(bd_state *state, bd_context *context, PyObject *allocator,
                      size_t bytes, CUdeviceptr *pointer);

/* After an out of memory: collects garbage and frees what the context's own pool holds.
 */
void bd_memory_reclaim(bd_state *state, bd_context *context);

/* Tells for which array memory was allocated, if its owner is of a class of ours. */
void bd_memory_note_array(PyObject *owner, PyObject *dtype, int ndim,
                          const Py_ssize_t *shape);

/* The address behind anything that stands for device memory: int, NumPy integer, the
   allocations, PointerHolderBase, GPUArray, objects with `gpudata` or
   `__cuda_array_interface__`. Raises for freed allocations and anything else. */
int bd_pointer(bd_state *state, PyObject *object, CUdeviceptr *pointer);
/* Whether the object's memory is kept by `on`, or is `on` itself. */
int bd_pointer_depends(bd_state *state, PyObject *object, PyObject *on);

/* Writes all pending results; bd_pointer does so first, and whatever makes the device
   use memory that was named before. See src/array/lazy.c. */
static inline int bd_write_pending(bd_state *state)
{
    return state->write_pending ? state->write_pending(state) : 0;
}

/* Notes that others, as the host by a view, reach the memory of an object, an array
 * too.
 */
void bd_memory_share(bd_state *state, PyObject *memory);
/* Whether only calls of this module read and write it. */
int bd_memory_is_private(bd_state *state, PyObject *memory);

/* Tells how GPUArray lies in memory, so that kernels take it without Python calls: an
   instance starts with bd_device_pointer (object.h). */
void bd_array_register(bd_state *state, PyTypeObject *type,
                       void (*describe)(PyObject *array, bd_elements *));

/* A kernel that writes all of new memory, so many bytes of it, in the null stream of
   the current context may write them to page-locked memory, too: their echo, at the
   address that is the result; 0: it cannot, or nobody read the last ones. Reading the
   echo waits for the null stream. 1: the bytes were read, 0: there is none, or it may
   be out of date, so copy; -1. It ends when somebody is told the address of the memory.
 */
CUdeviceptr bd_echo_begin(bd_state *state, bd_context *context, PyObject *memory,
                          size_t bytes);
int bd_echo_read(bd_state *state, PyObject *memory, void *to, size_t bytes);
void bd_echo_end(bd_state *state, PyObject *memory);

/* Page-locked memory with two numbers, 0, that a kernel in the null stream of the
   current context may set, for one call at a time; NULL: there is none. bd_flags_read
   waits for the stream and gives it back; the first one is 1 if it went with its
   context. bd_flags_return: no kernel was launched. */
typedef struct bd_staging bd_staging;
bd_staging *bd_flags_lend(bd_state *state, CUdeviceptr *place);
int bd_flags_read(bd_state *state, bd_staging *flags, int value[2]);
void bd_flags_return(bd_staging *flags);

/* A Stream, None or NULL (the null stream), or an object with `__cuda_stream__`. */
int bd_stream(bd_state *state, PyObject *object, CUstream *stream);
/* Where work goes that no stream was named for: to the null stream, or in a thread
   whose array code is captured to the Stream `captured`. What arrays allocate there
   comes from `capture_allocator`, since the graph uses it again with each launch. */
CUstream bd_stream_captured(bd_state *state);
static inline CUstream bd_stream_usual(bd_state *state)
{
    return state->capturer ? bd_stream_captured(state) : NULL;
}

/* -1: a copy to or from host memory is not possible while array code is captured. */
int bd_copy_check(bd_state *state, int async, CUstream stream);
/* Copies, without the GIL. `async` 0: complete on return; 1: enqueued in `stream`. */
int bd_copy_to_device(bd_state *state, CUdeviceptr to, const void *from, size_t bytes,
                      int async, CUstream stream);
int bd_copy_from_device(bd_state *state, void *to, CUdeviceptr from, size_t bytes,
                        int async, CUstream stream);
int bd_copy_on_device(bd_state *state, CUdeviceptr to, CUdeviceptr from, size_t bytes,
                      int async, CUstream stream);

#endif
