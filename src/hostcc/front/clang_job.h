/* What C and C++ know of each other: a job for clang (clang.cpp), and what a source
   begins with (leading_includes.c, leading_source.cpp). */
#ifndef HOSTCC_CLANG_JOB_H
#define HOSTCC_CLANG_JOB_H

#include <stdbool.h>
#include <stddef.h>

#define CC_TEXT \
    "/hostcc/precompiled.cu" /* no file: what is precompiled has this name */
#define CC_MOST_LINES 8

/* What notes of a precompiled header tell, each with a NUL behind it. */
enum {
    CC_ABSENT = '-',     /* this file was looked for in vain */
    CC_ASKED = '&',      /* this one is there, and was not read */
    CC_TRAPPING = '!',   /* this function of the device library traps */
    CC_PASSED_OVER = '~' /* an error in this line of host code was passed over */
};

/* What a source begins with, as far as it can be precompiled. */
typedef struct cc_leading {
    const char *text;   /* with a } where one is missing */
    size_t bytes;       /* of the source that it stands for */
    const char *opened; /* what the rest stands in: `extern "C" {`, or nothing */
    const char *beside; /* notes of files that it includes and are not beside it */
    unsigned nlines;    /* of #line in it */
    struct {
        size_t at;
        unsigned number;
        const char *name;
    } lines[CC_MOST_LINES];
    const char *library;          /* the precompiled device library */
    const char *name;             /* of the file that says what is known of it */
    const char *file;             /* the precompiled header; NULL: there is none */
    const char *notes;            /* made with it */
    bool is_new, is_refused;      /* by clang */
    const struct cc_words *words; /* it is to be precompiled with these; or NULL */
} cc_leading;

typedef struct {
    unsigned n;
    const char *const *words; /* clang's command */
    struct LLVMOpaqueContext *context;
    const cc_leading *leading; /* precompiled, so that it is not read; or NULL */
    const char *text;          /* of CC_TEXT, to be precompiled; or NULL */
    bool of_library;           /* it is the device library's */
    /* What comes of it: */
    char *messages;
    struct LLVMOpaqueModule *module;
    char *opened; /* files that were read, a NUL behind each; likewise: */
    char *absent, *asked, *trapping, *passed_over;
    bool fits; /* what is precompiled says all that its text would */
} cc_clang_job;

/* Does what the command says; it may make a module, and messages. */
#ifdef __cplusplus
extern "C"
#endif
    bool
    cc_clang(cc_clang_job *);

#endif
