/* Where statuses become exceptions: the only such place. Class by status, text by the
   driver, and what the host device adds about the failure (which kernel, block,
   address). Destructors come here too: they cannot raise, so their failures go to
   sys.unraisablehook. */
#include <stdarg.h>
#include <string.h>
#include "context.h"
#include "python/exceptions.h"
#include "python/log.h"

static const py_exception classes[BD_ERROR_COUNT] = {
    [BD_ERROR] = {"pycuda.driver.Error",
                  "A failed driver call: .code is the CUresult, .name its name."},
    [BD_MEMORY_ERROR] = {"pycuda.driver.MemoryError", "Out of device memory."},
    [BD_LOGIC_ERROR] = {"pycuda.driver.LogicError",
                        "The driver refused what was asked, or a kernel faulted."},
    [BD_LAUNCH_ERROR] = {"pycuda.driver.LaunchError",
                         "A kernel could not be launched or did not finish."},
    [BD_RUNTIME_ERROR] = {"pycuda.driver.RuntimeError",
                          "The system lacks what the call needs, or it is not ready."},
};

static int class_of(CUresult status)
{
    switch (status) {
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING:
        return BD_LAUNCH_ERROR;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return BD_MEMORY_ERROR;
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_FILE_NOT_FOUND:
    case CUDA_ERROR_NOT_READY:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
        return BD_RUNTIME_ERROR;
    case CUDA_ERROR_UNKNOWN:
        return BD_ERROR;
    default:
        return BD_LOGIC_ERROR;
    }
}

int bd_errors_create(bd_state *state, PyObject *module)
{
    return py_exceptions_create(module, classes, BD_ERROR_COUNT, state->error);
}

static const char *text_of(CUresult status)
{
    const char *text = NULL;
    return cu.cuGetErrorString(status, &text) || !text ? drv_result_text(status) : text;
}

static const char *name_of(CUresult status)
{
    const char *name = NULL;
    return cu.cuGetErrorName(status, &name) || !name ? drv_result_name(status) : name;
}

/* What a user can do about a failure; of the one routine, or of any that the driver
   refused. */
#define MAKE_CURRENT                                                                \
    "`import pycuda.autoinit` makes one; a thread other than the one that made it " \
    "calls its push() first and Context.pop() at the end"
#define LOST \
    "the context and all memory in it are lost: a new context or process goes on"
static const struct {
    CUresult status;
    const char *routine, *cure;
} cures[] = {
    {CUDA_ERROR_NOT_INITIALIZED, NULL,
     "`import pycuda.autoinit` comes first, or pycuda.driver.init()"},
    {CUDA_ERROR_INVALID_CONTEXT, NULL, MAKE_CURRENT},
    {CUDA_ERROR_INVALID_CONTEXT, "explicit_context_dependent", MAKE_CURRENT},
    {CUDA_ERROR_INVALID_HANDLE, "cuEventElapsedTime",
     "record() comes first, for both events"},
    {CUDA_ERROR_NOT_READY, "cuEventElapsedTime",
     "synchronize() of the later event comes first"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, NULL, LOST},
    {CUDA_ERROR_MISALIGNED_ADDRESS, NULL, LOST},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, NULL, LOST},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, NULL, LOST},
    {CUDA_ERROR_INVALID_PC, NULL, LOST},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, NULL, LOST},
    {CUDA_ERROR_ASSERT, NULL, LOST},
    {CUDA_ERROR_LAUNCH_FAILED, NULL, LOST},
};

static const char *cure_of(CUresult status, const char *routine, int refused)
{
    for (size_t i = 0; i < sizeof cures / sizeof *cures; i++)
        if (cures[i].status == status &&
            (cures[i].routine ? !strcmp(cures[i].routine, routine) : refused))
            return cures[i].cure;
    return "";
}

/* " - what was wrong; what to do", as far as there is either. */
static PyObject *message_of(CUresult status, const char *routine, const char *extra,
                            int refused)
{
    const char *cure = drv_get_info()->forked ? "" : cure_of(status, routine, refused);
    size_t length = strlen(extra);
    const char *between = !*cure                     ? ""
                          : !length                  ? " - "
                          : extra[length - 1] == '?' ? " "
                                                     : "; ";
    return PyUnicode_FromFormat("%s failed: %s%s%s%s%s", routine, text_of(status),
                                length ? " - " : "", extra, between, cure);
}

static void *raise_text(bd_state *state, CUresult status, const char *routine,
                        const char *extra, int refused)
{
    state->note_failure(state, status);
    if (status == CUDA_ERROR_OUT_OF_MEMORY)
        py_log("info", "out of memory in %s: %s", routine, extra);
    if (drv_get_info()->forked) {
        status = CUDA_ERROR_NOT_INITIALIZED;
        extra = "this process was forked after CUDA was initialised, and the driver "
                "works in its parent alone; start processes by spawn: "
                "multiprocessing.set_start_method('spawn')";
    }
    PyObject *class = state->error[class_of(status)];
    PyObject *message = message_of(status, routine, extra, refused);
    /* No class: the module is being torn down. */
    py_raise_coded(class ? class : PyExc_RuntimeError, message, status,
                   name_of(status));
    return NULL;
}

/* -- Signals during a wait ------------------------------------------------------ */

/* How long pending work may go on at exit; it may never end. */
#define EXIT_NANOSECONDS 2000000000

static py_interruption interruption_of(bd_state *state)
{
    return (py_interruption){&state->interruption, &state->interrupted};
}

/* In the main thread, unless a call has raised it. */
static int interrupt_later(void *module)
{
    int raised = py_interruption_raise(interruption_of(bd_state_get(module)));
    Py_DECREF(module);
    return raised;
}

/* Whether no other thread runs Python, in any interpreter. */
static int is_only_thread(void)
{
    unsigned threads = 0;

    for (PyInterpreterState *i = PyInterpreterState_Head(); i;
         i = PyInterpreterState_Next(i)) {
        for (PyThreadState *t = PyInterpreterState_ThreadHead(i); t;
             t = PyThreadState_Next(t))
            threads++;
    }
    return threads == 1;
}

void bd_raise_behind(bd_state *state, char *text, size_t size)
{
    py_interruption_keep(interruption_of(state));
    PyObject *words = PyObject_Str(state->interruption);
    const char *utf8 = words ? PyUnicode_AsUTF8(words) : NULL;
    snprintf(text, size, "%s", utf8 ? utf8 : "");
    PyErr_Clear();
    Py_XDECREF(words);
    bd_call_later(state, interrupt_later);
}

int bd_give_up(unsigned long long waited, void *data)
{
    bd_state *state = data;
    if (!Py_IsInitialized() || Py_IsFinalizing())
        return waited >= EXIT_NANOSECONDS;
    PyGILState_STATE gil = PyGILState_Ensure();
    int interrupted = py_interruption_poll(interruption_of(state));
    if (interrupted == 1)
        bd_call_later(state, interrupt_later);
    int alone = is_only_thread();
    PyGILState_Release(gil);
    return interrupted != 0 ? 1 : alone ? -1 : 0;
}

/* -- Findings of check mode ----------------------------------------------------- */

/* A check has found something, and the context goes on, as it does after no other
   failure of that status. */
static int is_finding(CUresult status)
{
    unsigned flags;
    cuxCheckReport report;
    return status == CUDA_ERROR_LAUNCH_FAILED && drv_get_info()->is_host &&
           cu.cuxGetCheckReport(0, &report) == CUDA_SUCCESS &&
           cu.cuCtxGetFlags(&flags) == CUDA_SUCCESS;
}

/* CheckError with what has been reported since the last one. 0: Python is at its end.
 */
static int raise_finding(const char *detail)
{
    PyObject *module = PyImport_ImportModule("pycuda._checks");
    PyObject *error =
        module ? PyObject_CallMethod(module, "finding", "s", detail) : NULL;
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    else
        PyErr_Clear();
    Py_XDECREF(module);
    Py_XDECREF(error);
    return error != NULL;
}

void bd_error_detail(char *text, size_t size)
{
    const char *detail = NULL;
    if (cu.cuxGetErrorDetail(&detail))
        detail = NULL;
    snprintf(text, size, "%s", detail ? detail : "");
}

void *bd_raise(bd_state *state, CUresult status, const char *routine)
{
    if (status == CUDA_ERROR_NOT_READY &&
        py_interruption_raise_here(interruption_of(state)))
        return NULL;
    char copy[512];
    bd_error_detail(copy, sizeof copy);
    if (is_finding(status) && raise_finding(copy))
        return NULL;
    return raise_text(state, status, routine, copy, 1);
}

void *bd_raise_because(bd_state *state, CUresult status, const char *routine,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    PyObject *extra = PyUnicode_FromFormatV(format, arguments);
    va_end(arguments);
    const char *text = extra ? PyUnicode_AsUTF8(extra) : NULL;
    if (text)
        raise_text(state, status, routine, text, 0);
    Py_XDECREF(extra);
    return NULL;
}

/* A context that was destroyed by others took its resources along: nothing is lost,
   nothing is said; nor in a forked child, which owns nothing. One that met a fault said
   so when it happened. Where the user would
   wait for its work no longer, that is the exception. */
void bd_report(PyObject *self, CUresult status, const char *routine)
{
    py_object *object = (py_object *)self;
    bd_context *context = object->context ? object->context : (bd_context *)self;
    PyObject *type, *value, *traceback;
    if (drv_get_info()->forked || status == CUDA_ERROR_DEINITIALIZED ||
        status == CUDA_ERROR_INVALID_CONTEXT ||
        status == CUDA_ERROR_CONTEXT_IS_DESTROYED || status == CUDA_ERROR_NOT_READY ||
        context->failed)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    bd_raise(context->state, status, routine);
    PyErr_WriteUnraisable(self);
    PyErr_Restore(type, value, traceback);
}
