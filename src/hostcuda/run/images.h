/* Loaded images: from bytes or a file to a table of kernels. */
#ifndef HOSTCUDA_IMAGES_H
#define HOSTCUDA_IMAGES_H

#include "abi/image.h"
#include "hostcuda/core/process.h"

#define HD_OBJECT_MAGIC "BC\xc0\xde" /* what hostcc makes with -rdc=true: bitcode */

/* A loaded image. */
typedef struct {
    void *opened;          /* owned: from dlopen */
    const hc_image *table; /* in that */
    const char *code, *code_end;
    const char *constants, *constants_end; /* what no kernel writes; code is among it */
    const char *variables_end;             /* the rest, from there on */
    int file; /* owned: the file in memory that was opened */
} hd_image;

/* Loads an image from memory; size 0: it is computed from the image. Needs no lock. */
CUresult hd_image_load_unlocked(const void *data, size_t *size, hd_image *image);

/* Finds the kernel of that name in an image's table; `owner` ("module") is named in the
   sentence of an error. */
CUresult hd_image_find_kernel(const hc_image *table, const char *owner,
                              const char *name, uint32_t *index);
/* Reads a whole file into memory of malloc's, with a zero byte behind it. */
CUresult hd_file_read_unlocked(const char *name, char **data, size_t *size);

#endif
