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
    int file; /* owned: the file in memory that was opened */
} hd_image;

/* Loads an image from memory; a size of 0 is found. Needs no lock. */
CUresult hd_image_load_unlocked(const void *data, size_t *size, hd_image *image);

/* Where in an image's table the kernel of that name is; `owner`: "module", for the
   sentence where there is none. */
CUresult hd_image_find_kernel(const hc_image *table, const char *owner,
                              const char *name, uint32_t *index);
/* A whole file in memory of malloc's, with a zero behind it. */
CUresult hd_file_read_unlocked(const char *name, char **data, size_t *size);

#endif
