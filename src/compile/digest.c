/* The digest of what the cache keeps and goes by: BLAKE2b of 128 bits, Python's. Its
   module is asked before hashlib, which loads OpenSSL and so takes longer than all the
   rest of a hit. */
#include "compile_job.h"

int cmp_digest(const char *bytes, size_t size, cmp_key key)
{
    PyObject *module = PyImport_ImportModule("_blake2"), *function = NULL, *view = NULL;
    PyObject *options = NULL, *hash = NULL, *hex = NULL;
    if (!module) {
        PyErr_Clear();
        module = PyImport_ImportModule("hashlib");
    }
    if (module && (function = PyObject_GetAttrString(module, "blake2b")) &&
        (options = Py_BuildValue("{s:i}", "digest_size", (int)sizeof(cmp_key) / 2)) &&
        (view = PyMemoryView_FromMemory((char *)bytes, size, PyBUF_READ)) &&
        (hash = PyObject_VectorcallDict(function, &view, 1, options)) &&
        (hex = PyObject_CallMethod(hash, "hexdigest", NULL)))
        snprintf(key, sizeof(cmp_key), "%s", PyUnicode_AsUTF8(hex));
    Py_XDECREF(module);
    Py_XDECREF(function);
    Py_XDECREF(options);
    Py_XDECREF(view);
    Py_XDECREF(hash);
    Py_XDECREF(hex);
    return hex ? 0 : -1;
}
