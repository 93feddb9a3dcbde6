/* Places in a Python program. Frames are read without frame objects, which cost more to
   make and to free than all else here: CPython 3.11 by the record of a frame; 3.12 to
   3.14 by functions for that and by how the record begins, which they hide. Each
   version has its own name of the innermost frame; versions that nobody has looked at
   yet take the way of frame objects. */
#include "site.h"

#if PY_VERSION_HEX < 0x030c0000
#define Py_BUILD_CORE /* the record of a frame */
#include "internal/pycore_frame.h"
#undef Py_BUILD_CORE

py_site py_site_find(const PyObject *known,
                     int (*is_wanted)(void *data, PyObject *file), void *data)
{
    _PyInterpreterFrame *frame = PyThreadState_Get()->cframe->current_frame;
    for (; frame; frame = frame->previous)
        if (!_PyFrame_IsIncomplete(frame) &&
            (frame->f_code->co_filename == known ||
             is_wanted(data, frame->f_code->co_filename)))
            return (py_site){(PyCodeObject *)Py_NewRef((PyObject *)frame->f_code),
                             _PyInterpreterFrame_LASTI(frame) *
                                 (int)sizeof(_Py_CODEUNIT)};
    return (py_site){NULL, 0};
}

#elif PY_VERSION_HEX < 0x030f0000

/* How a _PyInterpreterFrame begins. */
struct frame {
    void *executable;
    struct frame *previous;
};

/* Its code, borrowed; NULL: it is an entry of the interpreter's. */
static PyCodeObject *code_of(struct frame *frame)
{
    PyObject *code =
        PyUnstable_InterpreterFrame_GetCode((struct _PyInterpreterFrame *)frame);
    Py_XDECREF(code); /* the frame has another reference */
    return code && PyCode_Check(code) ? (PyCodeObject *)code : NULL;
}

/* In 3.12 entries have code, too. */
static int is_entry(const PyCodeObject *code)
{
    return code->co_firstlineno == 1 &&
           PyUnicode_CompareWithASCIIString(code->co_filename, "<shim>") == 0;
}

py_site py_site_find(const PyObject *known,
                     int (*is_wanted)(void *data, PyObject *file), void *data)
{
#if PY_VERSION_HEX < 0x030d0000
    void *innermost = PyThreadState_Get()->cframe->current_frame;
#else
    void *innermost = PyThreadState_Get()->current_frame;
#endif
    for (struct frame *frame = innermost; frame; frame = frame->previous) {
        PyCodeObject *code = code_of(frame);
        if (code && (code->co_filename == known ||
                     (!is_entry(code) && is_wanted(data, code->co_filename))))
            return (py_site){(PyCodeObject *)Py_NewRef((PyObject *)code),
                             PyUnstable_InterpreterFrame_GetLasti(
                                 (struct _PyInterpreterFrame *)frame)};
    }
    return (py_site){NULL, 0};
}

#else

py_site py_site_find(const PyObject *known,
                     int (*is_wanted)(void *data, PyObject *file), void *data)
{
    py_site site = {NULL, 0};
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    while (frame && !site.code) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        PyFrameObject *outer = NULL;
        if (code->co_filename == known || is_wanted(data, code->co_filename))
            site = (py_site){code, PyFrame_GetLasti(frame)};
        else {
            outer = PyFrame_GetBack(frame);
            Py_DECREF(code);
        }
        Py_DECREF(frame);
        frame = outer;
    }
    return site;
}
#endif

PyObject *py_site_text(const py_site *site)
{
    if (!site->code)
        Py_RETURN_NONE;
    return PyUnicode_FromFormat("%U:%d", site->code->co_filename,
                                PyCode_Addr2Line(site->code, site->offset));
}
