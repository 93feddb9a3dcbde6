/* Arguments of methods: names are read from the signature that also documents the
   method, so that a signature is written once. */
#include "signature.h"
#include <string.h>

/* The next name in "f($self, a, b=0, *, c)" from *at on, which begins at the bracket;
   NULL: there are no more. */
static const char *next_name(const char **at, size_t *length)
{
    while (*at && **at != ')') {
        const char *p = *at + 1 + ((*at)[1] == ' ');
        *length = strcspn(p, "=,)");
        *at = p + strcspn(p, ",)");
        if (*length && !strchr("$*/", *p))
            return p;
    }
    return NULL;
}

/* The position of a name, or -1. */
static int position(const char *signature, const char *name, size_t length)
{
    const char *at = strchr(signature, '('), *one;
    size_t n;
    for (int i = 0; (one = next_name(&at, &n)); i++)
        if (n == length && memcmp(one, name, n) == 0)
            return i;
    return -1;
}

void py_argument_name(const char *signature, int at, char *name, size_t room)
{
    const char *from = strchr(signature, '('), *one = NULL;
    size_t n = 0;
    for (int i = 0; i <= at; i++)
        one = next_name(&from, &n);
    snprintf(name, room, "%.*s", one ? (int)n : 0, one ? one : "");
}

static int fail(const char *signature, const char *format, PyObject *name)
{
    int length = (int)strcspn(signature, "\n");
    PyObject *reason = PyUnicode_FromFormat(format, name);
    char shown[256];
    snprintf(shown, sizeof shown, "%.*s", length, signature);
    char *self = strchr(shown, '$');
    if (self) { /* "$self" or "$type": a method is shown as its caller writes it */
        char *rest = self + 5 + (self[5] == ',' ? 2 : 0);
        memmove(self, rest, strlen(rest) + 1);
    }
    if (reason)
        PyErr_Format(PyExc_TypeError, "%s: %U", shown, reason);
    Py_XDECREF(reason);
    return -1;
}

static int keyword(const char *signature, int total, PyObject *name, PyObject *value,
                   PyObject **in)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text)
        return -1;
    int i = position(signature, text, length);
    if (i < 0 || i >= total)
        return fail(signature, "there is no argument '%U'", name);
    if (in[i])
        return fail(signature, "argument '%U' is given twice", name);
    in[i] = value;
    return 0;
}

static int check_required(const char *signature, int required, PyObject **in)
{
    for (int i = 0; i < required; i++)
        if (!in[i]) {
            PyObject *number = PyLong_FromLong(i + 1);
            if (number)
                fail(signature, "argument %S is missing", number);
            Py_XDECREF(number);
            return -1;
        }
    return 0;
}

int py_unknown_keywords(PyObject *names, const char *const *known, int count,
                        PyObject *error, const char *format)
{
    PyObject *unknown = NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        if (py_keyword(name, known, count) < count)
            continue;
        if (unknown)
            Py_SETREF(unknown, PyUnicode_FromFormat("%U,%U", unknown, name));
        else
            unknown = Py_NewRef(name);
        if (!unknown)
            return -1;
    }
    PyErr_Format(error, format, unknown);
    Py_XDECREF(unknown);
    return -1;
}

int py_parse_any(const char *signature, int required, int total, PyObject *const *args,
                 Py_ssize_t nargs, PyObject *names, PyObject **in)
{
    if (nargs > total)
        return fail(signature, "too many arguments", NULL);
    for (Py_ssize_t i = 0; i < nargs; i++)
        in[i] = args[i];
    if (!names && nargs >= required)
        return 0;
    Py_ssize_t count = names ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (keyword(signature, total, PyTuple_GET_ITEM(names, i), args[nargs + i], in))
            return -1;
    return check_required(signature, required, in);
}

int py_parse_tuple(const char *signature, int required, int total, PyObject *args,
                   PyObject *kwargs, PyObject **in)
{
    Py_ssize_t count = PyTuple_GET_SIZE(args), at = 0;
    PyObject *name, *value;
    if (count > total)
        return fail(signature, "too many arguments", NULL);
    for (Py_ssize_t i = 0; i < count; i++)
        in[i] = PyTuple_GET_ITEM(args, i);
    while (kwargs && PyDict_Next(kwargs, &at, &name, &value))
        if (keyword(signature, total, name, value, in))
            return -1;
    return check_required(signature, required, in);
}
