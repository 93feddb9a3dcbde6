/* Images with the lines of their code: a module's own, and one more for each of its
   kernels that was compiled when it was loaded. */
#ifndef HOSTCUDA_MODULE_CODE_H
#define HOSTCUDA_MODULE_CODE_H

#include "images.h"
#include "line_table.h"

typedef struct hd_code hd_code;
struct hd_code {
    hd_image image;
    hd_line_table *line_table; /* owned; NULL: the image has none */
    hd_code *next;             /* owned */
};

/* Loads an image from memory, of `size` bytes; 0: it is computed from the image. */
CUresult hd_code_load_unlocked(const void *data, size_t size, hd_code **code);
/* Ends it and those behind it. */
void hd_code_destroy_unlocked(hd_code *code);

#endif
