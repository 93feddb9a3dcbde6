/* Modules and their functions. */
#ifndef HOSTCUDA_MODULES_H
#define HOSTCUDA_MODULES_H

#include "abi/image.h"
#include "hostcuda/core/process.h"

typedef struct hd_module hd_module;
typedef struct hd_line_table hd_line_table;

typedef struct {
    hd_object object;
    hd_module *module;       /* borrowed: owns it */
    const hc_kernel *kernel; /* in the image */
    bool spins; /* some state yields: it may wait for other blocks or the host */
    uint32_t dynamic_shared_max; /* set by function attribute */
    int carveout;
    _Atomic uint32_t block_ns; /* what a block took lately, see hd_work.piece_ns */
} hd_function;

struct hd_module {
    hd_object object;
    void *opened; /* owned: from dlopen */
    const hc_image *image;
    const char *code, *code_end;     /* in that: its instructions */
    hd_line_table *line_table;       /* owned; NULL: the image has none */
    struct hd_reference *references; /* owned: those that were asked for */
    uint32_t nfunctions, nglobals;   /* that have a handle, are registered */
    hd_function functions[];
};

/* blocks.c: whether some state of the kernel is of one of the kinds, a bit each. */
bool hd_kernel_has(const hc_kernel *kernel, unsigned layout, unsigned kinds);
/* Blocks of that size that one multiprocessor holds at once. */
int hd_function_occupancy(const hd_function *function, int threads, size_t dynamic);
/* A module of an image, of that size or 0 where the image tells. Drops the lock; the
   context is the current one still when it succeeds. */
CUresult hd_module_create(hd_context *context, const void *data, size_t size,
                          CUmodule *handle);
/* The function behind the handle of one, or of a library's kernel in the current
   context. The latter may drop the lock. */
CUresult hd_function_find(const void *handle, hd_function **function);

/* Writes why something failed where the user asked for a log; sizes come back. */
void hd_module_log(unsigned count, const CUjit_option *options, void **values,
                   const char *text);
/* A whole file in memory of malloc's, with a zero behind it. */
CUresult hd_file_read_unlocked(const char *name, char **data, size_t *size);

#define HD_OBJECT_MAGIC "BC\xc0\xde" /* what hostcc makes with -rdc=true: bitcode */

/* A loaded image. */
typedef struct {
    void *opened;          /* owned: from dlopen */
    const hc_image *table; /* in that */
    const char *code, *code_end;
    int file; /* owned: what was opened */
} hd_image;

/* images.c: loads an image from memory; a size of 0 is found. Needs no lock. */
CUresult hd_image_load_unlocked(const void *data, size_t *size, hd_image *image);

/* line_table.c: the line table of an image that was loaded, or NULL: there is none.
   Takes its file over, which stays open where debuggers read it again and again: that
   of the newest modules. */
hd_line_table *hd_line_table_create_unlocked(const void *data, size_t size, int file);
void hd_line_table_destroy_unlocked(hd_line_table *line_table); /* may be NULL */
/* Writes "kernel.cu:12" for an address in the image, "" where that is not known. */
void hd_line_table_describe_unlocked(const hd_line_table *line_table, const void *image,
                                     const char *address, char *text, size_t size);

#endif
