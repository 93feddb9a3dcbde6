/* The door of the room: source text in, image out, for the device that the loaded
   driver drives. See README.md. */
#ifndef PYCUDA_COMPILE_H
#define PYCUDA_COMPILE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>

/* Bytes that grow; a NUL always stands behind them. A list of words is a text in which
   each word ends with its NUL. When memory runs out `failed` stays set and the rest as
   it was. */
typedef struct {
    char *bytes; /* owned; NULL while empty */
    size_t size, room;
    int failed;
} cmp_text;

void cmp_put(cmp_text *, const char *format, ...) /* appends a word */
    __attribute__((format(printf, 2, 3)));
void cmp_put_bytes(cmp_text *, const void *bytes, size_t size);
void cmp_text_clear(cmp_text *);

typedef struct {
    const char *source;
    const char *object; /* in place of a source, for the host device, what a lazy image
                           carries; NULL */
    size_t object_bytes;
    const char *kernel; /* of that, the one that is compiled: its linkage name */
    const char *layout; /* in which: "rows", "linear" */
    const char *target; /* "cubin": what the driver loads, on the host device a host
                           image; "ptx", "fatbin"; "preprocess": text */
    const char *arch, *code; /* as nvcc's -arch and -code; NULL: the current device's */
    const char *compiler;    /* NULL or "nvcc": the best there is; "hostcc" or "nvrtc":
                                that    one; else the path of an nvcc */
    const char *cache_dir;   /* NULL: the default; "": no cache */
    cmp_text options;        /* words, as nvcc takes them */
    cmp_text include_dirs;   /* words */
    const char *checks;      /* what hostcc is to check, "memory,race"; NULL: nothing */
    int no_extern_c;         /* leave the source unwrapped */
    int keep; /* compile even if cached, and leave the files in outcome.folder */
} cmp_request;

typedef struct {
    cmp_text image; /* empty: there is none, and message says why */
    cmp_text message;
    cmp_text command;        /* words: the compiler and its arguments */
    cmp_text output, errors; /* what it wrote; with an image, errors are its warnings */
    char folder[PATH_MAX];   /* where files were kept, or "" */
} cmp_outcome;

/* 0: the outcome holds an image, or a message and what the compiler wrote. -1: a Python
   exception is set (no memory, interrupted). Called with the GIL, which is released
   while a compiler runs. Clear the outcome in either case; the request stays the
   caller's. */
int cmp_compile(const cmp_request *request, cmp_outcome *outcome);
/* Says where files were kept; -1 with a CompileError set, too, if there is no image. */
int cmp_compile_or_raise(const cmp_request *request, cmp_outcome *outcome);
void cmp_outcome_clear(cmp_outcome *outcome);

/* The declarations of kernels, ".entry name(.param .f32 a, ...)", that a PTX has or a
   cubin of ours carries behind its end: appended to `entries`. The size of the image
   without them. */
size_t cmp_entries_find(const void *image, size_t size, cmp_text *entries);
void cmp_entries_read(const char *path, cmp_text *entries); /* those of a file */

/* Words from a sequence of str or paths, or None (a converter: 1, or 0 and an
   exception). */
int cmp_words_from(PyObject *object, void *words);

const char *cmp_host_library(void); /* the host device's driver; need not exist */

/* For PyModule_AddFunctions. */
extern PyMethodDef cmp_functions[];

/* The path of a library of NVIDIA's by the name of its file, "libcublas.so.13": in a
   wheel, a toolkit or where the loader looks; or in that folder. 0: it is not there. */
int cmp_library_find(const char *name, char path[PATH_MAX]);
int cmp_library_find_in(const char *folder, const char *name, char path[PATH_MAX]);

#endif
