/* Places in a Python program. Most often the innermost frame is the one that is wanted:
   its code object and instruction are read without a frame object, which costs three
   times as much as all else here to make and to free. CPython 3.12 has functions for
   that, and each version its own name of the innermost frame; frames further out, and
   versions that nobody has looked at yet, take the way of frame objects. */
#include "site.h"

#if PY_VERSION_HEX < 0x030c0000
#define Py_BUILD_CORE /* the record of a frame */
#include "internal/pycore_frame.h"
#undef Py_BUILD_CORE

static py_site innermost(void)
{
    _PyInterpreterFrame *frame = PyThreadState_Get()->cframe->current_frame;
    if (!frame)
        return (py_site){NULL, 0};
    Py_INCREF(frame->f_code);
    return (py_site){frame->f_code,
                     _PyInterpreterFrame_LASTI(frame) * (int)sizeof(_Py_CODEUNIT)};
}
#elif PY_VERSION_HEX < 0x030f0000
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

py_site py_site_find(int (*is_wanted)(void *data, PyObject *file), void *data)
{
    py_site site = innermost();
    if (site.code && is_wanted(data, site.code->co_filename))
        return site;
    Py_CLEAR(site.code);
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    while (frame && !site.code) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        PyFrameObject *outer = NULL;
        if (is_wanted(data, code->co_filename))
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

PyObject *py_site_text(const py_site *site)
{
    if (!site->code)
        Py_RETURN_NONE;
    return PyUnicode_FromFormat("%U:%d", site->code->co_filename,
                                PyCode_Addr2Line(site->code, site->offset));
}
