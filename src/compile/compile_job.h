/* Inside the room: one compilation on its way, the back ends, and what the files offer
   each other. */
#ifndef PYCUDA_COMPILE_JOB_H
#define PYCUDA_COMPILE_JOB_H

#include "compile.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct cmp_backend cmp_backend;

typedef struct {
    const cmp_request *request; /* borrowed */
    cmp_outcome *outcome;       /* borrowed */
    const cmp_backend *backend;
    const char *cache;       /* borrowed: folder of the cache; "": none */
    char debug[PATH_MAX];    /* where debuggers find the source; "": nowhere */
    char compiler[PATH_MAX]; /* the program or library */
    cmp_text source;         /* wrapped; the final NUL does not count */
    cmp_text arguments;      /* words, in the compiler's own language */
    cmp_text files;          /* words: paths of what the source includes */
    cmp_text absent;         /* the same of what it would include if it were there */
    int files_known;         /* if not, the image must not be cached */
} cmp_job;

struct cmp_backend {
    const char *name;
    int (*find)(cmp_job *);      /* job->compiler; 0 and a message: not there */
    int (*translate)(cmp_job *); /* job->arguments; 0: it lacks one of the options */
    int (*run)(
        cmp_job *); /* outcome and job->files, without the GIL; -1: interrupted */
};

extern const cmp_backend cmp_hostcc, cmp_nvcc, cmp_nvrtc;

/* compiler_folders.c */
const char *cmp_package_folder(void);  /* where the extension module lies */
const char *cmp_toolkit_folder(int n); /* the nth place to look, or ""; NULL: no more */
int cmp_device_arch(char arch[16]);    /* "sm_90"; 0: no context is current */
void cmp_put_includes(cmp_job *);      /* -I of the request and the package */

/* text.c */
const char *cmp_next(const cmp_text *words,
                     const char *word); /* after NULL: the first */
void cmp_put_words(cmp_text *, const char *prefix, const cmp_text *words);
/* The words of a variable of the environment, as nvcc takes them apart: at space that
   is not between double quotes, which stay. */
void cmp_put_flags(cmp_text *, const char *variable);
char **cmp_argv(const cmp_text *words);         /* to be freed; NULL: no memory */
char *cmp_text_extend(cmp_text *, size_t size); /* place for that much more, or NULL */
int cmp_read(cmp_text *, const char *path);     /* appends a file; 0: unreadable */
int cmp_read_open(cmp_text *, int fd);          /* the same, from its beginning */
int cmp_write(const cmp_text *, const char *path); /* 0 and errno */
int cmp_write_open(const cmp_text *, int fd);

/* compiler_process.c */
int cmp_folder_create(cmp_job *, char path[PATH_MAX]); /* 0 and a message: it cannot */

/* kernel_entries.c: the other way than cmp_entries_find */
void cmp_entries_append(cmp_text *image, const char *ptx);

/* library_find.c: the first file of a pattern below a folder, or below a toolkit's; 0:
   there is none. */
int cmp_file_find(const char *folder, const char *below, const char *name,
                  char path[PATH_MAX]);
int cmp_toolkits_find(const char *below, const char *name, char path[PATH_MAX]);

/* nvrtc_find.c, nvrtc_options.c */
int cmp_nvrtc_find(cmp_job *);
int cmp_nvrtc_headers(const char *library, const char *name, char folder[PATH_MAX]);
int cmp_nvrtc_translate(cmp_job *);

/* attribute_words.c, nvrtc_attributes.c: the texts of one compilation. First all are
   learned from, then each is written anew: 1 if that changed it. */
typedef struct {
    cmp_text macros;    /* words: what a macro is, in a letter, and its name */
    const char *opaque; /* why no text with alignments is for NVRTC; NULL: they are */
    const char *why; /* a text is not for NVRTC, whatever is changed; NULL: all are */
} cmp_attributes;
void cmp_attributes_learn(cmp_attributes *, const cmp_text *text);
int cmp_attributes_rewrite(cmp_attributes *, cmp_text *text);

/* include_scan.c. names: pairs of words, how an #include line spells a file and its
 * path.
 */
int cmp_scan_includes(cmp_text *files, cmp_text *names, cmp_text *absent,
                      const cmp_text *text, const cmp_text *folders);

/* digest.c */
typedef char cmp_key[33];                           /* hexadecimal digits and a NUL */
int cmp_digest(const char *bytes, size_t, cmp_key); /* 0; -1: a Python exception */

/* cache_key.c, image_cache.c; the folder "" stands for no cache. */
int cmp_key_make(const cmp_job *, cmp_key); /* 1; 0: there is none; -1 */
void cmp_cache_folder(const char *wanted, char path[PATH_MAX]);
int cmp_cache_find(const char *folder, const cmp_key, cmp_text *image); /* 1, 0, -1 */
int cmp_cache_prepare(char *folder); /* makes it, or empties the name; 0, -1 */
/* Keeps the source where debuggers look for it; the path of its folder, or "". */
void cmp_cache_keep_source(const char *folder, const cmp_key, const char *source,
                           char path[PATH_MAX]);
int cmp_cache_store(const char *folder, const cmp_key, const cmp_job *,
                    const struct timespec *started); /* 0, -1 */

/* build_id.c: the bytes by which the linker numbered a program's content; 0: it did
 * not.
 */
int cmp_build_id_put(cmp_text *, const char *path, const struct stat *);

/* file_stamps.c: in an entry, what tells whether a file has changed. 1; 0: one may have
   changed since the compiler started; -1. */
int cmp_stamps_put(cmp_text *, const cmp_job *, const struct timespec *started);
/* 1, and the place behind the list; 0: a file has changed; -1. `renewed`: the list was
   changed, and would be checked faster now. */
int cmp_stamps_check(char **list, int *renewed);

#endif
