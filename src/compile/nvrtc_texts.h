/* The user's texts as NVRTC is given them: the source, and the headers that it
   includes, each written anew where NVRTC would read it in another way than nvcc. The
   job keeps its own source, for nvcc in place of NVRTC. */
#ifndef PYCUDA_NVRTC_TEXTS_H
#define PYCUDA_NVRTC_TEXTS_H

#include "compile_job.h"

typedef struct {
    cmp_text source;           /* the final NUL does not count */
    cmp_text names;            /* pairs of words: how a line spells a file, its path */
    cmp_text headers;          /* what stands in the files */
    cmp_attributes attributes; /* why: NVRTC cannot have them */
    const char *where;         /* the text of that reason; borrowed from the job */
    int are_changed;           /* the headers: not to be read from the disk */
    int is_strict;             /* an alignment may be an error that nvcc takes */
} cmp_user_texts;

/* Fills job->files. include_option: in front of a file that counts as included. */
void cmp_user_texts_read(cmp_user_texts *, cmp_job *, const char *include_option);
void cmp_user_texts_clear(cmp_user_texts *);

/* Headers in memory, by the names of #include lines; both are borrowed. NVRTC takes
   them before any file, whatever line asks. */
typedef struct {
    const char **names, **texts;
    int count, failed;
} cmp_header_lists;

void cmp_header_lists_add(cmp_header_lists *, const char *name, const char *text);
void cmp_header_lists_clear(cmp_header_lists *);
/* Adds the user's headers if they are changed: all of them, because one in memory has
   no folder beside which NVRTC would look for another. */
void cmp_user_texts_list(cmp_user_texts *, cmp_header_lists *);

#endif
