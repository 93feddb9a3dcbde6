/* Places in a Python program. Frames are read without frame objects, which cost more to
   make and to free than all else here: CPython 3.11 by the record of a frame, later
   versions, which have functions for that and hide the record, in the innermost frame,
   which is most often the one that is wanted. Each version has its own name of the
   innermost frame; versions that nobody has looked at yet, and frames further out, take
   the way of frame objects. */
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

#else
#if PY_VERSION_HEX < 0x030f0000
static py_site innermost(void)
{
#if PY_VERSION_HEX < 0x030d0000
    struct _PyInterpreterFrame *frame = PyThreadState_Get()->cframe->current_frame;
#else
    struct _PyInterpreterFrame *frame = PyThreadState_Get()->current_frame;
#endif
    PyObject *code = frame ? PyUnstable_InterpreterFrame_GetCode(frame) : NULL;
    if (code && !PyCode_Check(code)) /* an entry of the interpreter's */
        Py_CLEAR(code);
    return (py_site){(PyCodeObject *)code,
                     code ? PyUnstable_InterpreterFrame_GetLasti(frame) : 0};
}
#else
static py_site innermost(void)
{
    return (py_site){NULL, 0};
}
#endif

py_site py_site_find(const PyObject *known,
                     int (*is_wanted)(void *data, PyObject *file), void *data)
{
    py_site site = innermost();
    if (site.code &&
        (site.code->co_filename == known || is_wanted(data, site.code->co_filename)))
        return site;
    Py_CLEAR(site.code);
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
